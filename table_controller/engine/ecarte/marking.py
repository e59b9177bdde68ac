"""The mark for the king and its deadlines; and marks, which players make, not the program."""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.ecarte import ending
from table_controller.engine.ecarte.ending import partie_over, unmark
from table_controller.engine.ecarte.events import How, KingSaid, Marked
from table_controller.engine.ecarte.facts import Deal, Due, paired
from table_controller.engine.ecarte.inputs import Marks, Option, SaysKing, Unmarks, Why
from table_controller.engine.ecarte.phases import Dealing, NoSchlitten, PacketsDue, Question
from table_controller.engine.ecarte.questions import ask
from table_controller.engine.ecarte.state import (
    Awaited,
    Step,
    Table,
    book_rule,
    for_side,
    known,
    on_partie,
    on_this,
    played,
    rule,
    seat_of,
    side_of,
    the_deal,
    the_partie,
)
from table_controller.engine.messages import AgainstRules, phrase
from table_controller.rules.cards import Rank
from table_controller.rules.ecarte.marks import KING, PARTIE
from table_controller.rules.ecarte.tricks import king_of


def turned_king(table: Table) -> bool:
    """Whether the turned-up card is a king.

    If so, nobody can have the king of trumps in his hand.
    """
    deal = kings_deal(table)
    return bool(deal and deal.turned and deal.turned.card.rank is Rank.KING)


def kings_deal(table: Table) -> Deal | None:
    """The deal whose king may be marked: the one on the table.

    Where the word is the mark, its counter may be moved until the next turn-up, also when the cards
    are gathered (EDE-6, EDE-12, ER-46).
    """
    gathered = isinstance(table.phase, NoSchlitten | PacketsDue | Dealing)
    if gathered and table.partie and not table.house.king_word:
        return table.partie.last
    return table.deal


def may_mark_turned(table: Table, side: int) -> bool:
    """Whether the player of `side` may still mark the king that he turned up (E07-26).

    Only the dealer may. At EDE he may until the next turn-up (EDE-6, ER-46).
    """
    deal = kings_deal(table)
    if deal is None or not turned_king(table) or deal.turned_marked or side != deal.dealer:
        return False
    if deal.annulled:
        return False
    late = deal.looked[side] or deal.bought or deal.tricks
    return table.house.turned_king == "always" or not late


def may_say_king(table: Table, side: int) -> bool:
    """Whether the player of `side` may still say "le roi" (E07-27, E07-28).

    Only open cards affect the answer.
    """
    deal = table.deal
    if deal is None or deal.turned is None or deal.ended or deal.annulled or turned_king(table):
        return False
    if deal.barred[side] or deal.kings[side] or deal.said[side] or deal.replayed:
        return False
    if side == deal.elder and deal.led is not None and not deal.tricks:
        return deal.leader == side and deal.led is king_of(deal.trump)
    return not deal.tricks


def before_second_lead(table: Table) -> bool:
    """Whether the second lead has not been made yet (E07-27 to 29, ER-17).

    False if the tricks are being played again.
    """
    deal = table.deal
    return deal is not None and not deal.replayed and ending.before_second_lead(deal)


def may_mark_king(table: Table, side: int) -> bool:
    """Whether the player of `side` may mark a king now. Nobody checks whether he has the king."""
    if may_say_king(table, side):
        return True
    deal = kings_deal(table)
    if deal is None or not deal.said[side] or deal.kings[side] or deal.barred[side]:
        return False
    if deal.annulled:
        return False
    return not table.house.king_word or (before_second_lead(table) and not deal.ended)


def may_unmark(table: Table, side: int) -> bool:
    """Whether the player of `side` may take back his mark for a king (E07-29, ER-2).

    He may until the second lead. At a house that does not punish a false mark, he may until the
    deal is over.
    """
    deal = table.deal
    if deal is None or not deal.kings[side] or deal.ended:
        return False
    return table.house.false_king == "unmarked" or before_second_lead(table)


def says_king(table: Table, _phase: Awaited, said: SaysKing) -> Step:
    """A player says "le roi", and so keeps the right to mark the king until the second lead.

    Source: E07-27, E07-28, EDE-12.
    """
    side = side_of(table, said.seat)
    if not may_say_king(table, side):
        raise _too_late(table)
    table = for_side(table, side, said=True)
    return table, (KingSaid(seat=said.seat),)


def _too_late(table: Table) -> AgainstRules:
    turned = turned_king(table)
    return AgainstRules(
        phrase("A king can no longer be marked."),
        phrase("He is marked in time, and once."),
        book_rule(table, *(("26", "26", "6") if turned else ("27", "27", "12"))),
    )


