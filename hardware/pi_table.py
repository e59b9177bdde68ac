"""The Pi's own pins: shoe sensors, buttons, power-fail input, lamps for a table without a board.

Knows gpiozero and the pin table (`pins.toml`). Must not know any card game. It tells the same
reports as the table board and is shown the same pictures; a lamp here has one colour, so only its
rhythm speaks, and there are no digits. The pins are chosen by name: `lgpio` or `rpigpio` on a Pi,
`mock` for the twin, which is never a fallback.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import gpiozero
from gpiozero.pins.mock import MockFactory

from firmware_bridge.messages import ButtonReport, Mode, Picture, Sensor, SensorReport
from hardware.generate import PiPin, pi_pins

PHASE_S: Final = 0.128  # the board's rhythm: eight phases, about a second
_LIT_PHASES: Final = MappingProxyType(
    {Mode.OFF: (), Mode.ON: range(8), Mode.BLINK: range(4), Mode.PULSE: (0, 2)}
)

#: What contacts and light need to settle, in seconds.
_BOUNCE_S: Final = {"EXIT_BEAM": 0.001, "LID": 0.01, "CUT_CARD": 0.005, "POWER_FAIL": 0.005}
_BUTTON_BOUNCE_S: Final = 0.01

_SENSORS: Final = {sensor.name: sensor for sensor in Sensor}


class PinsError(Exception):
    """Pins that cannot be used. The text names them and says what to do."""


@dataclass(frozen=True, slots=True)
class PowerFail:
    """The supply says that the mains are gone (or back); minutes of battery are left."""

    failing: bool


PinNews = ButtonReport | SensorReport | PowerFail


class PinTwin(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    """The twin of the Pi's pins: keeps their rules, and has verbs for the world around them."""

    def drive(self, name: str, *, active: bool) -> None:
        """Make an input of the pin table active (low) or not."""
        pin = self.pin(f"GPIO{_gpio(name)}")
        if active:
            pin.drive_low()
        else:
            pin.drive_high()

    def press(self, button: int) -> None:
        """Press a button (0-3) and let it go."""
        self.drive(f"BUTTON_{button}", active=True)
        self.drive(f"BUTTON_{button}", active=False)

    def lit(self) -> tuple[bool, ...]:
        """Which of the twelve lamps give light now."""
        return tuple(bool(self.pin(f"GPIO{pin.gpio}").state) for pin in _lamps())


def _gpio(name: str) -> int:
    for pin in pi_pins():
        if pin.name == name:
            return pin.gpio
    raise PinsError(f"{name} is not in hardware/pins.toml")


def _lamps() -> Iterator[PiPin]:
    return (pin for pin in pi_pins() if pin.name.startswith("LAMP_"))


def pin_factory(name: str) -> Any:
    """The pins called `lgpio`, `rpigpio` or `mock`. Raises PinsError where there are none."""
    try:
        match name:
            case "mock":
                return PinTwin()
            case "lgpio":
                from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415  only on a Pi

                return LGPIOFactory()
            case "rpigpio":
                from gpiozero.pins.rpigpio import RPiGPIOFactory  # noqa: PLC0415  only on a Pi

                return RPiGPIOFactory()
    except (ImportError, RuntimeError, OSError, gpiozero.GPIOZeroError) as error:
        raise PinsError(
            f"no pins by {name} here ({error}): on a Pi install the extra `pi`; "
            "elsewhere choose `mock`"
        ) from error
    raise PinsError(f"no pins are called {name!r}: it is lgpio, rpigpio or mock")


class PiTable:
    """The Pi's pins as a table. `run` serves them until cancelled; `show` may be called any time.

    `tell` is called in the event loop with every change of an input; it must not block. Times are
    microseconds of this machine's monotonic clock.
    """

    def __init__(
        self,
        pins: Any,
        tell: Callable[[PinNews], None],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pins, self._tell, self._clock = pins, tell, clock
        self._picture = Picture()
        self._serial = 0
        self._wake = asyncio.Event()

    def show(self, picture: Picture) -> None:
        """Give the lamps the rhythms of `picture` from now on."""
        self._picture = picture
        self._wake.set()

    async def run(self) -> None:
        """Serve the pins until cancelled; the lamps are dark afterwards. Raises PinsError."""
        with ExitStack() as held:
            lamps = self._open(held)
            while True:
                self._wake.clear()
                self._light(lamps)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(PHASE_S - self._clock() % PHASE_S):
                        await self._wake.wait()

    def _open(self, held: ExitStack) -> list[gpiozero.LED]:
        """Take all pins, and give the lamps."""
        try:
            lamps = [held.enter_context(self._lamp(pin)) for pin in _lamps()]
            for lamp in lamps:
                held.callback(lamp.off)
            for pin in pi_pins():
                if pin.way == "in":
                    loop = asyncio.get_running_loop()
                    self._watch(held.enter_context(self._input(pin)), pin.name, loop)
        except (OSError, RuntimeError, gpiozero.GPIOZeroError) as error:
            raise PinsError(
                f"the Pi's pins cannot be had ({error}): stop the other program that has them"
            ) from error
        return lamps

    def _light(self, lamps: list[gpiozero.LED]) -> None:
        phase = int(self._clock() / PHASE_S) % 8
        for lamp, wanted in zip(lamps, self._picture.lamps, strict=True):
            lit = phase in _LIT_PHASES[wanted.mode]
            if lit != lamp.is_lit:
                lamp.value = lit

    def _lamp(self, pin: PiPin) -> gpiozero.LED:
        return gpiozero.LED(pin.gpio, pin_factory=self._pins)

    def _input(self, pin: PiPin) -> gpiozero.DigitalInputDevice:
        bounce_s = _BOUNCE_S.get(pin.name, _BUTTON_BOUNCE_S)
        return gpiozero.DigitalInputDevice(
            pin.gpio, pull_up=True, bounce_time=bounce_s, pin_factory=self._pins
        )

    def _watch(
        self, device: gpiozero.DigitalInputDevice, name: str, loop: asyncio.AbstractEventLoop
    ) -> None:
        """Have every change told. Gpiozero's own thread calls back; the event loop tells."""

        def changed(active: bool) -> None:
            at_us = time.monotonic_ns() // 1000
            loop.call_soon_threadsafe(self._report, name, active, at_us)

        device.when_activated = lambda: changed(True)
        device.when_deactivated = lambda: changed(False)
        if device.is_active:  # so from the start: nothing will change it
            changed(True)

    def _report(self, name: str, active: bool, at_us: int) -> None:
        if name == "POWER_FAIL":
            self._tell(PowerFail(active))
            return
        self._serial += 1
        if name in _SENSORS:
            self._tell(SensorReport(self._serial, at_us, _SENSORS[name], active))
        else:
            button = int(name.removeprefix("BUTTON_"))
            self._tell(ButtonReport(self._serial, at_us, button, active))
