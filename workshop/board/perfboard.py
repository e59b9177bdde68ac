"""Plans the perfboards of both builds, from the netlist: every part's holes, and every wire.

A board of 100 x 160 mm has holes on a grid of 2.54 mm, seen from its parts' side. A hole is
(column, row), both counted from 1 at the lower left corner. Plugs are at the long edges, each with
its guard behind it, always in the same pattern (`_Edge`). If a pattern leaves parts of a net
unjoined, insulated wires join them, the shortest first. `workshop/tests/test_perfboard.py` reads
the holes and wires back and compares them with the netlist.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from hardware.netlist import (
    GND,
    NANO_5V,
    RAIL,
    Component,
    chain,
    connectors,
    nano_pins,
    netlist,
)

Hole = tuple[int, int]

COLUMNS, ROWS = 60, 37
PITCH: Final = 2.54
#: Nets whose wires are 0.75 mm² thick. All other wires are 0.14 mm² thick.
THICK: Final = frozenset({"V_IN", "V_OK", RAIL, GND, "LIGHT"})
#: The nets between the two boards of build `board`, from the guards to the lamps' chips.
BETWEEN: Final = (RAIL, GND, "LAMP_ENABLE_N", "LAMP_LATCH_N", "MOSI_N", "SCK_N")


@dataclass(frozen=True, slots=True)
class Placed:
    """A part: each pin's hole, and the area that the part covers: left, low, right, high.

    `kind` is top (on the parts' side), pads (soldered on two pads from below) or end (the end of a
    wire that leaves the board for the part `ref`).
    """

    ref: str
    holes: Mapping[str, Hole]
    covers: tuple[float, float, float, float]
    kind: str = "top"


@dataclass(frozen=True, slots=True)
class Wire:
    """A wire below the board, straight from hole to hole.

    A bare wire also meets every pad on its way.
    """

    net: str
    a: Hole
    b: Hole
    bare: bool = False

    @property
    def mm(self) -> float:
        """The wire's length in mm."""
        return math.dist(self.a, self.b) * PITCH


@dataclass(slots=True)
class Sheet:
    """One board of a build. `screws` are the places of its four screws, holes of 3.2 mm."""

    name: str
    title: str
    screws: tuple[Hole, ...]
    parts: list[Placed] = field(default_factory=list)
    wires: list[Wire] = field(default_factory=list)

    def put(
        self,
        ref: str,
        holes: Mapping[str, Hole],
        kind: str = "top",
        margin: tuple[float, float] = (0.45, 0.45),
    ) -> None:
        """Place a part by its holes.

        The part covers the holes and a margin around them, in holes.
        """
        xs, ys = zip(*holes.values(), strict=True)
        (wide, high) = margin
        box = (min(xs) - wide, min(ys) - high, max(xs) + wide, max(ys) + high)
        self.parts.append(Placed(ref, holes, box, kind))

    def bare(self, net: str, *holes: Hole) -> None:
        """Lay a bare wire along these holes."""
        for a, b in pairwise(holes):
            self.wires.append(Wire(net, a, b, bare=True))


def sheets(build: str) -> list[Sheet]:
    """The boards of a build. Raises NetlistError."""
    known = {one.ref: one for one in netlist(build)}
    found = [_main(build, known)]
    if build == "board":
        found.append(_lamps(known))
    for sheet in found:
        sheet.wires += _insulated(sheet, known)
    return found


def net_of(known: Mapping[str, Component], ref: str, pin: str) -> str:
    """The net at a pin of the part `ref`, or at the end of a wire between the boards."""
    return BETWEEN[int(pin) - 1] if ref == "W1" else known[ref].pins[pin]


# --- the pattern behind a plug --------------------------------------------------------------------


