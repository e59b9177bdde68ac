"""The deal: where the cards go that leave the Schlitten, and the mistakes that can happen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from table_controller.engine.ecarte.ending import annul
from table_controller.engine.ecarte.events import (
    CardExposed,
    DealMended,
    MarksLapsed,
    MustGrant,
    TurnedUp,
)
from table_controller.engine.ecarte.facts import Deal
from table_controller.engine.ecarte.inputs import (
    Exposed,
    FacedInPack,
    Looks,
    Option,
    WrongNumber,
    WrongPackets,
)
from table_controller.engine.ecarte.phases import (
    Asked,
    Buying,
    DealerToAnswer,
    Dealing,
    Discarding,
    ElderToSpeak,
    LeadDue,
    Question,
)
from table_controller.engine.ecarte.questions import ask
from table_controller.engine.ecarte.state import (
    Awaited,
    Step,
    Table,
    at,
    book_rule,
    for_side,
    on_deal,
    on_felt,
    on_partie,
    rule,
    seat_of,
    side_of,
    talon,
    the_deal,
    the_partie,
)
from table_controller.engine.messages import Event, OutOfTurn, phrase
from table_controller.engine.shoe import Dealt
from table_controller.engine.table.promises import drawn, opened
from table_controller.rules.cards import Rank

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
