"""A table's tapes: inputs, and on request frames and serial bytes, are written to a file.

A separate thread writes. It reads the inputs from the journal, which has them anyway. Everything
else that is recorded waits in a limited queue. Items for which the queue has no room are counted,
and the table never waits. The module is part of the wiring, as app.py is. The module knows the
journal and tapes, but no camera and no port.

A tape ends when a Schlitten is closed, or when the tape is long. The next tape begins with the
state saved last and all inputs since. So each tape can be played by itself. The oldest tapes are
deleted if the tapes' share of the disk is used up.
"""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from msgspec import Raw, to_builtins

from firmware_bridge.messages import Lamp
from firmware_bridge.trouble import Trouble
from table_controller.rules.houses import House
from table_controller.service.archive import Archive
from table_controller.service.errors import ServiceError
from table_controller.service.sealing import Keys
from table_controller.service.tape import TapeWriter, head
from table_controller.wiring.config import Config, ShoeSettings

#: The interval at which gathered records are written and flushed, in seconds.
TICK_S: Final = 0.25
#: The most bytes that may wait for the disk: at 60 frames a second, three seconds of a card in
#: the lip.
MOST_WAITING: Final = 64 << 20
#: A tape gets at most one part in this many of the disk's share. Then the next tape begins.
SHARE: Final = 4
#: Seconds until a tape that could not be written is tried again.
AGAIN_S: Final = 10.0
#: The niceness of the writing thread, above the table's.
_NICE: Final = 5
#: At most this many small items are one record.
_MANY: Final = 2000
_MIB: Final = 1 << 20


@dataclass(frozen=True, kw_only=True)
class TapePlan:
    """Where a table's tapes are, and how they describe the table.

    Attributes:
        folder: the tapes' folder. If it is missing, it is made with mode 0700.
        budget_mib: the most space that all tapes in the folder may take.
        begins: whether recording begins when the table begins.
        about: the house, the lamps and the reader's settings, as plain JSON.
    """

    folder: Path
    budget_mib: int = 4096
    begins: bool = False
    about: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TapeStatus:
    """The state of recording, for the staff.

    Attributes:
        on: whether inputs are recorded; full: whether frames and serial bytes are recorded, too.
        by: the person who switched `full` last, "" if nobody did.
        path, size: the tape that is being written, and its length in bytes.
        lost: the number of frames and other items for which the queue had no room, by kind, since
            the table began.
        trouble: the reason why the tape cannot be written, or "".
    """

    on: bool
    full: bool
    by: str
    path: str
    size: int
    lost: dict[str, int]
    trouble: str


def folder(settings: Config) -> Path:
    """Return the folder of a table's tapes: the one in its settings, or one next to its journal."""
    journal = settings.journal.path
    return settings.tape.folder or journal.with_name(f"{journal.stem}-tapes")


def about(house: House, lamps: Mapping[str, Lamp], shoe: ShoeSettings) -> dict[str, Any]:
    """Return the description of a table for its tapes, as plain JSON."""
    words = {word: (lamp.mode, lamp.colour) for word, lamp in lamps.items()}
    return {
        "house": to_builtins(house),
        "lamps": words,
        "shoe": to_builtins(shoe, enc_hook=str),
    }