class _Edge:
    """Places the plugs along one long edge.

    Rows count from the edge: 1 GND, 2 the poles, 5 to 10 the guard. Each pole takes two columns. In
    the first column the wire goes up from the pole to row 5. There the resistor to a supply begins,
    which ends at the bare wire of row 9. In the second column are the TVS on rows 1 and 2, the
    resistor in series on rows 5 to 10, and the capacitor on rows 11 to 13.
    """

    def __init__(self, sheet: Sheet, known: Mapping[str, Component], *, upper: bool) -> None:
        self._sheet, self._known, self._upper = sheet, known, upper

    def at(self, column: int, row: int) -> Hole:
        """The hole in this column and in this row, counted from the edge."""
        return column, (ROWS + 1 - row if self._upper else row)

    def plug(self, ref: str, nets: Iterable[str], first: int, *, wires: bool = False) -> None:
        """Place a plug from the column `first` on, with the guards of its poles.

        With `wires` there is no terminal, and the wires are soldered in.
        """
        nets = tuple(nets)
        holes = {str(pole): self.at(first + 2 * pole - 2, 2) for pole in range(1, len(nets) + 1)}
        left, right = first - 1, first + 2 * len(nets) - 1
        low, high = sorted((self.at(0, 0)[1], self.at(0, 4)[1]))
        box = (float(left), float(low), float(right), float(high))
        self._sheet.parts.append(Placed(ref, holes, box, "end" if wires else "top"))
        for pole, net in enumerate(nets):
            column = first + 2 * pole
            if net == GND:
                self._sheet.bare(GND, self.at(column, 2), self.at(column, 1))
            elif net.endswith(("_X", "_N")):
                self._guard(column, net)

    def _guard(self, column: int, net: str) -> None:
        sheet, at = self._sheet, self.at
        sheet.bare(net, at(column, 2), at(column, 5), at(column + 1, 5))
        for one in self._on(net, "tvs"):
            sheet.bare(net, at(column, 2), at(column + 1, 2))
            pads = {"1": at(column + 1, 2), "2": at(column + 1, 1)}
            sheet.put(one.ref, pads, "pads", (0.3, 0.3))
        (series,) = (one for one in self._on(net, "resistor") if self._inner(one, net))
        inner = self._inner(series, net)
        pin = next(leg for leg, end in series.pins.items() if end == net)
        legs = {pin: at(column + 1, 5), "12".replace(pin, ""): at(column + 1, 10)}
        sheet.put(series.ref, legs)
        for one in self._on(net, "resistor"):
            if one.ref != series.ref:
                self._to_supply(one, net, column)
        for one in self._on(inner, "ceramic"):
            sheet.bare(inner, at(column + 1, 10), at(column + 1, 11))
            sheet.put(one.ref, {"1": at(column + 1, 11), "2": at(column + 1, 13)})
        self._to_chip(inner, column)

    def _to_supply(self, one: Component, net: str, column: int) -> None:
        pin = next(leg for leg, end in one.pins.items() if end == net)
        supply = one.pins["12".replace(pin, "")]
        row = 10 if supply == RAIL else 9  # row 9 is a bare wire: GND, or the inputs' 5 V
        legs = {pin: self.at(column, 5), "12".replace(pin, ""): self.at(column, row)}
        self._sheet.put(one.ref, legs)

    def _to_chip(self, inner: str, column: int) -> None:
        """Place the end of the wire to the Nano's pin, once for each pin.

        `inner` is the net of that pin.
        """
        pin = next((one.pin for one in nano_pins() if one.name == inner), "")
        ends = [one for one in self._sheet.parts if one.ref == "U1"]
        if pin and not any(pin in one.holes for one in ends):
            below = self.at(column + 1, 10)
            if self._on(inner, "ceramic"):
                spot = self.at(column, 11)
                self._sheet.bare(inner, spot, self.at(column, 10), below)
            else:
                spot = self.at(column + 1, 11)
                self._sheet.bare(inner, spot, below)
            self._sheet.put("U1", {pin: spot}, "end")

    def _on(self, net: str, part: str) -> list[Component]:
        return [
            one for one in self._known.values() if one.part == part and net in one.pins.values()
        ]

    def _inner(self, one: Component, net: str) -> str:
        """The net at the other end of the resistor `one`; "" if that net is a supply or GND."""
        (other,) = {*one.pins.values()} - {net}
        return "" if other in (GND, RAIL, NANO_5V) else other


