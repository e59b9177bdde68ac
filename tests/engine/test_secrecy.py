"""Closed cards at chemin de fer: the events about them, and when these come.

The random walks are in `tests/contract`.
"""

from __future__ import annotations

import hashlib

import pytest

from table_controller.engine.chemin_de_fer import game
from table_controller.engine.chemin_de_fer import inputs as i
from table_controller.engine.chemin_de_fer.step import step
from table_controller.engine.chemin_de_fer.view import snapshot
from table_controller.engine.messages import (
    Audience,
    Event,
    Refusal,
)
from table_controller.engine.table import events as te
from table_controller.rules.cards import Card
from tests.contract.walks import CODE, masked, named, seen, taken
from tests.engine import script
from tests.engine.playing import NEMZETI, ZOPPOT, events, play, table


def test_the_leak_test_would_find_a_leak():
    """A closed card told on purpose: in an event, a refusal's text, a repr."""
    nine = Card("9h")
    closed = events(play(table(), "seat 1 banks 10", "seat 2 banco solo"), "card 9h")
    public = [event for event in closed if event.audience is Audience.PUBLIC]

    assert named(public) == set()
    assert named(list(closed)) == {"9h"}
    assert named([f"A card left: {nine}."]) == {"9h"}
    assert named([[nine]]) == {"9h"}


@pytest.mark.parametrize("banker", ["8h Kd", "9h Kd", "2h Kd", "5h Kd", "Th Kd"])
@pytest.mark.parametrize("pointeur", ["9c Kc", "4c Kc", "5c Kc", "7c Kc", "Tc Kc"])
def test_after_the_fourth_card_the_word_is_always_due(pointeur, banker):
    """R-17: whatever the cards are, the same is offered; after the word the banker opens."""
    one, two = pointeur.split(), banker.split()
    cards = [f"card {card}" for card in (one[0], two[0], one[1], two[1])]
    now = play(table(), "seat 1 banks 10", "seat 2 banco solo", *cards)

    offers = snapshot(now, Audience.CROUPIER).offers
    offered = [offer.input for offer in offers if offer.group != "people"]
    (picks,) = (offer.fields[0].picks for offer in offers if offer.input["type"] == "corrects")
    assert [(pick.value, str(pick.label)) for pick in picks] == [
        (1, "pointeur, card 1"),
        (3, "pointeur, card 2"),
        (2, "bank, card 1"),
        (4, "bank, card 2"),
    ]
    assert [(o["type"], o.get("word")) for o in offered] == [
        ("spoke", "reste"),
        ("spoke", "carte"),
        ("spoke", "schlag"),
        ("takes_back", None),
        ("exposed", None),
        ("exposed", None),
        ("throws", None),
        ("throws", None),
        ("stray_ruled", None),
        ("misdealt", None),
        ("thrown_away", None),
        ("annulled", None),
        ("corrects", None),
        ("transfers", None),
        ("ruled", None),
    ]
    for word in ("carte", "reste"):
        after = snapshot(play(now, f"seat 2 {word}"), Audience.CROUPIER)
        assert after.offers[0].input == {"type": "opened", "seat": 1}


def test_a_pointeur_may_ask_for_a_card_on_any_hand():
    """R-17, R-25: ZP-8 and ZP-11 are a free player's advice; a refusal would tell his points."""
    for hand in ("9c Kc", "7c Kc", "6c Kc", "2c Kc"):
        one = hand.split()
        cards = [f"card {card}" for card in (one[0], "2h", one[1], "Kd")]

        play(table(), "seat 1 banks 10", "seat 2 banco solo", *cards, "seat 2 carte")
        play(table(), "seat 1 banks 10", "seat 2 banco solo", *cards, "seat 2 reste")


@pytest.mark.parametrize("audience", [Audience.PUBLIC, Audience.CROUPIER])
def test_a_picture_shows_a_card_from_when_it_lies_open(audience):
    """R-13: none of four, then the hand that is shown, both of it; the third card lies open."""

    def cards(now):
        return [hand.cards for hand in snapshot(now, audience).hands]

    begun = play(table(), "seat 1 banks 10", "seat 2 banco solo", "card 9h", "card 2d", "card Kc")
    dealt = play(begun, "card Ks")

    assert cards(begun) == [(None, None), (None,)]
    assert cards(dealt) == [(None, None), (None, None)]
    assert cards(play(dealt, "seat 2 schlag")) == [("9h", "Kc"), (None, None)]
    drawn = play(dealt, "seat 2 carte", "seat 1 opens", "card 3s")
    assert cards(drawn) == [(None, None, "3s"), ("2d", "Ks")]


