"""Punto banco's own inputs, and the union of all inputs at its tables."""

from __future__ import annotations

from enum import StrEnum

from table_controller.engine.messages import Input, Role
from table_controller.engine.table.unions import CoupInput, TableInput
from table_controller.rules.money import Chips
from table_controller.rules.punto_banco.coup import Winner


class Side(StrEnum):
    """The two hands of a coup."""

    PLAYER = "player"
    BANKER = "banker"


class Bets(Input, frozen=True):
    """A player lays chips on a spot, on top of any already there (PB-13)."""

    seat: int
    spot: str
    chips: Chips


class BetsAgain(Input, frozen=True):
    """Everybody who can lays the previous coup's stakes again."""


class TakesDown(Input, frozen=True):
    """A player takes his stake back from a spot, before the bets are closed."""

    seat: int
    spot: str


class FreeCoup(Input, frozen=True):
    """A coup without stakes is asked for (PB-16)."""


class BetsOpenAgain(Input, frozen=True):
    """The bets were closed too early. They are open again until the first card (PB-40)."""


class Opened(Input, frozen=True):
    """The closed cards of a side were shown to the table (PB-15)."""

    side: Side


class Agrees(Input, frozen=True):
    """The table agrees with the announced result (PB-8).

    `winner` is the result by a second reading of the table, if there is one. If it disagrees, the
    result is locked until a supervisor has decided (PB-37).
    """

    winner: Winner | None = None


class Collects(Input, frozen=True):
    """The commission in a player's box is collected (PB-10)."""

    seat: int


class PutRight(Input, frozen=True):
    """Misdealt cards are in the right places again, since their order is known (PB-24)."""

    reason: str


class Reopens(Input, frozen=True):
    """A supervisor takes back the last result before the next coup's first card (PB-26)."""

    NEEDS = Role.SUPERVISOR
    reason: str


class ResultRuled(Input, frozen=True):
    """A supervisor decides who won, whatever was announced (PB-26)."""

    NEEDS = Role.SUPERVISOR
    winner: Winner
    reason: str


class PastRuled(Input, frozen=True):
    """A supervisor decides who won an earlier coup of this Schlitten (PB-26, PR-2)."""

    NEEDS = Role.SUPERVISOR
    coup: int
    winner: Winner
    reason: str


PuntoBancoInput = (
    TableInput
    | CoupInput
    | Bets
    | BetsAgain
    | TakesDown
    | FreeCoup
    | BetsOpenAgain
    | Opened
    | Agrees
    | Collects
    | PutRight
    | Reopens
    | ResultRuled
    | PastRuled
)
