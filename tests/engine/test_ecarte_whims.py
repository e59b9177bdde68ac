"""Deals of écarté by whim, with mistakes: nothing crashes, every deal ends, and marks add up."""

import random

import pytest

from table_controller.engine.ecarte.events import DealAnnulled, DealEnded, Marked, PartieEnded
from table_controller.engine.ecarte.playing import may_be
from table_controller.engine.ecarte.state import total, tricks_of
from tests.engine.ecarte_playing import HOUSES, table, walk


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.id)
@pytest.mark.parametrize("seed", range(8))
def test_whatever_people_do_marks_come_out(house, seed):
    """E07-43, E07-45, E07-57, EDE-8, EDE-16, EDE-18, ER-16: whims at each house."""
    begun, ended, marked, prompt = table(house), 0, 0, 0
    money = total(begun)
    for _word, now, told, _refusal in walk(begun, random.Random(f"{house.id} {seed}"), 4000):
        assert now.prompt >= prompt
        prompt = now.prompt
        assert total(now) == money
        for event in told:
            ended += isinstance(event, DealEnded | DealAnnulled)
            marked += isinstance(event, Marked)
            if isinstance(event, PartieEnded) and event.how == "marks":
                assert max(event.left, event.right) >= 5 > min(event.left, event.right)
        if now.partie:
            assert min(now.partie.score) >= 0
            if now.deal:
                assert all(made >= 0 for made in now.deal.marks)
        if now.deal and now.deal.turned and not now.deal.ended:
            assert all(may_be(now.deal, side) for side in (0, 1) if now.deal.held[side] > 0)
            assert sum(tricks_of(now.deal, side) for side in (0, 1)) <= 5
    assert ended > 30
    assert marked > 10
