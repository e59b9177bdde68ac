"""The messages between host and table board, each declared once.

The module knows lamps, digits, buttons and sensors. It must not know frames, links, ports or any
card game. Here a colour is just a colour; data elsewhere say what the colour means at the table.
The C header of the firmware is generated from `MESSAGES` (`workshop/board/pins.py`).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

#: Each end refuses to talk to another version. Change this with every change to the table below.
PROTOCOL: Final = 1

SEATS: Final = 12
DIGITS: Final = 8  # of one display (a MAX7219)

#: Each line has a name, a tag, the sender, and the fields in order (little-endian). A message
#: travels as tag, number, fields. Tags below 0x10 belong to the link and have no number of their
#: own (an `ack` carries the number it acknowledges). The others are numbered and acknowledged.
#: `reset` and `reset_ack` stay the same in every version, as they reveal that versions differ.
MESSAGES: Final = """
reset       0x01 host   version:u8 session:u32
reset_ack   0x02 board  version:u8 session:u32 boot_id:u32 cause:u8 lamps:u8
ack         0x03 both
picture     0x10 host   lamps:u8[12] display_1:i32 display_2:i32 buzzer:u8
heartbeat   0x11 host
button      0x20 board  serial:u16 time_us:u64 button:u8 pressed:u8
sensor      0x21 board  serial:u16 time_us:u64 sensor:u8 active:u8
status      0x22 board  time_us:u64 cause:u8 bad_frames:u16 overruns:u16 lost_reports:u16 \
pressed:u8 active:u8
"""

_CODES: Final = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q", "i32": "i"}


class BadMessage(ValueError):
    """A frame arrived whole, but its content is no message of this protocol version."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a message: an integer, or an array of `count` integers."""

    name: str
    kind: str
    count: int


@dataclass(frozen=True, slots=True)
class Layout:
    """One line of `MESSAGES`: converts the integers of a message's fields to bytes, and back.

    On the line these bytes come after the tag, which says which message it is, and its number.
    """

    name: str
    tag: int
    sender: str
    fields: tuple[Field, ...]
    _struct: struct.Struct = field(repr=False, compare=False)

    @property
    def size(self) -> int:
        """The number of bytes of all fields, without tag and number."""
        return self._struct.size

    def pack(self, *values: int) -> bytes:
        """The bytes of the fields. Each integer of an array is a separate argument.

        Raises ValueError if an integer is too large for its field.
        """
        try:
            return self._struct.pack(*values)
        except struct.error as error:
            raise ValueError(f"{self.name}: {values!r} do not fit its fields: {error}") from None

    def unpack(self, body: bytes) -> tuple[int, ...]:
        """The values of the fields. Each integer of an array is a separate value.

        Raises BadMessage if the length is wrong.
        """
        if len(body) != self.size:
            raise BadMessage(f"{self.name}: {len(body)} bytes, want {self.size}")
        return self._struct.unpack(body)


def _layout(line: str) -> Layout:
    name, tag, sender, *fields = line.split()
    read = []
    for text in fields:
        field_name, kind = text.split(":")
        kind, _, count = kind.rstrip("]").partition("[")
        read.append(Field(field_name, kind, int(count or 1)))
    codes = "".join(f"{one.count}{_CODES[one.kind]}" for one in read)
    return Layout(name, int(tag, 16), sender, tuple(read), struct.Struct("<" + codes))


LAYOUTS: Final = {layout.name: layout for layout in map(_layout, MESSAGES.strip().splitlines())}
_BY_TAG: Final = {layout.tag: layout for layout in LAYOUTS.values()}

#: The longest tag + number + fields of any message.
MAX_CONTENT: Final = 2 + max(layout.size for layout in LAYOUTS.values())


class Mode(IntEnum):
    """The rhythm of a lamp.

    Besides the steady lamp there are two rhythms, so that no meaning depends on colour alone.
    """

    OFF = 0
    ON = 1
    BLINK = 2  # half of every second
    PULSE = 3  # two short flashes at the start of every second


class Colour(IntEnum):
    """A lamp's colour as the board mixes it: bit 0 red, bit 1 green, bit 2 blue."""

    RED = 1
    GREEN = 2
    YELLOW = 3
    BLUE = 4
    MAGENTA = 5
    CYAN = 6
    WHITE = 7


class Buzzer(IntEnum):
    """The pattern of the buzzer.

    BEEP and TWICE sound once, when a `Picture` first contains them.
    """

    OFF = 0
    BEEP = 1
    TWICE = 2
    ALARM = 3  # sounds for as long as the picture asks for it


class Sensor(IntEnum):
    """A switch of the Schlitten. Its bit in `Status.active` is `1 << (value - 1)`."""

    EXIT_BEAM = 1  # active: something is in the beam
    LID = 2  # active: the lid is open
    CUT_CARD = 3  # active: the white card has reached the sensor


class Cause(IntEnum):
    """The reason why the board started, if its boot loader kept the chip's reset flags."""

    UNKNOWN = 0
    POWER_ON = 1
    RESET_LINE = 2  # the button on the board, or a port being opened (DTR)
    BROWN_OUT = 3  # the supply fell below the limit: check the 5 V line
    WATCHDOG = 4  # the firmware hung


