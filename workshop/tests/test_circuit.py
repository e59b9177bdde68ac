"""The netlist against the data sheets, at the firmware's own settings. Every check can fail."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from hardware.netlist import (
    BUILDS,
    NetlistError,
    lamp_net,
    nano_pins,
    netlist,
    nets,
    parts,
    tables,
)
from workshop.board import circuit, drawings, pins
from workshop.board.circuit import Circuit
from workshop.board.wiring import items, sheets_table
from workshop.tests import electrician

FIRMWARE = Path(__file__).parents[2] / "hardware" / "firmware"


def without(board, *refs):
    return Circuit(board.build, [one for one in board.components if one.ref not in refs])


def changed(board, ref, **what):
    found = [replace(one, **what) if one.ref == ref else one for one in board.components]
    return Circuit(board.build, found)


def no(part):
    """A drawing without any part of that kind."""
    return lambda board: without(board, *(one.ref for one in board.of(part)))


def ohms(pin, end, value):
    """A drawing with another resistor between a pin and its end."""

    def of(board):
        (one,) = board.between(pin, end, "resistor")
        return changed(board, one.ref, value=value)

    return of


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("check", electrician.CHECKS, ids=lambda check: check.__name__)
def test_the_drawing_holds(build, check):
    """Both builds, every check, at the worst of what the supplies may be."""
    assert list(check(circuit.circuit(build))) == []


#: A mistake, most of them those of the drawing before this one, and what it is noticed by.
MISTAKES = {
    "no TVS at the displays' lines": (electrician.guarded, "modules", no("tvs")),
    "the rail without its surge diode": (electrician.guarded, "board", lambda b: without(b, "D2")),
    "a spark past 100 Ω": (electrician.sparks, "modules", ohms("SCK", "SCK_X", "100 Ω")),
    "nothing holds the lines": (electrician.held, "board", no("resistor")),
    "OE held low in reset": (
        electrician.held,
        "board",
        lambda b: changed(
            b,
            b.between("LAMP_ENABLE_N", "+5V", "resistor")[0].ref,
            pins={"1": "LAMP_ENABLE_N", "2": "GND"},
        ),
    ),
    "a chip that nothing feeds": (
        electrician.held,
        "board",
        lambda b: changed(b, "U2", pins=b.of("hc595")[0].pins | {"QH'": ""}),
    ),
    "a line pulled down too hard": (
        electrician.levels,
        "modules",
        lambda b: changed(b, b.between("SCK_X", "GND", "resistor")[0].ref, value="1 kΩ"),
    ),
    "the beam behind 1.5 kΩ": (
        electrician.levels, "board", lambda b: changed(b, "R2", value="1.5 kΩ")),
    "the beam as it was, by its sheet": (
        electrician.levels,
        "modules",
        lambda b: changed(
            changed(b, "R2", value="150 Ω"),
            b.between("EXIT_BEAM_X", "+5V_NANO", "resistor")[0].ref,
            value="2.2 kΩ",
        ),
    ),
    "1 kΩ in the clock": (
        electrician.edges, "modules", ohms("LAMP_ENABLE", "LAMP_ENABLE_X", "1 kΩ")),
    "47 Ω, and the rail dead": (electrician.currents, "board", ohms("SCK", "SCK_X", "47 Ω")),
    "F1 of 630 mA": (electrician.fuses, "modules", lambda b: changed(b, "F1", value="T630mA")),
    "F1 of 2 A": (electrician.fuses, "modules", lambda b: changed(b, "F1", value="T2A")),
    "a fuse with 5.5 Ω before the rail": (
        electrician.drops, "modules", lambda b: changed(b, "F1", value="T100mA")),
    "F2 of the mean without a reservoir": (
        electrician.light, "modules", lambda b: without(b, "C13")),
    "47 Ω before the reservoir": (
        electrician.light, "modules", lambda b: changed(b, "R3", value="47 Ω")),
    "a reservoir of 10 mF": (
        electrician.light, "modules", lambda b: changed(b, "C13", value="10000 µF")),
    "one 470 µF for three": (electrician.reservoirs, "modules", lambda b: without(b, "C2", "C3")),
    "no diode at the buzzer": (electrician.reservoirs, "board", lambda b: without(b, "D4")),
    "Q1 the wrong way round": (
        electrician.the_right_way_round,
        "modules",
        lambda b: changed(b, "Q1", pins={"G": "GATE", "D": "V_OK", "S": "V_IN"}),
    ),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_noticed(mistake):
    """Each check complains of a drawing with the mistake that it is for."""
    check, build, spoiled = MISTAKES[mistake]

    assert list(check(spoiled(circuit.circuit(build))))


def test_a_supply_of_5_05_v_was_too_little():
    """Before: 5.05 V passed, and the further display had 4.8 V of the 4.9 reckoned with."""
    modules = circuit.circuit("modules")

    assert circuit.far_v(modules, 5.05)["J4"] < 4.85
    assert min(circuit.far_v(modules).values()) >= 4.9


def test_the_strobes_fuse_bore_four_times_its_rating():
    """Before: a fuse of the mean straight before LEDs that are lit for 6 % of the time."""
    said = circuit.flashes(0, 0)
    rating, now = circuit.strobe(circuit.circuit("modules"))

    assert said.rms_a / said.mean_a == pytest.approx(4.08, abs=0.02)
    assert said.rms_a > electrician.CARRIES * said.mean_a  # its rating
    assert now.rms_a <= electrician.CARRIES * rating


def test_the_lamps_clock_was_too_short():
    """Before: high for 125 ns (two cycles), behind 330 Ω and 3 m, with no TVS yet."""
    modules = circuit.circuit("modules")
    before = no("tvs")(modules)

    assert circuit.least_pulse_ns("modules", "LAMP_ENABLE", before) > 125
    assert circuit.least_pulse_ns("modules", "LAMP_ENABLE", modules) < electrician.HALF_NS


def test_half_a_bit_of_125_ns_fails_the_check_of_edges(monkeypatch):
    """The check itself, by the clock as it was: neither line of the APA102 would settle."""
    monkeypatch.setattr(electrician, "HALF_NS", 125)
    said = list(electrician.edges(circuit.circuit("modules")))

    assert [line.split()[0] for line in said if "LAMP" in line] == [
        "LAMP_ENABLE_X",
        "LAMP_LATCH_X",
    ]


def source(name):
    return (FIRMWARE / name).read_text()


def test_the_firmwares_clocks_are_those_reckoned_with():
    """From its sources; how bright lamps and displays are, tests/hil/test_noise.py sees."""
    settings, apa102 = tables()["settings"], source("lamps_apa102.c")

    assert "_BV(SPR0); /* F_CPU / 16" in source("spi.h")
    assert settings["spi_khz"] == 16_000 / 16 == 1e6 / (2 * electrician.HALF_NS)
    assert "__builtin_avr_delay_cycles(F_CPU / 2000000 - 2)" in apa102  # and 2 to move the pin
    assert apa102.count("settle(); \\\n") == 2
    end = re.search(r"END_BYTES = (\d+)", apa102)[1]
    assert 8 * int(end) >= parts()["apa102"]["end_bits"] == 32 + 12 / 2


def test_every_output_lights_what_the_firmware_means():
    """From the chip's pin through its resistor to the LED's leg: seat * 3 + colour."""
    board = circuit.circuit("board")
    chips = board.of("hc595")
    for output in range(36):
        net = chips[output // 8].pins[f"Q{'ABCDEFGH'[output % 8]}"]
        (resistor,) = board.on(net, "resistor")
        (led,) = board.on(resistor.pins["2"], "rgb")
        leg = next(leg for leg, end in led.pins.items() if end == resistor.pins["2"])
        assert (led.why, leg) == (f"seat {output // 3 + 1}", "RGB"[output % 3])
        assert net == lamp_net(output)
    assert [chips[0].pins["SER"], *(chip.pins["SER"] for chip in chips[1:])] == [
        "MOSI_N", *(chip.pins["QH'"] for chip in chips[:-1]),
    ]  # fmt: skip


def test_the_emulators_board_is_made_of_the_netlist():
    """Its chips, chains and what the lamps' line lets through are macros of the made header."""
    devices, header = source("emulator/devices.c"), pins.pins_header()
    made = set(re.findall(r"#define (\w+)", header))

    for macro in (
        "HC595_CHIPS",
        "MAX7219_CHIPS",
        "LAMP_OUTPUTS",
        "APA102_PULSE_NS",
        "APA102_END_BITS",
    ):
        assert macro in made
        assert re.search(rf"\b{macro}\b", devices), macro
    named = {
        name
        for name in re.findall(r"\b([A-Z][A-Z0-9_]+)_(?:PORT|BIT)\b", devices)
        if name != "name"
    }
    assert {f"{name}_BIT" for name in named} <= made


