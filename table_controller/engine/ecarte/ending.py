"""The end of a deal and of a partie: counted, annulled or lost; and the marks that follow."""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.ecarte.events import (
    Contradicted,
    DealAnnulled,
    DealEnded,
    How,
    MarksDue,
    PartieEnded,
    Unmarked,
)
from table_controller.engine.ecarte.facts import Deal, Due, Emptied, Past
from table_controller.engine.ecarte.inputs import Why
from table_controller.engine.ecarte.phases import DealOver, PartieOver
from table_controller.engine.ecarte.state import (
    Step,
    Table,
    at,
    book_rule,
    for_side,
    on_deal,
    on_partie,
    played,
    rule,
    seat_of,
    the_deal,
    the_partie,
    tricks_of,
)
from table_controller.engine.messages import Event
from table_controller.engine.shoe import Dealt, Shoe
from table_controller.engine.table.events import SchlittenCounted
from table_controller.engine.table.felt import Felt
from table_controller.engine.table.promises import opened
from table_controller.engine.table.schlitten import gathered, taken_apart
from table_controller.rules.ecarte import marks
from table_controller.rules.ecarte.marks import KING
from table_controller.rules.ecarte.tricks import king_of

#: The screens show this many past parties.
REMEMBERED = 9


def played_out(deal: Deal) -> marks.DealCourse:
    """The facts about a deal on which its marks depend."""
    return marks.DealCourse(
        dealer=tricks_of(deal, deal.dealer),
        elder=tricks_of(deal, deal.elder),
        exchanged=deal.bought > 0,
        refused=deal.refused,
        authority=deal.authority,
        revoked=frozenset(name(deal, side) for side in (0, 1) if deal.revoked[side]),
        false_kings=frozenset(name(deal, side) for side in (0, 1) if deal.false_kings[side]),
    )


def _marked_by(table: Table, how: marks.DealCourse, side: marks.Side) -> str:
    """The id of the rule by which a side may mark.

    The side may mark for a false king, vole, d'autorité, refusal, or its tricks.
    """
    if marks.other(side) in how.false_kings and table.house.false_king == "penalty":
        return rule(table, "29")
    if marks.TRICKS in (how.dealer, how.elder):
        return book_rule(table, "43", "43", "17d")
    if how.exchanged or not (how.authority or how.refused):
        return book_rule(table, "43", "43", "17c")
    failed = side == ("dealer" if how.authority else "elder")
    if how.authority:
        return book_rule(table, "41" if failed else "43", "41" if failed else "43", "17a")
    return book_rule(table, "40" if failed else "43", "40" if failed else "43", "17b")


def name(deal: Deal, side: int) -> marks.Side:
    """Whether a side is the dealer or elder in the deal, as a word."""
    return "dealer" if side == deal.dealer else "elder"


def false_kings(deal: Deal) -> tuple[int, ...]:
    """The sides that marked a king but, by the open cards, never had it (E07-29, ER-17).

    A player who discarded after he marked may have discarded the king, so he is not accused.
    """
    false = []
    for side in (0, 1):
        king = king_of(deal.trump)
        elsewhere = king in played(deal, 1 - side) or (deal.turned and deal.turned.card is king)
        elsewhere = elsewhere and king not in played(deal, side)  # E00-11: there may be two
        whole = len(played(deal, side)) >= marks.TRICKS and deal.bought_at[side] == deal.bought
        marked = deal.kings[side] or deal.lost_kings[side]
        if marked and (elsewhere or (whole and king not in played(deal, side))):
            false.append(side)
    return tuple(false)


def finish(table: Table) -> Step:
    """All tricks are made. Publish the marks that each side may make, and mark nothing (ER-24)."""
    table, told = _unmarked(table)
    deal = replace(the_deal(table), ended=True)
    how = played_out(deal)
    tricks = tuple(
        Due(side, points, Why.TRICKS, _marked_by(table, how, name(deal, side)), deal.number)
        for side in (0, 1)
        if (points := marks.marks(table.house, how, name(deal, side)))
    )
    table, more = _ended(table, deal, tricks)
    return table, (*told, *more)


def _unmarked(table: Table) -> Step:
    """Take back the marks for kings that open cards prove false, and note whose they were.

    Source: E07-29, ER-2.
    """
    told: tuple[Event, ...] = ()
    by = rule(table, "29") if table.house.false_king == "penalty" else "ER-2"
    for side in false_kings(the_deal(table)):
        deal = the_deal(table)
        table = for_side(table, side, false_kings=True)
        if deal.kings[side]:
            table = for_side(table, side, kings=False, marks=deal.marks[side] - KING)
            table, more = unmark(table, side, KING, by)
            told = (*told, *more)
    return table, told


def lost_outright(table: Table, side: int, points: int, by: str) -> Step:
    """End the deal: `side` may make `points` marks, whatever tricks it has (E07-54).

    If the other side left a false king marked until the second lead, it pays for that too (ER-42).
    `by` is the rule's id.
    """
    late = not before_second_lead(the_deal(table))
    table, told = _unmarked(table)
    deal = replace(the_deal(table), ended=True, thrown_in=True)
    pays = deal.false_kings[1 - side] and late and table.house.false_king == "penalty"
    table, more = _ended(table, deal, (Due(side, points + int(pays), Why.TRICKS, by, deal.number),))
    return table, (*told, *more)


def before_second_lead(deal: Deal) -> bool:
    """Whether the second lead of the deal has not been made yet (E07-27 to 29)."""
    return not deal.tricks or (len(deal.tricks) == 1 and deal.led is None)


