import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.messages import (
    ButtonReport,
    Cause,
    Colour,
    Lamp,
    Mode,
    Picture,
    SensorReport,
    Status,
    digits,
)
from firmware_bridge.reconciler import Connected, Lost
from tests.firmware_bridge.bad_line import BadLine

PICTURE = Picture(lamps=(Lamp(Mode.BLINK, Colour.GREEN),) * 12, display_1=125, display_2=-7)


def test_the_desired_picture_is_shown_and_known_to_be():
    """Both ends agree within some milliseconds."""
    line = BadLine()
    line.host.show(PICTURE)
    line.run(0.05)

    assert line.host.shown == PICTURE
    assert line.board.shown().lamps == ("blink green",) * 12
    assert (line.board.shown().display_1, line.board.shown().display_2) == ("     125", "      -7")


def test_only_the_newest_picture_matters():
    """Of pictures that change faster than the line, the last one is shown."""
    line = BadLine()
    line.run(0.05)
    for number in range(50):
        line.host.show(Picture(display_1=number))
    line.run(0.05)

    assert line.host.shown == Picture(display_1=49)
    assert line.board.shown().display_1 == digits(49)


def test_a_board_that_restarts_gets_the_picture_of_now():
    """It says hello; the host knows that it started anew, and why."""
    line = BadLine()
    line.host.show(PICTURE)
    line.run(0.1)
    line.restart_board()
    line.run(0.05)

    assert line.host.shown == PICTURE
    assert not line.board.shown().safe
    assert line.told(Connected)[-1].rebooted
    assert line.told(Connected)[-1].cause is Cause.RESET_LINE


def test_while_the_line_is_cut_nothing_counts_as_shown():
    """After five tries the picture is unknown; the board goes dark by itself; all comes back."""
    line = BadLine()
    line.host.show(PICTURE)
    line.run(0.1)
    line.lost = 1.0
    line.run(1.3)

    assert line.host.shown is None
    assert [type(one) for one in line.news][-1] is Lost
    assert line.board.shown().safe

    line.lost = 0.0
    line.run(0.2)

    assert line.host.shown == PICTURE
    assert not line.told(Connected)[-1].rebooted


def test_a_host_that_slept_does_not_trust_what_it_showed():
    """Two seconds without a poll: the board is dark and says so; the picture is given anew."""
    line = BadLine()
    line.host.show(PICTURE)
    line.run(0.1)
    line.now += 2.0
    line.board.poll(line.ms)
    assert line.board.shown().safe

    line.run(0.2)

    assert not line.board.shown().safe
    assert line.host.shown == PICTURE


def test_half_a_line_does_not_keep_an_old_picture_up():
    """The board hears, and is not heard: its picture may be old, so it goes dark."""
    line = BadLine()
    line.host.show(PICTURE)
    line.run(0.1)
    line.host.receive = lambda _data, _now: []
    line.run(2.0)

    assert line.board.shown().safe


def test_reports_come_once_and_in_order():
    """Buttons and sensors, with the board's time; and its word about itself every second."""
    line = BadLine()
    line.run(0.1)
    line.board.button(3, pressed=True, now_ms=line.ms)
    line.board.sensor(1, active=True, now_ms=line.ms)
    line.board.button(3, pressed=False, now_ms=line.ms)
    line.run(1.2)

    reports = [one for one in line.news if isinstance(one, ButtonReport | SensorReport)]
    assert [(one.serial, one.time_us) for one in reports] == [(n, 100_000) for n in (1, 2, 3)]
    assert line.host.status is line.told(Status)[-1]
    assert line.host.status.active == 0b001


def test_a_report_whose_acknowledgement_was_lost_with_the_link_is_not_told_twice():
    """The board repeats it after the reset; its serial gives it away."""
    line = BadLine()
    line.run(0.1)
    line.board.button(5, pressed=True, now_ms=line.ms)
    first = line.host.receive(line.board.poll(line.ms), line.now)
    line.host.unplug("pulled", line.now)
    line.run(0.3)

    assert [one.button for one in first] == [5]
    assert line.told(ButtonReport) == []


def test_reports_count_anew_when_the_board_restarts():
    """The serial begins at 1 again, and is not taken for an old report."""
    line = BadLine()
    line.run(0.1)
    for _ in range(3):
        line.board.button(0, pressed=True, now_ms=line.ms)
        line.run(0.05)
    line.restart_board()
    line.run(0.2)
    line.board.button(1, pressed=True, now_ms=line.ms)
    line.run(0.1)

    assert [one.button for one in line.told(ButtonReport)] == [0, 0, 0, 1]


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.lists(st.integers(-(10**8), 10**9), min_size=1, max_size=12))
def test_one_byte_in_a_hundred_makes_it_late_and_never_wrong(seed, numbers):
    """Lost and flipped bytes both ways: no number that nobody asked for, and the last one comes."""
    line = BadLine(seed, lost=0.01, flipped=0.01)
    for place, number in enumerate(numbers):
        line.host.show(Picture(display_1=number))
        line.board.button(place % 8, pressed=True, now_ms=line.ms)
        line.run(0.5)
    line.lost = line.flipped = 0.0
    line.run(1.6)

    asked = {digits(number) for number in numbers} | {"-" * 8, digits(None)}
    assert {shown.display_1 for shown in line.seen} <= asked
    assert line.board.shown().display_1 == digits(numbers[-1])
    assert line.host.shown == Picture(display_1=numbers[-1])
    serials = [one.serial for one in line.told(ButtonReport)]
    assert serials == sorted(set(serials))


@settings(max_examples=100)
@given(st.lists(st.binary(max_size=200), max_size=5))
def test_noise_does_no_harm(noise):
    """Any bytes: no error, no news but what frames say, and the board is met afterwards."""
    line = BadLine()
    for data in noise:
        line.host.receive(data, line.now)
        line.board.receive(data, line.ms)
        line.run(0.05)
    line.run(1.5)

    assert line.host.connected


def test_unknown_messages_of_the_board_are_not_told():
    """A report this program cannot read: acknowledged, so that it does not block the line."""
    line = BadLine()
    line.run(0.1)
    line.board._reports.append(b"\x7f\x01\x02")
    before = len(line.news)
    line.run(0.3)

    assert line.news[before:] == []
    assert not line.board._reports


@pytest.mark.parametrize("cause", [0, 4, 77])
def test_a_cause_nobody_knows_is_unknown(cause):
    """A boot loader may leave anything."""
    line = BadLine()
    line.board._cause = cause
    line.run(0.1)

    assert line.told(Connected)[0].cause == (cause if cause < 5 else Cause.UNKNOWN)
