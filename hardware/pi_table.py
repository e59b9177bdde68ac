"""The Pi's own pins: sensors of the Schlitten, buttons, power-fail input, lamps without a board.

The module knows gpiozero and the pin table (`board.toml`). It must not know any card game. The pins
give the same reports as the table board and show the same things. A lamp here has one colour, so
only its rhythm carries meaning, and there are no digits. The pins are chosen by name: `lgpio` or
`rpigpio` on a Pi, `mock` for the twin, which is never a fallback.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import gpiozero
from gpiozero.pins.mock import MockFactory, MockPin

from firmware_bridge.messages import ButtonReport, Mode, Picture, Sensor, SensorReport
from firmware_bridge.trouble import Trouble
from hardware.pins import PinNews, PinsError, PiPin, WireReport, pi_pins

PHASE_S: Final = 0.128  # the board's rhythm: eight phases, about a second
_LIT_PHASES: Final = MappingProxyType(
    {Mode.OFF: (), Mode.ON: range(8), Mode.BLINK: range(4), Mode.PULSE: (0, 2)}
)

#: How long a button's contacts take to settle.
_BUTTON_MS: Final = 10

#: The factories of a Pi's pins, by gpiozero's module names.
_FACTORIES: Final = {"lgpio": "LGPIOFactory", "rpigpio": "RPiGPIOFactory"}

_SENSORS: Final = {sensor.name: sensor for sensor in Sensor}


class _Wired(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A pin of the twin. Its wire, once driven, is stronger than the pin's own pull-up."""

    driven: bool | None = None

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        if self.driven is not None:
            self.drive(high=self.driven)

    def drive(self, *, high: bool) -> None:
        """Keep the wire at this level from now on."""
        self.driven = high
        (self.drive_high if high else self.drive_low)()


class PinTwin(MockFactory):  # type: ignore[misc]  # as above
    """The twin of the Pi's pins. It keeps the pins' rules.

    Its methods press the buttons and move the sensors. Contacts that are closed in normal operation
    are closed at the start.
    """

    def __init__(self) -> None:
        super().__init__(pin_class=_Wired)
        for pin in pi_pins():
            if pin.active == "high":
                self.drive(pin.name, active=False)

    def drive(self, name: str, *, active: bool) -> None:
        """Make an input of the pin table active or inactive, at the level that the table gives."""
        wire = _pin(name)
        self.pin(f"GPIO{wire.gpio}").drive(high=active == (wire.active == "high"))

    def press(self, button: int) -> None:
        """Press a button (0-3) and let it go."""
        self.drive(f"BUTTON_{button}", active=True)
        self.drive(f"BUTTON_{button}", active=False)

    def lit(self) -> tuple[bool, ...]:
        """For each of the twelve lamps, whether it is lit now."""
        return tuple(bool(self.pin(f"GPIO{pin.gpio}").state) for pin in _lamps())


def _pin(name: str) -> PiPin:
    for pin in pi_pins():
        if pin.name == name:
            return pin
    raise PinsError(Trouble("{name} is not in hardware/board.toml", name=name))


def _lamps() -> Iterator[PiPin]:
    return (pin for pin in pi_pins() if pin.name.startswith("LAMP_"))


def pin_factory(name: str) -> Any:
    """The factory of the pins called `lgpio`, `rpigpio` or `mock`.

    Raises PinsError if there are no such pins here. A Pi's pins are opened once per process and
    stay open; `_of_a_pi` says why.
    """
    if name == "mock":
        return PinTwin()
    if name not in _FACTORIES:
        raise PinsError(
            Trouble("no pins are called {name}: it is lgpio, rpigpio or mock", name=repr(name))
        )
    try:
        return _of_a_pi(name)
    except _troubles(ImportError) as error:  # evaluated only now: lgpio is loaded
        raise PinsError(
            Trouble(
                "no pins by {name} here ({error}): on a Pi install the extra `pi`; "
                "elsewhere choose `mock`",
                name=name,
                error=str(error),
            )
        ) from error


@cache
def _of_a_pi(name: str) -> Any:
    """The factory of that name. There is one for the whole process, and it is never closed.

    lgpio handles the edges of all chips in one thread. That thread goes on calling a factory that
    was closed, and dies from the call. A second factory would then see no edges.
    """
    with _in_a_folder_for_pipes():
        return getattr(import_module(f"gpiozero.pins.{name}"), _FACTORIES[name])()


@contextlib.contextmanager
def _in_a_folder_for_pipes() -> Iterator[None]:
    """Make lgpio create its pipe where we may write, and keep our working folder.

    When lgpio is imported, it makes a pipe in `LG_WD`, or else in the working folder, and changes
    into that folder. The systemd unit sets `LG_WD`; otherwise a new folder is made.
    """
    here = Path.cwd()
    named = os.environ.get("LG_WD")
    if named and not os.access(named, os.W_OK | os.X_OK):
        raise PinsError(
            Trouble(
                "LG_WD = {named} is no folder that may be written, and lgpio keeps a pipe there: "
                "name one in the environment, or unset LG_WD",
                named=repr(named),
            )
        )
    pipes = named or tempfile.mkdtemp(prefix="schlitten-pins-")
    os.environ["LG_WD"] = pipes
    try:
        os.chdir(pipes)
        yield
    finally:
        os.chdir(here)