@pytest.mark.parametrize("build", BUILDS)
def test_no_name_stands_twice_and_no_net_ends_in_nothing(build):
    refs = [one.ref for one in netlist(build)]

    assert len(refs) == len(set(refs))
    assert {net for net, found in nets(build).items() if len(found) < 2} == set()
    assert {one.part for one in netlist(build)} <= set(parts())


def test_every_price_says_what_it_rests_on():
    """Dated, above nothing, and marked where nobody looked it up."""
    for name, part in parts().items():
        assert part["eur"] > 0, name
        assert part["rests"].split(":")[0] in ("estimated", "shop"), name
    for one in items():
        assert one["eur"] > 0, one["what"]
        assert one["rests"].split(":")[0] in ("estimated", "shop"), one["what"]


def test_a_figure_that_is_recalled_is_named():
    """And has a sheet to look it up in; nothing is marked that the part has not."""
    for name, part in parts().items():
        assert set(part.get("recalled", [])) <= part.keys(), name
        assert "recalled" not in part or part["sheet"], name
        assert set(part.get("elsewhere", [])) <= part.keys() - set(part.get("recalled", [])), name
        assert "elsewhere" not in part or part["found"], name


def test_the_page_says_which_figures_nobody_looked_up():
    """In its table of sheets: read, found elsewhere, from memory."""
    rows = {row.split("|")[1].strip(): row for row in sheets_table().splitlines()[2:]}

    assert "| `breakdown_v`: EIC's sheet" in rows["P6KE6.8A"]
    assert rows["P6KE6.8A"].endswith("| `clamp_v` |")
    assert "| `amps` |  | `forward_v` |" in rows["1N5817"]
    assert "from memory or assumed" in (FIRMWARE.parent / "WIRING.md").read_text("utf-8")


def test_a_build_that_there_is_none_of_is_a_sentence():
    with pytest.raises(NetlistError, match="there is no build 'kit': it is modules or board"):
        netlist("kit")


def test_every_pin_of_the_nano_is_in_its_drawing():
    assert {pin.pin for pin in nano_pins()} <= set(drawings.NANO.split())
