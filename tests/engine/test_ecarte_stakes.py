"""Stakes of écarté at the table: two sides, the rest, the payments, the next players."""

import random

import pytest

from table_controller.engine.ecarte import events as e
from table_controller.engine.ecarte import inputs as i
from table_controller.engine.ecarte import state as p
from table_controller.engine.ecarte.offers import about_stakes
from table_controller.engine.ecarte.state import foremost, total
from table_controller.engine.ecarte.step import step
from table_controller.engine.messages import Refusal
from table_controller.engine.table import inputs as ti
from table_controller.rules.cards import PACK_32, Card
from tests.engine.ecarte_staking import (
    E00,
    E07,
    EDE,
    PLAYERS,
    balances,
    changes,
    laid,
    over,
    said,
    table,
    told,
)


def two_sides(house=E07, chips=1000):
    """Seats 1, 2, 3 with 30, 20, 10 against 4 and 5 with 40 and 20 (X22)."""
    return said(
        table(house, chips=chips),
        i.TwoSides(left=1, right=4),
        laid(1, 30, 0), laid(2, 20, 0), laid(3, 10, 0), laid(4, 40), laid(5, 20),
    )  # fmt: skip


@pytest.mark.parametrize("house", [E07, E00])
def test_the_loser_pays_the_winners_one_by_one(house):
    """E07-60, E00-58, E07-3, E00-3: X22, 40 to the one, 20 to the other; then the next plays."""
    now = over(two_sides(house), 0)

    events = told(now, i.Onward())
    paid = [(x.seat, x.to, x.chips) for x in events if isinstance(x, e.StakePaid)]
    now = said(now, i.Onward())
    assert paid == [(2, 1, 20), (3, 1, 10), (1, 4, 40), (1, 5, 20)]
    assert changes(now) == (-30, -20, -10, 40, 20, 0)
    assert now.bets.orders[0].players == (2, 3, 1)
    assert now.bets.orders[1].players == (4, 5)
    assert isinstance(now.phase, p.StakesDue)


@pytest.mark.parametrize(("found", "surplus"), [(15, -5), (23, 3)])
def test_the_loser_answers_for_the_sum(found, surplus):
    """E07-60, E00-58: X22, he adds what is missing and keeps what is over."""
    lost, word = over(two_sides(), 0), i.StakeFound(seat=2, chips=found)

    assert told(lost, word)[-1] == e.Surplus(seat=1, chips=surplus)
    now = said(lost, i.StakeFound(seat=2, chips=1), word)
    assert changes(said(now, i.Onward())) == (-30 + surplus, -found, -10, 40, 20, 0)


@pytest.mark.parametrize(("loser", "seats"), [(0, [1, 2, 3]), (1, [4, 5])])
def test_of_either_side_that_lost_a_stake_can_be_found_otherwise(loser, seats):
    """E07-60, E00-58: the button names whoever staked on the side that lost."""
    (offer,) = [
        each
        for each in about_stakes(over(two_sides(), loser))
        if each.input["type"] == "stake_found"
    ]
    (who,) = [field for field in offer.fields if field.name == "seat"]

    assert [pick.value for pick in who.picks] == seats


def test_what_was_found_is_no_more_than_both_have():
    """E07-60, E00-58, Z-3: 1 has 10 left to pay with; what he laid himself was not more."""
    lost = over(two_sides(chips=40), 0)

    for seat, least, most in ((1, 0, 30), (2, 10, 40), (3, 0, 40)):
        for chips in (least - 1, most + 1, 1_000_000):
            with pytest.raises(Refusal, match=f"from {least} to {most}"):
                step(lost, i.StakeFound(seat=seat, chips=chips))
        for chips in (least, most):
            step(lost, i.StakeFound(seat=seat, chips=chips))


def test_only_a_lost_stake_is_found_to_differ():
    """E07-60: the winners are paid what they were known to stake."""
    now = over(two_sides(), 0)

    for word in (i.StakeFound(seat=4, chips=10), i.StakeFound(seat=6, chips=10)):
        with pytest.raises(Refusal, match="no stake"):
            step(now, word)


def test_unequal_sides_do_not_begin():
    """E07-60, E00-58, ER-27: until somebody holds the rest."""
    now = said(two_sides(), i.StakeWithdrawn(seat=3))

    with pytest.raises(Refusal, match="50 and 60") as refused:
        step(now, i.PartieHeld())
    assert refused.value.rule == "E07-60"
    now = said(now, i.HoldsRest(seat=2))
    assert now.bets.rest == 2
    assert isinstance(said(now, i.PartieHeld()).phase, p.CutDue)


