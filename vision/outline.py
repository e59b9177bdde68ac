"""Learns the length and width of a card in this lip's frames, beginning with the calibrated size.

Anything longer or wider than one card is two cards, of which one sticks out from under the other.
Lens distortion, and a scale that is off by a hundredth, are the same for every card. So cards that
were read give the size better than the calibration does. The tolerance depends on how much these
cards differ. The module knows sizes only.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from statistics import median
from typing import Final

from vision.lip import Lip
from vision.verdict import Passage

#: The tolerance before a side is learnt, as a factor, since a lens distorts that much.
CALIBRATED: Final = 1.04
#: The tolerance beyond a learnt side. A card varies that much by its cut, the lens and its turn.
MORE_MM: Final = 0.25
#: The tolerance far from the middle, where corners are round and a lens distorts most.
CORNER_MM: Final = 0.5
#: Or this many times the cards' median deviation, for packs of several makers.
_DIFFER: Final = 5
ENOUGH: Final = 8  # cards
_LAST: Final = 64


class OutlineSide:
    """One side of the cards, in pixels."""

    def __init__(self, side_px: float, px_per_mm: float, more_mm: float = MORE_MM) -> None:
        self._side_px, self._more_px = side_px, more_mm * px_per_mm
        self._cards: deque[float] = deque(maxlen=_LAST)

    def learn(self, side_px: float | None) -> None:
        """Learn from the side of a card that was read; None teaches nothing."""
        if side_px is not None:
            self._cards.append(side_px)

    def too_long(self, side_px: float | None, *, white: bool = False) -> bool:
        """Whether `side_px` is too long for one card.

        If a deck's print is dark up to the edge, its edges are not seen, and the learnt size is too
        small for its white cut card. Therefore the white card is compared with the calibration.
        """
        if side_px is None:
            return False
        if white or len(self._cards) < ENOUGH:
            return side_px > self._side_px * CALIBRATED
        middle = median(self._cards)
        differ = median(abs(card - middle) for card in self._cards)
        return side_px > middle + max(self._more_px, _DIFFER * differ)


class Outline:
    """The learnt length and width of the cards in one lip, and the length in each band of rows."""

    def __init__(self, lip: Lip) -> None:
        scale, (along, across) = lip.px_per_mm, lip.card_mm
        self._length, self._width = (
            OutlineSide(along * scale, scale),
            OutlineSide(across * scale, scale),
        )
        self._bands: defaultdict[int, OutlineSide] = defaultdict(
            lambda: OutlineSide(along * scale, scale, CORNER_MM)
        )

    def learn(self, passage: Passage) -> None:
        """Learn from the measures of a card that was read."""
        for side, side_px in self._measured(passage):
            side.learn(side_px)

    def too_large(self, passage: Passage, *, white: bool = False) -> bool:
        """Whether the passage's paper is too large for one card, anywhere along its edges."""
        return any(side.too_long(px, white=white) for side, px in self._measured(passage))

    def _measured(self, passage: Passage) -> Iterator[tuple[OutlineSide, float | None]]:
        yield self._length, passage.long_px
        yield self._width, passage.wide_px
        for band, long_px in passage.bands_px.items():
            yield self._bands[band], long_px
