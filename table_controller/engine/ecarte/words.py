"""The table's question in one sentence, and the rule's id."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from table_controller.engine.ecarte import state as s
from table_controller.engine.ecarte.betting import the_bets
from table_controller.engine.messages import Phrase, phrase
from table_controller.engine.table.felt import Stray, Unread, occupied_from
from table_controller.engine.table.words import held, load, unread
from table_controller.engine.views import Prompt
from table_controller.rules.ecarte import stakes
from table_controller.rules.ecarte.chouette import may_play

# ---- The table's question between two parties in words: one sentence, and the rule's id

Asked = tuple[Phrase, str, tuple[int, ...]]


def _auction(_table: s.Table, _due: Any) -> Asked:
    return phrase("Who offers most for the chouette?"), "E07-8", ()


def _succession(table: s.Table, _due: Any) -> Asked:
    return phrase("Who goes on with the chouette?"), s.book_rule(table, "6", "5", "0"), ()


def _stakes(table: s.Table, _due: Any) -> Asked:
    bets = the_bets(table)
    if bets.mode is s.Mode.TWO_SIDES:
        side, missing = stakes.short(*bets.stakes)
        by = s.book_rule(table, "60", "58", "0")
        hand = bets.orders[side].hand
        if missing and hand:
            ask = phrase("{chips} are missing at seat {seat}", chips=missing, seat=hand)
            return ask, by, ()
        return phrase("Both sides stake alike"), by, ()
    asked = (bets.giver,)
    if bets.bank and not bets.bank.holds:
        return phrase("The bank is lost: a fresh one?"), s.book_rule(table, "8", "4", "0"), asked
    if bets.chouette and bets.chouette.hand not in may_play(bets.chouette):
        by = s.book_rule(table, "4", "4", "0")
        return phrase("Whoever has a half holds the cards"), by, may_play(bets.chouette)
    if bets.closed:
        return phrase("Le coup est tenu?"), s.book_rule(table, "7", "6", "0"), asked
    if bets.bank:
        unit = table.house.unit
        ask = phrase("Faites le jeu: {chips} {unit}", chips=bets.bank.holds, unit=unit)
        return ask, s.book_rule(table, "8", "4", "0"), asked
    return phrase("Je voudrais voir le coup"), s.book_rule(table, "7", "6", "0"), asked


ASKS: Final[dict[type, Callable[[s.Table, Any], Asked]]] = {
    s.Auction: _auction,
    s.Succession: _succession,
    s.StakesDue: _stakes,
}


# ---- The table's question in one sentence, and the rule's id

NOTHING = Phrase("")
#: The request, the rule behind it, and who must act.


def awaited(table: s.Table) -> Prompt:
    """The table's present question. It never depends on a closed card (R-13, R-17)."""
    due = s.foremost(table)
    halt = held(table.felt, begins=isinstance(due, s.Dealing) and s.first_due(table))
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


def _asked(table: s.Table, due: s.Awaited) -> tuple[Phrase, Phrase, str, tuple[int, ...]]:
    ask, by, seats = _question(table, due)
    return ask, _why(table, due), by, seats


def _why(table: s.Table, due: s.Awaited) -> Phrase:
    if isinstance(due, s.Asked) and due.question is s.Question.REVOKE:
        return phrase("Seat {seat} revoked.", seat=s.seat_of(table, due.about))
    if isinstance(due, s.PlayersDue) and len(occupied_from(table.felt, 1)) > 1:
        if table.house.chouette == "bank":
            return phrase("These two play without stakes; against a bank the table stakes.")
        return phrase("If two just play, nothing is staked.")
    if isinstance(due, s.CutDue):
        lower = table.house.cut_for_deal == "lower"
        return phrase("Who cuts lower deals.") if lower else phrase("Who cuts higher deals.")
    return NOTHING


def _question(table: s.Table, due: s.Awaited) -> Asked:
    if isinstance(due, s.Asked):
        return _QUESTIONS[due.question], due.rule, (s.seat_of(table, due.side),)
    if isinstance(due, Stray):
        return phrase("Say what the card was"), "R-19", ()
    return _PHASES[type(due)](table, due)


def _players(_table: s.Table, _due: Any) -> Asked:
    return phrase("Say who plays the next partie"), "", ()


def _cut(table: s.Table, due: s.CutDue) -> Asked:
    seats = s.the_partie(table).seats
    left = tuple(seat for seat, card in zip(seats, due.cuts, strict=True) if card is None)
    return phrase("Both cut for the deal"), s.book_rule(table, "10", "10", "3"), left


