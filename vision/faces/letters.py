"""The letters on a deck's indices, and which cards the shipped net cannot tell by them.

It was trained on A K Q J: another letter it takes for its likest, a German B for a K or an 8, and
is sure of it. Where a deck has any other, its lettered cards are unread until it was enrolled.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Final

from table_controller.rules.cards import Rank

#: Ace, king, queen, jack.
KNOWN: Final = ("A", "K", "Q", "J")
#: Letters that are much like a figure.
_ALIKE: Final = {"B": Rank(8), "В": Rank(8), "1": Rank(10)}
_LETTERED: Final = frozenset(map(Rank, (1, 13, 12, 11)))


def parse(text: str) -> tuple[str, ...]:
    """The letters of ace, king, queen and jack, as `A K D B`. Raises ValueError."""
    letters = tuple(text.split())
    if len(letters) != len(KNOWN) or len(set(letters)) != len(KNOWN):
        raise ValueError(
            f"{text!r} are not the letters of ace, king, queen and jack: want four different ones, "
            "as 'A K Q J' or '1 R D V'"
        )
    return letters


def unread(letters: tuple[str, ...], *, enrolled: bool) -> Set[Rank]:
    """The ranks that are not to be told by their letter."""
    if enrolled or letters == KNOWN:
        return frozenset()
    return _LETTERED | {_ALIKE[letter] for letter in letters if letter in _ALIKE}
