"""The phases of an écarté table.

A question that the rules leave to a person is kept next to the phase, like a stop.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from table_controller.engine.ecarte.inputs import Option
from table_controller.rules.cards import Card


class PlayersDue(Struct, frozen=True, gc=False, tag=True):
    """No partie is under way. Its players must be named, or a mode of betting chosen."""


class Auction(Struct, frozen=True, gc=False, tag=True):
    """The right to give a chouette is auctioned (E07-8)."""


class StakesDue(Struct, frozen=True, gc=False, tag=True):
    """The players may stake on the next partie (E07-7)."""


class Succession(Struct, frozen=True, gc=False, tag=True):
    """A chouette was given up, and somebody may go on with it (E07-6)."""


class CutDue(Struct, frozen=True, gc=False, tag=True):
    """Both players must cut for the deal.

    `cuts` are the cards shown so far, the left player's first (E07-10).
    """

    cuts: tuple[Card | None, Card | None] = (None, None)


class NoSchlitten(Struct, frozen=True, gc=False, tag=True):
    """The cards must be shuffled, cut and loaded. `done` is the number of steps done (ER-20)."""

    done: int = 0


class PacketsDue(Struct, frozen=True, gc=False, tag=True):
    """The dealer must say the size of his first packet (E07-13, ER-21)."""


class Dealing(Struct, frozen=True, gc=False, tag=True):
    """Ten closed cards must be dealt, then an eleventh, which is turned up (E07-13)."""


class ElderToSpeak(Struct, frozen=True, gc=False, tag=True):
    """Elder must propose or lead (E07-35, E07-41)."""


class DealerToAnswer(Struct, frozen=True, gc=False, tag=True):
    """Elder has proposed, and the dealer must answer (E07-37)."""


class Discarding(Struct, frozen=True, gc=False, tag=True):
    """A player must discard, and say how many cards (E07-35)."""

    side: int


class Buying(Struct, frozen=True, gc=False, tag=True):
    """A player must get `due` cards from the talon (E07-35).

    `mends` means that these cards correct a wrong number of cards (E07-20 to 22). Afterwards the
    first card must be led, if `lead` is true; otherwise elder must speak.
    """

    side: int
    due: int
    mends: bool = False
    lead: bool = False


class LeadDue(Struct, frozen=True, gc=False, tag=True):
    """A player must lead. Elder leads to the first trick (E07-31, ER-4)."""


class ReplyDue(Struct, frozen=True, gc=False, tag=True):
    """A card was led, and the other player must reply (E07-44).

    `unspoken` means that the card was led out of turn, before elder had spoken (E07-34).
    """

    unspoken: bool = False


class DealOver(Struct, frozen=True, gc=False, tag=True):
    """The deal was played or annulled. Players mark, then the cards are gathered (E07-57)."""


class PartieOver(Struct, frozen=True, gc=False, tag=True):
    """A player has five marks, or the partie is lost or void. Its stakes must be settled (E07-45).

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
    """A question that a person must answer before the table goes on.

    Attributes:
        side: the side that must answer, 0 or 1; -1 for the croupier.
        about: the side that the question is about.
        options: the possible answers; `rule`: the id of the rule that asks the question.
        cards: how many cards the question is about, or the ordinal of its one card; `also`: the
            ordinals of cards that were added later.
    """

    question: Question
    side: int
    options: tuple[Option, ...]
    rule: str
    about: int = -1
    cards: int = 0
    also: tuple[int, ...] = ()
