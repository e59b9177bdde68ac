"""The offers of the croupier's page. No offer depends on a card that lies closed (R-13, R-17)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from table_controller.engine.ecarte import inputs as i
from table_controller.engine.ecarte import stakes
from table_controller.engine.ecarte import state as s
from table_controller.engine.ecarte.betting import (
    candidates,
    holds_cards,
    least_parts,
    may_lay,
    may_play_on,
    most_more,
    owes,
    parts_within,
    the_bets,
)
from table_controller.engine.ecarte.deal import HAND, exposable, may_be_over, most, surplus
from table_controller.engine.ecarte.faults import (
    correctable,
    may_have_looked,
    may_throw,
    may_turn,
    spoken,
)
from table_controller.engine.ecarte.partie import (
    STEPS,
    due_again,
    kings_deal,
    may_mark_king,
    may_mark_turned,
    may_say_king,
    may_unmark,
    third_pack_due,
)
from table_controller.engine.ecarte.playing import (
    claimable,
    may_be,
    may_be_twins,
    may_have_revoked,
    may_take_up,
    mendable,
    playable,
)
from table_controller.engine.ecarte.stakes import (
    bids_that_stand,
    least_bid,
    may_be_found,
    most_bid,
    won_by,
)
from table_controller.engine.ecarte.step import last_word
from table_controller.engine.messages import Input, Phrase, Refusal, phrase
from table_controller.engine.table import devices
from table_controller.engine.table import inputs as ti
from table_controller.engine.table import offers as to
from table_controller.engine.table.felt import Stray, Unread, balance, occupied_from, places
from table_controller.engine.table.inputs import StrayRuling
from table_controller.engine.table.offers import (
    MOST_BROUGHT,
    Offers,
    amount,
    holding,
    offer,
    one_of,
)
from table_controller.engine.table.undo import may_take_back
from table_controller.engine.views import Choice, Offer, Pick, Sum
from table_controller.rules.cards import PACK_32, Card, Suit
from table_controller.rules.ecarte import bank as banks
from table_controller.rules.ecarte import chouette as c
from table_controller.rules.ecarte import stakes as rules
from table_controller.rules.ecarte.marks import KING, PARTIE

# ---- The buttons about stakes, chouettes and banks

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
    groups = s.drawn(table.house, table.before.draws)
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


def auction(table: s.Table, _due: s.Auction) -> Offers:
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


def succession(table: s.Table, _due: s.Succession) -> Offers:
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
        act(table, s.StakesDue(), word)
    except Refusal:
        return False
    return True


def staking(table: s.Table, _due: s.StakesDue) -> Offers:
    """The offers about stakes, the giver's side, and the partie (E07-7, E07-60)."""
    bets = the_bets(table)
    lost = bets.bank is not None and not bets.bank.holds
    if lost:
        return (*_bank(table, bets), *_money_players(table, bets), *_partie_ends(table, bets))
    ready = taken(table, stakes.held, i.PartieHeld())
    held = offer(i.PartieHeld, phrase("le coup est tenu")) if ready else ()
    shut = taken(table, stakes.closes, i.ClosesStakes())
    closes = offer(i.ClosesStakes, phrase("rien ne va plus")) if shut else ()
    fit = taken(table, stakes.stakes_again, i.StakesAgain())
    return (
        *_stakes(table, bets),
        *(offer(i.StakesAgain, phrase("the same stakes again")) if fit else ()),
        *closes,
        *held,
        *_sums(table, bets),
        *_left_out(table, bets),
        *_money_players(table, bets),
        *_outside(table, bets),
        *_bank(table, bets),
        *_partie_ends(table, bets),
    )


def _stakes(table: s.Table, bets: s.Bets) -> Offers:
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


def _covers(table: s.Table, bets: s.Bets) -> int:
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


def _sums(table: s.Table, bets: s.Bets) -> Offers:
    """The offers to make the stakes of the two sides equal (E07-60, ER-27)."""
    if bets.mode is not s.Mode.TWO_SIDES:
        return ()
    side, missing = rules.short(*bets.stakes)
    if not missing:
        return ()
    against = bets.orders[1 - side].players
    able = (place for place in places(table.felt) if place not in against)
    who = one_of(table.felt, list(holding(table.felt, able, missing)))
    label = phrase("holds the rest of {chips}", chips=missing)
    return (*offer(i.HoldsRest, label, who), *offer(i.CutsStakes, phrase("cut the last stakes")))


