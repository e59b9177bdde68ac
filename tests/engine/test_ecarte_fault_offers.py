"""The mistakes that the croupier's page offers, when, and for whom."""

import pytest

from table_controller.engine.ecarte import inputs as i
from table_controller.engine.ecarte.view import snapshot
from table_controller.engine.messages import Audience, CardSeen
from table_controller.engine.views import Choice
from table_controller.rules.cards import PACK_32, Card
from tests.engine.ecarte_playing import E00, E07, EDE, HOUSES, LEFT, RIGHT, said, started
from tests.engine.test_ecarte_coups import dealt

#: Elder, at seat 3, has five cards of which no two hands hold one; hearts are trumps.
DEAL = "Qh 9c 8c 7c Ks / Th 9s 8s 7s Kd / 7h"
BOUGHT = DEAL + " / bought"


def plays(now, *cards):
    """The table after these cards, elder's and the dealer's in turn, trick by trick."""
    for number, card in enumerate(cards):
        now = said(now, i.PlaysCard(seat=(LEFT, RIGHT)[number % 2], card=Card(card)))
    return now


def buttons(now, kind):
    """Every offer of that kind."""
    tag = kind.__struct_config__.tag
    offers = snapshot(now, Audience.CROUPIER).offers
    return [offer for offer in offers if offer.input["type"] == tag]


def main(now):
    """The main offers, each with its seat, in the order of the page."""
    offers = snapshot(now, Audience.CROUPIER).offers
    return [(one.input["type"], one.input["seat"]) for one in offers if one.group == "main"]


def seats(now, kind):
    """Of whom it can be said now, by any of its buttons."""
    found = set()
    for offer in buttons(now, kind):
        asked = [f for f in offer.fields if isinstance(f, Choice) and f.name == "seat"]
        found |= {pick.value for field in asked for pick in field.picks}
        found |= {offer.input["seat"]} if "seat" in offer.input else set()
    return found


def backs(now):
    """How many closed cards each player holds, as the page draws them."""
    hands = snapshot(now, Audience.CROUPIER).hands
    return {hand.seat: hand.cards.count(None) for hand in hands if hand.seat}


def picked(offer, name):
    """What may be picked in one of its fields."""
    [field] = [field for field in offer.fields if field.name == name]
    return [pick.value for pick in field.picks]


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.id)
def test_either_player_shows_any_card_that_may_be_his(house):
    """ER-22, ER-31: one button each; all cards but those that lie open elsewhere."""
    now = plays(dealt(started(house), DEAL), "Qh")
    left, right = sorted(buttons(now, i.Shows), key=lambda offer: offer.input["seat"])
    free = [card.value for card in PACK_32 if card.value not in ("7h", "Qh")]

    assert (left.input["seat"], right.input["seat"]) == (LEFT, RIGHT)
    assert picked(left, "card") == picked(right, "card") == free
    assert {left.group, right.group} == {"mistake"}

    now = said(now, i.Shows(seat=RIGHT, card=Card("Th")))
    left, right = sorted(buttons(now, i.Shows), key=lambda offer: offer.input["seat"])
    assert "Th" not in picked(left, "card")
    assert "Th" not in picked(right, "card")


def test_a_hand_that_lies_open_wholly_has_nothing_to_show():
    """ER-31: a player with open cards shows them first of all, until all of them are shown."""
    now = plays(dealt(started(E07), DEAL), "Qh", "Th")
    now = said(now, i.LooksAtTricks(seat=RIGHT))
    assert main(now) == [("shows", RIGHT), ("plays_card", LEFT)]
    assert main(plays(now, "Ks")) == [("shows", RIGHT), ("plays_card", RIGHT)]

    now = said(now, *(i.Shows(seat=RIGHT, card=Card(c)) for c in ("Kd", "9s", "8s", "7s")))
    assert main(now) == [("plays_card", LEFT)]
    assert seats(now, i.Shows) == {LEFT}
    assert seats(now, i.LooksAtTricks) == set()