class LampBuild(IntEnum):
    """The kind of lamp driver that the firmware was built for."""

    HC595 = 0
    APA102 = 1


@dataclass(frozen=True, slots=True)
class Lamp:
    """One seat's lamp. A lamp that is off has no colour."""

    mode: Mode = Mode.OFF
    colour: Colour = Colour.WHITE

    @property
    def byte(self) -> int:
        """The lamp as a byte on the line: colour << 4 | mode, or 0 if the lamp is off."""
        return self.colour << 4 | self.mode if self.mode else 0


OFF: Final = Lamp()

#: The value on the wire of a `display_1` or `display_2` without a number.
_BLANK: Final = -(2**31)
_OVERFLOW: Final = 2**31 - 1
_LOWEST, _HIGHEST = -9_999_999, 99_999_999  # what eight digits can show
#: Two numbers side by side. From here on, a value is the left number times 1000 plus the right one.
_PAIRS: Final = 1_000_000_000
_MOST_OF_PAIR: Final = 999

#: The content of a display: a number, two numbers with a dash between, or nothing.
Number = int | tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything that the board shows: lamps by seat, both displays, the buzzer.

    The first lamp is seat 1's. `display_1` and `display_2` are whole numbers, or two numbers from 0
    to 999, shown as `3-4`; None for a dark display. A number too long for eight digits is shown as
    `--------`, never as a wrong number.
    """

    lamps: tuple[Lamp, ...] = (OFF,) * SEATS
    display_1: Number = None
    display_2: Number = None
    buzzer: Buzzer = Buzzer.OFF

    def __post_init__(self) -> None:
        if len(self.lamps) != SEATS:
            raise ValueError(f"a picture has {SEATS} lamps, not {len(self.lamps)}")


def digits(value: Number) -> str:
    """The eight characters that a display shows for `value`: right-aligned, or `--------`."""
    if value is None:
        return " " * DIGITS
    if isinstance(value, tuple):
        return "-".join(map(str, value)).rjust(DIGITS) if _is_pair(value) else "-" * DIGITS
    if not _LOWEST <= value <= _HIGHEST:
        return "-" * DIGITS
    return f"{value:{DIGITS}d}"


def _is_pair(value: tuple[int, int]) -> bool:
    return all(0 <= number <= _MOST_OF_PAIR for number in value)


def _number(value: Number) -> int:
    if value is None:
        return _BLANK
    if isinstance(value, tuple):
        left, right = value
        return _PAIRS + 1000 * left + right if _is_pair(value) else _OVERFLOW
    return value if _LOWEST <= value <= _HIGHEST else _OVERFLOW


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Tells the board that the host is alive. Sent when nothing else has been sent for a while."""


@dataclass(frozen=True, slots=True)
class ButtonReport:
    """A button (0-7) was pressed or let go, `time_us` microseconds after the board's start."""

    serial: int  # counts button and sensor reports since the start, modulo 2**16
    time_us: int
    button: int
    pressed: bool


@dataclass(frozen=True, slots=True)
class SensorReport:
    """A sensor of the Schlitten changed, `time_us` microseconds after the board's start."""

    serial: int
    time_us: int
    sensor: Sensor
    active: bool


@dataclass(frozen=True, slots=True)
class Status:
    """The board's report about itself, once a second.

    Its counters count from 0 to 65535, then from 0.
    """

    time_us: int  # uptime
    cause: Cause
    bad_frames: int  # frames that arrived damaged
    overruns: int  # bytes that arrived while the receiver was full
    lost_reports: int  # reports dropped because the board's queue was full
    pressed: int  # one bit per button, set while it is down
    active: int  # one bit per sensor, set while it is active

    def is_active(self, sensor: Sensor) -> bool:
        """Whether `sensor` is active at this moment."""
        return bool(self.active >> (sensor - 1) & 1)


FromBoard = ButtonReport | SensorReport | Status


def pack(message: Picture | Heartbeat) -> tuple[int, bytes]:
    """The tag and the fields' bytes of a message from the host."""
    match message:
        case Picture():
            layout = LAYOUTS["picture"]
            return layout.tag, layout.pack(
                *(lamp.byte for lamp in message.lamps),
                _number(message.display_1),
                _number(message.display_2),
                message.buzzer,
            )
        case Heartbeat():
            return LAYOUTS["heartbeat"].tag, b""


def unpack(tag: int, body: bytes) -> FromBoard:
    """Read a message with this tag from the board. Raises BadMessage."""
    layout = _BY_TAG.get(tag)
    if layout is None:
        raise BadMessage(f"tag {tag:#04x} is no message of protocol {PROTOCOL}")
    values = layout.unpack(body)
    try:
        match layout.name:
            case "button":
                serial, time_us, button, pressed = values
                return ButtonReport(serial, time_us, button, bool(pressed))
            case "sensor":
                serial, time_us, sensor, active = values
                return SensorReport(serial, time_us, Sensor(sensor), bool(active))
            case "status":
                time_us, cause, *counts = values
                return Status(time_us, Cause(cause), *counts)
    except ValueError as error:
        raise BadMessage(f"{layout.name}: {error}") from None
    raise BadMessage(f"{layout.name} is not for the board to send")
