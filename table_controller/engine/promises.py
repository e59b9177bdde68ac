"""Promise and proof: a card is promised when it leaves the Schlitten, and proven when it opens.

The module knows no game. The nonce is secret until the card opens. A replay makes the same nonce.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache

from msgspec import Struct

from table_controller.engine.shoe import Dealt
from table_controller.rules.cards import Card


class SecretKey(Struct, frozen=True, gc=False):
    """A key that never appears in a traceback, a log line or a repr."""

    value: bytes

    def __repr__(self) -> str:
        return "SecretKey(…)"


def nonce(key: SecretKey, shoe: str, number: int, dealt: Dealt) -> bytes:
    """128 bits for a card of `shoe` whose reading was corrected `attempt` times.

    The same manifest is loaded again and again, so the Schlitten's `number` keeps nonces apart; 0
    means that it has no number. `boot` is the start of the service in which the card left; it is ""
    in journals older than `boot`. Because of it, a restored journal never repeats a nonce (R-13).
    The nonce is the first half of the HMAC-SHA-256 of "boot/shoe.number/ordinal/attempt".
    """
    inner, outer = _begun(key.value, dealt.boot, shoe, number)
    inner, outer = inner.copy(), outer.copy()
    ordinal, attempt = dealt.ordinal, dealt.attempt
    if attempt or ordinal >= _MANY:
        inner.update(b"%d/%d" % (ordinal, attempt))
    else:
        inner.update(_READ_ONCE[ordinal])
    outer.update(inner.digest())
    return outer.digest()[:16]


@lru_cache(maxsize=4)  # copying these two hashes costs a third of a new HMAC
def _begun(key: bytes, boot: str, shoe: str, number: int) -> tuple[hashlib._Hash, hashlib._Hash]:
    """Both hashes of an HMAC (RFC 2104), fed with the key and the part common to a shoe's cards."""
    block = key if len(key) <= _BLOCK else hashlib.sha256(key).digest()
    padded = block.ljust(_BLOCK, b"\0")
    inner, outer = (bytes(byte ^ pad for byte in padded) for pad in (0x36, 0x5C))
    named = f"{shoe}.{number}" if number else shoe
    shared = f"{boot}/{named}/" if boot else f"{named}/"
    return hashlib.sha256(inner + shared.encode()), hashlib.sha256(outer)


#: More passages than a Schlitten usually has: eight packs are 416 cards.
_MANY = 512
#: The text that is hashed for an uncorrected card, by its ordinal. Formatting the text costs as
#: much as copying a hash.
_READ_ONCE = tuple(b"%d/0" % ordinal for ordinal in range(_MANY))
#: SHA-256's block size in bytes.
_BLOCK = 64
#: It is copied for each promise, at half the cost of a new hash.
_EMPTY = hashlib.sha256()


def promise(nonce: bytes, card: Card) -> str:
    """SHA-256 over nonce and card code, in hex.

    It binds the table, and says nothing about the card.
    """
    made = _EMPTY.copy()
    made.update(nonce + card.encode())
    return made.hexdigest()