def _left_out(table: s.Table, bets: s.Bets) -> Offers:
    """The offers for the first player whose stake the bank did not cover (E07-61)."""
    if not bets.left_out or not table.house.shares:
        return ()
    guest = bets.left_out[0].place
    found = rules.Covered(bets.stakes[1], bets.left_out)
    purse = balance(table.felt, guest)
    most = {x.place: min(purse, rules.most_let_in(found, x.place)) for x in found.standing}
    hosts = {place: (None, chips) for place, chips in most.items() if chips}
    label = phrase("seat {seat} is let in by", seat=guest)
    out = phrase("seat {seat} stays out", seat=guest)
    return (
        *offer(i.LetsIn, label, one_of(table.felt, hosts), _sum(1, dict(hosts))),
        *offer(i.StaysOut, out, group="more"),
    )


def _money_players(table: s.Table, bets: s.Bets) -> Offers:
    """The offers to give up one's turn, to hold the giver's cards, and to share (E07-4)."""
    hands = [order.hand for order in bets.orders if order.hand is not None]
    told = offer(i.Renounces, phrase("renounces"), one_of(table.felt, hands), group="more")
    chouette = bets.chouette
    if chouette is None or table.house.chouette == "bank":
        return told
    others = [
        place
        for place in c.may_play(chouette)
        if taken(table, holds_cards, i.HoldsCards(seat=place))
    ]
    able: dict[int, tuple[int | None, int | None]] = {}
    for place in places(table.felt):
        least = least_parts(chouette, place)
        within = parts_within(table, place, least, c.MOST_PARTS)
        if within and not rules.laid(bets.stakes[1], place):
            able[place] = within
    parts = Sum(label=phrase("parts"), name="parts", least=0, most=c.MOST_PARTS, suggested=1)
    share = offer(
        i.TakesShare, phrase("shares in it"), one_of(table.felt, able), parts, group="more"
    )
    due = "more" if chouette.hand in c.may_play(chouette) else "main"
    held = offer(i.HoldsCards, phrase("holds the cards"), one_of(table.felt, others), group=due)
    return (*told, *held, *(() if bets.closed else share))


def _outside(table: s.Table, bets: s.Bets) -> Offers:
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


def _bank(table: s.Table, bets: s.Bets) -> Offers:
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


def _partie_ends(table: s.Table, bets: s.Bets) -> Offers:
    """The offers for the giver to decline a partie, or to give up the chouette.

    Source: E07-6, E07-7, ER-34.
    """
    label = phrase("gives it up") if bets.chouette else phrase("end it")
    withdraws = phrase("withdraws from this partie")
    lies = bool(bets.stakes[1]) and bets.chouette is not None
    if owes(table):
        return ()
    return (
        *(offer(i.PartieDeclined, withdraws, group="more") if lies else ()),
        *offer(i.GivesUp, label, group="more", hold=True),
    )


def found(table: s.Table, due: s.PartieOver) -> Offers:
    """The offer to correct a lost stake that turned out to be another sum (E07-60)."""
    bets = table.bets
    side = won_by(table, due) if bets else -1
    if bets is None or bets.mode is not s.Mode.TWO_SIDES or side < 0:
        return ()
    lost = [stake.place for stake in bets.stakes[1 - side]]
    most: dict[int, tuple[int | None, int | None]] = {
        place: may_be_found(table, bets, side, place) for place in lost
    }
    label: Phrase = phrase("stake found to be")
    return offer(i.StakeFound, label, one_of(table.felt, most), _sum(0, most), group="mistake")


#: The offers of each phase about betting, besides its offers about cards.
DUE: Final[dict[type, Callable[[s.Table, Any], Offers]]] = {
    s.PlayersDue: lambda table, _: between(table),
    s.Auction: auction,
    s.Succession: succession,
    s.StakesDue: staking,
    s.CutDue: lambda table, _: late(table),
    s.NoSchlitten: lambda table, _: late(table),
    s.PartieOver: found,
}


def about_stakes(table: s.Table) -> Offers:
    """The present offers about stakes, chouettes and banks."""
    due = s.foremost(table)
    offered = DUE.get(type(due))
    return offered(table, due) if offered and not table.house.practice else ()


# ---- The labels of écarté's buttons

