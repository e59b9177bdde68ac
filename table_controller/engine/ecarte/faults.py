"""Players' faults: open cards, cards thrown away, leaving, false cards; and matters to rule on."""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.ecarte.chouette import may_play_on
from table_controller.engine.ecarte.ending import annul, finish, lost_outright, partie_over
from table_controller.engine.ecarte.events import (
    How,
    OpenCards,
    PlayerReplaced,
    RuleCalled,
)
from table_controller.engine.ecarte.facts import paired
from table_controller.engine.ecarte.inputs import (
    FalseCards,
    LooksAtTricks,
    Matter,
    Option,
    PlaysOn,
    Quits,
    Reported,
    ThrowsAway,
    ThrowsIn,
    Touched,
)
from table_controller.engine.ecarte.phases import Asked, LeadDue, Question, ReplyDue
from table_controller.engine.ecarte.questions import ask
from table_controller.engine.ecarte.revoking import taken_up
from table_controller.engine.ecarte.state import (
    Awaited,
    Step,
    Table,
    at,
    book_rule,
    for_side,
    on_deal,
    on_partie,
    rule,
    seat_of,
    side_of,
    the_deal,
    the_partie,
    tricks_of,
    under_way,
)
from table_controller.engine.messages import AgainstRules, OutOfTurn, phrase
from table_controller.engine.table.inputs import Annulled
from table_controller.engine.table.repairs import with_reason
from table_controller.rules.ecarte.marks import TRICKS

#: The matters that call for a ruling, and the rule for each in E07, E00 and EDE.
MATTERS: dict[Matter, tuple[str, str, str]] = {
    Matter.KARBATSCH: ("49", "47", "4"),
    Matter.OUTSIDER: ("51", "49", "0"),
    Matter.OTHER_HAND: ("58", "56", "16"),
    Matter.TRICKS_TAKEN: ("50", "48", "15"),
    Matter.FELL: ("53", "51", "13"),
}


def called_by(table: Table, matter: Matter) -> str:
    """The id of the rule that demands a ruling on the matter.

    If no rule covers the matter, the id is E00-59 at E00, and otherwise "".
    """
    if matter is not Matter.DOUBT:
        return book_rule(table, *MATTERS[matter])
    return "E00-59" if table.house.doubt == "against" else ""


def reported(table: Table, phase: Awaited, said: Reported) -> Step:
    """Somebody reports a matter on which the croupier or the committee must rule.

    A card that fell may be taken up again (E07-53, E00-51). Source: E07-49 to E07-53, E07-58.
    """
    by = called_by(table, said.matter)
    if said.matter is Matter.OTHER_HAND and not table.house.own_hand:
        raise OutOfTurn(phrase("Here anybody may write the marks down."), phrase("Play on."), by)
    if said.matter is Matter.FELL and isinstance(phase, LeadDue | ReplyDue):
        table = on_deal(table, fell=True)
    called = tuple(dict.fromkeys((*table.called, said.matter)))
    return replace(table, called=called), (RuleCalled(matter=said.matter, rule=by),)


def heard(table: Table) -> Table:
    """The table after a ruling: the matters reported before disappear from the page."""
    if table.deal is not None:
        table = on_deal(table, heard=len(table.deal.unbeaten))
    return replace(table, called=())


def touched(table: Table, _phase: Awaited, said: Touched) -> Step:
    """A player touched the discards or changed their number (E07-38), or looked at them (EDE-22).

    He must play with open cards.
    """
    side, deal = side_of(table, said.seat), the_deal(table)
    by = book_rule(table, "38", "38", "22")
    if not deal.laid_away:
        raise OutOfTurn(phrase("Nothing has been laid away."), phrase("Play on."), by)
    return _must_open(table, side, by)


def looks_at_tricks(table: Table, _phase: Awaited, said: LooksAtTricks) -> Step:
    """A player looked at covered tricks. He must play with open cards (E07-52, E00-50, EDE-22)."""
    side, by = side_of(table, said.seat), book_rule(table, "52", "50", "22")
    if not may_have_looked(table, side):
        raise OutOfTurn(phrase("No trick has been taken."), phrase("Play on."), by)
    return _must_open(table, side, by)


def may_have_looked(table: Table, side: int) -> bool:
    """Whether there are tricks that the side must not look at.

    These are its opponent's tricks (E07-52), or at EDE any tricks (EDE-22).
    """
    deal = the_deal(table)
    return bool(tricks_of(deal, 1 - side) or (table.house.discards == "demand" and deal.tricks))


def _must_open(table: Table, side: int, by: str) -> Step:
    """The player must play with open cards; at EDE only if his opponent demands it (EDE-22)."""
    if the_deal(table).open[side]:
        raise OutOfTurn(phrase("He plays with open cards already."), phrase("Play on."), by)
    if table.house.discards == "demand":
        return ask(table, Question.OPEN, 1 - side, by, Option.DEMAND, Option.WAIVE, about=side)
    return opened(table, side)


def opened(table: Table, side: int) -> Step:
    """The player's cards are open for the rest of the deal. The croupier enters them (ER-31)."""
    table = for_side(table, side, open=True)
    return at(table, table.phase), (OpenCards(seat=seat_of(table, side)),)


