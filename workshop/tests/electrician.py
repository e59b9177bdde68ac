"""An electrician's checks of the netlist. Each check yields its complaints, in words.

They take any `Circuit`, so that a test can also give them a circuit with a mistake in it.
"""

from __future__ import annotations

from collections.abc import Iterator

from hardware.netlist import (
    GND,
    HOLD,
    NANO_5V,
    RAIL,
    amount,
    connectors,
    guards,
    nano_pins,
    pin_type,
    tables,
)
from workshop.board import circuit
from workshop.board.circuit import Circuit, limits, supply

HALF_NS = 500  # of a bit, on both clocked lines: test_circuit.py compares the firmware
CARRIES = 0.75  # of its rating, for a fuse that is to last
AMPS_A_MM2 = 10  # a thin wire in the open, for the two minutes until a fuse blows
TWO_MINUTES = 2.1  # times its rating: IEC 60127-2, sheet 3
OUTPUTS = [pin for pin in nano_pins() if pin.way == "out" and pin.guard != "none"]
INPUTS = [pin for pin in nano_pins() if pin.way == "in" and pin.guard != "none"]


def guarded(board: Circuit) -> Iterator[str]:
    """Every wire that leaves the box has its TVS, and a supply its surge diode."""
    for net in circuit.leaving(board):
        if net in (RAIL, "LIGHT"):
            if not board.between(net, GND, "surge"):
                yield f"{net} leaves the box without a surge diode"
        elif net == "V_IN":
            if not board.on(net, "pmos"):
                yield "nothing stands behind the supply's plug"
        elif not board.between(net, GND, "tvs"):
            yield f"{net} leaves the box without a TVS"
    for part in ("tvs", "surge"):
        if limits(part)["breakdown_v"] <= supply("rail")[1]:
            yield f"{part} leads at the rail's own voltage"


def sparks(board: Circuit) -> Iterator[str]:
    """What a TVS lets past is bounded by the resistor before the pin."""
    over = limits("tvs")["clamp_v"] - supply("nano")[1] - circuit.DIODE_V
    for pin in [*OUTPUTS, *INPUTS]:
        for end in pin.ends(board.build):
            if end.endswith("_X"):
                past = over / board.ohms(pin.name, end) * 1000
                if past > limits("nano")["io_ma"]:
                    yield f"{pin.name} takes {past:.0f} mA of a spark"


def held(board: Circuit) -> Iterator[str]:
    """Every input and output has a level while no program runs, and the right one."""
    for pin in INPUTS:
        (end,) = pin.ends(board.build)
        if board.ohms(NANO_5V, end) > 10_000:
            yield f"{pin.name} floats in reset"
    for pin in OUTPUTS:
        for end in pin.ends(board.build):
            if board.ohms(end, pin.held[board.build]) != amount(HOLD):
                yield f"{end} floats in reset"
    for net, pins in board.nets.items():
        if net and all(pin_type(one.part, pin) == "input" for one, pin in pins):
            yield f"nothing drives {net}"


def levels(board: Circuit) -> Iterator[str]:
    """A high line is high at every chip behind it, and a spoken input low for the Nano."""
    for pin in OUTPUTS:
        for end in pin.ends(board.build):
            if circuit.receivers(board, end) and circuit.rise_ns(board, pin.name, end) > 1e9:
                yield f"{end} never becomes high at its chips"
    lit = circuit.beam_light_ma(board)
    needed, still = circuit.pulled_up_ma(board, "EXIT_BEAM_X", "EXIT_BEAM")
    if lit < 1.5 * needed:
        yield f"the beam gives {lit:.1f} mA and needs {needed:.1f}, with half of it to spare"
    if limits("phototransistor")["dark_na"] / 1e6 > still / 100:
        yield "a dark phototransistor pulls the input down"


def edges(board: Circuit) -> Iterator[str]:
    """Clock and data have settled at the farthest chip within half a bit."""
    lines = (
        ("SCK", "MOSI") if board.build == "board" else ("SCK", "MOSI", "LAMP_ENABLE", "LAMP_LATCH")
    )
    for name in lines:
        for end in circuit.pin_named(name).ends(board.build):
            chips = circuit.receivers(board, end)
            own = max(limits(one.part).get("clock_high_ns", 0) for one in chips)
            own = max(own, *(limits(one.part).get("setup_ns", 0) for one in chips))
            slow = max(circuit.rise_ns(board, name, end), circuit.fall_ns(board, name, end))
            if slow + own > HALF_NS:
                yield f"{end} needs {slow + own:.0f} ns of {HALF_NS}"


def currents(board: Circuit) -> Iterator[str]:
    """No pin, chip or lamp carries more than its data sheet allows."""
    dead = 0.0
    for pin in OUTPUTS:
        volts = supply("nano")[1] - circuit.DIODE_V
        ends = pin.ends(board.build)
        own = sum(volts / board.ohms(pin.name, end) * 1000 for end in ends)
        dead += own
        if own > limits("nano")["io_ma"]:
            yield f"{pin.name} gives {own:.0f} mA while the rail is dead"
        for end in ends:
            into = volts / board.ohms(pin.name, end) * 1000
            if circuit.receivers(board, end) and into > 20:
                yield f"{into:.0f} mA get into the chips at {end} while the rail is dead"
    if dead > limits("nano")["all_io_ma"]:
        yield f"the Nano gives {dead:.0f} mA while the rail is dead"
    red, blue = circuit.lamp_ma("red"), circuit.lamp_ma("blue")
    if max(red, blue) > limits("rgb")["lamp_ma"]:
        yield f"an LED takes {red:.0f} mA"
    for chip in board.of("hc595"):
        lit = sum(
            red if net.endswith("RED") else blue for net in chip.pins.values() if "LAMP_" in net
        )
        if lit > limits("hc595")["all_ma"]:
            yield f"{chip.ref} gives {lit:.0f} mA"
    if circuit.beam_ma(board) > limits("infrared")["lamp_ma"] / 2:
        yield "the beam's LED does not last"
    base = (supply("nano")[0] - limits("npn")["base_v"]) / board.ohms("BUZZER", "BUZZER_N")
    if base * limits("npn")["gain"] * 1000 < 3 * limits("buzzer")["own_ma"]:
        yield "Q2 does not open for the buzzer"


