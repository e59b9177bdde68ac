"""Inputs of people and sensors at every card table. `seat` is the number of a seat.

Numbers from 101 on are the places of standing players.
"""

from __future__ import annotations

from enum import StrEnum

from table_controller.engine.messages import Input, Role
from table_controller.rules.cards import Card
from table_controller.rules.money import Chips


class StrayRuling(StrEnum):
    """The croupier's ruling on a card that left when none was due (R-19)."""

    KEPT = "kept"
    """The card is still closed, and will be the first card of the next deal (Z-13)."""
    BURNED = "burned"
    """The card was uncovered, and is thrown on the pile (Z-13)."""
    FACE_UP = "face_up"
    """The card was face up in the pack, and is thrown out (N-9)."""
    MISDEALT = "misdealt"
    """The card was handed to a place in the wrong order or number (Z-12)."""
    BACK = "back"
    """There was no card, but a hand in the light, or a card pushed back before it left."""


class WhiteRuling(StrEnum):
    """The croupier's ruling when the white card and the count disagree (R-6)."""

    LAST_COUP = "last_coup"
    PLAY_ON = "play_on"
    ANNUL = "annul"
    """The coup under way began with too few cards (Z-24)."""


# Players


class Sits(Input, frozen=True):
    """A player takes a seat and brings chips."""

    seat: int
    name: str
    chips: Chips


class Stands(Input, frozen=True):
    """A player without a seat comes to the table and brings chips (ZP-17)."""

    name: str
    chips: Chips


class BuysIn(Input, frozen=True):
    """A player brings more chips to the table."""

    seat: int
    chips: Chips


class CashesOut(Input, frozen=True):
    """A player takes chips away from the table."""

    seat: int
    chips: Chips


class Tips(Input, frozen=True):
    """A player gives chips to the croupiers as a tip."""

    seat: int
    chips: Chips


class Leaves(Input, frozen=True):
    """A player leaves with his chips."""

    seat: int


class Moves(Input, frozen=True):
    """A player moves to a free seat (N-1)."""

    seat: int
    to: int


class Swaps(Input, frozen=True):
    """Two players agree to change seats (N-1)."""

    seat: int
    other: int


class CroupierChanged(Input, frozen=True):
    """Another croupier leads the table."""

    name: str


# The Schlitten


class Prepared(Input, frozen=True):
    """One step of mixing, cutting and loading the cards is done (ZP-4)."""


class SchlittenLoaded(Input, frozen=True):
    """A Schlitten with mixed and cut cards is loaded. `shoe` is the name of its manifest."""

    shoe: str


class SchlittenClosed(Input, frozen=True):
    """The Schlitten is out of use, emptied and counted.

    Everybody may now know its closed cards (R-35).
    """


class ReadingCounted(Input, frozen=True):
    """How well the cards of the Schlitten that was just closed were read, in total.

    Attributes:
        passages: the number of all passages at the lip; `cards`: how many of them gave a card.
        retries: how many passages were of a card that was shown again because the table asked for
            it.
        agreed: on how many passages two or more witnesses agreed.
        rejected: how many passages gave no card.
        gaps: how often nothing observed the lip for a moment.
    """

    NEEDS = None
    shoe: str
    passages: int
    cards: int
    retries: int
    agreed: int
    rejected: int
    gaps: int


class ThrownAway(Input, frozen=True):
    """The cards got mixed up, and all of them are thrown away (N-9)."""

    NEEDS = Role.SUPERVISOR
    reason: str


# After the coup, and repairs


class StrayRuled(Input, frozen=True):
    """The croupier's ruling on a card that left when none was due (R-19).

    A game may need a `reason`.
    """

    ruling: StrayRuling
    reason: str = ""


class UnreadRuled(Input, frozen=True):
    """The croupier's ruling that no card of this Schlitten left in an unread passage."""


class WhiteRuled(Input, frozen=True):
    """The croupier's ruling when the white card and the count disagree (R-6)."""

    ruling: WhiteRuling


class TakesBack(Input, frozen=True):
    """Somebody takes back the last input that a person sent (R-20)."""


class Annulled(Input, frozen=True):
    """A supervisor annuls the coup: nobody wins or loses (Z-24, Z-27)."""

    NEEDS = Role.SUPERVISOR
    reason: str


class Corrects(Input, frozen=True):
    """A supervisor corrects the card misread in passage `ordinal`, with a reason (R-20)."""

    NEEDS = Role.SUPERVISOR
    SEALED = True
    ordinal: int
    card: Card
    reason: str


class Transfers(Input, frozen=True):
    """A supervisor moves chips from `seat` to `to`. Place 0 is the cagnotte (R-20, Z-27)."""

    NEEDS = Role.SUPERVISOR
    seat: int
    to: int
    chips: Chips
    reason: str


class Ruled(Input, frozen=True):
    """A supervisor makes a ruling where the rules say nothing, with a reason (Z-27, N-8, N-11)."""

    NEEDS = Role.SUPERVISOR
    reason: str


# In games staked coup by coup


class UnreadBurned(Input, frozen=True):
    """A card that nobody may look at is burned unread, before the first card of a coup (R-59)."""

    NEEDS = Role.SUPERVISOR
    reason: str


class Closes(Input, frozen=True):
    """No more stakes are accepted: "nichts geht mehr", "no more bets" (ZP-16, N-3, PB-4)."""


class Misdealt(Input, frozen=True):
    """Cards were dealt in the wrong order or number, or to the wrong hand (Z-12, N-4, PB-24)."""


class Ticked(Input, frozen=True):
    """One line of the settlement is collected or paid. `line` counts from 0 (Z-26, PB-14)."""

    line: int


class Paid(Input, frozen=True):
    """All lines of the coup are collected and paid, and the table goes on (ZP-14, PB-14)."""
