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
    """`cards` cards must be burned face down, by the first card's value or by custom (PB-2)."""

    cards: int


class BetLaid(Event, frozen=True):
    """The stake of the player at `seat` on a spot changed; `chips` is his stake there now."""

    seat: int
    spot: str
    chips: Chips


class OverDifferential(Event, frozen=True):
    """The bets were closed, and `chips` of this stake went back to the player (PB-36).

    The stakes on Player and Banker were further apart than the differential allows.
    """

    seat: int
    spot: str
    chips: Chips


class CoupBegun(Event, frozen=True):
    """The bets are closed, and the first card is dealt.

    `staked` is the sum of all stakes (PB-4).
    """

    coup: int
    staked: Chips


class PointsTold(Event, frozen=True):
    """The first two cards of both sides are open. The fields are their points (PB-5)."""

    player: int
    banker: int


class ThirdCardDue(Event, frozen=True):
    """The side draws a third card (PB-6, PB-7)."""

    side: Side


class CoupAnnounced(Event, frozen=True):
    """The winner and the points are announced. Nothing is paid until the table agrees (PB-8)."""

    coup: int
    winner: Winner
    player: int
    banker: int


class ReadingDiffers(Event, frozen=True):
    """A second reading of the table found another winner. A supervisor must decide (PB-37)."""

    audience: ClassVar[Audience] = Audience.CROUPIER
    coup: int
    winner: Winner


class Won(Struct, frozen=True):
    """The sum that all stakes on one spot have won.

    `paid` contains neither the stakes nor the commission.
    """

    spot: str
    stake: Chips
    paid: Chips
    commission: Chips = NONE


class CoupSettled(Event, frozen=True):
    """The table agreed with the result. The event says what happens to the stakes.

    Attributes:
        lost: stakes that the house collects; `back`: stakes that are returned with their winnings.
        stays: stakes that neither won nor lost (PB-9, PB-11).
        paid: the sum that the house pays on top of the stakes, less commission.
        commission: the commission that the house took immediately, or put into boxes (PB-10).
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
    """The commission in a player's box was collected by the house (PB-10)."""

    audience: ClassVar[Audience] = Audience.CROUPIER
    seat: int
    chips: Chips


class MishapRuled(Event, frozen=True):
    """A person ruled on a mishap. The event says who ruled, by which rule, and for which reason."""

    NOTES: ClassVar[bool] = True
    audience: ClassVar[Audience] = Audience.CROUPIER
    rule: str
    by: str
    reason: str


class ResultReopened(Event, frozen=True):
    """A supervisor took back the last result, with every payment made on it (PB-26)."""

    coup: int


class NotMoved(Event, frozen=True):
    """A sum was not moved after a ruling: `seat` no longer has it, or `to` has left (PB-35).

    `seat` and `to` mean the same as in the event `moved`; 0 is the tray.
    """

    audience: ClassVar[Audience] = Audience.CROUPIER
    coup: int
    seat: int
    to: int
    chips: Chips


class ResultChanged(Event, frozen=True):
    """A supervisor named another winner of this coup. Every road is drawn again (PB-26, PR-2)."""

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
