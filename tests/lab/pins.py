"""A Pi's pins, simulated by the kernel (gpio-sim). The wires on them pull them up or down.

gpio-sim has one pull for a line. So a program that claims a pin with its own pull-up takes the
wire's place: move the wires after the pins are claimed.
"""

from pathlib import Path

from hardware.pins import pi_pins
from tests.lab.machine import run

CONFIG = Path("/sys/kernel/config/gpio-sim/pi")
PINS = {pin.name: pin for pin in pi_pins()}


class Pins:
    """A Pi's 54 lines. They can be made once: lgpio opens a chip once in a process."""

    def __init__(self):
        run("modprobe", "gpio-sim")
        (CONFIG / "bank").mkdir(parents=True)
        (CONFIG / "bank" / "num_lines").write_text("54")
        (CONFIG / "live").write_text("1")
        run("udevadm", "settle")
        self._at = Path("/sys/devices/platform") / (CONFIG / "dev_name").read_text().strip()
        self._at /= (CONFIG / "bank" / "chip_name").read_text().strip()

    def wire(self, name, *, active):
        """Pull the wire of that name to its active level, or to the other."""
        high = active == (PINS[name].active == "high")
        (self._line(name) / "pull").write_text("pull-up" if high else "pull-down")

    def calm(self, *names):
        """All as it is while nothing happens: contacts that are closed then are closed."""
        for name in names:
            self.wire(name, active=False)

    def lit(self, seat):
        """Whether that seat's lamp has current."""
        return (self._line(f"LAMP_{seat}") / "value").read_text().strip() == "1"

    def _line(self, name):
        return self._at / f"sim_gpio{PINS[name].gpio}"
