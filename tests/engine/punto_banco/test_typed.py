"""Cards that people type: openly if they are open, behind dots if they are closed (PB-41)."""

from __future__ import annotations

import pytest

from table_controller.engine.messages import Audience
from table_controller.engine.punto_banco import game
from table_controller.engine.views import Secret
from tests.engine.punto_banco.playing import house, played, table

FOUR = ("free coup", "card 2h", "card Kd", "card 3h")


def typed(now, kind):
    """How the card of that offer is typed, where nothing reads cards."""
    picture = game.by_hand(now, game.snapshot(now, Audience.CROUPIER), reads=False)
    (offer, *_) = (one for one in picture.offers if one.input["type"] == kind)
    return [field.open for field in offer.fields if isinstance(field, Secret)]


@pytest.mark.parametrize(("dealing", "openly"), [("open", True), ("squeezed", False)])
def test_a_card_is_typed_as_it_lies(dealing, openly):
    """PB-41, PR-3: one that is due, and one that is corrected."""
    now = played(table(house(dealing=dealing)), *FOUR)

    assert typed(now, "card_seen") == [openly]
    assert typed(now, "corrects") == [openly]


def test_one_that_nobody_is_to_see_is_typed_unseen():
    """PB-41, R-13: two people enter a card that could not be read; one that is none's is aside."""
    now = played(table(house()), *FOUR)
    unread = played(now, "card unread no_read")
    announced = played(now, "card 4d", "card 8h", "card 2c")

    assert typed(unread, "card_named") == [False]
    assert typed(announced, "card_seen") == [False]
