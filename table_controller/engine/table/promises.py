"""The events about cards: the promise when a card leaves, and the proof when the card opens."""

from __future__ import annotations

from collections.abc import Iterable

from table_controller.engine.messages import Event
from table_controller.engine.promises import nonce, promise
from table_controller.engine.shoe import Dealt
from table_controller.engine.table.events import CardDrawn, CardIdentified, CardOpened
from table_controller.engine.table.felt import Felt


def _nonce(felt: Felt, dealt: Dealt) -> bytes:
    return nonce(felt.key, felt.shoe.id if felt.shoe else "", felt.number, dealt)


def drawn(felt: Felt, seat: int, dealt: Dealt) -> tuple[Event, ...]:
    """The events when a closed card is dealt to the place `seat` (0: laid aside)."""
    ordinal, card = dealt.ordinal, dealt.card
    made = promise(_nonce(felt, dealt), card)
    return (
        CardDrawn(seat=seat, ordinal=ordinal, commitment=made),
        CardIdentified(ordinal=ordinal, card=card, attempt=dealt.attempt),
    )


def laid_open(felt: Felt, seat: int, dealt: Dealt) -> tuple[Event, ...]:
    """The events when a card is dealt face up to the place `seat`: its promise and its proof."""
    secret, ordinal, card = _nonce(felt, dealt), dealt.ordinal, dealt.card
    return (
        CardDrawn(seat=seat, ordinal=ordinal, commitment=promise(secret, card)),
        CardIdentified(ordinal=ordinal, card=card, attempt=dealt.attempt),
        CardOpened(seat=seat, ordinal=ordinal, card=card, nonce=secret.hex()),
    )


def opened(felt: Felt, seat: int, cards: Iterable[Dealt]) -> tuple[Event, ...]:
    """The events when each of these cards, at the place `seat`, is turned face up."""
    return tuple([_proven(felt, seat, dealt) for dealt in cards])


def _proven(felt: Felt, seat: int, dealt: Dealt) -> Event:
    proof = _nonce(felt, dealt).hex()
    return CardOpened(seat=seat, ordinal=dealt.ordinal, card=dealt.card, nonce=proof)
