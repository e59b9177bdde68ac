"""A share of the long run: random deals of écarté, with mistakes, checked after every input."""

import pytest

from tests.engine.ecarte_deals import DEALS_OF_ALL, EVENING, RATES, Evening, evenings, walked
from tests.engine.ecarte_playing import HOUSES


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("house", range(3), ids=[house.id for house in HOUSES])
def test_every_deal_ends_and_marks_and_sums_come_out(house, rate):
    """E07-43, E07-45, E07-57, EDE-16, EDE-18, ER-16, ER-26: another seed than the long run's."""
    came = walked(Evening(house, rate, -1, 60))

    assert came["ended"] + came["annulled"] >= 60
    assert came["parties"] > 5
    assert came["staked"]


def test_the_whole_run_has_as_many_deals_of_each_house_as_it_says():
    told = evenings(DEALS_OF_ALL)

    for house in range(3):
        assert sum(one.deals for one in told if one.house == house) == 300_000
    assert len(set(told)) == len(told)
    assert max(one.deals for one in told) == EVENING
