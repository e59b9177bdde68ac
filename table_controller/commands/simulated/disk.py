"""A disk's twin under a journal, in simulated time. It stalls, or loses power during a commit.

After a power cut, each sector that was not flushed has its old bytes or its new bytes, by chance,
as on a real disk. The bytes of earlier commits are all there. The module knows SQLite's files by
their names, but no row.
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Final, TypeVar

from table_controller.service.errors import JournalError
from table_controller.service.writer_thread import Pen

T = TypeVar("T")

_SECTOR: Final = 512
_NAMES: Final = ("", "-wal")
_GONE: Final = "the power is gone"


class Disk(Pen):
    """Writes the journal of one life (see `SimulatedEvening`) immediately, or after a stall.

    `cut` is set once the power is cut.
    """

    def __init__(self, journal: Path, luck: random.Random) -> None:
        super().__init__(aside=False)
        self.journal, self._luck = journal, luck
        self.cut = asyncio.Event()
        self.stalls = 0
        self._cutting = False
        self._waiting: deque[Callable[[], None]] = deque()
        self._lost: list[Future[Any]] = []
        self._left: dict[str, bytes] = {}  # the bytes that a cut leaves, by file

    def start(self, work: Callable[[], T]) -> Future[T]:
        """Do the work now; during a stall, do it after the stall; after a power cut, never."""
        if self.cut.is_set():
            return self._never(JournalError(_GONE))
        if self._cutting and self._torn(work):
            lost: Future[T] = Future()
            self._lost.append(lost)
            self.cut.set()
            return lost
        if not self.stalls:
            return super().start(work)
        done: Future[T] = Future()
        self._waiting.append(lambda: self._write(work, done))
        return done

    def _write(self, work: Callable[[], T], done: Future[T]) -> None:
        written = super().start(work)
        error = written.exception()
        if error:
            done.set_exception(error)
        else:
            done.set_result(written.result())

    async def stall(self, seconds: float) -> None:
        """Finish no write for this many seconds."""
        self.stalls += 1
        await asyncio.sleep(seconds)
        self.stalls -= 1
        while self._waiting and not self.stalls:
            self._waiting.popleft()()

    def cut_power(self) -> None:
        """Cut the power during the next commit."""
        self._cutting = True

    def _torn(self, work: Callable[[], object]) -> bool:
        """Do the work, and note the bytes that the disk may contain if it never flushed them.

        Return False if the work flushed the disk itself.
        """
        before = self._files()
        super().start(work)
        after = self._files()
        if after[""] != before[""] or after == before:
            return False  # the log was moved into the file, with flushes of its own
        self._left = {name: _mixed(before[name], after[name], self._luck) for name in (*_NAMES,)}
        return True

    def _files(self) -> dict[str, bytes]:
        return {name: _read(self.journal.with_name(self.journal.name + name)) for name in _NAMES}

    def put_in(self, journal: Path) -> None:
        """Write the files that the power cut left on disk, as the files of `journal`."""
        for name, data in self._left.items():
            file = journal.with_name(journal.name + name)
            file.touch(mode=0o600)
            file.write_bytes(data)

    def die(self) -> None:
        """Let the writes that the power cut interrupted fail."""
        for lost in self._lost:
            if not lost.done():
                lost.set_exception(JournalError(_GONE))

    @staticmethod
    def _never(error: JournalError) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_exception(error)
        return done


def _read(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _mixed(before: bytes, after: bytes, luck: random.Random) -> bytes:
    """Return, by chance, `before`, `after`, or a mix of sectors from both."""
    kind = luck.randrange(3)
    if kind < 2:
        return (before, after)[kind]
    mixed = bytearray(before)
    for at in range(0, len(after), _SECTOR):
        if luck.randrange(2):
            continue
        mixed.extend(bytes(max(0, at - len(mixed))))
        mixed[at : at + _SECTOR] = after[at : at + _SECTOR]
    return bytes(mixed)
