"""Punto banco's own inputs, the union of all inputs at its tables, and their lines in scripts.

A line is `seat 2 bets 10 on tie`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from table_controller.engine.messages import Input, Role
from table_controller.engine.script import Notation
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.unions import CoupInput, TableInput
from table_controller.rules.money import Chips
from table_controller.rules.punto_banco.coup import Winner

# ---- Punto banco's own inputs, and the union of all inputs at its tables


class Side(StrEnum):
    """The two hands of a coup: Player and Banker. They are not persons."""

    PLAYER = "player"
    BANKER = "banker"


class Bets(Input, frozen=True):
    """A player lays chips on a spot, in addition to his stake there (PB-13)."""

    seat: int
    spot: str
    chips: Chips


class BetsAgain(Input, frozen=True):
    """The croupier lays the previous coup's stakes again, as far as they are allowed."""


class TakesDown(Input, frozen=True):
    """A player takes his stake back from a spot, before the bets are closed."""

    seat: int
    spot: str


class FreeCoup(Input, frozen=True):
    """The croupier deals a coup without stakes (PB-16)."""


class BetsOpenAgain(Input, frozen=True):
    """The croupier opens the bets again, which were closed too early (PB-40).

    They stay open until the first card.
    """


class Opened(Input, frozen=True):
    """A side's closed cards were opened for the whole table to see (PB-15)."""

    side: Side


class Agrees(Input, frozen=True):
    """The table agrees with the announced result (PB-8).

    `winner` is the winner by a second reading of the table, if there was one. If this is not the
    announced winner, the result is locked until a supervisor has decided (PB-37).
    """

    winner: Winner | None = None


class Collects(Input, frozen=True):
    """The croupier collects the commission in a player's box (PB-10)."""

    seat: int


class PutRight(Input, frozen=True):
    """The croupier puts misdealt cards in the right places; their order is known (PB-24)."""

    reason: str


class Reopens(Input, frozen=True):
    """A supervisor takes back the last result before the next coup's first card (PB-26)."""

    NEEDS = Role.SUPERVISOR
    reason: str


class ResultRuled(Input, frozen=True):
    """A supervisor decides who won, whatever result was announced (PB-26)."""

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


# ---- The lines of punto banco's own inputs in coup scripts: `seat 2 bets 10 on tie`

NOTATION: Final = Notation(
    (Bets, "seat {seat} bets {chips} on {spot}", {}),
    (BetsAgain, "the same stakes again", {}),
    (TakesDown, "seat {seat} takes down {spot}", {}),
    (ti.Closes, "no more bets", {}),
    (FreeCoup, "free coup", {}),
    (BetsOpenAgain, "bets open again", {}),
    (Opened, "{side} opened", {}),
    (Agrees, "agreed", {}),
    (Agrees, "agreed on {winner}", {}),
    (ti.Ticked, "tick {line}", {}),
    (ti.Paid, "paid", {}),
    (Collects, "seat {seat} commission", {}),
    (ti.Misdealt, "wrong hand", {}),
    (PutRight, "put right because {reason}", {}),
    (Reopens, "reopened {reason}", {}),
    (ResultRuled, "result {winner} because {reason}", {}),
    (PastRuled, "coup {coup} result {winner} because {reason}", {}),
    patterns={
        "spot": r"[a-z0-9_]+",
        "side": "|".join(Side),
        "winner": "|".join(Winner),
        "coup": r"\d+",
        "line": r"\d+",
    },
)