OPTIONS: Final[dict[i.Option, Phrase]] = {
    i.Option.KEEP: phrase("the deal is kept"),
    i.Option.ANNUL: phrase("the deal is annulled"),
    i.Option.BACK: phrase("back on the talon"),
    i.Option.BOTTOM: phrase("under the talon"),
    i.Option.TAKE: phrase("he takes from the talon"),
    i.Option.DRAW: phrase("one is drawn out"),
    i.Option.PUT_ASIDE: phrase("the surplus is put aside"),
    i.Option.DEAL: phrase("he deals anew"),
    i.Option.DEMAND: phrase("he demands open cards"),
    i.Option.WAIVE: phrase("he does not"),
    i.Option.SHOWN: phrase("he has shown it"),
    i.Option.NOT_SHOWN: phrase("he does not have it"),
    i.Option.RESTORE: phrase("it is played again"),
    i.Option.MEND: phrase("the card is mended"),
    i.Option.STANDS: phrase("it stands"),
    i.Option.TWO: phrase("two marks"),
    i.Option.TRICKS: phrase("the tricks are given"),
    i.Option.LOSES: phrase("he has lost the partie"),
    i.Option.VOID: phrase("the partie is void"),
}
RULINGS: Final[dict[StrayRuling, Phrase]] = {
    StrayRuling.BACK: phrase("closed: back on the talon"),
    StrayRuling.FACE_UP: phrase("it lies open"),
}
SUITS: Final[dict[Suit, Phrase]] = {
    Suit.CLUBS: phrase("clubs"),
    Suit.DIAMONDS: phrase("diamonds"),
    Suit.HEARTS: phrase("hearts"),
    Suit.SPADES: phrase("spades"),
}
WHY: Final[dict[i.Why, Phrase]] = {
    i.Why.KING: phrase("marks the king"),
    i.Why.TRICKS: phrase("marks the tricks"),
    i.Why.FAULT: phrase("marks a fault"),
}
MATTERS: Final[dict[i.Matter, Phrase]] = {
    i.Matter.KARBATSCH: phrase("cards overturned"),
    i.Matter.OUTSIDER: phrase("an outsider spoke"),
    i.Matter.OTHER_HAND: phrase("another hand marked"),
    i.Matter.TRICKS_TAKEN: phrase("tricks wrongly taken in"),
    i.Matter.FELL: phrase("a card fell"),
    i.Matter.DOUBT: phrase("a doubtful case"),
}


# ---- The offers to report mistakes and faults, which form their own group on the page

_OUT = (s.ElderToSpeak, s.DealerToAnswer, s.Discarding, s.Buying, s.LeadDue, s.ReplyDue)
#: Phases in which the next card comes from a player's hand.
_TO_PLAY = (s.ElderToSpeak, s.LeadDue, s.ReplyDue)


def faults(table: s.Table) -> Iterator[Offer]:
    """The offers to report every fault that the books name and that is possible now."""
    yield from _reports(table)
    yield from revokes(table)
    yield from _too_many(table)
    deal, phase = table.deal, table.phase
    if deal is None:
        return
    if isinstance(phase, (s.Dealing, *_OUT, s.DealOver)):
        yield from _turns(table)
    house = table.house
    if isinstance(phase, (s.Dealing, *_OUT)):
        void = house.faced == "new_deal" and not deal.bought
        exposed = phrase("a card was exposed")
        yield from _said(i.Exposed, exposed, table, exposable(table), hold=void)
    if isinstance(phase, s.Dealing | s.ElderToSpeak):
        yield from _of_the_deal(table)
    if isinstance(phase, (s.Dealing, *_OUT)) and not deal.bought and deal.first_lead:
        wrong = phrase("a wrong number was dealt")
        void = house.wrong_number == "passes" or True in deal.looked
        yield from to.offer(i.WrongNumber, wrong, group="mistake", hold=void)
    if isinstance(phase, s.Dealing | s.Buying) and (deal.came or deal.bought):
        faced = phrase("it lay face up in the pack")
        void = isinstance(phase, s.Dealing)
        yield from to.offer(i.FacedInPack, faced, group="mistake", hold=void)
    if isinstance(phase, _OUT):
        yield from _of_the_play(table)


def _seat(table: s.Table, sides: Iterable[int]) -> Choice:
    return to.one_of(table.felt, [s.seat_of(table, side) for side in sides])


