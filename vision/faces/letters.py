"""The letters on indices, and their meaning in a deck.

In some decks `B` is a jack, in others nothing. The net names every letter by its shape. A letter
outside the deck's alphabet is no index of that deck.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from table_controller.rules.cards import RANKS

#: Letters on decks of the houses we build for, in place of A K Q J.
LOCAL: Final = ("B", "D", "V", "R", "1", "E", "Á", "Kn", "T", "Д")
#: The net's rank classes, in its order. The class for none follows them.
GLYPHS: Final = (*("10" if rank == "T" else rank for rank in RANKS), *LOCAL)
#: Ranks whose letters differ between decks, in the order of an alphabet.
LETTERED: Final = "AKQJ"
#: Cyrillic letters that look like Latin ones.
_ALIKE: Final = str.maketrans("АВЕКТ", "ABEKT")
#: Classes of the net that look alike in an image of a whole card, where an accent is hardly a dot.
_FROM_AFAR: Final = ("A", "Á")
_FIGURES: Final = frozenset(GLYPHS[1:10])


@dataclass(frozen=True)
class Alphabet:
    """The letters of ace, king, queen and jack on one deck."""

    letters: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(self.letters)

    @cached_property
    def ranks(self) -> dict[int, str]:
        """The rank that each of the net's classes means. A class that means no rank is left out."""
        means = {
            GLYPHS.index(figure): rank
            for figure, rank in zip(GLYPHS[1:10], RANKS[1:10], strict=True)
        }
        means |= {GLYPHS.index(glyph): rank for rank in LETTERED if (glyph := self.glyph(rank))}
        return means

    def glyph(self, rank: str) -> str | None:
        """The letter on cards of this rank; None if the net has no class for the letter."""
        if rank not in LETTERED:
            return GLYPHS[RANKS.index(rank)]
        glyph = looks(self.letters[LETTERED.index(rank)])
        return glyph if glyph in GLYPHS else None

    def from_afar(self, logits: NDArray[Any]) -> NDArray[Any]:
        """Adapt the logits for a whole card, on which some letters look alike.

        The net for corners can tell these letters apart. If the deck has only one of them, that
        letter gets the probability of all of them.
        """
        alike = [GLYPHS.index(glyph) for glyph in _FROM_AFAR]
        held = [glyph for glyph in alike if glyph in self.ranks]
        if len(held) != 1:
            return logits
        merged = logits.copy()
        merged[held[0]] = np.logaddexp.reduce(logits[alike])
        merged[[glyph for glyph in alike if glyph not in held]] = -np.inf
        return merged

    def enrolled(self) -> Alphabet:
        """The classes with which an enrolled deck is taught.

        If the net has no class for a letter, the letter gets a class that the deck does not need
        otherwise.
        """
        known = {rank: glyph for rank in LETTERED if (glyph := self.glyph(rank))}
        free = [rank for rank in LETTERED if rank not in known.values()]
        for rank in LETTERED:
            if rank not in known:
                known[rank] = free.pop(free.index(rank) if rank in free else 0)
        return Alphabet(tuple(known[rank] for rank in LETTERED))


def looks(letter: str) -> str:
    """Return the letter, or the Latin letter that looks the same: Cyrillic В becomes Latin B."""
    return letter.translate(_ALIKE)


def parse(text: str) -> Alphabet:
    """Read an alphabet from a text of four letters: ace, king, queen, jack. Raises ValueError."""
    letters = tuple(text.split())
    seen = {looks(letter) for letter in letters}
    if len(letters) != len(LETTERED) or len(seen) != len(LETTERED) or seen & _FIGURES:
        raise ValueError(
            f"{text!r} are not the letters of ace, king, queen and jack: want four different ones, "
            "as 'A K Q J' or '1 R D V'"
        )
    return Alphabet(letters)


USUAL: Final = parse("A K Q J")
#: The alphabets of the houses we build for.
HOUSES: Final = tuple(map(parse, ("A K D B", "1 R D V", "E K D Kn", "Á K D B", "Т К Д В")))
