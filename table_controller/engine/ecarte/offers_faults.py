"""The offers to report mistakes and faults, which form their own group on the page.

A void deal cannot be taken back, so the button that voids the deal must be held down (ER-38).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from table_controller.engine.ecarte import inputs as i
from table_controller.engine.ecarte import phases as p
from table_controller.engine.ecarte import state as s
from table_controller.engine.ecarte.dealing import HAND, exposable
from table_controller.engine.ecarte.faults import may_have_looked, may_throw
from table_controller.engine.ecarte.labels import MATTERS
from table_controller.engine.ecarte.playing import may_be, may_be_twins
from table_controller.engine.ecarte.revoking import claimable, may_have_revoked, mendable
from table_controller.engine.ecarte.speaking import may_be_over, surplus
from table_controller.engine.ecarte.turning import may_turn, spoken
from table_controller.engine.messages import Input, Phrase, phrase
from table_controller.engine.table import offers as to
from table_controller.engine.views import Choice, Offer, Pick
from table_controller.rules.cards import PACK_32, Card

_OUT = (p.ElderToSpeak, p.DealerToAnswer, p.Discarding, p.Buying, p.LeadDue, p.ReplyDue)
#: Phases in which the next card comes from a player's hand.
_TO_PLAY = (p.ElderToSpeak, p.LeadDue, p.ReplyDue)


def faults(table: s.Table) -> Iterator[Offer]:
    """The offers to report every fault that the books name and that is possible now."""
    yield from _reports(table)
    yield from revokes(table)
    yield from _too_many(table)
    deal, phase = table.deal, table.phase
    if deal is None:
        return
    if isinstance(phase, (p.Dealing, *_OUT, p.DealOver)):
        yield from _turns(table)
    house = table.house
    if isinstance(phase, (p.Dealing, *_OUT)):
        void = house.faced == "new_deal" and not deal.bought
        exposed = phrase("a card was exposed")
        yield from _said(i.Exposed, exposed, table, exposable(table), hold=void)
    if isinstance(phase, p.Dealing | p.ElderToSpeak):
        yield from _of_the_deal(table)
    if isinstance(phase, (p.Dealing, *_OUT)) and not deal.bought and deal.first_lead:
        wrong = phrase("a wrong number was dealt")
        void = house.wrong_number == "passes" or True in deal.looked
        yield from to.offer(i.WrongNumber, wrong, group="mistake", hold=void)
    if isinstance(phase, p.Dealing | p.Buying) and (deal.came or deal.bought):
        faced = phrase("it lay face up in the pack")
        void = isinstance(phase, p.Dealing)
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
    if isinstance(table.phase, (*_OUT, p.NoSchlitten, p.PacketsDue, p.Dealing, p.DealOver)):
        yield from to.offer(i.Reported, phrase("call for a ruling"), matter, group="mistake")


def leaving(table: s.Table) -> Iterator[Offer]:
    """The offers to say that a player left, and that the cards are false, in a partie (ER-47)."""
    asked = {one.question for one in table.asked}
    if p.Question.LEFT not in asked:
        leaves = phrase("leaves the partie")
        yield from to.offer(i.Quits, leaves, _seat(table, (0, 1)), group="mistake", hold=True)
    if p.Question.FALSE_CARDS not in asked:
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
    if isinstance(phase, p.LeadDue | p.ReplyDue):
        looked = [side for side in closed if may_have_looked(table, side)]
        yield from _said(i.LooksAtTricks, phrase("looked at tricks"), table, looked)
    yield from _throws(table)
    for side in (0, 1):
        yield from _twins(table, side)
    last = deal.tricks[-1] if deal.tricks and isinstance(phase, p.LeadDue) else None
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
    if isinstance(phase, p.Discarding | p.ElderToSpeak | p.LeadDue) and deal.first_lead:
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
