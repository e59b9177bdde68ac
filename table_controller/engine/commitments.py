"""Promise and proof: a card is promised when it leaves the Schlitten and proven when it opens.

Knows no game. The nonce is secret before and reproducible in replay.
"""

from __future__ import annotations

import hashlib
import hmac
from functools import lru_cache

from msgspec import Struct

from table_controller.rules.cards import Card


class Secret(Struct, frozen=True, gc=False):
    """A key that no traceback, log line or repr shows."""

    value: bytes

    def __repr__(self) -> str:
        return "Secret(…)"


@lru_cache(maxsize=32)  # a card is opened soon after it was drawn: the same again
def nonce(key: Secret, shoe: str, ordinal: int, attempt: int = 0) -> bytes:
    """128 bits for the `ordinal`-th card of `shoe`; `attempt` counts corrections of its reading."""
    keyed = _keyed(key).copy()
    keyed.update(f"{shoe}/{ordinal}/{attempt}".encode())
    return keyed.digest()[:16]


@lru_cache(maxsize=4)  # a copy costs two thirds of a fresh HMAC
def _keyed(key: Secret) -> hmac.HMAC:
    return hmac.new(key.value, digestmod="sha256")


def promise(nonce: bytes, card: Card) -> str:
    """SHA-256 over nonce and card code, in hex: binding, and silent about the card."""
    return hashlib.sha256(nonce + card.encode()).hexdigest()
