import pytest

from firmware_bridge.messages import SEATS, Sensor
from hardware.emulator import elf
from hardware.netlist import nano_pins
from hardware.pins import pi_pins
from tests.hil.lockstep import firmware_size


def test_every_pin_is_used_once():
    """No two wires on one pin."""
    for used in (
        [pin.pin for pin in nano_pins()],
        [pin.port for pin in nano_pins()],
        [pin.gpio for pin in pi_pins()],
        [pin.header for pin in pi_pins()],
    ):
        assert len(used) == len(set(used))


def test_the_nano_s_names_are_those_printed_on_it():
    """D0-D7 are port D, D8-D13 port B, A0-A5 port C: a slip here would be soldered."""
    names = {f"D{n}": f"D{n}" for n in range(8)}
    names |= {f"D{n}": f"B{n - 8}" for n in range(8, 14)}
    names |= {f"A{n}": f"C{n}" for n in range(6)}

    assert {pin.pin: pin.port for pin in nano_pins()} == names


def test_the_pi_s_header_numbers_are_those_of_the_header():
    """BCM number to header pin, as `pinout` prints it."""
    header = {
        2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19,
        9: 21, 25: 22, 11: 23, 8: 24, 7: 26, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37,
        20: 38, 21: 40,
    }  # fmt: skip

    assert all(header[pin.gpio] == pin.header for pin in pi_pins())


def test_the_pi_has_a_pin_for_every_lamp_and_sensor():
    """What a picture can light and a report can say."""
    names = {pin.name for pin in pi_pins()}

    assert {f"LAMP_{seat}" for seat in range(1, SEATS + 1)} <= names
    assert {sensor.name for sensor in Sensor} <= names


@pytest.mark.parametrize("build", ["hc595", "apa102"])
def test_the_firmware_leaves_room_in_the_chip(build):
    """Half of the flash and half a KiB for the stack stay free."""
    flash, ram = firmware_size(elf(build))

    assert flash <= 16_384
    assert ram <= 1_536