def _reports(table: s.Table) -> Iterator[Offer]:
    picks = tuple(
        Pick(value=matter.value, label=label)
        for matter, label in MATTERS.items()
        if table.house.own_hand or matter is not i.Matter.OTHER_HAND
    )
    matter = Choice(label=phrase("what"), name="matter", picks=picks)
    if isinstance(table.phase, (*_OUT, s.NoSchlitten, s.PacketsDue, s.Dealing, s.DealOver)):
        yield from to.offer(i.Reported, phrase("call for a ruling"), matter, group="mistake")


def leaving(table: s.Table) -> Iterator[Offer]:
    """The offers to say that a player left, and that the cards are false, in a partie (ER-47)."""
    asked = {one.question for one in table.asked}
    if s.Question.LEFT not in asked:
        leaves = phrase("leaves the partie")
        yield from to.offer(i.Quits, leaves, _seat(table, (0, 1)), group="mistake", hold=True)
    if s.Question.FALSE_CARDS not in asked:
        yield from to.offer(i.FalseCards, phrase("false cards"), group="mistake", hold=True)


def _said(
    kind: type[Input], label: Phrase, table: s.Table, sides: Iterable[int], *, hold: bool = False
) -> to.Offers:
    return to.offer(kind, label, _seat(table, sides), group="mistake", hold=hold)


def _of_the_deal(table: s.Table) -> Iterator[Offer]:
    """The offers to report misdeals, as long as no cards are bought (E07-14, E07-17 to E07-19)."""
    deal = s.the_deal(table)
    if deal.bought:
        return
    if not deal.looked[deal.elder]:
        other = 5 - deal.first
        packets = phrase("other packets were dealt")
        void = table.house.packets == "three_two"
        yield from to.offer(i.WrongPackets, packets, group="mistake", hold=void, first=other)


def _turns(table: s.Table) -> Iterator[Offer]:
    """The offers to report that the wrong player dealt.

    Once elder has spoken, the deal is valid (E07-18, E00-18, ER-39).
    """
    if not may_turn(table):
        return
    stands = table.house.out_of_turn == "stands"
    if not spoken(table):
        turn, void = phrase("dealt out of turn"), not (stands and s.the_deal(table).turned)
        yield from to.offer(i.DealtOutOfTurn, turn, group="mistake", hold=void, proposed=False)
    if s.the_deal(table).turned and (spoken(table) or not stands):
        late = phrase("dealt out of turn, and spoken")
        yield from to.offer(i.DealtOutOfTurn, late, group="mistake", proposed=True)


def _of_the_play(table: s.Table) -> Iterator[Offer]:
    deal, phase = s.the_deal(table), table.phase
    unseen = [side for side in (0, 1) if not deal.looked[side]]
    yield from to.offer(i.Looks, phrase("looks at his cards"), _seat(table, unseen), group="more")
    closed = [side for side in (0, 1) if not deal.open[side]]
    if deal.laid_away:
        yield from _said(i.Touched, phrase("touched the discards"), table, closed)
    for side in (0, 1):
        if not _must_show(table, side):
            yield from _shows(table, side, "more" if deal.open[side] else "mistake")
    if deal.bought:
        yield from _numbers(table)
    if isinstance(phase, s.LeadDue | s.ReplyDue):
        looked = [side for side in closed if may_have_looked(table, side)]
        yield from _said(i.LooksAtTricks, phrase("looked at tricks"), table, looked)
    yield from _throws(table)
    for side in (0, 1):
        yield from _twins(table, side)
    last = deal.tricks[-1] if deal.tricks and isinstance(phase, s.LeadDue) else None
    trumped = last and last.winner != last.leader and last.reply.suit == deal.trump
    if last and trumped and not deal.open[last.winner]:
        yield from _said(i.ThrowsIn, phrase("throws in the rest"), table, (last.winner,))


def _throws(table: s.Table) -> Iterator[Offer]:
    """The offers to report that a player threw away all his cards (E07-54, E00-52, ER-33).

    They exist before and after the first lead.
    """
    labels = (phrase("throws his cards away"), phrase("throws them away, mixed"))
    for mixed, label in enumerate(labels):
        if may_throw(table, mixed=bool(mixed)):
            who = _seat(table, (0, 1))
            yield from to.offer(
                i.ThrowsAway, label, who, group="mistake", hold=True, mixed=bool(mixed)
            )


def _twins(table: s.Table, side: int) -> to.Offers:
    """The offer to report that a player has a second copy of a card that is open (ER-32)."""
    gone, seat = may_be_twins(table, side), s.seat_of(table, side)
    label = phrase("seat {seat}, {what}", seat=seat, what=phrase("the same card twice"))
    void = table.house.twins == "void"
    cards = card(one for one in PACK_32 if one in gone)
    return to.offer(i.Twins, label, cards, group="mistake", hold=void, seat=seat)


