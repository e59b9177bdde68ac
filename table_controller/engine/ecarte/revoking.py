"""Revokes: those that open cards prove, those put right in time, and replaying the deal."""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.ecarte.ending import emptied, unmark
from table_controller.engine.ecarte.events import (
    CardTakenUp,
    DealRestored,
    NotBeaten,
    OpenCards,
    RevokeFound,
)
from table_controller.engine.ecarte.facts import Deal
from table_controller.engine.ecarte.inputs import Option, Revoked, Why
from table_controller.engine.ecarte.phases import (
    Dealing,
    LeadDue,
    NoSchlitten,
    PacketsDue,
    PartieOver,
    Question,
    ReplyDue,
)
from table_controller.engine.ecarte.questions import ask
from table_controller.engine.ecarte.state import (
    Awaited,
    Step,
    Table,
    at,
    book_rule,
    for_side,
    known,
    on_deal,
    on_partie,
    played,
    rule,
    seat_of,
    side_of,
    the_deal,
    the_partie,
)
from table_controller.engine.messages import Event, OutOfTurn, phrase
from table_controller.rules.cards import Card
from table_controller.rules.ecarte.marks import PARTIE
from table_controller.rules.ecarte.tricks import breaches, is_renonce, proven, replies


def looked_through(table: Table) -> Step:
    """Check whether the open cards now prove a breach of the rules of play (E07-44, EDE-26).

    Closed cards do not affect the answer.
    """
    table, told = _not_beaten(table)
    deal = the_deal(table)
    for side in (0, 1):
        if deal.revoked[side] or deal.excused[side]:
            continue
        trick = _breach(table, side)
        if trick is None:
            continue
        found = RevokeFound(seat=seat_of(table, side), trick=trick + 1)
        late = trick < len(deal.tricks) - 1 or deal.led is not None or deal.ended
        mend = table.house.revoke == "mended" and not late
        table, more = ask(
            table, Question.REVOKE, -1, book_rule(table, "44", "44", "26"),
            Option.MEND if mend else Option.RESTORE, Option.STANDS, about=side,
        )  # fmt: skip
        return table, (*told, found, *more)
    return table, told


def _not_beaten(table: Table) -> Step:
    """Publish, at EDE only, each lead that a player could have beaten and did not (EDE-14, ER-1).

    At EDE the croupier rules on this. It is not a revoke, which has a penalty.
    """
    told: tuple[Event, ...] = ()
    if table.house.revoke == "mended":
        return table, told
    for side in (0, 1):
        deal = the_deal(table)
        for number, led, card, held in replies(_open(deal, side)):
            if (number, side) in deal.unbeaten or card.suit != led.suit:
                continue
            if breaches(card, held, led, deal.trump):
                table = on_deal(table, unbeaten=(*the_deal(table).unbeaten, (number, side)))
                seat = seat_of(table, side)
                told = (*told, NotBeaten(seat=seat, trick=number + 1, rule="EDE-14"))
    return table, told


def _open(deal: Deal, side: int) -> list[tuple[Card | None, Card]]:
    """A side's open cards, each with the lead that it replied to, or None.

    They are the cards of its tricks in order, then the card it leads now, then the cards it showed.
    """
    own = [
        (None, trick.led) if trick.leader == side else (trick.led, trick.reply)
        for trick in deal.tricks
    ]
    rest = [*known(deal, side)]
    if deal.led is not None and deal.leader == side:
        rest.append(deal.led)
    return [*own, *((None, card) for card in rest)]


def _breach(table: Table, side: int) -> int | None:
    deal = the_deal(table)
    offends = breaches if table.house.revoke == "mended" else is_renonce
    return proven(_open(deal, side), deal.trump, offends)


def mendable(table: Table) -> int:
    """The side whose reply can be put right without penalty, or -1 (E07-44, ER-37).

    This is possible until the next lead, in any trick; at EDE never (ER-1).
    """
    deal = table.deal
    if deal is None or not deal.tricks or not isinstance(table.phase, LeadDue):
        return -1
    return 1 - deal.tricks[-1].leader if table.house.revoke == "mended" else -1


def reply_mended(table: Table, side: int) -> Table:
    """The table where the reply to the last trick must be made again (E07-44)."""
    deal = the_deal(table)
    last = deal.tricks[-1]
    table = on_deal(table, tricks=deal.tricks[:-1], led=last.led, leader=last.leader)
    return at(taken_up(table, side, last.reply), ReplyDue())


