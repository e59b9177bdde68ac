"""The Pi's own pins, from `board.toml`, and their reports. The module knows no game.

The Nano's pins and everything around them are in the same file: `hardware/netlist.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.messages import ButtonReport, SensorReport
from hardware.netlist import tables


class PinsError(Exception):
    """Pins that cannot be used. The text names them and the remedy."""


@dataclass(frozen=True, slots=True)
class WireReport:
    """A sensor that only the Pi has became active or inactive. It is named by its wire."""

    wire: str
    active: bool


PinNews = ButtonReport | SensorReport | WireReport


@dataclass(frozen=True, slots=True)
class PiPin:
    """One pin of the Pi: BCM number, place on the 40-pin header, and its destination.

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
    """All pins of the Pi in the file's order."""
    return tuple(PiPin(**row) for row in tables()["pi"])