def _troubles(*more: type[Exception]) -> tuple[type[Exception], ...]:
    """The errors that unavailable pins raise, and `more`. lgpio itself raises a plain Exception."""
    lgpio = sys.modules.get("lgpio")
    own: tuple[type[Exception], ...] = (lgpio.error,) if lgpio else ()
    return (OSError, RuntimeError, gpiozero.GPIOZeroError, *own, *more)


class PiTable:
    """The Pi's pins, used like a table board.

    `run` serves the pins until cancelled. `show` may be called at any time.

    `tell` is called in the event loop with every change of an input. `tell` must not block. Times
    are microseconds of this machine's monotonic clock.
    """

    def __init__(
        self,
        pins: Any,
        tell: Callable[[PinNews], None],
        *,
        uses: Collection[str] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare the pins named in `uses`; None means all pins in the pin table.

        `pins` is a factory from `pin_factory`. `clock` returns seconds.
        """
        self._pins, self._tell, self._clock = pins, tell, clock
        self._uses = uses
        self._picture = Picture()
        self._serial = 0
        self._wake = asyncio.Event()

    def show(self, picture: Picture) -> None:
        """Give the lamps the rhythms of `picture` from now on."""
        self._picture = picture
        self._wake.set()

    async def run(self, ready: Callable[[], None] = lambda: None) -> None:
        """Serve the pins until cancelled. The lamps are dark afterwards. Raises PinsError.

        `ready` is called once all pins are claimed.
        """
        try:
            with ExitStack() as held:
                lamps = self._open(held)
                ready()
                while True:
                    self._wake.clear()
                    self._light(lamps)
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(PHASE_S - self._clock() % PHASE_S):
                            await self._wake.wait()
        except _troubles() as error:
            raise PinsError(
                Trouble(
                    "the Pi's pins are not free ({error}): stop the other program that uses them",
                    error=str(error),
                )
            ) from error

    def _open(self, held: ExitStack) -> dict[int, gpiozero.LED]:
        """Claim the pins that are used, until `held` is closed. Return the lamps by seat."""
        lamps = {
            seat: held.enter_context(self._lamp(pin))
            for seat, pin in enumerate(_lamps(), 1)
            if self._used(pin)
        }
        for lamp in lamps.values():
            held.callback(lamp.off)
        for pin in pi_pins():
            if pin.way == "in" and self._used(pin):
                loop = asyncio.get_running_loop()
                device = held.enter_context(self._input(pin))
                self._watch(device, pin, loop)
        return lamps

    def _used(self, pin: PiPin) -> bool:
        return self._uses is None or pin.name in self._uses

    def _light(self, lamps: dict[int, gpiozero.LED]) -> None:
        phase = int(self._clock() / PHASE_S) % 8
        for seat, lamp in lamps.items():
            lit = phase in _LIT_PHASES[self._picture.lamps[seat - 1].mode]
            if lit != lamp.is_lit:
                lamp.value = lit

    def _lamp(self, pin: PiPin) -> gpiozero.LED:
        self._claim(pin)
        return gpiozero.LED(pin.gpio, pin_factory=self._pins)

    def _claim(self, pin: PiPin) -> None:
        """Claim the pin before making a device of it.

        gpiozero itself reserves a pin first and then makes the device. If that fails, the pin stays
        reserved until garbage is collected, perhaps for good. It fails if another program uses the
        pin.
        """
        self._pins.pin(f"GPIO{pin.gpio}")

    def _input(self, pin: PiPin) -> gpiozero.DigitalInputDevice:
        if not (pin.settle_ms or pin.name.startswith("BUTTON_")):
            raise PinsError(
                Trouble(
                    "{name} in hardware/board.toml is no sensor, no button: say there how long it "
                    "takes to settle (settle_ms)",
                    name=pin.name,
                )
            )
        self._claim(pin)
        bounce_s = (pin.settle_ms or _BUTTON_MS) / 1000
        return gpiozero.DigitalInputDevice(
            pin.gpio, pull_up=True, bounce_time=bounce_s, pin_factory=self._pins
        )

    def _watch(
        self, device: gpiozero.DigitalInputDevice, pin: PiPin, loop: asyncio.AbstractEventLoop
    ) -> None:
        """Report every change of the input `device`.

        gpiozero calls back in its own thread, but the report is made in the event loop.
        """
        high = pin.active == "high"  # gpiozero inverts a pulled-up input

        def changed(low: bool) -> None:
            at_us = time.monotonic_ns() // 1000
            loop.call_soon_threadsafe(self._report, pin.name, low != high, at_us)

        device.when_activated = lambda: changed(True)
        device.when_deactivated = lambda: changed(False)
        if device.is_active != high:  # active from the start, so no change will report it
            changed(device.is_active)

    def _report(self, name: str, active: bool, at_us: int) -> None:
        if not (name in _SENSORS or name.startswith("BUTTON_")):
            self._tell(WireReport(name, active))
            return
        self._serial += 1
        if name in _SENSORS:
            self._tell(SensorReport(self._serial, at_us, _SENSORS[name], active))
        else:
            button = int(name.removeprefix("BUTTON_"))
            self._tell(ButtonReport(self._serial, at_us, button, active))
