"""The wiring tables, parts lists and prices of WIRING.md and BUILD.md, from the netlist."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from hardware import netlist
from hardware.netlist import BUILDS, Component, NanoPin, chain, connectors, guards, nano_pins, parts
from hardware.pins import PiPin, pi_pins
from workshop.board import circuit

#: The ways to build, and the words for them. The last two use these builds of the netlist.
WAYS: Final = {
    "webcam": "a webcam and a box",
    "converted": "a converted shoe",
    "printed": "the printed Schlitten",
}
OF_THE_NETLIST: Final = "modules"
_PLACES: Final = {"box": "the box", "table": "the table", "schlitten": "the Schlitten"}


def table(head: str, rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table. `head` contains the headings, with bars between them."""
    columns = head.count("|") + 1
    lines = [f"| {head} |", "|" + "---|" * columns]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def nano_table() -> str:
    """A table of the Nano's pins and the meter's reading at each."""

    def row(pin: NanoPin) -> tuple[str, ...]:
        wire = (pin.pin, f"P{pin.port}", pin.way, pin.name, goes_to(pin))
        return *wire, pin.guard, held_by(pin), pin.meter

    head = "Nano | chip | way | name | goes to | guard | held by | a meter shows"
    return table(head, map(row, nano_pins()))


def goes_to(pin: NanoPin) -> str:
    """The parts at the other end of a pin's wire; with the build's name if the builds differ."""
    if pin.to:
        return pin.to
    said = {build: _ends(pin, build) for build in BUILDS}
    if len({*said.values()}) == 1:
        return said[BUILDS[0]]
    return "; ".join(f"`{build}`: {words}" for build, words in said.items())


def _ends(pin: NanoPin, build: str) -> str:
    at, found = netlist.nets(build), defaultdict[str, list[str]](list)
    for end in pin.ends(build):
        for one, leg in at[end]:
            if one.part not in ("resistor", "ceramic", "tvs") and one.ref[0] != "J":
                if pin.way == "in":
                    found[f"{one.why.partition(':')[0]},"].append(one.ref)
                else:
                    found[f"{leg} of"].append(one.ref)
    wired = [f"{leg} {span(refs)}" for leg, refs in found.items()]
    plugs = [
        f"{one.ref} pole {pole}"
        for one in connectors(build)
        for pole, net in enumerate(one.pins, 1)
        if net in pin.ends(build)
    ]
    if not wired:
        return f"{plugs[0]}, spare"
    return ", ".join(wired) + (f" by {plugs[0]}" if plugs else "")


def held_by(pin: NanoPin) -> str:
    """The part that keeps an output of the Nano at its level while no program runs."""
    said = {build: f"10 kΩ to {net.lstrip('+')}" for build, net in pin.held.items()}
    if len({*said.values()}) < 2:
        return next(iter(said.values()), "")
    return "; ".join(f"`{build}`: {words}" for build, words in said.items())


def span(refs: Iterable[str]) -> str:
    """References, with a run written as first to last: C2, R101 to R104."""
    runs: list[list[tuple[str, int]]] = []
    for ref in dict.fromkeys(refs):
        letters = ref.rstrip("0123456789")
        number = int(ref[len(letters) :])
        if runs and runs[-1][-1] == (letters, number - 1):
            runs[-1].append((letters, number))
        else:
            runs.append([(letters, number)])
    return ", ".join(
        f"{run[0][0]}{run[0][1]}" + (f" to {run[-1][0]}{run[-1][1]}" if len(run) > 1 else "")
        for run in runs
    )


def pi_table() -> str:
    """A table of the Pi's pins and the meter's reading at each."""

    def row(pin: PiPin) -> tuple[str, ...]:
        wire = (f"GPIO{pin.gpio}", str(pin.header), pin.way, pin.name, pin.to)
        return *wire, pin.guard, pin.meter

    return table("Pi | header | way | name | goes to | guard | a meter shows", map(row, pi_pins()))


def chip_table(name: str) -> str:
    """A table of a chip's pins and the meter's reading at each."""
    words = {
        "<": f"{chain(name).first} at the first chip, the output of the chip before at the others",
        ">": "the next chip; at the last chip nothing",
    }
    rows = (
        (f"{pin.name}, {pin.number}", words.get(pin.net, pin.net), pin.meter)
        for pin in chain(name).pins
        if not pin.net.startswith("lamp")
    )
    return table("pin | net | a meter shows", rows)


