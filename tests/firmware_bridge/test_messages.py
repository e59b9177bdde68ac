import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.messages import (
    LAYOUTS,
    MAX_CONTENT,
    OFF,
    BadMessage,
    ButtonReport,
    Buzzer,
    Cause,
    Colour,
    Lamp,
    Mode,
    Picture,
    Sensor,
    SensorReport,
    Status,
    digits,
    pack,
    unpack,
)


def test_a_picture_travels_as_these_bytes():
    """Twelve lamps as colour and mode, two numbers little-endian, the buzzer."""
    lamps = (Lamp(Mode.ON, Colour.RED), Lamp(Mode.PULSE, Colour.WHITE), *(OFF,) * 10)

    assert pack(Picture(lamps, 1250, -1, Buzzer.TWICE)) == (
        0x10,
        bytes([0x11, 0x73] + [0] * 10 + [0xE2, 0x04, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 2]),
    )


def test_a_lamp_that_is_off_has_no_colour():
    """An unlit red lamp and an unlit blue one are the same picture on the line."""
    assert Lamp(Mode.OFF, Colour.RED).byte == Lamp(Mode.OFF, Colour.BLUE).byte == 0


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "        "),
        (0, "       0"),
        (-40, "     -40"),
        (99_999_999, "99999999"),
        (100_000_000, "--------"),
        (-9_999_999, "-9999999"),
        (-10_000_000, "--------"),
        (2**40 + 5, "--------"),
        (-(2**31), "--------"),
        ((3, 4), "     3-4"),
        ((0, 3), "     0-3"),
        ((999, 0), "   999-0"),
        ((1000, 0), "--------"),
        ((0, -1), "--------"),
        (1_000_003_004, "--------"),
    ],
)
def test_digits(value, shown):
    """What eight digits cannot hold is dashes, never a part of the number."""
    assert digits(value) == shown


def test_numbers_beyond_the_wire_are_packed_as_overflow():
    """A number of more than 32 bits does not wrap into another one, nor into the dark sign."""
    _, huge = pack(Picture(display_1=2**40 + 5, display_2=-(2**31)))

    assert LAYOUTS["picture"].unpack(huge)[12:14] == (2**31 - 1, 2**31 - 1)


def test_two_numbers_travel_as_one():
    """Thousands of the left one; two that a display cannot hold are packed as overflow."""
    _, sent = pack(Picture(display_1=(3, 4), display_2=(1000, 0)))

    assert LAYOUTS["picture"].unpack(sent)[12:14] == (1_000_003_004, 2**31 - 1)


def test_the_longest_numbers_of_a_display_are_packed_as_they_are():
    """Eight characters hold them; one more is too many."""
    _, longest = pack(Picture(display_1=99_999_999, display_2=-9_999_999))
    _, longer = pack(Picture(display_1=100_000_000, display_2=-10_000_000))

    assert LAYOUTS["picture"].unpack(longest)[12:14] == (99_999_999, -9_999_999)
    assert LAYOUTS["picture"].unpack(longer)[12:14] == (2**31 - 1, 2**31 - 1)


def test_a_picture_has_twelve_lamps():
    """A picture made for another table is refused where it is made."""
    with pytest.raises(ValueError, match="12 lamps, not 9"):
        Picture(lamps=(OFF,) * 9)


numbers = {
    "u8": st.integers(0, 2**8 - 1),
    "u16": st.integers(0, 2**16 - 1),
    "u32": st.integers(0, 2**32 - 1),
    "u64": st.integers(0, 2**64 - 1),
    "i32": st.integers(-(2**31), 2**31 - 1),
}


@st.composite
def messages(draw):
    """Any message of the table with any values."""
    layout = draw(st.sampled_from(list(LAYOUTS.values())))
    values = [draw(numbers[one.kind]) for one in layout.fields for _ in range(one.count)]
    return layout, tuple(values)


@given(messages())
def test_layouts_unpack_what_they_pack(message):
    """Every message type, any values."""
    layout, values = message

    assert layout.unpack(layout.pack(*values)) == values


def test_a_value_that_does_not_fit_is_named():
    """The message and its values are in the error."""
    with pytest.raises(ValueError, match=r"ack.*\(7,\)"):
        LAYOUTS["ack"].pack(7)


def test_reports_are_read():
    """Each report of the board, from its bytes."""
    time = (1_000_000).to_bytes(8, "little")

    assert unpack(0x20, b"\x05\x00" + time + b"\x03\x01") == ButtonReport(5, 1_000_000, 3, True)
    assert unpack(0x21, b"\x06\x00" + time + b"\x02\x00") == SensorReport(
        6, 1_000_000, Sensor.LID, False
    )
    assert unpack(0x22, time + bytes([3, 1, 0, 2, 0, 3, 0, 0x80, 4])) == Status(
        1_000_000, Cause.BROWN_OUT, 1, 2, 3, 0x80, 4
    )


def test_a_status_knows_its_sensors():
    """One bit each, in the order of their numbers."""
    status = Status(0, Cause.UNKNOWN, 0, 0, 0, 0, 0b100)

    assert [sensor for sensor in Sensor if status.is_active(sensor)] == [Sensor.CUT_CARD]


@pytest.mark.parametrize(
    ("tag", "body", "what"),
    [
        (0x77, b"", "tag 0x77"),
        (0x20, b"short", "button: 5 bytes, want 12"),
        (0x21, bytes(10) + b"\x09\x01", "sensor: 9 is not a valid Sensor"),
        (0x10, bytes(21), "picture is not for the board to send"),
    ],
)
def test_what_is_no_report_is_refused(tag, body, what):
    """The error names the message and what is wrong with it."""
    with pytest.raises(BadMessage, match=what):
        unpack(tag, body)


@given(st.integers(0, 255), st.binary(max_size=40))
def test_any_bytes_are_read_or_refused(tag, body):
    """Nothing but BadMessage comes out of a wrong message."""
    try:
        unpack(tag, body)
    except BadMessage:
        return
    assert tag in {0x20, 0x21, 0x22}


def test_all_messages_fit_a_frame():
    """The board's buffers hold the longest message."""
    assert MAX_CONTENT <= 60