def _load(table: s.Table, due: s.NoSchlitten) -> Asked:
    partie = s.the_partie(table)
    if due.done == 0:
        return (
            phrase("The dealer shuffles"),
            s.book_rule(table, "13", "13", "4"),
            (partie.seats[partie.dealer],),
        )
    if due.done == 1:
        elder = (partie.seats[1 - partie.dealer],)
        if not table.house.cut_limits:
            return phrase("Elder cuts"), s.book_rule(table, "13", "13", "4"), elder
        return phrase("Elder cuts, two cards at least"), s.book_rule(table, "47", "45", "4"), elder
    return load(table.felt), "ER-20", ()


def _packets(table: s.Table, _due: Any) -> Asked:
    partie = s.the_partie(table)
    return phrase("Three first, or two?"), s.rule(table, "14"), (partie.seats[partie.dealer],)


def _deal(table: s.Table, _due: Any) -> Asked:
    by = s.book_rule(table, "13", "13", "4")
    return (
        phrase("Deal ten cards, and turn one up"),
        by,
        (s.seat_of(table, s.the_deal(table).dealer),),
    )


def _elder(table: s.Table, _due: Any) -> Asked:
    by = s.book_rule(table, "35", "35", "9")
    return phrase("Elder proposes, or leads"), by, (s.seat_of(table, s.the_deal(table).elder),)


def _dealer(table: s.Table, _due: Any) -> Asked:
    by = s.book_rule(table, "37", "37", "10")
    return (
        phrase("The dealer accepts or refuses"),
        by,
        (s.seat_of(table, s.the_deal(table).dealer),),
    )


def _discard(table: s.Table, due: s.Discarding) -> Asked:
    by = s.book_rule(table, "35", "35", "10a")
    return phrase("How many cards are laid away?"), by, (s.seat_of(table, due.side),)


def _buy(table: s.Table, due: s.Buying) -> Asked:
    by = s.book_rule(table, "35", "35", "10a")
    return phrase("Cards for seat {seat}: {n}", seat=s.seat_of(table, due.side), n=due.due), by, ()


def _lead(table: s.Table, _due: Any) -> Asked:
    by = s.book_rule(table, "31", "31", "13")
    return phrase("A lead is due"), by, (s.seat_of(table, s.the_deal(table).leader),)


def _reply(table: s.Table, _due: Any) -> Asked:
    by = s.book_rule(table, "44", "44", "14")
    return (
        phrase("A reply to the lead is due"),
        by,
        (s.seat_of(table, 1 - s.the_deal(table).leader),),
    )


def _over(table: s.Table, _due: Any) -> Asked:
    by = s.book_rule(table, "57", "55", "17")
    seats = tuple(s.seat_of(table, due.side) for due in s.the_partie(table).due)
    return phrase("Mark the points, then gather the cards"), by, seats


def _settle(table: s.Table, _due: Any) -> Asked:
    return phrase("The partie is over: settle it"), s.book_rule(table, "60", "58", "18"), ()


_PHASES: dict[type, Callable[[s.Table, Any], Asked]] = {
    s.PlayersDue: _players,
    s.CutDue: _cut,
    s.NoSchlitten: _load,
    s.PacketsDue: _packets,
    s.Dealing: _deal,
    s.ElderToSpeak: _elder,
    s.DealerToAnswer: _dealer,
    s.Discarding: _discard,
    s.Buying: _buy,
    s.LeadDue: _lead,
    s.ReplyDue: _reply,
    s.DealOver: _over,
    s.PartieOver: _settle,
    **ASKS,
}

_QUESTIONS: dict[s.Question, Phrase] = {
    s.Question.PACKETS: phrase("Other packets: does elder keep the deal?"),
    s.Question.FACED: phrase("A card lay open: is the deal kept?"),
    s.Question.EXPOSED: phrase("His card was exposed: is the deal kept?"),
    s.Question.TWO_TURNED: phrase("Two cards were turned up: what now?"),
    s.Question.DEALER_SHORT: phrase("The dealer has too few cards"),
    s.Question.DEALER_OVER: phrase("The dealer has too many cards"),
    s.Question.ELDER_SHORT: phrase("Elder has too few cards"),
    s.Question.ELDER_OVER: phrase("Elder has too many cards"),
    s.Question.NUMBER: phrase("A wrong number of cards: rule on it"),
    s.Question.OPEN: phrase("Does he demand open cards?"),
    s.Question.SHOW_KING: phrase("The king is to be shown"),
    s.Question.REVOKE: phrase("Open cards show a revoke"),
    s.Question.THROWN: phrase("Cards were thrown away: rule on it"),
    s.Question.LEFT: phrase("A player leaves: rule on it"),
    s.Question.FALSE_CARDS: phrase("Are the cards false?"),
}