def guard_table() -> str:
    """A table of the protection between terminals and pins, and how fast a change passes it."""
    rows = (
        (
            name,
            netlist.ohm(one.pull_up_ohm) if one.pull_up_ohm else "",
            one.tvs,
            netlist.ohm(one.series_ohm) if one.series_ohm else "",
            f"{one.to_gnd_nf} nF" if one.to_gnd_nf else "",
            f"{one.falling_us:g} / {one.rising_us:g} µs" if one.to_gnd_nf else "",
        )
        for name, one in guards().items()
    )
    head = "guard | pull-up | TVS to GND | in series | pin to GND | time constant, down / up"
    return table(head, rows)


def plugs_table() -> str:
    """A table of the plugs of the box, pole by pole."""
    rows = (
        (
            one.ref,
            one.to,
            ", ".join(f"{pole} {net}" for pole, net in enumerate(one.pins, 1)),
            f"{one.wire_mm2:g} mm²",
            f"{one.longest_m:g} m",
            " and ".join(f"`{build}`" for build in one.builds),
        )
        for one in dict.fromkeys(one for build in BUILDS for one in connectors(build))
    )
    return table("plug | to | poles | wire | at most | build", rows)


def nets_table(build: str) -> str:
    """A table of every net with all its pins."""
    rows = (
        (f"`{net}`", ", ".join(f"{one.ref}.{pin}" for one, pin in found))
        for net, found in netlist.nets(build).items()
    )
    return table("net | pins", rows)


def schlitten_table() -> str:
    """A table of every wire in the Schlitten, from J3's pole to the parts.

    The wires are the same in both builds.
    """
    plug = next(one for one in connectors(OF_THE_NETLIST) if one.ref == "J3")
    rows = []
    for net, found in netlist.nets(OF_THE_NETLIST).items():
        ends = [f"{one.ref}.{pin}" for one, pin in found if one.where == "schlitten"]
        poles = [str(pole) for pole, name in enumerate(plug.pins, 1) if name == net]
        if ends:
            rows.append((f"`{net}`", " and ".join(poles) or "none", ", ".join(ends)))
    return table("net | pole of J3 | joins", rows)


def takes_table() -> str:
    """A table of the current that the rail supplies in each build, compared with F1."""
    both = [circuit.takes_ma(circuit.circuit(build)) for build in BUILDS]
    rows = [(what, *(f"{one[what]:.0f} mA" for one in both)) for what in both[0]]
    total = [sum(one.values()) for one in both]
    rows.append(("**F1, T1A, carries**", *(f"**{ma:.0f} mA**" for ma in total)))
    return table("takes at most | `modules` | `board`", rows)


def figures_table() -> str:
    """A table of the calculated figures, with their limits by the data sheet or the firmware."""
    modules, board = (circuit.circuit(build) for build in BUILDS)
    rating, light = circuit.strobe(modules)
    needed, _ = circuit.pulled_up_ma(modules, "EXIT_BEAM_X", "EXIT_BEAM")
    chip = sum(
        circuit.lamp_ma("red" if net.endswith("RED") else "blue")
        for net in board.of("hc595")[0].pins.values()
        if "LAMP_" in net and net[-2:] != "_N"
    )
    displays = circuit.rise_ns(modules, "SCK", "SCK_X")
    lamps = circuit.rise_ns(modules, "LAMP_ENABLE", "LAMP_ENABLE_X")
    lit = circuit.beam_light_ma(modules)
    dead = 2 * (5.1 - circuit.DIODE_V) / guards()["line"].series_ohm * 1000
    rows = [
        ("clock of the displays, 3 m: high at the chip after", f"{displays:.0f} ns", "450 of 500"),
        ("clock of the APA102, 3 m: high at the chip after", f"{lamps:.0f} ns", "470 of 500"),
        ("one 74HC595, all eight outputs lit", f"{chip:.0f} mA", "70"),
        ("one pin of the Nano while the rail is dead", f"{dead:.0f} mA", "40"),
        ("F2, root mean square, at 500 µs and 120 a second", f"{light.rms_a * 1000:.0f} mA",
         f"{750 * rating:.0f} of {1000 * rating:.0f}"),
        ("the light while it flashes", f"{light.led_a:.2f} A", "1"),
        ("the light when it stays lit", f"{light.stuck_a:.2f} A", "1"),
        ("F2 at a short in the Schlitten", f"{light.short_a:.2f} A",
         "F2 blows within 10 s from 0.28 A on"),
        ("the beam's eye, lit from 34 mm", f"{lit:.1f} mA", f"at least {needed:.1f}"),
    ]  # fmt: skip
    return table("what | calculated | allowed", rows)


