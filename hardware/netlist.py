"""The board's netlist: every part with its pins and nets, from `board.toml` and `parts.toml`.

A net is a set of pins that are connected. There are two builds: `modules` (of bought modules) and
`board` (of single chips). A net whose name ends in `_X` leaves the box. A net whose name ends in
`_N` leads from a pin of the Nano, behind its guard, to chips in the box. The module knows no game.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

BUILDS: Final = ("modules", "board")
#: The firmware's build for each build of the board.
LAMPS: Final = {"modules": "apa102", "board": "hc595"}
HOLD: Final = "10 kΩ"
GND: Final = "GND"
RAIL: Final = "+5V"
NANO_5V: Final = "+5V_NANO"


class NetlistError(Exception):
    """An unknown build or part. The text lists those that exist."""


@dataclass(frozen=True, slots=True)
class Guard:
    """The protection between a terminal and its pin: ohms, nanofarads, the TVS diode's name."""

    pull_up_ohm: int = 0
    tvs: str = ""
    series_ohm: int = 0
    to_gnd_nf: int = 0

    @property
    def falling_us(self) -> float:
        """The time constant (µs) when the wire is pulled to 0 V."""
        return self.series_ohm * self.to_gnd_nf / 1000

    @property
    def rising_us(self) -> float:
        """The time constant (µs) when the wire is released."""
        return (self.pull_up_ohm + self.series_ohm) * self.to_gnd_nf / 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class NanoPin:
    """One pin of the Nano: the printed name, the chip's name for it (`B0` is PB0), and its guard.

    Attributes:
        active: the level at which an input is active.
        settle_ms: how long a sensor's contacts or light take to settle, or 0.
        reads: what an active sensor looks like, as in "reads as if the lid were open".
        inside, outside: the builds in which the pin leads to chips in the box, or out of the box.
        held: by build, the net to which a 10 kΩ resistor pulls the output while no program runs.
    """

    pin: str
    port: str
    way: str
    name: str
    guard: str
    meter: str
    to: str = ""
    active: str = "low"
    settle_ms: int = 0
    reads: str = ""
    inside: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    held: Mapping[str, str] = field(default_factory=dict)

    def ends(self, build: str) -> tuple[str, ...]:
        """The nets behind the guard: first the chips' net in the box, then the terminal's net.

        A net that the build does not have is left out.
        """
        if self.way == "in":
            return () if self.guard == "none" else (f"{self.name}_X",)
        inside = (f"{self.name}_N",) if build in self.inside else ()
        return inside + ((f"{self.name}_X",) if build in self.outside else ())


@dataclass(frozen=True, slots=True)
class ChainPin:
    """One pin of each chip of a chain.

    The nets `<` and `>` are the links to the chips before and after; `lamp0` to `lamp7` are the
    lamps.
    """

    number: int
    name: str
    type: str
    net: str
    meter: str


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain of chips of one kind. The data of each chip come from the chip before it."""

    refs: tuple[str, ...]
    builds: tuple[str, ...]
    first: str
    where: str
    pins: tuple[ChainPin, ...]


@dataclass(frozen=True, slots=True)
class Component:
    """One part. `pins` gives each pin's net by the pin's name; the net `""` means not connected."""

    ref: str
    part: str
    value: str
    pins: Mapping[str, str]
    where: str = "box"
    why: str = ""


@dataclass(frozen=True, slots=True)
class Connector:
    """One plug of the box, with its nets in the order of its poles."""

    ref: str
    part: str
    pins: tuple[str, ...]
    to: str
    wire_mm2: float
    longest_m: float
    builds: tuple[str, ...] = BUILDS


@cache
def tables() -> dict[str, Any]:
    """The whole content of `board.toml`."""
    return tomllib.loads(Path(__file__).with_name("board.toml").read_text("utf-8"))


@cache
def parts() -> dict[str, dict[str, Any]]:
    """Every kind of part, with the limits of its data sheet, by its name in `board.toml`."""
    text = Path(__file__).with_name("parts.toml").read_text("utf-8")
    found: dict[str, dict[str, Any]] = tomllib.loads(text)["part"]
    return found


def nano_pins() -> tuple[NanoPin, ...]:
    """All pins of the Nano in the file's order."""
    return tuple(NanoPin(**_tuples(row)) for row in tables()["nano"])


def guards() -> dict[str, Guard]:
    """Every guard, by its name in `board.toml`."""
    return {name: Guard(**row) for name, row in tables()["guard"].items()}


def chain(name: str) -> Chain:
    """The chain of that name: `hc595` or `max7219`."""
    row = _tuples(tables()["chain"][name])
    return Chain(**row | {"pins": tuple(ChainPin(**pin) for pin in row["pins"])})


def connectors(build: str) -> tuple[Connector, ...]:
    """Every plug of the box in that build."""
    found = (Connector(**_tuples(row)) for row in tables()["connector"])
    return tuple(one for one in found if build in one.builds)


def netlist(build: str) -> tuple[Component, ...]:
    """Every part of a build, in the order of their names. Raises NetlistError."""
    if build not in BUILDS:
        raise NetlistError(f"there is no build {build!r}: it is {' or '.join(BUILDS)}")
    found = [*_listed(build), *_chains(build), *_guarded(build), *_lamps(build), *_plugs(build)]
    return tuple(sorted(found, key=lambda one: _by_ref(one.ref)))


