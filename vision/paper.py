"""The paper in the gate during a passage: its sizes, and whether there are two cards in it.

The module knows views, times and a lip.
"""

from __future__ import annotations

from vision.gate import PART, View
from vision.judging import LONGEST
from vision.lip import Lip
from vision.timeline import FASTEST, Timeline
from vision.verdict import Passage

_LEAP_MM = 2.0  # plus a frame's way; a leading edge that falls back further is another card's


class PaperWatch:
    """Measures the passages, one at a time. `time` keeps the view before the present one."""

    def __init__(self, lip: Lip, time: Timeline) -> None:
        self._lip, self._time = lip, time
        self._leap_px: float | None = None  # the place from which the leading edge just fell back

    def begin(self) -> None:
        """Note that a passage begins."""
        self._leap_px = None

    def end(self, passage: Passage) -> None:
        """Note that a passage ends.

        If its leading edge had just fallen back, that edge was a second card's.
        """
        passage.two |= self._leap_px is not None
        self._leap_px = None

    def measure(self, passage: Passage, t_ms: float, view: View) -> None:
        """Note the paper's sizes, and look for a second card.

        There are two cards if there is too much paper, or if the leading edge falls back and stays
        back.
        """
        passage.two |= self.too_long(view)
        if not view.tail_cut and not view.lead_cut:
            passage.whole_px = max(passage.whole_px or 0.0, view.length_px)
            passage.long_px = max(passage.long_px or 0.0, view.along_px or 0.0) or None
            passage.wide_px = max(passage.wide_px or 0.0, view.across_px or 0.0) or None
            for band, long_px in view.bands_px.items():
                passage.bands_px[band] = max(passage.bands_px.get(band, 0.0), long_px)
        if passage.came is None:
            passage.came = self._comes(t_ms, view)
            if self._time.last:
                passage.travel.comes(self._time.last_ms, self._time.last, self._lip)
        passage.travel.passes(t_ms, view)
        before, frame_ms = self._time.last, t_ms - self._time.last_ms
        way_px = (_LEAP_MM + frame_ms) * self._lip.px_per_mm  # at a metre a second
        if self._leap_px is not None:
            passage.two |= view.lead_px < self._leap_px - _LEAP_MM * self._lip.px_per_mm
            self._leap_px = None
        elif before and before.blocked and view.lead_px < before.lead_px - way_px:
            part = not view.tail_cut and view.length_px < self._lip.card_px * PART
            self._leap_px = None if part else before.lead_px

    def too_long(self, view: View) -> bool:
        """Whether the piece of paper in the gate is longer than a card."""
        return view.length_px > self._lip.card_px * LONGEST

    def _comes(self, t_ms: float, view: View) -> bool:
        """Whether some frame showed the paper's leading end on its way to the gate."""
        last, way_px = self._time.last, FASTEST * (t_ms - self._time.last_ms) * self._lip.px_per_mm
        near = view.lead_px - self._lip.gate_px <= way_px and not view.lead_cut
        return near or (last is not None and last.behind_px < float("inf"))
