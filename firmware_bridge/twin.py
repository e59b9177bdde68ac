"""The table board's twin on a PC. It is behind a pty, and keeps the line's rules like the firmware.

The twin is written separately from the host's end and shares none of its code, so that a wrong
parser cannot agree with itself. A test feeds the same bytes to the twin and to the firmware's C
code, and compares the answers. The module must not know the meaning of a lamp. The twin is chosen
by the port name `twin`, never as a fallback.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
import tty
from collections import deque
from dataclasses import dataclass
from functools import lru_cache
from types import TracebackType
from typing import Final, Self

_VERSION: Final = 1
_RETRY_MS, _TRIES, _AWAY_MS, _STATUS_MS = 50, 5, 1000, 1000
_LONGEST: Final = 63  # bytes of a frame without its end
_QUEUE: Final = 16  # reports

_LAMP_MODES: Final = ("off", "on", "blink", "pulse")
_COLOURS: Final = ("", "red", "green", "yellow", "blue", "magenta", "cyan", "white")


@dataclass(frozen=True, slots=True)
class Shown:
    """What a person would see on the board."""

    lamps: tuple[str, ...]  # of 12 seats: "off", "on red", "blink white" …
    display_1: str  # eight characters
    display_2: str
    buzzer: int
    safe: bool  # the board hears nothing from the host, and shows its safe state


SAFE: Final = Shown(("off",) * 12, "-" * 8, "-" * 8, 0, safe=True)


def _crc(data: bytes) -> int:
    """The checksum CRC-16/CCITT-FALSE of `data`, computed bit by bit."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


def _stuff(content: bytes) -> bytes:
    """Make a frame (COBS). Each zero becomes the distance to the next zero.

    Checksum and end follow.
    """
    blocks = (content + bytes([_crc(content) >> 8, _crc(content) & 255])).split(b"\0")
    return b"".join(bytes([len(block) + 1]) + block for block in blocks) + b"\0"


class _Unstuffer:
    """Undoes the byte stuffing, byte by byte. Like the firmware, it has room for 63 bytes only."""

    def __init__(self) -> None:
        self.damaged = 0
        self._restart()

    def _restart(self) -> None:
        self._content = bytearray()
        self._left = self._length = 0  # data bytes until the next code byte; frame bytes so far
        self._bad = False

    def take(self, byte: int) -> bytes | None:
        """Take one byte. Return the checked content if `byte` ends a whole frame, else None."""
        if byte:
            self._grow(byte)
            return None
        content, length, bad = bytes(self._content), self._length, self._bad or self._left > 0
        self._restart()
        if length == 0:
            return None
        if bad or len(content) < 3 or _crc(content[:-2]) != int.from_bytes(content[-2:], "big"):
            self.damaged = self.damaged + 1 & 0xFFFF
            return None
        return content[:-2]

    def _grow(self, byte: int) -> None:
        self._length += 1
        if self._bad or self._length > _LONGEST:
            self._bad = True
        elif self._left:
            self._content.append(byte)
            self._left -= 1
        else:
            if self._length > 1:
                self._content.append(0)
            self._left = byte - 1


