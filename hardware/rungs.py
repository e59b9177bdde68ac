"""Boards on which scenarios are played: the twin, the emulated firmware, a real board on a port.

All have `run`, `command`, `us`, `seen`, `history`. No program can know what a person sees on a real
board: its `seen` is None, and its acknowledgement is trusted instead.
"""

from __future__ import annotations

import random
import select
import time
from typing import Any, Protocol

from firmware_bridge.port import BAUD
from firmware_bridge.serial_line import open_port
from firmware_bridge.twin import BoardTwin
from hardware.emulator import Emulator, EmulatorError, Shown

_COLOURS = ("", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
_BYTE_US = 87


class TakesAHand(Exception):
    """No command makes a real board do this: a person must."""


class Rung(Protocol):
    """A board, and the wire to it. `seen` is what it shows, `history` all it has shown.

    `us` is its time in microseconds since it was switched on.
    """

    history: list[Shown]

    @property
    def seen(self) -> Shown | None: ...

    @property
    def us(self) -> int: ...

    def run(self, us: int, data: bytes = b"") -> bytes:
        """Put `data` on the line; let at most `us` pass.

        Returns early once the board says something.
        """

    def command(self, command: str) -> object:
        """Give a command of `firmware/emulator/main.c`, such as `button 3 1`."""


class Lockstep(Emulator):
    """The real firmware in virtual time: the emulator runs only when it is told."""

    def __init__(self, build: str = "hc595") -> None:
        super().__init__("--lockstep", build)
        self.us = 0
        self.history: list[Shown] = []

    def run(self, us: int, data: bytes = b"") -> bytes:
        """Put `data` on the line, run until `us` have passed or the board has ended a frame.

        Returns what it said.
        """
        answer = self.command(f"run {us} {data.hex()}")
        return bytes.fromhex(answer["tx"])

    def command(self, command: str) -> dict[str, Any]:
        """Give a command of `firmware/emulator/main.c`; return its answer."""
        self.say(command)
        while True:
            heard = self.hear()
            if "error" in heard:
                raise EmulatorError(f"the emulator does not know the command {command!r}")
            self.us = heard["us"]
            if "ok" in heard:
                return heard
            self.history.append(self.seen)


class _Line:
    """The faults of a line, which the emulator has built in, for the other boards."""

    def __init__(self) -> None:
        self._luck = random.Random(0)
        self._lost = self._flipped = 0
        self._cut = False

    def carry(self, data: bytes) -> bytes:
        kept = bytearray()
        for byte in data:
            if self._cut or self._luck.randrange(10_000) < self._lost:
                continue
            flip = self._luck.randrange(10_000) < self._flipped
            kept.append(byte ^ (1 << self._luck.randrange(8) if flip else 0))
        return bytes(kept)

    def obey(self, name: str, numbers: list[int]) -> bytes | None:
        """Obey a command to the line; return garbage to send, or None if it is for the board."""
        match name, numbers:
            case "seed", [seed]:
                self._luck = random.Random(seed)
            case "faults", [lost, flipped]:
                self._lost, self._flipped = lost, flipped
            case "cut", [cut]:
                self._cut = bool(cut)
            case "garbage", [count]:
                return self._luck.randbytes(count)
            case _:
                return None
        return b""


class TwinRung:
    """The twin in virtual time."""

    def __init__(self) -> None:
        self.us = 0
        self.seen: Shown = Shown()
        self.history: list[Shown] = []
        self._line = _Line()
        self._tones: list[tuple[int, int]] = []
        self._sounding = 0
        self._boots, self._started_us = 0, 0
        self._restart(cause=1)

    def _restart(self, cause: int) -> None:
        self._boots, self._started_us = self._boots + 1, self.us
        self._twin = BoardTwin(self._boots, cause)
        self._look()

    @property
    def _ms(self) -> int:
        return (self.us - self._started_us) // 1000

    def run(self, us: int, data: bytes = b"") -> bytes:
        """Deliver `data`, and let at most `us` pass until the board says something."""
        end_us = self.us + us
        if data:
            self.us += len(data) * _BYTE_US
            self._twin.receive(self._line.carry(data), self._ms)
        while True:
            out = self._line.carry(self._twin.poll(self._ms))
            self._look()
            if out or self.us >= end_us:
                return out
            self.us = min(self.us + 1000, end_us)

    def command(self, command: str) -> None:
        """Like the emulator's command."""
        name, *rest = command.split()
        numbers = [int(one) for one in rest]
        garbage = self._line.obey(name, numbers)
        if garbage is not None:
            self._twin.receive(garbage, self._ms)
        elif name == "button":
            self._twin.button(numbers[0], pressed=bool(numbers[1]), now_ms=self._ms)
        elif name == "sensor":
            self._twin.sensor(numbers[0], active=bool(numbers[1]), now_ms=self._ms)
        else:
            self._restart({"reset": 2, "hang": 4}[name])

    @property
    def lamps(self) -> tuple[str, ...]:
        """What each lamp shows, in words: `off`, `blink blue`. The twin keeps no rhythm."""
        return self._twin.shown().lamps

    def tone(self, since_us: int) -> int:
        """The pattern of the last tone that began since then; the twin makes no sound itself."""
        begun = [pattern for us, pattern in self._tones if us >= since_us]
        return begun[-1] if begun else 0

    def _look(self) -> None:
        shown = self._twin.shown()
        if shown.buzzer != self._sounding:
            self._sounding = shown.buzzer
            self._tones += [(self.us, shown.buzzer)] if shown.buzzer else []
        lamps = "".join(str(_COLOURS.index(lamp.partition(" ")[2])) for lamp in shown.lamps)
        seen = Shown(self.seen.us, lamps, shown.display_1, shown.display_2, bool(shown.buzzer))
        if seen != self.seen:
            self.seen = Shown(self.us, lamps, shown.display_1, shown.display_2, bool(shown.buzzer))
            self.history.append(self.seen)


class PortRung:
    """A real board, in real time. Faults are made on the host's side of its port."""

    seen = None

    def __init__(self, path: str) -> None:
        self._port = open_port(path, BAUD)
        self._line = _Line()
        self._begun = time.monotonic()
        self.history: list[Shown] = []

    @property
    def us(self) -> int:
        """Microseconds since the port was opened."""
        return int((time.monotonic() - self._begun) * 1e6)

    def run(self, us: int, data: bytes = b"") -> bytes:
        """Write `data`, read until the board has ended a frame or the time has passed."""
        end = time.monotonic() + us / 1e6
        if data:
            self._port.write(self._line.carry(data))
        heard = b""
        while b"\0" not in heard and (left := end - time.monotonic()) > 0:
            if select.select([self._port], [], [], left)[0]:
                heard += self._port.read(4096)
        return self._line.carry(heard)

    def command(self, command: str) -> None:
        """Like the emulator's command, if a program can do it. Raises TakesAHand."""
        name, *rest = command.split()
        garbage = self._line.obey(name, [int(one) for one in rest])
        if garbage is not None:
            self._port.write(garbage)
        elif name == "reset":
            self._port.dtr = False
            self._port.dtr = True
        else:
            raise TakesAHand(f"`{command}` takes a hand: `schlitten board test` asks for it")

    def close(self) -> None:
        """Close the port."""
        self._port.close()
