"""Settings of a house that change only texts: what its page shows, and by which rule."""

from dataclasses import replace
from typing import get_args

import pytest

from table_controller.engine.ecarte import game
from table_controller.engine.ecarte import inputs as i
from table_controller.engine.ecarte.events import CardsAsked, RuleCalled
from table_controller.engine.ecarte.step import CASES
from table_controller.engine.ecarte.view import snapshot
from table_controller.engine.messages import Audience, CardSeen
from table_controller.engine.promises import SecretKey
from table_controller.engine.table import inputs as ti
from table_controller.rules.cards import PACK_32, Card
from tests.engine.ecarte_playing import E00, E07, EDE, LEFT, RIGHT, said, shuffled, started
from tests.engine.ecarte_staking import table as staked
from tests.engine.ecarte_staking import told
from tests.engine.test_ecarte_coups import dealt


def notes(now):
    """The rule of each note on the croupier's page."""
    return [note.rule for note in snapshot(now, Audience.CROUPIER).notes]


@pytest.mark.parametrize(
    ("house", "two", "ten"), [(E07, "E07-2", "E07-10"), (E00, "E00-2", "E00-10")]
)
def test_of_two_packs_the_dealer_chooses_and_then_they_are_dealt_in_turn(house, two, ten):
    """E07-2, E07-10, E00-2, E00-10, ER-20."""
    now = shuffled(house)
    assert notes(now) == [ten]

    now = said(started(house), *(CardSeen(card=card) for card in PACK_32[:11]))
    now = said(now, ti.Annulled(reason="a card fell"), ti.SchlittenClosed())
    assert notes(now) == [two]
    assert notes(said(now, ti.Prepared(), ti.Prepared(), ti.SchlittenLoaded(shoe="s"))) == []


def test_with_one_pack_nothing_is_chosen():
    """EDE-1."""
    assert notes(shuffled(EDE)) == []
    assert notes(shuffled(replace(E07, decks=1))) == []


def test_after_two_cards_alike_a_fresh_pack_is_due_that_nobody_pays():
    """ER-10, E07-11, E07-48."""
    now = said(started(E07), *(CardSeen(card=card) for card in PACK_32[:11]))
    led = i.PlaysCard(seat=LEFT, card=PACK_32[0])
    now = said(now, led, i.Twins(seat=RIGHT), ti.SchlittenClosed())
    assert notes(now) == ["ER-10"]

    assert told(now, i.FreshCards(seat=LEFT)) == (CardsAsked(seat=LEFT, pays=False),)
    now = said(now, i.FreshCards(seat=LEFT))
    assert notes(now) == ["E07-2"]
    assert told(now, i.FreshCards(seat=LEFT)) == (CardsAsked(seat=LEFT, pays=True),)


@pytest.mark.parametrize(
    ("house", "refused", "led"),
    [(E07, "E07-40", "E07-41"), (E00, "E00-40", "E00-41"), (EDE, "EDE-17b", "EDE-17a")],
)
def test_the_page_says_who_needs_three_tricks(house, refused, led):
    """E07-40, E07-41, EDE-17: at the first distribution alone, until the deal is over."""
    now = dealt(started(house), "Qh 9c 8c 7c Ks / Th 9s 8s 7s Kd / 7h")
    assert notes(now) == []

    declined = said(now, i.Proposes(seat=LEFT), i.Refuses(seat=RIGHT))
    assert notes(declined) == [refused]
    at_once = said(now, i.PlaysCard(seat=LEFT, card=Card("Qh")))
    assert notes(at_once) == [led]

    bought = said(
        now, i.Proposes(seat=LEFT), i.Accepts(seat=RIGHT), i.Discards(seat=LEFT, cards=1),
        CardSeen(card=Card("Ac")), i.Discards(seat=RIGHT, cards=0),
        i.Proposes(seat=LEFT), i.Refuses(seat=RIGHT),
    )  # fmt: skip
    assert notes(bought) == []


@pytest.mark.parametrize("least", [1, 5])
def test_who_sits_is_offered_a_hundred_stakes(least):
    """The form suggests it; any other sum can be brought."""
    house = replace(E07, least_stake=least)
    offers = snapshot(game.begin(house, SecretKey(b"seats")), Audience.CROUPIER).offers

    (chips,) = {
        field.suggested
        for offer in offers
        if offer.input["type"] == "sits"
        for field in offer.fields
        if field.name == "chips"
    }
    assert chips == 100 * least