class BoardTwin:
    """The board without a port: takes bytes and the time (ms since its start), and gives bytes."""

    def __init__(self, boot_id: int, cause: int = 1, *, pressed: int = 0, active: int = 0) -> None:
        self._boot_id, self._cause = boot_id, cause
        self._unstuffer = _Unstuffer()
        self._session = 0
        self._seen = self._sent = 0  # numbers of the last message in and out
        self._in_flight: bytes | None = None  # tag and fields
        self._reports: deque[bytes] = deque()
        self._tries, self._due_ms = 0, 0
        self._heard_ms, self._away = 0, True
        self._status_ms = 0
        self._serial = self._lost = 0
        self._pressed, self._active = pressed, active  # at the start, for the first status
        self._picture: bytes | None = None
        self._out = bytearray(self._hello(0))

    def _hello(self, session: int) -> bytes:
        word = bytes([2, 0, _VERSION]) + session.to_bytes(4, "little")
        return _stuff(word + self._boot_id.to_bytes(4, "little") + bytes([self._cause, 0]))

    def receive(self, data: bytes, now_ms: int) -> None:
        """Take bytes from the host."""
        for byte in data:
            content = self._unstuffer.take(byte)
            if content is not None:
                self._obey(content, now_ms)

    def _obey(self, content: bytes, now_ms: int) -> None:
        if len(content) < 2:
            self._count_bad()
            return
        tag, number, body = content[0], content[1], content[2:]
        if tag == 1 and len(body) == 5:
            self._begin(body[0], int.from_bytes(body[1:5], "little"), now_ms)
        elif tag == 3 and not body:
            if self._session and self._tries and number == self._sent:
                self._heard_ms = now_ms
                self._in_flight, self._tries = None, 0
        elif (tag == 0x10 and len(body) == 21) or (tag == 0x11 and not body):
            self._follow(tag, number, body, now_ms)
        else:
            self._count_bad()

    def _begin(self, version: int, session: int, now_ms: int) -> None:
        if version != _VERSION or session == 0:
            self._go_dark()
        elif session != self._session:
            self._session, self._away, self._heard_ms = session, False, now_ms
            self._seen = self._sent = self._tries = 0
            self._status_ms = now_ms
        self._out += self._hello(self._session)

    def _follow(self, tag: int, number: int, body: bytes, now_ms: int) -> None:
        if not self._session:
            self._out += self._hello(0)
            return
        if number == self._seen % 255 + 1:
            self._seen = number
            if tag == 0x10:
                self._picture = body
        if number and number == self._seen:
            self._heard_ms = now_ms
            self._out += _stuff(bytes([3, number]))

    def _count_bad(self) -> None:
        self._unstuffer.damaged = self._unstuffer.damaged + 1 & 0xFFFF

    def poll(self, now_ms: int) -> bytes:
        """Return the bytes to write at `now_ms`."""
        if not self._away and now_ms - self._heard_ms >= _AWAY_MS:
            self._go_dark()
        if self._session:
            self._send(now_ms)
        out, self._out = bytes(self._out), bytearray()
        return out

    @property
    def due_ms(self) -> float:
        """The time (ms) when `poll` must be called next, unless bytes arrive first."""
        if self._out or (self._session and self._in_flight is None and self._reports):
            return 0.0
        dark = float("inf") if self._away else self._heard_ms + _AWAY_MS
        if not self._session:
            return dark
        return min(dark, self._due_ms if self._in_flight else self._status_ms + _STATUS_MS)

    def _go_dark(self) -> None:
        self._away, self._session, self._picture = True, 0, None
        self._reports.clear()
        self._in_flight, self._tries = None, 0

    def _send(self, now_ms: int) -> None:
        if self._in_flight is None and self._reports:
            self._in_flight = self._reports.popleft()
        elif self._in_flight is None and now_ms - self._status_ms >= _STATUS_MS:
            self._status_ms = now_ms
            self._in_flight = self._status(now_ms)
        if self._in_flight is None or (self._tries and now_ms < self._due_ms):
            return
        if self._tries == _TRIES:
            self._session = self._tries = 0
            self._out += self._hello(0)
            return
        if self._tries == 0:
            self._sent = self._sent % 255 + 1
        self._tries += 1
        self._due_ms = now_ms + _RETRY_MS
        tag, fields = self._in_flight[:1], self._in_flight[1:]
        self._out += _stuff(tag + bytes([self._sent]) + fields)

    def _status(self, now_ms: int) -> bytes:
        counts = (self._unstuffer.damaged, 0, self._lost)
        return (
            b"\x22"
            + (now_ms * 1000).to_bytes(8, "little")
            + bytes([self._cause])
            + b"".join(count.to_bytes(2, "little") for count in counts)
            + bytes([self._pressed, self._active])
        )

    def button(self, index: int, *, pressed: bool, now_ms: int) -> None:
        """Press a button, 0 to 7, or let it go."""
        self._pressed = self._pressed | 1 << index if pressed else self._pressed & ~(1 << index)
        self._report(0x20, index, pressed, now_ms)

    def sensor(self, number: int, *, active: bool, now_ms: int) -> None:
        """Change a sensor of the Schlitten: 1 exit beam, 2 lid, 3 cut card, and so on."""
        bit = 1 << (number - 1)
        self._active = self._active | bit if active else self._active & ~bit
        self._report(0x21, number, active, now_ms)

    def _report(self, tag: int, which: int, value: bool, now_ms: int) -> None:
        if self._away:
            return  # nobody listens; if it were sent later, it would be mistaken for news
        self._serial = self._serial + 1 & 0xFFFF
        if len(self._reports) == _QUEUE:
            self._lost = self._lost + 1 & 0xFFFF
            return
        head = bytes([tag]) + self._serial.to_bytes(2, "little")
        self._reports.append(
            head + (now_ms * 1000).to_bytes(8, "little") + bytes([which, int(value)])
        )

    def shown(self) -> Shown:
        """Return what the lamps and digits show now."""
        return SAFE if self._picture is None else _shown(self._picture)


