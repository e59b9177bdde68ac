"""The perfboards' plans, read back hole by hole.

Do they make the netlist, and can one solder them?
"""

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest

from hardware.netlist import BUILDS, netlist
from workshop.board import perfboard
from workshop.board.perfboard import COLUMNS, ROWS, Wire

#: What is in the box but on no board: the carrier; plug and Nano are there as ends of wires.
ELSEWHERE = {"X1"}
#: How far apart the legs of a part may be, in holes: by its kind.
LEGS = {
    "resistor": {4, 5}, "ceramic": {2}, "tvs": {1}, "electrolytic": {2}, "fuse": {9}, "surge": {5},
    "schottky": {4}, "diode": {4}, "buzzer": {3},
}  # fmt: skip


def joined(sheets):
    """Every group of pins that the plan joins, as (reference, pin), by following its copper."""
    known = {at: {at} for n, sheet in enumerate(sheets) for at in _spots(n, sheet)}

    def join(a, b):
        if known[a] is not known[b]:
            known[a] |= known[b]
            for one in known[b]:
                known[one] = known[a]

    for n, sheet in enumerate(sheets):
        for wire in sheet.wires:
            spots = [(n, *hole) for hole in perfboard.along(wire)]
            for spot in spots[1:]:
                join(spots[0], spot)
    first = {}
    for n, sheet in enumerate(sheets):
        for one in sheet.parts:
            for pin, hole in one.holes.items():
                if one.ref == "W1":  # a wire from board to board
                    join(first.setdefault(pin, (n, *hole)), (n, *hole))
    groups = {}
    for n, sheet in enumerate(sheets):
        for one in sheet.parts:
            for pin, hole in one.holes.items():
                if one.ref != "W1":
                    groups.setdefault(id(known[n, *hole]), set()).add((one.ref, pin))
    return {frozenset(group) for group in groups.values()}


def _spots(n, sheet):
    for one in sheet.parts:
        yield from ((n, *hole) for hole in one.holes.values())
    for wire in sheet.wires:
        yield from ((n, *hole) for hole in perfboard.along(wire))


def wanted(build):
    """The netlist's nets, of what is in the box; a pin that is left free is alone."""
    groups = {}
    for one in netlist(build):
        if one.where == "box":
            for pin, net in one.pins.items():
                if net:
                    groups.setdefault(net, set()).add((one.ref, pin))
                elif one.ref != "U1":
                    groups[f"{one.ref}.{pin} is free"] = {(one.ref, pin)}
    return {frozenset(group) for group in groups.values()}


@pytest.mark.parametrize("build", BUILDS)
def test_the_plan_makes_the_netlist(build):
    """Every part in the box is there, and what its copper joins are the nets: all, and no other."""
    sheets = perfboard.sheets(build)
    there = {one.ref for sheet in sheets for one in sheet.parts} - {"W1"}

    assert there == {one.ref for one in netlist(build) if one.where == "box"} - ELSEWHERE
    assert joined(sheets) == wanted(build)


@pytest.mark.parametrize("spoiled", ["left out", "one hole beside", "bare over another net"])
def test_a_plan_with_a_mistake_is_noticed(spoiled):
    """A wire that is missing, one that ends on the next pad, one laid across."""
    (sheet,) = perfboard.sheets("modules")
    at = next(n for n, wire in enumerate(sheet.wires) if wire.net == "GATE")
    wire = sheet.wires[at]
    across = Wire("GATE", wire.a, (wire.a[0] + 2, wire.a[1]), bare=True)
    sheet.wires[at : at + 1] = {
        "left out": [],
        "one hole beside": [replace(wire, b=(wire.b[0] + 1, wire.b[1]))],
        "bare over another net": [wire, across],
    }[spoiled]  # fmt: skip

    assert joined([sheet]) != wanted("modules")


EVERY = [pytest.param(one, id=one.name) for build in BUILDS for one in perfboard.sheets(build)]


@pytest.mark.parametrize("sheet", EVERY)
def test_a_hole_takes_one_lead_and_is_on_the_board(sheet):
    """Nor do more than three wires end on one pad."""
    holes = Counter(hole for one in sheet.parts for hole in one.holes.values())
    ends = Counter(hole for wire in sheet.wires if not wire.bare for hole in (wire.a, wire.b))

    assert max(holes.values()) == 1
    assert max(ends.values()) <= 3
    for column, row in [*holes, *(hole for wire in sheet.wires for hole in perfboard.along(wire))]:
        assert 1 <= column <= COLUMNS
        assert 1 <= row <= ROWS


@pytest.mark.parametrize("sheet", EVERY)
def test_no_part_stands_in_anothers_place_or_on_a_screw(sheet):
    """On the parts' side; what is soldered below is below."""
    standing = [one for one in sheet.parts if one.kind != "pads"]
    for one, other in combinations(standing, 2):
        a, b = one.covers, other.covers
        apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
        assert apart, (one.ref, other.ref)
    for x, y in sheet.screws:
        for left, low, right, high in (one.covers for one in sheet.parts):
            nearest = (max(left, min(x, right)), max(low, min(y, high)))
            assert max(abs(nearest[0] - x), abs(nearest[1] - y)) >= 1.4, (x, y)
        for wire in sheet.wires:
            if wire.bare:
                assert all(max(abs(a - x), abs(b - y)) >= 2 for a, b in perfboard.along(wire))


@pytest.mark.parametrize("sheet", EVERY)
def test_bare_wires_are_straight_and_legs_as_long_as_the_parts_have_them(sheet):
    parts = {one.ref: one.part for build in BUILDS for one in netlist(build)}
    for wire in sheet.wires:
        assert wire.a != wire.b
        assert not wire.bare or wire.a[0] == wire.b[0] or wire.a[1] == wire.b[1]
    for one in sheet.parts:
        if one.kind != "end" and len(one.holes) == 2 and parts[one.ref] in LEGS:
            (x0, y0), (x1, y1) = one.holes.values()
            assert 0 in (x0 - x1, y0 - y1)
            assert abs(x0 - x1) + abs(y0 - y1) in LEGS[parts[one.ref]], one.ref


@pytest.mark.parametrize("build", BUILDS)
def test_the_carrier_to_which_the_wires_lead_is_among_the_parts(build):
    """Before, the list of build `board` had none."""
    ends = [one for sheet in perfboard.sheets(build) for one in sheet.parts if one.kind == "end"]

    assert "U1" in {one.ref for one in ends}
    assert "carrier" in {one.part for one in netlist(build)}
