"""Turns views, beam edges and readings into verdicts, one for each passage.

The module knows no image, camera, thread or clock. It takes times and readings in whatever order
the threads bring them. A verdict comes a fixed delay after its passage closed, so that its time
reveals neither how hard the card was to read nor whether it was read. A reading that arrives after
its passage's verdict changes nothing, and does not count as a second card.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import NamedTuple

from table_controller.engine.seen import Seen
from vision.beam import Beam
from vision.beside import BesideWatch
from vision.gate import View
from vision.judging import Judge
from vision.lines import Lines
from vision.lip import SHIPPED, Lip
from vision.manifest import Lookup
from vision.paper import PaperWatch
from vision.timeline import DARK, GAP, Timeline
from vision.verdict import Passage
from vision.witness import Quality, Reading, in_two_places

DELAY_MS = 80.0  # by then the slowest decoder has ended, and a serial module's line has arrived
_SKEW_MS = 10.0  # beam and camera have different clocks, and exposure takes time
_CLEAR_MM = 3.0  # a tail nearer to the gate may tremble back into it
_HOLD_MS = 300.0  # nothing is in sight, but nobody saw the card leave, so it may reappear
_PLENTY = 16  # frames read suffice; a card at a metre a second has six or seven
_NOW_AND_THEN_MS = 50.0


class Decided(NamedTuple):
    """A verdict, and the time when it is due, in ms."""

    due_ms: float
    seen: Seen


class Passages:
    """Takes views, beam edges and readings, and gives the verdicts that are due.

    Args:
        lookup: gives the meaning of a code's text; None if cards have no labels, only faces.
        lip: the lip's sizes in the frame.
        beam: whether there is an exit beam, which opens and closes passages as long as it can be
            trusted (`vision.beam`). Otherwise the paper that the frames show in the gate does so.
        delay_ms: the time from a passage's close to its verdict.
        fps: the camera's set rate in frames a second, 0 if unknown.
    """

    def __init__(
        self,
        lookup: Callable[[str], Lookup] | None,
        lip: Lip = SHIPPED,
        *,
        beam: bool = False,
        delay_ms: float = DELAY_MS,
        fps: float = 0.0,
    ) -> None:
        self._lookup, self._lip = lookup, lip
        self._beam, self._delay_ms = Beam() if beam else None, delay_ms
        self._by_beam = beam  # at present; without a beam, or while it fails, frames decide
        self._open: Passage | None = None
        self._waiting: deque[Passage] = deque()  # closed passages whose verdicts are not yet due
        self._decided: deque[Passage] = deque(maxlen=4)
        self._lines = Lines(lookup)
        self._time, self._judge = Timeline(lip, fps), Judge(lip, labels=lookup is not None)
        self._beside, self._paper = BesideWatch(lip), PaperWatch(lip, self._time)
        self._clear_ms: float | None = None  # since when an open passage has had nothing in sight
        self._told = False  # whether the paper in the gate is a card whose verdict was given
        self._doubt = False  # whether something may have passed unseen before the next passage
        self._unseen = ""
        self.quality = Quality()
        #: Whether the table asked for the card to be shown to the lip again, by hand. Then only the
        #: reading counts, not which way the card moves or how much paper is in sight.
        self.again = False

    @property
    def in_gate(self) -> bool:
        """Whether something is in the gate now and its passage has had no verdict yet."""
        return self._open is not None

    @property
    def next_due_ms(self) -> float | None:
        """The time (ms) when the next verdict is due; None if no passage awaits one."""
        return self._due(self._waiting[0]) if self._waiting else None

    def take_quality(self) -> Quality:
        """Return the figures since the last call, and begin anew.

        Called when a Schlitten is closed.
        """
        self._judge.forget()
        taken, self.quality = self.quality, Quality()
        return taken

    # -- the opening and closing of a passage

    @property
    def beam_fault(self) -> str:
        """The reason why the exit beam is not trusted at present; empty if it is trusted."""
        return self._beam.fault if self._beam else ""

    def beam_away(self, fault: str) -> None:
        """Note that no reports come from the exit beam, for the reason `fault`.

        The frames open and close passages, until the beam reports again and sees a card.
        """
        if self._beam:
            self._beam.away(fault)
            self._by_beam = False

    def beam_back(self) -> None:
        """Note that the beam's reports come again. The frames decide until the beam sees a card."""
        if self._beam:
            self._beam.back()

    def edge(self, t_ms: float, *, blocked: bool) -> None:
        """Note that the exit beam was interrupted (`blocked`) at `t_ms`, or became free."""
        if self._beam:
            self._beam.edge(t_ms, blocked=blocked)
            if not self._by_beam:
                return
        if blocked and not self._open:
            self._settle(self._begin(t_ms))
        elif not blocked:
            self._told = False
            left = self._open
            self._close(t_ms)
            if left:
                self._weigh_way(left)

    def view(self, t_ms: float, view: View, *, arrived: bool = False) -> None:
        """Note the view of the frame taken at `t_ms`. Call this for every readable frame, in order.

        `arrived` says that `t_ms` is when the frame arrived, so that the frame may have been taken
        earlier.
        """
        gap = self._time.gap(t_ms, view, arrived=arrived)
        if gap is None:
            return
        self._beside.note(t_ms, view)
        lifted = self.again and gap is DARK  # a hand shows a card, then lifts it away
        if gap and not lifted and not self._proven(self._time.unseen_ms, t_ms):
            self.unseen(gap, since_ms=self._time.unseen_ms)
        if self._told and not self._open and self._paper.too_long(view):
            self._begin(t_ms)  # another card follows the one whose verdict was given
        if self._beam:
            self._compare(self._beam, t_ms, view)
        if self._by_beam:
            self._weigh_edges(self._time.last_ms, t_ms)
        else:
            self._follow(t_ms, view)
            light = self._beam and self._beam.clear(t_ms, float("inf"))  # clear since this frame
            self._by_beam = bool(light and not self._open)
        seen = self._passage_at(t_ms) if view.blocked else None
        if seen:
            self._paper.measure(seen, t_ms, view)
        elif self._waiting and self._time.last and self._time.last.blocked:
            self._waiting[-1].travel.leaves(t_ms, view, self._lip)
        self._time.note(t_ms, view, shown=self.again)

    def unseen(self, why: str, since_ms: float = float("inf")) -> None:
        """Note that nobody saw the lip from `since_ms` until now, for the reason `why`.

        The passages in that time, and an open passage, become unsure. If there is none, the next
        passage becomes unsure.
        """
        self.quality.gaps += 1
        self._unseen = why
        passed = [one for one in self._waiting if (one.closed_ms or 0.0) > since_ms]
        for passage in [*passed, *([self._open] if self._open else [])]:
            passage.blind = True
        self._doubt |= not passed and not self._open

    def take_unseen(self) -> str:
        """Return why cards may have left unseen since the last call; empty if none can have."""
        why, self._unseen = self._unseen, ""
        return why

    def still(self, now_ms: float) -> str | None:
        """The reason why no recent frame shows the lip.

        It is empty if a recent frame shows the lip, and None before the first frame.
        """
        return self._time.still(now_ms)

    def _proven(self, from_ms: float, until_ms: float) -> bool:
        """Whether beam and frames agree that the gate was empty from `from_ms` until `until_ms`."""
        light = self._beam and self._beam.clear(from_ms, until_ms)
        return bool(light and not self._beside.paper(from_ms))

    def _compare(self, beam: Beam, t_ms: float, view: View) -> None:
        """Compare the beam with the view of the frame of `t_ms`.

        If the beam has a fault, the frames decide from now on. A card that the beam missed is then
        unread, and a card whose passage the beam kept open is unsure. If the beam missed something
        but has no fault, the time is reported as unseen. A card may have passed, so somebody has to
        count.
        """
        missed_ms = beam.view(t_ms, paper=view.blocked)
        if not self._by_beam:
            return
        if not beam.fault:
            if missed_ms is not None:
                self.unseen(GAP, since_ms=missed_ms)
            return
        self._by_beam = False
        if missed_ms is not None and not self._open:
            self._begin(missed_ms)
        elif self._open:
            self._open.blind = True
        self._close(t_ms)

    def _follow(self, t_ms: float, view: View) -> None:
        """Open a passage when a frame shows paper in the gate.

        Close it when a frame shows none there.
        """
        if view.blocked:
            self._clear_ms = None
            if not self._open and not self._told:
                self._settle(self._begin(t_ms))
            return
        if self._told:
            self._told = False
            self._doubt |= view.behind_px < view.ahead_px  # pushed back, so it may come again
        if not self._open:
            return
        if view.empty:
            self._vanished(self._open, t_ms)
        elif self._clear_ms is not None:
            self._close(self._clear_ms)  # it left unseen, so the paper in sight now is another card
        elif not self._trembles(view):
            self._open.back = view.behind_px < view.ahead_px
            self._close(t_ms)

    def _vanished(self, passage: Passage, t_ms: float) -> None:
        """Close the passage if the frames stay empty, even though none showed the card leave.

        If only the lamp failed, the card reappears with the light, if it is still there.
        """
        self._clear_ms = t_ms if self._clear_ms is None else self._clear_ms
        last = self._time.last
        if last and (last.ahead_px < float("inf") or t_ms - self._clear_ms >= _HOLD_MS):
            passage.back |= last.behind_px < last.ahead_px
            self._close(self._clear_ms)

    def _trembles(self, view: View) -> bool:
        """Whether the only paper is so near the gate that a trembling hand may move it back in."""
        near, far = sorted((view.ahead_px, view.behind_px))
        return far == float("inf") and near < _CLEAR_MM * self._lip.px_per_mm

    def _settle(self, passage: Passage) -> None:
        """Merge the passage into the former one if only the former card's tail opened it.

        The passage stays separate until a frame from after its opening has arrived.
        """
        former = next((one for one in reversed(self._waiting) if one is not passage), None)
        if not (former or self._decided) or not self._beside.tail(passage.opened_ms):
            return
        self._doubt |= passage.blind
        if passage is self._open:
            self._open, self._told = former, former is None
            if former:
                former.closed_ms = None
        self._waiting = deque(one for one in self._waiting if one not in (passage, self._open))

    def _weigh_edges(self, from_ms: float, until_ms: float) -> None:
        """Find out, by the frames around it, what caused the beam's edge between these times."""
        for passage in self._undecided():
            if from_ms < passage.opened_ms <= until_ms:
                self._settle(passage)
        last = self._waiting[-1] if self._waiting else None
        if last and from_ms < (last.closed_ms or 0.0) <= until_ms:
            self._weigh_way(last)

    def _weigh_way(self, passage: Passage) -> None:
        """Note which way the card went, by the first frame after the beam closed the passage."""
        back = self._beside.back(passage.closed_ms or 0.0)
        passage.back = passage.back if back is None else back

    def _begin(self, t_ms: float) -> Passage:
        self._open = Passage(t_ms, blind=self._doubt, by_beam=self._by_beam)
        self._doubt = False
        self._paper.begin()
        return self._open

    def _close(self, t_ms: float) -> None:
        if self._open:
            self._paper.end(self._open)
            self._open.closed_ms = t_ms
            self._open.by_beam &= self._by_beam
            self._waiting.append(self._open)
            self._open = self._clear_ms = None

    # -- readings

    def wanted(self, t_ms: float) -> bool:
        """Whether reading the frame of `t_ms` is still useful.

        Reading is useless after the verdict. A card that stays in the gate is read only now and
        then.
        """
        passage = self._passage_at(t_ms)
        if passage is None:
            return False
        return len(passage.frames) < _PLENTY or t_ms - max(passage.frames) >= _NOW_AND_THEN_MS

    def read(self, t_ms: float, readings: Iterable[Reading]) -> None:
        """Note the witnesses' readings of the frame of `t_ms`, before or after its view."""
        told = tuple(readings)
        if not told:
            return
        passage = self._passage_at(t_ms)
        if passage is None:
            late = any(passage.holds(t_ms, _SKEW_MS) for passage in self._decided)
            self.quality.late += late
            self.quality.stray += not late
            return
        passage.frames.add(t_ms)
        for reading in told:
            passage.witnesses.add(reading.witness)
            self.quality.reads[reading.witness] += 1
            if reading.card:
                passage.faces[reading.card] += 1
            elif self._lookup:
                passage.found[reading.text] = self._lookup(reading.text)
        passage.twice |= in_two_places(told, self._lip.label_px / 2)

    def line(self, t_ms: float, text: str) -> None:
        """Take a line of the serial barcode module. The line counts when a verdict is due."""
        idle = not self._open and not self._waiting
        self._lines.hear(t_ms, text, self.quality, self._decided if idle else None)

    def _undecided(self) -> list[Passage]:
        """The passages that have no verdict yet, in order."""
        return [*self._waiting, *([self._open] if self._open else [])]

    def _passage_at(self, t_ms: float) -> Passage | None:
        """The passage that the frame of `t_ms` belongs to; None if it has had its verdict.

        A passage that was open at that time is preferred to one that was open shortly before or
        after.
        """
        for skew_ms in (0.0, _SKEW_MS):
            for passage in self._undecided():
                if passage.holds(t_ms, skew_ms):
                    return passage
            if any(passage.holds(t_ms, skew_ms) for passage in self._decided):
                return None
        return None

    # -- verdicts

    def due(self, now_ms: float) -> list[Decided]:
        """The verdicts that are due by `now_ms`, in order. Each verdict is given once."""
        verdicts = []
        while self._waiting and self._due(self._waiting[0]) <= now_ms:
            passage = self._waiting.popleft()
            former = self._decided[-1] if self._decided and not self.again else None
            following = self._waiting[0] if self._waiting else self._open
            self._lines.give(passage, self.quality, former=former, following=following)
            if not (former and self._judge.is_still(passage, former)):  # already reported
                verdicts.append(Decided(self._due(passage), self._weigh(passage)))
            self._decided.append(passage)
        return verdicts

    def end(self) -> list[Decided]:
        """Return the remaining verdicts, after the last frame.

        A card that is then in the gate counts as half out.
        """
        if self._open:
            self._open.back = True
            self._close(self._time.last_ms)
        return self.due(float("inf"))

    def _due(self, passage: Passage) -> float:
        return (passage.closed_ms or 0.0) + self._delay_ms

    def _weigh(self, passage: Passage) -> Seen:
        if self.again:
            self.quality.retries += 1
            seen = self._judge.shown(passage)
        else:
            seen = self._judge.judge(passage)
        self.quality.count(seen, len(passage.frames), len(passage.witnesses))
        return seen
