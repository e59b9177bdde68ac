"""Each way in which a public record's money or points can be false, with its sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table_controller.engine.chemin_de_fer.evening import sums
from table_controller.engine.chemin_de_fer.step import step
from table_controller.engine.messages import AgainstRules
from table_controller.engine.table import events as te
from table_controller.engine.table import inputs as ti
from tests.engine.offered import shown
from tests.engine.playing import ZOPPOT, deal, play, table

#: Seat 1 posts 100 and throws its hand away (Z-11); what is said to come of it is as if it had won.
THROWN = {"type": "hand_thrown", "seat": 1}
POSTED = {"type": "bank_posted", "seat": 1, "pot": 100}
SETTLED = {
    "type": "coup_settled", "coup": 1, "winner": "bank", "banker_seat": 1, "pointeur_seat": 2,
    "banker": None, "pointeur": None, "pot": 100, "staked": 100, "cagnotte": 5, "pot_after": 195,
    "forfeit": "Z-11",
}  # fmt: skip


def judged(**changes):
    """What is said of the coup where the cards are not looked at."""
    return sums([POSTED, THROWN, SETTLED | changes])


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"pot": 99}, "the pot was 100 and is said to be 99"),
        ({"staked": 101}, "101 were staked against a pot of 100"),
        ({"staked": -1}, "-1 were staked against a pot of 100"),
        ({"cagnotte": -1, "pot_after": 201}, "100 were staked against a pot of 100"),
        ({"pot_after": 194}, "the pot after it is 194, which is not what it won or lost"),
        ({"winner": "house"}, "the pot after it is 195, which is not what it won or lost"),
        ({"winner": "pointeur", "pot_after": 0}, "a cagnotte of 5 without a win of the bank (R-8)"),
        ({"winner": None, "pot_after": 100}, "a cagnotte of 5 without a win of the bank (R-8)"),
        ({}, "the points do not give the winner bank"),
        (
            {"winner": None, "cagnotte": 0, "pot_after": 100},
            "the points do not give the winner None",
        ),
    ],
)
def test_a_false_coup_is_named(changes, why):
    """R-7, R-8, R-16, Z-11: without points the bank has lost."""
    assert judged(**changes) == (2, f"coup 1: {why}")


def test_a_bank_that_lost_by_a_rule_comes_out():
    """Z-11: and a pot that nobody posted is believed."""
    lost = SETTLED | {"winner": "pointeur", "cagnotte": 0, "pot_after": 0}

    assert sums([POSTED, THROWN, lost]) is None
    assert sums([THROWN, lost | {"pot": 300, "pot_after": 200}]) is None
    assert sums([POSTED, THROWN, lost | {"staked": 0, "pot_after": 100}]) is None


@pytest.mark.parametrize(
    ("between", "pot"),
    [
        ({"type": "pot_changed", "seat": 1, "pot": 70, "aside": 30}, 70),
        ({"type": "partner_joined", "seat": 3, "chips": 5, "pot": 105}, 105),
        ({"type": "said", "seat": 2, "word": "carte"}, 100),
    ],
)
def test_a_pot_is_what_was_said_of_it_last(between, pot):
    """R-7, Z-4."""
    after = {"winner": "pointeur", "cagnotte": 0, "pot_after": 0}
    assert sums([POSTED, between, THROWN, SETTLED | after | {"pot": pot, "staked": pot}]) is None
    wrong = sums([POSTED, between, THROWN, SETTLED | after | {"pot": pot + 1, "staked": pot + 1}])
    assert wrong == (3, f"coup 1: the pot was {pot} and is said to be {pot + 1}")


@pytest.mark.parametrize("kind", ["schlitten_passed", "auction_begun", "withdrawn"])
def test_a_pot_that_went_is_known_no_more(kind):
    """ZP-18, ZP-19, R-20."""
    other = SETTLED | {"winner": "pointeur", "cagnotte": 0, "pot": 7, "staked": 7, "pot_after": 0}

    assert sums([POSTED, {"type": kind}, THROWN, other]) is None


def test_a_coup_that_was_annulled_or_settled_anew_begins_where_it_began():
    """R-20, R-30: another one where that left."""
    lost = SETTLED | {"winner": "pointeur", "cagnotte": 0, "staked": 40, "pot_after": 60}
    again = lost | {"staked": 30, "pot_after": 70}
    assert sums([POSTED, THROWN, lost, THROWN, again]) is None
    assert sums([POSTED, THROWN, lost, THROWN, again | {"coup": 2}]) == (
        4, "coup 2: the pot was 60 and is said to be 100"
    )  # fmt: skip
    annulled = {"type": "coup_annulled", "coup": 1, "reason": "x"}
    assert sums([POSTED, THROWN, lost, annulled, THROWN, again | {"coup": 2}]) is None
    other = annulled | {"coup": 2}
    assert sums([POSTED, THROWN, lost, other, THROWN, again | {"coup": 2}]) is not None


# -- what no other test says


def test_an_unread_card_between_coups_annuls_nothing():
    """Z-27: there is no coup; where money lies for one, or its cards, it is annulled."""
    now = play(table(), "seat 1 banks 100", "card unread no_read")
    with pytest.raises(AgainstRules, match="Show the card again, have two people enter it"):
        play(now, "annul why")
    dealt = play(table(), "seat 1 banks 100", "seat 2 banco solo", "card unread no_read")
    assert play(dealt, "annul why").coup is None
    second = play(
        table(), "seat 1 banks 100", "seat 2 banco solo", "card 2h", "card unread no_read"
    )
    assert play(second, "annul why").coup is None


def test_a_card_is_burned_unread_for_a_reason():
    """R-59, R-20: nothing is burned for none."""
    now = play(table(), "seat 1 banks 100", "card unread no_read")
    with pytest.raises(AgainstRules, match="A supervisor's word needs its reason"):
        step(now, ti.UnreadBurned(reason=" "))
    burned, told = step(now, ti.UnreadBurned(reason="face down"))

    assert not burned.felt.stops
    assert burned.felt.shoe.left == 311
    assert [event.reason for event in told if isinstance(event, te.RulingNoted)] == ["face down"]


def test_a_bid_is_no_greater_than_the_greatest_pot():
    """R-12, ZP-18: in the form too."""
    house = replace(ZOPPOT, most_pot=150)
    now = play(
        table(house=house, chips=200),
        *("seat 1 banks 50", "seat 2 banco solo", *deal("2h Kc", "9d Ks"), "seat 2 carte"),
        *("seat 1 opens", "seat 2 opens", "paid", "seat 2 cashes out 100", "seat 1 suite"),
    )
    bids = [one for one in shown(now, "more") if " bids " in one][:2]

    assert bids == [
        "more: seat 2 bids = bids seat=2 | chips 10..50 from 10",
        "more: seat 3 bids = bids seat=3 | chips 10..150 from 10",
    ]
