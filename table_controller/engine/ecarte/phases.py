"""What an écarté table waits for.

A question of the rules, like a stop, is stored beside the phase.
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
    """A chouette was given up: somebody may go on with it (E07-6)."""


class CutDue(Struct, frozen=True, gc=False, tag=True):
    """Both players cut for the deal; `cuts`: what each showed, the left player first (E07-10)."""

    cuts: tuple[Card | None, Card | None] = (None, None)


class NoSchlitten(Struct, frozen=True, gc=False, tag=True):
    """Cards are to be shuffled, cut and loaded; `done`: how many steps are done (ER-20)."""

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

    `mends`: they correct a wrong number (E07-20 to 22), and play then resumes; `lead`: with the
    first lead.
    """

    side: int
    due: int
    mends: bool = False
    lead: bool = False


class LeadDue(Struct, frozen=True, gc=False, tag=True):
    """A lead is due; to the first trick, elder's (E07-31, ER-4)."""


class ReplyDue(Struct, frozen=True, gc=False, tag=True):
    """A card was led; the other player's reply is due (E07-44).

    `unspoken`: it was led out of turn before elder had spoken (E07-34).
    """

    unspoken: bool = False


class DealOver(Struct, frozen=True, gc=False, tag=True):
    """The deal is played or annulled: marks are made, then the cards gathered (E07-57)."""


class PartieOver(Struct, frozen=True, gc=False, tag=True):
    """Somebody has five, or the partie is lost or void: its stakes are to be settled (E07-45).

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
    """What the rules leave to a player, or to the croupier, to decide."""

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
    """A question to be answered before the table goes on.

    Attributes:
        side: who is to answer, 0 or 1; -1: the croupier.
        about: the side that it concerns.
        options: the possible answers; `rule`: the rule that says so.
        cards: how many cards it is about, or the number of the one card; `also`: those added
            meanwhile.
    """

    question: Question
    side: int
    options: tuple[Option, ...]
    rule: str
    about: int = -1
    cards: int = 0
    also: tuple[int, ...] = ()
