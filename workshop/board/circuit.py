"""Calculates the behaviour of the netlist's circuit: levels, edges, currents, fuses, the strobe.

This is plain arithmetic on `hardware/netlist.py` and the data sheets' figures in
`hardware/parts.toml`, for the worst of the supplies that `board.toml` allows.
`workshop/tests/test_circuit.py` compares the results with the parts' limits. The firmware's header
and BUILD's tables take their figures from this module.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from hardware.netlist import (
    GND,
    NANO_5V,
    RAIL,
    Component,
    Connector,
    NanoPin,
    amount,
    connectors,
    guards,
    nano_pins,
    netlist,
    parts,
    tables,
)
from workshop.schlitten import plan

#: Data lines change half a bit before the clock. Both halves of a bit are equally long.
HALVES: Final = 2
DIODE_V: Final = 0.7  # an input's clamp diode
COPPER: Final = 0.0178  # ohms per metre at 1 mm²
INTENSITIES: Final = 16  # of a MAX7219: duty (2 n + 1) / 32
FLASH_US, FLASHES_A_SECOND = 500.0, 120.0


def limits(part: str) -> dict[str, Any]:
    """The limits in the data sheet of that kind of part, by their names in `parts.toml`."""
    return parts()[part]


@dataclass(frozen=True)
class Circuit:
    """A build's parts. Tests also make circuits with a wrong part, to see that it is found."""

    build: str
    components: Sequence[Component]

    @cached_property
    def nets(self) -> dict[str, list[tuple[Component, str]]]:
        """The pins of every net, as (component, pin's name)."""
        found: dict[str, list[tuple[Component, str]]] = {}
        for one in self.components:
            for pin, net in one.pins.items():
                found.setdefault(net, []).append((one, pin))
        return found

    def on(self, net: str, part: str = "") -> list[Component]:
        """The parts at a net. If `part` is given, only the parts of that kind."""
        return [one for one, _ in self.nets.get(net, []) if part in ("", one.part)]

    def between(self, a: str, b: str, part: str = "") -> list[Component]:
        """The parts that join two nets. If `part` is given, only the parts of that kind."""
        there = {one.ref for one in self.on(b)}
        return [one for one in self.on(a, part) if one.ref in there]

    def of(self, part: str) -> list[Component]:
        """All parts of the kind `part`."""
        return [one for one in self.components if one.part == part]

    def ohms(self, a: str, b: str) -> float:
        """The least resistance of the resistors between two nets; infinite if there is none."""
        kinds = ("resistor", "resistor_2w")
        found = [amount(one.value) for one in self.between(a, b) if one.part in kinds]
        return min(found, default=math.inf)


def circuit(build: str) -> Circuit:
    """The circuit of a build, as its netlist has it."""
    return Circuit(build, netlist(build))


def supply(which: str) -> tuple[float, float]:
    """The lowest and the highest voltage of the supply `rail` or `nano`."""
    least, most = tables()["supply"][which]
    return least, most


def pin_named(name: str) -> NanoPin:
    """The Nano's pin of that name."""
    return next(pin for pin in nano_pins() if pin.name == name)


# --- lines to chips ---------------------------------------------------------------------------


def line_pf(board: Circuit, end: str) -> float:
    """The load (pF) of a line: its wire if it leaves the box, the TVS diode, and every input.

    `end` is the net at the line's end.
    """
    facts = tables()["supply"]
    wire = facts["wire_pf_per_m"] * facts["wire_m"] if end.endswith("_X") else 0.0
    return float(wire + sum(_pin_pf(one) for one, _ in board.nets[end]))


def _pin_pf(one: Component) -> float:
    figures = limits(one.part)
    return float(figures.get("pf", figures.get("input_pf", 0)))


def rise_ns(board: Circuit, name: str, end: str) -> float:
    """The worst time (ns) from the pin's edge until the last chip at the line's end reads high.

    The Nano is then at its lowest voltage, and the chips are at their highest. `name` is the pin's
    name, and `end` the net at the line's end.
    """
    series, hold = board.ohms(name, end), board.ohms(end, GND)
    volts = supply("nano")[0] * (hold / (hold + series) if hold < math.inf else 1.0)
    needed = max(_high_v(one.part) for one in receivers(board, end))
    if needed >= volts:
        return math.inf
    return series * line_pf(board, end) / 1000 * math.log(volts / (volts - needed))


