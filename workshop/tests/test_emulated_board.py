"""The emulator's board against the netlist: every pin of the Nano, every chip, every chain.

`pins.h` is made from the netlist. What `devices.c` attaches to its names is read from the source
here.
"""

import re
from pathlib import Path

import pytest

from firmware_bridge.messages import DIGITS, SEATS, Sensor
from hardware.netlist import BUILDS, LAMPS, chain, nano_pins, netlist
from workshop.board import circuit

FOLDER = Path(__file__).parents[2] / "hardware" / "firmware"
DEVICES = (FOLDER / "emulator" / "devices.c").read_text()
PINS = (FOLDER / "pins.h").read_text()

#: What devices.c does with each output it watches: by build, the chips' pins that this means.
WATCHED = {
    "LAMP_LATCH": ("on_lamp_latch", {"modules": {"DI"}, "board": {"RCLK"}}),
    "LAMP_ENABLE": ("on_lamp_enable", {"modules": {"CI"}, "board": {"OE"}}),
    "DIGITS_LOAD": ("on_digits_load", {"modules": {"CS (LOAD)"}, "board": {"CS (LOAD)"}}),
    "BUZZER": ("on_buzzer", {"modules": {"B"}, "board": {"B"}}),
}
#: Its clocked line (`spi_done`): every byte goes into both chains, at their first chips.
CLOCKED = {
    "MOSI": {"modules": {"DIN"}, "board": {"DIN", "SER"}},
    "SCK": {"modules": {"CLK"}, "board": {"CLK", "SRCLK"}},
}
SERIAL = {"RXD", "TXD"}


def legs(build, name):
    """The chips' pins at the ends of one of the Nano's lines."""
    board = circuit.circuit(build)
    ends = circuit.pin_named(name).ends(build)
    return {
        leg
        for end in ends
        for one, leg in board.nets[end]
        if one.part not in ("resistor", "tvs", "ceramic") and not one.ref.startswith("J")
    }


def body(function):
    return re.search(rf"{function}\(.*?\n}}", DEVICES, re.DOTALL)[0]


def test_every_pin_of_the_nano_has_its_part_in_the_emulator():
    """None is forgotten and none invented: outputs watched, the clocked line, inputs, the port."""
    watched = dict(re.findall(r"watch\(LETTER\((\w+)\), \1_BIT, (\w+)\)", DEVICES))
    inputs = set(re.findall(r"INPUT\((BUTTON_\d)\)", DEVICES)) | {one.name for one in Sensor}

    assert watched == {name: handler for name, (handler, _) in WATCHED.items()}
    assert "S(EXIT_BEAM, 1) \\\n    S(LID, 10) \\\n    S(CUT_CARD, 5)" in PINS
    assert "SENSORS[] = {EACH_SENSOR(SENSOR)}" in DEVICES
    assert "i <= sizeof SENSORS / sizeof *SENSORS; i++" in body("devices_start")
    spare = {pin.name for pin in nano_pins() if pin.to == "nothing"}
    assert {pin.name for pin in nano_pins()} == (
        watched.keys() | inputs | CLOCKED.keys() | SERIAL | spare
    )


@pytest.mark.parametrize("pin", nano_pins(), ids=lambda pin: pin.name)
def test_a_name_is_the_pin_that_the_netlist_solders(pin):
    """Port letter and bit of the header, and the level at which an input is active."""
    if pin.name in SERIAL:
        assert f"{pin.name}_PORT" not in PINS
        return
    assert f"#define {pin.name}_PORT {pin.port[0]}\n" in PINS
    assert f"#define {pin.name}_BIT {pin.port[1]}\n" in PINS
    if pin.way == "in":
        assert f"#define {pin.name}_ACTIVE_HIGH {int(pin.active == 'high')}\n" in PINS


@pytest.mark.parametrize("build", BUILDS)
def test_what_hangs_at_an_output_is_what_the_emulator_moves(build):
    """By the netlist's chips, and by the words of each handler."""
    for name, (_, meant) in WATCHED.items():
        assert legs(build, name) == meant[build], name
    for name, meant in CLOCKED.items():
        assert legs(build, name) == meant[build], name
    moved = {"on_lamp_latch": ("apa102.data", "hc595.latch"), "on_digits_load": ("max7219.load",),
             "on_lamp_enable": ("apa102_clock", "hc595.dark")}  # fmt: skip
    for handler, words in moved.items():
        assert all(word in body(handler) for word in words), handler
    assert {"hc595.shift", "max7219.shift"} <= set(re.findall(r"\w+\.shift", body("spi_done")))


@pytest.mark.parametrize("build", BUILDS)
def test_the_chips_are_as_many_as_the_netlist_has(build):
    """And each build has the lamps that its firmware is for."""
    count = {kind: sum(one.part == kind for one in netlist(build)) for kind in
             ("hc595", "max7219", "apa102", "rgb", "button", "buzzer")}  # fmt: skip
    macros = {name: int(value) for name, value in re.findall(r"#define (\w+_CHIPS) (\d+)", PINS)}
    lamps = {"hc595": count["rgb"], "apa102": 12 * count["apa102"]}

    assert count["max7219"] == macros["MAX7219_CHIPS"] == 2
    assert count["hc595"] in (0, macros["HC595_CHIPS"])
    assert lamps[LAMPS[build]] == SEATS
    assert sum(bool(value) for value in lamps.values()) == 1
    assert count["button"] == len(re.findall(r"INPUT\(BUTTON_\d\)", DEVICES)) == 8
    assert count["buzzer"] == 1
    assert DIGITS == 8


def test_the_chains_run_the_way_the_netlist_has_them():
    """A byte enters the first chip and moves on: display 1, the first, has what came last."""
    for name, first in (("hc595", "MOSI_N"), ("max7219", "MOSI_X")):
        chips = circuit.circuit("board").of(name)
        data, out = {"hc595": ("SER", "QH'"), "max7219": ("DIN", "DOUT")}[name]
        assert [one.ref for one in chips] == list(chain(name).refs)
        assert [one.pins[data] for one in chips] == [first, *(one.pins[out] for one in chips[:-1])]
        assert chips[-1].pins[out] == ""
    assert "hc595.shift << 8 | byte" in body("spi_done")
    assert "max7219.shift >> 16 * chip" in body("max7219_load")
    assert "read_display(max7219.registers[0], display_1)" in DEVICES


def test_a_line_has_at_reset_the_level_that_its_resistor_holds():
    """The emulator's first levels: OE and LOAD high, the others low."""
    held = {pin.name: dict(pin.held) for pin in nano_pins() if pin.held}

    assert held["LAMP_ENABLE"]["board"] == held["DIGITS_LOAD"]["board"] == "+5V"
    assert "hc595.dark = true; /* its enable has a pull-up */" in body("devices_reset")
    assert "max7219 = {.load = true}" in DEVICES
    assert held["LAMP_ENABLE"]["modules"] == held["LAMP_LATCH"]["modules"] == "GND"
    assert "apa102 = {.lamp = -1" in DEVICES
