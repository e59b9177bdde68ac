import pytest
from gpiozero.pins.mock import MockConnectedPin, MockPin

from hardware.pi_table import PinTwin, pin_factory

#: Wires from lamp outputs to inputs. On a Pi: eight jumpers, each through 1 kΩ (WIRING.md).
WIRES = {
    "LAMP_1": "EXIT_BEAM",
    "LAMP_2": "LID",
    "LAMP_3": "CUT_CARD",
    "LAMP_4": "POWER_FAIL",
    "LAMP_5": "BUTTON_0",
    "LAMP_6": "BUTTON_1",
    "LAMP_7": "BUTTON_2",
    "LAMP_8": "BUTTON_3",
}


class Soldered(MockPin):
    """An input with a wire on it, which is stronger than its own pull-up."""

    driver = None

    def _set_pull(self, value):
        super()._set_pull(value)
        if self.driver is not None and self.driver.function == "output":
            (self.drive_high if self.driver.state else self.drive_low)()


def pytest_addoption(parser):
    parser.addoption(
        "--pins", default="mock", help="pins of the contract test: mock, or lgpio on a wired Pi"
    )


@pytest.fixture
def wired_pins(request):
    """The Pi's pins with WIRES soldered in."""
    name = request.config.getoption("--pins", default="mock")
    pins = _wired_twin() if name == "mock" else pin_factory(name)
    yield pins
    if name == "mock":
        pins.close()  # a Pi's are opened once per process


def _wired_twin():
    from hardware.pins import pi_pins

    numbers = {pin.name: pin.gpio for pin in pi_pins()}
    twin = PinTwin()
    twin.pins.clear()  # drop its own pins: here all are soldered
    for lamp, sensor in WIRES.items():
        sensed = twin.pin(f"GPIO{numbers[sensor]}", pin_class=Soldered)
        sensed.driver = twin.pin(
            f"GPIO{numbers[lamp]}", pin_class=MockConnectedPin, input_pin=sensed
        )
    return twin
