"""The table of draws on the wall. The square that applies now is lit, from open hands only."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table_controller.engine.messages import Audience
from table_controller.engine.punto_banco import game
from tests.engine.punto_banco.playing import house, played, table

ANNOUNCING = replace(house(), bets=False)


def lit(own, *cards):
    """Name and heads of the lit square, after these cards or words."""
    lines = (line if " " in line else f"card {line}" for line in cards)
    advice = game.snapshot(played(table(own), *lines), Audience.PUBLIC).advice
    return advice and (advice.name, advice.row, advice.column)


@pytest.mark.parametrize(
    ("cards", "square"),
    [
        (("4h", "2d", "2c", "2s"), ("draws", "4", "–")),
        (("4h", "2d", "2c", "Ks"), None),  # Banker 2 draws always: no square of the wall's
        (("Kh", "2d", "2c", "2s"), None),  # Player draws first
        (("Kh", "2d", "2c", "2s", "7d"), ("draws", "4", "7")),
        (("Kh", "2d", "2c", "2s", "Td"), ("stands", "4", "0")),
        (("Kh", "4d", "2c", "2s", "6d"), ("draws", "6", "6")),
        (("4h", "4d", "2c", "2s"), ("stands", "6", "–")),
        (("4h", "Kd", "4c", "3s"), None),  # a natural: nobody is asked
        (("Kh", "2d", "2c", "2s", "7d", "Kc"), None),  # Banker has drawn
    ],
)
def test_the_square_that_holds_is_lit(cards, square):
    """PB-5 to PB-7: Banker's points on two cards, and what Player was given."""
    assert lit(ANNOUNCING, *cards) == square


def test_a_closed_hand_lights_nothing():
    """PR-3, R-17: Player's third card lies closed, so nobody knows what holds."""
    squeezed = replace(ANNOUNCING, dealing="squeezed")
    cards = ("Kh", "2d", "2c", "2s", "player opened", "banker opened", "7d")

    assert lit(squeezed, *cards) is None
    assert lit(squeezed, *cards, "player opened") == ("draws", "4", "7")
