"""Events of every card table: people, the Schlitten, its cards, repairs.

In the field `seat`, 0 means that no player's place is concerned.
"""

from __future__ import annotations

from typing import ClassVar

from table_controller.engine.messages import Audience, Event
from table_controller.engine.seen import Unknown
from table_controller.engine.table.inputs import StrayRuling
from table_controller.rules.cards import Card
from table_controller.rules.money import Chips


class PlayerSat(Event, frozen=True):
    """A player took the seat."""

    seat: int


class PlayerLeft(Event, frozen=True):
    """A player left the seat, which is free now."""

    seat: int


class BalanceChanged(Event, frozen=True):
    """A player brought chips to the table or took chips from it. Only the staff sees this."""

    audience: ClassVar[Audience] = Audience.CROUPIER
    seat: int
    name: str
    chips: int
    balance: Chips


class SchlittenReady(Event, frozen=True):
    """A newly loaded Schlitten is in play.

    `cards` is its number of cards, and `white_at` the number of cards behind the white card.
    """

    shoe: str
    number: int
    cards: int
    white_at: int


class SeatChanged(Event, frozen=True):
    """A player moved from `seat` to `to` (N-1). With `swap`, the player there moved to `seat`."""

    seat: int
    to: int
    swap: bool = False


class StaffChanged(Event, frozen=True):
    """Another croupier leads the table."""

    audience: ClassVar[Audience] = Audience.CROUPIER
    name: str


class CardDrawn(Event, frozen=True):
    """A card was dealt to the place `seat` (0: laid aside). It may be closed.

    Everybody may know that the card was dealt, and the card's promise. The promise is in the field
    `commitment`, an older name that journals contain.
    """

    seat: int
    ordinal: int
    commitment: str


class CardIdentified(Event, frozen=True):
    """The identity of a closed card. Nobody may see this event until the card is opened."""

    audience: ClassVar[Audience] = Audience.SEALED
    ordinal: int
    card: Card
    attempt: int


class CardUnread(Event, frozen=True):
    """A card passed the lip, but was not read with certainty. The coup waits.

    `reason` is never `duplicate`, because anybody who counts the open cards could then name the
    card (R-13).
    """

    ordinal: int
    reason: Unknown


class CardOpened(Event, frozen=True):
    """A card is face up now. `nonce` and `card` prove the promise that `card_drawn` published."""

    seat: int
    ordinal: int
    card: Card
    nonce: str


class CardRemoved(Event, frozen=True):
    """A card does not belong to any hand. `ruling` says what happened to it (R-19)."""

    ordinal: int
    ruling: StrayRuling


class WhiteCardOut(Event, frozen=True):
    """The white card left the Schlitten. By the count, `left` cards remain (R-6)."""

    left: int


class LastCoup(Event, frozen=True):
    """The last coup is announced ("der letzte Coup"). `coup` is its number (ZP-4, R-6)."""

    coup: int


class CoupAnnulled(Event, frozen=True):
    """The coup was annulled: nobody wins or loses, and the stakes are given back (Z-24, R-30)."""

    coup: int
    reason: str


class Withdrawn(Event, frozen=True):
    """Somebody took back an input, and the public events that it caused do not count any more.

    Those are `events` events in a row; the first of them is the `ago`-th public event before this
    one. Both are 0 if the input had told the public nothing, and in older journals (R-20).

    `said` is the type of the withdrawn input.
    """

    LATER: ClassVar[tuple[str, ...]] = ("ago", "events")
    said: str
    ago: int = 0
    events: int = 0


class CardCorrected(Event, frozen=True):
    """A card's reading was corrected.

    The card has a new promise, which replaces the old one (R-20).
    """

    ordinal: int
    attempt: int


class CardMoved(Event, frozen=True):
    """By a correction, the card lies in another hand: that of the place `seat` (PB-20, R-20)."""

    ADDED: ClassVar[bool] = True
    ordinal: int
    seat: int


class Moved(Event, frozen=True):
    """A supervisor moved chips from the place `seat` to the place `to` (Z-27)."""

    audience: ClassVar[Audience] = Audience.CROUPIER
    seat: int
    to: int
    chips: Chips
    reason: str


class RulingNoted(Event, frozen=True):
    """A supervisor made a ruling, with a reason (Z-27)."""

    NOTES: ClassVar[bool] = True
    audience: ClassVar[Audience] = Audience.CROUPIER
    reason: str


class SchlittenOver(Event, frozen=True):
    """No further coup is dealt from this Schlitten (R-6)."""

    shoe: str
    left: int


class SchlittenWithdrawn(Event, frozen=True):
    """The Schlitten is out of play and not counted, because a backup was restored (R-54).

    No card is revealed: the closed cards may still be in play at the table whose journal was backed
    up.
    """

    CHECKPOINT: ClassVar[bool] = True
    shoe: str


class SchlittenCounted(Event, frozen=True):
    """The Schlitten is closed and counted.

    `remaining` is how many of each card were never read (R-35). After this event everybody may know
    all earlier cards. A restart replays the inputs after it.
    """

    CHECKPOINT: ClassVar[bool] = True
    shoe: str
    coups: int
    remaining: dict[str, int]


class ReadingNoted(Event, frozen=True):
    """How well the cards of a closed Schlitten were read, in total and never for a single card.

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
    """The croupier put the misdeal right, and nobody objected."""


class PaymentMade(Event, frozen=True):
    """One line of the settlement was collected or paid. `line` counts from 0 (Z-26, PB-14)."""

    line: int


class CoupPaid(Event, frozen=True):
    """All lines of the coup were collected and paid, and the table goes on."""

    coup: int
