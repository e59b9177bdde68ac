"""The type of a call, that is, of what the croupier says aloud. The module knows no game.

Each game lists its own calls in its `calls.py`.
"""

from __future__ import annotations

from typing import NamedTuple


class Call(NamedTuple):
    """A call as the croupier says it, its language, and the id of the rule that contains it."""

    words: str
    language: str
    rule: str
