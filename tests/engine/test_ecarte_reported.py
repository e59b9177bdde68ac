"""A matter reported to the croupier stays on his page until he has ruled on it."""

from table_controller.engine.ecarte import inputs as i
from table_controller.engine.ecarte import state as p
from table_controller.engine.ecarte.view import snapshot
from table_controller.engine.messages import Audience
from table_controller.engine.table import inputs as ti
from table_controller.rules.cards import hand
from tests.engine.ecarte_playing import E07, EDE, LEFT, RIGHT, said, started
from tests.engine.test_ecarte_coups import dealt

DEAL = "Kc Qd 7d 9s 8s / Ac Jc 9d Ts Kd / 7h / bought"
#: Trick by trick: a diamond is not beaten in the first, which the king of the last one proves.
TRICKS = ("Qd 9d", "Kc Jc", "9s Ts", "Ac 8s", "Kd 7d")


def played(house):
    """The deal, and what is asked for after its last card."""
    now, seat = dealt(started(house), DEAL), LEFT
    for number, trick in enumerate(TRICKS):
        leads = LEFT if number < 3 else RIGHT
        for seat, card in zip((leads, LEFT + RIGHT - leads), hand(trick), strict=True):
            now = said(now, i.PlaysCard(seat=seat, card=card))
    return now


def reports(now):
    """The notes of EDE-14 on the croupier's page, with what is filled in."""
    notes = snapshot(now, Audience.CROUPIER).notes
    return [(note.text.args, note.whole) for note in notes if note.rule == "EDE-14"]


def test_a_lead_that_was_not_beaten_is_reported_until_it_is_ruled_on():
    """EDE-14, ER-1: with the rule's text, though the deal is over; a ruling ends it."""
    now = played(EDE)

    assert isinstance(now.phase, p.DealOver)
    assert reports(now) == [({"seat": RIGHT, "n": 1}, True)]
    assert reports(said(now, ti.Ruled(reason="he pays a round"))) == []


def test_where_it_is_a_revoke_nothing_is_reported_beside_it():
    """E07-44: there the question is asked."""
    now = played(E07)

    assert now.asked[-1].question is p.Question.REVOKE
    assert reports(now) == []
