"""A partie from the cut for the deal to its last mark: how it begins, how a deal counts, its end.

Players make marks; the program does not.
"""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.ecarte.events import (
    CardsAsked,
    Contradicted,
    CutShown,
    DealAnnulled,
    DealEnded,
    DealerFound,
    DealResumed,
    How,
    KingSaid,
    Marked,
    MarksDue,
    PartieBegun,
    PartieEnded,
    QuestionAsked,
    Unmarked,
)
from table_controller.engine.ecarte.inputs import (
    CutFaulty,
    CutsForDeal,
    FreshCards,
    Marks,
    Onward,
    Opponents,
    Option,
    Packets,
    Reshuffles,
    SaysKing,
    Unmarks,
    Why,
)
from table_controller.engine.ecarte.state import (
    Asked,
    Awaited,
    CutDue,
    Deal,
    Dealing,
    DealOver,
    Due,
    ElderToSpeak,
    Emptied,
    NoSchlitten,
    PacketsDue,
    Partie,
    PartieOver,
    Past,
    PlayersDue,
    Question,
    Step,
    Table,
    Waiting,
    at,
    book_rule,
    for_side,
    known,
    of_the_pack,
    on_deal,
    on_felt,
    on_partie,
    on_this,
    paired,
    played,
    rule,
    seat_of,
    side_of,
    the_deal,
    the_partie,
    tricks_of,
    under_way,
)
from table_controller.engine.messages import AgainstRules, Event, OutOfTurn, Restored, phrase
from table_controller.engine.shoe import Dealt, Shoe
from table_controller.engine.table import schlitten
from table_controller.engine.table.events import SchlittenCounted
from table_controller.engine.table.felt import Felt
from table_controller.engine.table.inputs import (
    Annulled,
    Prepared,
    SchlittenClosed,
    SchlittenLoaded,
)
from table_controller.engine.table.repairs import with_reason
from table_controller.engine.table.schlitten import gathered, opened, taken_apart, withdrawn
from table_controller.engine.table.seating import present
from table_controller.rules.cards import Card, Rank
from table_controller.rules.ecarte import marks
from table_controller.rules.ecarte.marks import KING, PARTIE
from table_controller.rules.ecarte.tricks import drawn_height, height, king_of

# ---- The end of a deal and of a partie: counted, annulled or lost; and the marks that follow

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
    late = not no_second_lead(the_deal(table))
    table, told = _unmarked(table)
    deal = replace(the_deal(table), ended=True, thrown_in=True)
    pays = deal.false_kings[1 - side] and late and table.house.false_king == "penalty"
    table, more = _ended(table, deal, (Due(side, points + int(pays), Why.TRICKS, by, deal.number),))
    return table, (*told, *more)


def no_second_lead(deal: Deal) -> bool:
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


# ---- Asks a question that the rules leave to a player or to the croupier, with the rule's id


def ask(
    table: Table,
    question: Question,
    side: int,
    by: str,
    *options: Option,
    about: int = -1,
    cards: int = 0,
) -> Step:
    """Ask `side` (-1: the croupier) this question. The table waits for the answer.

    `by` is the rule's id, `about` the side that the question is about. `cards` is the number of
    cards, or the ordinal of the one card, that it is about.
    """
    asked = Asked(question, side, options, by, about, cards)
    told = QuestionAsked(seat=seat_of(table, side), question=question, rule=by)
    return at(table, table.phase, asked=(*table.asked, asked), undo=None), (told,)


# ---- The mark for the king and its deadlines; and marks, which players make, not the program


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
    return deal is not None and not deal.replayed and no_second_lead(deal)


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


def sets_mark(table: Table, _phase: Awaited, said: Marks) -> Step:
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


# ---- How a partie begins: cut for the deal, shuffling, loading, packets

#: Steps before a Schlitten is loaded: shuffle and cut (E07-13, ER-20).
STEPS = 2


def opponents(table: Table, _phase: PlayersDue, said: Opponents) -> Step:
    """The croupier names two players, who begin a partie without stakes.

    If there are stakes, the betting begins the partie.
    """
    return begun(table, said.left, said.right)


def begun(table: Table, left: int, right: int) -> Step:
    """Begin a partie, whose players must cut for the deal (E07-10)."""
    if left == right:
        raise AgainstRules(
            phrase("Écarté is played by two."),
            phrase("Name two different players."),
            book_rule(table, "1", "1", "0"),
        )
    for seat in (left, right):
        present(table.felt, seat)
    number = table.parties + 1
    now = at(table, CutDue(), parties=number, partie=Partie(number, (left, right)), undo=None)
    return now, (PartieBegun(partie=number, left=left, right=right),)


