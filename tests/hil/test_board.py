"""The board's scenarios: on the twin, on the firmware in simavr, with `--board` on a real one."""

import asyncio
import itertools

import pytest

from firmware_bridge.messages import Buzzer, Colour, Lamp, Mode, Picture
from firmware_bridge.port import Board
from tests.hil import scenarios
from tests.hil.desk import Desk, lamp_images, numbers, random_evening
from tests.hil.evenings import dealt
from tests.hil.lockstep import Lockstep

PICTURE = Picture(
    lamps=(Lamp(Mode.ON, Colour.YELLOW), Lamp(Mode.BLINK, Colour.BLUE)) * 6,
    display_1=1250,
    display_2=-40,
)
OTHER = Picture(lamps=(Lamp(Mode.PULSE, Colour.RED),) * 12, display_1=99_999_999, display_2=None)


def test_an_evening_is_seen_on_lamps_and_digits(desk):
    """At every picture of an evening the board shows that one, and never one nobody asked for."""
    assert scenarios.evening(desk, random_evening(1, 20)) == 20


def test_a_dealt_evening_is_seen_at_every_settlement(desk):
    """The engine's public pictures, with stray and unread cards: each is what a person sees."""
    evening = list(dealt(1, coups=8))

    assert scenarios.evening(desk, evening, dwell_s=0.05) == len(evening)
    assert sum("settlement" in label for label, _ in evening) >= 8


def test_the_board_goes_dark_when_the_host_dies(desk):
    """Nothing on the line for 1.1 s: no lamp, dashes, no buzzer; a new host brings it all back."""
    stood = scenarios.host_killed(desk, PICTURE)

    assert stood <= scenarios.SAFE_WITHIN_S


def test_a_reset_board_is_given_the_picture_of_now(desk):
    """The reset button costs the picture for some milliseconds, and the host knows why."""
    scenarios.board_reset(desk, PICTURE)


def test_a_hung_firmware_is_started_again_by_its_watchdog(desk):
    """A firmware in an endless loop is back by itself, and says that it was the watchdog."""
    scenarios.firmware_hangs(desk, PICTURE)


@pytest.mark.parametrize("seconds", [0.03, 0.3, 0.6, 3.0])
def test_a_cut_line_is_recovered_from(desk, seconds):
    """Whatever the line missed, the picture of now is shown when it is whole again."""
    scenarios.line_cut(desk, PICTURE, OTHER, seconds=seconds)


@pytest.mark.parametrize(("lost", "flipped"), [(100, 0), (0, 100), (100, 100)])
def test_a_bad_line_never_shows_a_wrong_digit(desk, lost, flipped):
    """One byte in a hundred lost or flipped, both ways: late at worst, never wrong."""
    scenarios.bad_line(desk, random_evening(2, 12), lost=lost, flipped=flipped, seed=3)


def test_garbage_is_survived(desk):
    """Random bytes change nothing that is shown."""
    scenarios.garbage(desk, PICTURE, count=2_000, seed=4)


def test_a_quiet_line_stays_up(desk):
    """Half a minute of heartbeats: no loss, no damaged frame, no byte overrun."""
    assert scenarios.heartbeats(desk, PICTURE, minutes=0.5) in (29, 30)


def test_buttons_and_sensors_are_told_with_their_time(emulated):
    """Each change is told once, with the board's time of its first edge."""
    late = scenarios.inputs(emulated)

    buttons, sensors = late[:16], late[16:]
    offset = min(late)  # from switching on to the board's clock
    assert max(buttons) - offset <= 1_100  # buttons are looked at every millisecond
    assert max(sensors) - min(sensors) <= 30  # sensors interrupt


def test_buttons_and_sensors_are_told_once_each_way(desk):
    """Eight buttons and three sensors."""
    assert len(scenarios.inputs(desk)) == 22


def test_a_bouncing_button_is_told_once(emulated):
    """Contacts that chatter for 5 ms are one press."""
    emulated.run_until_shown()
    for level in (1, 0, 1, 0, 1):
        emulated.board.command(f"button 3 {level}")
        emulated.run(0.001)
    emulated.run(0.1)

    assert [one.pressed for one in emulated.told(scenarios.ButtonReport)] == [True]


def test_what_is_pressed_while_nobody_listens_is_not_told_later(desk):
    """A press while the host was away would answer a question that was never asked."""
    desk.run_until_shown()
    desk.kill_host()
    desk.run(2.0)
    desk.board.command("button 1 1")
    desk.run(0.1)
    desk.board.command("button 1 0")
    desk.run(0.1)
    desk.start_host()
    desk.run(1.0)

    assert desk.told(scenarios.ButtonReport) == []


