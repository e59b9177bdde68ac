"""Makes the firmware's headers from the messages and the netlist (`hardware/netlist.py`).

The emulator of the board is built with the headers too. It takes the chips and chains around the
microcontroller from them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from firmware_bridge.messages import DIGITS, LAYOUTS, PROTOCOL, SEATS, Layout, Sensor
from hardware.netlist import chain, lamp_net, nano_pins, tables
from workshop.board import circuit

FIRMWARE: Final = Path(__file__).parents[2] / "hardware" / "firmware"

_WARNING: Final = "/* Made by `scripts/generate` from {source}. Do not edit. */\n"


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
    """The firmware's `pins.h`: port letter and bit of every pin by name, and the inputs' level."""
    lines = [_WARNING.format(source="hardware/board.toml"), "#ifndef PINS_H", "#define PINS_H", ""]
    for pin in nano_pins():
        if pin.name in {"RXD", "TXD"}:  # the serial port's own
            continue
        letter, bit = pin.port[0], pin.port[1]
        lines += [f"#define {pin.name}_PORT {letter}", f"#define {pin.name}_BIT {bit}"]
        if pin.way == "in":
            lines.append(f"#define {pin.name}_ACTIVE_HIGH {int(pin.active == 'high')}")
    parts = (*_inputs(), "", *_currents(), "", *_round_the_chip())
    return "\n".join([*lines, *parts, "", "#endif"]) + "\n"


def _inputs() -> list[str]:
    """The lists of inputs and of sensors, and which bits of each port belong to sensors."""
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


def _currents() -> list[str]:
    """The two settings of the firmware that determine the currents in `hardware/WIRING.md`."""
    settings = tables()["settings"]
    return [
        "/* How bright, of 31 and of 15: F1 and the table of currents reckon with no more. */",
        f"#define APA102_BRIGHTNESS {settings['apa102_brightness']}",
        f"#define MAX7219_INTENSITY {settings['max7219_intensity']}",
    ]


def _round_the_chip() -> list[str]:
    """The netlist's part for the emulator: chains, the output of each lamp, the lamps' line."""
    outputs = [lamp_net(at) for at in range(8 * len(chain("hc595").refs))]
    seats = (
        ", ".join(str(outputs.index(lamp_net(seat * 3 + colour))) for colour in range(3))
        for seat in range(SEATS)
    )
    return [
        "/* For the emulator: what is soldered round the chip. LAMP_OUTPUTS: by seat the outputs",
        " * of the chain, from QA of the first chip on, that are red, green and blue. */",
        f"#define HC595_CHIPS {len(chain('hc595').refs)}",
        f"#define MAX7219_CHIPS {len(chain('max7219').refs)}",
        "#define LAMP_OUTPUTS { \\",
        *(f"    {{{one}}}, \\" for one in seats),
        "}",
        "/* A shorter pulse of the APA102's clock does not reach the first lamp, by the load of",
        " * the line; an SK9822 shows a picture only after as many zeros. */",
        f"#define APA102_PULSE_NS {circuit.least_pulse_ns('modules', 'LAMP_ENABLE')}",
        f"#define APA102_END_BITS {circuit.limits('apa102')['end_bits']}",
    ]


def made() -> dict[Path, str]:
    """Every file that is made here, with its proper content."""
    return {
        FIRMWARE / "messages.h": messages_header(),
        FIRMWARE / "pins.h": pins_header(),
    }
