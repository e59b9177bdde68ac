"""What a table of écarté waits for. A question of the rules lies beside it, as a stop does."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from table_controller.engine.ecarte.inputs import Option
from table_controller.rules.cards import Card


class PlayersDue(Struct, frozen=True, gc=False, tag=True):
    """No partie is under way."""


class Auction(Struct, frozen=True, gc=False, tag=True):
    """The right to give chouette goes to the highest offer (E07-8)."""


class StakesDue(Struct, frozen=True, gc=False, tag=True):
    """Stakes are laid for the next partie (E07-7)."""


class Succession(Struct, frozen=True, gc=False, tag=True):
    """A chouette was given up: who goes on with it is due (E07-6)."""


class CutDue(Struct, frozen=True, gc=False, tag=True):
    """Both players cut for the deal: what each has shown, the left player first (E07-10)."""

    cuts: tuple[Card | None, Card | None] = (None, None)


class NoSchlitten(Struct, frozen=True, gc=False, tag=True):
    """The cards are shuffled, cut and loaded: so many of these steps are done (ER-20)."""

    done: int = 0


class PacketsDue(Struct, frozen=True, gc=False, tag=True):
    """The dealer has yet to say by how many he deals first (E07-13, ER-21)."""


class Dealing(Struct, frozen=True, gc=False, tag=True):
    """Ten cards closed, and the eleventh, which is turned up, are due (E07-13)."""


class ElderToSpeak(Struct, frozen=True, gc=False, tag=True):
    """Elder proposes, or leads (E07-35, E07-41)."""


class DealerToAnswer(Struct, frozen=True, gc=False, tag=True):
    """Elder has proposed (E07-37)."""


class Discarding(Struct, frozen=True, gc=False, tag=True):
    """A player lays cards away and says how many (E07-35)."""

    side: int


class Buying(Struct, frozen=True, gc=False, tag=True):
    """So many cards are due from the talon for a player (E07-35).

    `mends`: they mend a wrong number (E07-20 to 22), and then it goes on as before; `lead`: with
    elder's lead.
    """

    side: int
    due: int
    mends: bool = False
    lead: bool = False


class LeadDue(Struct, frozen=True, gc=False, tag=True):
    """A lead is due, to the first trick elder's (E07-31, ER-4)."""


class ReplyDue(Struct, frozen=True, gc=False, tag=True):
    """A card lies; the other player's is due (E07-44).

    `unspoken`: it was led out of turn before elder had his word (E07-34).
    """

    unspoken: bool = False


class DealOver(Struct, frozen=True, gc=False, tag=True):
    """The deal is played or annulled: marks are made, the cards are gathered (E07-57)."""


class PartieOver(Struct, frozen=True, gc=False, tag=True):
    """Somebody has five, or the partie is lost or void: its stakes are settled (E07-45).

    `winner` and `loser` are seats, 0 where nobody is.
    """

    winner: int = 0
    loser: int = 0


Phase = (
    PlayersDue | Auction | StakesDue | Succession | CutDue | NoSchlitten | PacketsDue | Dealing
    | ElderToSpeak | DealerToAnswer | Discarding | Buying | LeadDue | ReplyDue | DealOver
    | PartieOver
)  # fmt: skip


class Question(StrEnum):
    """What the rules leave to a player or to the croupier."""

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
    """The table waits for this answer first.

    Attributes:
        side: whose answer it is, 0 or 1; -1: the croupier's.
        about: the side that it is about.
        options: what may be answered; `rule`: the rule that says so.
        cards: a number that it is about; `also`: cards that came while it was asked, by theirs.
    """

    question: Question
    side: int
    options: tuple[Option, ...]
    rule: str
    about: int = -1
    cards: int = 0
    also: tuple[int, ...] = ()
