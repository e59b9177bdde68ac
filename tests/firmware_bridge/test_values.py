"""The line's numbers as boards in the field know them, and the host's end to the millisecond."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

from firmware_bridge.frames import decode, encode
from firmware_bridge.link import Down, HostLink, Received, Up
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
from tests import tables


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


class Host:
    """The host's end of a line, and what its board says."""

    def new(self):
        sessions = itertools.count(1)
        self.link = HostLink(lambda: next(sessions))

    def up(self):
        self.new()
        self.poll(0.0)
        self.ack(0.0, 1)

    def hear(self, now, *contents):
        """These frames, each of the content that stands after the x; what happened."""
        said = b"".join(encode(bytes.fromhex(one[1:])) for one in contents)
        return [_happened(one) for one in self.link.receive(said, now)]

    def ack(self, now, session, version=1):
        """The answer to a reset, by a board at its 9th start."""
        head = bytes([2, 0, int(version)]) + int(session).to_bytes(4, "little")
        content = head + (9).to_bytes(4, "little") + bytes([1, 0])
        return self.hear(now, f"x{content.hex()}")

    def send(self, now, body=""):
        self.link.send(0x10, body.encode(), now)

    def poll(self, now):
        """What goes out, and what happened."""
        out, happened = self.link.poll(now)
        frames = [decode(part).hex() for part in out.split(b"\0") if part]
        return [*frames, *map(_happened, happened)]

    def cut(self, now):
        return self.link.break_off("pulled", now)

    def due(self):
        return self.link.due

    def refused(self):
        return _short(self.link.refused)

    def is_up(self):
        return self.link.up

    def ready(self):
        return self.link.ready


def _short(why):
    """Of a board that is refused the protocol that it speaks, if the sentence says what to do."""
    found = re.fullmatch(r".* (protocol \d), this program 1: run `schlitten board flash`.*", why)
    return found[1] if found else why


def _happened(one):
    match one:
        case Down(why):
            return f"Down:{_short(why)}"
        case Received(tag, body):
            return f"Received:{tag:x}:{body.decode()}"
        case Up(boot_id, cause, lamps):
            return f"Up:{boot_id}:{cause}:{lamps}"
    return type(one).__name__


@pytest.mark.parametrize("case", tables.cases(Path(__file__).with_name("link.table")))
def test_the_hosts_end_at_its_limits(case):
    """Each met exactly and missed by a little."""
    tables.play(case, Host())