def test_the_same_evening_twice_is_the_same_to_the_bit():
    """Two runs with faults show the same at the same microsecond."""

    def play():
        with Lockstep() as board:
            desk = Desk(board)
            scenarios.bad_line(desk, random_evening(5, 4), lost=100, flipped=100, seed=6)
            return board.us, board.history

    assert play() == play()


def test_lamps_keep_their_rhythm(emulated):
    """Over four seconds a lamp that blinks is lit half the time, one that pulses a quarter."""
    emulated.show(Picture(lamps=(Lamp(Mode.BLINK, Colour.RED), Lamp(Mode.PULSE, Colour.RED)) * 6))
    emulated.run_until_shown()
    begun = emulated.board.us
    emulated.run(4 * 1.024)
    history = [seen for seen in emulated.board.history if seen.us >= begun]
    ends = [seen.us for seen in history[1:]] + [emulated.board.us]

    def share(seat):
        lit = sum(
            end - seen.us
            for seen, end in zip(history, ends, strict=True)
            if seen.lamps[seat] == "1"
        )
        return lit / (emulated.board.us - history[0].us)

    assert share(0) == pytest.approx(0.5, abs=0.05)
    assert share(1) == pytest.approx(0.25, abs=0.05)


@pytest.mark.parametrize(
    ("pattern", "tones"), [(Buzzer.OFF, 0), (Buzzer.BEEP, 1), (Buzzer.TWICE, 2)]
)
def test_the_buzzer_sounds_its_pattern_once(emulated, pattern, tones):
    """Not again for the next picture that asks for the same, but after one that did not."""
    emulated.run(3.0)
    for number in (1, 2, 3):
        emulated.show(Picture(display_1=number, buzzer=pattern))
        emulated.run(1.5)
    once = _tones(emulated)
    emulated.show(Picture())
    emulated.run(0.1)
    emulated.show(Picture(buzzer=pattern))
    emulated.run(1.5)

    assert once == tones
    assert _tones(emulated) == 2 * tones


@pytest.mark.parametrize(
    ("pattern", "spans"), [(Buzzer.BEEP, [128_000]), (Buzzer.TWICE, [128_000] * 3)]
)
def test_a_tone_begins_at_once_and_lasts_an_eighth(emulated, pattern, spans):
    """In microseconds: the tone, and of two also the pause between them."""
    emulated.run(3.0)
    asked_us = emulated.board.us
    emulated.show(Picture(buzzer=pattern))
    emulated.run(1.5)
    history = emulated.board.history
    changes = [b.us for a, b in itertools.pairwise(history) if a.buzzer != b.buzzer]

    assert changes[0] - asked_us < 20_000
    assert [b - a for a, b in itertools.pairwise(changes)] == pytest.approx(spans, abs=2000)


def test_the_alarm_goes_on_until_it_is_taken_back(emulated):
    """Three tones a second, for as long as the picture asks for them."""
    emulated.show(Picture(buzzer=Buzzer.ALARM))
    emulated.run(5 * 1.024)
    sounded = _tones(emulated)
    emulated.show(Picture())
    emulated.run(0.2)
    silent_from = _tones(emulated)
    emulated.run(3.0)

    assert sounded in (15, 16)
    assert _tones(emulated) == silent_from
    assert not emulated.board.seen.buzzer


def _tones(desk):
    """How often the buzzer has begun to sound."""
    history = desk.board.history
    return sum(b.buzzer and not a.buzzer for a, b in itertools.pairwise(history))


def test_the_other_lamp_build_shows_the_same():
    """The firmware built for APA102 lamps passes the same evening."""
    with Lockstep("apa102") as board:
        assert scenarios.evening(Desk(board), random_evening(7, 6)) == 6


def test_a_real_port_in_real_time(board_emulated):
    """The asyncio host on the emulator's pty: the picture is seen, a button is heard."""

    async def meet():
        news: asyncio.Queue = asyncio.Queue()
        board = Board(board_emulated.path, news.put_nowait)
        board.show(PICTURE)
        serving = asyncio.create_task(board.run())
        async with asyncio.timeout(20):
            while (
                board.status.shown != PICTURE
                or board_emulated.shown().display_1 != numbers(PICTURE)[0]
            ):
                await news.get()
                await asyncio.sleep(0)
            board_emulated.command("button 2 1")
            while not isinstance(heard := await news.get(), scenarios.ButtonReport):
                pass
        serving.cancel()
        return heard

    heard = asyncio.run(meet())

    assert (heard.button, heard.pressed) == (2, True)
    assert board_emulated.shown().lamps in lamp_images(PICTURE)
