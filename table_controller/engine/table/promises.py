"""The events that tell of cards: the promise when one leaves, the proof when one opens."""

from __future__ import annotations

from collections.abc import Iterable

from table_controller.engine.messages import Event
from table_controller.engine.promises import nonce, promise
from table_controller.engine.shoe import Dealt
from table_controller.engine.table.events import CardDrawn, CardIdentified, CardOpened
from table_controller.engine.table.felt import Felt


def _nonce(felt: Felt, dealt: Dealt) -> bytes:
    shoe = felt.shoe
    # The same manifest is loaded again and again: the Schlitten's number keeps nonces apart.
    named = f"{shoe.id}.{felt.number}" if shoe else ""
    return nonce(felt.key, named, dealt.ordinal, dealt.attempt, dealt.boot)


def drawn(felt: Felt, seat: int, dealt: Dealt) -> tuple[Event, ...]:
    """A card joined the place of `seat` (0: laid aside), closed."""
    return _promised(seat, dealt, _nonce(felt, dealt))


def laid_open(felt: Felt, seat: int, dealt: Dealt) -> tuple[Event, ...]:
    """A card joined the place of `seat`, face up: promise and proof at once."""
    secret = _nonce(felt, dealt)
    return (*_promised(seat, dealt, secret), _proven(seat, dealt, secret))


def opened(felt: Felt, seat: int, cards: Iterable[Dealt]) -> tuple[Event, ...]:
    """Each of these cards lies face up."""
    return tuple([_proven(seat, dealt, _nonce(felt, dealt)) for dealt in cards])


def _promised(seat: int, dealt: Dealt, secret: bytes) -> tuple[Event, ...]:
    made = promise(secret, dealt.card)
    return (
        CardDrawn(seat=seat, ordinal=dealt.ordinal, commitment=made),
        CardIdentified(ordinal=dealt.ordinal, card=dealt.card, attempt=dealt.attempt),
    )


def _proven(seat: int, dealt: Dealt, secret: bytes) -> Event:
    return CardOpened(seat=seat, ordinal=dealt.ordinal, card=dealt.card, nonce=secret.hex())