def sheets_table() -> str:
    """A table of where each part's figures come from: its data sheet, elsewhere, or memory.

    The table names the figures as `parts.toml` does. It leaves out entries that are no figures of a
    data sheet.
    """
    said = {"kind", "what", "number", "package", "eur", "rests", "sheet", "recalled", "elsewhere"}
    said |= {"found", "types", "per_pole"}
    rows = []
    for part in parts().values():
        if "sheet" in part:
            recalled, elsewhere = part.get("recalled", []), part.get("elsewhere", [])
            read = [name for name in part if name not in {*said, *recalled, *elsewhere}]
            columns = [", ".join(f"`{name}`" for name in names)
                       for names in (read, elsewhere, recalled)]  # fmt: skip
            if elsewhere:
                columns[1] += f": {part['found']}"
            rows.append((part["number"], part["sheet"], *columns))
    return table("part | data sheet | read there | found elsewhere | from memory or assumed", rows)


# --- parts and prices -------------------------------------------------------------------------


def items() -> list[dict[str, Any]]:
    """The things that have to be bought besides the parts of the netlist, from `parts.toml`."""
    text = Path(netlist.__file__).with_name("parts.toml").read_text("utf-8")
    found: list[dict[str, Any]] = tomllib.loads(text)["item"]
    return found


def price(part: Mapping[str, Any], one: Component) -> float:
    """The price of one piece, in euros. A terminal is priced by its poles."""
    return float(part["eur"] * (len(one.pins) if part.get("per_pole") else 1))


def grouped(build: str) -> dict[tuple[str, str, str], list[Component]]:
    """The parts of a build, by place, kind and value."""
    found = defaultdict[tuple[str, str, str], list[Component]](list)
    for one in netlist.netlist(build):
        found[one.where, one.part, one.value].append(one)
    order = list(_PLACES)
    return dict(sorted(found.items(), key=lambda row: order.index(row[0][0])))


def parts_table(build: str) -> str:
    """A table of everything in a build, with references and prices. The last row is the sum."""
    rows, total = [], 0.0
    for (where, name, value), ones in grouped(build).items():
        part = parts()[name]
        cost = sum(price(part, one) for one in ones)
        total += cost
        what = ", ".join(filter(None, (part["what"], value)))
        refs = span(one.ref for one in ones)
        rows.append(
            (
                _PLACES[where],
                str(len(ones)),
                what,
                part["number"],
                part["package"],
                refs,
                f"{cost:.2f}",
            )
        )
    rows.append(("", "", "**sum**", "", "", "", f"**{total:.2f}**"))
    return table("where | number | part | part number | package | references | € together", rows)


def costs(way: str) -> list[tuple[str, int, float]]:
    """Return what one way of building needs: each thing, how many, and the price in euros."""
    rows = [
        (one["what"], one["ways"][way], one["ways"][way] * one["eur"])
        for one in items()
        if way in one["ways"]
    ]
    if way != "webcam":
        sums: dict[str, float] = dict.fromkeys(_PLACES, 0.0)
        for one in netlist.netlist(OF_THE_NETLIST):
            sums[one.where] += price(parts()[one.part], one)
        said = {"box": "the board, in the box", "table": "lamps, displays, buttons"}
        said["schlitten"] = "camera, light, beam and lid in the Schlitten"
        rows += [(f"build `modules`: {said[where]}", 1, cost) for where, cost in sums.items()]
    return rows


def costs_table() -> str:
    """A table of the three ways' costs, side by side. The last row is the sum of each column."""
    ways = {way: {what: cost for what, _, cost in costs(way)} for way in WAYS}
    lines = dict.fromkeys(what for found in ways.values() for what in found)
    rows = [
        (what, *(f"{found[what]:.2f}" if what in found else "" for found in ways.values()))
        for what in lines
    ]
    sums = (f"**{sum(found.values()):.2f}**" for found in ways.values())
    return table(" | ".join(["what", *WAYS.values()]), [*rows, ("**sum, €**", *sums)])
