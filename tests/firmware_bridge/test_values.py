"""The line's numbers as boards in the field know them, and the host's end to the millisecond."""

from __future__ import annotations

import itertools

import pytest

from firmware_bridge.frames import decode, encode
from firmware_bridge.link import Delivered, Down, HostLink, Received, Up
from firmware_bridge.messages import (
    LAYOUTS,
    MAX_CONTENT,
    PROTOCOL,
    Buzzer,
    Cause,
    Colour,
    Heartbeat,
    Lamp,
    LampBuild,
    Mode,
    Picture,
    Sensor,
    pack,
)


def test_the_words_of_the_line_have_these_numbers():
    """Boards that are flashed already speak by them."""
    assert PROTOCOL == 1
    assert [(one.name, one.value) for one in Mode] == [
        ("OFF", 0), ("ON", 1), ("BLINK", 2), ("PULSE", 3)
    ]  # fmt: skip
    assert [(one.name, one.value) for one in Colour] == [
        ("RED", 1), ("GREEN", 2), ("YELLOW", 3), ("BLUE", 4), ("MAGENTA", 5), ("CYAN", 6),
        ("WHITE", 7),
    ]  # fmt: skip
    assert [(one.name, one.value) for one in Buzzer] == [
        ("OFF", 0), ("BEEP", 1), ("TWICE", 2), ("ALARM", 3)
    ]  # fmt: skip
    assert [(one.name, one.value) for one in Sensor] == [
        ("EXIT_BEAM", 1), ("LID", 2), ("CUT_CARD", 3)
    ]  # fmt: skip
    assert [(one.name, one.value) for one in Cause] == [
        ("UNKNOWN", 0), ("POWER_ON", 1), ("RESET_LINE", 2), ("BROWN_OUT", 3), ("WATCHDOG", 4)
    ]  # fmt: skip
    assert [(one.name, one.value) for one in LampBuild] == [("HC595", 0), ("APA102", 1)]


def test_each_message_has_its_tag_and_length():
    """Without tag and number, which go before it."""
    assert {name: (one.tag, one.size) for name, one in LAYOUTS.items()} == {
        "reset": (0x01, 5),
        "reset_ack": (0x02, 11),
        "ack": (0x03, 0),
        "picture": (0x10, 21),
        "heartbeat": (0x11, 0),
        "button": (0x20, 12),
        "sensor": (0x21, 12),
        "status": (0x22, 17),
    }
    assert MAX_CONTENT == 23


def test_a_dark_picture_and_a_heartbeat_travel_as_these_bytes():
    """No number is the lowest there is; nothing else is asked for."""
    assert pack(Picture()) == (0x10, bytes(12) + b"\0\0\0\x80" + b"\0\0\0\x80" + b"\0")
    assert pack(Picture(display_1=10**8, display_2=-(10**7), buzzer=Buzzer.ALARM)) == (
        0x10,
        bytes(12) + b"\xff\xff\xff\x7f" * 2 + b"\x03",
    )
    assert pack(Heartbeat()) == (0x11, b"")
    assert Lamp() == Lamp(Mode.OFF, Colour.WHITE)


def test_a_layout_shows_its_words_and_not_how_it_is_packed():
    """In an error, or where two are compared."""
    assert repr(LAYOUTS["ack"]) == "Layout(name='ack', tag=3, sender='both', fields=())"


# -- the host's end


def frames(data):
    return [decode(part) for part in data.split(b"\0") if part]


def reset_ack(session, *, version=1, boot_id=9):
    head = bytes([2, 0, version]) + session.to_bytes(4, "little")
    return encode(head + boot_id.to_bytes(4, "little") + bytes([1, 0]))


@pytest.fixture
def link():
    """Up since 0 s, session 1."""
    sessions = itertools.count(1)
    link = HostLink(lambda: next(sessions))
    link.poll(0.0)
    link.receive(reset_ack(1), 0.0)
    return link


def test_a_link_is_due_when_it_has_something_to_say(link):
    """A reset at once, a heartbeat 0.25 s after the last message, a repeat after 0.05 s."""
    assert HostLink(lambda: 1).due == 0.0
    assert link.due == 0.25
    link.poll(0.25)
    assert link.due == pytest.approx(0.30)
    link.receive(encode(b"\x03\x01"), 0.26)
    assert link.due == pytest.approx(0.51)
    link.send(0x10, b"abc", 0.4)
    assert link.due == 0.4


def test_an_acknowledgement_goes_out_with_the_next_poll(link):
    """It does not wait for the next heartbeat, and moves none."""
    assert link.receive(encode(b"\x20\x01abc"), 0.1) == [Received(0x20, b"abc")]
    assert frames(link.poll(0.1)[0]) == [b"\x03\x01"]
    assert link.due == 0.25
    assert link.poll(0.1)[0] == b""