def taken_up(table: Table, side: int, *cards: Card) -> Table:
    """The table after a side took these cards back.

    Everybody knows them, as they were open (ER-30).
    """
    deal = the_deal(table)
    fresh = tuple(card for card in cards if card not in deal.shown[side])
    held = deal.held[side] + len(cards)
    return for_side(table, side, held=held, shown=(*deal.shown[side], *fresh))


def revoked(table: Table, _phase: Awaited, said: Revoked) -> Step:
    """A player admits a revoke, or somebody claims it and the croupier confirms it (E07-44, ER-13).

    A revoke in the last trick is put right (ER-37), unless `earlier` says that it was in another
    one.
    """
    side, deal = side_of(table, said.seat), claimable(table)
    if side == mendable(table) and not said.earlier:
        return reply_mended(table, side), (CardTakenUp(seat=said.seat),)
    if deal is None or not may_have_revoked(table, deal, side):
        raise OutOfTurn(
            phrase("He has not yet played to a lead, so he cannot have revoked."),
            phrase("Play on."),
            book_rule(table, "44", "44", "26"),
        )
    table, told = _fetched(table, deal)
    table, more = restored(table, side)
    return table, (*told, *more)


def claimable(table: Table) -> Deal | None:
    """The deal in which a revoke may be claimed now; None if there is none (ER-13, ER-31).

    It is the deal on the table. After that deal was gathered, a revoke in it may be claimed until
    the next turn-up. If the deal decided the partie, it may be claimed until somebody is paid.
    """
    deal, partie = table.deal, table.partie
    if isinstance(table.phase, PartieOver):
        paid = table.bets is not None and bool(table.bets.found)
        return deal if deal and _decides(table, deal) and not paid else None
    if isinstance(table.phase, NoSchlitten | PacketsDue | Dealing):
        return partie.last if partie else None
    return deal


def _decides(table: Table, deal: Deal) -> bool:
    """Whether the partie was decided by the marks for this deal's tricks."""
    score = the_partie(table).score
    without = max(score[side] - deal.trick_marks[side] for side in (0, 1))
    return any(deal.trick_marks) and without < PARTIE


def may_have_revoked(table: Table, deal: Deal, side: int) -> bool:
    """Whether somebody may report that a side revoked in a trick that cannot be put right (E07-44).

    This is possible if the side has replied to a lead, and none of its revokes was found yet.
    """
    tricks = deal.tricks[:-1] if side == mendable(table) else deal.tricks
    over = deal.annulled or deal.thrown_in or deal.revoked[side]
    return not over and any(trick.leader != side for trick in tricks)


def _fetched(table: Table, deal: Deal) -> Step:
    """Bring a gathered deal back to the table. First gather the cards dealt since (ER-13)."""
    if deal is table.deal:
        return table, ()
    table, told = emptied(table)
    return replace(on_partie(table, last=None), deal=deal), told


def restored(table: Table, side: int) -> Step:
    """All cards are taken back, and the tricks are played again (E07-44, EDE-27, ER-30).

    `side` is the side that revoked.
    """
    deal = the_deal(table)
    for one in (0, 1):
        table = taken_up(table, one, *played(deal, one))
    told: tuple[Event, ...] = ()
    if deal.ended:
        table, told = unended(table)
    table = for_side(table, side, revoked=True)
    table = on_deal(
        table, tricks=(), led=None, leader=deal.elder, announced=None, given=(0, 0),
        replayed=True, ended=False, unbeaten=(), heard=0,
    )  # fmt: skip
    told = (*told, DealRestored(seat=seat_of(table, side)))
    if table.house.revoke == "open":
        table = on_deal(table, open=(True, True))
        told = (*told, *(OpenCards(seat=seat_of(table, one)) for one in (0, 1)))
    return at(table, LeadDue(), asked=(), undo=None), told


def unended(table: Table) -> Step:
    """Take back the marks for the tricks, made or still due, and undo the change of dealer.

    Source: ER-13.
    """
    deal, partie, told = the_deal(table), the_partie(table), tuple[Event, ...]()
    due = tuple(one for one in partie.due if (one.why, one.deal) != (Why.TRICKS, deal.number))
    table = on_partie(table, due=due, dealer=deal.dealer)
    for side in (0, 1):
        if deal.trick_marks[side]:
            table, more = unmark(table, side, deal.trick_marks[side], rule(table, "44"))
            left = deal.marks[side] - deal.trick_marks[side]
            table = for_side(table, side, marks=left, trick_marks=0)
            told = (*told, *more)
    return table, told
