"""A deal that is played again has all its cards, whatever happened to it before."""

import pytest

from table_controller.engine.ecarte import inputs as i
from table_controller.engine.ecarte.events import DealAnnulled
from table_controller.engine.ecarte.step import step
from table_controller.engine.messages import Restored
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


def test_a_mark_waits_with_the_deal_that_is_set_aside():
    """E00-18, ER-29, ER-45: a king marked in it goes back, and counts again when it is played."""
    now = dealt(started(E00), "As Kh 9h Jd Ks / Qs Th Qd Td Kc / 7s")
    now = said(now, i.Marks(seat=LEFT, points=1, why=i.Why.KING), i.DealtOutOfTurn())

    assert now.partie is not None
    assert now.partie.score == (0, 0)
    assert now.partie.aside
    waits = now.partie.aside[0].deal
    assert (waits.kings, waits.marks) == ((True, False), (1, 0))


def test_a_deal_that_waits_is_annulled_by_name_when_a_copy_is_put_back():
    """R-54, E00-18: its number and its dealer are told; its cards are gone."""
    now = dealt(started(E00), "As Kh 9h Jd Ks / Qs Th Qd Td Kc / 7s")
    now = said(now, i.DealtOutOfTurn())
    waits = now.partie.aside[0].deal

    now, told = step(now, Restored())

    (annulled,) = [event for event in told if isinstance(event, DealAnnulled)]
    assert (annulled.deal, annulled.dealer) == (waits.number, LEFT)
    assert now.partie.aside == ()
