"""Chemin de fer's own events, and the union of all events at its tables."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from table_controller.engine.chemin_de_fer.inputs import Play, Word
from table_controller.engine.messages import Event
from table_controller.engine.table.unions import CoupEvent, TableEvent
from table_controller.rules.cards import Card
from table_controller.rules.chemin_de_fer.tableau import Duty
from table_controller.rules.money import Chips


class Side(StrEnum):
    """The two hands of a coup."""

    BANK = "bank"
    POINTEUR = "pointeur"


class Declared(Event, frozen=True):
    """Whether the player has bound himself to the tableau ("plays by the Schlitten", R-25)."""

    seat: int
    by_schlitten: bool


class BankOpened(Event, frozen=True):
    """The bank is played without limit: "zur offenen Bank" (Z-5)."""

    seat: int


class PotChanged(Event, frozen=True):
    """The pot was raised or halved, or covers the stakes. `aside` is not in play (R-7, N-5)."""

    seat: int
    pot: Chips
    aside: Chips


class PartnerJoined(Event, frozen=True):
    """A partner joined the bank (Z-4)."""

    seat: int
    chips: Chips
    pot: Chips


class AuctionBegun(Event, frozen=True):
    """After "Suite" the bank is for sale (ZP-18), or it may be taken over (N-7)."""

    seat: int
    pot: Chips


class BidMade(Event, frozen=True):
    """Somebody offers to put up this pot (ZP-18)."""

    seat: int
    chips: Chips


class BankSold(Event, frozen=True):
    """The bank changed hands; the buyer's pot is up (ZP-18, N-7)."""

    seat: int
    to: int
    pot: Chips


class BankPosted(Event, frozen=True):
    """The bank is put up: "… banco" (ZP-5)."""

    seat: int
    pot: Chips


class SchlittenPassed(Event, frozen=True):
    """The Schlitten goes on to the next seat (ZP-19)."""

    seat: int
    to: int


class PointeurNamed(Event, frozen=True):
    """The player who plays against the bank, in which game, and for how much (ZP-15)."""

    seat: int
    play: Play
    stake: Chips


class GameOpened(Event, frozen=True):
    """All are asked to stake (ZP-16)."""

    play: Play


class StakeLaid(Event, frozen=True):
    """The new total stake at `seat`."""

    seat: int
    chips: Chips


class StakesClosed(Event, frozen=True):
    """Stakes are closed.

    The event tells the total, and how much of it the pot covers (ZP-16, R-23).
    """

    staked: Chips
    covered: Chips


class PartOffered(Event, frozen=True):
    """The part of the pot that nobody has staked is offered to this seat (R-21)."""

    seat: int
    chips: Chips


class CardsTakenUp(Event, frozen=True):
    """The hand has taken up its cards (N-3)."""

    seat: int


class Said(Event, frozen=True):
    """A player's answer that counts, such as carte or reste."""

    seat: int
    word: Word


class HandOpened(Event, frozen=True):
    """All cards of a hand are open, in the order dealt. Points are 0 to 9."""

    seat: int
    cards: tuple[Card, ...]
    points: int


class Advised(Event, frozen=True):
    """The custom's advice to the banker. There is none after "reste" (ZX-2, Z-20)."""

    seat: int
    point: int
    given: int | None
    duty: Duty


class Answered(Event, frozen=True):
    """The croupier's answer to "Was macht der Schlitten?", and if it binds (Z-19, Z-20, R-27)."""

    seat: int
    duty: Duty
    binds: bool


class HandThrown(Event, frozen=True):
    """A hand was thrown away (Z-11, Z-15)."""

    seat: int


class FauxTirage(Event, frozen=True):
    """The custom forbids this third card, so it is given back (Z-21, R-18)."""

    seat: int
    ordinal: int


class ClaimFailed(Event, frozen=True):
    """The custom did not forbid the card that was given back closed (R-38).

    If `returned`, the card is again the third card of `seat`; otherwise the banker has drawn it or
    it was burned.
    """

    seat: int
    ordinal: int
    returned: bool


class CoupSettled(Event, frozen=True):
    """The coup is decided. `winner` is None on equal points (*en carte*).

    Attributes:
        banker, pointeur: points, None if a hand stayed closed; a thrown hand counts 0 (Z-15).
        forfeit: the rule by which the bank lost regardless of points (Z-11, Z-12, N-4), or "".
        pot: the pot during the coup.
        staked: the total at risk against the bank.
        cagnotte: the house's share, only if the bank won.
        pot_after: the pot after the coup: pot + staked - cagnotte, or pot - staked, or pot.
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


CheminDeFerEvent = (
    TableEvent
    | CoupEvent
    | BankPosted
    | SchlittenPassed
    | PointeurNamed
    | Said
    | HandOpened
    | Advised
    | CoupSettled
    | Declared
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
    | ClaimFailed
)
