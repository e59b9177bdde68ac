"""Mistakes and faults that the croupier may enter now, in the group that stands apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from table_controller.engine.ecarte import inputs as i
from table_controller.engine.ecarte import phases as p
from table_controller.engine.ecarte import state as s
from table_controller.engine.ecarte.dealing import HAND, exposable
from table_controller.engine.ecarte.faults import may_have_looked
from table_controller.engine.ecarte.labels import MATTERS
from table_controller.engine.ecarte.playing import claimable, may_be, may_have_revoked
from table_controller.engine.messages import Input, Phrase, phrase
from table_controller.engine.table import offers as to
from table_controller.engine.views import Choice, Offer, Pick

_OUT = (p.ElderToSpeak, p.DealerToAnswer, p.Discarding, p.Buying, p.LeadDue, p.ReplyDue)


def faults(table: s.Table) -> Iterator[Offer]:
    """All that the books name, where it can be said now."""
    yield from _reports(table)
    yield from revokes(table)
    deal, phase = table.deal, table.phase
    if deal is None:
        return
    if isinstance(phase, (p.Dealing, *_OUT)):
        yield from _said(i.Exposed, phrase("a card was exposed"), table, exposable(table))
    if isinstance(phase, p.Dealing | p.ElderToSpeak):
        yield from _of_the_deal(table)
    if isinstance(phase, (p.Dealing, *_OUT)) and not deal.bought and deal.first_lead:
        wrong = phrase("a wrong number was dealt")
        yield from to.offer(i.WrongNumber, wrong, group="mistake")
    if isinstance(phase, p.Dealing | p.Buying) and (deal.came or deal.bought):
        faced = phrase("it lay face up in the pack")
        yield from to.offer(i.FacedInPack, faced, group="mistake")
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
        leaves = phrase("leaves the partie")
        yield from to.offer(i.Quits, leaves, _seat(table, (0, 1)), group="mistake", hold=True)
        yield from to.offer(i.FalseCards, phrase("false cards"), group="mistake", hold=True)


def _said(kind: type[Input], label: Phrase, table: s.Table, sides: Iterable[int]) -> to.Offers:
    return to.offer(kind, label, _seat(table, sides), group="mistake")


def _of_the_deal(table: s.Table) -> Iterator[Offer]:
    """Misdeals, until cards are bought (E07-14, E07-17 to E07-19)."""
    deal = s.the_deal(table)
    if deal.bought:
        return
    if not deal.looked[deal.elder]:
        other = 5 - deal.first
        packets = phrase("other packets were dealt")
        yield from to.offer(i.WrongPackets, packets, group="mistake", first=other)
    turn = phrase("dealt out of turn")
    yield from to.offer(i.DealtOutOfTurn, turn, group="mistake", proposed=False)
    if table.house.out_of_turn == "set_aside" and deal.turned:  # E00-18: then it is valid
        late = phrase("dealt out of turn, and spoken")
        yield from to.offer(i.DealtOutOfTurn, late, group="mistake", proposed=True)


def _of_the_play(table: s.Table) -> Iterator[Offer]:
    deal, phase = s.the_deal(table), table.phase
    unseen = [side for side in (0, 1) if not deal.looked[side]]
    yield from to.offer(i.Looks, phrase("looks at his cards"), _seat(table, unseen), group="more")
    closed = [side for side in (0, 1) if not deal.open[side]]
    if deal.thrown[0] or deal.thrown[1]:
        yield from _said(i.Touched, phrase("touched the discards"), table, closed)
    for side in (0, 1):
        yield from _shows(table, side)
    if deal.bought:
        yield from _numbers(table)
    if isinstance(phase, p.LeadDue | p.ReplyDue):
        looked = [side for side in closed if may_have_looked(table, side)]
        yield from _said(i.LooksAtTricks, phrase("looked at tricks"), table, looked)
        away = phrase("throws his cards away")
        who = _seat(table, (0, 1))
        yield from to.offer(i.ThrowsAway, away, who, group="mistake", hold=True, mixed=False)
        mixed = phrase("throws them away, mixed")
        yield from to.offer(i.ThrowsAway, mixed, who, group="mistake", hold=True, mixed=True)
    if isinstance(phase, p.ReplyDue):
        yield from _twins(table, 1 - deal.leader)
    last = deal.tricks[-1] if deal.tricks and isinstance(phase, p.LeadDue) else None
    trumped = last and last.winner != last.leader and last.reply.suit == deal.trump
    if last and trumped and not deal.open[last.winner]:
        yield from _said(i.ThrowsIn, phrase("throws in the rest"), table, (last.winner,))


def _twins(table: s.Table, side: int) -> to.Offers:
    seat = s.seat_of(table, side)
    return to.offer(i.Twins, phrase("the same card twice"), group="mistake", seat=seat)


def _shows(table: s.Table, side: int) -> Iterator[Offer]:
    """A card that lies open, whatever he holds (ER-31)."""
    deal = s.the_deal(table)
    known = s.known(deal, side)
    if deal.turned is None or len(known) >= deal.held[side]:
        return
    picks = tuple(
        Pick(value=card.value, label=phrase("{card}", card=card.value))
        for card in may_be(deal, side)
        if card not in known
    )
    card = Choice(label=phrase("card"), name="card", picks=picks)
    seat = s.seat_of(table, side)
    label = phrase("seat {seat}, {what}", seat=seat, what=phrase("shows a card"))
    group = "main" if deal.open[side] else "mistake"
    yield from to.offer(i.Shows, label, card, group=group, seat=seat)


def _numbers(table: s.Table) -> Iterator[Offer]:
    """Wrong numbers after the écart (E07-20 to 24)."""
    deal, phase = s.the_deal(table), table.phase
    counts = tuple(Pick(value=n, label=phrase("{n}", n=n)) for n in range(3, 9) if n != HAND)
    over = tuple(pick for pick in counts if int(pick.value) > HAND)
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
    elif isinstance(phase, p.LeadDue | p.ReplyDue) and table.house.bought_wrongly == "named":
        free = [side for side in (0, 1) if not deal.barred[side]]
        cards = Choice(label=phrase("cards"), name="cards", picks=over)
        label = phrase("plays with too many")
        yield from to.offer(i.Counted, label, _seat(table, free), cards, group="mistake")


def revokes(table: s.Table) -> to.Offers:
    """Who has played to a lead, and whose play was not found wrong yet (E07-44, ER-13)."""
    deal = claimable(table)
    sides = [side for side in (0, 1) if deal and may_have_revoked(deal, side)]
    return _said(i.Revoked, phrase("revoked"), table, sides)