def test_open_cards_are_shown_once_they_are_played():
    """E07-38, ER-31: while cards are still bought, a player shows none before the others."""
    now = said(
        dealt(started(E07), DEAL), i.Proposes(seat=LEFT), i.Accepts(seat=RIGHT),
        i.Discards(seat=LEFT, cards=1), i.Touched(seat=LEFT), CardSeen(card=Card("Ac")),
    )  # fmt: skip
    of_left = [offer for offer in buttons(now, i.Shows) if offer.input["seat"] == LEFT]

    assert main(now) == [("discards", RIGHT)]
    assert [offer.group for offer in of_left] == ["more"]
    assert main(said(now, i.Discards(seat=RIGHT, cards=0)))[0] == ("shows", LEFT)


def test_who_has_looked_is_not_asked_again():
    """E07-19, E07-26: only who has not."""
    now = dealt(started(E07), DEAL)

    assert seats(now, i.Looks) == {LEFT, RIGHT}
    assert seats(said(now, i.Looks(seat=RIGHT)), i.Looks) == {LEFT}


def test_a_deal_turned_round_turns_who_has_looked_and_who_has_laid_away():
    """E07-18, ER-39: elder looked, proposed and discarded, and elder is the other player."""
    now = said(dealt(started(E07), DEAL), i.Proposes(seat=LEFT))
    turn = i.DealtOutOfTurn(proposed=True)
    assert seats(now, i.Looks) == {RIGHT}
    assert seats(said(now, turn), i.Looks) == {LEFT}

    now = said(now, i.Accepts(seat=RIGHT), i.Discards(seat=LEFT, cards=2))
    assert backs(now) == {LEFT: 3, RIGHT: 5}
    assert backs(said(now, turn)) == {LEFT: 5, RIGHT: 3}


@pytest.mark.parametrize("house", [E07, E00], ids=lambda house: house.id)
def test_only_a_bought_card_can_have_been_exposed_once_cards_are_bought(house):
    """E07-16, E00-16: of a player who kept his five none came."""
    now = said(
        dealt(started(house), DEAL), i.Proposes(seat=LEFT), i.Accepts(seat=RIGHT),
        i.Discards(seat=LEFT, cards=1), CardSeen(card=Card("Ac")), i.Discards(seat=RIGHT, cards=0),
    )  # fmt: skip

    assert seats(now, i.Exposed) == {LEFT}


def test_discards_are_touched_once_some_lie():
    """E07-38: by whose cards are closed."""
    assert seats(dealt(started(E07), DEAL), i.Touched) == set()

    now = dealt(started(E07), BOUGHT)
    assert seats(now, i.Touched) == {LEFT, RIGHT}
    assert seats(said(now, i.Touched(seat=LEFT)), i.Touched) == {RIGHT}


@pytest.mark.parametrize(("house", "who"), [(E07, {RIGHT}), (E00, {RIGHT}), (EDE, {LEFT, RIGHT})])
def test_tricks_are_looked_at_by_who_may_not(house, who):
    """E07-52, E00-50: the opponent's; at EDE any (EDE-22)."""
    now = dealt(started(house), DEAL)
    assert seats(plays(now, "Qh"), i.LooksAtTricks) == set()

    assert seats(plays(now, "Qh", "Th"), i.LooksAtTricks) == who


@pytest.mark.parametrize(
    ("house", "early", "late"),
    [
        (E07, {False, True}, {False, True}),
        (E00, {True}, {False, True}),
        (EDE, set(), {False, True}),
    ],
    ids=["e07", "e00", "ede"],
)
def test_cards_are_thrown_away_before_the_lead_where_that_gives_marks(house, early, late):
    """E07-54, E00-52, ER-33: held, of either player."""
    now = dealt(started(house), DEAL)
    led = plays(now, "Qh")

    assert {offer.input["mixed"] for offer in buttons(now, i.ThrowsAway)} == early
    assert {offer.input["mixed"] for offer in buttons(led, i.ThrowsAway)} == {False, True}
    assert all(offer.hold for offer in buttons(led, i.ThrowsAway))
    assert seats(led, i.ThrowsAway) == {LEFT, RIGHT}


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.id)
def test_any_card_that_lies_may_come_again(house):
    """ER-32: each player's button has what lies open, and is held where the deal is void."""
    now = plays(dealt(started(house), DEAL), "Qh", "Th")
    offers = buttons(now, i.Twins)

    assert seats(now, i.Twins) == {LEFT, RIGHT}
    assert [picked(offer, "card") for offer in offers] == [["7h", "Th", "Qh"]] * 2
    assert {offer.hold for offer in offers} == {house is not E00}