# --- the boards -----------------------------------------------------------------------------------


def _main(build: str, known: Mapping[str, Component]) -> Sheet:
    """Plan the main board: supply at the left, the plugs around it, the buzzer in the middle."""
    sheet = Sheet(
        build,
        f"Build {build}: supply, guards, buzzer",
        ((11, 4), (57, 15), (57, 34), (9, 33)),
    )
    low, high = (_Edge(sheet, known, upper=upper) for upper in (False, True))
    plugs = {one.ref: one.pins for one in connectors(build)}
    low.plug("J1", plugs["J1"], 4)
    low.plug("J3", plugs["J3"], 15, wires=True)
    low.plug("J4", plugs["J4"], 31)
    if build == "board":
        low.plug("W1", BETWEEN, 47, wires=True)
    else:
        low.plug("J5", plugs["J5"], 47)
    high.plug("J2", plugs["J2"], 17)
    sheet.bare(GND, (2, 1), (59, 1), (59, 9), (35, 9))
    sheet.bare(NANO_5V, (19, 9), (25, 9))
    sheet.bare(NANO_5V, (17, ROWS - 8), (31, ROWS - 8))
    sheet.bare(GND, (2, 1), (2, ROWS), (36, ROWS))
    for row in (13, ROWS - 12):
        sheet.bare(GND, (2, row), (32, row))
    sheet.bare(RAIL, (4, 16), (52, 16))
    _supply(sheet)
    _buzzer(sheet, known)
    return sheet


def _supply(sheet: Sheet) -> None:
    """Place Q1, both fuses, D1 to D3, C1, R1, and the point where the Nano's supply leaves."""
    sheet.put("Q1", {"G": (4, 7), "D": (5, 7), "S": (6, 7)}, margin=(1.0, 0.9))
    sheet.put("R1", {"1": (4, 9), "2": (4, 13)})
    sheet.put("F1", {"1": (5, 22), "2": (14, 22)}, margin=(0.9, 1.9))
    sheet.put("F2", {"1": (5, 27), "2": (14, 27)}, margin=(0.9, 1.9))
    sheet.put("D2", {"K": (8, 16), "A": (8, 11)}, margin=(0.7, 0.45))
    sheet.put("D3", {"K": (11, 8), "A": (11, 13)}, margin=(0.7, 0.45))
    sheet.put("C1", {"1": (12, 18), "2": (14, 18)}, margin=(1.0, 1.9))
    sheet.put("D1", {"A": (17, 18), "K": (21, 18)}, margin=(0.45, 0.6))
    sheet.bare(GND, (8, 11), (8, 13))
    sheet.put("U1", {"5V": (23, 18)}, "end")
    sheet.put("U1", {"GND": (23, 21)}, "end")


def _buzzer(sheet: Sheet, known: Mapping[str, Component]) -> None:
    """Place Q2 with its resistors, the buzzer and its diode."""
    series, hold = (
        next(
            one.ref
            for one in known.values()
            if one.part == "resistor" and {*one.pins.values()} == {"BUZZER_N", other}
        )
        for other in ("BUZZER", GND)
    )
    sheet.put(series, {"1": (40, 22), "2": (44, 22)})
    sheet.put("U1", {"D3": (38, 22)}, "end")
    sheet.put(hold, {"1": (44, 20), "2": (40, 20)})
    sheet.put("Q2", {"C": (46, 21), "B": (47, 21), "E": (48, 21)}, margin=(0.5, 0.9))
    sheet.put("BZ1", {"+": (51, 22), "-": (54, 22)}, margin=(0.9, 2.4))
    sheet.put("D4", {"K": (51, 18), "A": (55, 18)})


