"""The rest of the pin table, and the firmware's headers that are made from it.

The drawings are made in `scripts/drawings.py`; the Pi's own pins are read in `hardware/pins.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware_bridge.messages import DIGITS, LAYOUTS, PROTOCOL, SEATS, Layout, Sensor
from hardware.pins import tables

FIRMWARE: Final = Path(__file__).parents[1] / "hardware" / "firmware"

_WARNING: Final = "/* Made by `scripts/generate` from {source}. Do not edit. */\n"


@dataclass(frozen=True, slots=True)
class Guard:
    """The protection between a wire's terminal and the pin."""

    pull_up_ohm: int = 0
    tvs: str = ""
    series_ohm: int = 0
    to_gnd_nf: int = 0

    @property
    def falling_us(self) -> float:
        """Time constant when the wire is pulled to 0 V."""
        return self.series_ohm * self.to_gnd_nf / 1000

    @property
    def rising_us(self) -> float:
        """Time constant when the wire is released."""
        return (self.pull_up_ohm + self.series_ohm) * self.to_gnd_nf / 1000


@dataclass(frozen=True, slots=True)
class ChipPin:
    """One pin of a chip or module beside the Nano; with its number, if it is a chip."""

    name: str
    to: str
    meter: str
    number: int = 0


@dataclass(frozen=True, slots=True)
class NanoPin:
    """One pin of the Nano: as printed, the chip's name for it (`B0` is PB0), and where it goes.

    `active` is the level at which an input is active; `settle_ms` is as in `PiPin`.
    """

    pin: str
    port: str
    way: str
    name: str
    to: str
    guard: str
    meter: str
    boot: str = ""
    active: str = "low"
    settle_ms: int = 0


def nano_pins() -> tuple[NanoPin, ...]:
    """All pins of the Nano in the pin table's order."""
    return tuple(NanoPin(**row) for row in tables()["nano"])


def guards() -> dict[str, Guard]:
    """What protects a pin, by the name used in the pin table."""
    return {name: Guard(**row) for name, row in tables()["guard"].items()}


def chip_pins(chip: str) -> tuple[ChipPin, ...]:
    """Every wired pin of the `hc595` or the `max7219`."""
    return tuple(ChipPin(**row) for row in tables()[chip])


def messages_header() -> str:
    """The firmware's `messages.h`: macros that `wire.h` turns into structures."""
    lines = [
        _WARNING.format(source="firmware_bridge/messages.py"),
        "#ifndef MESSAGES_H",
        "#define MESSAGES_H",
        "",
        f"#define PROTOCOL {PROTOCOL}",
        f"#define SEATS {SEATS}",
        f"#define DIGITS {DIGITS}",
        "",
        "/* M(name, tag, bytes of all fields) */",
        "#define MESSAGES(M) \\",
        *(f"    M({one.name}, {one.tag:#04x}, {one.size}) \\" for one in LAYOUTS.values()),
        "",
        "/* F(type, name) is a field, A(type, name, count) an array. */",
        *(_fields(one) for one in LAYOUTS.values()),
        "",
        "#endif",
    ]
    return "\n".join(lines) + "\n"


def _fields(layout: Layout) -> str:
    parts = [
        f"F({one.kind}, {one.name})"
        if one.count == 1
        else f"A({one.kind}, {one.name}, {one.count})"
        for one in layout.fields
    ]
    return f"#define FIELDS_{layout.name}(F, A) " + (" ".join(parts) or "/* none */")


def pins_header() -> str:
    """The firmware's `pins.h`: port letter and bit of every pin, by name; for inputs, the level."""
    lines = [_WARNING.format(source="hardware/pins.toml"), "#ifndef PINS_H", "#define PINS_H", ""]
    for pin in nano_pins():
        if pin.name in {"RXD", "TXD"}:  # the serial port's own
            continue
        letter, bit = pin.port[0], pin.port[1]
        lines += [f"#define {pin.name}_PORT {letter}", f"#define {pin.name}_BIT {bit}"]
        if pin.way == "in":
            lines.append(f"#define {pin.name}_ACTIVE_HIGH {int(pin.active == 'high')}")
    return "\n".join([*lines, *_inputs(), "", "#endif"]) + "\n"


def _inputs() -> list[str]:
    """The lists of inputs and of sensors, and which bits of each port are sensors'."""
    pins = {pin.name: pin for pin in nano_pins() if pin.way == "in" and pin.name != "RXD"}
    sensors = [pins[sensor.name] for sensor in Sensor]
    ports = {
        letter: sum(1 << int(pin.port[1]) for pin in sensors if pin.port[0] == letter)
        for letter in "BCD"
    }
    return [
        "",
        "/* I(name) */",
        "#define INPUTS(I) \\",
        *(f"    I({name}) \\" for name in pins),
        "",
        "/* S(name, milliseconds to settle), in the order of their numbers on the line */",
        "#define EACH_SENSOR(S) \\",
        *(f"    S({pin.name}, {pin.settle_ms}) \\" for pin in sensors),
        "",
        *(f"#define SENSORS_AT_{letter} {bits:#04x}" for letter, bits in ports.items()),
    ]


def made() -> dict[Path, str]:
    """Every file that is made, with its proper content."""
    return {
        FIRMWARE / "messages.h": messages_header(),
        FIRMWARE / "pins.h": pins_header(),
    }
