"""The events about stakes, chouettes and banks at an écarté table. Place 0 is the bank."""

from __future__ import annotations

from table_controller.engine.ecarte.betting import Mode
from table_controller.engine.messages import Event
from table_controller.rules.cards import Card
from table_controller.rules.money import Chips


class CardDrawnForOrder(Event, frozen=True):
    """A player drew this card to find the order of players (E07-9)."""

    seat: int
    card: Card


class BettingBegun(Event, frozen=True):
    """The players stake in this mode from now on.

    `seat` is the player who gives the chouette; it is 0 à deux côtés.
    """

    mode: Mode
    seat: int


class AuctionCalled(Event, frozen=True):
    """The right to give a chouette will be auctioned (E07-8)."""


class BidMade(Event, frozen=True):
    """A player bids `chips` for the right to give a chouette."""

    seat: int
    chips: Chips


class OrderTold(Event, frozen=True):
    """The order of players on a side. The player `hand` plays next; 0 means nobody (E07-3)."""

    side: int
    hand: int
    waiting: tuple[int, ...]


class SharesTold(Event, frozen=True):
    """The sharers of a chouette and their parts, the giver first (E07-4).

    `hand` is the sharer who plays the cards.
    """

    seats: tuple[int, ...]
    parts: tuple[int, ...]
    hand: int


class BankTold(Event, frozen=True):
    """The bank of a chouette: its sum now and at first (E07-8).

    `renewed` and `halved` say how often the giver has laid it again or halved it.
    """

    chips: Chips
    start: Chips
    renewed: int
    halved: int


class StakeLaid(Event, frozen=True):
    """A player's stake on a side changed. `chips` is his total stake, and `total` the side's."""

    seat: int
    side: int
    chips: Chips
    total: Chips


class RestHeld(Event, frozen=True):
    """A player covers the rest: he stakes the sum by which one side is below the other (E07-60)."""

    seat: int
    side: int
    chips: Chips


class StakesShut(Event, frozen=True):
    """The stakes are closed. They may change only with the giver's permission (E07-7)."""


class LeftOut(Event, frozen=True):
    """The bank does not cover `chips` of a player's stake, which go back to him (E07-61)."""

    seat: int
    chips: Chips


class StakedOutside(Event, frozen=True):
    """A player laid a stake outside the bank. `holder` bets against him (E07-62).

    `on_giver` says whether the stake is on the giver's win.
    """

    seat: int
    holder: int
    chips: Chips
    on_giver: bool


class HandRenounced(Event, frozen=True):
    """A player gave up his turn to hold the cards (E07-4)."""

    seat: int


class PartieWithdrawn(Event, frozen=True):
    """The giver declined this partie, and the stakes were given back (E07-7)."""

    seat: int


class ChouetteGivenUp(Event, frozen=True):
    """The giver has given up his chouette (E07-6)."""

    seat: int


class Surplus(Event, frozen=True):
    """The sum that the payer keeps from the lost stakes after all payments (E07-60).

    A negative sum means that he had to add it from his own money.
    """

    seat: int
    chips: int


class StakePaid(Event, frozen=True):
    """One payment after a partie; the payments come in order.

    Place 0 is the bank (E07-60, ER-26).
    """

    seat: int
    to: int
    chips: Chips


class StakeReturned(Event, frozen=True):
    """A stake was given back to the player who laid it."""

    seat: int
    chips: Chips


class BettingOver(Event, frozen=True):
    """The chouette, or the play on two sides, has ended."""


BettingEvent = (
    CardDrawnForOrder | BettingBegun | AuctionCalled | BidMade | OrderTold | SharesTold | BankTold
    | StakeLaid | RestHeld | StakesShut | LeftOut | StakedOutside | HandRenounced
    | PartieWithdrawn | ChouetteGivenUp | Surplus | StakePaid | StakeReturned | BettingOver
)  # fmt: skip
