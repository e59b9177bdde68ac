"""Pieces of a part of the page. A piece that has not changed is not sent again.

A template marks a piece, which is an element with a key. A screen that already shows the piece gets
an empty element with the same key, and leaves the piece as it is. Pieces are never nested.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec
from markupsafe import Markup, escape

#: HTML comments, since no text that is shown can contain a comment: all of it is escaped.
_BEGIN, _NAMED, _END = "<!--[", "-->", "<!--]-->"
_MARK = re.compile(r"<!--\[[a-z0-9_]*-->|<!--\]-->")
_ELEMENT = re.compile(r'<(\w+)[^>]*?( data-key="[^"]*")')


def piece(within: str = "", *, caller: Callable[[], str]) -> Markup:
    """Mark the text of a template's call block as a piece.

    `within` tells where the piece is, in small letters and digits, if it can be in several places.
    """
    return Markup(f"{_BEGIN}{within}{_NAMED}{caller().strip()}{_END}")  # noqa: S704  # rendered with autoescape


def quoted(value: object) -> Markup:
    """Return a value as JSON for an attribute, in single quotes.

    JSON has many double quotes, and they are long when escaped.
    """
    text = str(escape(msgspec.json.encode(value).decode())).replace("&#34;", '"')
    return Markup(f"'{text}'")  # noqa: S704  # escaped, but for what single quotes allow


def whole(html: str) -> str:
    """Return a part of the page without the marks around its pieces."""
    return _MARK.sub("", html)


def since(html: str, shown: str) -> str:
    """Return a part, without marks, for a screen that shows the part as `shown`.

    Unchanged pieces are empty elements.
    """
    there = {chunk.partition(_END)[0] for chunk in shown.split(_BEGIN)[1:]}
    first, *rest = html.split(_BEGIN)
    return first + "".join(_one(*chunk.partition(_END)[::2], there) for chunk in rest)


def _one(marked: str, after: str, there: set[str]) -> str:
    made = marked.partition(_NAMED)[2]
    found = _ELEMENT.match(made) if marked in there else None
    if found is None:
        return made + after
    tag, key = found.groups()
    return f"<{tag}{key} data-same></{tag}>{after}"
