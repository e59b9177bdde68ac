"""The table's question in one sentence, and the rule's id."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from table_controller.engine.ecarte import betting_words
from table_controller.engine.ecarte import phases as p
from table_controller.engine.ecarte.phases import Question
from table_controller.engine.ecarte.state import (
    Awaited,
    Table,
    book_rule,
    first_due,
    foremost,
    rule,
    seat_of,
    the_deal,
    the_partie,
)
from table_controller.engine.messages import Phrase, phrase
from table_controller.engine.table.felt import occupied_from
from table_controller.engine.table.stops import Stray, Unread
from table_controller.engine.table.words import held, load, unread
from table_controller.engine.views import Prompt

NOTHING = Phrase("")
#: The request, the rule behind it, and who must act.
Asked = tuple[Phrase, str, tuple[int, ...]]


def awaited(table: Table) -> Prompt:
    """The table's present question. It never depends on a closed card (R-13, R-17)."""
    due = foremost(table)
    halt = held(table.felt, begins=isinstance(due, p.Dealing) and first_due(table))
    if halt is None and isinstance(due, Unread):
        halt = unread(table.felt, due)
    news, ask, why, by, seats = halt or (NOTHING, *_asked(table, due))
    if table.felt.withdrawn is not None:
        news = phrase("Taken back: {what}.", what=table.felt.withdrawn)
    return Prompt(
        id=table.prompt,
        news=news,
        ask=ask,
        why=why,
        rule=by,
        seats=tuple(seat for seat in seats if seat),
    )


def _asked(table: Table, due: Awaited) -> tuple[Phrase, Phrase, str, tuple[int, ...]]:
    ask, by, seats = _question(table, due)
    return ask, _why(table, due), by, seats


def _why(table: Table, due: Awaited) -> Phrase:
    if isinstance(due, p.Asked) and due.question is Question.REVOKE:
        return phrase("Seat {seat} revoked.", seat=seat_of(table, due.about))
    if isinstance(due, p.PlayersDue) and len(occupied_from(table.felt, 1)) > 1:
        if table.house.chouette == "bank":
            return phrase("These two play without stakes; against a bank the table stakes.")
        return phrase("If two just play, nothing is staked.")
    if isinstance(due, p.CutDue):
        lower = table.house.cut_for_deal == "lower"
        return phrase("Who cuts lower deals.") if lower else phrase("Who cuts higher deals.")
    return NOTHING


def _question(table: Table, due: Awaited) -> Asked:
    if isinstance(due, p.Asked):
        return _QUESTIONS[due.question], due.rule, (seat_of(table, due.side),)
    if isinstance(due, Stray):
        return phrase("Say what the card was"), "R-19", ()
    return _PHASES[type(due)](table, due)


def _players(_table: Table, _due: Any) -> Asked:
    return phrase("Say who plays the next partie"), "", ()


def _cut(table: Table, due: p.CutDue) -> Asked:
    seats = the_partie(table).seats
    left = tuple(seat for seat, card in zip(seats, due.cuts, strict=True) if card is None)
    return phrase("Both cut for the deal"), book_rule(table, "10", "10", "3"), left


def _load(table: Table, due: p.NoSchlitten) -> Asked:
    partie = the_partie(table)
    if due.done == 0:
        return (
            phrase("The dealer shuffles"),
            book_rule(table, "13", "13", "4"),
            (partie.seats[partie.dealer],),
        )
    if due.done == 1:
        elder = (partie.seats[1 - partie.dealer],)
        if not table.house.cut_limits:
            return phrase("Elder cuts"), book_rule(table, "13", "13", "4"), elder
        return phrase("Elder cuts, two cards at least"), book_rule(table, "47", "45", "4"), elder
    return load(table.felt), "ER-20", ()


def _packets(table: Table, _due: Any) -> Asked:
    partie = the_partie(table)
    return phrase("Three first, or two?"), rule(table, "14"), (partie.seats[partie.dealer],)


def _deal(table: Table, _due: Any) -> Asked:
    by = book_rule(table, "13", "13", "4")
    return phrase("Deal ten cards, and turn one up"), by, (seat_of(table, the_deal(table).dealer),)


def _elder(table: Table, _due: Any) -> Asked:
    by = book_rule(table, "35", "35", "9")
    return phrase("Elder proposes, or leads"), by, (seat_of(table, the_deal(table).elder),)


def _dealer(table: Table, _due: Any) -> Asked:
    by = book_rule(table, "37", "37", "10")
    return phrase("The dealer accepts or refuses"), by, (seat_of(table, the_deal(table).dealer),)


def _discard(table: Table, due: p.Discarding) -> Asked:
    by = book_rule(table, "35", "35", "10a")
    return phrase("How many cards are laid away?"), by, (seat_of(table, due.side),)


def _buy(table: Table, due: p.Buying) -> Asked:
    by = book_rule(table, "35", "35", "10a")
    return phrase("Cards for seat {seat}: {n}", seat=seat_of(table, due.side), n=due.due), by, ()


def _lead(table: Table, _due: Any) -> Asked:
    by = book_rule(table, "31", "31", "13")
    return phrase("A lead is due"), by, (seat_of(table, the_deal(table).leader),)


def _reply(table: Table, _due: Any) -> Asked:
    by = book_rule(table, "44", "44", "14")
    return phrase("A reply to the lead is due"), by, (seat_of(table, 1 - the_deal(table).leader),)


def _over(table: Table, _due: Any) -> Asked:
    by = book_rule(table, "57", "55", "17")
    seats = tuple(seat_of(table, due.side) for due in the_partie(table).due)
    return phrase("Mark the points, then gather the cards"), by, seats


def _settle(table: Table, _due: Any) -> Asked:
    return phrase("The partie is over: settle it"), book_rule(table, "60", "58", "18"), ()


_PHASES: dict[type, Callable[[Table, Any], Asked]] = {
    p.PlayersDue: _players,
    p.CutDue: _cut,
    p.NoSchlitten: _load,
    p.PacketsDue: _packets,
    p.Dealing: _deal,
    p.ElderToSpeak: _elder,
    p.DealerToAnswer: _dealer,
    p.Discarding: _discard,
    p.Buying: _buy,
    p.LeadDue: _lead,
    p.ReplyDue: _reply,
    p.DealOver: _over,
    p.PartieOver: _settle,
    **betting_words.ASKS,
}

_QUESTIONS: dict[Question, Phrase] = {
    Question.PACKETS: phrase("Other packets: does elder keep the deal?"),
    Question.FACED: phrase("A card lay open: is the deal kept?"),
    Question.EXPOSED: phrase("His card was exposed: is the deal kept?"),
    Question.TWO_TURNED: phrase("Two cards were turned up: what now?"),
    Question.DEALER_SHORT: phrase("The dealer has too few cards"),
    Question.DEALER_OVER: phrase("The dealer has too many cards"),
    Question.ELDER_SHORT: phrase("Elder has too few cards"),
    Question.ELDER_OVER: phrase("Elder has too many cards"),
    Question.NUMBER: phrase("A wrong number of cards: rule on it"),
    Question.OPEN: phrase("Does he demand open cards?"),
    Question.SHOW_KING: phrase("The king is to be shown"),
    Question.REVOKE: phrase("Open cards show a revoke"),
    Question.THROWN: phrase("Cards were thrown away: rule on it"),
    Question.LEFT: phrase("A player leaves: rule on it"),
    Question.FALSE_CARDS: phrase("Are the cards false?"),
}