def card(cards: Iterable[Card]) -> Choice:
    """A field in which a person picks one of `cards`.

    The callers pass all the cards that the player may have, as far as everybody knows (ER-22).
    """
    picks = tuple(Pick(value=one.value, label=phrase("{card}", card=one.value)) for one in cards)
    return Choice(label=phrase("card"), name="card", picks=picks)


def to_show(table: s.Table) -> Iterator[Offer]:
    """The cards that a player with open cards must lay down before the next card (ER-31)."""
    for side in (0, 1):
        if _must_show(table, side):
            yield from _shows(table, side, "main")


def _must_show(table: s.Table, side: int) -> bool:
    return s.the_deal(table).open[side] and isinstance(table.phase, _TO_PLAY)


def _shows(table: s.Table, side: int, group: str) -> Iterator[Offer]:
    """The offer to enter a card that a player shows: any card that is not open (ER-31)."""
    deal = s.the_deal(table)
    known = s.known(deal, side)
    if deal.turned is None or len(known) >= deal.held[side]:
        return
    unseen = card(one for one in may_be(deal, side) if one not in known)
    seat = s.seat_of(table, side)
    label = phrase("seat {seat}, {what}", seat=seat, what=phrase("shows a card"))
    yield from to.offer(i.Shows, label, unseen, group=group, seat=seat)


def _numbers(table: s.Table) -> Iterator[Offer]:
    """The offers to report wrong numbers of cards after the exchange (E07-20 to 24)."""
    deal, phase = s.the_deal(table), table.phase
    counts = tuple(Pick(value=n, label=phrase("{n}", n=n)) for n in range(3, 9) if n != HAND)
    if isinstance(phase, s.Discarding | s.ElderToSpeak | s.LeadDue) and deal.first_lead:
        cards = Choice(label=phrase("cards"), name="cards", picks=counts)
        yield from to.offer(
            i.Counted, phrase("holds another number"), _seat(table, (0, 1)), cards,
            group="mistake",
        )  # fmt: skip
        if not deal.barred[deal.elder]:
            seat = s.seat_of(table, deal.elder)
            label = phrase("asked for another number")
            yield from to.offer(i.AskedWrongly, label, cards, group="mistake", seat=seat)


def _too_many(table: s.Table) -> to.Offers:
    """The offer to report a player who played with more than five cards (E07-24, ER-39).

    The offer lasts until marks are made for the tricks.
    """
    deal = surplus(table)
    free = [side for side in (0, 1) if deal and may_be_over(table, deal, side)]
    counts = tuple(Pick(value=n, label=phrase("{n}", n=n)) for n in range(HAND + 1, 9))
    cards = Choice(label=phrase("cards"), name="cards", picks=counts)
    label = phrase("plays with too many")
    return to.offer(i.Counted, label, _seat(table, free), cards, group="mistake")


def revokes(table: s.Table) -> Iterator[Offer]:
    """The offers to report revokes, for players who have replied to a lead (E07-44, ER-13).

    There is none for a player whose revoke was found already. A revoke in the last trick can still
    be put right (ER-37); a revoke in an earlier trick has its own offer.
    """
    deal, mends = claimable(table), mendable(table)
    late = [side for side in (0, 1) if deal and may_have_revoked(table, deal, side)]
    yield from _said(i.Revoked, phrase("revoked"), table, sorted({*late, mends} - {-1}))
    if mends in late:
        earlier = phrase("revoked in an earlier trick")
        seat = s.seat_of(table, mends)
        yield from to.offer(i.Revoked, earlier, group="mistake", seat=seat, earlier=True)


# ---- The offers of the croupier's page

#: A newcomer probably brings this many least stakes.
BRINGS = 100


def offers(table: s.Table) -> to.Offers:
    """All offers that the table would accept now, those for the present moment first."""
    felt = table.felt
    stands_still = devices.stopped(felt.alerts)
    first = to.lid_ruling() if stands_still else (*_of_now(table), *about_stakes(table))
    idle = [place for place in places(felt) if not s.busy(table, place)]
    people = to.people(
        felt,
        idle,
        brings=BRINGS * table.house.least_stake,
        between=not s.under_way(table),
        come=all(offer.input["type"] != "sits" for offer in first),
    )
    back = to.taking_back(last_word(table)) if may_take_back(table) else ()
    return (*first, *back, *people, *_supervisor(table), *to.acknowledging(felt))


