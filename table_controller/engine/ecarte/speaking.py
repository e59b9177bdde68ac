"""Elder's proposition, the dealer's answer, the exchange of cards, and wrong numbers after it."""

from __future__ import annotations

from typing import Any

from table_controller.engine.ecarte.dealing import HAND, buys
from table_controller.engine.ecarte.ending import told_due, unmark
from table_controller.engine.ecarte.events import (
    CardsCounted,
    Discarded,
    MayNotMarkKing,
    ProposalAnswered,
    Proposed,
)
from table_controller.engine.ecarte.facts import Deal, Due, paired
from table_controller.engine.ecarte.inputs import (
    Accepts,
    AskedWrongly,
    Counted,
    Discards,
    Option,
    Proposes,
    Refuses,
    Why,
)
from table_controller.engine.ecarte.phases import (
    Buying,
    DealerToAnswer,
    Discarding,
    ElderToSpeak,
    LeadDue,
    Question,
)
from table_controller.engine.ecarte.questions import ask
from table_controller.engine.ecarte.revoking import claimable
from table_controller.engine.ecarte.state import (
    Awaited,
    Step,
    Table,
    at,
    book_rule,
    for_side,
    on_deal,
    on_partie,
    on_this,
    rule,
    seat_of,
    side_of,
    talon,
    the_deal,
    the_partie,
)
from table_controller.engine.messages import AgainstRules, Event, OutOfTurn, phrase
from table_controller.rules.ecarte.marks import KING


def his(table: Table, seat: int, side: int, by: str) -> None:
    """Raise OutOfTurn, which cites the rule `by`, unless the player at `seat` plays for `side`.

    `side` is the side that must speak now.
    """
    if side_of(table, seat) != side:
        raise OutOfTurn(
            phrase("It is not the word of seat {seat}.", seat=seat),
            phrase("Seat {seat} speaks now.", seat=seat_of(table, side)),
            by,
        )


def proposes(table: Table, _phase: ElderToSpeak, said: Proposes) -> Step:
    """Elder proposes, as long as there is a talon. He cannot withdraw it (E07-35 to E07-37)."""
    deal = the_deal(table)
    by = book_rule(table, "37", "37", "9b")
    his(table, said.seat, deal.elder, by)
    if not talon(table):
        raise AgainstRules(
            phrase("No card is left in the talon."),
            phrase("Seat {seat} leads.", seat=said.seat),
            by,
        )
    table = for_side(table, deal.elder, looked=True)
    return at(table, DealerToAnswer()), (Proposed(seat=said.seat),)


def accepts(table: Table, _phase: DealerToAnswer, said: Accepts) -> Step:
    """The dealer says "mennyit": both players may exchange cards (E07-35, EDE-10a)."""
    deal = the_deal(table)
    his(table, said.seat, deal.dealer, book_rule(table, "35", "35", "10a"))
    table = on_deal(for_side(table, deal.dealer, looked=True), forced=False)
    return at(table, Discarding(deal.elder)), (ProposalAnswered(seat=said.seat, accepted=True),)


def refuses(table: Table, _phase: DealerToAnswer, said: Refuses) -> Step:
    """The dealer refuses. At the first distribution he then needs three tricks (E07-40)."""
    deal = the_deal(table)
    by = book_rule(table, "37", "37", "10b")
    his(table, said.seat, deal.dealer, by)
    if deal.forced:
        raise AgainstRules(
            phrase("He turned up a card by mistake: he must grant this proposition."),
            phrase("He accepts."),
            rule(table, "42"),
        )
    table = for_side(table, deal.dealer, looked=True)
    table = on_deal(table, refused=not deal.bought, leader=deal.elder)
    return at(table, LeadDue()), (ProposalAnswered(seat=said.seat, accepted=False),)


def most(table: Table, side: int) -> int:
    """The most cards that a player may discard. The dealer cannot discard more than the talon has.

    Source: EDE-24.
    """
    deal = the_deal(table)
    held = deal.held[side]
    return held if side == deal.elder else min(held, talon(table))


