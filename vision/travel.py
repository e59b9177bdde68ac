"""Measures a card's length by its motion past the gate, if no frame shows both its ends.

The card's leading end is in sight first and its tail later. The two ends move alike, one card's
length apart. A hand draws the card, so the speed may change. The exit beam's times give a second
measurement. The module knows times and places.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.gate import View
from vision.lip import Lip

_LEAST: Final = 2  # frames of each end that are needed
_CURVED: Final = 7  # frames in all, enough to fit a changing speed
LONGEST_MS: Final = 250.0  # both ends of a slower card were in sight together


class Travel:
    """Collects the places of a card's ends over time, and gives the card's length."""

    def __init__(self) -> None:
        self._ends: list[tuple[float, float, bool]] = []  # ms, px, whether it is the tail
        self.seen = False  # whether a frame showed the card in the gate

    def comes(self, t_ms: float, view: View, lip: Lip) -> None:
        """Note the last frame before the card was in the gate."""
        if view.behind_px < lip.gate_px:
            self.note(t_ms, lead_px=lip.gate_px - view.behind_px, tail_px=None)

    def passes(self, t_ms: float, view: View) -> None:
        """Note a frame of the card in the gate."""
        lead_px = None if view.lead_cut else view.lead_px
        self.seen = True
        self.note(t_ms, lead_px=lead_px, tail_px=None if view.tail_cut else view.tail_px)

    def leaves(self, t_ms: float, view: View, lip: Lip) -> None:
        """Note the first frame after the card left the gate."""
        if view.ahead_px < lip.width_px - lip.gate_px:
            self.note(t_ms, lead_px=None, tail_px=lip.gate_px + view.ahead_px)

    def note(self, t_ms: float, *, lead_px: float | None, tail_px: float | None) -> None:
        """Note the place of each end in the frame of `t_ms`; None for an end outside that frame."""
        if len(self._ends) < 2 * LONGEST_MS:
            self._ends += [
                (t_ms, px, tail)
                for px, tail in ((lead_px, False), (tail_px, True))
                if px is not None
            ]

    def length_px(self, closed_ms: float) -> float | None:
        """The card's length by the frames; None with too few frames or too slow a card."""
        way = self._way()
        return None if way is None or closed_ms - self._ends[0][0] > LONGEST_MS else way[0]

    def beam_px(self, opened_ms: float, closed_ms: float) -> float | None:
        """The card's length by the beam's times and the card's speed in the frames.

        None as for `length_px`.
        """
        way = self._way()
        if way is None or closed_ms - opened_ms > LONGEST_MS:
            return None
        first, last = (
            np.polyval(way[1], t_ms - self._ends[0][0]) for t_ms in (opened_ms, closed_ms)
        )
        return float(last - first)

    def _way(self) -> tuple[float, list[float]] | None:
        """The card's length (px) and its motion: px as a polynomial in ms from the first frame."""
        tails = sum(tail for *_, tail in self._ends)
        if min(tails, len(self._ends) - tails) < _LEAST:
            return None
        t_ms, px, tail = (np.array(column, float) for column in zip(*self._ends, strict=True))
        t_ms -= t_ms[0]
        powers = range(2 if len(t_ms) >= _CURVED else 1, -1, -1)
        known = np.stack([*(t_ms**power for power in powers), -tail], axis=1)
        *way, length = np.linalg.lstsq(known, px, rcond=None)[0]
        return float(length), [float(one) for one in way]