def _of_now(table: s.Table) -> to.Offers:
    """The offers that are due.

    After a deal, the offers to mark come before the offer to gather the cards (E07-57).
    """
    due, beside = _due(table), _beside(table)
    return (*beside, *due) if isinstance(table.phase, s.DealOver) else (*due, *beside)


def _supervisor(table: s.Table) -> to.Offers:
    stopped = devices.stopped(table.felt.alerts)
    annul = to.annulling(asked=stopped) if _annullable(table) else ()
    mixed = s.under_way(table) and isinstance(s.foremost(table), Stray | Unread)
    return (
        *(to.throwing_away() if mixed else ()),
        *annul,
        *to.correcting(table.felt, _misread(table)),
        *to.transferring(table.felt),
        *to.ruling(),
    )


def _misread(table: s.Table) -> Iterator[tuple[int, Phrase, str]]:
    """Each card whose reading may be corrected: its ordinal, label and place.

    The label names the owner, and the card's number in the order in which he received his cards.
    """
    deal = s.the_deal(table) if table.deal else None
    for dealt in correctable(table):
        owner = next((side for side in (0, 1) if deal and dealt in deal.taken[side]), None)
        if deal is None or owner is None:
            yield dealt.ordinal, phrase("TRUMP"), "trump-1"
            continue
        number = deal.taken[owner].index(dealt) + 1
        if owner == deal.dealer:
            yield dealt.ordinal, phrase("dealer, card {n}", n=number), ""
        else:
            yield dealt.ordinal, phrase("elder, card {n}", n=number), ""


def _annullable(table: s.Table) -> bool:
    return s.under_way(table) and not isinstance(s.foremost(table), Stray | Unread)


def _due(table: s.Table) -> to.Offers:
    due = s.foremost(table)
    if isinstance(due, Unread):
        return to.unread(table.felt)
    if isinstance(due, Stray):
        return tuple(
            one
            for ruling, label in RULINGS.items()
            for one in to.offer(ti.StrayRuled, label, hold=_voids(table, ruling), ruling=ruling)
        )
    act = _DUE.get(type(due))
    return act(table, due) if act else ()


def _voids(table: s.Table, ruling: ti.StrayRuling) -> bool:
    """Whether this ruling on a stray voids the deal (EDE-21, ER-38).

    At some houses it does if a second card is turned up.
    """
    deal, open_too = table.deal, ruling is ti.StrayRuling.FACE_UP
    speaks = isinstance(table.phase, s.ElderToSpeak) and deal is not None and not deal.bought
    return open_too and speaks and table.house.two_turned == "new_deal"


def seats(table: s.Table, sides: Iterable[int] = (0, 1)) -> Choice:
    """A field in which a person picks one of the players of the partie."""
    return to.one_of(table.felt, [s.seat_of(table, side) for side in sides])


def number(name: str, least: int, most: int, suggested: int) -> Sum:
    """A field for a number of cards or of marks. It shows `suggested` at first."""
    return Sum(label=phrase("how many"), least=least, most=most, suggested=suggested, name=name)


def _players(table: s.Table, _due: s.PlayersDue) -> to.Offers:
    felt = table.felt
    seated = occupied_from(felt, 1)
    left = to.one_of(felt, seated, "left", phrase("on the left"))
    right = to.one_of(felt, seated, "right", phrase("on the right"))
    if len(seated) < 2:
        return to.sits(felt, "main", BRINGS * table.house.least_stake)
    return to.offer(i.Opponents, phrase("these two play"), left, right)


def _cut(table: s.Table, due: s.CutDue) -> to.Offers:
    return tuple(
        one
        for side in (0, 1)
        if due.cuts[side] is None
        for one in to.offer(
            i.CutsForDeal, _of(table, side, phrase("cuts")), card(PACK_32),
            seat=s.seat_of(table, side),
        )
    )  # fmt: skip


def _of(table: s.Table, side: int, what: Any) -> Any:
    return phrase("seat {seat}, {what}", seat=s.seat_of(table, side), what=what)


