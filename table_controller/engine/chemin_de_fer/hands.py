"""Questions that every part of a coup asks: whose turn it is, the custom, which cards are open.

No answer depends on a closed card (R-17).
"""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.chemin_de_fer.events import Advised, HandOpened
from table_controller.engine.chemin_de_fer.facts import Bank, Coup, Deal
from table_controller.engine.chemin_de_fer.inputs import Word
from table_controller.engine.chemin_de_fer.phases import BankerToChoose
from table_controller.engine.chemin_de_fer.state import Step, Table, at, value
from table_controller.engine.messages import AgainstRules, Event, OutOfTurn, Phrase, phrase
from table_controller.engine.shoe import Dealt
from table_controller.engine.table.promises import opened
from table_controller.rules.chemin_de_fer.tableau import Duty, banker_duty
from table_controller.rules.points import PIPS


def roles(table: Table) -> tuple[Bank, Coup]:
    """The bank and the coup of a deal that is under way. Raises ValueError if there is none."""
    if table.bank is None or table.coup is None:
        raise ValueError("no coup is under way")
    return table.bank, table.coup


def by_schlitten(table: Table, seat: int) -> bool:
    """Whether the player at `seat` declared to play by the custom (R-25)."""
    return seat in table.by_schlitten


def show_hand(
    table: Table, deal: Deal, seat: int, cards: tuple[Dealt, ...]
) -> tuple[Deal, tuple[Event, ...]]:
    """Open the closed cards of a hand. Return the deal and the events.

    There is no event for a card that was open before.
    """
    shown = deal.shown
    fresh = tuple([card for card in cards[:2] if card.ordinal not in shown])
    deal = replace(deal, shown=(*shown, *[card.ordinal for card in fresh]))
    return deal, _hand_opened(table, seat, cards, fresh)


def _hand_opened(
    table: Table, seat: int, cards: tuple[Dealt, ...], fresh: tuple[Dealt, ...]
) -> tuple[Event, ...]:
    """The events for a hand whose `cards` are all open; `fresh` are those that were opened now."""
    return (
        *opened(table.felt, seat, fresh),
        HandOpened(seat=seat, cards=tuple([dealt.card for dealt in cards]), points=value(cards)),
    )


def duty_of(table: Table, deal: Deal) -> tuple[int, int | None, Duty]:
    """The banker's points, the pips of the pointeur's third card, and the banker's duty.

    The pips are None if the pointeur took no card. The duty is what the custom advises. All three
    are public.
    """
    given = PIPS[deal.given.card] if deal.given else None
    point = value(deal.banker[:2])
    return point, given, banker_duty(point, given, tableau=table.house.tableau)


def advise(table: Table, deal: Deal) -> Step:
    """The banker's turn begins: the table publishes what the custom advises him (ZX-2, Z-20)."""
    point, given, duty = duty_of(table, deal)
    told = Advised(seat=table.banker, point=point, given=given, duty=duty)
    return at(table, BankerToChoose(deal)), (told,)


def is_bankers(word: Word) -> None:
    """Raise AgainstRules if the word is not one that a banker may say (ZP-9)."""
    if word not in (Word.DRAWS, Word.STANDS):
        raise AgainstRules(
            phrase("Only the pointeur says that."),
            phrase("The banker draws or stands."),
            "ZP-9",
        )


def of_banker(table: Table, seat: int) -> None:
    """Raise OutOfTurn if `seat` is not the banker's."""
    if seat != table.banker:
        raise _for(phrase("Seat {seat} is not the banker.", seat=seat), table.banker)


def of_pointeur(table: Table, seat: int) -> None:
    """Raise OutOfTurn if `seat` is not the pointeur's."""
    if seat != table.pointeur:
        raise _for(phrase("Seat {seat} is not the pointeur.", seat=seat), table.pointeur)


def _for(why: Phrase, due: int) -> OutOfTurn:
    return OutOfTurn(why, phrase("It is for seat {due} to act.", due=due))
