"""Chooses from an evening the pictures of which some part is laid out as in no picture before.

Digits are equally wide, a card has its size, and a colour moves nothing. So two parts that differ
only in those have equal layouts, and one of the two pictures need not be looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TypeVar

from table_controller.adapters.web import pieces
from table_controller.adapters.web.screens import Parts

T = TypeVar("T")

#: Parts with a place of their own. What is in one moves nothing in another.
ALONE = ("title", "health", "alerts", "roads", "result")
#: Parts that share the panel, one under the other.
PANEL = ("ask", "offers", "side", "more")

#: What moves nothing: drawings, words that nobody sees, attributes, colours, cards to touch.
_DRAWN = re.compile(r'<svg.*?</svg>|<span class="unseen">.*?</span>', re.DOTALL)
_ATTRIBUTE = re.compile(r""" (?!class=)[\w-]+=("[^"]*"|'[^']*')""")
_CLASS = re.compile(r'(?<=class=")[^"]*')
_COLOUR = re.compile(
    r"\b(gold|blue|red|green|grey|won|lost|tie|moved|gap|past|near|lit|acts|value-\d+)\b ?"
)
_KEY = re.compile(r"<(button|label)>(?:<input required>)?\s*<b[^>]*>[^<]*</b>\s*</\1>|<i></i>")
_COUP = re.compile(r"<li[^>]*>\s*<b>.*?</li>", re.DOTALL)
_TEXT = re.compile(r">[^<]+")
_CARD = re.compile(r"[AKQJ0]+ ?[♣♦♥♠]")
#: What is cut with dots, in a place that stays as it is. The cell that has it is looked at once.
_NAME = re.compile(r'((?:class="(?:name|balance)"|<header><h2>[^<]*</h2><span)>)[^<]*')
#: The places on the rail, side by side or each in a line.
_PLACE = re.compile(r'(?=<p class="(?:steps|done)">|<div class="rack">|<ol class="last">)')
_CELL = re.compile(r'<div class="(?:seat|box).*?</div>', re.DOTALL)
_SIDE = re.compile(r"<ol.*?</ol>", re.DOTALL)
_FOLD = re.compile(r"<details[^>]*>|</details>|</summary>")


def unlike(pictures: Iterable[tuple[T, Parts]], seen: set[object]) -> Iterator[T]:
    """Choose those of which some place or sheet is laid out as none that was `seen`; note it."""
    for picture, parts in pictures:
        found = set(layouts(parts))
        if not found <= seen:
            yield picture
        seen |= found


def layouts(parts: Parts) -> Iterator[object]:
    """Yield what decides the layout of each place of a page, and of each sheet that is shut."""
    made = {name: _plain(html) for name, html in parts.items()}
    alerts = made.get("alerts", "")  # they take room from what is below
    for name in ALONE:
        yield name, made.get(name, "")
    yield from _PLACE.split(made["foot"])
    yield from _CELL.findall(made["cells"])
    felt = _NAME.sub(r"\1", made["cells"])
    for side in _SIDE.findall(felt) or [felt]:
        yield alerts, _CELL.sub("", side), *sorted(_CELL.findall(side))
    yield alerts, _NAME.sub(r"\1", made["trays"]), made["middle"]
    panel = [made.get(name, "") for name in PANEL]
    yield alerts, *map(_shut, panel)
    yield from (sheet for html in panel for sheet in _sheets(html))


@lru_cache(maxsize=4096)
def _plain(html: str) -> str:
    """A part without what moves nothing."""
    html = _ATTRIBUTE.sub("", _DRAWN.sub("", pieces.whole(html)))
    html = _CLASS.sub(lambda found: _COLOUR.sub("", found[0]).strip(), html)
    html = _COUP.sub("<li>", _KEY.sub("<key>", html))
    return _TEXT.sub(lambda found: _CARD.sub("0", re.sub(r"\d", "0", found[0])).rstrip(), html)


@lru_cache(maxsize=4096)
def _split(html: str) -> tuple[str, tuple[str, ...]]:
    """A part as it is while everything in it is shut, and what is shut in it."""
    shown, hidden, depth, last = [], [], 0, 0
    for mark in _FOLD.finditer(html):
        if mark[0].startswith("<details"):
            depth += 1
        elif mark[0] == "</details>":
            depth -= 1
            if not depth:
                hidden.append(html[last : mark.start()])
                last = mark.start()
        elif depth == 1:
            shown.append(html[last : mark.end()])
            last = mark.end()
    return "".join((*shown, html[last:])), tuple(hidden)


def _shut(html: str) -> str:
    return _split(html)[0]


def _sheets(html: str) -> Iterator[str]:
    """Each sheet while what is in it is shut, and each form in it."""
    for hidden in _split(html)[1]:
        yield _shut(hidden)
        yield from _sheets(hidden)
