"""Says what to measure when something on the board fails: the part, the plug and the right reading.

These follow from the netlist of the build that the table's settings name. The module knows no game.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from firmware_bridge.messages import Cause, LampBuild, Sensor, Status
from hardware.netlist import (
    LAMPS,
    Component,
    NanoPin,
    chain,
    connectors,
    lamp_net,
    nano_pins,
    netlist,
    nets,
    parts,
)

#: The name of a Nano's wire in a report or a picture.
INPUTS: Final = tuple(
    pin.name for pin in nano_pins() if pin.way == "in" and pin.guard not in ("none", "")
)
_ACTIVE: Final = {Sensor[pin.name]: pin.reads for pin in nano_pins() if pin.settle_ms}
_BESIDE: Final = ("resistor", "ceramic", "tvs")


def name_of(wire: str) -> str:
    """A wire's everyday name, such as "button 3" or "exit beam"."""
    if wire.startswith("BUTTON_"):
        return f"button {int(wire.removeprefix('BUTTON_')) + 1}"
    return Sensor[wire].name.lower().replace("_", " ")


def missing(build: str, heard: Collection[str]) -> list[str]:
    """Say where to measure each wired input that reported nothing. Raises NetlistError.

    `heard` are the names of the wires that did report.
    """
    return [unheard(build, wire) for wire in INPUTS if wire not in heard and _far(build, wire)]


def _far(build: str, wire: str) -> list[Component]:
    """The parts outside the box to which an input's wire leads. A spare wire leads to none."""
    (pin,) = (one for one in nano_pins() if one.name == wire)
    (end,) = pin.ends(build)
    return [one for one, _ in nets(build)[end] if one.part not in _BESIDE and one.ref[0] != "J"]


def unheard(build: str, wire: str) -> str:
    """Say where to measure when an input reports nothing. Raises NetlistError."""
    (pin,) = (one for one in nano_pins() if one.name == wire)
    (end,) = pin.ends(build)
    far = _far(build, wire)
    what = " and ".join(f"{one.ref} ({parts()[one.part]['what']})" for one in far)
    beside = ", ".join(one.ref for one, _ in nets(build)[end] if one.part in _BESIDE)
    return (
        f"{name_of(wire)}: {what or 'nothing is wired'} by {_pole(build, pin)}. "
        f"{pin.pin} of U1: {pin.meter}. Beside it: {beside}"
    )


def at_rest(build: str, status: Status, *, beam: bool) -> list[str]:
    """Say where to measure each input that a board at rest should not report as active.

    At rest no button is pressed, the lid is shut, nothing is in the beam (if there is one), and no
    white cut card is before its sensor. Raises NetlistError.
    """
    buttons = [f"BUTTON_{bit}" for bit in range(8) if status.pressed >> bit & 1]
    found = [f"reads as pressed: {unheard(build, wire)}" for wire in buttons]
    found += [
        f"reads as if {said}: {unheard(build, sensor.name)}"
        for sensor, said in _ACTIVE.items()
        if status.is_active(sensor) and (beam or sensor is not Sensor.EXIT_BEAM)
    ]
    if status.cause is Cause.BROWN_OUT:
        found.append(
            "its supply fell too low and it restarted: pin 5V of U1 has at least 4.6 V with all "
            "lamps and digits lit; D1, F1, and the wires of J1 and J4"
        )
    return found


def unseen(build: str, asked: str) -> str:
    """Say where to measure when a person did not see a picture of `schlitten board test`.

    `asked` is what the person should have seen. The result is "" if everything should have been
    dark.
    """
    first, _, rest = asked.partition(" ")
    if first == "seat":
        return _lamp(build, int(rest.split()[0]))
    if first == "buzzer":
        return "BZ1, Q2, D4: D3 of U1 has 5 V while it sounds"
    if "lamps" in asked:
        return _lamp(build, 1) if LAMPS[build] == "apa102" else _drivers(build)
    if "digit" in asked or "display" in asked:
        return (
            f"{' and '.join(chain('max7219').refs)} by J4: 4.9 to 5.2 V at VCC; the chain goes on "
            "from DOUT of the first"
        )
    return ""


def _drivers(build: str) -> str:
    refs = [one.ref for one in netlist(build) if one.part == "hc595"]
    return f"{refs[0]} to {refs[-1]}: OE has 0 V while the firmware runs, SRCLR and VCC have 5 V"


def _lamp(build: str, seat: int) -> str:
    """Say where to measure when a seat's lamp stays dark."""
    if LAMPS[build] == "apa102":
        (strip,) = (one for one in netlist(build) if one.part == "apa102")
        return (
            f"lamp {seat} of {strip.ref} by J5: 4.9 to 5.2 V at its 5V, and DO and CO of the lamp "
            "before it"
        )
    wires = [lamp_net(3 * (seat - 1) + colour) for colour in range(3)]
    refs = [one.ref for wire in wires for one, _ in nets(build)[wire]]
    (led,) = {one.ref for one, _ in nets(build)[f"{wires[0]}_X"] if one.part == "rgb"}
    plug = next(one.ref for one in connectors(build) if f"{wires[0]}_X" in one.pins)
    return f"{led} by {plug}, {', '.join(dict.fromkeys(refs))}: 5 V at the chip's output while lit"


def _pole(build: str, pin: NanoPin) -> str:
    return next(
        f"{plug.ref} pole {plug.pins.index(end) + 1}"
        for plug in connectors(build)
        for end in pin.ends(build)
        if end in plug.pins
    )


def silent(build: str) -> str:
    """Say where to measure when the board does not answer at all. Raises NetlistError."""
    fed = ", ".join(one.ref for one, _ in nets(build)["+5V_NANO"] if one.ref[0] in "DU")
    return (
        f"Measure (build `{build}`, {fed}): pin 5V of U1 has 4.4 to 4.8 V on USB alone and 4.6 to "
        "5.1 V with the supply on; F1 under 0.15 V across it; hardware/WIRING.md has the rest"
    )


def wrong_lamps(build: str, lamps: LampBuild) -> str:
    """A sentence if the board's firmware is for other lamps than the build has; else ""."""
    wanted = LAMPS[build]
    if lamps.name.lower() == wanted:
        return ""
    return (
        f"has firmware for {lamps.name.lower()} lamps, and the build `{build}` has {wanted}: "
        f"`schlitten board flash --lamps {wanted}`"
    )
