"""How long and how wide one card is in this lip's pictures: as calibrated, then as learnt.

What is longer or wider is two cards, one of them sticking out from under the other. Knows sizes
only. A lens that bends and a scale that is off by a hundredth are alike for every card, so those
that were read tell it better than the calibration; and by how much they differ, how much is more.
"""

from __future__ import annotations

from collections import deque
from statistics import median
from typing import Final

from vision.lip import Lip

#: Beyond a card's side as calibrated, before it is learnt: a lens bends that much.
CALIBRATED: Final = 1.04
#: Beyond the side as learnt: cut, lens and turn make this of a card.
MORE_MM: Final = 0.25
#: Or so many times by how much the cards differ in their middle: packs of several makers.
_DIFFER: Final = 5
_ENOUGH: Final = 8  # cards
_LAST: Final = 64


class Side:
    """One side of the cards, in pixels."""

    def __init__(self, side_px: float, px_per_mm: float) -> None:
        self._side_px, self._more_px = side_px, MORE_MM * px_per_mm
        self._cards: deque[float] = deque(maxlen=_LAST)

    def learn(self, side_px: float | None) -> None:
        """One card that was read measured so."""
        if side_px is not None:
            self._cards.append(side_px)

    def too_long(self, side_px: float | None, *, white: bool = False) -> bool:
        """Whether this is more than one card has.

        Print that is dark up to the edge is not seen: such a deck is learnt shorter than its white
        card, which is held to the calibration.
        """
        if side_px is None:
            return False
        if white or len(self._cards) < _ENOUGH:
            return side_px > self._side_px * CALIBRATED
        middle = median(self._cards)
        differ = median(abs(card - middle) for card in self._cards)
        return side_px > middle + max(self._more_px, _DIFFER * differ)


class Outline:
    """Both sides of the cards in one lip."""

    def __init__(self, lip: Lip) -> None:
        along, across = lip.card_mm
        self.length = Side(along * lip.px_per_mm, lip.px_per_mm)
        self.width = Side(across * lip.px_per_mm, lip.px_per_mm)
