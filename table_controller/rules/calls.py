"""What a call of the trade is; each game's own stand in its `calls.py`. Knows no game."""

from __future__ import annotations

from typing import NamedTuple


class Call(NamedTuple):
    """A call as it is said, its language, and the rule that hands it down."""

    words: str
    language: str
    rule: str
