"""The cut for the deal: whose card deals first, and when the cut is repeated."""

import pytest

from table_controller.engine.ecarte import inputs as i
from table_controller.engine.ecarte.events import CutShown, DealerFound
from table_controller.engine.ecarte.state import CutDue, NoSchlitten
from table_controller.engine.ecarte.step import step
from table_controller.rules.cards import Card
from tests.engine.ecarte_playing import E00, E07, EDE, LEFT, RIGHT, said, table


@pytest.mark.parametrize(
    ("house", "left", "right", "dealer"),
    [
        (E07, "7h", "Kh", LEFT),
        (E07, "7h", "Ac", RIGHT),
        (E07, "Kh", "Qs", RIGHT),
        (E07, "9h", "9s", 0),
        (E00, "As", "7d", LEFT),
        (E00, "Jd", "Th", RIGHT),
        (E00, "Ah", "Ad", 0),
        (EDE, "7h", "Kh", RIGHT),
        (EDE, "Ac", "Th", LEFT),
        (EDE, "Ac", "Jh", RIGHT),
        (EDE, "Qc", "Qh", 0),
    ],
)
def test_whose_card_deals(house, left, right, dealer):
    """E07-10, E00-10, EDE-3, ER-12: the lower, the ace low; at EDE the higher; equals cut again."""
    now = said(table(house), i.Opponents(left=LEFT, right=RIGHT))
    now = said(now, i.CutsForDeal(seat=LEFT, card=Card(left)))
    now, told = step(now, i.CutsForDeal(seat=RIGHT, card=Card(right)))

    assert told == (CutShown(seat=RIGHT, card=Card(right)), DealerFound(seat=dealer))
    assert now.phase == (NoSchlitten() if dealer else CutDue())
