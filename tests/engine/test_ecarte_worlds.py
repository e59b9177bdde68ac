"""No event depends on a closed card: pairs of worlds that differ in closed cards alone."""

import pytest

from table_controller.engine.ecarte import offers
from table_controller.engine.ecarte.partie import may_say_king
from table_controller.rules.ecarte.tricks import king_of
from tests.engine.ecarte_playing import HOUSES
from tests.engine.ecarte_worlds import pair


def compared(house):
    """How many inputs were compared in sixty deals."""
    return sum(pair(house, seed) for seed in range(60))


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.id)
def test_two_worlds_tell_the_same(house):
    """R-13, R-17, ER-22, ER-24: wrong entries, false claims and every offer among them."""
    assert compared(house) > 800


def test_a_table_that_looks_at_a_closed_hand_is_found(monkeypatch):
    """The comparison would see it: a king that only his holder is offered."""

    def peeping(table, side):
        deal = table.deal
        hand = [dealt.card for dealt in deal.taken[side]]
        return may_say_king(table, side) and king_of(deal.trump) in hand

    monkeypatch.setattr(offers, "may_say_king", peeping)

    with pytest.raises(AssertionError, match="e07"):
        compared(HOUSES[0])