def test_the_rest_is_thrown_in_by_who_has_just_trumped():
    """E07-54: nobody else, and once."""
    now = plays(dealt(started(E07), DEAL), "Ks")
    trumped = said(now, i.PlaysCard(seat=RIGHT, card=Card("Th")))
    followed = said(now, i.PlaysCard(seat=RIGHT, card=Card("9s")))

    assert seats(trumped, i.ThrowsIn) == {RIGHT}
    assert seats(followed, i.ThrowsIn) == set()
    assert seats(said(trumped, i.ThrowsIn(seat=RIGHT)), i.ThrowsIn) == set()


def test_a_wrong_number_is_said_of_who_may_hold_it():
    """E07-20 to E07-24, ER-39: any number before the lead, then six and more, of each once."""
    now = dealt(started(E07), BOUGHT)
    assert seats(dealt(started(E07), DEAL), i.Counted) == set()
    [count] = buttons(now, i.Counted)
    assert picked(count, "cards") == [3, 4, 6, 7, 8]

    led = plays(now, "Qh")
    [count] = buttons(led, i.Counted)
    assert picked(count, "cards") == [6, 7, 8]
    assert seats(led, i.Counted) == {LEFT, RIGHT}
    assert seats(led, i.AskedWrongly) == set()

    found = said(led, i.Counted(seat=LEFT, cards=6))
    assert seats(found, i.Counted) == {RIGHT}
    assert seats(plays(dealt(started(EDE), BOUGHT), "Qh"), i.Counted) == set()


def test_who_asked_wrongly_is_said_of_elder_once():
    """E07-23."""
    now = dealt(started(E07), BOUGHT)

    assert seats(now, i.AskedWrongly) == {LEFT}
    assert seats(said(now, i.AskedWrongly(seat=LEFT, cards=6)), i.AskedWrongly) == set()


def test_an_earlier_revoke_has_a_button_of_its_own():
    """ER-37: where the last reply may be mended, and he had played to a lead before."""
    now = plays(dealt(started(E07), DEAL), "Qh", "Th")
    [only] = buttons(now, i.Revoked)
    assert only.input.get("earlier") is None

    now = plays(now, "Ks", "9s")
    late = [offer.input for offer in buttons(now, i.Revoked)]
    assert late[1:] == [{"type": "revoked", "seat": RIGHT, "earlier": True}]
    assert seats(plays(dealt(started(EDE), DEAL), "Qh", "Th"), i.Revoked) == {RIGHT}


def test_a_card_that_lay_face_up_is_said_while_cards_come():
    """E07-15, E07-16: from the first card on; and among those that are bought."""
    now = started(E07)
    assert buttons(now, i.FacedInPack) == []

    assert buttons(said(now, CardSeen(card=Card("Qh"))), i.FacedInPack)
    now = dealt(started(E07), DEAL)
    assert buttons(now, i.FacedInPack) == []
    now = said(now, i.Proposes(seat=LEFT), i.Accepts(seat=RIGHT), i.Discards(seat=LEFT, cards=2))
    assert buttons(now, i.FacedInPack)


def test_who_received_the_first_cards_leads_when_it_is_found_who_dealt():
    """ER-39, E07-31: also where the proposition was refused."""
    now = said(dealt(started(E07), DEAL), i.Proposes(seat=LEFT), i.Refuses(seat=RIGHT))
    assert snapshot(now, Audience.CROUPIER).prompt.seats == (LEFT,)

    turned = said(now, i.DealtOutOfTurn(proposed=True))
    assert snapshot(turned, Audience.CROUPIER).prompt.seats == (RIGHT,)
