"""The type of a trade call; each game lists its own in its `calls.py`. Knows no game."""

from __future__ import annotations

from typing import NamedTuple


class Call(NamedTuple):
    """A call as spoken, its language, and the rule it comes from."""

    words: str
    language: str
    rule: str
