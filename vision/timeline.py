"""Finds the times when the lip was unseen: gaps between frames, and dark frames.

The module knows views and times. A strobe that misses, or a lamp at 100 Hz, gives frames without
paper although a card is there. If a card cannot have left so fast, such a frame counts as dark. The
lip was then unseen from the last frame that shows it to the next one that does.
"""

from __future__ import annotations

from collections import deque
from statistics import median
from typing import Final

from firmware_bridge.trouble import Trouble
from vision.gate import View
from vision.judging import LONGEST
from vision.lip import Lip
from vision.verdict import SHORTEST

#: Millimetres per millisecond. No card is drawn faster.
FASTEST: Final = 2.0
#: This many periods between two frames are a gap. Fewer are jitter.
_GAP_PERIODS: Final = 2.9
#: Periods longer than the set period by this factor are reported if a card may pass between
#: frames.
_SLOWER: Final = 1.5
#: Millimetres per millisecond, for most cards. A pause in which such a card can pass is a gap.
_USUAL: Final = 1.0
_MEASURED: Final = 31  # intervals from which the true rate is measured
_BUFFERED: Final = 4  # frames that wait in the kernel while the reader is late (`vision.v4l2`)
_FEWEST: Final = 5  # intervals; with fewer the rate is unknown, and nothing is a gap
#: Milliseconds without a frame after which the camera is not working. The second figure is for a
#: camera that is being opened.
STILL_MS: Final = 1000.0
OPENING_MS: Final = 5000.0
#: The gate counts as covered if something other than a single card was in it for this long in
#: total.
COVERED_MS: Final = 3000.0

GAP: Final = Trouble("no picture was taken for a moment")
DARK: Final = Trouble("the pictures were dark for a moment: look at the strobe")
DROPPED: Final = Trouble("pictures came faster than they could be read")
STILL: Final = Trouble("no picture has come for a second")
SLOW: Final = Trouble("pictures come so seldom that a card may pass between two of them")
UNLIT: Final = Trouble("the pictures are dark: look at the light in the lip")
COVERED: Final = Trouble("what lies in the gate is no single card, or the light blinds the camera")


