"""Buttons at a table: what they press, how long they are held, and whether anything accepts it."""

import asyncio

from table_controller.service.buttons_and_sensors import Buttons
from tests.service.dealt import at_table

NAMES = {"1": "carte", "2": "reste", "4": "bank opened"}
DEALT = ("seat 1 banks 10", "seat 2 banco solo", "card 9h", "card 2d", "card Kc", "card 4s")


def pressed(buttons, number, source):
    """Press a button: what comes of it."""
    return buttons.answer(number, source, buttons.begin(number, source))


def phase(table):
    return type(table.state.phase).__name__


def test_a_press_is_answered_by_the_lamps_of_who_spoke(tmp_path):
    """The offer of the button's name, for the seat that is to act; its actor names the button."""

    async def story(table):
        buttons = Buttons(table, NAMES)
        lit = await pressed(buttons, 2, "board")
        return lit, phase(table), table.state.undo.said.actor

    assert at_table(tmp_path, story, *DEALT) == ({2}, "BankerToOpen", "button:board-2")


def test_a_press_that_nothing_takes_is_none(tmp_path):
    """No such button, and an offer that is not made now."""

    async def story(table):
        buttons = Buttons(table, NAMES)
        return [await pressed(buttons, number, "pins") for number in (1, 3)]

    assert at_table(tmp_path, story, *DEALT[:2]) == [None, None]


def test_two_presses_at_once_are_one_word(tmp_path):
    """The second answers a question that is no longer asked: the table refuses it."""

    async def story(table):
        buttons = Buttons(table, NAMES)
        return await asyncio.gather(*(pressed(buttons, number, "pins") for number in (1, 2)))

    assert at_table(tmp_path, story, *DEALT) == [{2}, None]


def test_what_cannot_be_taken_back_wants_its_button_held(tmp_path):
    """R-20: released too soon, it is no press; held, it is, and nobody has to release it."""

    async def story(table):
        soon, late = Buttons(table, NAMES, hold_s=3600), Buttons(table, NAMES, hold_s=0)
        early = asyncio.create_task(pressed(soon, 4, "pins"))
        await asyncio.sleep(0)
        soon.end(4, "pins")
        before = await early, phase(table)
        return before, await pressed(late, 4, "pins"), phase(table)

    before, lit, after = at_table(tmp_path, story, *DEALT, "seat 2 reste")

    assert before == (None, "BankerToOpen")
    assert (lit, after) == ({1}, "BankerToChoose")


def test_a_board_that_is_lost_holds_no_button(tmp_path):
    """No release of it would be heard; the Pi's buttons are held on."""

    async def story(table):
        buttons = Buttons(table, NAMES, hold_s=3600)
        board, pins = (
            asyncio.create_task(pressed(buttons, 4, source)) for source in ("board", "pins")
        )
        await asyncio.sleep(0)
        buttons.away("board")
        lost = await board
        still = not pins.done()
        buttons.end(4, "pins")
        return lost, still, await pins

    assert at_table(tmp_path, story, *DEALT, "seat 2 reste") == (None, True, None)