def cuts(table: Table, phase: CutDue, said: CutsForDeal) -> Step:
    """A player cuts for the deal. The lower card deals, ace low (E07-10).

    At EDE the higher card deals (EDE-3, ER-12).
    """
    side = side_of(table, said.seat)
    if phase.cuts[side] is not None:
        raise OutOfTurn(
            phrase("Seat {seat} has cut.", seat=said.seat),
            phrase("The other player cuts now."),
            rule(table, "10"),
        )
    of_the_pack(table, said.card)
    shown = paired(phase.cuts, side, said.card)
    left, right = shown
    told = CutShown(seat=said.seat, card=said.card)
    if left is None or right is None:
        return at(table, CutDue(shown)), (told,)
    found = first_dealer(table, left, right)
    if found is None:
        return at(table, CutDue()), (told, DealerFound(seat=0))
    table = on_partie(table, dealer=found)
    dealer = DealerFound(seat=seat_of(table, found))
    return at(table, NoSchlitten()), (told, dealer)


def first_dealer(table: Table, left: Card, right: Card) -> int | None:
    """The side that deals first, or None if both must cut again (ER-12)."""
    if table.house.cut_for_deal == "lower":
        heights = drawn_height(left), drawn_height(right)
        return None if heights[0] == heights[1] else int(heights[1] < heights[0])
    heights = height(left), height(right)
    return None if heights[0] == heights[1] else int(heights[1] > heights[0])


def prepared(table: Table, phase: NoSchlitten, _said: Prepared) -> Step:
    """One step of mixing is done: the dealer has shuffled, or elder has cut (E07-13, EDE-4)."""
    the_partie(table)
    if phase.done == STEPS:
        raise OutOfTurn(
            phrase("The cards are shuffled and cut."),
            phrase("Load the Schlitten."),
            book_rule(table, "13", "13", "4"),
        )
    return at(table, NoSchlitten(phase.done + 1)), ()


def reshuffles(table: Table, phase: NoSchlitten, said: Reshuffles) -> Step:
    """Elder shuffles again before the cut; after him the dealer may (E07-49, E00-47)."""
    side = side_of(table, said.seat)
    if phase.done != 1 or side == the_partie(table).dealer:
        raise OutOfTurn(
            phrase("Only elder may shuffle again, before the cut."),
            phrase("The dealer may shuffle after him."),
            book_rule(table, "49", "47", "4"),
        )
    return at(table, NoSchlitten(0)), ()


def cut_faulty(table: Table, phase: NoSchlitten, _said: CutFaulty) -> Step:
    """The cut was faulty, so elder must cut again (E07-47, E00-45).

    He must lift at least two cards and leave two.
    """
    by = book_rule(table, "47", "45", "4")
    cut = phase.done == STEPS and not due_again(the_partie(table))
    if not cut or not table.house.cut_limits:
        raise OutOfTurn(phrase("No cut has been made."), phrase("Elder cuts."), by)
    return at(table, NoSchlitten(1)), ()


def fresh_cards(table: Table, phase: NoSchlitten, said: FreshCards) -> Step:
    """A player calls for fresh cards before the next cut (ER-18). The house says who pays (E07-48).

    If fresh cards are due because two cards were identical, nobody pays for them (ER-10).
    """
    side_of(table, said.seat)
    if phase.done == STEPS:
        raise OutOfTurn(
            phrase("The cards are shuffled and cut."),
            phrase("Fresh cards come before the next cut."),
            book_rule(table, "48", "46", "4"),
        )
    pays = table.house.fresh_cards == "asks" and not the_partie(table).fresh
    return at(on_partie(table, fresh=False), NoSchlitten()), (
        CardsAsked(seat=said.seat, pays=pays),
    )


def schlitten_loaded(table: Table, phase: NoSchlitten, said: SchlittenLoaded) -> Step:
    """A Schlitten of 32 cards was loaded; it is for one deal (ER-20)."""
    partie, felt = the_partie(table), table.felt
    if phase.done != STEPS:
        raise OutOfTurn(
            phrase("The cards are not shuffled and cut."),
            phrase("The dealer shuffles, elder cuts."),
            book_rule(table, "13", "13", "4"),
        )
    felt, ready = schlitten.loaded(felt, said, pack=table.house.pack)
    if felt.shoe is not None:  # only their numbers tell the promises of one partie apart
        felt = replace(felt, shoe=replace(felt.shoe, ordinal=partie.ordinal))
    table = replace(table, felt=felt, undo=None)
    waits = due_again(partie)
    if waits:
        table, told = _resumed(table, waits)
        return table, (*ready, *told)
    known = 3 if table.house.packets == "three_two" else partie.packets[partie.dealer]
    if not known:
        return at(table, PacketsDue()), ready
    return _deals(table, known, chosen=False), ready


def due_again(partie: Partie) -> Waiting | None:
    """The deal that was set aside and is played next, in its turn; None if there is none.

    Of several by one dealer, the one that was dealt first is played first (E00-18, ER-45).
    """
    return next((one for one in partie.aside if one.deal.dealer == partie.dealer), None)


def third_pack_due(table: Table) -> bool:
    """Whether all packs lie set aside, so that the next deal needs a fresh one (ER-45)."""
    partie = the_partie(table)
    return len(partie.aside) >= table.house.decks and due_again(partie) is None


