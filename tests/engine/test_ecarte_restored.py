"""A deal that is played again has all its cards, whatever became of it before."""

import pytest

from table_controller.engine.ecarte import inputs as i
from table_controller.rules.cards import Card
from tests.engine.ecarte_playing import E00, EDE, LEFT, RIGHT, said, started
from tests.engine.test_ecarte_coups import dealt


@pytest.mark.parametrize("house", [E00, EDE], ids=lambda house: house.id)
def test_a_lead_that_lay_when_cards_were_thrown_away_is_taken_up_again(house):
    """E00-44, E00-52, EDE-27, ER-30: with five cards each the tricks are played anew."""
    now = dealt(started(house), "As Kh 9h Jd 8c / Qs Th Qd Td Kc / 7s / bought")
    plays = ((LEFT, "Kh"), (RIGHT, "Th"), (LEFT, "9h"))
    now = said(now, *(i.PlaysCard(seat=seat, card=Card(code)) for seat, code in plays))
    now = said(now, i.ThrowsAway(seat=RIGHT))
    if now.asked:
        now = said(now, i.Chooses(seat=0, option=i.Option.TRICKS))
    now = said(now, i.Revoked(seat=RIGHT))

    assert now.deal is not None
    assert now.deal.held == (5, 5)
    assert Card("9h") in now.deal.shown[0]