@pytest.mark.parametrize("answer", ["seat 1 draws", "seat 1 stands"])
@pytest.mark.parametrize("house", [ZOPPOT, NEMZETI], ids=lambda house: house.id)
def test_what_he_admits_is_taken_alike_whatever_he_holds(house, answer):
    """R-17, R-38: pictures, events and offers are the same on 0 to 9, until his hand is opened."""
    claim = "seat 2 stakes 10" if house is NEMZETI else "seat 2 banco solo"
    begun = play(table(house=house), "seat 2 by the schlitten", "seat 1 banks 10", claim)
    stories = []
    for first in ("Tc", "Ac", "2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c"):
        lines = [f"card {first}", "card 4d", "card Kc", "card Ks", "seat 2 carte", "seat 1 opens"]
        now, story = begun, []
        for line in (*lines, "card 5h", "seat 2 admits faux tirage", answer):
            said = taken(game, now, script.parse(line))
            now = said.after
            story.append(masked(seen(game, said)))
        stories.append(story)

    assert all(story == stories[0] for story in stories)


# Commit and reveal.


def whole_coup() -> tuple[Event, ...]:
    lines = ["card 2h", "card Kd", "card 2c", "card 5s", "seat 2 carte", "seat 1 opens"]
    lines += ["card 4d", "seat 1 draws", "card 7s", "seat 2 opens"]
    return events(table(), "seat 1 banks 10", "seat 2 banco solo", *lines)


def test_every_card_was_promised_before_it_was_shown():
    """R-13: SHA-256 of nonce and card, told when it left, proven when it opened."""
    told = whole_coup()
    promised = {e.ordinal: e.commitment for e in told if isinstance(e, te.CardDrawn)}
    shown = {e.ordinal: e for e in told if isinstance(e, te.CardOpened)}

    assert sorted(promised) == sorted(shown) == [1, 2, 3, 4, 5, 6]
    for ordinal, event in shown.items():
        proof = hashlib.sha256(bytes.fromhex(event.nonce) + event.card.value.encode())
        assert proof.hexdigest() == promised[ordinal]
    assert len({event.nonce for event in shown.values()}) == 6


def test_no_nonce_serves_two_cards():
    """R-13: also where a card went back, or the same Schlitten is loaded again."""
    now = play(table(), "seat 1 banks 10")
    told = events(now, "card 9h", "stray back", "card 9d", "stray burned", "schlitten closed")
    now = play(now, "card 9h", "stray back", "card 9d", "stray burned", "schlitten closed")
    told += events(now, "schlitten script", "card 9c", "stray burned")
    shown = [event for event in told if isinstance(event, te.CardOpened)]

    assert len({event.nonce for event in shown}) == len(shown) == 3


def test_a_card_never_opened_is_revealed_when_the_schlitten_is_closed():
    """R-35: a kept card, and those of an annulled coup; not before, each with its proof."""
    now = play(table(), "seat 1 banks 10", "seat 2 banco solo", "card 9h", "card 2d", "card Kc")
    before = events(now, "card 3s", "seat 2 carte", "card 4s", "stray kept", "annul no light")
    now = play(now, "card 3s", "seat 2 carte", "card 4s", "stray kept", "annul no light")
    closing = events(now, "schlitten closed")

    assert not [event for event in before if isinstance(event, te.CardOpened)]
    revealed = {e.card.value for e in closing if isinstance(e, te.CardOpened)}
    assert revealed == {"9h", "2d", "Kc", "3s", "4s"}
    (counted,) = [event for event in closing if isinstance(event, te.SchlittenCounted)]
    assert sum(counted.remaining.values()) == 312 - 5
    assert (counted.remaining["9h"], counted.remaining["9c"]) == (5, 6)


def test_what_was_opened_is_not_revealed_twice():
    """R-35: only what was never opened."""
    now = play(table(), "seat 1 banks 10", "card 9h", "stray burned")

    assert not [e for e in events(now, "schlitten closed") if isinstance(e, te.CardOpened)]


def test_key_and_cards_are_in_no_repr_of_what_is_told():
    """R-13: a refusal's repr and traceback hold sentences, no state."""
    now = play(table(), "seat 1 banks 10", "seat 2 banco solo", "card 9h", "card 2d", "card Kc")
    with pytest.raises(Refusal) as refusal:
        step(now, i.Opened(seat=2))

    printed = repr(refusal.value) + str(refusal.value) + repr(refusal.value.__dict__)
    assert not CODE.findall(printed.encode())
    assert "script" not in repr(now.felt.key)
