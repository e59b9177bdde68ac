"""The buttons about stakes, chouettes and banks. No offer depends on a card."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from table_controller.engine.ecarte import again
from table_controller.engine.ecarte import betting_inputs as i
from table_controller.engine.ecarte import chouette as giving
from table_controller.engine.ecarte import phases as p
from table_controller.engine.ecarte import stakes as said
from table_controller.engine.ecarte import state as s
from table_controller.engine.ecarte.auction import bids_that_stand, least_bid, most_bid
from table_controller.engine.ecarte.betting import Bets, Mode, drawn
from table_controller.engine.ecarte.chouette import candidates, may_lay
from table_controller.engine.ecarte.purse import most_more, parts_within, the_bets
from table_controller.engine.ecarte.settle import may_be_found, won_by
from table_controller.engine.messages import Input, Phrase, Refusal, phrase
from table_controller.engine.table.felt import balance, places
from table_controller.engine.table.offers import (
    MOST_BROUGHT,
    Offers,
    amount,
    holding,
    offer,
    one_of,
)
from table_controller.engine.views import Choice, Pick, Sum
from table_controller.rules.cards import PACK_32
from table_controller.rules.ecarte import bank as banks
from table_controller.rules.ecarte import chouette as c
from table_controller.rules.ecarte import stakes

_NOBODY = phrase("nobody")


def between(table: s.Table) -> Offers:
    """The offers before anybody stakes: to draw for the order, and to choose the mode of betting.

    Source: E07-3, E07-5, E07-8, EDE-0.
    """
    house, everybody = table.house, list(places(table.felt))
    who = one_of(table.felt, everybody)
    left = one_of(table.felt, everybody, "left", phrase("on the left"))
    right = one_of(table.felt, everybody, "right", phrase("on the right"))
    sides = offer(i.TwoSides, phrase("à deux côtés"), left, right) if house.two_sides else ()
    if house.chouette == "bank":
        first = may_lay(table)
        drew = first if table.before.draws else ()
        will_not = offer(i.WillNotGoOn, phrase("will not"), one_of(table.felt, drew))
        return (*sides, *_lays(table, first), *will_not, *_draws(table))
    open_ = offer(i.GivesChouette, phrase("open chouette"), who)
    auction = offer(i.CallsAuction, phrase("auction"))
    both = (*open_, *auction) if house.chouette == "open_and_auctioned" else open_
    return (*sides, *both, *_draws(table))


def _draws(table: s.Table) -> Offers:
    """The offers to draw for the order, and to report a further card drawn (E07-9).

    A player may draw if he has not drawn yet, or if another player has an equal card.
    """
    groups = drawn(table.house, table.before.draws)
    have = [place for group in groups for place in group]
    again = [place for group in groups if len(group) > 1 for place in group]
    free = [place for place in places(table.felt) if place not in have] + again
    cards = Choice(
        label=phrase("card"),
        name="card",
        picks=tuple(Pick(value=x.value, label=phrase("{card}", card=x.value)) for x in PACK_32),
    )
    draws, more = phrase("draws for the order"), phrase("drew another card too")
    return (
        *offer(i.Draws, draws, one_of(table.felt, free), cards, group="more"),
        *offer(i.Draws, more, one_of(table.felt, have), cards, group="mistake", more=True),
    )


def _lays(table: s.Table, who: Iterable[int]) -> Offers:
    """The offer to deal and lay a bank, for those of `who` with enough chips (EDE-0, ER-36)."""
    least = table.house.least_bank
    held = holding(table.felt, who, least)
    return offer(i.LaysBank, phrase("lays a bank"), one_of(table.felt, held), _sum(least, held))


def _sum(least: int, held: dict[int, tuple[int | None, int | None]]) -> Sum:
    return amount(least, max((most or 0 for _, most in held.values()), default=0))


def auction(table: s.Table, _due: p.Auction) -> Offers:
    """The offers to bid, and to end the auction with a winner or with nobody (E07-8)."""
    least = least_bid(table)
    held = {place: (None, most) for place, most in _affords(table).items() if most >= least}
    first = banks.highest(bids_that_stand(table))
    both = [
        place for place, most in _affords(table).items()
        if first and place not in first and most >= most_bid(table)
    ]  # fmt: skip
    together = phrase("bids {chips} too, at once", chips=most_bid(table))
    return (
        *offer(i.KnockedDown, phrase("knocked down"), one_of(table.felt, first), hold=True),
        *offer(i.BidsFor, phrase("makes a bid"), one_of(table.felt, held), _sum(least, dict(held))),
        *offer(
            i.BidsFor, together, one_of(table.felt, both),
            group="more", chips=most_bid(table), together=True,
        ),
        *offer(i.WillNotGoOn, _NOBODY, group="more", hold=True, seat=0),
    )  # fmt: skip


def _affords(table: s.Table) -> dict[int, int]:
    """The most that each player can bid (E07-8).

    A player who has just given up a chouette after a win must lay double, so he can bid only half.
    """
    retired = table.before.retired if table.house.winner_doubles else 0
    return {
        place: balance(table.felt, place) // (2 if place == retired else 1)
        for place in places(table.felt)
    }


def succession(table: s.Table, _due: p.Succession) -> Offers:
    """The offers to go on with a chouette that was given up (E07-6, E00-5, EDE-0)."""
    if table.house.chouette == "bank":
        nobody = offer(i.WillNotGoOn, _NOBODY, group="more", hold=True, seat=0)
        return (*_lays(table, places(table.felt)), *nobody)
    who = one_of(table.felt, candidates(table))
    return (
        *offer(i.GoesOn, phrase("goes on"), who),
        *offer(i.WillNotGoOn, phrase("will not"), who),
        *offer(i.WillNotGoOn, _NOBODY, group="more", hold=True, seat=0),
    )


def taken(table: s.Table, act: Callable[[s.Table, Any, Any], s.Step], word: Input) -> bool:
    """Whether the table would accept this input now."""
    try:
        act(table, p.StakesDue(), word)
    except Refusal:
        return False
    return True


def staking(table: s.Table, _due: p.StakesDue) -> Offers:
    """The offers about stakes, the giver's side, and the partie (E07-7, E07-60)."""
    bets = the_bets(table)
    lost = bets.bank is not None and not bets.bank.holds
    if lost:
        return (*_bank(table, bets), *_players(table, bets), *_ends(table, bets))
    ready = taken(table, said.held, i.PartieHeld())
    held = offer(i.PartieHeld, phrase("le coup est tenu")) if ready else ()
    shut = taken(table, said.closes, i.ClosesStakes())
    closes = offer(i.ClosesStakes, phrase("rien ne va plus")) if shut else ()
    fit = taken(table, again.stakes_again, i.StakesAgain())
    return (
        *_stakes(table, bets),
        *(offer(i.StakesAgain, phrase("the same stakes again")) if fit else ()),
        *closes,
        *held,
        *_sums(table, bets),
        *_left_out(table, bets),
        *_players(table, bets),
        *_outside(table, bets),
        *_bank(table, bets),
        *_ends(table, bets),
    )


