"""The stops. A stop halts the table until a person or the lip settles it.

The game keeps its phase while there are stops.
"""

from __future__ import annotations

from msgspec import Struct

from table_controller.engine.alerts import Alerts
from table_controller.engine.seen import Unknown
from table_controller.engine.shoe import Dealt
from table_controller.rules.cards import Card


class Unread(Struct, frozen=True, gc=False, tag=True):
    """`cards` cards, from the passage `ordinal` on, left without a certain reading. The coup stops.

    `named` is the first person who typed the card, and the card; None before that. `differ` says
    that the last two people typed different cards, until somebody types or shows a card again.

    `alerts` were open when the cards left. They decide whether the first card was due, whatever
    happens until somebody knows it (R-51, R-53, R-56). `lifted` says that the lid was opened since.
    """

    ordinal: int
    cards: int
    reason: Unknown
    named: tuple[str, Card] | None = None
    differ: bool = False
    alerts: Alerts = ()
    lifted: bool = False


class Stray(Struct, frozen=True, gc=False, tag=True):
    """A card left when none was due. The croupier rules on it (R-19)."""

    dealt: Dealt


class WhiteDisputed(Struct, frozen=True, gc=False, tag=True):
    """The white card came out when the count did not expect it (R-6). `left` cards were left then.

    `coup` is 0, except in one case: the white card came out in a coup, and the bank lost this coup
    by a rule before the croupier ruled on the white card. `coup` is then the number of that coup.
    """

    left: int
    coup: int = 0


class MisdealDue(Struct, frozen=True, gc=False, tag=True):
    """A misdeal waits until it is put right without protest, or the coup is lost (Z-12, N-4).

    `extra` is a card that was dealt in excess, or None.
    """

    extra: Dealt | None = None


Stop = Unread | Stray | WhiteDisputed | MisdealDue
