"""The events that tell of cards: the promise when one leaves, the proof when one opens."""

from __future__ import annotations

from collections.abc import Iterable

from table_controller.engine.chemin_de_fer.events import HandOpened
from table_controller.engine.chemin_de_fer.state import Table, value
from table_controller.engine.commitments import commitment, nonce
from table_controller.engine.messages import Event
from table_controller.engine.shoe import Dealt
from table_controller.engine.table.events import CardDrawn, CardIdentified, CardOpened


def _nonce(table: Table, dealt: Dealt) -> bytes:
    # The same manifest is loaded again and again: the Schlitten's number keeps nonces apart.
    shoe = f"{table.felt.shoe.id}.{table.felt.number}" if table.felt.shoe else ""
    return nonce(table.felt.key, shoe, dealt.ordinal, dealt.attempt)


def drawn(table: Table, seat: int, dealt: Dealt) -> tuple[Event, ...]:
    """A card joined the place of `seat` (0: laid aside), closed."""
    promise = commitment(_nonce(table, dealt), dealt.card)
    return (
        CardDrawn(seat=seat, ordinal=dealt.ordinal, commitment=promise),
        CardIdentified(ordinal=dealt.ordinal, card=dealt.card, attempt=dealt.attempt),
    )


def opened(table: Table, seat: int, cards: Iterable[Dealt]) -> tuple[Event, ...]:
    """Each of these cards lies face up."""
    told = [
        CardOpened(
            seat=seat,
            ordinal=dealt.ordinal,
            card=dealt.card,
            nonce=_nonce(table, dealt).hex(),
        )
        for dealt in cards
    ]
    return tuple(told)


def hand_opened(
    table: Table, seat: int, cards: tuple[Dealt, ...], fresh: Iterable[Dealt]
) -> tuple[Event, ...]:
    """A hand lies open; the `fresh` ones of its `cards` were turned just now."""
    return (
        *opened(table, seat, fresh),
        HandOpened(seat=seat, cards=tuple([dealt.card for dealt in cards]), points=value(cards)),
    )
