"""The stops. A stop halts a table until a person or the lip settles it.

The game's phase is kept next to the stops.
"""

from __future__ import annotations

from msgspec import Struct

from table_controller.engine.seen import Unknown
from table_controller.engine.shoe import Dealt
from table_controller.rules.cards import Card


class Unread(Struct, frozen=True, gc=False, tag=True):
    """`cards` cards from `ordinal` on left without a sure reading; the coup stops.

    `named` is the card that a first person entered blind, with his name. `differ` says that the
    last two entries disagreed. It stays until something is entered or shown again.
    """

    ordinal: int
    cards: int
    reason: Unknown
    named: tuple[str, Card] | None = None
    differ: bool = False


class Stray(Struct, frozen=True, gc=False, tag=True):
    """A card left when none was due. The croupier rules on it (R-19)."""

    dealt: Dealt


class WhiteDisputed(Struct, frozen=True, gc=False, tag=True):
    """The white card came out when the count did not expect it (R-6).

    If the bank forfeited the coup during which the white card came out (Z-11), before anybody
    ruled on the card, `coup` is the number of that coup; else `coup` is 0.
    """

    left: int
    coup: int = 0


class MisdealDue(Struct, frozen=True, gc=False, tag=True):
    """A misdeal waits until it is put right without protest, or lost (Z-12, N-4).

    `extra` is a card too many.
    """

    extra: Dealt | None = None


Stop = Unread | Stray | WhiteDisputed | MisdealDue
