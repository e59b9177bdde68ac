"""What the pictures leave unseen: gaps in their time, and dark ones. Knows views, times and a lip.

A strobe that misses and a lamp at 100 Hz give pictures without paper where a card is: what cannot
have gone so fast is not gone, and such a picture is no picture. From the last one that shows the
lip to the next there is then a gap, as if none had been taken.
"""

from __future__ import annotations

from collections import deque
from statistics import median
from typing import Final

from vision.gate import View
from vision.judging import LONGEST
from vision.lip import Lip
from vision.verdict import SHORTEST

#: Millimetres per millisecond: no card is drawn faster.
FASTEST: Final = 2.0
#: So many periods from picture to picture are a gap; jitter is forgiven.
_GAP_PERIODS: Final = 2.9
#: A slower pace than this, of what was set, that lets a card pass between two pictures is told.
_SLOWER: Final = 1.5
#: Millimetres per millisecond, of most cards: what takes longer than one of these is a gap.
_USUAL: Final = 1.0
_MEASURED: Final = 31  # intervals that tell the true rate
_BUFFERED: Final = 4  # pictures that wait in the kernel for whoever is late (`vision.v4l2`)
_FEWEST: Final = 5  # before it is known, nothing is a gap
#: Without a picture for so long, the camera stands still; one that is being opened, for so long.
STILL_MS: Final = 1000.0
OPENING_MS: Final = 5000.0
#: What is no single card lies in the gate for so long together before that is clear again.
COVERED_MS: Final = 3000.0

GAP: Final = "no picture was taken for a moment"
DARK: Final = "the pictures were dark for a moment: look at the strobe"
DROPPED: Final = "pictures came faster than they could be read"
STILL: Final = "no picture has come for a second"
SLOW: Final = "pictures come so seldom that a card may pass between two of them"
UNLIT: Final = "the pictures are dark: look at the light in the lip"
COVERED: Final = "what lies in the gate is no single card, or the light blinds the camera"


class Timeline:
    """Feed it every view in order; `last` is the last one that showed the lip, at `last_ms`.

    Args:
        lip: sizes in the picture.
        fps: what the camera was set to, 0 where that is not known: the slower of this and of
            what is measured is the true rate.
    """

    def __init__(self, lip: Lip, fps: float = 0.0) -> None:
        self._lip, self._set_ms = lip, 1000 / fps if fps else 0.0
        self._slow_ms: float | None = None  # since when pictures come too seldom
        self._steps: deque[float] = deque(maxlen=_MEASURED)
        self._taken_ms: float | None = None  # the last picture, dark or not
        self._asked_ms: float | None = None  # for the first time whether it stands still
        self._dark = False
        self._covered_ms = 0.0  # so long, since the gate was clear, was there what is no one card
        self._clear_ms = float("-inf")  # the last picture of a clear gate
        self._late_ms: float | None = None  # by how much pictures come late, until that is made up
        #: Since when nobody saw the lip, as of the last gap.
        self.unseen_ms = float("-inf")
        self.last: View | None = None
        self.last_ms = float("-inf")

    @property
    def gap_ms(self) -> float:
        """So long from picture to picture is a gap, however usual with a camera of a set rate."""
        most_ms = max(_GAP_PERIODS * self._set_ms, self._lip.card_mm[0] / _USUAL)
        measured_ms = _GAP_PERIODS * self.period_ms
        return min(measured_ms, most_ms) if self._set_ms else measured_ms

    @property
    def period_ms(self) -> float:
        """From picture to picture as it truly is; infinite before that is known."""
        known = len(self._steps) >= _FEWEST or self._set_ms
        return max(self._set_ms, median(self._steps or (0.0,))) if known else float("inf")

    def gap(self, t_ms: float, view: View, *, arrived: bool = False) -> str | None:
        """Why nobody saw the lip just before this view; empty where somebody did, None if dark.

        What was covered for long was not seen either, and that is told when the gate is clear.
        """
        why = self._gap(t_ms, view, arrived=arrived)
        if why is None or view.blocked or self._covered_ms < COVERED_MS:
            return why
        self.unseen_ms = self._clear_ms
        return COVERED

    def _gap(self, t_ms: float, view: View, *, arrived: bool) -> str | None:
        """The same, of the pictures' times and of darkness.

        Of pictures whose time is that of their coming, those that were late come at once after it,
        out of the kernel's buffers; only what is not made up so was lost.
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
        """Whether pictures were lost, and not just late, before the one that came now."""
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
        """This view shows the lip; `shown`: a hand is there, as light as paper, with a card."""
        if not view.blocked:
            self._covered_ms, self._clear_ms = 0.0, t_ms
        elif self.last and not shown and not self._may_be_one(view):
            self._covered_ms += t_ms - self.last_ms
        self.last, self.last_ms = view, t_ms

    def still(self, now_ms: float) -> str | None:
        """Why no picture shows the lip of late; empty where one does, None before the first."""
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
        """Whether a card may pass between two pictures, of a camera that was set to more."""
        quickest_ms = self._lip.card_mm[0] / FASTEST
        return bool(self._set_ms) and self.period_ms > max(_SLOWER * self._set_ms, quickest_ms)

    def _may_be_one(self, view: View) -> bool:
        """Whether this much paper in the gate may be one card, as far as it is in sight."""
        length, card = view.length_px, self._lip.card_px
        cut = view.tail_cut or view.lead_cut
        return (cut or length >= card * SHORTEST) and length <= card * LONGEST

    def _cannot_be_gone(self, t_ms: float, view: View) -> bool:
        """Whether paper was in sight that nobody draws out of it, or pushes, so fast."""
        last, lip = self.last, self._lip
        if last is None or last.empty or not view.empty:
            return False
        ways = []  # px to the end of the picture, of each paper
        if last.blocked:
            ways.append(min(lip.width_px - last.tail_px, last.lead_px))
        else:
            for px in (last.ahead_px, last.behind_px):
                ways += [] if px == float("inf") else [lip.gate_px - px]
        return max(ways) / lip.px_per_mm / FASTEST > t_ms - self.last_ms