def shuffling(house):
    """Each rule that is read out at the first shuffle of a partie for money, two sides playing."""
    now = said(staked(house), i.TwoSides(left=1, right=2))
    stakes = (i.Stakes(seat=seat, side=side, chips=5) for side, seat in enumerate((1, 2)))
    cuts = (
        i.CutsForDeal(seat=1, card=PACK_32[0]), i.CutsForDeal(seat=2, card=PACK_32[1])
    )  # fmt: skip
    now = said(now, *stakes, i.PartieHeld(), *cuts)
    return set(notes(now))


def test_who_bets_may_advise_unless_the_player_forbids_it_beforehand():
    """E07-59, E00-57: read out at the first shuffle, as the house has it."""
    assert "E07-59" in shuffling(E07)
    assert "E00-57" in shuffling(E00)
    assert "E00-57" in shuffling(replace(E07, advice="free"))


@pytest.mark.parametrize(("house", "rule"), [(E07, ""), (E00, "E00-59"), (EDE, "")])
def test_what_no_rule_says_goes_against_who_made_the_mistake_at_e00_alone(house, rule):
    """E00-59, ER-19: elsewhere it is ruled without one."""
    [event] = told(started(house), i.Reported(matter=i.Matter.DOUBT))

    assert event == RuleCalled(matter=i.Matter.DOUBT, rule=rule)


def test_every_word_of_the_machine_can_be_said():
    assert {kind for _, kind in CASES} <= set(get_args(game.inputs))


@pytest.mark.parametrize(("house", "both"), [(E07, False), (E00, True), (EDE, True)])
def test_it_can_be_said_that_a_deal_out_of_turn_was_noticed_late(house, both):
    """E00-18, ER-39: elder has proposed or led: valid, not set aside, nor void; at E07 it is so."""
    now = said(started(house), *(CardSeen(card=card) for card in PACK_32[:11]))
    offers = snapshot(now, Audience.CROUPIER).offers
    told = [o.input["proposed"] for o in offers if o.input["type"] == "dealt_out_of_turn"]

    assert told == ([False, True] if both else [False])


def test_where_anybody_may_write_the_marks_no_other_hand_is_reported():
    """E07-58, E00-56, EDE-16."""
    offered = {
        house.id: {
            pick.value
            for offer in snapshot(started(house), Audience.CROUPIER).offers
            for field in offer.fields
            for pick in getattr(field, "picks", ())
        }
        for house in (E07, E00, EDE)
    }

    assert "other_hand" in offered["e07"] & offered["e00"]
    assert "outsider" in offered["ede"]
    assert "other_hand" not in offered["ede"]


def over(house, turned, *words):
    """Elder has made all tricks, with this card turned up; he said `words` before he led."""
    left, right = (tuple(map(Card, hand.split())) for hand in ("Kc Qc Jc Ac Tc", "9c 8c 7c Ks Qs"))
    order = (*left[:3], *right[:3], *left[3:], *right[3:], turned)
    now = said(started(house), *(CardSeen(card=card) for card in order), *words)
    for led, reply in zip(left, right, strict=True):
        now = said(now, i.PlaysCard(seat=LEFT, card=led), i.PlaysCard(seat=RIGHT, card=reply))
    return now


def kings(now):
    """Who is offered to mark a king on the croupier's page."""
    offered = (one.input for one in snapshot(now, Audience.CROUPIER).offers)
    return [one["seat"] for one in offered if one["type"] == "marks" and one["why"] == "king"]


@pytest.mark.parametrize(("house", "still"), [(EDE, [LEFT]), (E07, [])])
def test_an_announced_king_is_offered_as_long_as_he_may_be_marked(house, still):
    """EDE-12, ER-24: without a deadline also after the last trick; E07-28: not after it."""
    now = over(house, Card("8d"), i.SaysKing(seat=LEFT))
    assert kings(now) == still
    for seat in still:
        assert kings(said(now, i.Marks(seat=seat, points=1, why=i.Why.KING))) == []


@pytest.mark.parametrize(("house", "still"), [(EDE, [RIGHT]), (E07, [])])
def test_a_king_turned_up_is_offered_as_long_as_he_may_be_marked(house, still):
    """EDE-6, E07-26."""
    assert kings(over(house, Card("Kd"))) == still
