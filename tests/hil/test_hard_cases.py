"""Rare cases for a board: a full line, a supply that dips, old clocks, a slow start."""

import itertools
import subprocess

import pytest

from firmware_bridge.frames import encode
from firmware_bridge.messages import ButtonReport, Cause, Colour, Lamp, Mode, Picture
from firmware_bridge.reconciler import Connected, Lost
from hardware.emulator import elf
from tests.hil import scenarios
from tests.hil.desk import Desk, SensorReport, Status
from tests.hil.lockstep import Lockstep

PICTURE = Picture(lamps=(Lamp(Mode.BLINK, Colour.YELLOW),) * 12, display_1=1250, display_2=-40)


def address(name: str, build: str = "hc595") -> int:
    """Where the firmware has a variable or a function."""
    told = subprocess.run(["avr-nm", elf(build)], capture_output=True, text=True, check=True)
    (found,) = [line for line in told.stdout.splitlines() if line.split()[-1] == name]
    return int(found.split()[0], 16)


def test_bytes_without_room_are_overruns_and_damage_is_damage(emulated):
    """The program stands still for 12 ms: 63 of 90 bytes find room, and the frame is broken."""
    emulated.show(PICTURE)
    emulated.run(2.0)
    before = emulated.told(Status)[-1]
    emulated.board.command("hang 12000")
    emulated.board.run(12_000, b"\x11" * 90)
    emulated.run(2.5)
    after = emulated.told(Status)[-1]

    assert after.bad_frames - before.bad_frames == 1
    assert (before.overruns, after.overruns) == (0, 27)
    assert emulated.shows(PICTURE)


@pytest.mark.parametrize("build", ["hc595", "apa102"])
def test_a_dip_of_the_supply_is_mended_within_a_second(build):
    """Lamps and displays forget everything; the board says it all again, unasked."""
    with Lockstep(build) as board:
        desk = Desk(board)
        desk.show(PICTURE)
        desk.run_until_shown()
        desk.board.command("dip")
        assert (board.seen.lamps, board.seen.display_1, board.seen.display_2) == ("0" * 12, "", "")
        desk.run(1.1)

        assert desk.shows(PICTURE)
        assert {one.lamps for one in board.history[-4:]} == {"0" * 12, "3" * 12}
        assert len(desk.told(Connected)) == 1


def test_displays_are_told_again_every_second(emulated):
    """By the board's clock, whenever one has lost what it showed."""
    emulated.show(PICTURE)
    emulated.run_until_shown()
    told_s = []
    for _ in range(5):
        emulated.board.command("dip")
        emulated.run(0.99 if told_s else 0)
        while not emulated.board.seen.display_1:
            emulated.run(0.0005)
        told_s.append(emulated.now)

    assert abs(told_s[-1] - told_s[0] - 4) <= 0.001


def test_a_slow_start_after_the_watchdog_is_not_bitten_again(emulated):
    """The watchdog that bit still runs, at 16 ms, until the program turns it off."""
    emulated.show(PICTURE)
    emulated.run_until_shown()
    emulated.board.command(f"hold {address('main')} 60000")
    emulated.board.command("hang")
    emulated.run(1.0)
    before, after = emulated.told(Connected)

    assert after.cause is Cause.WATCHDOG
    assert after.boot_id == before.boot_id + 1
    assert emulated.shows(PICTURE)


def test_the_watchdog_runs_again_after_it_has_bitten(emulated):
    """A program that hangs twice is started twice."""
    for _ in range(2):
        scenarios.firmware_hangs(emulated, PICTURE)


def play_on(desk):
    """Press a button and break the beam twenty times in two seconds; nothing may be lost."""
    desk.show(PICTURE)
    desk.run_until_shown()
    known = len(desk.told(Lost)), len(desk.told(Connected))
    for number in range(40):
        desk.board.command(f"button 2 {(number + 1) % 2}")
        desk.board.command(f"sensor 1 {(number + 1) % 2}")
        desk.run(0.05)
    desk.run(1.1)

    assert (len(desk.told(Lost)), len(desk.told(Connected))) == known
    assert desk.shows(PICTURE)
    since = [one for one in desk.board.history if one.us > desk.board.us - 1_100_000]
    assert {one.lamps for one in since} == {"0" * 12, "3" * 12}  # they blink
    for kind in (ButtonReport, SensorReport):
        times_us = [one.time_us for one in desk.told(kind)]
        assert len(times_us) == 40
        steps = [after - before for before, after in itertools.pairwise(times_us)]
        assert all(48_000 < step < 52_000 for step in steps)


