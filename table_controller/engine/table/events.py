"""Events of every card table: people, the Schlitten, its cards, repairs.

`seat` 0 is not a player's place.
"""

from __future__ import annotations

from typing import ClassVar

from table_controller.engine.messages import Audience, Event
from table_controller.engine.seen import Unknown
from table_controller.engine.table.inputs import StrayRuling
from table_controller.rules.cards import Card
from table_controller.rules.money import Chips


class PlayerSat(Event, frozen=True):
    """A seat is taken."""

    seat: int


class PlayerLeft(Event, frozen=True):
    """A seat is free."""

    seat: int


class BalanceChanged(Event, frozen=True):
    """Chips came to the table or left it. For the staff."""

    audience: ClassVar[Audience] = Audience.CROUPIER
    seat: int
    name: str
    chips: int
    balance: Chips


class SchlittenReady(Event, frozen=True):
    """A full Schlitten is in play.

    The event tells its number of cards, and how many are behind the white card.
    """

    shoe: str
    number: int
    cards: int
    white_at: int


class SeatChanged(Event, frozen=True):
    """A player changed seats (N-1). With `swap`, the other player took his seat."""

    seat: int
    to: int
    swap: bool = False


class StaffChanged(Event, frozen=True):
    """Another croupier leads the table."""

    audience: ClassVar[Audience] = Audience.CROUPIER
    name: str


class CardDrawn(Event, frozen=True):
    """A card joined the place of `seat` (0: laid aside).

    This fact and the card's promise are public. The promise is in the field `commitment`, its older
    name, which journals contain.
    """

    seat: int
    ordinal: int
    commitment: str


class CardIdentified(Event, frozen=True):
    """The card's identity. Nobody may see this until the card is opened."""

    audience: ClassVar[Audience] = Audience.SEALED
    ordinal: int
    card: Card
    attempt: int


class CardUnread(Event, frozen=True):
    """A passage without a sure reading. The coup stands still.

    `reason` is never `duplicate`: anybody counting the cards could name the card (R-13).
    """

    ordinal: int
    reason: Unknown


class CardOpened(Event, frozen=True):
    """A card is face up now. Nonce and card prove the promise of `card_drawn`."""

    seat: int
    ordinal: int
    card: Card
    nonce: str


class CardRemoved(Event, frozen=True):
    """A card that belongs to no hand. `ruling` says what happened to it (R-19)."""

    ordinal: int
    ruling: StrayRuling


class WhiteCardOut(Event, frozen=True):
    """The white card left. By the count, this many cards remain (R-6)."""

    left: int


class LastCoup(Event, frozen=True):
    """Announced as "der letzte Coup": the coup under way, else the next one (ZP-4, R-6)."""

    coup: int


class CoupAnnulled(Event, frozen=True):
    """The coup counts for nobody, and stakes go back (Z-24, R-30)."""

    coup: int
    reason: str


class Withdrawn(Event, frozen=True):
    """An input was taken back. `said` is the input's type (R-20)."""

    said: str


class CardCorrected(Event, frozen=True):
    """A reading was corrected, and a new promise is valid for this card (R-20)."""

    ordinal: int
    attempt: int


class Moved(Event, frozen=True):
    """A supervisor moved chips (Z-27)."""

    audience: ClassVar[Audience] = Audience.CROUPIER
    seat: int
    to: int
    chips: Chips
    reason: str


class RulingNoted(Event, frozen=True):
    """A supervisor's ruling, with its reason (Z-27)."""

    NOTES: ClassVar[bool] = True
    audience: ClassVar[Audience] = Audience.CROUPIER
    reason: str


class SchlittenOver(Event, frozen=True):
    """No further coup is dealt from this Schlitten (R-6)."""

    shoe: str
    left: int


class SchlittenWithdrawn(Event, frozen=True):
    """The Schlitten is out of play, uncounted, since the journal was restored from a backup (R-54).

    No card is revealed: closed cards may still be in play under the journal that was backed up.
    """

    CHECKPOINT: ClassVar[bool] = True
    shoe: str


class SchlittenCounted(Event, frozen=True):
    """The Schlitten is closed. `remaining` says for each card how many were never read (R-35).

    After this event all earlier cards may be known, and recovery starts here.
    """

    CHECKPOINT: ClassVar[bool] = True
    shoe: str
    coups: int
    remaining: dict[str, int]


class ReadingNoted(Event, frozen=True):
    """How well the cards of a closed Schlitten were read, all taken together, never one card.

    The figures are those of the input `ReadingCounted`.
    """

    NOTES: ClassVar[bool] = True
    audience: ClassVar[Audience] = Audience.CROUPIER
    shoe: str
    passages: int
    cards: int
    retries: int
    agreed: int
    rejected: int
    gaps: int


# In games staked coup by coup


class Misdeal(Event, frozen=True):
    """Cards were dealt in the wrong order or number, or to the wrong hand (Z-12, N-4, PB-24)."""


class MisdealMended(Event, frozen=True):
    """The misdeal was put right, and nobody objected."""


class PaymentMade(Event, frozen=True):
    """One line of the settlement is done; `line` counts from 0 (Z-26, PB-14)."""

    line: int


class CoupPaid(Event, frozen=True):
    """The coup is collected and paid, and the table goes on."""

    coup: int