def _lamps(known: Mapping[str, Component]) -> Sheet:
    """Plan the second board of build `board`: five 74HC595, 36 resistors, the lamps' plugs."""
    sheet = Sheet("lamps", "Build board: the lamps", ((19, 19), (46, 15), (53, 5), (53, 33)))
    low, high = (_Edge(sheet, known, upper=upper) for upper in (False, True))
    for ref, edge, first in (("J5", low, 4), ("J6", low, 26), ("J7", high, 4), ("J8", high, 26)):
        edge.plug(ref, [known[ref].pins[str(pole)] for pole in range(1, 11)], first)
    sheet.bare(GND, (2, 1), (48, 1))
    sheet.bare(GND, (2, ROWS), (48, ROWS))
    sheet.bare(GND, (2, 1), (2, ROWS))
    sheet.put("W1", {str(pole): (56, 10 + 3 * pole) for pole in range(1, 7)}, "end")
    for chip, (column, row) in zip(
        ("U2", "U3", "U4", "U5", "U6"), ((6, 13), (23, 13), (6, 22), (22, 22), (38, 22)),
        strict=True,
    ):  # fmt: skip
        _dip(sheet, known[chip], (column, row))
        cap = next(one for one in known.values() if one.ref == f"C{int(chip[1]) + 4}")
        sheet.put(cap.ref, {"1": (column + 9, row + 3), "2": (column + 9, row + 1)})
    return sheet


def _dip(sheet: Sheet, one: Component, corner: Hole) -> None:
    """Place a chip with 16 legs, its notch at the left, pin 1 at the lower left (`corner`)."""
    numbers = {pin.name: pin.number for pin in chain(one.part).pins}
    column, row = corner
    holes = {
        name: (column + number - 1, row) if number <= 8 else (column + 16 - number, row + 3)
        for name, number in numbers.items()
    }
    sheet.put(one.ref, holes)


# --- nets that the patterns leave unjoined --------------------------------------------------------


def along(wire: Wire) -> list[Hole]:
    """The pads that a bare wire meets, or the ends of an insulated wire."""
    if not wire.bare:
        return [wire.a, wire.b]
    (x0, y0), (x1, y1) = sorted((wire.a, wire.b))
    return [(x, y) for x in range(x0, x1 + 1) for y in range(min(y0, y1), max(y0, y1) + 1)]


def islands(sheet: Sheet, known: Mapping[str, Component], net: str) -> list[set[Hole]]:
    """The holes of a net, in groups. Only the holes of one group are already joined."""
    found: list[set[Hole]] = [
        {hole}
        for one in sheet.parts
        for pin, hole in one.holes.items()
        if net_of(known, one.ref, pin) == net
    ]
    found += [{*along(wire)} for wire in sheet.wires if wire.net == net]
    merged: list[set[Hole]] = []
    for one in found:
        touching = [other for other in merged if other & one]
        merged = [other for other in merged if not other & one] + [one.union(*touching)]
    return merged


def _insulated(sheet: Sheet, known: Mapping[str, Component]) -> Iterator[Wire]:
    """Yield the shortest wires that join each net. A wire ends at a lead or at another wire."""
    names = {net_of(known, one.ref, pin) for one in sheet.parts for pin in one.holes}
    for net in sorted(names - {""}):
        left = islands(sheet, known, net)
        ends = {hole for one in sheet.parts for hole in one.holes.values()}
        ends |= {hole for wire in sheet.wires for hole in (wire.a, wire.b)}
        thick = net in (GND, RAIL)
        while len(left) > 1:
            a, b, one, other = min(
                (
                    (a, b, one, other)
                    for at, one in enumerate(left)
                    for other in left[at + 1 :]
                    for a in (one if thick else one & ends)
                    for b in (other if thick else other & ends)
                ),
                key=lambda found: (math.dist(found[0], found[1]), found[0], found[1]),
            )
            left = [rest for rest in left if rest is not one and rest is not other] + [one | other]
            yield Wire(net, a, b)
