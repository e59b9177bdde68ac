"""What is told of people, the Schlitten and the bank. `seat` 0 is no place of a player."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from table_controller.engine.chemin_de_fer.inputs_table import Play
from table_controller.engine.messages import Audience, Event
from table_controller.rules.money import Chips


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
