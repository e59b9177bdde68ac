import itertools

import pytest

from firmware_bridge.frames import decode, encode
from firmware_bridge.link import RETRY_S, TRIES, Delivered, Down, HostLink, Received, Up


def frames(data):
    """Contents of all frames in `data`."""
    return [decode(part) for part in data.split(b"\0") if part]


def reset_ack(session, *, version=1, boot_id=9):
    return encode(
        bytes([2, 0, version])
        + session.to_bytes(4, "little")
        + boot_id.to_bytes(4, "little")
        + bytes([1, 0])
    )


@pytest.fixture
def link():
    """A link that has just come up, at time 0, session 1."""
    sessions = itertools.count(1)
    link = HostLink(lambda: next(sessions))
    link.poll(0.0)
    assert link.receive(reset_ack(1), 0.0) == [Up(9, 1, 0)]
    return link


def test_it_begins_with_a_reset_until_somebody_answers():
    """Every 0.1 s, version and session in it, after a zero that ends old noise."""
    link = HostLink(lambda: 0x01020304)
    first, _ = link.poll(0.0)
    early, _ = link.poll(0.09)
    second, _ = link.poll(0.1)

    assert first[0] == 0
    assert frames(first) == [bytes([1, 0, 1, 4, 3, 2, 1])]
    assert (early, second) == (b"", first)


def test_a_message_is_sent_again_until_it_is_acknowledged(link):
    """The same bytes every 50 ms, then nothing more."""
    link.send(0x10, b"abc", 1.0)
    first, _ = link.poll(1.0)
    soon, _ = link.poll(1.0 + RETRY_S - 0.001)
    again, _ = link.poll(1.0 + RETRY_S)

    assert frames(first) == [b"\x10\x01abc"]
    assert (soon, again) == (b"", first)
    assert link.receive(encode(b"\x03\x01"), 1.06) == [Delivered()]
    assert link.poll(1.1) == (b"", [])


def test_five_tries_in_vain_are_a_reset_with_a_new_session(link):
    """The link goes down, says why, and begins anew at once."""
    link.send(0x10, b"abc", 1.0)
    tries = [link.poll(1.001 + n * RETRY_S * 1.01) for n in range(TRIES)]
    last, happened = link.poll(1.3)
    reset, _ = link.poll(1.3)

    assert all(out for out, _ in tries)
    assert (last, happened) == (b"", [Down("the board did not answer 5 times in 250 ms")])
    assert frames(reset) == [bytes([1, 0, 1, 2, 0, 0, 0])]


def test_the_acknowledgement_of_an_earlier_message_counts_for_none(link):
    """A late acknowledgement does not make a lost message a delivered one."""
    link.send(0x10, b"one", 1.0)
    link.receive(encode(b"\x03\x01"), 1.0)
    link.send(0x10, b"two", 1.1)

    assert link.receive(encode(b"\x03\x01"), 1.1) == []
    assert link.receive(encode(b"\x03\x02"), 1.1) == [Delivered()]


def test_a_heartbeat_is_sent_when_nothing_else_is(link):
    """A quarter of a second after the last message, and acknowledged in silence."""
    assert link.poll(0.24) == (b"", [])
    beat, _ = link.poll(0.25)

    assert frames(beat) == [b"\x11\x01"]
    assert link.receive(encode(b"\x03\x01"), 0.26) == []


def test_a_repeat_is_acknowledged_and_not_told(link):
    """The board did not hear the acknowledgement: it gets one more, nobody else hears of it."""
    report = encode(b"\x20\x01body")

    assert link.receive(report, 0.1) == [Received(0x20, b"body")]
    assert link.receive(report, 0.1) == []
    assert frames(link.poll(0.1)[0]) == [b"\x03\x01", b"\x03\x01"]


def test_numbers_go_round_without_zero(link):
    """After 255 comes 1, both ways."""
    for number in [*range(1, 256), 1, 2]:
        link.send(0x10, b"", 0.1)
        out, _ = link.poll(0.1)
        assert frames(out)[-1][1] == number
        assert link.receive(encode(bytes([3, number])), 0.1) == [Delivered()]
        assert link.receive(encode(bytes([0x20, number])), 0.1) == [Received(0x20, b"")]
        link.poll(0.1)


def test_a_board_that_restarted_is_reset_at_once(link):
    """A hello without a session, in the midst of all: the next poll says reset."""
    happened = link.receive(reset_ack(0, boot_id=10), 0.05)
    reset, _ = link.poll(0.05)

    assert [type(one) for one in happened] == [Down]
    assert frames(reset) == [bytes([1, 0, 1, 2, 0, 0, 0])]
    assert link.receive(reset_ack(2, boot_id=10), 0.06) == [Up(10, 1, 0)]


def test_a_board_that_has_just_started_does_not_wait_for_the_next_reset():
    """Its hello comes between two resets of a link that is down: answered at once."""
    link = HostLink(lambda: 1)
    link.poll(0.0)
    link.receive(reset_ack(0), 0.02)

    assert frames(link.poll(0.02)[0]) == [bytes([1, 0, 1, 1, 0, 0, 0])]


def test_the_answer_to_an_old_reset_does_not_count(link):
    """A session that is not ours does not bring the link up, nor reset it when it is up."""
    assert link.receive(reset_ack(1), 0.05) == []
    link.receive(reset_ack(0), 0.05)

    assert link.receive(reset_ack(1), 0.06) == []
    assert not link.up


def test_a_board_of_another_version_is_named_and_asked_seldom():
    """The text says what to do; the link stays down."""
    link = HostLink(lambda: 1)
    link.poll(0.0)

    assert link.receive(reset_ack(0, version=2), 0.01) == []
    assert "the board speaks protocol 2, this program 1" in link.refused
    assert link.poll(0.1)[0]
    assert link.poll(0.5) == (b"", [])
    assert link.poll(1.1)[0]


def test_half_a_frame_before_the_port_was_lost_does_not_spoil_the_next_one(link):
    """What comes from a port that was opened again is another conversation."""
    link.receive(reset_ack(1)[:9], 0.1)

    assert [type(one) for one in link.break_off("pulled out", 0.2)] == [Down]
    assert link.receive(reset_ack(2), 0.3) == [Up(9, 1, 0)]


def test_sending_while_something_is_in_flight_is_a_mistake_of_the_program(link):
    """Stop and wait: the caller looks at `ready` first."""
    link.send(0x10, b"", 0.1)

    with pytest.raises(RuntimeError, match="in flight"):
        link.send(0x10, b"", 0.1)


@pytest.mark.parametrize(
    "damaged", [encode(b"\x10\x01")[:-1] + b"\x07\0", encode(b"\x10"), encode(b"\x07\x01")]
)
def test_damage_is_nothing(link, damaged):
    """A bad checksum, a message without a number, a tag below all others."""
    assert link.receive(damaged, 0.1) == []
    assert link.receive(encode(b"\x10\x01"), 0.1) == [Received(0x10, b"")]