def fall_ns(board: Circuit, name: str, end: str) -> float:
    """The worst time (ns) from the pin's edge until the last chip at the line's end reads low.

    `name` is the pin's name, and `end` the net at the line's end.
    """
    needed = min(_low_v(one.part) for one in receivers(board, end))
    return board.ohms(name, end) * line_pf(board, end) / 1000 * math.log(supply("nano")[1] / needed)


def receivers(board: Circuit, end: str) -> list[Component]:
    """The chips with an input at that end of a line."""
    return [
        one for one in board.on(end) if "vih" in limits(one.part) or "vih_v" in limits(one.part)
    ]


def _high_v(part: str) -> float:
    figures = limits(part)
    return float(figures.get("vih_v") or figures["vih"] * supply("rail")[1])


def _low_v(part: str) -> float:
    figures = limits(part)
    share = figures.get("vil", 0.3)
    return float(figures.get("vil_v") or share * supply("rail")[0])


def least_pulse_ns(build: str, name: str, board: Circuit | None = None) -> int:
    """The shortest high pulse of a pin, in nanoseconds, that every chip at its far end sees."""
    board = board or circuit(build)
    found = 0.0
    for end in pin_named(name).ends(build):
        own = max(limits(one.part).get("clock_high_ns", 0) for one in receivers(board, end))
        found = max(found, rise_ns(board, name, end) + own)
    return math.ceil(found) if found < math.inf else 10**9


# --- currents ---------------------------------------------------------------------------------


def lamp_ma(colour: str) -> float:
    """The greatest current of one LED at a 74HC595, in milliamperes. `colour` is red or blue."""
    drop = limits("rgb")[f"{colour}_v"][0]
    return float((supply("rail")[1] - drop) / guards()["lamp"].series_ohm * 1000)


def display_ma() -> float:
    """The current, in milliamperes, of a display of all eights at the firmware's intensity."""
    duty = (2 * tables()["settings"]["max7219_intensity"] + 1) / (2 * INTENSITIES)
    return float(7 * limits("max7219")["segment_ma"] * duty + limits("max7219")["own_ma"])


def lamps_ma(build: str) -> float:
    """The current of twelve white lamps, in milliamperes."""
    if build == "board":
        return 12 * (lamp_ma("red") + 2 * lamp_ma("blue"))
    share = tables()["settings"]["apa102_brightness"] / 31
    return 12 * float(limits("apa102")["lamp_ma"] * share + limits("apa102")["own_ma"])


def beam_ma(board: Circuit) -> float:
    """The current of the beam's LED at the rail's greatest voltage, in milliamperes."""
    volts = supply("rail")[1] - limits("infrared")["forward_v"]
    return float(volts / board.ohms(RAIL, "BEAM_A") * 1000)


def takes_ma(board: Circuit) -> dict[str, float]:
    """The greatest current of each consumer on the rail behind F1, in milliamperes."""
    return {
        "Nano and the inputs' pull-ups": 25 + _pull_ups_ma(board),
        "12 lamps, all white": lamps_ma(board.build),
        "2 displays, all eights": 2 * display_ma(),
        "buzzer": float(limits("buzzer")["own_ma"]),
        "beam": beam_ma(board),
    }


def _pull_ups_ma(board: Circuit) -> float:
    found = (amount(one.value) for one in board.on(NANO_5V, "resistor"))
    return sum(supply("nano")[1] / ohms * 1000 for ohms in found)


def drop_ohm(one: Connector) -> float:
    """The resistance, in ohms, of a plug's cable at its greatest length, there and back."""
    return 2 * COPPER * one.longest_m / one.wire_mm2


def far_v(board: Circuit, volts: float | None = None) -> dict[str, float]:
    """The rail's voltage at the far end of each plug that has the rail, at full load.

    The voltage in the box has the key "". `volts` is the supply's voltage. If it is not given, the
    lowest voltage to which the supply may be adjusted is used.
    """
    takes, (_, light) = takes_ma(board), strobe(board)
    load = sum(takes.values()) / 1000
    ends = {one.ref: one for one in connectors(board.build)}
    (fuse,) = board.between("V_OK", RAIL, "fuse")
    rail = volts or tables()["supply"]["adjusted"][0]
    rail -= (load + light.mean_a) * (drop_ohm(ends["J1"]) + limits("pmos")["ohm"])
    rail -= load * limits("fuse")["ohm"][fuse.value]
    behind = {"J3": "beam", "J4": "2 displays, all eights", "J5": "12 lamps, all white"}
    return {"": rail} | {
        ref: rail - takes[behind[ref]] / 1000 * drop_ohm(one)
        for ref, one in ends.items()
        if RAIL in one.pins
    }


