"""The deal: where the cards go that leave the Schlitten, propositions, discards and mistakes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from table_controller.engine.ecarte.events import (
    CardExposed,
    CardsCounted,
    DealMended,
    Discarded,
    MarksLapsed,
    MayNotMarkKing,
    MustGrant,
    ProposalAnswered,
    Proposed,
    TurnedUp,
)
from table_controller.engine.ecarte.inputs import (
    Accepts,
    AskedWrongly,
    Counted,
    Discards,
    Exposed,
    FacedInPack,
    Looks,
    Option,
    Proposes,
    Refuses,
    Why,
    WrongNumber,
    WrongPackets,
)
from table_controller.engine.ecarte.partie import annul, ask, told_due, unmark
from table_controller.engine.ecarte.playing import claimable
from table_controller.engine.ecarte.state import (
    Asked,
    Awaited,
    Buying,
    Deal,
    DealerToAnswer,
    Dealing,
    Discarding,
    Due,
    ElderToSpeak,
    LeadDue,
    Question,
    Step,
    Table,
    at,
    book_rule,
    for_side,
    hand_open,
    known,
    on_deal,
    on_felt,
    on_partie,
    on_this,
    paired,
    rule,
    seat_of,
    side_of,
    talon,
    the_deal,
    the_partie,
)
from table_controller.engine.messages import AgainstRules, Event, Input, OutOfTurn, phrase
from table_controller.engine.pieces import Note
from table_controller.engine.shoe import Dealt
from table_controller.engine.table.schlitten import drawn, opened
from table_controller.rules.cards import Rank
from table_controller.rules.ecarte.marks import KING
from table_controller.rules.ecarte.regle import is_regle

# ---- The deal: where the cards go that leave the Schlitten, and the mistakes that can happen

#: The number of cards in a hand, and the number of the card that is turned up.
HAND, TURN_UP = 5, 11


def place(deal: Deal, number: int) -> int:
    """The side that receives the card with this number in the deal, counted from 1 (E07-13)."""
    first, second = deal.first * 2, 10
    packet = deal.first if number <= first else HAND - deal.first
    within = number - 1 if number <= first else number - 1 - first
    return deal.elder if within < packet and number <= second else deal.dealer


def dealt_card(table: Table, _phase: Dealing, dealt: Dealt) -> Step:
    """Deal a card, first to elder, in packets of three and two; turn up the eleventh.

    Source: E07-13, EDE-4, EDE-5.
    """
    deal = the_deal(table)
    number = deal.came + 1
    if number == TURN_UP:
        return _turned_up(on_deal(table, came=number), dealt)
    side = place(deal, number)
    table = for_side(
        on_deal(table, came=number),
        side,
        taken=(*deal.taken[side], dealt),
        held=deal.held[side] + 1,
    )
    return table, drawn(table.felt, seat_of(table, side), dealt)


def _turned_up(table: Table, dealt: Dealt) -> Step:
    """The eleventh card is turned up; its suit is trumps (E07-57, ER-13).

    Marks for the previous deal that nobody made are lost.
    """
    deal, partie = the_deal(table), the_partie(table)
    seat = seat_of(table, deal.dealer)
    told: tuple[Event, ...] = (*drawn(table.felt, 0, dealt), *opened(table.felt, 0, (dealt,)))
    king = dealt.card.rank is Rank.KING
    told = (*told, TurnedUp(seat=seat, card=dealt.card, king=king))
    if table.house.marks_until == "turn_up":
        told = (
            *told,
            *(MarksLapsed(seat=seat_of(table, due.side), points=due.points) for due in partie.due),
        )
        table = on_partie(table, due=())
    table = at(on_deal(on_partie(table, last=None), turned=dealt), ElderToSpeak(), undo=None)
    if not deal.exposed:
        return table, told
    table, more = _elder_says(table)
    return table, (*told, *more)


def _elder_says(table: Table) -> Step:
    """Ask elder whether the deal counts, because one of his cards was exposed (E07-17).

    He had not looked at his cards then.
    """
    by, elder = rule(table, "17"), the_deal(table).elder
    return ask(table, Question.EXPOSED, elder, by, Option.KEEP, Option.ANNUL)


def bought_card(table: Table, phase: Buying, dealt: Dealt) -> Step:
    """A player gets one card that replaces a discarded card (E07-35)."""
    table, told = _received(table, phase.side, dealt)
    due, shoe = replace(phase, due=phase.due - 1), table.felt.shoe
    if not due.due:
        return _bought(table, phase), told
    if shoe and not shoe.left:  # the cards under the talon follow
        return buys(table, due), told
    return replace(table, phase=due), told


def _received(table: Table, side: int, dealt: Dealt, *, seen: bool = False) -> Step:
    deal = the_deal(table)
    table = for_side(table, side, taken=(*deal.taken[side], dealt), held=deal.held[side] + 1)
    return table, () if seen else drawn(table.felt, seat_of(table, side), dealt)


def _bought(table: Table, done: Buying) -> Table:
    """The table after a player got his new cards.

    After elder's cards the dealer discards. After the dealer's cards, elder speaks again.
    """
    deal = the_deal(table)
    if done.mends:
        return at(table, LeadDue() if done.lead else ElderToSpeak())
    if done.side == deal.elder and talon(table):
        return at(table, Discarding(deal.dealer))
    return at(on_deal(table, looked=(False, False)), ElderToSpeak())


def buys(table: Table, due: Buying) -> Table:
    """The table where the player of `due` gets new cards.

    Cards that are already out of the Schlitten are dealt first, in their order (ER-23).
    """
    deal, side, cards = the_deal(table), due.side, due.due
    while cards and deal.top:
        table = on_deal(table, top=deal.top[1:])
        table, _ = _received(table, side, deal.top[0], seen=True)
        deal, cards = the_deal(table), cards - 1
    shoe = table.felt.shoe
    while cards and deal.bottom and shoe and not shoe.left:
        table = on_deal(table, bottom=deal.bottom[1:])
        table, _ = _received(table, side, deal.bottom[0], seen=True)
        deal, cards = the_deal(table), cards - 1
    return at(table, replace(due, due=cards)) if cards else _bought(table, due)


#: Phases in which a card is due, and the function that handles it.
DUE: dict[type, Callable[[Table, Any, Dealt], Step]] = {Dealing: dealt_card, Buying: bought_card}


# Mistakes in the deal


def looks(table: Table, _phase: Awaited, said: Looks) -> Step:
    """A player looks at his cards. Some rights last only until he looks (E07-19, E07-26)."""
    side = side_of(table, said.seat)
    if the_deal(table).looked[side]:
        raise OutOfTurn(phrase("He has looked already."), phrase("Nothing is to be done."))
    return replace(for_side(table, side, looked=True), prompt=table.prompt + 1), ()


def faced_in_pack(table: Table, phase: Dealing | Buying, _said: FacedInPack) -> Step:
    """A card was face up in the pack. The eleventh card, which is turned up anyway, does not count.

    At the first distribution the deal is void, and the same dealer deals again. If elder bought the
    card, he may accept it or annul the deal; if he annuls it, the other player deals next (E07-16).
    The dealer must accept a card that he bought. At EDE the croupier decides about bought cards.
    Source: E07-15, EDE-21.
    """
    deal = the_deal(table)
    if isinstance(phase, Buying):
        return _faced_bought(table, phase.side)
    if not deal.came:
        raise OutOfTurn(phrase("No card has been dealt."), phrase("Deal first."), rule(table, "15"))
    return annul(table, book_rule(table, "15", "15", "21"), dealer=deal.dealer)


def _faced_bought(table: Table, side: int) -> Step:
    deal, house = the_deal(table), table.house
    by = book_rule(table, "16", "16", "21")
    told = (CardExposed(seat=seat_of(table, side)),)
    if house.faced_bought == "rules":
        table, more = ask(table, Question.FACED, -1, by, Option.KEEP, Option.ANNUL)
        return table, (*told, *more)
    if side == deal.dealer:
        return table, told
    table, more = ask(table, Question.FACED, side, by, Option.KEEP, Option.ANNUL)
    return table, (*told, *more)


def exposable(table: Table) -> tuple[int, ...]:
    """The sides for which somebody may still report that the dealer exposed one of their cards.

    A dealt card may be reported until elder looks at his cards (E07-17), or at EDE until a card is
    led (EDE-21). A bought card may be reported until its owner looks at his other cards (E07-16),
    or at E00 until a card is led (E00-16).
    """
    deal = the_deal(table)
    if not deal.first_lead:
        return ()
    if not deal.bought:
        early = table.house.faced == "new_deal" or not deal.looked[deal.elder]
        return tuple(side for side in (0, 1) if deal.taken[side] and early)
    late = table.house.faced_bought != "unseen"
    got = (side for side in (0, 1) if len(deal.taken[side]) > HAND)
    return tuple(side for side in got if late or not deal.looked[side])


def exposed(table: Table, phase: Awaited, said: Exposed) -> Step:
    """The dealer exposed a card.

    If the card is his own, the deal counts; if it is elder's, elder decides.

    Source: E07-17, EDE-21.
    """
    deal, side = the_deal(table), side_of(table, said.seat)
    if side not in exposable(table):
        raise OutOfTurn(
            phrase("It is claimed before he has looked at his other cards."),
            phrase("Play on, or annul the deal by a ruling."),
            book_rule(table, *(("16", "16", "21") if deal.bought else ("17", "17", "21"))),
        )
    if deal.bought:
        return _faced_bought(table, side)
    told = (CardExposed(seat=said.seat),)
    if table.house.faced == "new_deal":
        table, more = annul(table, "EDE-21", dealer=deal.dealer)
        return table, (*told, *more)
    if side == deal.dealer:
        return table, told
    if isinstance(phase, Dealing):  # elder is asked once the deal is complete
        return on_deal(table, exposed=True), told
    table, more = _elder_says(table)
    return table, (*told, *more)


def wrong_packets(table: Table, _phase: Awaited, said: WrongPackets) -> Step:
    """The dealer changed the size of his packets.

    Elder may annul the deal before he looks (E07-14).
    """
    deal = the_deal(table)
    if table.house.packets == "three_two" and said.first == 2:
        return annul(table, "EDE-20", dealer=deal.elder)
    late = deal.looked[deal.elder] or deal.bought
    if said.first not in (2, 3) or said.first == deal.first or late:
        raise OutOfTurn(
            phrase("This is said before elder looks, and names the other way."),
            phrase("Play on, or annul the deal by a ruling."),
            rule(table, "14"),
        )
    table = on_deal(table, first=said.first)
    table = laid_again(table)
    return ask(table, Question.PACKETS, deal.elder, rule(table, "14"), Option.KEEP, Option.ANNUL)


def laid_again(table: Table) -> Table:
    """The table with the cards assigned by the packets that were really dealt (ER-21)."""
    deal = the_deal(table)
    cards = sorted((*deal.taken[0], *deal.taken[1]), key=lambda dealt: dealt.ordinal)
    taken: list[list[Dealt]] = [[], []]
    for number, dealt in enumerate(cards, 1):
        taken[place(deal, number)].append(dealt)
    hands = (tuple(taken[0]), tuple(taken[1]))
    return on_deal(table, taken=hands, held=(len(hands[0]), len(hands[1])))


def wrong_number(table: Table, _phase: Awaited, _said: WrongNumber) -> Step:
    """A player got too many cards or too few at the first distribution.

    If nobody has looked, the number is corrected; otherwise the deal is void and the other player
    deals. Raises OutOfTurn once cards are bought or a card is led. Source: E07-11, E07-19, EDE-20.
    """
    deal, by = the_deal(table), book_rule(table, "19", "19", "20")
    if deal.bought or not deal.first_lead:
        raise OutOfTurn(
            phrase("This is said at the first distribution."),
            phrase("Say how many cards a player holds."),
            by,
        )
    if table.house.wrong_number == "passes" or True in deal.looked:
        return annul(table, by, dealer=deal.elder)
    return on_deal(table, ragged=True), (DealMended(rule=by),)


# Cards turned up by mistake (E07-25, E07-42, ER-18, ER-23)


def turned_too(table: Table, phase: Awaited, dealt: Dealt) -> Step:
    """A card was opened by mistake.

    Before elder has bought cards or led, he decides what follows. Later the card goes under the
    talon.
    """
    deal = the_deal(table)
    if isinstance(phase, ElderToSpeak) and not deal.bought:
        if table.house.two_turned == "new_deal":
            hidden = (*table.felt.hidden, dealt)
            return annul(on_felt(table, hidden=hidden), "EDE-21", dealer=deal.dealer)
        table = on_deal(table, top=(*deal.top, dealt))
        if any(asked.question is Question.TWO_TURNED for asked in table.asked):
            return _joins(table, dealt.ordinal), ()
        return ask(
            table, Question.TWO_TURNED, deal.elder, rule(table, "25"),
            Option.BACK, Option.BOTTOM, Option.ANNUL, cards=dealt.ordinal,
        )  # fmt: skip
    table = on_deal(table, bottom=(*deal.bottom, dealt))
    proposed = isinstance(phase, ElderToSpeak | DealerToAnswer | Discarding | Buying)
    if proposed and table.house.two_turned == "chooses":
        table = on_deal(table, forced=True)
        return table, (MustGrant(seat=seat_of(table, deal.dealer)),)
    return table, ()


def back_on_talon(table: Table, dealt: Dealt) -> Table:
    """The table where a card that is already out is the next to be dealt (ER-23)."""
    deal = the_deal(table)
    return on_deal(table, top=(*deal.top, dealt))


def _joins(table: Table, ordinal: int) -> Table:
    """Add one more opened card to the question that elder is being asked about such cards.

    His answer will be about all of these cards (E07-25).
    """
    asked = tuple(
        replace(one, also=(*one.also, ordinal)) if one.question is Question.TWO_TURNED else one
        for one in table.asked
    )
    return replace(table, asked=asked, prompt=table.prompt + 1)


def to_the_bottom(table: Table, asked: Asked) -> Table:
    """The cards that were opened by mistake go under the talon; closed cards stay (E07-25)."""
    deal, ordinals = the_deal(table), (asked.cards, *asked.also)
    seen = tuple(card for card in deal.top if card.ordinal in ordinals)
    rest = tuple(card for card in deal.top if card.ordinal not in ordinals)
    return on_deal(table, top=rest, bottom=(*deal.bottom, *seen))


# ---- Elder's proposition, the dealer's answer, the exchange of cards, and wrong numbers after it


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


# ---- A practice table, without stakes: both hands are open at the first distribution (EDE-19)


def laid_open(table: Table, said: Input) -> Step:
    """The table after both hands were opened at the turn-up, and the events.

    A player who discards takes his hand up, so that it is closed again.
    """
    deal = table.deal
    if not table.house.practice or deal is None or deal.turned is None:
        return table, ()
    if isinstance(said, Discards):
        return for_side(table, side_of(table, said.seat), shown=()), ()
    first = isinstance(table.phase, ElderToSpeak) and not deal.bought and deal.first_lead
    if not first or any(deal.shown):
        return table, ()
    left, right = (tuple(dealt.card for dealt in cards) for cards in deal.taken)
    told: tuple[Event, ...] = ()
    for side in (0, 1):
        told = (*told, *opened(table.felt, seat_of(table, side), deal.taken[side]))
    return on_deal(table, shown=(left, right)), told


def regle(table: Table) -> tuple[Note, ...]:
    """Notes on whether each fully open hand is strong enough to play or to refuse (EDE-19)."""
    deal = table.deal
    if not table.house.practice or deal is None or deal.turned is None or not deal.first_lead:
        return ()
    told = []
    for side in (0, 1):
        if hand_open(deal, side) and deal.held[side] == HAND:
            text = (
                phrase("Seat {seat} has a jeu de règle.", seat=seat_of(table, side))
                if is_regle(known(deal, side), deal.trump)
                else phrase("Seat {seat} has no jeu de règle.", seat=seat_of(table, side))
            )
            told.append(Note(text, "EDE-19"))
    return tuple(told)
