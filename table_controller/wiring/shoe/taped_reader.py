"""Writes everything that a lip's reader gets onto a tape, and plays a tape to a reader again.

The module is part of the wiring. The verdicts are recorded, and all facts on which they depend:
frames, the beam's edges, the barcode module's lines, and the table's requests. Once no paper was in
sight for 300 ms, frames show only the empty lip. One such frame is recorded in every 500 ms. Of the
other frames only the time is recorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from table_controller.engine.seen import Seen
from table_controller.wiring.shoe.taping import Tapes
from vision.frame import Frame, packed, unpacked
from vision.reader import Reader, Sight
from vision.witness import Quality

#: Frames are kept for so long after paper was last in sight, whatever is printed on it.
HOLD_MS: Final = 300.0
#: One frame of the empty lip is kept in this many milliseconds.
EMPTY_MS: Final = 500.0
#: Verdicts are compared from so long after the first frame, as one card may have been half out.
SETTLED_MS: Final = 1000.0
#: A verdict this shortly before the last frame may not have been written when the tape was cut
#: off.
CUT_MS: Final = 300.0


class TapedReader(Reader):
    """A lip's reader that writes its frames, and all other reports to it, to the table's tape."""

    def __init__(self, frames: Iterable[Frame], sight: Sight, tapes: Tapes, **hears: Any) -> None:
        super().__init__(frames, sight, **hears)
        self._tapes, self._asks = tapes, False
        self._paper_ms = self._empty_ms = float("-inf")
        self._taped = False  # whether frames were recorded at the last one
        tapes.item("reader")

    def watch(self, frame: Frame) -> bool:
        worth = super().watch(frame)
        if self._tapes.full:
            self._keep(frame)
        self._taped = self._tapes.full
        return worth

    def _keep(self, frame: Frame) -> None:
        picture, view, t_ms = frame.picture, self.latest, frame.t_ms
        if not self._taped:
            self._tapes.item("asks", self._asks)
        if picture is None or view is None:
            return self._tapes.item("fault", t_ms, str(frame.fault))
        if not view.empty or view.dark:
            self._paper_ms = t_ms
        due = not self._taped or t_ms - self._empty_ms >= EMPTY_MS
        if t_ms - self._paper_ms >= HOLD_MS and not due:
            return self._tapes.item("empty", t_ms, frame.arrived)
        if view.empty:
            self._empty_ms = t_ms
        self._tapes.frame(packed(frame))
        return None

    def edge(self, t_ms: float, *, blocked: bool) -> None:
        self._tapes.item("edge", t_ms, blocked)
        super().edge(t_ms, blocked=blocked)

    def beam_away(self, fault: str) -> None:
        self._tapes.item("away", str(fault))
        super().beam_away(fault)

    def beam_back(self) -> None:
        self._tapes.item("back")
        super().beam_back()

    def line(self, t_ms: float, text: str) -> None:
        self._tapes.item("line", t_ms, text)
        super().line(t_ms, text)

    def ask_again(self, asked: bool) -> None:
        if asked is not self._asks:
            self._asks = asked
            self._tapes.item("asks", asked)
        super().ask_again(asked)

    def unseen(self, why: str) -> None:
        self._tapes.item("unseen", str(why))
        super().unseen(why)

    def dropped(self, *, overrun: bool = False) -> None:
        if overrun:
            self._tapes.item("dropped")
        super().dropped(overrun=overrun)

    def take_quality(self) -> Quality:
        self._tapes.item("counted")
        return super().take_quality()

    def due(self, now_ms: float) -> list[tuple[int, Seen]]:
        return self._given(super().due(now_ms))

    def end(self) -> list[tuple[int, Seen]]:
        return self._given(super().end())

    def _given(self, verdicts: list[tuple[int, Seen]]) -> list[tuple[int, Seen]]:
        for due_ms, seen in verdicts:
            self._tapes.item("verdict", due_ms, msgspec.to_builtins(seen))
        return verdicts


class FilmedAgain:
    """A tape's recording of the lip, played to a reader of today's program.

    Attributes:
        then, now: the verdicts with their times, as recorded then and as given today.
        pictures: the number of frames on the tape.
    """

    def __init__(self, sight: Sight) -> None:
        self._sight = sight
        self._reader = Reader((), sight)
        self._empty: Frame | None = None
        self._began_ms, self._last_ms = float("inf"), float("-inf")
        self.pictures = 0
        self.then: list[tuple[int, Seen]] = []
        self.now: list[tuple[int, Seen]] = []

    def play(self, lines: Iterator[list[Any] | bytes]) -> None:
        """Give the reader all frames and reports, in the order in which they were recorded."""
        for line in lines:
            if isinstance(line, bytes):
                self.pictures += 1
                self._see(unpacked(line))
            else:
                self._hear(line)
        if len(self.now) < len(self.then):  # it was recorded to the end of the frames
            self.now += self._reader.end()

    def compared(self) -> tuple[list[tuple[int, Seen]], list[tuple[int, Seen]]]:
        """Return the recorded verdicts and today's.

        Verdicts on passages that are only partly on the tape are left out.
        """
        since = self._began_ms + SETTLED_MS
        then, now = ([one for one in told if one[0] > since] for told in (self.then, self.now))
        untold = [due_ms for due_ms, _ in now[len(then) :]]
        if untold and min(untold) > self._last_ms - CUT_MS:
            now = now[: len(then)]
        return then, now

    def _see(self, frame: Frame) -> None:
        reader = self._reader
        self._began_ms = min(self._began_ms, frame.t_ms)
        self._last_ms = frame.t_ms
        if reader.watch(frame):
            reader.decode(frame)
        elif reader.latest and reader.latest.empty:
            self._empty = frame
        self.now += reader.due(frame.t_ms)

    def _hear(self, line: list[Any]) -> None:
        reader = self._reader
        match line:
            case ["empty", t_ms, arrived, *_] if self._empty:
                self._see(Frame(t_ms, self._empty.picture, arrived=arrived))
            case ["fault", t_ms, why, *_]:
                self._see(Frame(t_ms, None, why))
            case ["edge", t_ms, blocked, *_]:
                reader.edge(t_ms, blocked=blocked)
            case ["away", why, *_]:
                reader.beam_away(why)
            case ["back", *_]:
                reader.beam_back()
            case ["line", t_ms, text, *_]:
                reader.line(t_ms, text)
            case ["asks", asked, *_]:
                reader.ask_again(asked)
            case ["unseen", why, *_]:
                reader.unseen(why)
            case ["dropped", *_]:
                reader.dropped(overrun=True)
            case ["counted", *_]:
                reader.take_quality()
            case ["reader", *_] | ["switch", _, _, True, *_]:
                self.now += reader.end()
                self._reader = Reader((), self._sight)
            case ["verdict", due_ms, seen, *_]:
                self.then.append((due_ms, msgspec.convert(seen, Seen)))
