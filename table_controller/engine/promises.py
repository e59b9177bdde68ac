"""Promise and proof: a card is promised when it leaves the Schlitten, and proven when it opens.

The promise is a hash over a secret number (the nonce) and the card. The proof is the nonce, which
stays secret until the card opens. A replay of the journal makes the same nonces. The module knows
no game.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache

from msgspec import Struct

from table_controller.engine.shoe import Dealt
from table_controller.rules.cards import Card


class SecretKey(Struct, frozen=True, gc=False):
    """A secret key whose value appears in no traceback, no log line and no repr."""

    value: bytes

    def __repr__(self) -> str:
        return "SecretKey(…)"


def nonce(key: SecretKey, shoe: str, number: int, dealt: Dealt) -> bytes:
    """The nonce, of 128 bits, for a card of the Schlitten `shoe`.

    Several Schlitten may be loaded with the same manifest; `number` tells them apart, and 0 means
    that the Schlitten has no number. The card's `attempt` is the number of corrections of its
    reading. The card's `boot` names the start of the service during which the card left, so that
    a restored journal never repeats a nonce (R-13). `boot` is "" in journals that were written
    before the field existed. The nonce is the first half of the HMAC-SHA-256 of
    "boot/shoe.number/ordinal/attempt".
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
    """The two hashes of an HMAC (RFC 2104) that has read the key and the text that cards share.

    All cards of a Schlitten that left during one start of the service share this text.
    """
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
#: This hash is copied for each promise, at half the cost of a new hash.
_EMPTY = hashlib.sha256()


def promise(nonce: bytes, card: Card) -> str:
    """The promise: SHA-256 over the nonce and the card's code, in hex.

    The table can no longer change the card unnoticed. Nobody can compute the card from the promise.
    """
    made = _EMPTY.copy()
    made.update(nonce + card.encode())
    return made.hexdigest()