class Tapes:
    """Writes the tapes of one table. Every method may be called from any thread.

    The writing thread calls `told` with any trouble, and with "" once it is over.
    """

    def __init__(
        self,
        plan: TapePlan,
        journal: Path,
        keys: Keys,
        clock: Callable[[], int],
        told: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._plan, self._journal, self._keys = plan, journal, keys
        self._clock, self._told = clock, told
        #: Whether inputs are recorded; and whether frames and serial bytes are, too.
        self.on, self.full = plan.begins, False
        self._by = self._trouble = self._used_up = ""
        self._lock = threading.Lock()
        self._waiting: list[list[Any] | bytes] = []
        self._held = 0
        self._lost, self._untold = Counter[str](), Counter[str]()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="tapes", daemon=True)
        self._archive: Archive | None = None
        self._writer: TapeWriter | None = None
        self._last = 0  # number of the last input on this tape
        self._over = False  # the Schlitten was closed, and the next tape begins
        self._idle_until = 0.0

    # The functions that the table calls: nothing here waits for the disk.

    def start(self) -> None:
        """Start the writing thread. Returns immediately."""
        self._thread.start()

    def stop(self) -> None:
        """Write the waiting records, and end the tape."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
        else:
            self._finish()

    def switch(self, *, on: bool, full: bool, by: str) -> None:
        """Begin or end recording. `full` adds frames and serial bytes; `by` is who decided."""
        self.on, full = on, on and full
        if full is self.full:
            return
        self._by, self._used_up = by, ""
        self.full = True  # the switch is recorded either way
        self.item("switch", self._clock(), by, full)
        self.full = full

    def status(self) -> TapeStatus:
        """Return the present state of recording."""
        writer = self._writer
        return TapeStatus(
            self.on, self.full, self._by, str(writer.path if writer else ""),
            writer.size if writer else 0, dict(self._lost), self._trouble,
        )  # fmt: skip

    def item(self, kind: str, *values: Any) -> None:
        """Record a small item, if frames and serial bytes are recorded."""
        if self.full:
            size = sum(len(one) for one in values if isinstance(one, str))
            self._put(kind, [kind, *values], 64 + size)

    def frame(self, frame: bytes) -> None:
        """Record a frame, if frames are recorded."""
        if self.full:
            self._put("pictures", frame, len(frame))

    def overheard(self, out: bool, data: bytes) -> None:
        """Record bytes on the board's line. `out` says whether they go to the board."""
        self.item("bytes", self._clock(), out, data.hex())

    def _put(self, kind: str, item: list[Any] | bytes, size: int) -> None:
        with self._lock:
            if self._held + size > MOST_WAITING:
                self._lost[kind] += 1
                self._untold[kind] += 1
                return
            self._waiting.append(item)
            self._held += size

    # The writing thread.

    def _run(self) -> None:
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
        while not self._stop.wait(TICK_S):
            self.turn()
        self._finish()

    def _finish(self) -> None:
        self.turn()
        self._end()
        if self._archive:
            self._archive.close()
            self._archive = None

    def turn(self) -> None:
        """Write the records that were added since the last turn.

        If writing fails, the fault is reported, and writing is tried again later.
        """
        if time.monotonic() < self._idle_until:
            return
        with self._lock:
            waiting, self._waiting, self._held = self._waiting, [], 0
            untold, self._untold = self._untold, Counter()
        if not self.on:
            self._end()
            return
        try:
            while self._write(waiting, untold):  # a Schlitten was closed, and others perhaps
                waiting, untold = [], Counter()
        except (OSError, ServiceError) as error:
            self._end()
            self._idle_until = time.monotonic() + AGAIN_S
            why = error.strerror if isinstance(error, OSError) else str(error)
            self._say(
                Trouble(
                    "The tape in {folder} cannot be written: {error}. Look at the disk; the "
                    "journal has all that is said, pictures and bytes are lost until then.",
                    folder=str(self._plan.folder),
                    error=str(why),
                )
            )
        else:
            self._say(self._used_up)

    def _write(self, waiting: list[Any], untold: Counter[str]) -> bool:
        """Write all these records, and the inputs from the journal.

        `untold` counts lost items by kind. Return whether one of the inputs closed a Schlitten.
        """
        items = self._begin() if self._writer is None else []
        items += self._inputs()
        items += (["lost", self._clock(), kind, count] for kind, count in untold.items())
        writer = self._writer
        assert writer
        frames = sum(len(one) for one in waiting if isinstance(one, bytes))
        self._make_room(writer.path, writer.size + frames)
        _put_down(writer, [*items, *waiting])
        if items or waiting:
            writer.flush()
        over = self._over
        if over or writer.size > self._budget // SHARE:
            self._end()
        return over

    def _begin(self) -> list[Any]:
        """Begin a new tape. Return its first records."""
        if self._archive is None:
            self._archive = Archive.read(self._journal, self._keys)
        archive, plan = self._archive, self._plan
        plan.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        kept = archive.header
        first = head(
            code=version("schlitten"), game=kept.game, house=kept.house, journal=kept.journal,
            key=self._keys.check, began_ms=self._clock(),
        )  # fmt: skip
        self._writer = TapeWriter(_fresh(plan.folder, first.began_ms), first, self._keys)
        since, saved = archive.last_save() or (0, b"")
        self._last, self._over = since, False
        return [["about", plan.about], ["state", since, Raw(saved) if saved else None]]

    def _inputs(self) -> list[Any]:
        """Return the inputs since the last turn and their events, from the journal."""
        assert self._archive
        items: list[Any] = []
        for row, events in self._archive.turns(self._last):
            items.append(["input", row.t_ms, Raw(self._archive.body(row))])
            told = (one for one in events if one.body is not None)
            items += (["event", one.t_ms, Raw(one.body)] for one in told if one.body)
            self._last = row.n
            if row.save is not None:
                self._over = True
                break
        return items

    def _make_room(self, own: Path, size: int) -> None:
        """Delete the oldest tapes until there is room.

        If this tape alone is too long, record only inputs.
        """
        others = sorted(path for path in self._plan.folder.glob("*.tape") if path != own)
        left = self._budget - size - sum(path.stat().st_size for path in others)
        for path in others:
            if left >= 0:
                return
            left += path.stat().st_size
            path.unlink()
        if left < 0 and self.full:
            self.switch(on=True, full=False, by="tapes")
            self._used_up = Trouble(
                "The tapes in {folder} have used up their {mib} MiB: pictures and bytes are no "
                "longer recorded, inputs are. Move tapes away, or raise [tape] budget_mib.",
                folder=str(self._plan.folder),
                mib=self._plan.budget_mib,
            )

    @property
    def _budget(self) -> int:
        return self._plan.budget_mib * _MIB

    def _end(self) -> None:
        if self._writer:
            with suppress(OSError):
                self._writer.close()
            self._writer = None

    def _say(self, trouble: str) -> None:
        if trouble != self._trouble:
            self._trouble = trouble
            self._told(trouble)


def _put_down(writer: TapeWriter, heard: list[list[Any] | bytes]) -> None:
    """Add these records in order: if the write is cut off, the records before the cut are there."""
    for is_frame, run in groupby(heard, lambda one: isinstance(one, bytes)):
        some: list[Any] = list(run)
        if is_frame:
            for frame in some:
                writer.frame(frame)
        else:
            for at in range(0, len(some), _MANY):
                writer.items(some[at : at + _MANY])


def _fresh(folder: Path, now_ms: int) -> Path:
    """Return a path for a new tape. The names sort by time."""
    day = time.strftime("%Y%m%d-%H%M%S", time.gmtime(now_ms / 1000))
    number = 0
    while (path := folder / f"{day}-{number:03}.tape").exists():
        number += 1
    return path