def _stakes(table: s.Table, bets: Bets) -> Offers:
    """The offers to stake on each side, or against the giver, and to take a stake back."""
    sides = (1,) if bets.chouette else (0, 1)
    group = "more" if bets.closed else "main"
    told: Offers = ()
    for side in sides:
        hand = bets.orders[side].hand
        label = phrase("stakes on seat {seat}", seat=hand) if hand else phrase("stakes")
        if bets.closed:
            label = phrase("stakes with the giver's leave")
        against = bets.chouette.places if bets.chouette else bets.orders[1 - side].players
        able = (place for place in places(table.felt) if place not in against)
        least, most = table.house.least_stake, _covers(table, bets)
        held = {
            place: (None, min(most, balance(table.felt, place)))
            for place in able
            if min(most, balance(table.felt, place)) >= least
        }
        told += offer(
            i.Stakes, label, one_of(table.felt, held), _sum(least, dict(held)),
            group=group, lies=0, side=side, consent=bets.closed,
        )  # fmt: skip
    laid = [stake.place for side in sides for stake in bets.stakes[side]]
    back = phrase("takes his stake back")
    who = one_of(table.felt, laid)
    return (
        *told,
        *offer(i.StakeWithdrawn, back, who, group="more", clears=True, consent=bets.closed),
    )


def _covers(table: s.Table, bets: Bets) -> int:
    """The sum of further stakes that the giver's side can cover.

    If the side need not cover anything now, the result is `MOST_BROUGHT`, in practice no limit.
    """
    if bets.bank is not None or not bets.chouette or not bets.closed:
        return MOST_BROUGHT
    return most_more(table, table.house.least_stake)


def late(table: s.Table) -> Offers:
    """The offers to stake after the stakes were closed, if the giver permits it.

    They exist until the first card leaves (E07-7, E00-6).
    """
    bets = table.bets
    return _stakes(table, bets) if bets and bets.chouette else ()


def _sums(table: s.Table, bets: Bets) -> Offers:
    """The offers to make the stakes of the two sides equal (E07-60, ER-27)."""
    if bets.mode is not Mode.TWO_SIDES:
        return ()
    side, missing = stakes.short(*bets.stakes)
    if not missing:
        return ()
    against = bets.orders[1 - side].players
    able = (place for place in places(table.felt) if place not in against)
    who = one_of(table.felt, list(holding(table.felt, able, missing)))
    label = phrase("holds the rest of {chips}", chips=missing)
    return (*offer(i.HoldsRest, label, who), *offer(i.CutsStakes, phrase("cut the last stakes")))


def _left_out(table: s.Table, bets: Bets) -> Offers:
    """The offers for the first player whose stake the bank did not cover (E07-61)."""
    if not bets.left_out or not table.house.shares:
        return ()
    guest = bets.left_out[0].place
    found = stakes.Covered(bets.stakes[1], bets.left_out)
    purse = balance(table.felt, guest)
    most = {x.place: min(purse, stakes.most_let_in(found, x.place)) for x in found.standing}
    hosts = {place: (None, chips) for place, chips in most.items() if chips}
    label = phrase("seat {seat} is let in by", seat=guest)
    out = phrase("seat {seat} stays out", seat=guest)
    return (
        *offer(i.LetsIn, label, one_of(table.felt, hosts), _sum(1, dict(hosts))),
        *offer(i.StaysOut, out, group="more"),
    )


