"""The serial barcode module (GM65 class) in the lip: lines of text, each a code that was read.

The module knows lines and noise. It must not know which codes belong to the table: the manifest
knows that. The hardware is configured (by its own setup barcodes) for 9600 baud, and to end each
code with CR, LF or both.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NoReturn

from firmware_bridge.serial_line import BACK_OFF_S, OpenLine, keep_open
from firmware_bridge.trouble import Trouble

BAUD: Final = 9600

#: Characters of an alphanumeric QR code, which Code 128 can encode too.
_ALPHABET: Final = frozenset(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:")
_LONGEST: Final = 64  # our tokens are far shorter, and endless noise must not fill the memory

#: The bytes of a code are 1 ms apart. After a longer pause in mid-code the rest was lost, and the
#: next bytes must not be appended.
_GAP_S: Final = 0.1

#: The module reads a card that stays in front of it again and again. After a pause of this length
#: an equal line counts as new, since a card was pushed back and drawn again.
_AGAIN_S: Final = 0.5


@dataclass(frozen=True, slots=True)
class BarcodeRead:
    """A code that the module read, at `at_s` by the clock that was passed in."""

    text: str
    at_s: float


@dataclass(frozen=True, slots=True)
class ModuleConnected:
    """The port of the barcode module is open."""


@dataclass(frozen=True, slots=True)
class ModuleLost:
    """The module's port is gone, for the reason `why`, a sentence.

    The host tries again and again to open the port.
    """

    why: str


ModuleNews = BarcodeRead | ModuleConnected | ModuleLost


class BarcodeLines:
    """Takes bytes and the time, and gives codes. Damaged lines are dropped, not mended.

    A line is damaged if it stops in the middle, or has a byte that no code can contain.
    """

    def __init__(self) -> None:
        self._line = bytearray()
        self._last = ("", float("-inf"))
        self._byte_at = float("-inf")

    def feed(self, data: bytes, now: float) -> list[BarcodeRead]:
        """Take bytes that arrived at `now` (seconds, from any monotonic origin).

        Return the codes.
        """
        if now - self._byte_at > _GAP_S:
            self._line.clear()
        if data:
            self._byte_at = now
        *ended, rest = data.replace(b"\r", b"\n").split(b"\n")
        reads = []
        for part in ended:
            self._line += part
            text = self._take()
            if text and self._is_news(text, now):
                reads.append(BarcodeRead(text, now))
        self._line += rest
        if len(self._line) > _LONGEST:
            del self._line[_LONGEST + 1 :]  # the line stays too long for `_take`, but does not grow
        return reads

    def _take(self) -> str:
        line = bytes(self._line)
        self._line.clear()
        if len(line) > _LONGEST or not _ALPHABET.issuperset(line):
            return ""
        return line.decode("ascii")

    def _is_news(self, text: str, now: float) -> bool:
        last, at = self._last
        self._last = (text, now)
        return text != last or now - at >= _AGAIN_S


class BarcodeModule:
    """The module on its port. `run` serves it until cancelled, and calls `tell` with all news."""

    def __init__(
        self,
        port: str,
        tell: Callable[[ModuleNews], None],
        *,
        clock: Callable[[], float] = time.monotonic,
        back_off_s: tuple[float, ...] = BACK_OFF_S,
    ) -> None:
        self._port, self._tell, self._clock, self._back_off_s = port, tell, clock, back_off_s
        self._lines = BarcodeLines()
        self._opened = self._told_lost = False
        #: The reason why the module cannot be heard; empty if it can.
        self.why: str = Trouble("{path} is not open yet", path=port)

    async def run(self) -> None:
        """Serve the module until cancelled, reopening its port whenever it is lost."""
        await keep_open(
            self._port,
            BAUD,
            self._serve,
            self._lose,
            worked=self._worked,
            back_off_s=self._back_off_s,
        )

    async def _serve(self, line: OpenLine) -> NoReturn:
        self._lines, self._opened, self.why = BarcodeLines(), True, ""
        self._told_lost = False
        self._tell(ModuleConnected())
        while True:
            for read in self._lines.feed(line.read(), self._clock()):
                self._tell(read)
            await line.rest(60.0)

    def _worked(self) -> bool:
        worked, self._opened = self._opened, False
        return worked

    def _lose(self, why: str) -> None:
        self.why = why
        if not self._told_lost:
            self._told_lost = True
            self._tell(ModuleLost(why))
