"""Exact chances, compared with published figures and with slow sums."""

from fractions import Fraction
from itertools import permutations
from math import comb, isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_controller.rules import chances
from table_controller.rules.cards import PACK
from table_controller.rules.points import points
from table_controller.rules.punto_banco.chances import winners
from table_controller.rules.punto_banco.coup import Winner

#: Ways of eight packs, as the literature has them: out of 4,998,398,275,503,360.
OF_EIGHT = {
    Winner.BANKER: 2_292_252_566_437_888,
    Winner.PLAYER: 2_230_518_282_592_256,
    Winner.TIE: 475_627_426_473_216,
}


def test_eight_packs_have_the_chances_that_are_known():
    ways = 4_998_398_275_503_360

    assert winners(8) == {winner: Fraction(many, ways) for winner, many in OF_EIGHT.items()}


@pytest.mark.parametrize("packs", [1, 6])
def test_somebody_wins_or_it_is_a_tie(packs):
    assert sum(winners(packs).values()) == 1


def test_a_natural_of_one_pack_is_counted_card_by_card():
    """Every hand of two cards, and every other one of the cards left: slow, and otherwise made."""
    twos = [frozenset(two) for two in permutations(PACK, 2) if two[0] < two[1]]
    high = {two for two in twos if points(two) > 7}
    both = sum(len(a & b) == 0 for a in high for b in high)
    pairs = len(twos) * comb(50, 2)
    one = 2 * len(high) * comb(50, 2) - both

    assert chances.natural(1) == Fraction(one, pairs)


def test_a_pair_is_likelier_with_more_packs():
    assert chances.pair(1) == Fraction(1, 17)
    assert chances.pair(1) < chances.pair(8) < Fraction(1, 13)


@given(st.integers(0, 40), st.integers(0, 40), st.fractions(0, 1, max_denominator=20))
def test_how_unlikely_a_count_is_sums_every_term(hits, more, chance):
    trials = hits + more
    terms = [comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(trials + 1)]
    slow = min(1, 2 * min(sum(terms[: hits + 1]), sum(terms[hits:])))

    if chance in (0, 1):
        assert chances.unlikely(hits, trials, chance) == (hits == trials * chance)
    else:
        assert isclose(chances.unlikely(hits, trials, chance), slow, rel_tol=1e-9, abs_tol=1e-12)


def test_more_hits_than_trials_are_refused():
    with pytest.raises(ValueError, match="11 of 10"):
        chances.unlikely(11, 10, Fraction(1, 2))