def test_who_held_the_rest_pays():
    """E07-60, E00-58: X22, the lost stakes are handed to him."""
    now = said(two_sides(), i.StakeWithdrawn(seat=3), i.HoldsRest(seat=2))

    events = told(over(now, 0), i.Onward())
    paid = [(x.seat, x.to, x.chips) for x in events if isinstance(x, e.StakePaid)]
    assert paid == [(1, 2, 30), (2, 4, 40), (2, 5, 20)]
    assert changes(said(over(now, 0), i.Onward())) == (-30, -30, 0, 40, 20, 0)


def test_the_last_stakes_are_cut():
    """ER-27: of the greater side, down to the other's sum."""
    now = said(two_sides(), i.StakeWithdrawn(seat=3), i.CutsStakes())

    assert balances(now) == (970, 980, 1000, 960, 990, 1000)
    assert isinstance(said(now, i.PartieHeld()).phase, p.CutDue)


def test_nobody_stakes_on_both_sides():
    """E07-3, E07-60: who belongs to one side does not play against it."""
    with pytest.raises(Refusal, match="other side"):
        step(two_sides(), laid(1, 10, 1))


def test_newcomers_stand_before_who_they_staked_on():
    """E07-3, E00-3: X24, before the present player is the end; the loser goes behind them."""
    now = said(two_sides(), laid(6, 5, 0), laid(4, 5, 1))

    assert now.bets.orders[0].players == (1, 2, 3, 6)
    now = said(over(now, 0), i.Onward())
    assert now.bets.orders[0].players == (2, 3, 6, 1)


def test_who_renounces_lets_the_next_play():
    """E07-4, E00-4, ER-18: X24, he keeps his place at E07 and goes to the end at E00."""
    now = said(over(two_sides(), 0), i.Onward(), i.Renounces(seat=2))
    assert (now.bets.orders[0].hand, now.bets.orders[0].waiting) == (3, (2, 1))

    now = said(over(two_sides(E00), 0), i.Onward(), i.Renounces(seat=2))
    assert (now.bets.orders[0].hand, now.bets.orders[0].waiting) == (3, (1, 2))
    with pytest.raises(Refusal, match="does not have the hand"):
        step(now, i.Renounces(seat=1))


def test_closed_stakes_change_only_with_leave():
    """E07-7, E00-6: after "rien ne va plus" the giver must allow it."""
    now = said(table(E07), i.GivesChouette(seat=1), laid(2, 10), i.ClosesStakes())

    for word in (laid(3, 10), i.StakeWithdrawn(seat=2), i.ClosesStakes()):
        with pytest.raises(Refusal, match="closed already") as refused:
            step(now, word)
        assert refused.value.rule == "E07-7"
    now = said(now, i.Stakes(seat=3, side=1, chips=10, consent=True))
    assert changes(said(now, i.StakeWithdrawn(seat=2, consent=True))) == (-10, 0, -10, 0, 0, 0)


@pytest.mark.parametrize("house", [E07, E00])
def test_without_the_word_the_cut_closes_them(house):
    """E07-7, E00-6: what is laid after it needs the giver's leave, until the cards are out."""
    now = said(table(house), i.GivesChouette(seat=1), laid(2, 10), i.PartieHeld())

    with pytest.raises(Refusal, match="closed already"):
        step(now, laid(3, 10))
    now = said(now, i.Stakes(seat=3, side=1, chips=10, consent=True))
    assert changes(now) == (-20, -10, -10, 0, 0, 0)  # the giver has put up what he holds
    with pytest.raises(Refusal, match="Seat 1 has 980 K, not 990"):
        step(now, i.Stakes(seat=4, side=1, chips=990, consent=True))


def test_at_e00_only_holding_the_partie_closes_them():
    """E00-6: the word is "le coup est tenu"; E07's "rien ne va plus" is not said there."""
    with pytest.raises(Refusal, match="not played so here"):
        step(said(table(E00), i.GivesChouette(seat=1), laid(2, 10)), i.ClosesStakes())


def test_the_sums_of_two_sides_stand_when_the_partie_is_held():
    """E07-60, E00-58: nobody adds to one of them, with or without leave."""
    now = said(two_sides(), i.PartieHeld())

    for word in (
        i.Stakes(seat=1, side=0, chips=5, consent=True),
        i.StakeWithdrawn(seat=3, consent=True),
    ):
        with pytest.raises(Refusal, match="stand until"):
            step(now, word)


def test_the_giver_withdraws_from_a_partie():
    """E07-7, E00-6: the stakes go back, and he may call for others."""
    now = said(table(E07), i.GivesChouette(seat=1), laid(2, 10), i.ClosesStakes())

    now = said(now, i.PartieDeclined())
    assert changes(now) == (0,) * 6
    assert now.bets.stakes == ((), ())
    assert not now.bets.closed


def test_a_void_partie_gives_every_stake_back():
    """E07-56, E07-55: and nobody loses his hand."""
    now = said(over(two_sides(), None), i.Onward())

    assert changes(now) == (0,) * 6
    assert now.bets.orders[0].players == (1, 2, 3)


