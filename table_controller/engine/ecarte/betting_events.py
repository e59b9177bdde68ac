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
    """Betting is in this mode from now on; `seat` gives the chouette, 0: à deux côtés."""

    mode: Mode
    seat: int


class AuctionCalled(Event, frozen=True):
    """The right to give chouette goes to the highest bidder (E07-8)."""


class BidMade(Event, frozen=True):
    """A player bids this sum."""

    seat: int
    chips: Chips


class OrderTold(Event, frozen=True):
    """Who plays on a side, and who plays next; `hand` 0: nobody plays (E07-3)."""

    side: int
    hand: int
    waiting: tuple[int, ...]


class SharesTold(Event, frozen=True):
    """The chouette's sharers and their parts, the giver first, and who holds its cards (E07-4)."""

    seats: tuple[int, ...]
    parts: tuple[int, ...]
    hand: int


class BankTold(Event, frozen=True):
    """What the bank holds now, what it began with, and what its giver may still do (E07-8)."""

    chips: Chips
    start: Chips
    renewed: int
    halved: int


class StakeLaid(Event, frozen=True):
    """What a player now has on a side, and the side's total."""

    seat: int
    side: int
    chips: Chips
    total: Chips


class RestHeld(Event, frozen=True):
    """A player holds the rest of a side (E07-60)."""

    seat: int
    side: int
    chips: Chips


class StakesShut(Event, frozen=True):
    """No stake may now change without the giver's leave (E07-7)."""


class LeftOut(Event, frozen=True):
    """The part of a player's stake that the bank does not cover; it goes back (E07-61)."""

    seat: int
    chips: Chips


class StakedOutside(Event, frozen=True):
    """A stake outside the bank, and who holds it (E07-62)."""

    seat: int
    holder: int
    chips: Chips
    on_giver: bool


class HandRenounced(Event, frozen=True):
    """A player has renounced his hand (E07-4)."""

    seat: int


class PartieWithdrawn(Event, frozen=True):
    """The giver declines this partie; the stakes went back (E07-7)."""

    seat: int


class ChouetteGivenUp(Event, frozen=True):
    """A player has given up his chouette (E07-6)."""

    seat: int


class Surplus(Event, frozen=True):
    """What the payer keeps beyond what was due; a negative sum he pays himself (E07-60)."""

    seat: int
    chips: int


class StakePaid(Event, frozen=True):
    """One of the payments after a partie, in order; place 0 is the bank (E07-60, ER-26)."""

    seat: int
    to: int
    chips: Chips


class StakeReturned(Event, frozen=True):
    """A stake went back to the player who laid it."""

    seat: int
    chips: Chips


class BettingOver(Event, frozen=True):
    """Nobody gives chouette any more, nor do two sides play."""


BettingEvent = (
    CardDrawnForOrder | BettingBegun | AuctionCalled | BidMade | OrderTold | SharesTold | BankTold
    | StakeLaid | RestHeld | StakesShut | LeftOut | StakedOutside | HandRenounced
    | PartieWithdrawn | ChouetteGivenUp | Surplus | StakePaid | StakeReturned | BettingOver
)  # fmt: skip
