"""Points, draws and winner, recited from the printed rules."""

from __future__ import annotations

import pytest

from table_controller.rules.cards import hand
from table_controller.rules.punto_banco.coup import Winner, coup, dealt, winner
from table_controller.rules.punto_banco.tableau import (
    STOOD,
    banker_draws,
    is_natural,
    player_draws,
)

#: PB-7: of each of Banker's points, the pips given to Player on which he draws.
DRAWS = {
    0: {*range(10)}, 1: {*range(10)}, 2: {*range(10)},
    3: {0, 1, 2, 3, 4, 5, 6, 7, 9}, 4: {2, 3, 4, 5, 6, 7}, 5: {4, 5, 6, 7}, 6: {6, 7}, 7: set(),
}  # fmt: skip


def test_banker_draws_as_the_rule_says_against_a_third_card():
    """PB-7: all eighty squares where Player drew."""
    for points, given in DRAWS.items():
        assert {pips for pips in range(10) if banker_draws(points, pips)} == given


def test_banker_draws_to_five_where_player_stood():
    """PB-7: 0 to 5 draw, 6 and 7 stand."""
    assert [banker_draws(points, STOOD) for points in range(8)] == [True] * 6 + [False] * 2


def test_player_draws_to_five():
    """PB-6: 0 to 5 draw, 6 and 7 stand."""
    assert [player_draws(points) for points in range(8)] == [True] * 6 + [False] * 2


@pytest.mark.parametrize(
    ("player", "banker", "natural"),
    [(8, 0, True), (0, 8, True), (9, 9, True), (7, 7, False), (0, 9, True)],
)
def test_a_natural_on_either_side(player, banker, natural):
    """PB-5: 8 or 9 in two cards, whoever has it."""
    assert is_natural(player, banker) is natural


@pytest.mark.parametrize(
    ("player", "banker", "won"),
    [(7, 6, Winner.PLAYER), (0, 1, Winner.BANKER), (6, 6, Winner.TIE), (0, 0, Winner.TIE)],
)
def test_the_higher_points_win(player, banker, won):
    """PB-8: and equal points are a tie."""
    assert winner(player, banker) is won


@pytest.mark.parametrize(
    ("cards", "player", "banker", "won"),
    [
        ("9h Kd Ks Qc", "9h Ks", "Kd Qc", "P"),  # a natural ends it: Banker draws nothing
        ("Kh 9d 2s Qc", "Kh 2s", "9d Qc", "B"),  # also Banker's
        ("Kh Kd 6s Qc 5h", "Kh 6s", "Kd Qc 5h", "P"),  # Player stood, Banker draws to 5
        ("Kh Kd 7s 6c", "Kh 7s", "Kd 6c", "P"),  # both stand
        ("Kh Kd 2s 3c 8h", "Kh 2s 8h", "Kd 3c", "B"),  # 3 against 8 stands
        ("Kh Kd 2s 3c 9h As", "Kh 2s 9h", "Kd 3c As", "B"),  # against 9 draws
        ("Kh Kd 5s 7c 2h", "Kh 5s 2h", "Kd 7c", "T"),  # 7 never draws
        ("Kh Kd 4s 6c 6h 4c", "Kh 4s 6h", "Kd 6c 4c", "T"),  # 6 against 6 draws
    ],
)
def test_a_coup_from_the_top_of_the_schlitten(cards, player, banker, won):
    """PB-4: Player, Banker, Player, Banker; PB-5 to PB-8: then as the table says."""
    assert dealt(hand(cards + " Ah")) == coup(hand(player), hand(banker))
    assert dealt(hand(cards + " Ah")).winner == won


def test_a_coup_knows_its_cards():
    """PB-1, PB-5: the last digit of the sum; a natural has two cards."""
    natural, long = dealt(hand("9h 5d 9s 3c")), dealt(hand("Kh Kd 4s 6c 6h 2c"))

    assert (natural.player_points, natural.banker_points) == (8, 8)
    assert (natural.natural, natural.length) == (True, 4)
    assert (long.natural, long.length, long.banker_points) == (False, 6, 8)


@pytest.mark.parametrize("cards", ["", "9h 5d 9s", "Kh Kd 2s 3c", "Kh Kd 2s 3c 9h"])
def test_a_coup_that_runs_out(cards):
    """PB-25: where a due card is missing there is no coup."""
    with pytest.raises(ValueError, match="not enough cards"):
        dealt(hand(cards))
