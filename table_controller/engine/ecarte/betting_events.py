"""The events of stakes, chouettes and banks at an écarté table. Place 0 is the bank."""

from __future__ import annotations

from table_controller.engine.ecarte.betting import Mode
from table_controller.engine.messages import Event
from table_controller.rules.cards import Card
from table_controller.rules.money import Chips


class CardDrawnForOrder(Event, frozen=True):
    """A player drew this card for the order (E07-9)."""

    seat: int
    card: Card


class BettingBegun(Event, frozen=True):
    """Betting is in this mode from now on. `seat` gives the chouette; it is 0 à deux côtés."""

    mode: Mode
    seat: int


class AuctionCalled(Event, frozen=True):
    """The right to give chouette goes to the highest bidder (E07-8)."""


class BidMade(Event, frozen=True):
    """A player bids this sum."""

    seat: int
    chips: Chips


class OrderTold(Event, frozen=True):
    """The players of a side, and the player who plays next. `hand` 0 means nobody (E07-3)."""

    side: int
    hand: int
    waiting: tuple[int, ...]


class SharesTold(Event, frozen=True):
    """The chouette's sharers and their parts, the giver first, and who plays its cards (E07-4)."""

    seats: tuple[int, ...]
    parts: tuple[int, ...]
    hand: int


class BankTold(Event, frozen=True):
    """The bank's sum now and at first, and what its giver may still do (E07-8)."""

    chips: Chips
    start: Chips
    renewed: int
    halved: int


class StakeLaid(Event, frozen=True):
    """The player's total stake on a side, and the side's total."""

    seat: int
    side: int
    chips: Chips
    total: Chips


class RestHeld(Event, frozen=True):
    """A player covers the rest of a side: he stakes the difference between the sides (E07-60)."""

    seat: int
    side: int
    chips: Chips


class StakesShut(Event, frozen=True):
    """No stake may now change without the giver's leave (E07-7)."""


class LeftOut(Event, frozen=True):
    """The part of a player's stake that the bank does not cover. That part goes back (E07-61)."""

    seat: int
    chips: Chips


class StakedOutside(Event, frozen=True):
    """A stake outside the bank, and the player who bets against it (E07-62)."""

    seat: int
    holder: int
    chips: Chips
    on_giver: bool


class HandRenounced(Event, frozen=True):
    """A player has renounced his hand (E07-4)."""

    seat: int


class PartieWithdrawn(Event, frozen=True):
    """The giver declines this partie, and the stakes went back (E07-7)."""

    seat: int


class ChouetteGivenUp(Event, frozen=True):
    """A player has given up his chouette (E07-6)."""

    seat: int


class Surplus(Event, frozen=True):
    """The sum that the payer keeps beyond his dues; if negative, he pays it himself (E07-60)."""

    seat: int
    chips: int


class StakePaid(Event, frozen=True):
    """One of the payments after a partie, in order. Place 0 is the bank (E07-60, ER-26)."""

    seat: int
    to: int
    chips: Chips


class StakeReturned(Event, frozen=True):
    """A stake went back to the player who laid it."""

    seat: int
    chips: Chips


class BettingOver(Event, frozen=True):
    """The chouette or the play on two sides has ended."""


BettingEvent = (
    CardDrawnForOrder | BettingBegun | AuctionCalled | BidMade | OrderTold | SharesTold | BankTold
    | StakeLaid | RestHeld | StakesShut | LeftOut | StakedOutside | HandRenounced
    | PartieWithdrawn | ChouetteGivenUp | Surplus | StakePaid | StakeReturned | BettingOver
)  # fmt: skip