@lru_cache(maxsize=64)
def _shown(picture: bytes) -> Shown:
    """Return what a board shows for the bytes of a `Picture`.

    The same bytes give the same object.
    """
    lamps = (f"{_LAMP_MODES[byte & 3]} {_COLOURS[byte >> 4 & 7]}" for byte in picture[:12])
    return Shown(
        tuple("off" if lamp.startswith("off") else lamp for lamp in lamps),
        _digits(picture[12:16]),
        _digits(picture[16:20]),
        picture[20],
        safe=False,
    )


def _digits(field: bytes) -> str:
    value = int.from_bytes(field, "little", signed=True)
    if value == -(1 << 31):
        return " " * 8
    pair = value - 1_000_000_000
    if 0 <= pair <= 999_999:
        return f"{pair // 1000}-{pair % 1000}".rjust(8)
    text = str(value)
    return text.rjust(8) if len(text) <= 8 else "-" * 8


class Twin:
    """A twin behind a pty, whose `path` is opened like any serial port.

    Use the twin with `with`, then `run`.

    Attributes:
        plugged: whether the plug is in. While it is out, the twin hears and sends nothing.
    """

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._boots = 1
        self.board = BoardTwin(self._boots)
        self._master = self._slave = -1
        self.path = ""
        self.plugged = True
        self._wake = asyncio.Event()

    def __enter__(self) -> Self:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)  # keep the slave open, as the host may come and go
        os.set_blocking(self._master, False)
        self.path = os.ttyname(self._slave)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._master)
        os.close(self._slave)

    @property
    def _now_ms(self) -> int:
        return int((time.monotonic() - self._started) * 1000)

    def shown(self) -> Shown:
        """Return what the lamps and digits show now."""
        return self.board.shown()

    def press(self, index: int) -> None:
        """Press a button and let it go."""
        self.hold(index)
        self.board.button(index, pressed=False, now_ms=self._now_ms)

    def hold(self, index: int) -> None:
        """Press a button and keep it pressed."""
        self.board.button(index, pressed=True, now_ms=self._now_ms)
        self._wake.set()

    def set_sensor(self, number: int, *, active: bool) -> None:
        """Change a sensor of the Schlitten: 1 exit beam, 2 lid, 3 cut card, and so on."""
        self.board.sensor(number, active=active, now_ms=self._now_ms)
        self._wake.set()

    def reset(self) -> None:
        """Restart the board, as its reset button does."""
        self._boots += 1
        self._started = time.monotonic()
        self.board = BoardTwin(self._boots, cause=2)
        self._wake.set()

    async def run(self) -> None:
        """Serve the pty until cancelled."""
        loop = asyncio.get_running_loop()
        loop.add_reader(self._master, self._wake.set)
        try:
            while True:
                self._wake.clear()
                if self.plugged:
                    self._exchange()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(0.01):  # the board's own ticks
                        await self._wake.wait()
        finally:
            loop.remove_reader(self._master)

    def _exchange(self) -> None:
        with contextlib.suppress(BlockingIOError):  # nothing arrived
            self.board.receive(os.read(self._master, 4096), self._now_ms)
        out = self.board.poll(self._now_ms)
        with contextlib.suppress(BlockingIOError):  # nobody reads, so it is lost, as on a real line
            os.write(self._master, out)