def discards(table: Table, phase: Discarding, said: Discards) -> Step:
    """A player discards cards: elder at least one, the dealer any number (E07-35, E07-38).

    Nobody can take this back. If the talon has too few cards, elder takes the missing number back
    from the top of his discards (E07-39, ER-31).
    """
    deal, side = the_deal(table), phase.side
    his(table, said.seat, side, book_rule(table, "35", "35", "10a"))
    least = int(side == deal.elder)
    if not least <= said.cards <= most(table, side):
        raise AgainstRules(
            phrase("He lays away {least} to {most} cards.", least=least, most=most(table, side)),
            phrase("Say how many."),
            book_rule(table, "35", "35", "24"),
        )
    short = max(0, said.cards - talon(table))
    gone = said.cards - short
    table = for_side(table, side, held=deal.held[side] - gone, looked=False)
    table = on_deal(table, laid_away=deal.laid_away + gone)
    told = (Discarded(seat=said.seat, cards=said.cards, short=short),)
    if side == deal.elder:
        bought = deal.bought + 1
        table = on_deal(table, bought=bought, asked=said.cards, looked=(False, False))
    return buys(table, Buying(side, gone)), told


# Wrong numbers (E07-20 to 24, ER-11)


def counted(table: Table, _phase: Awaited, said: Counted) -> Step:
    """A player has a wrong number of cards (E07-20 to 22, E07-24).

    The number of cards is corrected, or the table asks the person who decides what follows.
    """
    side, played_with = side_of(table, said.seat), surplus(table)
    if played_with is not None:
        return _too_many(table, played_with, side, said)
    deal = the_deal(table)
    by = rule(table, "22" if side == deal.elder else "21")
    wrong = 0 <= said.cards <= 10 and said.cards != HAND
    over = deal.ended or deal.annulled
    if not deal.bought or over or not deal.first_lead or not wrong:
        raise OutOfTurn(
            phrase("This is said after the écart, for a number other than five."),
            phrase("Count the cards again."),
            by,
        )
    told = (CardsCounted(seat=said.seat, cards=said.cards),)
    table = on_deal(table, held=paired(deal.held, side, said.cards), ragged=True)
    missing = HAND - said.cards
    unseen = table.house.bought_wrongly == "named" and not deal.looked[deal.dealer]
    if unseen and side == deal.elder and 0 < missing <= talon(table):  # E07-20
        return _given(table, side, missing), told
    if table.house.bought_wrongly == "ruled":
        by = "EDE-20"
    asked, chooses = _question(table, side, missing)
    table, more = _asked(table, said, asked, chooses, by)
    return table, (*told, *more)


def surplus(table: Table) -> Deal | None:
    """The deal in which a player may be found to have played with too many cards (E07-24).

    None if there is no such deal. The report is possible from the first lead until marks are made
    for the tricks, also after the deal was gathered (ER-39).
    """
    deal = claimable(table)
    if deal is None or not deal.bought or deal.first_lead or deal.annulled:
        return None
    return None if any(deal.trick_marks) else deal


def _question(table: Table, side: int, missing: int) -> tuple[Question, int]:
    """The question about a wrong number of cards, and the side that answers it (E07-21, E07-22).

    The side is elder's, or -1 for the croupier.
    """
    deal = the_deal(table)
    if table.house.bought_wrongly == "ruled":
        return Question.NUMBER, -1
    if side == deal.elder:
        return (Question.ELDER_SHORT if missing > 0 else Question.ELDER_OVER), deal.elder
    return (Question.DEALER_SHORT if missing > 0 else Question.DEALER_OVER), deal.elder


_OPTIONS: dict[Question, tuple[Option, ...]] = {
    Question.ELDER_SHORT: (Option.TAKE, Option.DEAL),
    Question.ELDER_OVER: (Option.PUT_ASIDE, Option.DEAL),
    Question.DEALER_SHORT: (Option.TAKE, Option.ANNUL),
    Question.DEALER_OVER: (Option.DRAW, Option.ANNUL),
    Question.NUMBER: (Option.TAKE, Option.ANNUL),
}


