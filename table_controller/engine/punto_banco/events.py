"""What is told at a punto banco table only, and everything that may be told at one."""

from __future__ import annotations

from typing import ClassVar, Final

from msgspec import Struct

from table_controller.engine.messages import Audience, Event
from table_controller.engine.punto_banco.inputs import Side
from table_controller.engine.table.unions import CoupEvent, TableEvent
from table_controller.rules.money import NONE, Chips
from table_controller.rules.punto_banco.coup import Winner

#: Where the two hands' cards join, in place of a seat: no player's place has such a number.
PLACES: Final = {Side.PLAYER: 201, Side.BANKER: 202}


class BurnDue(Event, frozen=True):
    """So many cards are burned face down, since the first one was turned, or by custom (PB-2)."""

    cards: int


class BetLaid(Event, frozen=True):
    """The stake of `seat` on that spot is now so much."""

    seat: int
    spot: str
    chips: Chips


class OverDifferential(Event, frozen=True):
    """When the bets closed, so much of that stake went back (PB-36)."""

    seat: int
    spot: str
    chips: Chips


class CoupBegun(Event, frozen=True):
    """The bets are closed, and the first card lies; so much is staked (PB-4)."""

    coup: int
    staked: Chips


class PointsTold(Event, frozen=True):
    """The first two cards of both sides lie open, and come to this (PB-5)."""

    player: int
    banker: int


class ThirdCardDue(Event, frozen=True):
    """That side draws (PB-6, PB-7)."""

    side: Side


class CoupAnnounced(Event, frozen=True):
    """Who has won, and the points: locked until the table agrees (PB-8)."""

    coup: int
    winner: Winner
    player: int
    banker: int


class ReadingDiffers(Event, frozen=True):
    """A second reading of the table says otherwise: only a supervisor confirms or rules (PB-37)."""

    audience: ClassVar[Audience] = Audience.CROUPIER
    coup: int
    winner: Winner


class Won(Struct, frozen=True):
    """What a spot won for everybody on it: `paid` beside the stakes, its commission taken off."""

    spot: str
    stake: Chips
    paid: Chips
    commission: Chips = NONE


class CoupSettled(Event, frozen=True):
    """The table agrees: so much of what was staked is lost, so much paid, so much still lies.

    Attributes:
        lost: stakes that the house collects; `back`: those that go back with what they won.
        stays: stakes that neither won nor lost (PB-9, PB-11).
        paid: what the house pays beside the stakes, its commission taken off.
        commission: taken at once, or put into boxes (PB-10).
        won: the same by spots, each that has won something.
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
    """What stood in a player's box is the house's now (PB-10)."""

    audience: ClassVar[Audience] = Audience.CROUPIER
    seat: int
    chips: Chips


class MishapRuled(Event, frozen=True):
    """What went wrong was ruled upon: by which rule, by whom, and why."""

    NOTES: ClassVar[bool] = True
    audience: ClassVar[Audience] = Audience.CROUPIER
    rule: str
    by: str
    reason: str


class ResultReopened(Event, frozen=True):
    """The last result is taken back, with everything that was paid on it (PB-26)."""

    coup: int


class NotMoved(Event, frozen=True):
    """So much of a ruling's money `seat` has no longer, or who is to get it is gone (PB-35).

    `seat` and `to` as in `moved`, 0 being the tray.
    """

    audience: ClassVar[Audience] = Audience.CROUPIER
    coup: int
    seat: int
    to: int
    chips: Chips


class ResultChanged(Event, frozen=True):
    """A supervisor decided otherwise: every road is drawn anew (PB-26, PR-2)."""

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