def _load(table: s.Table, due: s.NoSchlitten) -> to.Offers:
    elder = s.seat_of(table, 1 - s.the_partie(table).dealer)
    if due.done == STEPS:
        faulty = to.offer(i.CutFaulty, phrase("faulty cut"), group="mistake")
        cut = table.house.cut_limits and not due_again(s.the_partie(table))
        return (*to.loading(table.felt, more=False), *(faulty if cut else ()))
    again = to.offer(i.Reshuffles, phrase("elder shuffles again"), group="more", seat=elder)
    fresh = to.offer(i.FreshCards, phrase("fresh cards"), seats(table), group="more")
    return (
        *to.offer(ti.Prepared, phrase("done, next step")),
        *(again if due.done == 1 else ()),
        *fresh,
        *_no_third_pack(table),
    )


def _no_third_pack(table: s.Table) -> to.Offers:
    """The offer to void the deal that was set aside last, if no third pack is there (ER-45)."""
    if not third_pack_due(table):
        return ()
    none = phrase("there is no third pack")
    return to.offer(ti.Annulled, none, group="supervisor", hold=True, reason="E00-18")


def _packets(_table: s.Table, _due: s.PacketsDue) -> to.Offers:
    return (
        *to.offer(i.Packets, phrase("three, then two"), first=3),
        *to.offer(i.Packets, phrase("two, then three"), first=2),
    )


def _speak(table: s.Table, _due: s.ElderToSpeak) -> to.Offers:
    deal = s.the_deal(table)
    seat = s.seat_of(table, deal.elder)
    proposes = to.offer(i.Proposes, phrase("proposes"), seat=seat) if s.talon(table) else ()
    return (*to_show(table), *proposes, *_leads(table))


def _leads(table: s.Table) -> to.Offers:
    """The offers to lead: for the player whose turn it is and, out of turn, the other (E07-34)."""
    deal = s.the_deal(table)
    leader = deal.elder if isinstance(table.phase, s.ElderToSpeak) else deal.leader
    return (
        *_plays(table, leader, phrase("leads"), "main"),
        *_plays(table, 1 - leader, phrase("leads out of turn"), "mistake"),
        *_announces(table, leader),
    )


def _plays(table: s.Table, side: int, what: Any, group: str) -> to.Offers:
    seat = s.seat_of(table, side)
    cards = playable(table, side)
    return to.offer(i.PlaysCard, _of(table, side, what), card(cards), group=group, seat=seat)


def _announces(table: s.Table, side: int) -> to.Offers:
    picks = tuple(Pick(value=suit.value, label=label) for suit, label in SUITS.items())
    suit = Choice(label=phrase("suit"), name="suit", picks=picks)
    seat = s.seat_of(table, side)
    return to.offer(i.Announces, phrase("announces"), suit, group="more", seat=seat)


def _answer(table: s.Table, _due: s.DealerToAnswer) -> to.Offers:
    deal = s.the_deal(table)
    seat = s.seat_of(table, deal.dealer)
    refuses = () if deal.forced else to.offer(i.Refuses, phrase("refuses"), seat=seat)
    return (*to.offer(i.Accepts, phrase("accepts"), seat=seat), *refuses)


def _discards(table: s.Table, due: s.Discarding) -> to.Offers:
    least = int(due.side == s.the_deal(table).elder)
    seat = s.seat_of(table, due.side)
    cards = number("cards", least, most(table, due.side), least)
    return to.offer(i.Discards, _of(table, due.side, phrase("lays away")), cards, seat=seat)


def _lead(table: s.Table, _due: s.LeadDue) -> to.Offers:
    return (*to_show(table), *_leads(table), *_takes_up(table))


def _takes_up(table: s.Table) -> to.Offers:
    """The offers to take up a card, for each player who may (E07-32, E07-34, E07-44, E07-53)."""
    return tuple(
        one
        for side in may_take_up(table)
        for one in to.offer(
            i.TakesUp, _of(table, side, phrase("takes the card up")), group="more",
            seat=s.seat_of(table, side),
        )
    )  # fmt: skip


def _reply(table: s.Table, _due: s.ReplyDue) -> to.Offers:
    deal = s.the_deal(table)
    seat = s.seat_of(table, deal.leader)
    none = to.offer(i.HasNone, phrase("he has none of that suit"), group="more", seat=seat)
    return (
        *to_show(table),
        *_plays(table, 1 - deal.leader, phrase("plays"), "main"),
        *_takes_up(table),
        *(none if deal.announced is not None else ()),
    )


def _gathered(_table: s.Table, _due: s.DealOver) -> to.Offers:
    return to.closing()


