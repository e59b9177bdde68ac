"""The Pi's own pins, from `board.toml`, and their reports. The module knows no game.

The Nano's pins and everything around them come from the same file, in `hardware/netlist.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.messages import ButtonReport, SensorReport
from firmware_bridge.trouble import TroubleError
from hardware.netlist import tables


class PinsError(TroubleError):
    """Pins that cannot be used. The reason names the pins."""


@dataclass(frozen=True, slots=True)
class WireReport:
    """A sensor that only the Pi has became active or inactive. `wire` is the name of its wire."""

    wire: str
    active: bool


PinNews = ButtonReport | SensorReport | WireReport


@dataclass(frozen=True, slots=True)
class PiPin:
    """One pin of the Pi: BCM number, place on the 40-pin header, and what it is connected to.

    `active` is the level at which an input is active. `settle_ms` is how long a sensor's contacts
    or light take to settle, or 0.
    """

    gpio: int
    header: int
    way: str
    name: str
    to: str
    guard: str
    meter: str
    active: str = "low"
    settle_ms: int = 0


def pi_pins() -> tuple[PiPin, ...]:
    """All pins of the Pi, in the order of `board.toml`."""
    return tuple(PiPin(**row) for row in tables()["pi"])
