"""PB-20 to PB-27: the immediate display of each on every screen and lamp, written out by hand.

A lamp is two hex digits, as on the line. The first digit is its colour (1 red, 3 yellow, 4 blue),
the second its rhythm (1 on, 2 blink, 3 pulse). All nine seats show the same.
"""

from __future__ import annotations

import pytest

from firmware_bridge.messages import Buzzer
from table_controller.adapters.board import picture
from table_controller.engine.messages import Audience
from table_controller.engine.punto_banco import game
from table_controller.wiring import config
from tests.engine.punto_banco.playing import house, played, table, told

STOP, PLAYER_DRAWS, BANKER_DRAWS = "12", "43", "33"
#: Player 6, Banker 7: nothing more is due.
STANDS = ("free coup", "card 2h", "card Kd", "card 4s", "card 7d")
#: Player 5, Banker 2: Player's card is due, then Banker's.
DRAWS = ("free coup", "card 2h", "card Kd", "card 3s", "card 2d")
#: Player 6, Banker 3: Player stands, Banker's card is due.
BANKERS = ("free coup", "card 2h", "card Kd", "card 4s", "card 3d")
#: The rule; how many cards the box held, if not all; what was said; what shows then; the word that
#: answers it, and what is told of that, with rule and name.
MISHAPS = {
    "PB-20": (
        None,
        (*STANDS, "card 5h"),
        (STOP, True, 6, 7, "Has anybody seen it?", "PB-21"),
        "stray kept because nobody saw it [croupier:Anna]",
        "card kept; PB-21 by anna: nobody saw it",
    ),
    "PB-20, Banker must draw": (
        None,
        BANKERS,
        (BANKER_DRAWS, False, 6, 3, "A card for Banker", "PB-7"),
        "card 4h",
        "banker open card 4h; announced: Banker 6 : 7",
    ),
    "PB-21": (
        None,
        (*DRAWS, "card 9h", "card 5c", "card 6h"),
        (STOP, True, 4, 7, "Has anybody seen it?", "PB-21"),
        "stray burned because seat 2 saw it [croupier:Anna]",
        "card burned; aside open card 6h; PB-21 by anna: seat 2 saw it",
    ),
    "PB-22": (
        None,
        DRAWS,
        (PLAYER_DRAWS, False, 5, 2, "A card for Player", "PB-6"),
        "agreed",
        "refused",
    ),
    "PB-23": (
        None,
        (*DRAWS, "card 9h", "stray face_up because it was turned"),
        (PLAYER_DRAWS, False, 5, 2, "A card for Player", "PB-6"),
        "card 8h",
        "player open card 8h; banker draws",
    ),
    "PB-23, aside": (
        None,
        (*STANDS, "card 5h"),
        (STOP, True, 6, 7, "Has anybody seen it?", "PB-21"),
        "stray face_up because it was turned [croupier:Anna]",
        "card face_up; aside open card 5h; PB-23 by anna: it was turned",
    ),
    "PB-24": (
        None,
        (*DRAWS, "wrong hand"),
        (STOP, True, 5, 2, "Put them right by their order", "PB-24"),
        "put right because the order is known [croupier:Anna]",
        "put right; PB-24 by anna: the order is known",
    ),
    "PB-25": (
        6,
        (*DRAWS, "card 9h", "stray face_up because it was turned", "card 9c"),
        (STOP, True, 4, 2, "Annul the coup", "PB-25"),
        "annul no card is left [croupier:Anna]",
        "coup annulled: no card is left; Schlitten over, 0 left; PB-25 by anna: no card is left",
    ),
    "PB-26": (
        None,
        (*STANDS, "agreed"),
        ("00", False, 1, None, "Place your bets", "PB-4"),
        "reopened a card was misread [supervisor:Berta]",
        "coup 1 reopened; PB-26 by berta: a card was misread",
    ),
    "PB-26, before the money": (
        None,
        STANDS,
        ("11", False, 6, 7, "Does the table agree?", "PB-8"),
        "result P because the hands were exchanged [supervisor:Berta]",
        "coup 1 is Player; PB-26 by berta: the hands were exchanged",
    ),
    "PB-27": (
        None,
        ("free coup", "card 2h", "card Kd", "card unread foreign"),
        (STOP, True, 1, None, "Show the card to the camera again", "R-13"),
        "card 4s",
        "player open card 4s",
    ),
    "PB-27, withdrawn": (
        None,
        ("free coup", "card 2h", "card Kd", "card unread foreign", "card 4s", "card 7d", "agreed"),
        ("00", False, 1, None, "Close and count the Schlitten", "PB-3"),
        "no more bets",
        "refused",
    ),
}


def shown(now):
    """A lamp, whether the buzzer sounds, both displays; what the staff read, and by which rule."""
    board = picture(game.snapshot(now, Audience.PUBLIC), config.lamp_language(now.house))
    (lamp,) = {f"{lamp.byte:02x}" for lamp in board.lamps[:9]}
    prompt = game.snapshot(now, Audience.CROUPIER).prompt
    sounds = board.buzzer is not Buzzer.OFF
    return lamp, sounds, board.display_1, board.display_2, str(prompt.ask), prompt.rule


@pytest.mark.parametrize("mishap", MISHAPS)
def test_each_mishap_shows_at_once_by_lamp_line_and_rule(mishap):
    """PB-20 to PB-27: and whoever answers it is told of, with the rule, his name and his reason."""
    left, lines, expected, answer, said = MISHAPS[mishap]

    now = played(table(house(), left=left), *lines)

    assert shown(now) == expected
    assert told(now, answer)[1] == said


def test_they_are_all_there():
    """PB-20 to PB-27: the eight of the print."""
    assert {mishap[:5] for mishap in MISHAPS} == {f"PB-{number}" for number in range(20, 28)}
