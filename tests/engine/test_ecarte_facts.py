"""Facts of the first distribution, found by walking the engine's own deal and turn-up."""

from fractions import Fraction

import pytest

from tests.engine.ecarte_facts import TRUMPS, deals, few_trumps, golden, kings
from tests.engine.ecarte_playing import E07, EDE


@pytest.mark.parametrize("house", [E07, EDE], ids=lambda house: house.id)
def test_where_the_king_of_trumps_lies(house):
    """E07-13, E07-26, EDE-4, EDE-5: 4/32 turned up, 35/248 in each hand, 101/248 anywhere."""
    found = kings(house)

    assert golden()["dealer turns up king"] == "4/32"
    assert found["turned"] == Fraction(4, 32)
    assert golden()["P(elder dealt trump king)"] == "7/8*5/31"
    assert found["elder"] == found["dealer"] == Fraction(7, 8) * Fraction(5, 31)
    someone = "P(someone marks king before any exchange: turned or dealt)"
    assert golden()[someone] == "1/8+7/8*10/31"
    assert found["turned"] + found["elder"] + found["dealer"] == Fraction(101, 248)


def test_how_many_deals_there_are():
    """E07-1, E07-13, EDE-1, EDE-5: five, five and one of 32, and 21 stay in the talon."""
    ways, talon = deals(E07)

    assert ways == 357_655_858_560
    assert talon == int(golden()["stock after deal"]) == 21


def test_how_many_trumps_the_dealer_has_against_elders_four():
    """E07-13, E07-30: all 65,780 hands of the dealer; the long run deals the other five too."""
    few, many = few_trumps(4)

    assert f"{few} / {many}" == golden()[TRUMPS.format(4)] == "60214 / 5566"
    assert few + many == int(golden()["dealer hands given elder hand + turn-up"])
