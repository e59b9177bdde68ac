"""Punto banco's own events, and the union of all events at its tables."""

from __future__ import annotations

from typing import ClassVar, Final

from msgspec import Struct

from table_controller.engine.messages import Audience, Event
from table_controller.engine.punto_banco.inputs import Side
from table_controller.engine.table.unions import CoupEvent, TableEvent
from table_controller.rules.money import NONE, Chips
from table_controller.rules.punto_banco.coup import Winner

#: The two hands' places, used like seat numbers. No player's place has these numbers.
PLACES: Final = {Side.PLAYER: 201, Side.BANKER: 202}


class BurnDue(Event, frozen=True):
    """So many cards must be burned face down, by the first card's value or by custom (PB-2)."""

    cards: int


class BetLaid(Event, frozen=True):
    """The new stake of `seat` on that spot."""

    seat: int
    spot: str
    chips: Chips


class OverDifferential(Event, frozen=True):
    """When the bets closed, this much of that stake went back (PB-36)."""

    seat: int
    spot: str
    chips: Chips


class CoupBegun(Event, frozen=True):
    """The bets are closed, and the first card is dealt. The event tells the total staked (PB-4)."""

    coup: int
    staked: Chips


class PointsTold(Event, frozen=True):
    """The first two cards of both sides are open, with these points (PB-5)."""

    player: int
    banker: int


class ThirdCardDue(Event, frozen=True):
    """That side draws (PB-6, PB-7)."""

    side: Side


class CoupAnnounced(Event, frozen=True):
    """The winner and the points are announced. Nothing is paid until the table agrees (PB-8)."""

    coup: int
    winner: Winner
    player: int
    banker: int


class ReadingDiffers(Event, frozen=True):
    """A second reading of the table disagrees. Only a supervisor may confirm or rule (PB-37)."""

    audience: ClassVar[Audience] = Audience.CROUPIER
    coup: int
    winner: Winner


class Won(Struct, frozen=True):
    """A spot's win for everybody on it. `paid` is on top of the stakes, less commission."""

    spot: str
    stake: Chips
    paid: Chips
    commission: Chips = NONE


class CoupSettled(Event, frozen=True):
    """The table agrees. The event tells which part of the stakes is lost, is paid, or stays.

    Attributes:
        lost: stakes that the house collects; `back`: stakes that are returned with their winnings.
        stays: stakes that neither won nor lost (PB-9, PB-11).
        paid: the sum that the house pays on top of the stakes, less commission.
        commission: taken immediately, or put into boxes (PB-10).
        won: the payment by spot, for each spot that won something.
    """

    SETTLES: ClassVar[bool] = True
    coup: int
    winner: Winner
    player: int
    banker: int
    staked: Chips = NONE
    lost: Chips = NONE
    back: Chips = NONE
    stays: Chips = NONE
    paid: Chips = NONE
    commission: Chips = NONE
    won: tuple[Won, ...] = ()


class CommissionCollected(Event, frozen=True):
    """The commission in a player's box is now the house's (PB-10)."""

    audience: ClassVar[Audience] = Audience.CROUPIER
    seat: int
    chips: Chips


class MishapRuled(Event, frozen=True):
    """A mishap was ruled on, by a rule and a person, with a reason."""

    NOTES: ClassVar[bool] = True
    audience: ClassVar[Audience] = Audience.CROUPIER
    rule: str
    by: str
    reason: str


class ResultReopened(Event, frozen=True):
    """The last result is taken back, with every payment made on it (PB-26)."""

    coup: int


class NotMoved(Event, frozen=True):
    """This much of a ruling was not paid: `seat` no longer has it, or the payee has left (PB-35).

    `seat` and `to` are as in `moved`; 0 is the tray.
    """

    audience: ClassVar[Audience] = Audience.CROUPIER
    coup: int
    seat: int
    to: int
    chips: Chips


class ResultChanged(Event, frozen=True):
    """A supervisor decided otherwise, and every road is redrawn (PB-26, PR-2)."""

    coup: int
    winner: Winner


PuntoBancoEvent = (
    TableEvent
    | CoupEvent
    | BurnDue
    | BetLaid
    | OverDifferential
    | CoupBegun
    | PointsTold
    | ThirdCardDue
    | CoupAnnounced
    | ReadingDiffers
    | CoupSettled
    | CommissionCollected
    | MishapRuled
    | ResultReopened
    | NotMoved
    | ResultChanged
)
