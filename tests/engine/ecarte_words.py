"""The possible next inputs at a table of écarté: the natural course, and every allowed input.

`apt` gives the inputs of people who play by the books. `wild` gives any input that the moment
allows, with random content: a claim, a fault, a wrong seat, a wrong number.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from random import Random
from typing import Any, Final

from table_controller.engine.ecarte import inputs as i
from table_controller.engine.ecarte import state as s
from table_controller.engine.ecarte.partie import may_mark_king, may_mark_turned
from table_controller.engine.ecarte.playing import may_be
from table_controller.engine.ecarte.state import Deal, Mode, Table, foremost, hand_open, talon
from table_controller.engine.ecarte.step import CASES
from table_controller.engine.messages import CardNamed, CardSeen, Input
from table_controller.engine.seen import Unknown
from table_controller.engine.shoe import gone
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.felt import Stray, Unread
from table_controller.engine.table.schlitten import miscounted
from table_controller.rules.cards import PACK_32, Card, Suit
from table_controller.rules.ecarte import stakes as rules
from table_controller.rules.ecarte.tricks import king_of, legal
from table_controller.rules.money import Chips

SEATS: Final = (1, 2, 3, 4, 5, 6)
LOADED: Final = ti.SchlittenLoaded(shoe="shoe-1")


def holds(deal: Deal, side: int) -> list[Card]:
    """The cards that a side has if it discarded the oldest; if that is unclear, all it may have."""
    maybe, held = may_be(deal, side), deal.held[side]
    left = [dealt.card for dealt in deal.taken[side] if dealt.card in maybe]
    return left[-held:] if 0 < held <= len(left) else list(maybe)


# The natural course


def apt(now: Table, luck: Random) -> Input:
    """An input that is likely to come next."""
    due = foremost(now)
    return _APT[type(due)](now, due, luck)


def _players(now: Table, _due: s.PlayersDue, luck: Random) -> Input:
    """The players sit down. Half of the parties are played for money."""
    left, right = luck.sample(SEATS, 2)
    if luck.random() < 0.5:
        return i.Opponents(left=left, right=right)
    if now.house.chouette == "bank":
        return i.LaysBank(seat=left, chips=Chips(luck.randrange(10, 60)))
    ways = [i.TwoSides(left=left, right=right), i.GivesChouette(seat=left)]
    auction = now.house.chouette == "open_and_auctioned"
    drawn = i.Draws(seat=left, card=luck.choice(PACK_32))
    return luck.choice([*ways, drawn, *([i.CallsAuction()] if auction else [])])


def _auction(now: Table, _due: s.Auction, luck: Random) -> Input:
    bids = now.before.bids
    if len(bids) > 1 and luck.random() < 0.5:
        most = max(bid.chips for bid in bids)
        highest = luck.choice([bid.place for bid in bids if bid.chips == most])
        return i.KnockedDown(seat=highest)
    least = max((bid.chips for bid in bids), default=10)
    return i.BidsFor(seat=luck.choice(SEATS), chips=Chips(least + luck.randrange(3)))


def _stakes(now: Table, _due: s.StakesDue, luck: Random) -> Input:
    bets = now.bets
    if bets is None or luck.random() < 0.03:
        return i.GivesUp()
    if bets.bank is not None and not bets.bank.holds:
        return i.RenewsBank(chips=Chips(luck.randrange(10, 60)))
    two = bets.mode is Mode.TWO_SIDES
    if luck.random() < 0.4:
        side = luck.randrange(2) if two else 1
        player = bets.orders[side].hand
        seat = player if player and luck.random() < 0.5 else luck.choice(SEATS)
        return i.Stakes(seat=seat, side=side, chips=Chips(luck.randrange(1, 40)))
    if two and rules.short(*bets.stakes)[1]:
        side = rules.short(*bets.stakes)[0]
        player = bets.orders[side].hand or 1
        return luck.choice([i.HoldsRest(seat=player), i.CutsStakes()])
    return i.PartieHeld()


def _succession(now: Table, _due: s.Succession, luck: Random) -> Input:
    if now.house.chouette == "bank":
        return i.LaysBank(seat=luck.choice(SEATS), chips=Chips(luck.randrange(10, 60)))
    over = i.WillNotGoOn(seat=luck.choice((0, *SEATS)))
    return luck.choice([i.GoesOn(seat=luck.choice(SEATS)), over])


def _cut(now: Table, due: s.CutDue, luck: Random) -> Input:
    assert now.partie
    side = 0 if due.cuts[0] is None else 1
    return i.CutsForDeal(seat=now.partie.seats[side], card=luck.choice(PACK_32))


def _load(now: Table, due: s.NoSchlitten, _luck: Random) -> Input:
    if miscounted(now.felt):
        return ti.Ruled(reason="counted again")
    return LOADED if due.done == 2 else ti.Prepared()


def _packets(_now: Table, _due: s.PacketsDue, luck: Random) -> Input:
    return i.Packets(first=luck.choice((2, 3)))


def _card(now: Table, _due: Any, luck: Random) -> Input:
    """The next card.

    The card is one that has not yet left the Schlitten, since a pack has each card once.
    """
    shoe = now.felt.shoe
    while True:
        card = PACK_32[int(luck.random() * 32)]
        if shoe is None or not shoe.left or not gone(shoe, card):
            return CardSeen(card=card)


def _elder(now: Table, _due: s.ElderToSpeak, luck: Random) -> Input:
    assert now.deal
    assert now.partie
    elder = now.deal.elder
    if talon(now) and luck.random() < 0.5:
        return i.Proposes(seat=now.partie.seats[elder])
    return _king(now, luck) or _plays(now, elder, luck)


def _dealer(now: Table, _due: s.DealerToAnswer, luck: Random) -> Input:
    assert now.deal
    assert now.partie
    seat = now.partie.seats[now.deal.dealer]
    if now.deal.forced or luck.random() < 0.6:
        return i.Accepts(seat=seat)
    return i.Refuses(seat=seat)


def _discards(now: Table, due: s.Discarding, luck: Random) -> Input:
    assert now.deal
    assert now.partie
    elder = due.side == now.deal.elder
    most = now.deal.held[due.side] if elder else min(now.deal.held[due.side], talon(now))
    return i.Discards(
        seat=now.partie.seats[due.side], cards=luck.randint(int(elder), max(int(elder), most))
    )


def _lead(now: Table, _due: s.LeadDue, luck: Random) -> Input:
    assert now.deal
    return _king(now, luck) or _plays(now, now.deal.leader, luck)


def _reply(now: Table, _due: s.ReplyDue, luck: Random) -> Input:
    assert now.deal
    return _king(now, luck) or _plays(now, 1 - now.deal.leader, luck)


def _plays(now: Table, side: int, luck: Random) -> Input:
    """A card from the side's hand. A reply is usually a card that the rules allow.

    Now and then it is a revoke.
    """
    assert now.deal
    assert now.partie
    deal, seat = now.deal, now.partie.seats[side]
    cards = holds(deal, side)
    if not cards:  # he played too many: it is put right
        return ti.Annulled(reason="no card is left")
    if deal.led is not None and (hand_open(deal, side) or luck.random() < 0.97):
        cards = list(legal(cards, deal.led, deal.trump))
    return i.PlaysCard(seat=seat, card=cards[int(luck.random() * len(cards))])


def _king(now: Table, luck: Random) -> Input | None:
    """Usually mark or announce the king for the side that has it; otherwise return None.

    Fines and tricks are marked when they are due.
    """
    deal, partie = now.deal, now.partie
    assert deal
    assert partie
    if len(deal.tricks) > 1 or deal.trump is None:
        return None
    king = king_of(deal.trump)
    for side in (0, 1):
        holding = may_mark_king(now, side) and king in holds(deal, side)
        if (holding or may_mark_turned(now, side)) and luck.random() < 0.7:
            seat = partie.seats[side]
            if luck.random() < 0.3 and not deal.said[side] and holding:
                return i.SaysKing(seat=seat)
            return i.Marks(seat=seat, points=1, why=i.Why.KING)
    return None


def _over(now: Table, _due: s.DealOver, luck: Random) -> Input:
    assert now.partie
    if now.partie.due and luck.random() < 0.9:
        due = luck.choice(now.partie.due)
        return i.Marks(seat=now.partie.seats[due.side], points=due.points, why=due.why)
    return ti.SchlittenClosed()


def _answer(now: Table, due: s.Asked, luck: Random) -> Input:
    assert now.partie
    seat = now.partie.seats[due.side] if due.side >= 0 else 0
    return i.Chooses(seat=seat, option=luck.choice(due.options))


def _stray(_now: Table, _due: Stray, luck: Random) -> Input:
    return ti.StrayRuled(ruling=luck.choice((ti.StrayRuling.BACK, ti.StrayRuling.FACE_UP)))


def _unread(now: Table, due: Unread, luck: Random) -> Input:
    """Settle an unread card: show it again, let two people enter it, or say that there was none."""
    seen = _card(now, due, luck)
    assert isinstance(seen, CardSeen)
    assert seen.card
    named = CardNamed(card=seen.card, actor=luck.choice(("hand:one", "hand:two")))
    return luck.choice([seen, seen, named, ti.UnreadRuled()])


_APT: Final[dict[type, Callable[[Table, Any, Random], Input]]] = {
    s.PlayersDue: _players, s.Auction: _auction, s.StakesDue: _stakes, s.Succession: _succession,
    s.CutDue: _cut, s.NoSchlitten: _load, s.PacketsDue: _packets, s.Dealing: _card,
    s.Buying: _card, s.ElderToSpeak: _elder, s.DealerToAnswer: _dealer, s.Discarding: _discards,
    s.LeadDue: _lead, s.ReplyDue: _reply, s.DealOver: _over, s.Asked: _answer, Stray: _stray,
    Unread: _unread, s.PartieOver: lambda _now, _due, _luck: i.Onward(),
}  # fmt: skip


# Every allowed input

#: Every input that a phase admits, by the state machine's own list.
_ADMITS: Final[dict[type, tuple[type, ...]]] = {
    phase: tuple(kind for of, kind in CASES if of is phase) for phase, _ in CASES
}
_EVERY: Final = tuple(dict.fromkeys(kind for _, kind in CASES))
_FIELDS: Final = {kind: inspect.signature(kind).parameters for kind in _EVERY}


def wild(now: Table, luck: Random) -> Input:
    """A random input, in most cases one that the moment admits, from anybody."""
    chance = luck.random()
    if chance < 0.1:
        return ti.TakesBack()
    if chance < 0.15:
        return _card(now, None, luck)
    if chance < 0.17:
        return CardSeen(unknown=luck.choice((Unknown.NO_READ, Unknown.TWO_CARDS)))
    if chance < 0.18:
        return CardSeen(card=luck.choice(PACK_32))
    due = foremost(now)
    kinds = _ADMITS.get(type(due), _EVERY) if chance < 0.95 else _EVERY
    kind = luck.choice(kinds)
    return kind(**{name: _FILL[name](now, luck) for name in _FIELDS[kind] if name in _FILL})


def _seat(now: Table, luck: Random) -> int:
    near = now.partie.seats if now.partie and luck.random() < 0.9 else (0, *SEATS)
    return luck.choice(near)


def _any_seat(_now: Table, luck: Random) -> int:
    return luck.choice(SEATS)


def _some_card(now: Table, luck: Random) -> Card:
    if now.deal is None or now.deal.turned is None or luck.random() < 0.1:
        return luck.choice(PACK_32)
    return luck.choice(holds(now.deal, luck.randrange(2)) or PACK_32)


def _option(now: Table, luck: Random) -> i.Option:
    due = foremost(now)
    return luck.choice(due.options if isinstance(due, s.Asked) else list(i.Option))


def _flag(_now: Table, luck: Random) -> bool:
    return luck.random() < 0.5


def _of(*values: Any) -> Callable[[Table, Random], Any]:
    return lambda _now, luck: luck.choice(values)


_FILL: Final[dict[str, Callable[[Table, Random], Any]]] = {
    "seat": _seat, "left": _any_seat, "right": _any_seat, "to": _any_seat, "holder": _any_seat,
    "card": _some_card, "suit": _of(*Suit), "points": _of(1, 1, 2), "why": _of(*i.Why),
    "cards": _of(*range(9)), "first": _of(2, 3), "matter": _of(*i.Matter), "option": _option,
    "chips": _of(*range(1, 60)), "parts": _of(0, 1, 1, 2), "side": _of(0, 1),
    "ruling": _of(*ti.StrayRuling), "reason": _of("so it is ruled"), "shoe": _of("shoe-1"),
    "ordinal": _of(*range(1, 33)),
    **dict.fromkeys(("mixed", "proposed", "consent", "more", "on_giver"), _flag),
}  # fmt: skip
