"""The answers of lamps and buzzer to a press, in place of the current picture.

The test moves the clock.
"""

from dataclasses import replace

import pytest

from firmware_bridge.messages import OFF, Buzzer, Colour, Lamp, Mode, Picture
from table_controller.adapters.answering import ANSWER_S, ANSWERED, GAP_S, Answering
from tests.service.test_flaps import Line

GREEN = Lamp(Mode.ON, Colour.GREEN)
QUIET = Picture(lamps=(GREEN, *[OFF] * 11))
LOUD = replace(QUIET, buzzer=Buzzer.ALARM)


@pytest.fixture
def board():
    """What is shown, and the time."""

    class Board(Line):
        def __init__(self):
            super().__init__()
            self.shown = []
            self.answering = Answering(self.shown.append, self.later)

        def now_shown(self):
            picture = self.shown[-1]
            return picture.lamps[:3], picture.buzzer

    return Board()


def test_the_speakers_lamp_and_one_tone_answer_for_a_moment(board):
    """Then the picture is itself again."""
    board.answering.show(QUIET)
    board.answering.answer(frozenset({2}))

    assert board.now_shown() == ((GREEN, ANSWERED, OFF), Buzzer.BEEP)
    board.rest(ANSWER_S)
    assert board.shown[-1] == QUIET


def test_a_press_that_nothing_took_is_two_tones_and_no_lamp(board):
    """Whatever the lamps show."""
    board.answering.show(QUIET)
    board.answering.answer(None)

    assert board.now_shown() == ((GREEN, OFF, OFF), Buzzer.TWICE)


def test_a_tone_that_sounds_is_cut_short_first(board):
    """Or it would not be heard as another one; that tone of the picture does not come again."""
    board.answering.show(LOUD)
    board.answering.answer(frozenset({1}))
    first = board.now_shown()
    board.rest(GAP_S)
    second = board.now_shown()
    board.rest(ANSWER_S)

    assert first == ((ANSWERED, OFF, OFF), Buzzer.OFF)
    assert second == ((ANSWERED, OFF, OFF), Buzzer.BEEP)
    assert board.shown[-1] == QUIET
    board.answering.show(QUIET)
    board.answering.show(LOUD)
    assert board.shown[-1] == LOUD


def test_the_last_press_is_answered(board):
    """What was to follow the one before it does not."""
    board.answering.show(QUIET)
    board.answering.answer(frozenset({1}))
    board.rest(ANSWER_S / 2)
    board.answering.answer(frozenset({3}))
    board.rest(GAP_S)

    assert board.now_shown() == ((GREEN, OFF, ANSWERED), Buzzer.BEEP)
    board.rest(1.0)
    assert board.shown[-1] == QUIET


def test_a_new_picture_keeps_the_answer(board):
    """The table goes on while the lamp answers."""
    board.answering.answer(frozenset({2}))
    board.answering.show(QUIET)

    assert board.now_shown() == ((GREEN, ANSWERED, OFF), Buzzer.BEEP)


def test_nothing_follows_once_it_is_closed(board):
    """The service stops."""
    board.answering.show(QUIET)
    board.answering.answer(frozenset({2}))
    board.answering.close()
    count = len(board.shown)
    board.rest(60)

    assert len(board.shown) == count