def test_a_reset_is_repeated_after_a_tenth_of_a_second(link):
    """And after a whole one where the board speaks another version."""
    link.break_off("pulled", 1.0)
    assert frames(link.poll(1.0)[0]) == [bytes([1, 0, 1, 2, 0, 0, 0])]
    assert link.due == pytest.approx(1.1)
    link.receive(reset_ack(0, version=3), 1.05)
    assert "speaks protocol 3, this program 1: run `schlitten board flash`" in link.refused
    link.poll(1.1)
    assert link.due == pytest.approx(2.1)


def test_a_board_that_was_flashed_anew_is_refused_no_more(link):
    """It says hello in this version: the next reset comes at once, and then every 0.1 s."""
    link.break_off("pulled", 1.0)
    link.receive(reset_ack(0, version=3), 1.0)
    link.poll(1.0)
    link.receive(reset_ack(0), 1.5)

    assert link.refused == ""
    assert link.due == 1.5
    link.poll(1.5)
    assert link.due == pytest.approx(1.6)
    assert link.receive(reset_ack(2), 1.55) == [Up(9, 1, 0)]
    assert link.refused == ""


def test_another_version_amid_a_conversation_ends_it(link):
    """And says why, once."""
    (down,) = link.receive(reset_ack(1, version=2), 0.1)

    assert isinstance(down, Down)
    assert down.why == link.refused
    assert link.receive(reset_ack(1, version=2), 0.1) == []


def test_nothing_counts_before_both_ends_agree():
    """A board that still speaks of an old session is neither heard nor damaged."""
    link = HostLink(lambda: 1)
    for said in (b"\x03\x01", b"\x20\x01abc", b"\x07\x01"):
        assert link.receive(encode(said), 0.0) == []

    assert (link.bad_frames, link.up, link.ready) == (0, False, False)
    assert link.break_off("pulled", 0.0) == []


@pytest.mark.parametrize("said", [b"\x10\x00", b"\x0f\x01", b"\x04\x01", b"\x01\x01"])
def test_a_message_without_a_number_or_below_the_numbered_is_damage(link, said):
    """16 is the first tag that is numbered."""
    assert link.receive(encode(said), 0.1) == []
    assert link.bad_frames == 1
    assert link.receive(encode(b"\x10\x01"), 0.1) == [Received(0x10, b"")]


def test_a_number_that_leaps_is_neither_told_nor_acknowledged(link):
    """Nor is one that was told before the last one."""
    for number in (1, 2):
        link.receive(encode(bytes([0x20, number])), 0.1)
    link.poll(0.1)

    assert link.receive(encode(b"\x20\x01") + encode(b"\x20\x04"), 0.1) == []
    assert link.poll(0.1)[0] == b""


def test_numbers_count_from_one_again_after_each_reset(link):
    """Both ways; what was in flight is forgotten."""
    link.send(0x10, b"", 0.1)
    link.poll(0.1)
    link.receive(encode(b"\x20\x01"), 0.1)
    link.break_off("pulled", 0.2)
    assert not link.ready
    link.poll(0.2)
    link.receive(reset_ack(2), 0.2)

    assert link.ready
    assert link.receive(encode(b"\x20\x01"), 0.3) == [Received(0x20, b"")]
    link.send(0x10, b"new", 0.3)
    assert frames(link.poll(0.3)[0]) == [b"\x03\x01", b"\x10\x01new"]
    assert link.receive(encode(b"\x03\x01"), 0.3) == [Delivered()]


def test_an_acknowledgement_dies_with_its_conversation(link):
    """The next session hears nothing of it."""
    link.receive(encode(b"\x20\x01"), 0.1)
    link.break_off("pulled", 0.1)

    assert frames(link.poll(0.1)[0]) == [bytes([1, 0, 1, 2, 0, 0, 0])]


def test_five_tries_then_silence_is_a_broken_link(link):
    """The fifth goes out at 0.2 s, and at 0.25 s the link is down."""
    link.send(0x10, b"abc", 1.0)
    tries = [link.poll(1.0 + 0.0501 * n) for n in range(5)]
    assert [len(frames(out)) for out, _ in tries] == [1] * 5
    assert link.poll(1.249) == (b"", [])
    out, happened = link.poll(1.2506)
    assert (out, happened) == (b"", [Down("the board did not answer 5 times in 0.25 s")])
    assert link.receive(reset_ack(2), 1.3) == [Up(9, 1, 0)]


def test_tries_are_counted_for_each_message(link):
    """Four in vain for one leave five for the next."""
    for number in (1, 2):
        link.send(0x10, b"abc", number)
        for at in range(4):
            link.poll(number + 0.0501 * at)
        assert link.receive(encode(bytes([3, number])), number + 0.2) == [Delivered()]
