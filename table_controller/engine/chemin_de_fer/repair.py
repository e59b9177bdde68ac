"""Repairs: to take back an input, to correct a reading, to rule as a supervisor (R-20, Z-27).

Events that were published stay. A new event names the withdrawn input, and a new promise replaces
the old one.
"""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.chemin_de_fer import phases as p
from table_controller.engine.chemin_de_fer.facts import Deal
from table_controller.engine.chemin_de_fer.inputs import Declares
from table_controller.engine.chemin_de_fer.settle import closed, resettled, undoable
from table_controller.engine.chemin_de_fer.state import (
    Awaited,
    Step,
    Table,
    at,
    deal_of,
    under_way,
)
from table_controller.engine.messages import AgainstRules, Event, OutOfTurn, Phrase, phrase
from table_controller.engine.shoe import Dealt
from table_controller.engine.table import events as te
from table_controller.engine.table import undo
from table_controller.engine.table.inputs import Corrects, StrayRuling
from table_controller.engine.table.promises import drawn, opened
from table_controller.engine.table.repairs import corrected, with_reason


def _declared_before(table: Table) -> bool:
    """Whether the last input was a declaration, and a coup has begun since then (R-25)."""
    return table.undo is not None and isinstance(table.undo.said, Declares) and under_way(table)


def may_take_back(table: Table) -> bool:
    """Whether the last input can be taken back now without undoing anything else.

    Source: R-20, R-46.
    """
    return undo.may_take_back(table) and not _declared_before(table)


def takes_back(table: Table, what: Phrase) -> Step:
    """The table before the last input, whose label is `what`. Cards that left since are strays.

    Source: R-19, R-20, R-46.
    """
    if _declared_before(table):
        raise AgainstRules(
            phrase("The coup has begun."),
            phrase("He declares it before the first card of the next one."),
            "R-25",
        )
    back, told = undo.taken_back(table, what)
    now = deal_of(table.phase)
    thirds = (*now.pointeur[2:], *now.banker[2:]) if now else ()
    for dealt in _drawn_since(table, back):
        if dealt in thirds or (now and dealt.ordinal in now.shown):
            # It is open, so it is burned (R-19, Z-13).
            told = (*told, te.CardRemoved(ordinal=dealt.ordinal, ruling=StrayRuling.BURNED))
            continue
        felt, more = undo.laid_aside(back.felt, dealt)
        back = replace(back, felt=felt)
        told = (*told, *more)
    return back, told


def _drawn_since(table: Table, old: Table) -> tuple[Dealt, ...]:
    """The closed cards of the current deal that are not in the older table `old`, in order."""
    now, then = deal_of(table.phase), deal_of(old.phase)
    spare = (then.spare,) if then and then.spare else ()  # it counts as given back again (Z-21)
    known = {card.ordinal for card in (*_cards(then), *spare, *old.felt.kept)}
    return tuple(card for card in _cards(now) if card.ordinal not in known)


def _cards(deal: Deal | None) -> tuple[Dealt, ...]:
    return tuple(sorted(deal.cards, key=lambda dealt: dealt.ordinal)) if deal else ()


Numbered = tuple[tuple[int, Dealt], ...]


def correctable(table: Table) -> tuple[Numbered, Numbered]:
    """The cards of pointeur and bank whose reading may be corrected, with their places (R-20).

    During a coup these are the coup's closed cards. Once the coup is settled these are all its
    cards, until some of its money has moved.
    """
    phase, deal = table.phase, None if table.felt.stops else deal_of(table.phase)
    if deal is None or table.felt.shoe is None:
        return (), ()
    unpaid = isinstance(phase, p.Settled)
    if isinstance(phase, p.Settled) and not undoable(table, phase):
        return (), ()

    def hand(cards: tuple[Dealt, ...]) -> Numbered:
        return tuple(
            (number, dealt)
            for number, dealt in enumerate(cards, 1)
            if unpaid or (number < 3 and dealt.ordinal not in deal.shown)
        )

    return hand(deal.pointeur), hand(deal.banker)


def corrects(table: Table, _phase: Awaited, said: Corrects) -> Step:
    """A supervisor corrects a misread card (R-20).

    The card must be closed, or the coup must be settled and no payment made yet.
    """
    phase, deal = table.phase, None if table.felt.stops else deal_of(table.phase)
    old = next((card for card in _cards(deal) if card.ordinal == said.ordinal), None)
    unpaid = isinstance(phase, p.Settled) and not any(line.done for line in phase.payments)
    if deal is None or table.felt.shoe is None or old is None:
        raise OutOfTurn(
            phrase("Card {ordinal} does not lie on the table.", ordinal=said.ordinal),
            phrase("Name a card of the present coup by its number."),
            "R-20",
        )
    with_reason(said.reason)
    lies_open = old.ordinal in deal.shown or old in (*deal.pointeur[2:], *deal.banker[2:])
    if lies_open and not unpaid:
        raise AgainstRules(
            phrase("An open card has been played by already."),
            phrase("Annul the coup; what was paid is moved back."),
            "R-20",
        )
    felt, new = corrected(table.felt, said, old, closed(deal))
    deal = replace(
        deal,
        pointeur=tuple(new if card == old else card for card in deal.pointeur),
        banker=tuple(new if card == old else card for card in deal.banker),
    )
    table = replace(table, felt=felt)
    seat = _seat_of(table, phase, deal, new)
    told: tuple[Event, ...] = (te.CardCorrected(ordinal=new.ordinal, attempt=new.attempt),)
    told += drawn(table.felt, seat, new)
    if lies_open:
        told += opened(table.felt, seat, (new,))
    if isinstance(phase, p.Settled):
        table, after = resettled(table, phase, deal)
        return table, (*told, *after)
    return at(table, replace(phase, deal=deal)), told


def _seat_of(table: Table, phase: p.Phase, deal: Deal, dealt: Dealt) -> int:
    if isinstance(phase, p.Settled):
        record = phase.record
        return record.banker_seat if dealt in deal.banker else record.pointeur_seat
    if table.bank is None or table.coup is None:
        return 0
    return table.bank.seat if dealt in deal.banker else table.coup.pointeur
