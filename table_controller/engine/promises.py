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


def nonce(
    key: Secret, shoe: str, ordinal: int, attempt: int = 0, boot: str = "", *, number: int = 0
) -> bytes:
    """128 bits for the `ordinal`-th card of `shoe`; `attempt` counts corrections of its reading.

    The same manifest is loaded again and again: `number`, the Schlitten's, keeps nonces apart.
    `boot` is the start of the service in which it left, so that a journal that is put back never
    says one twice (R-13); "" in journals of before there were any. HMAC-SHA-256 of
    "boot/shoe.number/ordinal/attempt", cut to its first half; what is not there is left out.
    """
    inner, outer = _begun(key.value, boot, shoe, number)
    inner, outer = inner.copy(), outer.copy()
    inner.update(b"%d/%d" % (ordinal, attempt))
    outer.update(inner.digest())
    return outer.digest()[:16]


@lru_cache(maxsize=4)  # copies of the two cost a third of the standard library's HMAC
def _begun(key: bytes, boot: str, shoe: str, number: int) -> tuple[hashlib._Hash, hashlib._Hash]:
    """Both hashes of an HMAC, begun with the key (RFC 2104) and what all cards of a shoe share."""
    block = key if len(key) <= _BLOCK else hashlib.sha256(key).digest()
    padded = block.ljust(_BLOCK, b"\0")
    inner, outer = (bytes(byte ^ pad for byte in padded) for pad in (0x36, 0x5C))
    named = f"{shoe}.{number}" if number else shoe
    shared = f"{boot}/{named}/" if boot else f"{named}/"
    return hashlib.sha256(inner + shared.encode()), hashlib.sha256(outer)


#: Bytes that SHA-256 takes at once.
_BLOCK = 64
#: Copied for each promise: half of what a new one costs.
_EMPTY = hashlib.sha256()


def promise(nonce: bytes, card: Card) -> str:
    """SHA-256 over nonce and card code, in hex: binding, and silent about the card."""
    made = _EMPTY.copy()
    made.update(nonce + card.encode())
    return made.hexdigest()