def _ended(table: Table, deal: Deal, due: tuple[Due, ...]) -> Step:
    worth = {one.side: one.points for one in due}
    how = marks.DealCourse(dealer=tricks_of(deal, deal.dealer), elder=tricks_of(deal, deal.elder))
    won = {None: -1, "dealer": deal.dealer, "elder": deal.elder}[marks.winner(how)]
    if deal.thrown_in:
        won = due[0].side
    ended = DealEnded(
        deal=deal.number,
        winner=seat_of(table, won),
        left=tricks_of(deal, 0),
        right=tricks_of(deal, 1),
        left_marks=worth.get(0, 0),
        right_marks=worth.get(1, 0),
    )
    contradicted = contradictions(table, deal)
    table = on_partie(table, dealer=1 - deal.dealer, due=(*the_partie(table).due, *due))
    table = at(table, DealOver(), deal=deal, asked=(), undo=None)
    return table, (*contradicted, ended, *(told_due(table, one) for one in due))


def told_due(table: Table, due: Due) -> MarksDue:
    """The event that says how many marks a player may make."""
    return MarksDue(seat=seat_of(table, due.side), points=due.points, why=due.why, rule=due.rule)


def contradictions(table: Table, deal: Deal) -> tuple[Event, ...]:
    """Events for the staff about a side that played cards not dealt to it (ER-22)."""
    given = [{dealt.card for dealt in cards} for cards in deal.taken]
    if deal.ragged:
        given = [given[0] | given[1]] * 2
    wrong = [sum(card not in given[side] for card in played(deal, side)) for side in (0, 1)]
    return tuple(
        Contradicted(seat=seat_of(table, side), cards=wrong[side]) for side in (0, 1) if wrong[side]
    )


def unmark(table: Table, side: int, points: int, by: str) -> Step:
    """Take back `points` marks of a side. `by` is the rule's id."""
    score = list(the_partie(table).score)
    score[side] -= points
    table = on_partie(table, score=(score[0], score[1]))
    told = Unmarked(
        seat=seat_of(table, side), points=points, rule=by, left=score[0], right=score[1]
    )
    return table, (told,)


def annul(table: Table, by: str, *, dealer: int) -> Step:
    """Annul the deal by the rule `by`, and take back its marks (ER-16). `dealer` deals next."""
    deal, told = the_deal(table), tuple[Event, ...]()
    for side in (0, 1):
        if deal.marks[side]:
            table, more = unmark(table, side, deal.marks[side], by)
            told = (*told, *more)
    due = tuple(one for one in the_partie(table).due if one.deal != deal.number)
    table = on_partie(table, dealer=dealer, due=due)
    table = on_deal(
        table, marks=(0, 0), trick_marks=(0, 0), kings=(False, False), ended=False, annulled=True
    )
    over = DealAnnulled(deal=deal.number, dealer=seat_of(table, dealer), rule=by)
    return at(table, DealOver(), asked=(), undo=None), (*told, over)


def laid(deal: Deal | None) -> tuple[Dealt, ...]:
    """Every card of a deal that has left the Schlitten, except the turned-up card."""
    if deal is None:
        return ()
    return (*deal.taken[0], *deal.taken[1], *deal.top, *deal.bottom)


def emptied(table: Table) -> Step:
    """Gather the cards of the Schlitten. Closed cards stay secret until the partie ends (ER-20)."""
    shoe = table.felt.shoe
    if shoe is None:  # the Schlitten was already withdrawn
        return replace(table, deal=None), ()
    felt, calm = gathered(table.felt)
    before = table.partie.ordinal if table.partie else 0  # kept while a deal was set aside
    cards = (*laid(table.deal), *felt.hidden)
    cards = tuple(dealt for dealt in cards if dealt.ordinal > before)
    done = Emptied(shoe.id, felt.number, cards)
    if table.partie is not None:
        partie = table.partie
        table = on_partie(table, emptied=(*partie.emptied, done), ordinal=shoe.ordinal)
    counted = SchlittenCounted(shoe=shoe.id, coups=felt.coups - felt.first_coup + 1, remaining={})
    felt, more = taken_apart(replace(felt, hidden=(), kept=()))
    return replace(table, felt=felt, deal=None), (*calm, counted, *more)


def revealed(felt: Felt, done: tuple[Emptied, ...]) -> tuple[Event, ...]:
    """The proofs of all cards that stayed closed in these Schlitten (ER-20).

    They are published once the partie is over.
    """
    told: tuple[Event, ...] = ()
    for one in done:
        there = replace(felt, shoe=Shoe(one.shoe, 1, pack=32), number=one.number)
        told = (*told, *opened(there, 0, one.cards))
    return told


def partie_over(table: Table, winner: int, how: How) -> Step:
    """End the partie. Its stakes must then be settled.

    `winner` is the winner's side; -1 means that nobody won.
    """
    partie = the_partie(table)
    loser = 1 - winner if winner >= 0 else -1
    told = PartieEnded(
        partie=partie.number,
        winner=seat_of(table, winner),
        loser=seat_of(table, loser),
        left=partie.score[0],
        right=partie.score[1],
        how=how,
    )
    over = PartieOver(seat_of(table, winner), seat_of(table, loser))
    score = partie.score[::-1] if winner == 1 else partie.score
    done = Past(partie.number, over.winner, score)
    past = (*table.past[-REMEMBERED + 1 :], done)
    return at(table, over, asked=(), undo=None, past=past), (told,)
