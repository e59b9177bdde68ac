"""Boards on which scenarios are played: the twin, the emulated firmware, a real board on a port.

`lab.py` has one more. All have `run`, `command`, `us`, `seen`, `history`. No program can know what
a person sees on a real board. So a real board's `seen` is None, and its acknowledgement is trusted
instead.
"""

from __future__ import annotations

import random
import select
import time
from typing import Any, Protocol

from firmware_bridge.messages import Sensor
from firmware_bridge.port import BAUD
from firmware_bridge.serial_line import open_port
from firmware_bridge.twin import BoardTwin
from hardware.emulator import BUILDS, Emulator, EmulatorError, Shown
from hardware.netlist import nano_pins

_COLOURS = ("", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
_BYTE_US = 87
#: The time for which each input must stay unchanged before the firmware reports it, in
#: microseconds.
_BUTTON_US = 10_000


class TakesAHand(Exception):
    """A program cannot do this to a real board, so a person must do it."""


class Rung(Protocol):
    """A board and the line to it.

    `seen` is what the board shows now, and `history` all that it has shown. `us` is the board's
    time in microseconds since it was switched on.
    """

    @property
    def history(self) -> list[Shown]: ...

    @property
    def seen(self) -> Shown | None: ...

    @property
    def us(self) -> int: ...

    def run(self, us: int, data: bytes = b"") -> bytes:
        """Send `data` to the board, and let at most `us` microseconds pass.

        Return the board's bytes. The call returns early once the board sends something.
        """

    def command(self, command: str) -> object:
        """Give a command of `firmware/emulator/main.c`, such as `button 3 1`."""


class Lockstep(Emulator):
    """The real firmware in virtual time. The emulator runs only when it is commanded."""

    def __init__(self, build: str = "hc595") -> None:
        super().__init__("--lockstep", build)
        self.us = 0
        self.history: list[Shown] = []

    def run(self, us: int, data: bytes = b"") -> bytes:
        """Send `data`. Run until `us` microseconds have passed or the board has ended a frame.

        Return the bytes that the board sent.
        """
        answer = self.command(f"run {us} {data.hex()}")
        return bytes.fromhex(answer["tx"])

    def command(self, command: str) -> dict[str, Any]:
        """Give a command of `firmware/emulator/main.c`. Return its answer."""
        self.say(command)
        while True:
            heard = self.hear()
            if "error" in heard:
                raise EmulatorError(f"the emulator does not know the command {command!r}")
            self.us = heard["us"]
            if "ok" in heard:
                return heard
            self.history.append(self.seen)


def emulated(name: str) -> Lockstep:
    """The emulated board of that name: `emulated`, or `emulated-apa102`. Raises EmulatorError."""
    return Lockstep(EMULATED[name])


#: The emulated boards' names, and their lamp builds.
EMULATED = {"emulated": BUILDS[0], "emulated-apa102": "apa102"}
#: The board that only the lab has (`lab.py`): the firmware on USB.
LAB = "lab"


class _Line:
    """Makes a line's faults for the twin and for real boards.

    The emulator makes these faults itself.
    """

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
        """Obey a command that concerns the line.

        Return the garbage to send (perhaps none), or None if the command is for the board.
        """
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


_Input = tuple[str, int]  # button or sensor, and its number on the line


class _Inputs:
    """The twin's buttons and sensors.

    A change is reported once the contact has stayed unchanged for a time, as in the firmware.
    """

    def __init__(self) -> None:
        ms = {pin.name: pin.settle_ms for pin in nano_pins()}
        self._settle_us: dict[_Input, int] = {
            ("sensor", int(one)): 1000 * ms[one.name] for one in Sensor
        }
        self._told: dict[_Input, int] = {}
        self._now: dict[_Input, int] = {}
        self._moved: dict[_Input, tuple[int, int]] = {}  # its first edge and its last edge
        self._storms: set[_Input] = set()

    def move(self, what: _Input, level: int, us: int) -> None:
        """Change the level of the contact `what`, at `us`."""
        if level != self._now.get(what, 0):
            self._now[what] = level
            self._moved[what] = (self._moved.get(what, (us, us))[0], us)

    def storm(self, what: _Input, *, on: bool, us: int) -> None:
        """While the storm is `on`, the contact `what` never settles."""
        (self._storms.add if on else self._storms.discard)(what)
        self.move(what, 0, us)

    @property
    def due_us(self) -> float:
        """The time (µs) when the next contact has settled, if it stays unchanged that long."""
        return min(
            (
                last + self._settle_us.get(what, _BUTTON_US)
                for what, (_, last) in self._moved.items()
                if what not in self._storms
            ),
            default=float("inf"),
        )

    def at_start(self) -> tuple[int, int]:
        """Return the buttons and the sensors that are active, a bit for each.

        A starting board reads them.
        """
        self._moved.clear()
        self._told = dict(self._now)
        down = {what for what, level in self._now.items() if level}
        pressed = sum(1 << number for name, number in down if name == "button")
        return pressed, sum(1 << (number - 1) for name, number in down if name == "sensor")

    def settled(self, us: int) -> list[tuple[_Input, int, int]]:
        """Return the contacts that have settled by `us` at a new level.

        For each: the contact, the level, and the time of its first change.
        """
        found: list[tuple[_Input, int, int]] = []
        if not self._moved:
            return found
        for what, (first, last) in list(self._moved.items()):
            if what in self._storms or us - last < self._settle_us.get(what, _BUTTON_US):
                continue
            del self._moved[what]
            if self._now[what] != self._told.get(what, 0):
                self._told[what] = self._now[what]
                found.append((what, self._now[what], first))
        return found


class TwinRung:
    """The board's twin in virtual time: time passes only while `run` runs."""

    def __init__(self) -> None:
        self.us = 0
        self.seen: Shown = Shown()
        self.history: list[Shown] = []
        self._line = _Line()
        self._tones: list[tuple[int, int]] = []
        self._sounding = 0
        self._boots, self._started_us = 0, 0
        self._inputs = _Inputs()
        self._hold_us = 0
        self._looked_at: object = None
        self._restart(cause=1)

    def _restart(self, cause: int) -> None:
        self._boots, self._started_us = self._boots + 1, self.us + self._hold_us
        pressed, active = self._inputs.at_start()
        self._twin = BoardTwin(self._boots, cause, pressed=pressed, active=active)
        self._look()

    @property
    def _ms(self) -> int:
        return (self.us - self._started_us) // 1000

    def run(self, us: int, data: bytes = b"") -> bytes:
        """Deliver `data`, and let at most `us` microseconds pass. Return what the board sent.

        The call returns early once the board sends something.
        """
        end_us = self.us + us
        if data:
            self.us += len(data) * _BYTE_US
            if self.us >= self._started_us:
                self._twin.receive(self._line.carry(data), self._ms)
        while True:
            out = b""
            if self.us >= self._started_us:
                for what, level, first_us in self._inputs.settled(self.us):
                    self._tell(what, level, first_us)
                out = self._line.carry(self._twin.poll(self._ms))
            self._look()
            if out or self.us >= end_us:
                return out
            self.us = int(min(max(self.us + 1000, self._due_us()), end_us))

    def _due_us(self) -> float:
        """The next time (µs) when something happens on the board even if no bytes arrive."""
        if self.us < self._started_us:
            return self._started_us
        return min(self._started_us + self._twin.due_ms * 1000, self._inputs.due_us)

    def command(self, command: str) -> None:
        """Carry out a command of `firmware/emulator/main.c`, as the emulator does."""
        name, *rest = command.split()
        numbers = [int(one) for one in rest]
        garbage = self._line.obey(name, numbers)
        if garbage is not None:
            self._twin.receive(garbage, self._ms)
        elif name in ("button", "sensor"):
            self._inputs.move((name, numbers[0]), numbers[1], self.us)
        elif name == "storm":
            self._inputs.storm(("sensor", numbers[0]), on=numbers[1] > 0, us=self.us)
        elif name == "hold":
            self._hold_us = numbers[1]
        else:
            self._restart({"reset": 2, "hang": 4}[name])

    def _tell(self, what: _Input, level: int, first_us: int) -> None:
        ms = max(0, first_us - self._started_us) // 1000
        name, number = what
        if name == "button":
            self._twin.button(number, pressed=bool(level), now_ms=ms)
        else:
            self._twin.sensor(number, active=bool(level), now_ms=ms)

    @property
    def lamps(self) -> tuple[str, ...]:
        """Each lamp's state in words: `off`, `blink blue`. The twin keeps no rhythm."""
        return self._twin.shown().lamps

    def tone(self, since_us: int) -> int:
        """The pattern of the last tone that began since `since_us`.

        The twin itself makes no sound, so the pattern is read from the pictures.
        """
        begun = [pattern for us, pattern in self._tones if us >= since_us]
        return begun[-1] if begun else 0

    def _look(self) -> None:
        shown = self._twin.shown()
        if shown is self._looked_at:
            return
        self._looked_at = shown
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

    def __init__(self, path: str) -> None:
        self._port = open_port(path, BAUD)
        self._line = _Line()
        self._begun = time.monotonic()

    @property
    def seen(self) -> Shown | None:
        """Always None, because no program knows what a person sees."""
        return None

    @property
    def history(self) -> list[Shown]:
        """Always empty, because no program knows what a person sees."""
        return []

    @property
    def us(self) -> int:
        """Microseconds since the port was opened."""
        return int((time.monotonic() - self._begun) * 1e6)

    def run(self, us: int, data: bytes = b"") -> bytes:
        """Write `data`. Read until the board has ended a frame or `us` microseconds have passed.

        Return the bytes that the board sent.
        """
        end = time.monotonic() + us / 1e6
        if data:
            self._port.write(self._line.carry(data))
        heard = b""
        while b"\0" not in heard and (left := end - time.monotonic()) > 0:
            if select.select([self._port], [], [], left)[0]:
                heard += self._port.read(4096)
        return self._line.carry(heard)

    def command(self, command: str) -> None:
        """Carry out a command of `firmware/emulator/main.c`: a fault of the line, or `reset`.

        Raises TakesAHand for any other command, which only a person can carry out.
        """
        name, *rest = command.split()
        garbage = self._line.obey(name, [int(one) for one in rest])
        if garbage is not None:
            self._port.write(garbage)
        elif name == "reset":
            self._port.dtr = False
            self._port.dtr = True
        else:
            raise TakesAHand(f"`{command}` needs a person: `schlitten board test` asks for it")

    def close(self) -> None:
        """Close the port."""
        self._port.close()
