"""KiCad's schematic is the netlist. `scripts/board` has KiCad itself read it."""

import re

import pytest

from hardware.netlist import BUILDS, netlist, nets
from workshop.board import schematic


def placed(sheet):
    """Every label, cross and pin's end of a sheet: (x, y) and the net, "" for a cross."""
    labels = re.findall(r'\(global_label "([^"]+)" \(shape passive\) \(at (\S+) (\S+)', sheet)
    crosses = re.findall(r"\(no_connect \(at (\S+) (\S+)\)", sheet)
    return {(x, y): net for net, x, y in labels} | dict.fromkeys(crosses, "")


@pytest.mark.parametrize("build", BUILDS)
def test_every_pin_has_a_label_or_a_cross_of_its_own(build):
    """No two at one place, and as many as there are pins, with those that say what is fed."""
    sheet = schematic.schematic(build)
    pins = [net for one in netlist(build) for net in one.pins.values()]

    found = placed(sheet)

    assert len(found) == len(pins) + len(schematic.FED)
    assert sorted(found.values()) == sorted([*pins, *schematic.FED])
    assert len(re.findall(r"\(lib_id ", sheet)) == sum(bool(one.pins) for one in netlist(build)) + 3


@pytest.mark.parametrize("build", BUILDS)
def test_everything_is_on_the_grid_and_on_the_sheet(build):
    """KiCad's pins meet their labels only there."""
    for x, y in placed(schematic.schematic(build)):
        for place, most in zip((x, y), schematic.SHEET, strict=True):
            assert 0 < float(place) < most
            assert float(place) / schematic.GRID == pytest.approx(
                round(float(place) / schematic.GRID), abs=1e-6
            )


def exported(build, left_out=()):
    """A netlist as KiCad writes it."""
    blocks = []
    for at, (net, pins) in enumerate(nets(build).items()):
        nodes = "".join(
            f'(node (ref "{one.ref}") (pin "{schematic.number(one.part, pin)}"))'
            for one, pin in pins
            if (one.ref, pin) not in left_out
        )
        blocks.append(f'(net (code "{at}") (name "{net}") {nodes})')
    return "(export\n" + "\n".join(blocks) + ")"


def test_a_netlist_that_kicad_reads_otherwise_is_named():
    """A pin that is on no net, and so a part that hangs in the air."""
    assert schematic.differences("modules", exported("modules")) == []
    assert schematic.differences("modules", exported("modules", {("F1", "2")})) == [
        "+5V: [('F1', '2')]"
    ]
