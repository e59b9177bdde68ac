"""Faults that would stop an electrician, as far as they are data (`hardware/board.toml`)."""

import re
from pathlib import Path

import pytest

from firmware_bridge.messages import Sensor
from hardware.netlist import BUILDS, chain, guards, nano_pins
from hardware.pins import pi_pins
from workshop.board import wiring

ROOT = Path(__file__).parents[2]

#: What must not drive a lamp: pulled up from switching on (0 to 8), and the console (14, 15).
NOT_FOR_LAMPS = {*range(9), 14, 15}


def test_no_seat_glows_before_the_program_runs():
    """No lamp of the Pi is on a pin that pulls up, or speaks, while it boots."""
    lamps = {pin.gpio for pin in pi_pins() if pin.name.startswith("LAMP_")}

    assert len(lamps) == 12
    assert not lamps & NOT_FOR_LAMPS


def test_every_pin_of_a_74hc595_is_wired():
    """By the data sheet's numbers; QA to QH go to lamps. SRCLR left open would clear at will."""
    wired = {pin.number: (pin.name, pin.net) for pin in chain("hc595").pins}

    assert {number: name for number, (name, _) in wired.items()} == {
        1: "QB", 2: "QC", 3: "QD", 4: "QE", 5: "QF", 6: "QG", 7: "QH", 8: "GND", 9: "QH'",
        10: "SRCLR", 11: "SRCLK", 12: "RCLK", 13: "OE", 14: "SER", 15: "QA", 16: "VCC",
    }  # fmt: skip
    assert [wired[number][1] for number in (10, 11, 12, 13)] == [
        "+5V",
        "SCK_N",
        "LAMP_LATCH_N",
        "LAMP_ENABLE_N",
    ]


def test_the_displays_are_fed_by_the_supply():
    """What comes through the Nano's USB diode is too little for them."""
    wired = {pin.name: pin.net for pin in chain("max7219").pins}

    assert wired.keys() == {"VCC", "GND", "DIN", "CS (LOAD)", "CLK", "DOUT"}
    assert wired["VCC"] == "+5V"


def test_the_rail_is_measured_by_one_figure():
    """At each chip what the page's measurements say: enough for the Nano behind its diode (S1)."""
    page = (ROOT / "hardware" / "WIRING.md").read_text("utf-8")
    at_chips = [pin.meter for kind in ("hc595", "max7219") for pin in chain(kind).pins
                if pin.name == "VCC"]  # fmt: skip

    assert at_chips == ["4.9 to 5.2 V", "4.9 to 5.2 V with all eights lit"]
    assert "| rail at the last 74HC595 and at the further display | 4.9 to 5.2 V" in page
    assert "| `5V` of the Nano | at least 4.6 V" in page


def test_every_output_is_held_while_the_boot_loader_lets_it_float():
    """Dark lamps, quiet displays, no buzzer: by resistors, as no program runs yet."""
    held = {pin.name: dict(pin.held) for pin in nano_pins() if pin.way == "out" and pin.held}
    low, high = dict.fromkeys(BUILDS, "GND"), dict.fromkeys(BUILDS, "+5V")

    assert held == {
        "BUZZER": low,
        "LAMP_ENABLE": {"modules": "GND", "board": "+5V"},
        "LAMP_LATCH": low,
        "DIGITS_LOAD": high,
        "MOSI": low,
        "SCK": low,
    }


@pytest.mark.parametrize("pin", [*nano_pins(), *pi_pins()], ids=lambda pin: f"{pin.name} {pin.way}")
def test_every_wire_has_its_guard(pin):
    """Inputs a pull-up, a TVS, a resistor and a capacitor; outputs at least a resistor."""
    guard = guards()[pin.guard]

    if pin.name in {"RXD", "TXD", "MISO"}:
        assert pin.guard == "none"
    elif pin.way == "out":
        assert guard.series_ohm > 0
    else:
        assert min(guard.pull_up_ohm, guard.series_ohm, guard.to_gnd_nf) > 0
        assert guard.tvs


def settling_us() -> dict[str, int]:
    """How long the firmware waits for an input to settle, from its source."""
    source = (ROOT / "hardware" / "firmware" / "inputs.c").read_text("utf-8")
    header = (ROOT / "hardware" / "firmware" / "pins.h").read_text("utf-8")
    button = re.search(r"BUTTON_MS = (\d+)", source)[1]
    waits = re.findall(r" S\((\w+), (\d+)\)", header)
    waits += [(f"BUTTON_{number}", button) for number in range(8)]
    return {name: int(ms) * 1000 for name, ms in waits}


def test_a_guard_is_much_faster_than_what_the_firmware_waits_for():
    """Three time constants, a change's whole way, within a fifth of the settling time."""
    settle = settling_us()

    assert settle["EXIT_BEAM"] == 1_000
    assert settle.keys() >= {sensor.name for sensor in Sensor}
    for pin in nano_pins():
        if pin.name in settle:
            guard = guards()[pin.guard]
            slowest_us = 3 * max(guard.falling_us, guard.rising_us)
            assert slowest_us * 5 <= settle[pin.name], pin.name


def test_two_devices_of_one_kind_never_share_a_name():
    """The shipped udev rules name serial devices by their USB socket (%b) and nothing else."""
    rules = (ROOT / "systemd" / "99-schlitten.rules").read_text("utf-8")
    serial = [line for line in rules.splitlines() if line.startswith('SUBSYSTEM=="tty"')]

    assert len(serial) == 1
    assert serial[0].endswith('SYMLINK+="schlitten-usb-%b"')


def test_a_broken_wire_of_the_lid_or_the_beam_is_an_alarm():
    """Shut or lit, they pull the pin to 0 V; a button does so while it is pressed."""
    nano = {pin.name: pin.active for pin in nano_pins() if pin.way == "in"}
    pi = {pin.name: pin.active for pin in pi_pins() if pin.way == "in"}

    for name in ("LID", "EXIT_BEAM"):
        assert (nano.pop(name), pi.pop(name)) == ("high", "high")
    assert {*nano.values(), *pi.values()} == {"low"}


@pytest.mark.parametrize("way", wiring.WAYS)
def test_the_price_of_a_way_is_the_sum_of_its_table(way):
    """The page's own figures, added up: its last row says the same."""
    page = (ROOT / "hardware" / "BUILD.md").read_text("utf-8")
    rows = page.partition("<!-- costs -->")[2].partition("<!-- /costs -->")[0].strip().splitlines()
    column = [row.split("|")[2 + list(wiring.WAYS).index(way)].strip() for row in rows[2:]]

    *single, total = column
    assert sum(float(cost) for cost in single if cost) == pytest.approx(float(total.strip("*")))


def cells(page, name):
    """The rows of a table of BUILD, without its head."""
    text = page.partition(f"<!-- {name} -->")[2].partition(f"<!-- /{name} -->")[0]
    return [[cell.strip() for cell in row.split("|")[1:-1]] for row in text.splitlines()[3:]]


@pytest.mark.parametrize("build", BUILDS)
def test_the_price_of_a_build_is_the_sum_of_its_table(build):
    """And that of `modules` is what the ways that use it say."""
    page = (ROOT / "hardware" / "BUILD.md").read_text("utf-8")
    *rows, last = cells(page, f"parts-{build}")
    total = float(last[-1].strip("*"))
    ways = [row for row in cells(page, "costs") if row[0].startswith("build `modules`")]

    assert sum(float(row[-1]) for row in rows) == pytest.approx(total)
    if build == "modules":
        assert len(ways) == 3
        assert sum(float(row[-1]) for row in ways) == pytest.approx(total)