def mixing(table: Table) -> NoSchlitten:
    """The phase before a deal. Before one that was set aside, nothing is shuffled (E00-18)."""
    return NoSchlitten(STEPS) if due_again(the_partie(table)) else NoSchlitten()


def no_third_pack(table: Table, _phase: NoSchlitten, said: Annulled) -> Step:
    """There is no third pack, so the deal that was set aside last is void (ER-45)."""
    with_reason(said.reason)
    partie = the_partie(table)
    if not third_pack_due(table):
        raise OutOfTurn(
            phrase("No deal is under way."), phrase("Shuffle, cut, load the Schlitten.")
        )
    void = partie.aside[-1].deal
    table = at(on_partie(table, aside=partie.aside[:-1]), NoSchlitten(), undo=None)
    dealer = seat_of(table, void.dealer)
    return table, (DealAnnulled(deal=void.number, dealer=dealer, rule="E00-18"),)


def _deals(table: Table, first: int, *, chosen: bool) -> Table:
    partie = the_partie(table)
    table = on_partie(on_felt(table, coups=table.felt.coups + 1), fresh=False)
    deal = Deal(table.felt.coups, partie.dealer, first, chosen)
    return at(table, Dealing(), deal=deal)


def packets(table: Table, _phase: PacketsDue, said: Packets) -> Step:
    """The dealer says the size of his first packet, three or two, for the whole partie (E07-14)."""
    if said.first not in (2, 3):
        raise AgainstRules(
            phrase("He deals by threes and twos."),
            phrase("Say which comes first, three or two."),
            book_rule(table, "13", "13", "4"),
        )
    partie = the_partie(table)
    table = on_partie(table, packets=paired(partie.packets, partie.dealer, said.first))
    return _deals(table, said.first, chosen=True), ()


def _resumed(table: Table, waiting: Waiting) -> Step:
    """Resume the deal that was set aside, with its hands, its talon and its marks (E00-18, ER-29).

    It is taken up just as it is: who had looked has looked, and what was marked is marked (ER-45).
    """
    shoe, now, partie = waiting.shoe, table.felt.shoe, the_partie(table)
    if now is not None:
        shoe = replace(shoe, id=now.id, ordinal=now.ordinal)
    left = tuple(one for one in partie.aside if one is not waiting)
    table = on_partie(on_felt(table, shoe=shoe, coups=table.felt.coups + 1), aside=left)
    deal = replace(waiting.deal, number=table.felt.coups, marks=(0, 0))
    table = at(table, ElderToSpeak(), deal=deal)
    told: tuple[Event, ...] = (DealResumed(dealer=seat_of(table, deal.dealer)),)
    for side in (0, 1):
        points = waiting.deal.marks[side]
        if points and not isinstance(table.phase, PartieOver):
            due = Due(side, points, Why.KING, "", deal.number)
            table, more = scored(table, side, points, due)
            told = (*told, *more)
    return table, told


def schlitten_closed(table: Table, _phase: DealOver, _said: SchlittenClosed) -> Step:
    """The cards of a deal were gathered. The next deal follows (ER-20)."""
    deal = table.deal if table.deal and table.deal.ended else None
    table, told = emptied(table)
    table = on_partie(table, last=deal)
    return at(table, mixing(table), undo=None), told


def restored(table: Table, _said: Restored) -> Step:
    """A backup was restored. The deal under way, and deals that were set aside, are void (R-54).

    Their cards cannot be dealt again.
    """
    told: tuple[Event, ...] = ()
    by = rule(table, "11")
    if table.deal and under_way(table):
        table, told = annul(table, by, dealer=table.deal.dealer)
    elif table.felt.shoe is not None and isinstance(table.phase, PacketsDue):
        table = at(table, NoSchlitten())
    partie = table.partie
    for one in partie.aside if partie else ():
        number, dealer = one.deal.number, seat_of(table, one.deal.dealer)
        told = (*told, DealAnnulled(deal=number, dealer=dealer, rule=by))
    if partie:
        last = table.felt.shoe.ordinal if table.felt.shoe else partie.ordinal
        table = on_partie(table, emptied=(), aside=(), ordinal=last)
    if table.deal:  # marks that are still due stay due, but the deal's cards are gone
        table = on_deal(table, taken=((), ()), turned=None, top=(), bottom=())
    felt, calm = gathered(table.felt)
    felt, more = withdrawn(felt)
    return replace(table, felt=felt, undo=None), (*told, *calm, *more)


def onward(table: Table, _phase: PartieOver, _said: Onward) -> Step:
    """The partie is settled.

    Its closed cards are revealed, and the next partie may begin (ER-20).
    """
    table, told = emptied(table)
    partie = the_partie(table)
    shown = revealed(table.felt, partie.emptied)
    return at(table, PlayersDue(), partie=None, deal=None, undo=None), (*shown, *told)
