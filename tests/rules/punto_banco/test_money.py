"""The payment of a bet, and the house's share."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_controller.rules.cards import PACK, hand
from table_controller.rules.punto_banco.coup import coup, dealt
from table_controller.rules.punto_banco.money import (
    BANKER,
    EVEN,
    HALF,
    PLAYER,
    TIE,
    backed,
    commission,
    odds,
    payout,
    pays_half,
    stands,
)
from table_controller.rules.punto_banco.side_bets import SIDE_BETS


@pytest.mark.parametrize(
    ("winnings", "chip", "taken"),
    [
        (100, 1, 5),
        (101, 1, 6),
        (1, 1, 1),
        (0, 1, 0),
        (20, 1, 1),
        (30, 5, 5),
        (101, 5, 10),
        (3, 5, 3),
    ],
)
def test_commission_goes_up_to_the_smallest_chip(winnings, chip, taken):
    """PB-9, PB-10: 5 %, rounded up, never more than was won."""
    assert commission(winnings, rate_bp=500, chip=chip) == taken


@pytest.mark.parametrize(
    ("stake", "to_one", "chip", "paid"),
    [
        (7, EVEN, 1, 7),
        (7, HALF, 1, 3),
        (7, EVEN, 5, 5),
        (5, Fraction(54, 100), 1, 2),
        (5, Fraction(8), 1, 40),
    ],
)
def test_payouts_go_down_to_it(stake, to_one, chip, paid):
    """PB-10, PB-11: what does not come out even stays with the house."""
    assert payout(stake, to_one, chip=chip) == paid


@pytest.mark.parametrize("text", ["8:1", "0.54:1", "12:1 20:1", "25:1 200:1"])
def test_odds_are_read(text):
    """PB-12: one or several, whole or in tenths."""
    shown = " ".join(f"{float(step):g}:1" for step in odds(text))

    assert shown == text


@pytest.mark.parametrize("text", ["", "8", "8:2", "-1:1", "8:1,9:1", "x:1", "8 :1", "1e3:1"])
def test_other_odds_are_refused(text):
    """PB-12: with an example."""
    with pytest.raises(ValueError, match="not odds"):
        odds(text)


#: Banker wins with three cards and 7; with 6 in two; a tie; Player wins.
DRAGON = coup(hand("Kh 6s"), hand("2d 3c 2h"))
SIX = coup(hand("Kh Ks 5h"), hand("2d 4c"))
EVEN_POINTS = coup(hand("9h Ks"), hand("Kd 9c"))
FOR_PLAYER = coup(hand("9h Ks"), hand("Kd 8c"))


def test_what_stays():
    """PB-9, PB-11 (b): Player and Banker on a tie; Banker on his 7 with three cards."""
    assert stands(PLAYER, EVEN_POINTS, pushes_on_seven=False)
    assert stands(BANKER, EVEN_POINTS, pushes_on_seven=False)
    assert not stands(TIE, EVEN_POINTS, pushes_on_seven=True)
    assert stands(BANKER, DRAGON, pushes_on_seven=True)
    assert not stands(BANKER, DRAGON, pushes_on_seven=False)
    assert not stands(PLAYER, DRAGON, pushes_on_seven=True)
    assert not stands(BANKER, SIX, pushes_on_seven=True)


def test_what_wins():
    """PB-8, PB-11 (a): the side that has more, or Tie; Banker's 6 pays half."""
    assert [backed(one) for one in (DRAGON, SIX, EVEN_POINTS, FOR_PLAYER)] == [
        BANKER, BANKER, TIE, PLAYER,
    ]  # fmt: skip
    assert [pays_half(one) for one in (DRAGON, SIX, EVEN_POINTS)] == [False, True, False]


@given(cards=st.permutations(PACK), stake=st.integers(1, 10**6), chip=st.integers(1, 100))
def test_the_house_never_rounds_against_itself(cards, stake, chip):
    """PB-10: a payout is never over its odds, commission never under its rate."""
    one = dealt(cards)
    for text in ("8:1", "0.54:1", "1.5:1"):
        to_one = odds(text)[0]
        assert 0 <= payout(stake, to_one, chip=chip) <= stake * to_one
    taken = commission(stake, rate_bp=500, chip=chip)
    assert stake >= taken
    assert taken * 20 >= stake or taken == stake
    assert {bet.won(one) for bet in SIDE_BETS.values()} <= {0, 1, 2}