def _asked(table: Table, said: Counted, question: Question, side: int, by: str) -> Step:
    """Ask this question because `said` reported a wrong number of cards.

    `side` must answer (-1: the croupier). Cards can be added only if the talon has enough.
    """
    missing, options = HAND - said.cards, _OPTIONS[question]
    if missing > talon(table):
        options = options[1:]
    about = side_of(table, said.seat)
    return ask(table, question, side, by, *options, about=about, cards=missing)


def _given(table: Table, side: int, cards: int) -> Table:
    """Give the missing cards from the top of the talon; then play resumes."""
    if isinstance(table.phase, Discarding):  # the dealer's own cards are due next
        return buys(table, Buying(side, cards))
    return buys(table, Buying(side, cards, mends=True, lead=isinstance(table.phase, LeadDue)))


def mended(table: Table, side: int, missing: int) -> Table:
    """The table where a hand is brought to five cards (E07-21, E07-22).

    `missing` cards come from the talon; if the number is negative, cards are put aside.
    """
    if missing > 0:
        return _given(table, side, missing)
    deal = the_deal(table)
    table = on_deal(table, held=paired(deal.held, side, HAND), laid_away=deal.laid_away - missing)
    return at(table, ElderToSpeak() if isinstance(table.phase, Buying) else table.phase)


def _too_many(table: Table, deal: Deal, side: int, said: Counted) -> Step:
    """A player had more than five cards.

    He may not mark a king, and his opponent may make one mark (E07-24).
    """
    by = book_rule(table, "24", "24", "20")
    if not HAND < said.cards <= 10 or not may_be_over(table, deal, side):
        raise OutOfTurn(
            phrase("This is said once, of a player with more than five cards."),
            phrase("Play on, or annul the deal by a ruling."),
            by,
        )
    held = paired(deal.held, side, deal.held[side] + said.cards - HAND)
    table, told = fined(table, deal, side, by, held=held)
    return table, (CardsCounted(seat=said.seat, cards=said.cards), *told)


def may_be_over(table: Table, deal: Deal, side: int) -> bool:
    """Whether this side can be reported for too many cards. EDE has no such rule (E07-24)."""
    return table.house.bought_wrongly == "named" and not deal.barred[side]


def fined(table: Table, deal: Deal, side: int, by: str, **changes: Any) -> Step:
    """Punish `side`: it may mark no king, and loses a king's mark (E07-23, 24).

    The other side may make one mark.
    """
    told = tuple[Event, ...]()
    if deal.kings[side]:
        changes["kings"] = paired(deal.kings, side, False)
        changes["said"] = paired(deal.said, side, False)
        changes["lost_kings"] = paired(deal.lost_kings, side, True)
        changes["marks"] = paired(deal.marks, side, deal.marks[side] - KING)
    table = on_this(table, deal, barred=paired(deal.barred, side, True), **changes)
    if deal.kings[side]:
        table, told = unmark(table, side, KING, by)
    due = Due(1 - side, 1, Why.FAULT, by, deal.number)
    table = on_partie(table, due=(*the_partie(table).due, due))
    return table, (*told, MayNotMarkKing(seat=seat_of(table, side)), told_due(table, due))


def asked_wrongly(table: Table, _phase: Awaited, said: AskedWrongly) -> Step:
    """Elder asked for another number of cards than he discarded (E07-23).

    He may mark no king, and the dealer may make one mark. By ER-11 the number is then corrected.
    """
    deal, side = the_deal(table), side_of(table, said.seat)
    by = rule(table, "23")
    wrong = not 0 <= said.cards <= 10 or said.cards == HAND
    if side != deal.elder or not deal.bought or not deal.first_lead or wrong or deal.barred[side]:
        raise OutOfTurn(
            phrase("This is said once, of elder after the écart, for a number other than five."),
            phrase("Count the cards again."),
            by,
        )
    told = (CardsCounted(seat=said.seat, cards=said.cards),)
    held = paired(deal.held, side, said.cards)
    table, more = fined(table, deal, side, by, held=held, ragged=True)
    table = mended(table, side, min(HAND - said.cards, talon(table)))
    return table, (*told, *more)