class Timeline:
    """Takes every view in order. `last` is the last view that showed the lip, at `last_ms`.

    Args:
        lip: the lip's sizes in the frame.
        fps: the camera's set rate in frames a second, 0 if unknown. The true rate is the slower of
            this and the measured rate.
    """

    def __init__(self, lip: Lip, fps: float = 0.0) -> None:
        self._lip, self._set_ms = lip, 1000 / fps if fps else 0.0
        self._slow_ms: float | None = None  # since when too few frames have come
        self._steps: deque[float] = deque(maxlen=_MEASURED)
        self._taken_ms: float | None = None  # the last frame, dark or not
        self._asked_ms: float | None = None  # the time when `still` was first called
        self._dark = False
        self._covered_ms = 0.0  # for how long the gate has had something other than one card in it
        self._clear_ms = float("-inf")  # time of the last frame of a clear gate
        self._late_ms: float | None = None  # by how much frames are late, until they catch up
        #: The time since which the lip was unseen, in the last gap.
        self.unseen_ms = float("-inf")
        self.last: View | None = None
        self.last_ms = float("-inf")

    @property
    def gap_ms(self) -> float:
        """The shortest time (ms) between frames that counts as a gap, however often it occurs."""
        most_ms = max(_GAP_PERIODS * self._set_ms, self._lip.card_mm[0] / _USUAL)
        measured_ms = _GAP_PERIODS * self.period_ms
        return min(measured_ms, most_ms) if self._set_ms else measured_ms

    @property
    def period_ms(self) -> float:
        """The true time (ms) from frame to frame; infinite until it is known."""
        known = len(self._steps) >= _FEWEST or self._set_ms
        return max(self._set_ms, median(self._steps or (0.0,))) if known else float("inf")

    def gap(self, t_ms: float, view: View, *, arrived: bool = False) -> str | None:
        """The reason why the lip was unseen just before this view.

        It is empty if the lip was seen, and None if the view itself is dark. If the gate was
        covered for long, the lip also counts as unseen, which is reported once the gate is clear
        again.
        """
        why = self._gap(t_ms, view, arrived=arrived)
        if why is None or view.blocked or self._covered_ms < COVERED_MS:
            return why
        self.unseen_ms = self._clear_ms
        return COVERED

    def _gap(self, t_ms: float, view: View, *, arrived: bool) -> str | None:
        """The reason as in `gap`, judged by the frames' times and by darkness alone.

        If frames get their times on arrival, frames that are only late follow in quick succession
        out of the kernel's buffers. If they do not follow so, they were lost.
        """
        step_ms = 0.0 if self._taken_ms is None else t_ms - self._taken_ms
        if self._taken_ms is not None:
            self._steps.append(step_ms)
        self._taken_ms = t_ms
        slow_ms = t_ms if self._slow_ms is None else self._slow_ms
        self._slow_ms = slow_ms if self._is_slow() else None
        if arrived and not view.dark and not self._dark and not self._lost(step_ms):
            return None if self._cannot_be_gone(t_ms, view) else ""
        if view.dark or self._cannot_be_gone(t_ms, view):
            self._dark = True
            return None
        dark, self._dark = self._dark, False
        late, self._late_ms = self._late_ms, None
        away_ms = t_ms - self.last_ms
        unlit = dark and away_ms >= STILL_MS
        if late is None:
            self.unseen_ms = self.last_ms
            short = away_ms < self.gap_ms and not unlit
            if self.last is None or short:
                return ""
        return UNLIT if unlit else DARK if dark else GAP

    def _lost(self, step_ms: float) -> bool:
        """Whether frames before this one were lost. False if they were only late.

        `step_ms` is the time since the frame before.
        """
        period_ms, late_ms = self.period_ms, self._late_ms
        if late_ms is None:
            gap_ms = self.gap_ms
            if step_ms < gap_ms or step_ms > (_BUFFERED + 1) * period_ms or gap_ms < period_ms:
                return step_ms >= gap_ms
            self.unseen_ms, self._late_ms = self.last_ms, step_ms - period_ms
            return False
        if step_ms >= period_ms / 2:
            return True
        late_ms += step_ms - period_ms
        self._late_ms = late_ms if late_ms >= (_GAP_PERIODS - 1) * period_ms else None
        return False

    def note(self, t_ms: float, view: View, *, shown: bool = False) -> None:
        """Note a view that shows the lip.

        `shown` says that somebody shows a card by hand. A blocked gate then does not count as
        covered, because a hand may be as light as paper.
        """
        if not view.blocked:
            self._covered_ms, self._clear_ms = 0.0, t_ms
        elif self.last and not shown and not self._may_be_one(view):
            self._covered_ms += t_ms - self.last_ms
        self.last, self.last_ms = view, t_ms

    def still(self, now_ms: float) -> str | None:
        """The reason why no recent frame shows the lip.

        It is empty if a recent frame shows the lip, and None before the first frame.
        """
        if self._taken_ms is None:
            self._asked_ms = now_ms if self._asked_ms is None else self._asked_ms
            return STILL if now_ms - self._asked_ms >= OPENING_MS else None
        if now_ms - self._taken_ms >= STILL_MS:
            return STILL
        if now_ms - self.last_ms >= STILL_MS:
            return UNLIT
        if self._covered_ms >= COVERED_MS:
            return COVERED
        return SLOW if self._slow_ms is not None and now_ms - self._slow_ms >= STILL_MS else ""

    def _is_slow(self) -> bool:
        """Whether frames come so slowly that a card may pass between two of them.

        That counts only if the camera is set to a faster rate.
        """
        quickest_ms = self._lip.card_mm[0] / FASTEST
        return bool(self._set_ms) and self.period_ms > max(_SLOWER * self._set_ms, quickest_ms)

    def _may_be_one(self, view: View) -> bool:
        """Whether the paper in the gate, as far as it is in sight, may be a single card."""
        length, card = view.length_px, self._lip.card_px
        cut = view.tail_cut or view.lead_cut
        return (cut or length >= card * SHORTEST) and length <= card * LONGEST

    def _cannot_be_gone(self, t_ms: float, view: View) -> bool:
        """Whether paper was in sight that cannot have been moved out of sight so quickly."""
        last, lip = self.last, self._lip
        if last is None or last.empty or not view.empty:
            return False
        ways = []  # px to the end of the frame, for each piece of paper
        if last.blocked:
            ways.append(min(lip.width_px - last.tail_px, last.lead_px))
        else:
            for px in (last.ahead_px, last.behind_px):
                ways += [] if px == float("inf") else [lip.gate_px - px]
        return max(ways) / lip.px_per_mm / FASTEST > t_ms - self.last_ms