def fuses(board: Circuit) -> Iterator[str]:
    """A fuse carries its load for years, and blows before a wire glows."""
    (fuse,) = board.between("V_OK", RAIL, "fuse")
    rating, load = amount(fuse.value), sum(circuit.takes_ma(board).values()) / 1000
    if load > CARRIES * rating:
        yield f"{fuse.ref} carries {load:.2f} A of {rating:g}"
    if limits("fuse")["blows"] * rating > 3.0:
        yield f"a supply of 3 A does not blow {fuse.ref}"
    for one in connectors(board.build):
        if RAIL in one.pins and TWO_MINUTES * rating > AMPS_A_MM2 * one.wire_mm2:
            yield f"the wire of {one.ref} glows before {fuse.ref} blows"


def light(board: Circuit) -> Iterator[str]:
    """The light's fuse carries the mean and blows at a short; a light that sticks kills nothing."""
    rating, said = circuit.strobe(board)
    if said.rms_a > CARRIES * rating:
        yield f"F2 carries {said.rms_a / rating:.1f} times its rating"
    if said.short_a < limits("fuse")["blows"] * rating:
        yield "a short in the Schlitten does not blow F2"
    own = 2 * limits("led_strip")["own_ma"] / 1000
    if said.stuck_a > own:
        yield f"a light that sticks gets {said.stuck_a:.2f} A, and stands {own:g}"
    (resistor,), (fuse,) = board.on("LIGHT", "resistor_2w"), board.on("LIGHT", "fuse")
    filling = amount(resistor.value) + limits("fuse")["ohm"][fuse.value]
    farads = sum(amount(one.value) for one in board.on("LIGHT_C", "electrolytic"))
    if said.short_a**2 * filling * farads / 2 > limits("fuse")["bears_a2s"][fuse.value]:
        yield "F2 blows when the reservoir is filled"
    if said.short_a**2 * amount(resistor.value) > limits("resistor_2w")["watts"]:
        yield f"{resistor.ref} burns before F2 blows"
    if said.led_a < 0.75 * own:
        yield "the reservoir is empty before the flash ends"
    if board.ohms("STROBE_G", GND) == float("inf"):
        yield "the light's gate floats"


def reservoirs(board: Circuit) -> Iterator[str]:
    """470 µF for each display and the rail, 100 nF for each chip, a diode for the coil."""
    large = [one for one in board.between(RAIL, GND, "electrolytic") if amount(one.value) >= 470e-6]
    if sum(one.where == "table" for one in large) < len(board.of("max7219")) + len(
        board.of("apa102")
    ):
        yield "a display has no 470 µF of its own"
    if not any(one.where == "box" for one in large):
        yield "the rail has no 470 µF"
    small = len(board.between(RAIL, GND, "ceramic"))
    if small < sum(len(board.of(chip)) for chip in ("hc595", "max7219", "apa102")):
        yield "a chip has no 100 nF of its own"
    if not board.between("BUZZER_K", RAIL, "diode"):
        yield "the buzzer's coil has no diode"


def the_right_way_round(board: Circuit) -> Iterator[str]:
    """Q1, the diodes and the electrolytics by their pins; the gate within what Q1 stands."""
    for ref, wanted in {
        "Q1": {"G": "GATE", "D": "V_IN", "S": "V_OK"},
        "D1": {"A": RAIL, "K": NANO_5V},
        "D2": {"A": GND, "K": RAIL},
        "D4": {"A": "BUZZER_K", "K": RAIL},
        "C13": {"1": "LIGHT_C", "2": GND},
    }.items():
        if not any(one.ref == ref and dict(one.pins) == wanted for one in board.components):
            yield f"{ref} is not as it must be"
    if supply("rail")[1] > limits("pmos")["gate_v"]:
        yield "Q1's gate does not stand the supply"
    if guards()["line"].series_ohm * 40e-3 < 1:
        yield "a line has no resistor to speak of"


def drops(board: Circuit) -> Iterator[str]:
    """At full load every plug's far end and the Nano still have what is reckoned with."""
    found = circuit.far_v(board)
    for ref, volts in found.items():
        if volts < supply("rail")[0]:
            yield f"{volts:.2f} V at the far end of {ref or 'the fuse'}"
    if found[""] - limits("schottky")["forward_v"] < supply("nano")[0]:
        yield f"the Nano has {found[''] - limits('schottky')['forward_v']:.2f} V"
    if tables()["supply"]["adjusted"][1] > supply("rail")[1]:
        yield "the supply may give more than the rail may have"


CHECKS = (
    guarded, sparks, held, levels, edges, currents, fuses, drops, light, reservoirs,
    the_right_way_round,
)  # fmt: skip
