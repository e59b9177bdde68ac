"""The parts to measure when something on the board fails: part, plug and the meter's reading.

They come from the netlist of the build that the table's settings name. The module knows no game.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from firmware_bridge.messages import LampBuild, Sensor
from hardware.netlist import LAMPS, NanoPin, connectors, nano_pins, nets, parts

#: The name of a Nano's wire in a report or a picture.
INPUTS: Final = tuple(
    pin.name for pin in nano_pins() if pin.way == "in" and pin.guard not in ("none", "")
)
_BESIDE: Final = ("resistor", "ceramic", "tvs")


def name_of(wire: str) -> str:
    """A wire's everyday name: button 3, exit beam."""
    if wire.startswith("BUTTON_"):
        return f"button {int(wire.removeprefix('BUTTON_')) + 1}"
    return Sensor[wire].name.lower().replace("_", " ")


def missing(build: str, heard: Collection[str]) -> list[str]:
    """For every input that was not heard, say where to measure. Raises NetlistError."""
    return [unheard(build, wire) for wire in INPUTS if wire not in heard]


def unheard(build: str, wire: str) -> str:
    """Where to measure when an input reports nothing. Raises NetlistError."""
    (pin,) = (one for one in nano_pins() if one.name == wire)
    (end,) = pin.ends(build)
    far = [one for one, _ in nets(build)[end] if one.part not in _BESIDE and one.ref[0] != "J"]
    what = " and ".join(f"{one.ref} ({parts()[one.part]['what']})" for one in far)
    beside = ", ".join(one.ref for one, _ in nets(build)[end] if one.part in _BESIDE)
    return (
        f"{name_of(wire)}: {what or 'nothing is wired'} by {_pole(build, pin)}. "
        f"{pin.pin} of U1: {pin.meter}. Beside it: {beside}"
    )


def _pole(build: str, pin: NanoPin) -> str:
    return next(
        f"{plug.ref} pole {plug.pins.index(end) + 1}"
        for plug in connectors(build)
        for end in pin.ends(build)
        if end in plug.pins
    )


def silent(build: str) -> str:
    """Where to measure when the board does not answer at all. Raises NetlistError."""
    fed = ", ".join(one.ref for one, _ in nets(build)["+5V_NANO"] if one.ref[0] in "DU")
    return (
        f"measure (build `{build}`, {fed}): pin 5V of U1 has 4.4 to 4.8 V on USB alone and 4.6 to "
        "5.1 V with the supply on; F1 under 0.15 V across it; hardware/WIRING.md has the rest"
    )


def wrong_lamps(build: str, lamps: LampBuild) -> str:
    """A sentence if the board's firmware is for other lamps than the board has; else nothing."""
    wanted = LAMPS[build]
    if lamps.name.lower() == wanted:
        return ""
    return (
        f"the firmware is for {lamps.name.lower()} lamps, and the build `{build}` has {wanted}: "
        f"`schlitten board flash --lamps {wanted}`"
    )
