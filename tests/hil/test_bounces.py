"""Contacts bounce and light flickers: which changes are reported, and with which time (inputs.c).

Expectations are those of the firmware's table: the exit beam settles in 1 ms, the lid in 10, the
cut card in 5, a button in 10. Sensors are timed to the microsecond by their first edge. A button is
timed by the first look, once a millisecond, that found it in its final state.
"""

import pytest

from firmware_bridge.messages import ButtonReport, Sensor, SensorReport
from tests.hil.scenarios import clock_began_us

LATE_US = 40  # from an edge to its time, beside the time from switching on to the board's clock
SENSORS = {"sensor 1": Sensor.EXIT_BEAM, "sensor 2": Sensor.LID, "sensor 3": Sensor.CUT_CARD}


@pytest.fixture
def listening(emulated):
    """The emulated board with a host that hears it."""
    emulated.run_until_shown()
    return emulated


def move(desk, what, *for_us, first=1):
    """Change `what` to `first`, back, and so on, each for so long; return when it first moved."""
    begun_us = desk.board.us
    for number, us in enumerate(for_us):
        desk.board.command(f"{what} {(first + number) % 2}")
        desk.run(us / 1e6)
    return begun_us


def told(desk):
    """What was told of buttons and sensors."""
    return [
        one.pressed if isinstance(one, ButtonReport) else one.active
        for one in desk.news
        if isinstance(one, ButtonReport | SensorReport)
    ]


@pytest.mark.parametrize(
    ("what", "us"),
    [("sensor 1", 900), ("sensor 2", 9_000), ("sensor 3", 4_500), ("button 3", 9_000)],
)
def test_a_disturbance_is_not_told(listening, what, us):
    """Shorter than its contact or light takes to settle: nothing moved."""
    move(listening, what, us, 100_000)

    assert told(listening) == []


@pytest.mark.parametrize(
    ("what", "us"), [("sensor 1", 900), ("sensor 2", 9_000), ("sensor 3", 4_500)]
)
@pytest.mark.parametrize("held", [0, 1])
def test_a_disturbance_leaves_no_time_behind(listening, what, us, held):
    """What moves a while later, for good, is timed by its own edge; at rest and held alike."""
    clock = clock_began_us(listening)
    move(listening, what, 100_000, first=held)
    move(listening, what, us, 100_000, first=1 - held)
    moved_us = move(listening, what, 100_000, first=1 - held)
    report = listening.told(SensorReport)[-1]

    assert (report.sensor, report.active) == (SENSORS[what], not held)
    assert abs(clock + report.time_us - moved_us) <= LATE_US


@pytest.mark.parametrize(
    ("what", "us"),
    [("sensor 1", 2_200), ("sensor 2", 11_500), ("sensor 3", 6_500), ("button 3", 12_500)],
)
def test_a_short_change_is_told_both_ways(listening, what, us):
    """A little longer than that, and it counts: a quick card is a card."""
    move(listening, what, us, 100_000)

    assert told(listening) == [True, False]


@pytest.mark.parametrize(
    ("what", "bounces_us"),
    [
        ("sensor 1", (600, 500, 700, 400)),
        ("sensor 2", (7_000, 8_000, 9_000, 6_000)),
        ("sensor 3", (3_000, 2_000, 4_000, 1_000)),
    ],
)
def test_a_bouncing_sensor_is_told_once_with_its_first_edge(listening, what, bounces_us):
    """Closing and opening: one report each, timed by the first edge, not by the last."""
    clock = clock_began_us(listening)
    closed_us = move(listening, what, *bounces_us, 100_000)
    opened_us = move(listening, what, *bounces_us, 100_000, first=0)
    reports = listening.told(SensorReport)

    assert [(one.sensor, one.active) for one in reports] == [
        (SENSORS[what], True),
        (SENSORS[what], False),
    ]
    for report, moved_us in zip(reports, (closed_us, opened_us), strict=True):
        assert abs(clock + report.time_us - moved_us) <= LATE_US


def test_button_bounces_do_not_add_up(listening):
    """Six touches of 4 ms with 4 ms between them are no press of 24 ms."""
    move(listening, "button 3", *[4_000] * 11, 4_000)  # it ends open
    listening.run(0.1)

    assert told(listening) == []


def test_a_bouncing_button_is_timed_by_the_look_from_which_it_stays(listening):
    """Bounces of 3 ms before it; then down for good."""
    clock = clock_began_us(listening)
    move(listening, "button 3", 3_000, 3_000, 3_000, 3_000)
    stays_us = move(listening, "button 3", 100_000)
    (press,) = listening.told(ButtonReport)

    assert press.pressed
    assert 0 <= clock + press.time_us - stays_us <= 1_000 + LATE_US


def test_inputs_do_not_disturb_each_other(listening):
    """While the lid bounces a card passes, the cut card is seen and a button is pressed."""
    desk = listening
    for number in range(30):
        desk.board.command(f"sensor 2 {(number + 1) % 2}")
        if number in (3, 13):
            desk.board.command(f"sensor 1 {int(number == 3)}")
            desk.board.command(f"sensor 3 {int(number == 3)}")
            desk.board.command(f"button 0 {int(number == 3)}")
        desk.run(0.004)
    desk.run(0.1)

    sensors = sorted((one.sensor, one.time_us, one.active) for one in desk.told(SensorReport))
    assert [(sensor, active) for sensor, _, active in sensors] == [
        (Sensor.EXIT_BEAM, True),
        (Sensor.EXIT_BEAM, False),
        (Sensor.CUT_CARD, True),
        (Sensor.CUT_CARD, False),
    ]
    assert [one.pressed for one in desk.told(ButtonReport)] == [True, False]


@pytest.mark.parametrize("apart_us", [1_200, 1_700])
def test_an_edge_keeps_its_own_time_while_another_sensor_moves(listening, apart_us):
    """The card leaves the beam a moment after somebody touched the lid."""
    clock = clock_began_us(listening)
    move(listening, "sensor 1", 100_000)
    move(listening, "sensor 2", apart_us)
    left_us = move(listening, "sensor 1", 100_000, first=0)
    left = [one for one in listening.told(SensorReport) if one.sensor is Sensor.EXIT_BEAM][-1]

    assert not left.active
    assert abs(clock + left.time_us - left_us) <= LATE_US


def test_a_button_that_lets_go_for_a_moment_as_it_is_told_is_told_once(listening):
    """However long it had been down then: a gap of 1.5 ms is no release."""
    for down_us in range(10_000, 12_500, 500):
        move(listening, "button 3", down_us, 1_500, 100_000)
        move(listening, "button 3", down_us, 1_500, 100_000, first=0)

    assert told(listening) == [True, False] * 5
