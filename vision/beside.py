"""Looks at the views of the frames just before and after an edge of the exit beam.

The module knows views, times and a lip.
"""

from __future__ import annotations

from collections import deque
from itertools import pairwise, starmap

from vision.gate import View
from vision.lip import Lip
from vision.timeline import FASTEST

_RECENT = 8  # frames kept; a beam edge is reported within fewer
_NEAR_MM = 20.0  # a tail that is further past the gate does not come back into it

_Seen = tuple[float, View]


class BesideWatch:
    """Keeps the latest views that show the lip, and answers questions about a recent moment."""

    def __init__(self, lip: Lip) -> None:
        self._lip = lip
        self._recent: deque[_Seen] = deque(maxlen=_RECENT)

    def note(self, t_ms: float, view: View) -> None:
        """Keep the view of the frame of `t_ms`."""
        self._recent.append((t_ms, view))

    def paper(self, from_ms: float) -> bool:
        """Whether any kept frame since `from_ms` shows paper in the gate."""
        return any(view.blocked for t_ms, view in self._recent if t_ms >= from_ms)

    def back(self, closed_ms: float) -> bool | None:
        """Whether the card that left the gate at `closed_ms` went backwards; None if not yet known.

        The first frame after `closed_ms` decides, because later frames may show the next card.
        """
        view = next((view for t_ms, view in self._recent if t_ms >= closed_ms), None)
        return None if view is None or view.blocked else view.behind_px < view.ahead_px

    def tail(self, opened_ms: float) -> bool:
        """Whether the passage opened at `opened_ms` because the former card's tail came back.

        The alternative is another card. The result is False until the next frame has arrived.
        """
        beside = (two for two in pairwise(self._recent) if two[0][0] < opened_ms <= two[1][0])
        return any(starmap(self._is_tail, beside))

    def _is_tail(self, before: _Seen, after: _Seen) -> bool:
        """Whether only the former card's tail explains these two frames.

        Another card could not have come so far in the time between the frames.
        """
        lip, view = self._lip, after[1]
        past_px, left_px = view.lead_px - lip.gate_px, lip.gate_px - view.tail_px
        half = view.blocked and past_px > left_px and not view.tail_cut
        way_px = FASTEST * (after[0] - before[0]) * lip.px_per_mm
        near = self._is_near(before[1]) and (half or self._is_near(view))
        return near and way_px < lip.gate_px + lip.card_px / 2

    def _is_near(self, view: View) -> bool:
        """Whether the view shows nothing but the tail of a card just past the gate."""
        near_px = _NEAR_MM * self._lip.px_per_mm
        return not view.blocked and view.ahead_px < near_px and view.behind_px == float("inf")