def test_an_old_board_goes_on_when_its_milliseconds_turn_over(emulated):
    """After 49.7 days: nothing is lost or dark, every input is told."""
    emulated.run_until_shown()
    emulated.board.command(f"poke {address('milliseconds')} {2**32 - 2_000}")
    emulated.run(1.2)

    assert len(emulated.told(Connected)) == 2  # the jump was silence to the board: it is that old
    play_on(emulated)


@pytest.mark.parametrize(
    ("turns", "over_us"),
    [(2**16 - 60, 2**31), (2**17 - 60, 2**32)],  # a turn is 32.768 ms: 1.97 s before
)
def test_an_old_board_s_times_go_on_when_its_ticks_turn_over(emulated, turns, over_us):
    """After 36 and 72 minutes: 32 bits of half and of whole microseconds."""
    emulated.run(1.2)
    emulated.board.command(f"poke {address('turns')} {turns}")
    play_on(emulated)
    times_us = [one.time_us for one in emulated.told(SensorReport)]

    assert times_us[0] < over_us < times_us[-1]
    assert emulated.told(Status)[-1].time_us > over_us


def run_until(desk, board_us, began_us):
    """Let time pass until the board's clock says so."""
    desk.run((board_us + began_us - desk.board.us) / 1e6)


def test_a_disturbance_while_the_ticks_turn_over_is_not_told(emulated):
    """The lid moves for 7 ms, 3 of them before the 36 minutes are full."""
    emulated.run_until_shown()
    emulated.board.command(f"poke {address('turns')} {2**16 - 30}")
    began_us = scenarios.clock_began_us(emulated)
    run_until(emulated, 2**31 - 3_000, began_us)
    emulated.board.command("sensor 2 1")
    emulated.run(0.007)
    emulated.board.command("sensor 2 0")
    emulated.run(0.1)

    assert emulated.told(SensorReport) == []


def test_a_time_is_right_in_the_moment_of_a_turn(emulated):
    """Edges microsecond by microsecond around turns of the timer: none is 32.768 ms off."""
    emulated.run_until_shown()
    began_us = scenarios.clock_began_us(emulated)
    turn = emulated.board.us // 32_768 + 2
    moved_us = []
    for offset in range(-8, 4):
        run_until(emulated, turn * 32_768 + offset, began_us)
        moved_us.append(emulated.board.us - began_us)
        emulated.board.command(f"sensor 1 {len(moved_us) % 2}")
        turn += 2
    emulated.run(0.1)

    late_us = [
        report.time_us - at_us
        for report, at_us in zip(emulated.told(SensorReport), moved_us, strict=True)
    ]
    assert all(abs(late) <= 40 for late in late_us)


def bad_frames_after(desk, content: bytes) -> int:
    """How many more the board counts once this came in a whole frame."""
    desk.show(PICTURE)
    desk.run(2.0)
    before = desk.told(Status)[-1].bad_frames
    desk.board.run(5_000, encode(content))
    desk.run(2.5)

    assert desk.shows(PICTURE)
    return desk.told(Status)[-1].bad_frames - before


@pytest.mark.parametrize(
    "content",
    [b"\x7f\x05", b"\x7f", b"\x10" + bytes(3), b"\x01\x00\x00"],
    ids=["a tag that there is not", "no number", "a picture too short", "an ack too long"],
)
def test_what_is_no_message_is_counted_as_a_bad_frame(emulated, content):
    """Whole, with a right checksum, and none of ours: whoever looks at the board can see it."""
    assert bad_frames_after(emulated, content) == 1


@pytest.mark.parametrize("build", ["hc595", "apa102"])
def test_the_very_first_picture_is_shown(build):
    """By a chain of lamps that has seen nothing yet: each picture has its own beginning."""
    with Lockstep(build) as board:
        desk = Desk(board)
        desk.show(Picture(lamps=(Lamp(Mode.ON, Colour.WHITE),) * 12))
        desk.run_until_shown()

        shown = [one.lamps for one in board.history if one.lamps != "0" * 12]
        assert shown[0] == "7" * 12
