"""The white card and the count check each other, and a coup needs its cards (R-6, Z-24)."""

import pytest

from table_controller.engine.chemin_de_fer import inputs as i
from table_controller.engine.chemin_de_fer.step import step
from table_controller.engine.chemin_de_fer.view import snapshot
from table_controller.engine.messages import (
    AgainstRules,
    AlertCleared,
    AlertDetailed,
    AlertRaised,
    Audience,
    CardSeen,
    Refusal,
    Severity,
)
from table_controller.rules.cards import Card
from tests.engine.playing import events, play, table

BANCO = ("seat 1 banks 100", "seat 2 banco solo")


def refusal(now, said):
    with pytest.raises(Refusal) as error:
        step(now, said)
    return error.value


def picture(now, audience=Audience.CROUPIER):
    return snapshot(now, audience)


def test_a_disputed_white_card_names_both_figures_and_stops_the_table():
    """R-6: an alert that names both; nothing is decided without the croupier."""
    now = table(left=20)
    told = events(now, "white card")
    (alert,) = [event for event in told if isinstance(event, AlertDetailed)]

    assert alert.severity is Severity.STOP
    assert "20" in str(alert.what)
    assert "7" in str(alert.what)
    with pytest.raises(Refusal):
        play(now, "white card", "seat 1 banks 10")


@pytest.mark.parametrize("ruling", ["play_on", "last_coup"])
def test_the_alert_goes_when_the_croupier_has_decided(ruling):
    """R-6."""
    now = play(table(left=20), "white card")

    assert any(isinstance(e, AlertCleared) for e in events(now, f"white {ruling}"))
    assert not picture(play(now, f"white {ruling}")).alerts


def test_a_missed_white_card_is_reported_by_the_count():
    """R-6: the count is a second witness; the alert names both figures and the coup goes on."""
    now = play(table(left=8), *BANCO, "card 2h")
    told = events(now, "card 9d")
    (alert,) = [event for event in told if isinstance(event, AlertDetailed)]

    assert "6" in str(alert.what)
    assert "7" in str(alert.what)
    assert alert.severity is Severity.WARNING
    play(now, "card 9d", "card Kc", "card Ks", "seat 2 reste")


def test_a_missed_white_card_is_reported_once():
    """R-6: not again with every card."""
    now = play(table(left=8), *BANCO)
    told = events(now, "card 2h", "card 9d", "card Kc", "card Ks")

    assert sum(isinstance(event, AlertRaised) for event in told) == 1


def test_the_white_card_is_none_of_the_pack():
    """R-6: it is not one of the 312."""
    now = table(left=20)

    assert play(now, "white card").felt.shoe.left == 20
    assert table().felt.shoe.left == 312


@pytest.mark.parametrize("left", [0, 1, 6])
def test_there_is_no_coup_with_fewer_than_seven_cards(left):
    """R-6: refused, with the figure, and not offered."""
    now = play(table(left=left), "seat 1 banks 10")
    no = refusal(now, i.Banco(seat=2))

    assert no.rule == "R-6"
    assert "7" in str(no.why)
    assert "banco" not in {offer.input["type"] for offer in picture(now).offers}


def test_seven_cards_are_enough():
    """R-6, ZP-4: the last coup needs them."""
    play(table(left=7), *BANCO)


def test_a_card_beyond_the_last_is_none_of_ours():
    """R-6: by the count the box is empty."""
    now = play(table(left=0))

    assert isinstance(refusal(now, CardSeen(card=Card("9h"))), AgainstRules)
