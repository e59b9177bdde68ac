"""Promise and proof: a card is promised when it leaves the Schlitten and proven when it opens.

Knows no game. The nonce is secret before and reproducible in replay.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache

from msgspec import Struct

from table_controller.rules.cards import Card


class Secret(Struct, frozen=True, gc=False):
    """A key that no traceback, log line or repr shows."""

    value: bytes

    def __repr__(self) -> str:
        return "Secret(…)"


def nonce(key: Secret, shoe: str, ordinal: int, attempt: int = 0, boot: str = "") -> bytes:
    """128 bits for the `ordinal`-th card of `shoe`; `attempt` counts corrections of its reading.

    `boot` is the start of the service in which it left, so that a journal that is put back never
    says one twice (R-13); "" in journals of before there were any. HMAC-SHA-256, cut to its first
    half.
    """
    inner, outer = _keyed(key)
    inner, outer = inner.copy(), outer.copy()
    if boot:
        inner.update(f"{boot}/".encode())
    inner.update(f"{shoe}/{ordinal}/{attempt}".encode())
    outer.update(inner.digest())
    return outer.digest()[:16]


@lru_cache(maxsize=4)  # copies of the two cost a third of the standard library's HMAC
def _keyed(key: Secret) -> tuple[hashlib._Hash, hashlib._Hash]:
    """Both hashes of an HMAC, each begun with the key (RFC 2104)."""
    block = key.value if len(key.value) <= _BLOCK else hashlib.sha256(key.value).digest()
    padded = block.ljust(_BLOCK, b"\0")
    inner, outer = (bytes(byte ^ pad for byte in padded) for pad in (0x36, 0x5C))
    return hashlib.sha256(inner), hashlib.sha256(outer)


#: Bytes that SHA-256 takes at once.
_BLOCK = 64


def promise(nonce: bytes, card: Card) -> str:
    """SHA-256 over nonce and card code, in hex: binding, and silent about the card."""
    return hashlib.sha256(nonce + card.encode()).hexdigest()