def marks(table: Table, _phase: Awaited, said: Marks) -> Step:
    """A player makes marks for the king, for tricks, or for an opponent's fault (E07-58, ER-24)."""
    side = side_of(table, said.seat)
    if said.why is Why.KING:
        return _marks_king(table, side, said)
    due = next(
        (one for one in the_partie(table).due if (one.side, one.why) == (side, said.why)), None
    )
    if due is None or not 0 < said.points <= due.points:
        early = table.deal is not None and not table.deal.ended
        raise AgainstRules(
            phrase("So much is not due to seat {seat}.", seat=said.seat),
            phrase("Tricks are marked when the deal is over, by who won them."),
            book_rule(table, "57" if early else "43", "55" if early else "43", "17"),
        )
    left = replace(due, points=due.points - said.points)  # each is moved by itself (ER-46)
    dues = (left if one is due else one for one in the_partie(table).due)
    table = on_partie(table, due=tuple(one for one in dues if one.points))
    return scored(table, side, said.points, due)


def _marks_king(table: Table, side: int, said: Marks) -> Step:
    deal = kings_deal(table)
    turned = may_mark_turned(table, side)
    if deal is None or said.points != KING or not (turned or may_mark_king(table, side)):
        raise _too_late(table)
    if turned:
        table = on_this(table, deal, turned_marked=True)
    else:
        table = for_side(table, side, deal, kings=True, bought_at=deal.bought)
    king = king_of(deal.trump)
    open_now = turned or king in played(deal, side) or king in known(deal, side)
    due = Due(side, KING, Why.KING, "", deal.number)
    if the_partie(table).score[side] + KING >= PARTIE and not open_now:
        table, told = scored(table, side, KING, due, ends=False)
        table, more = ask(
            table, Question.SHOW_KING, -1, rule(table, "27"), Option.SHOWN, Option.NOT_SHOWN,
            about=side,
        )  # fmt: skip
        return table, (*told, *more)
    return scored(table, side, KING, due)


def scored(table: Table, side: int, points: int, due: Due, *, ends: bool = True) -> Step:
    """Add points to a side's score. With five points it wins the partie (E07-45, EDE-16, EDE-18).

    `ends` is false if a question must be answered before the partie can end.
    """
    score = list(the_partie(table).score)
    points = min(points, PARTIE - score[side])
    score[side] += points
    table = on_partie(table, score=(score[0], score[1]))
    if table.deal is not None and table.deal.number == due.deal:
        table = replace(table, deal=_credited(table.deal, side, points, due.why))
    elif (last := the_partie(table).last) is not None and last.number == due.deal:
        table = on_partie(table, last=_credited(last, side, points, due.why))
    seat = seat_of(table, side)
    told = Marked(seat=seat, points=points, why=due.why, left=score[0], right=score[1])
    if ends and score[side] >= PARTIE:
        table, more = partie_over(table, side, How.MARKS)
        return table, (told, *more)
    return table, (told,)


def _credited(deal: Deal, side: int, points: int, why: Why) -> Deal:
    """The deal with these marks noted, so that they can be taken back later (ER-13, ER-16)."""
    deal = replace(deal, marks=paired(deal.marks, side, deal.marks[side] + points))
    if why is not Why.TRICKS:
        return deal
    made = deal.trick_marks[side] + points
    return replace(deal, trick_marks=paired(deal.trick_marks, side, made))


def king_shown(table: Table, side: int, *, shown: bool) -> Step:
    """Go on after a mark for a king that would end the partie, once the king had to be shown.

    If it was shown, the partie is over; otherwise the mark is taken back (ER-14).
    """
    deal = kings_deal(table)
    if shown or deal is None:
        return partie_over(table, side, How.MARKS)
    table = for_side(table, side, deal, kings=False, marks=deal.marks[side] - KING)
    return unmark(table, side, KING, rule(table, "29"))


def unmarks(table: Table, phase: Awaited, said: Unmarks) -> Step:
    """A player takes back the mark for a king that he marked by mistake (E07-29).

    He may do so without penalty until the second lead.
    """
    side = side_of(table, said.seat)
    if not may_unmark(table, side) or isinstance(phase, Dealing):
        raise AgainstRules(
            phrase("No mark for a king can be taken back now."),
            phrase("It is taken back before the second lead."),
            rule(table, "29"),
        )
    deal = the_deal(table)
    table = for_side(table, side, kings=False, said=False, marks=deal.marks[side] - KING)
    return unmark(table, side, KING, rule(table, "29"))
