"""Cards that people enter if nothing reads them, and the second person's entry."""

import pytest

from table_controller.engine.chemin_de_fer.offers import cards_by_hand
from table_controller.engine.chemin_de_fer.state import PointeurToSpeak
from table_controller.engine.chemin_de_fer.step import step
from table_controller.engine.chemin_de_fer.view import snapshot
from table_controller.engine.messages import Audience, CardSeen, Refusal
from table_controller.engine.seen import Unknown
from table_controller.engine.table import events as te
from table_controller.engine.table.offers import second_entry
from table_controller.rules.cards import Card
from tests.engine.playing import NEMZETI, deal, play, table
from tests.engine.test_secrecy import named

SOLO = ("seat 1 banks 10", "seat 2 banco solo")


def labels(now, group):
    return [str(offer.label) for offer in cards_by_hand(now) if offer.group == group]


def test_a_card_that_is_due_is_the_big_button():
    """R-13: typed unseen; the white card and one that nobody can name are one tap away."""
    now = play(table(), *SOLO)
    card, white, unread = cards_by_hand(now)

    assert (card.input, card.secret, card.group) == ({"type": "card_seen"}, True, "main")
    assert (white.input, white.hold) == ({"type": "card_seen", "white": True}, True)
    assert (unread.input, unread.hold) == ({"type": "card_seen", "unknown": "no_read"}, True)
    assert card.takes({"type": "card_seen", "card": "7h"})
    assert not card.takes({"type": "card_seen", "card": "7h", "copy": 1})


@pytest.mark.parametrize(
    ("lines", "group"),
    [
        ((), "mistake"),
        (SOLO, "main"),
        ((*SOLO, "card 2h"), "main"),
        ((*SOLO, *deal("2h Kc", "5d Ks")), "mistake"),
        ((*SOLO, *deal("2h Kc", "5d Ks"), "seat 2 carte", "seat 1 opens"), "main"),
        ((*SOLO, *deal("2h Kc", "5d Ks"), "seat 2 reste", "seat 1 opens"), "more"),
        ((*SOLO, *deal("2h Kc", "5d Ks"), "seat 2 reste", "seat 1 opens", "seat 1 draws"), "main"),
        ((*SOLO, *deal("2h Kc", "2d Ks"), "seat 2 reste", "seat 1 opens", "seat 1 stands",
          "seat 2 opens"), "more"),
        ((*SOLO, "card 2h", "misdealt"), "mistake"),
    ],
)  # fmt: skip
def test_a_card_may_leave_at_any_time(lines, group):
    """R-19: due, on a banker's word unsaid, as a replay's first, or by mistake."""
    assert "enter the card that left" in labels(play(table(), *lines), group)


def test_only_a_closed_card_is_entered_unseen():
    """R-13, Z-9: a third card lies open before everybody."""
    told = (*SOLO, *deal("2h Kc", "5d Ks"), "seat 2 carte", "seat 1 opens")
    closed, third = play(table(), *SOLO), play(table(), *told)
    choice = play(third, "card 5s")
    last = play(choice, "seat 1 draws")

    assert [
        str(cards_by_hand(now)[0].fields[0].label) for now in (closed, third, choice, last)
    ] == ["the card, unseen", "the card", "the card", "the card"]


def test_at_nemzeti_a_card_may_come_over_open_stakes():
    """N-3: four cards on the table are not "rien ne va plus"."""
    now = play(table(house=NEMZETI), "seat 1 banks 100", "seat 2 stakes 30")

    assert "enter the card that left" in labels(now, "more")


def test_without_a_schlitten_or_while_one_waits_no_card_is_entered():
    """Nothing to leave; and an unread card is entered by two people, not by one."""
    closed = play(table(), "schlitten closed")
    waiting = play(table(), *SOLO, "card unread no_read")

    assert cards_by_hand(closed) == cards_by_hand(waiting) == ()


def test_the_white_card_is_entered_once():
    """R-6."""
    now = play(table(left=7), "white card")

    assert "the white card came out" not in labels(now, "more")


def test_what_is_entered_is_dealt_like_a_card_that_was_read():
    """R-13, ZP-6: a whole deal from one pair of hands; nobody is told a card."""
    now, heard = play(table(), *SOLO), []
    for code in ("9h", "2d", "Kc", "Ks"):
        now, told = step(now, CardSeen(actor="hand:croupier", card=Card(code)))
        heard += [event for event in told if event.audience is not Audience.SEALED]

    assert isinstance(now.phase, PointeurToSpeak)
    assert [event.seat for event in heard if isinstance(event, te.CardDrawn)] == [2, 1, 2, 1]
    assert named([*heard, snapshot(now, Audience.CROUPIER)]) == set()


def test_a_seventh_card_of_six_is_refused_and_not_named():
    """ZP-2, R-13: a slip of the finger; the card is out and yet to be entered."""
    now = play(table(), "seat 1 banks 10", *["card 7h", "stray burned"] * 6, "seat 2 banco solo")
    with pytest.raises(Refusal) as refusal:
        step(now, CardSeen(actor="hand:croupier", card=Card("7h")))

    assert str(refusal.value.why) == "The Schlitten cannot have held one more of that card."
    assert str(refusal.value.remedy) == "Look at the card again."
    assert refusal.value.rule == "ZP-2"
    assert named([str(refusal.value), repr(refusal.value)]) == set()


def test_one_person_alone_does_not_name_an_unread_card():
    """Two must agree, also where a card may be entered by hand."""
    now = play(table(), *SOLO, "card unread no_read")
    with pytest.raises(Refusal) as refusal:
        step(now, CardSeen(actor="hand:croupier", card=Card("7h")))

    assert str(refusal.value.remedy) == (
        "Show the card again, have two people enter it, or say that none left."
    )


def test_what_nobody_can_name_stands_still():
    now, _ = step(play(table(), *SOLO), CardSeen(actor="hand:croupier", unknown=Unknown.NO_READ))

    assert [alert.code for alert in now.felt.alerts] == ["card_unread"]


def test_the_second_entry_asks_for_a_name():
    """The page is all people's at once: the second one says who he is."""
    waiting = play(table(), *SOLO, "card unread no_read")
    offers = snapshot(waiting, Audience.CROUPIER).offers
    assert second_entry(waiting.felt, offers) == offers
    now = play(waiting, "named 9h")

    (form,) = [
        offer
        for offer in second_entry(now.felt, snapshot(now, Audience.CROUPIER).offers)
        if offer.input["type"] == "card_named"
    ]
    assert [field.name for field in form.fields] == ["by", "card"]
    assert form.takes({"type": "card_named", "by": "Berta", "card": "9h"})
    assert not form.takes({"type": "card_named", "by": " ", "card": "9h"})
    assert not form.takes({"type": "card_named", "card": "9h"})
