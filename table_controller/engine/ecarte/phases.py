"""The things that an écarté table waits for.

A question of the rules is stored next to the phase, like a stop.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from table_controller.engine.ecarte.inputs import Option
from table_controller.rules.cards import Card


class PlayersDue(Struct, frozen=True, gc=False, tag=True):
    """No partie is under way."""


class Auction(Struct, frozen=True, gc=False, tag=True):
    """The right to give chouette goes to the highest bidder (E07-8)."""


class StakesDue(Struct, frozen=True, gc=False, tag=True):
    """Stakes for the next partie are due (E07-7)."""


class Succession(Struct, frozen=True, gc=False, tag=True):
    """A chouette was given up, and somebody may go on with it (E07-6)."""


class CutDue(Struct, frozen=True, gc=False, tag=True):
    """Both players cut for the deal.

    `cuts` are the cards shown, the left player's first (E07-10).
    """

    cuts: tuple[Card | None, Card | None] = (None, None)


class NoSchlitten(Struct, frozen=True, gc=False, tag=True):
    """Cards are to be shuffled, cut and loaded. `done` tells how many steps are done (ER-20)."""

    done: int = 0


class PacketsDue(Struct, frozen=True, gc=False, tag=True):
    """The dealer has yet to say how many cards he deals first (E07-13, ER-21)."""


class Dealing(Struct, frozen=True, gc=False, tag=True):
    """Ten closed cards are due, then the eleventh, which is turned up (E07-13)."""


class ElderToSpeak(Struct, frozen=True, gc=False, tag=True):
    """Elder proposes, or leads (E07-35, E07-41)."""


class DealerToAnswer(Struct, frozen=True, gc=False, tag=True):
    """Elder has proposed (E07-37)."""


class Discarding(Struct, frozen=True, gc=False, tag=True):
    """A player discards and says how many cards (E07-35)."""

    side: int


class Buying(Struct, frozen=True, gc=False, tag=True):
    """Cards from the talon are due for a player (E07-35).

    If `mends`, the cards correct a wrong number (E07-20 to 22), and play then resumes. If also
    `lead`, it resumes with the first lead.
    """

    side: int
    due: int
    mends: bool = False
    lead: bool = False


class LeadDue(Struct, frozen=True, gc=False, tag=True):
    """A lead is due. The first trick is led by elder (E07-31, ER-4)."""


class ReplyDue(Struct, frozen=True, gc=False, tag=True):
    """A card was led, and the other player's reply is due (E07-44).

    `unspoken` means that it was led out of turn before elder had spoken (E07-34).
    """

    unspoken: bool = False


class DealOver(Struct, frozen=True, gc=False, tag=True):
    """The deal is played or annulled. Marks are made, then the cards are gathered (E07-57)."""


class PartieOver(Struct, frozen=True, gc=False, tag=True):
    """Somebody has five, or the partie is lost or void. Its stakes are to be settled (E07-45).

    `winner` and `loser` are seats, 0 for nobody.
    """

    winner: int = 0
    loser: int = 0


Phase = (
    PlayersDue | Auction | StakesDue | Succession | CutDue | NoSchlitten | PacketsDue | Dealing
    | ElderToSpeak | DealerToAnswer | Discarding | Buying | LeadDue | ReplyDue | DealOver
    | PartieOver
)  # fmt: skip


class Question(StrEnum):
    """A decision that the rules leave to a player or to the croupier."""

    PACKETS = "packets"
    FACED = "faced"
    EXPOSED = "exposed"
    TWO_TURNED = "two_turned"
    DEALER_SHORT = "dealer_short"
    DEALER_OVER = "dealer_over"
    ELDER_SHORT = "elder_short"
    ELDER_OVER = "elder_over"
    NUMBER = "number"
    OPEN = "open"
    SHOW_KING = "show_king"
    REVOKE = "revoke"
    THROWN = "thrown"
    LEFT = "left"
    FALSE_CARDS = "false_cards"


class Asked(Struct, frozen=True, gc=False, tag=True):
    """A question that must be answered before the table goes on.

    Attributes:
        side: the side that is to answer, 0 or 1; -1 for the croupier.
        about: the side that the question concerns.
        options: the possible answers; `rule`: the rule behind the question.
        cards: how many cards it is about, or the number of the one card; `also`: cards added
            meanwhile.
    """

    question: Question
    side: int
    options: tuple[Option, ...]
    rule: str
    about: int = -1
    cards: int = 0
    also: tuple[int, ...] = ()
