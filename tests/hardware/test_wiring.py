"""What an electrician would stop at, as far as it is data (`hardware/pins.toml`)."""

import re
from pathlib import Path

import pytest

from firmware_bridge.messages import Sensor
from hardware.pins import pi_pins
from scripts.pins import chip_pins, guards, nano_pins

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
    wired = {pin.number: (pin.name, pin.to) for pin in chip_pins("hc595")}

    assert {number: name for number, (name, _) in wired.items()} == {
        8: "GND", 9: "QH'", 10: "SRCLR", 11: "SRCLK", 12: "RCLK", 13: "OE", 14: "SER", 16: "VCC",
    }  # fmt: skip
    assert [wired[number][1] for number in (10, 11, 12, 13)] == [
        "5 V",
        "SCK",
        "LAMP_LATCH",
        "LAMP_ENABLE",
    ]


def test_the_displays_are_fed_by_the_supply():
    """What comes through the Nano's USB diode is too little for them."""
    wired = {pin.name: pin.to for pin in chip_pins("max7219")}

    assert wired.keys() == {"VCC", "GND", "DIN", "CS (LOAD)", "CLK"}
    assert wired["VCC"].startswith("5 V of the supply, never the Nano's")


def test_the_rail_is_measured_by_one_figure():
    """At each chip what the page's measurements say: enough for the Nano behind its diode (S1)."""
    page = (ROOT / "hardware" / "WIRING.md").read_text("utf-8")
    at_chips = [pin.meter for kind in ("hc595", "max7219") for pin in chip_pins(kind)
                if pin.name == "VCC"]  # fmt: skip

    assert at_chips == ["4.9 to 5.2 V", "4.9 to 5.2 V with all eights lit"]
    assert "| rail at the last 74HC595 and at the further display | 4.9 to 5.2 V" in page
    assert "| `5V` of the Nano | at least 4.6 V" in page


def test_every_output_is_held_while_the_boot_loader_lets_it_float():
    """Dark lamps, quiet displays, no buzzer: by resistors, as no program runs yet."""
    held = {pin.name: pin.boot for pin in nano_pins() if pin.way == "out" and pin.name != "TXD"}

    assert held == {
        "BUZZER": "10 kΩ to GND",
        "LAMP_ENABLE": "10 kΩ to 5 V (APA102 build: to GND)",
        "LAMP_LATCH": "10 kΩ to GND",
        "DIGITS_LOAD": "10 kΩ to 5 V",
        "MOSI": "10 kΩ to GND",
        "SCK": "10 kΩ to GND",
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


def test_a_broken_wire_of_the_lid_is_an_open_lid():
    """Shut, its contact pulls the pin to 0 V; a button does so while it is pressed."""
    nano = {pin.name: pin.active for pin in nano_pins() if pin.way == "in"}
    pi = {pin.name: pin.active for pin in pi_pins() if pin.way == "in"}

    assert (nano.pop("LID"), pi.pop("LID")) == ("high", "high")
    assert {*nano.values(), *pi.values()} == {"low"}
