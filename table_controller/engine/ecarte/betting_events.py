"""What a table of écarté tells of stakes, chouettes and banks. Place 0 is the bank."""

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
    """It is staked so from now on; `seat` gives the chouette, 0: à deux côtés."""

    mode: Mode
    seat: int


class AuctionCalled(Event, frozen=True):
    """The right to give chouette goes to the highest offer (E07-8)."""


class BidMade(Event, frozen=True):
    """A player offers so much."""

    seat: int
    chips: Chips


class OrderTold(Event, frozen=True):
    """Who plays on a side, and who follows; `hand` 0: nobody plays (E07-3)."""

    side: int
    hand: int
    waiting: tuple[int, ...]


class SharesTold(Event, frozen=True):
    """Who shares in the chouette, the giver first, in parts, and who holds its cards (E07-4)."""

    seats: tuple[int, ...]
    parts: tuple[int, ...]
    hand: int


class BankTold(Event, frozen=True):
    """What the bank holds now, what it began with, and what it may still do (E07-8)."""

    chips: Chips
    start: Chips
    renewed: int
    halved: int


class StakeLaid(Event, frozen=True):
    """A player has so much on a side now, and the side has so much."""

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
    """No stake changes without the giver's leave (E07-7)."""


class LeftOut(Event, frozen=True):
    """The bank does not cover so much of a player's stake, which goes back (E07-61)."""

    seat: int
    chips: Chips


class StakedOutside(Event, frozen=True):
    """A stake outside the bank, and who holds it (E07-62)."""

    seat: int
    holder: int
    chips: Chips
    on_giver: bool


class HandRenounced(Event, frozen=True):
    """A player has given up his hand (E07-4)."""

    seat: int


class PartieWithdrawn(Event, frozen=True):
    """The giver does not play this partie: the stakes went back (E07-7)."""

    seat: int


class ChouetteGivenUp(Event, frozen=True):
    """A player gives no chouette any longer (E07-6)."""

    seat: int


class Surplus(Event, frozen=True):
    """Who pays keeps what lay too much; a negative sum he adds of his own (E07-60)."""

    seat: int
    chips: int


class StakePaid(Event, frozen=True):
    """One payment after a partie, in its order; place 0 is the bank (E07-60, ER-26)."""

    seat: int
    to: int
    chips: Chips


class StakeReturned(Event, frozen=True):
    """A stake went back to who laid it."""

    seat: int
    chips: Chips


class BettingOver(Event, frozen=True):
    """Nobody gives chouette, and no sides play."""


BettingEvent = (
    CardDrawnForOrder | BettingBegun | AuctionCalled | BidMade | OrderTold | SharesTold | BankTold
    | StakeLaid | RestHeld | StakesShut | LeftOut | StakedOutside | HandRenounced
    | PartieWithdrawn | ChouetteGivenUp | Surplus | StakePaid | StakeReturned | BettingOver
)  # fmt: skip