def nets(build: str) -> dict[str, tuple[tuple[Component, str], ...]]:
    """The pins of every net of a build, as (component, pin's name), by the net's name."""
    found: dict[str, list[tuple[Component, str]]] = defaultdict(list)
    for one in netlist(build):
        for pin, net in one.pins.items():
            if net:
                found[net].append((one, pin))
    return {net: tuple(pins) for net, pins in sorted(found.items())}


def _tuples(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}


def _by_ref(ref: str) -> tuple[str, int]:
    letters = ref.rstrip("0123456789")
    return letters, int(ref[len(letters) :])


def _listed(build: str) -> Iterator[Component]:
    for row in tables()["component"]:
        if build in row.get("builds", BUILDS):
            for ref in row["refs"]:
                value, where = row.get("value", ""), row.get("where", "box")
                yield Component(ref, row["part"], value, row["pins"], where, row["why"])
    free = {"3V3": "", "REF": "", "VIN": "", "RST": "", "A6": "", "A7": ""}
    wired = {one.pin: "" if one.guard == "none" else one.name for one in nano_pins()}
    pins = wired | {"5V": NANO_5V, "GND": GND} | free
    yield Component("U1", "nano", "", pins, why="the table board itself")


def _chains(build: str) -> Iterator[Component]:
    for name in tables()["chain"]:
        row = chain(name)
        if build not in row.builds:
            continue
        for at, ref in enumerate(row.refs):
            last = at == len(row.refs) - 1
            links = {
                "<": row.first if not at else f"{row.refs[at - 1]}_OUT",
                ">": "" if last else f"{ref}_OUT",
            }
            lamps = {f"lamp{n}": lamp_net(at * 8 + n) for n in range(8)}
            pins = {pin.name: (links | lamps).get(pin.net, pin.net) for pin in row.pins}
            yield Component(ref, name, "", pins, row.where, f"number {at + 1} of its chain")


def lamp_net(output: int) -> str:
    """The net at an output of the 74HC595, counted from QA of the first chip; "" if it is free."""
    seat, colour = divmod(output, 3)
    return f"LAMP_{seat + 1}_{('RED', 'GREEN', 'BLUE')[colour]}" if seat < 12 else ""


def _guarded(build: str) -> Iterator[Component]:
    """Yield the guards of the Nano's pins.

    Also yield the parts that fix the Nano's outputs while no program runs.
    """
    counts: dict[str, int] = {"R": 100, "C": 100, "D": 100}

    def one(letter: str, value: str, ends: tuple[str, str], why: str) -> Component:
        counts[letter] += 1
        part = {"R": "resistor", "C": "ceramic", "D": "tvs"}[letter]
        pins = dict(zip("12", ends, strict=True))
        return Component(f"{letter}{counts[letter]}", part, value, pins, why=why)

    for pin in nano_pins():
        guard = guards()[pin.guard]
        for end in pin.ends(build):
            if guard.pull_up_ohm:
                yield one("R", ohm(guard.pull_up_ohm), (NANO_5V, end), "pull-up")
            if guard.tvs and end.endswith("_X"):
                yield one("D", "", (end, GND), f"sparks on {end}")
            yield one("R", ohm(guard.series_ohm), (pin.name, end), "in series")
            if guard.to_gnd_nf:
                yield one("C", f"{guard.to_gnd_nf} nF", (pin.name, GND), "at the pin")
            if pin.held:
                yield one("R", HOLD, (end, pin.held[build]), f"holds {pin.name} in reset")


def _lamps(build: str) -> Iterator[Component]:
    """Yield the resistors, diodes and LEDs at the 74HC595."""
    if build not in chain("hc595").builds:
        return
    guard = guards()["lamp"]
    for output in range(36):
        net = lamp_net(output)
        ends = {"1": net, "2": f"{net}_X"}
        yield Component(f"R{201 + output}", "resistor", ohm(guard.series_ohm), ends, why=net)
        ends = {"1": f"{net}_X", "2": GND}
        yield Component(f"D{201 + output}", "tvs", "", ends, why=f"sparks on {net}_X")
    for seat in range(12):
        wires = {letter: f"{lamp_net(seat * 3 + n)}_X" for n, letter in enumerate("RGB")}
        pins = wires | {"K": GND}
        yield Component(f"D{301 + seat}", "rgb", "", pins, "table", f"seat {seat + 1}")


def _plugs(build: str) -> Iterator[Component]:
    for one in connectors(build):
        pins = {str(pole): net for pole, net in enumerate(one.pins, 1)}
        value = f"{len(one.pins)} poles"
        yield Component(one.ref, one.part, value, pins, why=f"to {one.to}")


def pin_type(part: str, pin: str) -> str:
    """A pin's electrical type in KiCad's words: input, output, power_in or passive."""
    if part in tables()["chain"]:
        return next((one.type for one in chain(part).pins if one.name == pin), "passive")
    return str(parts()[part].get("types", {}).get(pin, "passive"))


def ohm(value: int) -> str:
    """A resistance as people write it: 4.7 kΩ, 330 Ω."""
    return f"{value / 1000:g} kΩ" if value >= 1000 else f"{value} Ω"


def amount(value: str) -> float:
    """The number in a value such as 4.7 kΩ, 100 nF or T1A, in ohms, farads or amperes."""
    text = value.removeprefix("T").replace(" ", "").replace("mA", "m").rstrip("ΩFA")
    scale = {"k": 1e3, "m": 1e-3, "µ": 1e-6, "n": 1e-9}
    return float(text.rstrip("kmµn")) * scale.get(text[-1], 1.0)