def throws_away(table: Table, _phase: Awaited, said: ThrowsAway) -> Step:
    """A player throws away all his cards. His opponent gets two marks (E07-54).

    At E00 the opponent gets them only if the cards cannot be sorted out (E00-52). Cards that a
    player shows to claim the remaining tricks are not thrown away, but played out (ER-15).
    """
    side = side_of(table, said.seat)
    if not may_throw(table, mixed=said.mixed):
        raise OutOfTurn(
            phrase("No card has been led: he takes them up again."),
            phrase(
                "Say that the cards cannot be sorted out, or have the deal annulled by a ruling."
            ),
            book_rule(table, "54", "52", "20"),
        )
    if table.house.thrown == "ruled":
        return ask(table, Question.THROWN, -1, "EDE-20", Option.TWO, Option.TRICKS, about=side)
    if table.house.thrown == "always" or said.mixed:
        return two_marks(table, side)
    return tricks_given(table, side)


def may_throw(table: Table, *, mixed: bool) -> bool:
    """Whether cards can be thrown away now.

    Before the first lead this is possible only if it gives the opponent marks. `mixed` means that
    the cards cannot be sorted out. Source: ER-33.
    """
    marks = {"always": True, "mixed": mixed, "ruled": False}[table.house.thrown]
    return marks or not the_deal(table).first_lead


def two_marks(table: Table, side: int) -> Step:
    """End the deal. The opponent of `side` may make two marks and no others (E07-54)."""
    return lost_outright(table, 1 - side, 2, book_rule(table, "54", "52", "17"))


def tricks_given(table: Table, side: int) -> Step:
    """`side` threw its cards away: give the remaining tricks to its opponent (E00-52, ER-8)."""
    deal = the_deal(table)
    if deal.led is not None:  # without a reply the card stays the leader's, but it is known
        table = taken_up(table, deal.leader, deal.led)
    left = TRICKS - len(deal.tricks)
    table = on_deal(table, given=paired(deal.given, 1 - side, left), led=None)
    return finish(table)


def throws_in(table: Table, _phase: Awaited, said: ThrowsIn) -> Step:
    """A player who has just trumped throws in his other cards, and must show them (E07-54, E00-52).

    Raises AgainstRules if he has not just trumped.
    """
    side, deal = side_of(table, said.seat), the_deal(table)
    by = book_rule(table, "54", "52", "17")
    last = deal.tricks[-1] if deal.tricks else None
    trumped = last and last.winner == side != last.leader and last.reply.suit == deal.trump
    if not trumped or deal.open[side]:
        raise AgainstRules(
            phrase(
                "Only a player who has just trumped may throw in the rest, and he must show it."
            ),
            phrase("Play on, or say that he threw his cards away."),
            by,
        )
    return opened(table, side)


def quits(table: Table, _phase: Awaited, said: Quits) -> Step:
    """A player leaves the partie, at any time once it is held (E07-55, ER-47).

    The croupier decides. He does not lose it if force majeure made him leave. At E00 a partner may
    play on for him. EDE has no rule for it: the partie ends, and the stakes go back.
    """
    side = side_of(table, said.seat)
    by = book_rule(table, "55", "53", "0")
    _asked_once(table, Question.LEFT, by)
    options = {
        "vis_major": (Option.LOSES, Option.VOID),
        "always": (Option.LOSES,),
        "ruled": (Option.VOID,),
    }[table.house.leaving]
    return ask(table, Question.LEFT, -1, by, *options, Option.STANDS, about=side)


def _asked_once(table: Table, question: Question, by: str) -> None:
    """Raise OutOfTurn if the croupier is being asked that already."""
    if any(asked.question is question for asked in table.asked):
        raise OutOfTurn(phrase("The croupier is asked that already."), phrase("Answer it."), by)


def plays_on(table: Table, phase: Asked, said: PlaysOn) -> Step:
    """Another person plays the partie on for a player who left (E00-53, ER-7, ER-35).

    Raises AgainstRules if he has no stake or share in it, or if the house does not play by E00.
    """
    side = side_of(table, said.seat)
    if phase.question is not Question.LEFT or phase.about != side:
        raise OutOfTurn(phrase("He has not left."), phrase("Play on."), "E00-53")
    able = may_play_on(table, side) if table.house.leaving == "always" else ()
    if not able:
        raise AgainstRules(
            phrase("Nobody else can play on in his place."),
            phrase("Who leaves has lost."),
            book_rule(table, "55", "53", "0"),
        )
    if said.to not in able:
        raise AgainstRules(
            phrase("Seat {seat} cannot play on in his place.", seat=said.to),
            phrase("Seat {seat} may: he is interested in it.", seat=able[0]),
            "ER-35",
        )
    table = on_partie(table, seats=paired(the_partie(table).seats, side, said.to))
    table = at(table, table.phase, asked=table.asked[:-1])
    return table, (PlayerReplaced(seat=said.seat, to=said.to),)


def left(table: Table, side: int, option: Option) -> Step:
    """What follows if a player left: he loses, the partie is void, or he stays after all.

    `side` is the player's side.
    """
    if option is Option.LOSES:
        return partie_over(table, 1 - side, How.LEFT)
    if option is Option.VOID:
        return partie_over(table, -1, How.VOID)
    return table, ()


def false_cards(table: Table, _phase: Awaited, _said: FalseCards) -> Step:
    """False cards were found. The croupier decides whether the partie is void (E07-56).

    Earlier parties count.
    """
    the_partie(table)
    by = book_rule(table, "56", "54", "20")
    _asked_once(table, Question.FALSE_CARDS, by)
    return ask(table, Question.FALSE_CARDS, -1, by, Option.VOID, Option.STANDS)


def annulled(table: Table, _phase: Awaited, said: Annulled) -> Step:
    """A supervisor annuls the deal by a ruling, and the same dealer deals again."""
    deal = the_deal(table)
    with_reason(said.reason)
    if not under_way(table):
        raise OutOfTurn(phrase("The deal is over."), phrase("Its marks can be taken back."), "R-20")
    return annul(table, rule(table, "11"), dealer=deal.dealer)
