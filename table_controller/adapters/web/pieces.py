"""Pieces of a part of the page: what stays as it was is not sent again.

A template marks a piece, an element with a key. A screen that shows it already is sent an empty
stand-in of that key, and leaves what stands there alone. Pieces do not lie in each other.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from markupsafe import Markup

#: Comments, since no text that is shown can contain one: all of it is escaped.
_BEGIN, _NAMED, _END = "<!--[", "-->", "<!--]-->"
_MARK = re.compile(r"<!--\[[a-z_]*-->|<!--\]-->")
_ELEMENT = re.compile(r'<(\w+)[^>]*?( data-key="[^"]*")')


def piece(within: str = "", *, caller: Callable[[], str]) -> Markup:
    """Mark what a template calls this with; `within`: the name of what is round it, if needed."""
    return Markup(f"{_BEGIN}{within}{_NAMED}{caller().strip()}{_END}")  # noqa: S704  # rendered with autoescape


def whole(html: str) -> str:
    """A part without its marks."""
    return _MARK.sub("", html)


def since(html: str, shown: str) -> str:
    """A part for a screen that was shown `shown` of it, without marks."""
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
