"""What comes of the inputs of a chemin de fer table, and who may know.

`seat` 0 is no place of a player: aside, or the house.
"""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from table_controller.engine import messages as common
from table_controller.engine.chemin_de_fer.inputs import Play, StrayRuling, Word
from table_controller.engine.messages import Audience, Event
from table_controller.engine.seen import Unknown
from table_controller.rules.cards import Card
from table_controller.rules.money import Chips
from table_controller.rules.tableau import Duty


class Side(StrEnum):
    """The two hands of a coup."""

    BANK = "bank"
    POINTEUR = "pointeur"


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


class Declared(Event, frozen=True):
    """Whether the player plays by the Schlitten (R-25)."""

    seat: int
    by_schlitten: bool


class StaffChanged(Event, frozen=True):
    """Another croupier leads the table."""

    audience: ClassVar[Audience] = Audience.CROUPIER
    name: str


class BankOpened(Event, frozen=True):
    """The bank is played without limit: "zur offenen Bank" (Z-5)."""

    seat: int


class PotChanged(Event, frozen=True):
    """The pot was raised, halved, or covers what was staked; so much lies aside (R-7, N-5)."""

    seat: int
    pot: Chips
    aside: Chips


class PartnerJoined(Event, frozen=True):
    """A partner came into the bank (Z-4)."""

    seat: int
    chips: Chips
    pot: Chips


class AuctionBegun(Event, frozen=True):
    """After "Suite" the bank is for sale (ZP-18), or waits for somebody to take it over (N-7)."""

    seat: int
    pot: Chips


class BidMade(Event, frozen=True):
    """Somebody would put up so much (ZP-18)."""

    seat: int
    chips: Chips


class BankSold(Event, frozen=True):
    """The bank went over; the buyer's pot stands (ZP-18, N-7)."""

    seat: int
    to: int
    pot: Chips


class BankPosted(Event, frozen=True):
    """The bank stands: "… banco" (ZP-5)."""

    seat: int
    pot: Chips


class SchlittenPassed(Event, frozen=True):
    """The Schlitten goes on to the next seat (ZP-19)."""

    seat: int
    to: int


class PointeurNamed(Event, frozen=True):
    """Who plays against the bank, how, and for how much (ZP-15)."""

    seat: int
    play: Play
    stake: Chips


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
    """A passage without a sure reading. The coup stands still."""

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


CheminDeFerEvent = (
    common.AlertRaised
    | common.AlertDetailed
    | common.AlertSeen
    | common.AlertCleared
    | common.Refused
    | PlayerSat
    | PlayerLeft
    | BalanceChanged
    | SchlittenReady
    | BankPosted
    | SchlittenPassed
    | PointeurNamed
    | CardDrawn
    | CardIdentified
    | CardUnread
    | CardOpened
    | CardRemoved
    | Said
    | HandOpened
    | Advised
    | WhiteCardOut
    | LastCoup
    | CoupSettled
    | CoupAnnulled
    | CoupPaid
    | SchlittenOver
    | SchlittenCounted
    | SeatChanged
    | Declared
    | StaffChanged
    | BankOpened
    | PotChanged
    | PartnerJoined
    | AuctionBegun
    | BidMade
    | BankSold
    | GameOpened
    | StakeLaid
    | StakesClosed
    | PartOffered
    | CardsTakenUp
    | Answered
    | HandThrown
    | FauxTirage
    | Misdeal
    | MisdealMended
    | PaymentMade
    | Withdrawn
    | CardCorrected
    | Moved
    | RulingNoted
)
