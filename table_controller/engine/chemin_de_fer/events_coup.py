"""What is told of a coup: stakes, cards, words, the result, and repairs."""

from __future__ import annotations

from typing import ClassVar

from table_controller.engine.chemin_de_fer.events_table import Side
from table_controller.engine.chemin_de_fer.inputs_table import Play, StrayRuling, Word
from table_controller.engine.messages import Audience, Event
from table_controller.engine.seen import Unknown
from table_controller.rules.cards import Card
from table_controller.rules.money import Chips
from table_controller.rules.tableau import Duty


class GameOpened(Event, frozen=True):
    """All are asked to stake (ZP-16)."""

    play: Play


class StakeLaid(Event, frozen=True):
    """The stake at `seat` is now so much."""

    seat: int
    chips: Chips


class StakesClosed(Event, frozen=True):
    """No more may be staked; so much lies, so much of it the pot covers (ZP-16, R-23)."""

    staked: Chips
    covered: Chips


class PartOffered(Event, frozen=True):
    """What the table has not staked is offered to this seat (R-21)."""

    seat: int
    chips: Chips


class CardsTakenUp(Event, frozen=True):
    """The hand holds its cards now (N-3)."""

    seat: int


class CardDrawn(Event, frozen=True):
    """A card joined the place of `seat` (0: laid aside). Public: that it did, and its promise."""

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


class Said(Event, frozen=True):
    """A word that counts."""

    seat: int
    word: Word


class HandOpened(Event, frozen=True):
    """All cards of a hand lie open, in the order dealt. Points 0 to 9."""

    seat: int
    cards: tuple[Card, ...]
    points: int


class Advised(Event, frozen=True):
    """What the custom says to the banker; no information after "reste" (ZX-2, Z-20)."""

    seat: int
    point: int
    given: int | None
    duty: Duty


class Answered(Event, frozen=True):
    """To "Was macht der Schlitten?" the croupier's answer; whether it binds (Z-19, Z-20, R-27)."""

    seat: int
    duty: Duty
    binds: bool


class HandThrown(Event, frozen=True):
    """A hand was thrown away (Z-11, Z-15)."""

    seat: int


class FauxTirage(Event, frozen=True):
    """The custom forbids this card: it is given back (Z-21, R-18)."""

    seat: int
    ordinal: int


class ClaimFailed(Event, frozen=True):
    """The custom did not forbid the card that was given back closed (R-38).

    `returned`: it is the third card of `seat` again; else the banker has drawn or burned it.
    """

    seat: int
    ordinal: int
    returned: bool


class Misdeal(Event, frozen=True):
    """Dealt in the wrong order or number: to be put right, or lost (Z-12, N-4)."""


class MisdealMended(Event, frozen=True):
    """The misdeal was put right without protest."""


class WhiteCardOut(Event, frozen=True):
    """The white card left; so many cards are left by the count (R-6)."""

    left: int


class LastCoup(Event, frozen=True):
    """Announced as "der letzte Coup": this one if one is under way, else the next (ZP-4, R-6)."""

    coup: int


class CoupSettled(Event, frozen=True):
    """The coup is decided. `winner` is None on equal points (*en carte*).

    Attributes:
        banker, pointeur: points, None where a hand stayed closed; a thrown hand is 0 (Z-15).
        forfeit: the rule by which the bank lost without its points (Z-11, Z-12, N-4), or "".
        pot: what the bank had put up.
        staked: what was at risk against it.
        cagnotte: the house's share, only where the bank won.
        pot_after: what the pot holds now: pot + staked - cagnotte, or pot - staked, or pot.
    """

    SETTLES: ClassVar[bool] = True
    coup: int
    winner: Side | None
    banker_seat: int
    pointeur_seat: int
    banker: int | None
    pointeur: int | None
    pot: Chips
    staked: Chips
    cagnotte: Chips
    pot_after: Chips
    forfeit: str = ""


class CoupAnnulled(Event, frozen=True):
    """The coup counts for nobody; stakes go back (Z-24, R-30)."""

    coup: int
    reason: str


class PaymentMade(Event, frozen=True):
    """One line of the settlement is done; `line` counts from 0 (Z-26)."""

    line: int


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

    audience: ClassVar[Audience] = Audience.CROUPIER
    reason: str


class CoupPaid(Event, frozen=True):
    """Collected and paid: the table goes on."""

    coup: int


class SchlittenOver(Event, frozen=True):
    """No further coup from this Schlitten (R-6)."""

    shoe: str
    left: int


class SchlittenCounted(Event, frozen=True):
    """The Schlitten is closed: `remaining` holds, per card code, how many were never read (R-35).

    After this event everything earlier may be known, and recovery starts here.
    """

    CHECKPOINT: ClassVar[bool] = True
    shoe: str
    coups: int
    remaining: dict[str, int]