#: Answers that void the deal or end the partie. Their buttons must be held down (ER-38).
_HELD = frozenset({i.Option.ANNUL, i.Option.DEAL, i.Option.VOID, i.Option.LOSES, i.Option.SHOWN})


def _asked(table: s.Table, due: s.Asked) -> to.Offers:
    seat = s.seat_of(table, due.side)
    answers = tuple(
        one
        for option in due.options
        for one in to.offer(
            i.Chooses, OPTIONS[option], hold=option in _HELD, seat=seat, option=option
        )
    )
    if due.question is not s.Question.LEFT or table.house.leaving != "always":
        return answers
    on = to.one_of(table.felt, may_play_on(table, due.about), "to", phrase("plays on"))
    gone = s.seat_of(table, due.about)
    return (*answers, *to.offer(i.PlaysOn, phrase("another plays on"), on, seat=gone))


def _settled(table: s.Table, _due: s.PartieOver) -> to.Offers:
    return (*to.offer(i.Onward, phrase("the partie is settled"), hold=True), *revokes(table))


_DUE: dict[type, Callable[[s.Table, Any], to.Offers]] = {
    s.PlayersDue: _players,
    s.CutDue: _cut,
    s.NoSchlitten: _load,
    s.PacketsDue: _packets,
    s.ElderToSpeak: _speak,
    s.DealerToAnswer: _answer,
    s.Discarding: _discards,
    s.LeadDue: _lead,
    s.ReplyDue: _reply,
    s.DealOver: _gathered,
    s.PartieOver: _settled,
    s.Asked: _asked,
}


# Besides the offers that are due: the king, the marks, and mistakes


def _beside(table: s.Table) -> to.Offers:
    due = s.foremost(table)
    if table.partie is None or isinstance(due, Stray | Unread | s.PartieOver):
        return ()
    if isinstance(due, s.Asked | s.CutDue):
        return tuple(leaving(table))
    return (*_kings(table), *_marks(table), *faults(table), *leaving(table))


def _kings(table: s.Table) -> Iterator[Any]:
    """The offers to say "le roi" and to mark the king, for both players until the deadline.

    They are there whether or not a player has the king. At a house without a deadline the mark is
    still offered when the deal is over. Source: E07-27, E07-28, EDE-6, EDE-12, ER-24.
    """
    if kings_deal(table) is None or isinstance(table.phase, s.CutDue):
        return
    for side in (0, 1):
        if may_say_king(table, side):
            label = _of(table, side, phrase("le roi"))
            yield from to.offer(i.SaysKing, label, group="open", seat=s.seat_of(table, side))
    for side in (0, 1):
        if may_mark_turned(table, side) or may_mark_king(table, side):
            yield from to.offer(
                i.Marks, _of(table, side, WHY[i.Why.KING]), group="open",
                hold=_ends(table, side, KING), seat=s.seat_of(table, side), points=KING,
                why=i.Why.KING,
            )  # fmt: skip
    back = [side for side in (0, 1) if may_unmark(table, side)]
    yield from to.offer(
        i.Unmarks, phrase("takes the king's mark back"), seats(table, back), group="more"
    )


def _marks(table: s.Table) -> to.Offers:
    """The offers to enter the marks that each player may make by the rules (ER-24).

    The player himself makes the mark, and the croupier enters it.
    """
    told: dict[tuple[int, i.Why], int] = {}
    for due in s.the_partie(table).due:
        told.setdefault((due.side, due.why), due.points)
    return tuple(
        one
        for (side, why), points in told.items()
        for one in to.offer(
            i.Marks, _of(table, side, WHY[why]), number("points", 1, points, points), group="main",
            hold=_ends(table, side, points), seat=s.seat_of(table, side), why=why,
        )
    )  # fmt: skip


def _ends(table: s.Table, side: int, points: int) -> bool:
    """Whether these marks may end the partie, which nobody can take back (E07-45, ER-38)."""
    return s.the_partie(table).score[side] + points >= PARTIE


def cards_by_hand(table: s.Table) -> to.Offers:
    """The offers to type a card that left the Schlitten, instead of having it read (R-13)."""
    due = s.foremost(table)
    if isinstance(due, s.Asked):  # a question to a player does not stop the dealer
        due = table.phase
    group = "main" if isinstance(due, s.Dealing | s.Buying) else "mistake"
    turn_up = isinstance(due, s.Dealing) and table.deal is not None and table.deal.came == 10
    return to.cards_by_hand(table.felt, group, lies_open=turn_up)
