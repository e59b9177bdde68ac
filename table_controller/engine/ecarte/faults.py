"""Faults, and the rulings on them: open cards, leaving, false cards, deals out of turn, strays."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from msgspec.structs import replace

from table_controller.engine.alerts import Alert, Alerts
from table_controller.engine.ecarte.betting import may_play_on
from table_controller.engine.ecarte.deal import (
    DUE,
    back_on_talon,
    buys,
    laid_again,
    mended,
    to_the_bottom,
    turned_too,
)
from table_controller.engine.ecarte.events import (
    DealMended,
    DealSetAside,
    How,
    OpenCards,
    PlayerReplaced,
    QuestionAnswered,
    RuleCalled,
    TurnedUp,
)
from table_controller.engine.ecarte.inputs import (
    Chooses,
    DealtOutOfTurn,
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
from table_controller.engine.ecarte.partie import (
    annul,
    ask,
    emptied,
    finish,
    king_shown,
    laid,
    lost_outright,
    mixing,
    partie_over,
    unmark,
)
from table_controller.engine.ecarte.playing import reply_mended, restored, taken_up, unended
from table_controller.engine.ecarte.state import (
    Asked,
    Awaited,
    Buying,
    Deal,
    Dealing,
    DealOver,
    Discarding,
    ElderToSpeak,
    LeadDue,
    NoSchlitten,
    Question,
    ReplyDue,
    Step,
    Table,
    Waiting,
    at,
    book_rule,
    first_due,
    for_side,
    foremost,
    on_deal,
    on_partie,
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
from table_controller.engine.messages import (
    AgainstRules,
    Event,
    OutOfTurn,
    Severity,
    Told,
    phrase,
)
from table_controller.engine.shoe import Dealt
from table_controller.engine.table import cards, devices
from table_controller.engine.table.events import CardCorrected, CardRemoved
from table_controller.engine.table.felt import Stray, after, calmed, released, stopped, warned
from table_controller.engine.table.inputs import (
    Annulled,
    Corrects,
    StrayRuled,
    StrayRuling,
    ThrownAway,
)
from table_controller.engine.table.repairs import corrected, with_reason
from table_controller.engine.table.schlitten import drawn, opened
from table_controller.rules.cards import Rank
from table_controller.rules.ecarte.marks import KING, TRICKS

# ---- Players' faults: open cards, cards thrown away, leaving, false cards; and matters to rule on

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
    return open_hand(table, side)


def open_hand(table: Table, side: int) -> Step:
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
    return open_hand(table, side)


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


# ---- What follows from each answer to a question that the rules leave to a person

Consequence = Callable[[Table, Asked], Step]


def chooses(table: Table, phase: Asked, said: Chooses) -> Step:
    """The person who was asked chooses an answer, which nobody can take back."""
    if seat_of(table, phase.side) != said.seat or said.option not in phase.options:
        raise OutOfTurn(
            phrase("That is no answer to what is asked."),
            phrase("Who is asked chooses one of the answers."),
            phase.rule,
        )
    told = QuestionAnswered(seat=said.seat, question=phase.question, option=said.option)
    table = at(table, table.phase, asked=table.asked[:-1], undo=None)
    table, more = _ANSWERS[phase.question, said.option](table, phase)
    return table, (told, *more)


def _stands(table: Table, _asked: Asked) -> Step:
    return table, ()


def _annulled(dealer: Callable[[Deal], int]) -> Consequence:
    def answer(table: Table, asked: Asked) -> Step:
        return annul(table, asked.rule, dealer=dealer(the_deal(table)))

    return answer


_AGAIN = _annulled(lambda deal: deal.dealer)
_PASSES = _annulled(lambda deal: deal.elder)


def _back(table: Table, _asked: Asked) -> Step:
    return table, ()  # the card is already the next to be served


def _bottom(table: Table, asked: Asked) -> Step:
    return to_the_bottom(table, asked), ()


def _mended(table: Table, asked: Asked) -> Step:
    return mended(table, asked.about, asked.cards), ()


def _excused(table: Table, asked: Asked) -> Step:
    """The croupier rules that the play counts, because an entry was wrong or it was no revoke."""
    table = for_side(table, asked.about, excused=True)
    if isinstance(table.phase, LeadDue) and len(the_deal(table).tricks) == TRICKS:
        return finish(table)
    return table, ()


def _reply_mended(table: Table, asked: Asked) -> Step:
    return reply_mended(table, asked.about), ()


_ANSWERS: dict[tuple[Question, Option], Consequence] = {
    (Question.PACKETS, Option.KEEP): _stands,
    (Question.PACKETS, Option.ANNUL): _AGAIN,
    (Question.FACED, Option.KEEP): _stands,
    (Question.FACED, Option.ANNUL): _PASSES,
    (Question.EXPOSED, Option.KEEP): _stands,
    (Question.EXPOSED, Option.ANNUL): _PASSES,
    (Question.TWO_TURNED, Option.BACK): _back,
    (Question.TWO_TURNED, Option.BOTTOM): _bottom,
    (Question.TWO_TURNED, Option.ANNUL): _PASSES,
    (Question.DEALER_SHORT, Option.TAKE): _mended,
    (Question.DEALER_SHORT, Option.ANNUL): _PASSES,
    (Question.DEALER_OVER, Option.DRAW): _mended,
    (Question.DEALER_OVER, Option.ANNUL): _PASSES,
    (Question.ELDER_SHORT, Option.TAKE): _mended,
    (Question.ELDER_SHORT, Option.DEAL): _PASSES,
    (Question.ELDER_OVER, Option.PUT_ASIDE): _mended,
    (Question.ELDER_OVER, Option.DEAL): _PASSES,
    (Question.NUMBER, Option.TAKE): _mended,
    (Question.NUMBER, Option.ANNUL): _PASSES,
    (Question.OPEN, Option.DEMAND): lambda table, asked: open_hand(table, asked.about),
    (Question.OPEN, Option.WAIVE): _stands,
    (Question.SHOW_KING, Option.SHOWN): lambda t, asked: king_shown(t, asked.about, shown=True),
    (Question.SHOW_KING, Option.NOT_SHOWN): lambda t, asked: king_shown(
        t, asked.about, shown=False
    ),
    (Question.REVOKE, Option.RESTORE): lambda table, asked: restored(table, asked.about),
    (Question.REVOKE, Option.MEND): _reply_mended,
    (Question.REVOKE, Option.STANDS): _excused,
    (Question.THROWN, Option.TWO): lambda table, asked: two_marks(table, asked.about),
    (Question.THROWN, Option.TRICKS): lambda table, asked: tricks_given(table, asked.about),
    (Question.LEFT, Option.LOSES): lambda t, asked: left(t, asked.about, Option.LOSES),
    (Question.LEFT, Option.VOID): lambda t, asked: left(t, asked.about, Option.VOID),
    (Question.LEFT, Option.STANDS): lambda t, asked: left(t, asked.about, Option.STANDS),
    (Question.FALSE_CARDS, Option.VOID): lambda t, _asked: partie_over(t, -1, How.VOID),
    (Question.FALSE_CARDS, Option.STANDS): _stands,
}


# ---- A deal by the wrong player is void, set aside, or kept with dealer and elder exchanged

T = TypeVar("T")


def spoken(table: Table) -> bool:
    """Whether elder has proposed or a card was led, so that the deal counts (E00-18, ER-39)."""
    deal = the_deal(table)
    return deal.turned is not None and (
        bool(deal.bought) or not isinstance(table.phase, ElderToSpeak)
    )


def may_turn(table: Table) -> bool:
    """Whether a deal by the wrong player can still be reported (ER-39).

    It can until somebody marks for the tricks.
    """
    deal = table.deal
    if deal is None or deal.annulled or deal.thrown_in or any(deal.trick_marks):
        return False
    return deal.ended or not isinstance(table.phase, DealOver)


def out_of_turn(table: Table, _phase: Awaited, said: DealtOutOfTurn) -> Step:
    """The wrong player dealt. Before the turn-up the deal is void, later the house's rule decides.

    Once elder has spoken or a card is led, the deal counts, and the player who dealt is the dealer
    (ER-39). Source: E07-18, E00-18, EDE-20.
    """
    deal, by = the_deal(table), book_rule(table, "18", "18", "20")
    if not may_turn(table):
        raise OutOfTurn(
            phrase("The marks of the deal are set."), phrase("The next deal goes by turns."), by
        )
    late = said.proposed or spoken(table)
    if deal.turned is None or (table.house.out_of_turn == "passes" and not late):
        return annul(table, by, dealer=deal.dealer)
    table, told = _turned_round(table, by)
    if not late and table.house.out_of_turn == "set_aside":
        table, more = _set_aside(table)
        return table, (*told, *more)
    told = (*told, DealMended(rule=by))
    if not deal.ended:
        return _goes_on(table), told
    table, back = unended(table)
    table, more = finish(table)
    return table, (*told, *back, *more)


def _turned_round(table: Table, by: str) -> Step:
    """The table after dealer and elder exchanged their parts, because the other player dealt.

    Everything that depends on these parts is exchanged too. Cards that were played stay with their
    players, and so do reports that name a player.
    """
    table = _packets_round(table)
    deal = the_deal(table)
    gone = [len(played(deal, side)) for side in (0, 1)]
    held = [deal.held[1 - side] + gone[1 - side] - gone[side] for side in (0, 1)]
    first = deal.tricks[0].leader if deal.tricks else deal.leader if deal.led else -1
    told: tuple[Event, ...] = ()
    if deal.turned_marked:  # that player did not turn it up
        table, told = unmark(table, deal.dealer, KING, by)
    table = on_deal(
        table,
        dealer=deal.elder,
        taken=_swapped(deal.taken),
        looked=_swapped(deal.looked) if spoken(table) else deal.looked,  # a report names a player
        held=(held[0], held[1]),
        authority=first == deal.dealer and not deal.bought and not deal.refused,
        turned_marked=False,
    )
    if deal.turned_marked:
        less = deal.marks[deal.dealer] - KING
        table = on_deal(table, marks=paired(deal.marks, deal.dealer, less))
    return table, told


def _packets_round(table: Table) -> Table:
    """The table where the way of dealing is that of the player who dealt (E07-14, ER-21, ER-45).

    If it was said for this deal, he has it for the partie, and the other one none yet. Otherwise
    the cards lie by his own way, if he has one.
    """
    deal, partie = the_deal(table), the_partie(table)
    dealt = deal.elder
    if deal.chosen:
        packets = paired(paired(partie.packets, deal.dealer, 0), dealt, deal.first)
        return on_partie(table, packets=packets)
    own = partie.packets[dealt]
    if not own or own == deal.first or deal.bought:
        return table
    return laid_again(on_deal(table, first=own))


def _swapped(pair: tuple[T, T]) -> tuple[T, T]:
    return pair[1], pair[0]


def _goes_on(table: Table) -> Table:
    """The table once dealer and elder have exchanged their parts: the other player must act now.

    The first lead, if it was made, may have become a lead out of turn.
    """
    phase, deal = table.phase, the_deal(table)
    match phase:
        case Discarding() | Buying():
            return at(table, replace(phase, side=1 - phase.side))
        case LeadDue() if not deal.tricks:
            return at(on_deal(table, leader=deal.elder), phase)
        case ReplyDue() if not deal.tricks:
            silent = not (deal.refused or deal.bought)
            return at(table, ReplyDue(unspoken=silent and deal.leader != deal.elder))
        case _:
            return at(table, phase)


def _set_aside(table: Table) -> Step:
    """Set this deal aside, because the wrong player dealt it.

    The rightful dealer deals first, with the other pack. This deal is played next, just as it is
    (E00-18, ER-45).
    """
    deal, shoe = the_deal(table), table.felt.shoe
    told: tuple[Event, ...] = ()
    for side in (0, 1):  # a mark for a king waits with its deal
        if deal.marks[side]:
            table, more = unmark(table, side, deal.marks[side], "E00-18")
            told = (*told, *more)
    rightful = deal.elder
    table, counted = emptied(table)
    if shoe is not None:
        aside = (*the_partie(table).aside, Waiting(deal, shoe))
        table = on_partie(table, aside=aside, dealer=rightful)
    said = DealSetAside(dealer=seat_of(table, deal.dealer))
    return at(table, NoSchlitten(), asked=(), undo=None), (*told, said, *counted)


# ---- Cards that left the Schlitten when none was due, and corrections


def lying(table: Table) -> tuple[Dealt, ...]:
    """The cards of the deal that may be closed: all that have left, except the turned-up card."""
    return laid(table.deal)


def lay(table: Table, dealt: Dealt, alerts: Alerts) -> Step:
    """Deal a known card to the place where it was due, or else lay it aside as a stray (R-19).

    `alerts` were open when the card left.
    """
    phase = foremost(table)
    if isinstance(phase, Asked):  # a question to a player does not stop the dealer
        phase = table.phase
    due = DUE.get(type(phase))
    begins = isinstance(phase, Dealing) and first_due(table)
    held = devices.stopped(alerts) or (begins and devices.waiting(alerts))
    if due and not held:
        return due(table, phase, dealt)
    felt, told = warned(table.felt, stray_alert(dealt))
    now = after(table, stopped(felt, Stray(dealt)))
    return now, (*drawn(table.felt, 0, dealt), *told)


def correctable(table: Table) -> tuple[Dealt, ...]:
    """The cards whose reading may be corrected: those dealt closed, and the turned-up card (R-20).

    The turned-up card may be corrected until elder has spoken or somebody has marked.
    """
    deal = table.deal
    if deal is None or not under_way(table) or table.felt.stops:
        return ()
    first = isinstance(table.phase, ElderToSpeak) and not deal.bought and deal.marks == (0, 0)
    return (*deal.taken[0], *deal.taken[1], *((deal.turned,) if deal.turned and first else ()))


def corrects(table: Table, _phase: Awaited, said: Corrects) -> Step:
    """A supervisor corrects a misread card (R-20).

    The count, the card's promise and, for the turned-up card, the trumps change too.
    """
    deal = the_deal(table)
    old = next((card for card in correctable(table) if card.ordinal == said.ordinal), None)
    if old is None:
        raise OutOfTurn(
            phrase("Card {ordinal} does not lie on the table.", ordinal=said.ordinal),
            phrase("Name a card of the present coup by its number."),
            "R-20",
        )
    with_reason(said.reason)
    felt, new = corrected(table.felt, said, old, lying(table))
    told: Told = (CardCorrected(ordinal=new.ordinal, attempt=new.attempt),)
    if old is deal.turned:
        dealer = seat_of(table, deal.dealer)
        king = new.card.rank is Rank.KING
        table = on_deal(replace(table, felt=felt), turned=new, turned_marked=False)
        told = (*told, *drawn(felt, 0, new), *opened(felt, 0, (new,)))
        return at(table, table.phase), (*told, TurnedUp(seat=dealer, card=new.card, king=king))
    left, right = (tuple(new if card is old else card for card in hand) for hand in deal.taken)
    seat = seat_of(table, 0 if new in left else 1)
    table = on_deal(replace(table, felt=felt), taken=(left, right))
    return at(table, table.phase), (*told, *drawn(felt, seat, new))


def thrown_away(table: Table, _phase: Awaited, _said: ThrownAway) -> Step:
    """The cards got mixed up. The deal is void, and the same dealer deals again.

    The cards of the Schlitten are gathered.
    """
    if not under_way(table):
        raise OutOfTurn(
            phrase("No coup is under way that could be annulled."),
            phrase("Close it and load the next one."),
            "R-20",
        )
    table, told = annul(table, rule(table, "11"), dealer=the_deal(table).dealer)
    table, more = emptied(table)
    return at(table, mixing(table), asked=(), undo=None), (*told, *more)


def stray_alert(dealt: Dealt) -> Alert:
    """The alert for a card that left when none was due, with the remedy.

    It never names the card.
    """
    return replace(
        cards.stray_alert(dealt),
        severity=Severity.STOP,
        remedy=phrase("Closed, it goes back on the talon; or it lies open. Say which."),
    )


#: The possible rulings on a stray card at écarté.
RULINGS = (StrayRuling.BACK, StrayRuling.FACE_UP)


def stray_ruled(table: Table, phase: Stray, said: StrayRuled) -> Step:
    """The croupier rules on a stray (E07-25, ER-23).

    If the stray is closed, it goes back on top of the talon. If it is open, it counts as turned up
    by mistake.
    """
    dealt, deal = phase.dealt, table.deal
    if said.ruling not in RULINGS:
        raise AgainstRules(
            phrase("A deal is one Schlitten: no card is kept for the next."),
            phrase("Say whether it is closed or uncovered."),
            "R-19",
        )
    if not under_way(table) or deal is None or deal.turned is None:
        felt, told = cards.stray_ruled(table.felt, phase, said)
        return after(table, felt), told
    felt, told = calmed(table.felt, stray_alert(dealt).id)
    told = (CardRemoved(ordinal=dealt.ordinal, ruling=said.ruling), *told)
    table = after(table, released(felt))
    if said.ruling is StrayRuling.BACK:
        table = back_on_talon(table, dealt)
        now = table.phase
        return (buys(table, now) if isinstance(now, Buying) else table), told
    shown: tuple[Event, ...] = opened(felt, 0, (dealt,))
    table, more = turned_too(table, table.phase, dealt)
    return table, (*shown, *told, *more)
