"""Noise on a sensor's wire, and lamps and displays that would take too much current."""

import shutil

import pytest

from firmware_bridge.messages import Colour, Lamp, Mode, Picture, Sensor, SensorReport
from firmware_bridge.reconciler import Connected, Lost
from hardware import emulator
from hardware.emulator import FIRMWARE
from tests.hil.desk import Desk, Status
from tests.hil.lockstep import Lockstep
from tests.hil.scenarios import clock_began_us

WHITE = Picture((Lamp(Mode.ON, Colour.WHITE),) * 12, display_1=88_888_888, display_2=88_888_888)


@pytest.mark.parametrize("hz", [2_000, 30_000, 47_000, 300_000])
def test_a_storm_on_one_line_does_not_stop_the_board(emulated, hz):
    """The lid's wire picks up noise for three seconds: no byte is lost, nothing is told of it."""
    emulated.show(WHITE)
    emulated.run_until_shown()
    emulated.news.clear()
    emulated.board.command(f"storm 2 {hz}")
    emulated.run(3.0)

    assert not emulated.told(Lost)
    assert not emulated.told(Connected)
    assert not emulated.told(SensorReport)
    assert {one.overruns for one in emulated.told(Status)} == {0}
    assert emulated.shows(WHITE)


@pytest.mark.parametrize("hz", [30_000, 300_000])
def test_the_beam_is_timed_to_a_millisecond_amid_the_lid_s_storm(emulated, hz):
    """A card of 63 ms is a card of 63 ms, and a new picture is shown."""
    emulated.run_until_shown()
    began_us = clock_began_us(emulated)
    emulated.board.command(f"storm 2 {hz}")
    emulated.run(0.5)
    moved_us = emulated.board.us - began_us
    for level in (1, 0):
        emulated.board.command(f"sensor 1 {level}")
        emulated.run(0.063)
    emulated.show(WHITE)
    emulated.run_until_shown()

    into, out = emulated.told(SensorReport)
    assert into.time_us - moved_us == pytest.approx(0, abs=1_100)
    assert out.time_us - into.time_us == pytest.approx(63_000, abs=1_100)


def test_after_a_storm_the_wire_is_heard_again(emulated):
    """The lid is opened a second after its wire went quiet: told once, with its own time."""
    emulated.run_until_shown()
    began_us = clock_began_us(emulated)
    emulated.board.command("storm 2 40000")
    emulated.run(1.0)
    emulated.board.command("storm 2 0")
    emulated.run(1.0)
    moved_us = emulated.board.us - began_us
    emulated.board.command("sensor 2 1")
    emulated.run(0.1)
    (opened,) = emulated.told(SensorReport)

    assert (opened.sensor, opened.active) == (Sensor.LID, True)
    assert opened.time_us - moved_us == pytest.approx(0, abs=40)


def plant(monkeypatch, tmp_path, file, old, new):
    """Use a copy of the firmware in which one source is changed."""
    copy = tmp_path / "firmware"
    shutil.copytree(FIRMWARE, copy, ignore=shutil.ignore_patterns("build"))
    text = (copy / file).read_text()
    assert text.count(old) == 1
    (copy / file).write_text(text.replace(old, new))
    monkeypatch.setattr(emulator, "FIRMWARE", copy)


@pytest.mark.parametrize(
    ("build", "slip", "seen"),
    [
        ("apa102", ("lamps_apa102.c", "APA102_BRIGHTNESS", "31"), ("f" * 12, "88888888")),
        ("apa102", ("lamps_apa102.c", "APA102_BRIGHTNESS", "9"), ("f" * 12, "88888888")),
        (
            "hc595",
            ("digits_max7219.c", "MAX7219_INTENSITY, MAX7219_INTENSITY", "8, 8"),
            ("7" * 12, "!!!!!!!!"),
        ),
    ],
)
def test_more_current_than_wiring_reckons_with_is_seen(monkeypatch, tmp_path, build, slip, seen):
    """The emulator's lamps and displays glare where the firmware exceeds hardware/board.toml."""
    with Lockstep(build) as board:
        desk = Desk(board)
        desk.show(WHITE)
        desk.run_until_shown()
        assert (board.seen.lamps, board.seen.display_1) == ("7" * 12, "88888888")
    plant(monkeypatch, tmp_path, *slip)
    with Lockstep(build) as board:
        desk = Desk(board)
        desk.show(WHITE)
        desk.run_until_shown()

        assert (board.seen.lamps, board.seen.display_1) == seen
