"""PINs: how they are stored and checked. This module knows no person and no page.

A PIN is stored as its argon2 hash, keyed with the table's key. So somebody who has only the journal
cannot try the million PINs of six digits. With the key, each guess costs 19 MiB of memory.
"""

from __future__ import annotations

import hmac
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from table_controller.engine.messages import Phrase, phrase
from table_controller.service.sealing import Keys

if TYPE_CHECKING:
    from argon2 import PasswordHasher

LEAST, MOST = 6, 12
#: Digits in twos or threes: 112233, 111222333.
_GROUPS: Final = (r"(?:(\d)\1)+", r"(?:(\d)\1\1)+")


#: What a PIN must be, for people who choose one.
RULE: Final = phrase(
    "A PIN has {least} to {most} digits, at least three different ones, without a pattern.",
    least=LEAST,
    most=MOST,
)


def weak(pin: str) -> Phrase | None:
    """Return the reason why this PIN is too easy to guess, or not a PIN; None for a good PIN."""
    if not re.fullmatch(rf"[0-9]{{{LEAST},{MOST}}}", pin):
        return phrase(
            "A PIN has {least} to {most} digits and nothing else.", least=LEAST, most=MOST
        )
    if len(set(pin)) < 3 or _patterned(pin):
        return phrase("Everybody would try this one first: take digits without a pattern.")
    return None


def _patterned(pin: str) -> bool:
    """Whether the PIN repeats or mirrors itself, or advances in equal steps (123456, 975319)."""
    steps = {(int(b) - int(a)) % 10 for a, b in pairwise(pin)}
    again = any(pin == (pin[:part] * len(pin))[: len(pin)] for part in range(1, len(pin) // 2 + 1))
    groups = any(re.fullmatch(group, pin) for group in _GROUPS)
    return again or groups or pin == pin[::-1] or len(steps) == 1


def proof(pin: str, keys: Keys) -> str:
    """Return the hash to store for a PIN. This takes some ten milliseconds: call it in a thread."""
    return _hasher().hash(_keyed(pin, keys))


def matches(pin: str, kept: str, keys: Keys) -> bool:
    """Whether `pin` has the stored hash `kept`.

    If `kept` is "", the check takes the same time and fails. Call it in a thread.
    """
    from argon2.exceptions import InvalidHashError, VerificationError  # noqa: PLC0415 # heavy

    try:
        return _hasher().verify(kept or _NOBODYS, _keyed(pin, keys)) and bool(kept)
    except (VerificationError, InvalidHashError):
        return False


def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher  # noqa: PLC0415 # only if somebody signs in

    return PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


def _keyed(pin: str, keys: Keys) -> bytes:
    return hmac.digest(keys.pins.value, pin.encode(), "sha256")


#: A hash that no PIN fits, so that an unknown name takes as long as a known one.
_NOBODYS: Final = "$argon2id$v=19$m=19456,t=2,p=1$c2NobGl0dGVuLW5vYm9keQ$" + "A" * 43