def test_money_plays():
    """E07-46, E00-8: nobody stakes what he has not, nor less than the least."""
    now = said(table(E07, chips=50), i.TwoSides(left=1, right=4))

    with pytest.raises(Refusal, match="has 50 K, not 51"):
        step(now, laid(1, 51, 0))
    with pytest.raises(Refusal, match="too small"):
        step(now, laid(1, 0, 0))


def test_the_lowest_card_begins_and_equals_draw_anew():
    """E07-9, E00-9, ER-12: seat 3 has an ace, 2 and 4 draw again, 5 drew two."""
    now = table(E07)
    for seat, card in ((2, "9h"), (3, "Ac"), (4, "9c"), (5, "7c")):
        now = said(now, i.Draws(seat=seat, card=Card(card)))
    now = said(now, i.Draws(seat=5, card=Card("Kc"), more=True))
    with pytest.raises(Refusal, match="has drawn"):
        step(now, i.Draws(seat=3, card=Card("7d")))
    now = said(now, i.Draws(seat=2, card=Card("Kd")), i.Draws(seat=4, card=Card("7d")))

    assert said(now, i.GivesChouette(seat=1)).bets.orders[1].players == (3, 4, 2, 5)


def test_who_changes_his_seat_keeps_his_place_in_the_order():
    """E07-3: and who goes is struck out, if he has no money in play (ER-34)."""
    now = said(over(two_sides(), 0), i.Onward())

    now = said(now, ti.Moves(seat=3, to=8))
    assert now.bets.orders[0].players == (2, 8, 1)
    assert said(now, ti.Leaves(seat=8)).bets.orders[0].players == (2, 1)
    assert said(now, ti.Leaves(seat=2)).bets.orders[0].players == (8, 1)
    now = said(now, i.Stakes(seat=2, side=0, chips=10), i.Stakes(seat=4, side=1, chips=10))
    for word in (ti.Leaves(seat=2), ti.Moves(seat=4, to=9)):
        with pytest.raises(Refusal):
            step(now, word)


@pytest.mark.parametrize("house", [E07, E00, EDE], ids=lambda house: house.id)
@pytest.mark.parametrize("seed", range(6))
def test_whatever_people_stake_no_chip_is_made_or_lost(house, seed):
    """E07-60, E07-61, E07-62, E00-58, EDE-0, ER-26: sums come out, nobody owes, all play on."""
    luck, now, taken = random.Random(f"{house.id} {seed}"), table(house), set()
    money = total(now)
    for _ in range(3000):
        word = whim(now, luck)
        try:
            now, _events = step(now, word)
        except Refusal:
            continue
        taken.add(type(word))
        assert total(now) == money
        assert min(balances(now)) >= 0
        if now.bets:
            for order in now.bets.orders:
                assert len(set(order.players)) == len(order.players)
        if isinstance(foremost(now), p.CutDue | p.NoSchlitten):
            now = said(over(now, luck.choice([0, 1, 1, None]), held=False))
    assert {i.Onward, i.Stakes, i.PartieHeld, i.GivesUp} <= taken


def whim(now, luck):
    """Something that somebody might say between two parties, sensible or not."""
    seat, other, chips = luck.choice(PLAYERS), luck.choice(PLAYERS), luck.randint(0, 60)
    side = 1 if now.bets and now.bets.chouette else luck.randint(0, 1)
    first = now.bets.orders[0].hand if now.bets and now.bets.orders[0].hand else seat
    words = [
        i.Draws(seat=seat, card=luck.choice(PACK_32), more=luck.random() < 0.2),
        i.GoesOn(seat=seat), i.KnockedDown(seat=seat), i.BidsFor(seat=seat, chips=chips),
        i.LaysBank(seat=seat, chips=chips), i.HoldsRest(seat=luck.choice([seat, first])),
        i.CutsStakes(), i.StakesOutside(seat=seat, holder=other, chips=chips, on_giver=chips > 30),
        i.LetsIn(seat=seat, chips=chips), i.StaysOut(), i.Renounces(seat=seat),
        i.TakesShare(seat=seat, parts=chips % 4), i.HoldsCards(seat=seat), i.HalvesBank(),
        i.RaisesBank(chips=chips), i.RenewsBank(chips=chips), i.StakeWithdrawn(seat=seat),
        i.WillNotGoOn(seat=luck.choice([0, seat])), i.ClosesStakes(), i.PartieDeclined(),
        i.StakeFound(seat=seat, chips=chips), i.Onward(), ti.Tips(seat=seat, chips=chips % 3),
        *[laid(seat, chips, side), i.PartieHeld()] * 4, i.GivesUp(),
        i.TwoSides(left=seat, right=other), i.GivesChouette(seat=seat), i.CallsAuction(),
        ti.BuysIn(seat=seat, chips=0), ti.TakesBack(),
    ]  # fmt: skip
    return luck.choice(words)
