"""The pin table: every wire of the Pi, from `pins.toml`, and what they report. Knows no game.

The Nano's pins, the chips and each wire's protection are in the same file; only the generators of
drawings and headers read those (`scripts/pins.py`).
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware_bridge.messages import ButtonReport, SensorReport


class PinsError(Exception):
    """Pins that cannot be used. The text names them and says what to do."""


@dataclass(frozen=True, slots=True)
class WireReport:
    """A sensor that only the Pi has became active or inactive; by its wire's name."""

    wire: str
    active: bool


PinNews = ButtonReport | SensorReport | WireReport


@dataclass(frozen=True, slots=True)
class PiPin:
    """One pin of the Pi: BCM number, place on the 40-pin header, and where it goes.

    `active` is the level at which an input is active; `settle_ms`, if not 0, how long a sensor's
    contacts or light take to settle.
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


def tables() -> dict[str, Any]:
    """The whole file, by kind of pin."""
    return tomllib.loads(Path(__file__).with_name("pins.toml").read_text("utf-8"))


def pi_pins() -> tuple[PiPin, ...]:
    """All pins of the Pi in the pin table's order."""
    return tuple(PiPin(**row) for row in tables()["pi"])