# --- the strobe -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Flashes:
    """The strobe's currents in its steady state, in amperes.

    `mean_a` is the fuse's average current, and `rms_a` the steady current that would heat the fuse
    as much. `led_a` is the LEDs' least current during a flash. `stuck_a` is the current of a light
    that never goes out, and `short_a` the current of a short circuit behind R3.
    """

    mean_a: float
    rms_a: float
    led_a: float
    stuck_a: float
    short_a: float = math.inf


def flashes(
    ohms: float, farads: float, *, us: float = FLASH_US, rate: float = FLASHES_A_SECOND
) -> Flashes:
    """The strobe's currents with `ohms` before a reservoir of `farads` (0: no reservoir).

    `us` is the length of a flash in microseconds, `rate` the number of flashes a second.
    """
    volts, strip = supply("rail")[1], limits("led_strip")
    own = (5.0 - strip["volts"]) / (2 * strip["own_ma"] / 1000)
    stuck = (volts - strip["volts"]) / (own + ohms)
    lit = us * rate / 1e6
    if not farads:
        return Flashes(stuck * lit, stuck * math.sqrt(lit), stuck, stuck)
    lights = (int(us / 5), int(1e6 / rate / 5))  # in steps of 5 µs
    return Flashes(*_stepped(volts, own, ohms, farads, lights), stuck, volts / ohms)


def _stepped(
    volts: float, own: float, ohms: float, farads: float, lights: tuple[int, int]
) -> tuple[float, float, float]:
    """Return `mean_a`, `rms_a` and `led_a` of `Flashes`, by a simulation in small steps of time.

    `lights` are the numbers of steps of a flash, and from one flash to the next. `own` is the LEDs'
    own resistance in ohms.
    """
    lit_steps, steps = lights
    step = 5e-6
    held, total, heat, least, count = volts, 0.0, 0.0, math.inf, 20 * steps
    for at in range(40 * steps):
        lit = at % steps < lit_steps
        charge = (volts - held) / ohms
        led = max(0.0, held - limits("led_strip")["volts"]) / own if lit else 0.0
        held += (charge - led) * step / farads
        if at >= count:  # the currents have settled by then
            total, heat = total + charge, heat + charge**2
            least = min(least, led) if lit else least
    return total / count, math.sqrt(heat / count), least


def strobe(board: Circuit) -> tuple[float, Flashes]:
    """The rating of the light's fuse in amperes, and the strobe's currents, by the netlist."""
    (resistor,), (fuse,) = board.on("LIGHT", "resistor_2w"), board.on("LIGHT", "fuse")
    farads = sum(amount(one.value) for one in board.on("LIGHT_C", "electrolytic"))
    ohms = amount(resistor.value) + limits("fuse")["ohm"][fuse.value]
    return amount(fuse.value), flashes(ohms, farads)


# --- the beam ---------------------------------------------------------------------------------


def beam_light_ma(board: Circuit) -> float:
    """The phototransistor's current, in milliamperes, while no card is in the beam.

    It is the least that the data sheet promises.
    """
    figures, eye = limits("infrared"), limits("phototransistor")
    share = plan.beam_share(figures["across_mm"], eye["across_mm"])
    least_ma = (supply("rail")[0] - figures["forward_v"]) / board.ohms(RAIL, "BEAM_A") * 1000
    per_sr = figures["mw_per_sr_at_100_ma"] * least_ma / 100
    per_cm2 = per_sr / (math.dist(plan.EMITTER, plan.RECEIVER) / 10) ** 2 * share
    return float(per_cm2 * eye["ma_per_mw_cm2"])


def pulled_up_ma(board: Circuit, end: str, name: str) -> tuple[float, float]:
    """Return the current (mA) that surely pulls an input low, and that which leaves it surely high.

    The chip's own pull-up adds to the resistor at the terminal. The input is low below `vil` and
    high above `vih`, shares of the Nano's supply.
    """
    nano, series = limits("nano"), board.ohms(name, end)
    outside = board.ohms(NANO_5V, end)
    volts = supply("nano")[1]
    both = 1 / (1 / outside + 1 / (nano["internal_pull_up_ohm"] + series))
    return (1 - nano["vil"]) * volts / both * 1000, (1 - nano["vih"]) * volts / outside * 1000


def leaving(board: Circuit) -> Iterator[str]:
    """Yield every net that leaves the box by a plug, except GND."""
    for one in connectors(board.build):
        yield from (net for net in one.pins if net != GND)
