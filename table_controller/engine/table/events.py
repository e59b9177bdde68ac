"""What every card table tells of people, the Schlitten, its cards and repairs.

`seat` 0 is no place of a player.
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
    """Chips came to, or left, the table: for the staff."""

    audience: ClassVar[Audience] = Audience.CROUPIER
    seat: int
    name: str
    chips: int
    balance: Chips


class SchlittenReady(Event, frozen=True):
    """A full Schlitten is in play: so many cards, so many of them behind the white one."""

    shoe: str
    number: int
    cards: int
    white_at: int


class SeatChanged(Event, frozen=True):
    """A player sits elsewhere now (N-1); with `swap` the other one took his seat."""

    seat: int
    to: int
    swap: bool = False


class StaffChanged(Event, frozen=True):
    """Another croupier leads the table."""

    audience: ClassVar[Audience] = Audience.CROUPIER
    name: str


class CardDrawn(Event, frozen=True):
    """A card joined the place of `seat` (0: laid aside). Public: that it did, and its promise.

    Journals have called the promise `commitment` since before it had this name.
    """

    seat: int
    ordinal: int
    commitment: str


class CardIdentified(Event, frozen=True):
    """Which card it is. For nobody, before it is opened."""

    audience: ClassVar[Audience] = Audience.SEALED
    ordinal: int
    card: Card
    attempt: int


class CardUnread(Event, frozen=True):
    """A passage without a sure reading. The coup stands still.

    `reason` is never `duplicate`: who counted the cards could name the one meant (R-13).
    """

    ordinal: int
    reason: Unknown


class CardOpened(Event, frozen=True):
    """A card lies face up; nonce and card prove the promise of `card_drawn`."""

    seat: int
    ordinal: int
    card: Card
    nonce: str


class CardRemoved(Event, frozen=True):
    """A card of no hand: `ruling` says what became of it (R-19)."""

    ordinal: int
    ruling: StrayRuling


class WhiteCardOut(Event, frozen=True):
    """The white card left; so many cards are left by the count (R-6)."""

    left: int


class LastCoup(Event, frozen=True):
    """Announced as "der letzte Coup": this one if one is under way, else the next (ZP-4, R-6)."""

    coup: int


class CoupAnnulled(Event, frozen=True):
    """The coup counts for nobody; stakes go back (Z-24, R-30)."""

    coup: int
    reason: str


class Withdrawn(Event, frozen=True):
    """An input was taken back: `said` is its type (R-20)."""

    said: str


class CardCorrected(Event, frozen=True):
    """A reading was corrected; a new promise holds for this card (R-20)."""

    ordinal: int
    attempt: int


class Moved(Event, frozen=True):
    """Chips were moved by a supervisor's word (Z-27)."""

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
    """No further coup from this Schlitten (R-6)."""

    shoe: str
    left: int


class SchlittenWithdrawn(Event, frozen=True):
    """It is out of play, uncounted, since the journal was put back from a copy (R-54).

    No card is revealed: what lies closed may be in play yet, by the journal that was copied.
    """

    CHECKPOINT: ClassVar[bool] = True
    shoe: str


class SchlittenCounted(Event, frozen=True):
    """The Schlitten is closed: `remaining` holds, per card code, how many were never read (R-35).

    After this event everything earlier may be known, and recovery starts here.
    """

    CHECKPOINT: ClassVar[bool] = True
    shoe: str
    coups: int
    remaining: dict[str, int]


# At games that are staked upon coup by coup


class Misdeal(Event, frozen=True):
    """Dealt in the wrong order or number, or to the wrong hand (Z-12, N-4, PB-24)."""


class MisdealMended(Event, frozen=True):
    """The misdeal was put right without protest."""


class PaymentMade(Event, frozen=True):
    """One line of the settlement is done; `line` counts from 0 (Z-26, PB-14)."""

    line: int


class CoupPaid(Event, frozen=True):
    """Collected and paid: the table goes on."""

    coup: int