def _players(table: s.Table, bets: Bets) -> Offers:
    """The offers to give up one's turn, to hold the giver's cards, and to share (E07-4)."""
    hands = [order.hand for order in bets.orders if order.hand is not None]
    told = offer(i.Renounces, phrase("renounces"), one_of(table.felt, hands), group="more")
    chouette = bets.chouette
    if chouette is None or table.house.chouette == "bank":
        return told
    others = [
        place
        for place in c.may_play(chouette)
        if taken(table, giving.holds_cards, i.HoldsCards(seat=place))
    ]
    able: dict[int, tuple[int | None, int | None]] = {}
    for place in places(table.felt):
        least = giving.least_parts(chouette, place)
        within = parts_within(table, place, least, c.MOST_PARTS)
        if within and not stakes.laid(bets.stakes[1], place):
            able[place] = within
    parts = Sum(label=phrase("parts"), name="parts", least=0, most=c.MOST_PARTS, suggested=1)
    share = offer(
        i.TakesShare, phrase("shares in it"), one_of(table.felt, able), parts, group="more"
    )
    due = "more" if chouette.hand in c.may_play(chouette) else "main"
    held = offer(i.HoldsCards, phrase("holds the cards"), one_of(table.felt, others), group=due)
    return (*told, *held, *(() if bets.closed else share))


def _outside(table: s.Table, bets: Bets) -> Offers:
    """The offers to stake outside the bank, for or against the giver (E07-62)."""
    chouette = bets.chouette
    if chouette is None or not table.house.side_bets:
        return ()
    held = holding(table.felt, places(table.felt))
    apart = {place: most for place, most in held.items() if place not in chouette.places}
    label, on_giver = phrase("stakes outside the bank"), phrase("outside it, on the giver")
    by = phrase("held by")
    return tuple(
        one
        for what, giver, who, holder in ((label, False, apart, held), (on_giver, True, held, apart))
        for one in offer(
            i.StakesOutside, what, one_of(table.felt, who),
            one_of(table.felt, holder, "holder", by), _sum(1, held), group="more", on_giver=giver,
        )
    )  # fmt: skip


def _bank(table: s.Table, bets: Bets) -> Offers:
    """The offers to raise, halve and renew the bank (E07-8, EDE-0)."""
    bank = bets.bank
    if bank is None:
        return ()
    least = table.house.least_bank
    renews = banks.may_renew(table.house, bank)
    halves = banks.may_halve(table.house, bank) and not bets.closed
    fresh = (
        offer(i.RenewsBank, phrase("a fresh bank"), amount(least, most_more(table, least)))
        if renews
        else ()
    )
    more = amount(1, most_more(table))
    raised = offer(i.RaisesBank, phrase("raise the bank"), more, group="more")
    half = offer(i.HalvesBank, phrase("halve the bank"), group="more") if halves else ()
    return (*fresh, *(raised if bank.holds and table.house.chouette != "bank" else ()), *half)


def _ends(table: s.Table, bets: Bets) -> Offers:
    """The offers for the giver to decline a partie, or to give up the chouette.

    Source: E07-6, E07-7, ER-34.
    """
    label = phrase("gives it up") if bets.chouette else phrase("end it")
    withdraws = phrase("withdraws from this partie")
    lies = bool(bets.stakes[1]) and bets.chouette is not None
    if giving.owes(table):
        return ()
    return (
        *(offer(i.PartieDeclined, withdraws, group="more") if lies else ()),
        *offer(i.GivesUp, label, group="more", hold=True),
    )


def found(table: s.Table, due: p.PartieOver) -> Offers:
    """The offer to correct a lost stake that turned out to be another sum (E07-60)."""
    bets = table.bets
    side = won_by(table, due) if bets else -1
    if bets is None or bets.mode is not Mode.TWO_SIDES or side < 0:
        return ()
    lost = [stake.place for stake in bets.stakes[1 - side]]
    most: dict[int, tuple[int | None, int | None]] = {
        place: may_be_found(table, bets, side, place) for place in lost
    }
    label: Phrase = phrase("stake found to be")
    return offer(i.StakeFound, label, one_of(table.felt, most), _sum(0, most), group="mistake")


#: The offers of each phase about betting, besides its offers about cards.
DUE: Final[dict[type, Callable[[s.Table, Any], Offers]]] = {
    p.PlayersDue: lambda table, _: between(table),
    p.Auction: auction,
    p.Succession: succession,
    p.StakesDue: staking,
    p.CutDue: lambda table, _: late(table),
    p.NoSchlitten: lambda table, _: late(table),
    p.PartieOver: found,
}


def betting(table: s.Table) -> Offers:
    """The present offers about stakes, chouettes and banks."""
    due = s.foremost(table)
    offered = DUE.get(type(due))
    return offered(table, due) if offered and not table.house.practice else ()
