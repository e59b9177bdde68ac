"""Punto banco's interface. The layers above the engine know nothing else of the game."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from table_controller.engine.messages import Input
from table_controller.engine.punto_banco.evening import coups, expected, recall, sums, wall
from table_controller.engine.punto_banco.events import PuntoBancoEvent
from table_controller.engine.punto_banco.inputs import NOTATION, PuntoBancoInput
from table_controller.engine.punto_banco.offers import cards_by_hand
from table_controller.engine.punto_banco.players import FAULTS, Players
from table_controller.engine.punto_banco.state import Table, begin, money
from table_controller.engine.punto_banco.step import step
from table_controller.engine.punto_banco.view import snapshot
from table_controller.engine.table import door
from table_controller.engine.table.door import (
    alerts,
    asks_again,
    changed,
    load,
    persons,
    prompt,
    save,
)
from table_controller.engine.views import Snapshot
from table_controller.rules.punto_banco.house import House

__all__ = [
    "alerts", "asks_again", "begin", "buttons", "by_hand", "changed", "coups", "deadline",
    "events", "expected", "faults", "house", "inputs", "lamps", "load", "money", "name", "persons",
    "players", "prompt", "read", "recall", "save", "snapshot", "step", "sums", "wall", "write",
]  # fmt: skip

name: Final = "punto-banco"
#: The offers that a button at the table may press: every offer whose whole label is a word or two.
buttons: Final = (
    "no more bets", "the same stakes again", "free coup", "Player opened", "Banker opened",
    "the table agrees", "all paid", "done, next step", "Schlitten loaded", "closed and counted",
    "last coup", "play on", "annul the coup", "bets open again",
)  # fmt: skip
inputs: Final = PuntoBancoInput
house: Final = House
events: Final = PuntoBancoEvent
faults: Final = FAULTS
players: Final = Players
read, write = NOTATION.parse, NOTATION.write
lamps: Final = Path(__file__).with_name("lamps.toml")


def by_hand(table: Table, picture: Snapshot, *, reads: bool) -> Snapshot:
    """The staff's picture with the offers by which people enter cards by hand.

    `reads` says whether a reader reads the cards; if so, only unread cards are entered.
    """
    return door.by_hand(table.felt, picture, None if reads else cards_by_hand(table))


def deadline(_table: Table) -> tuple[int, Input] | None:
    """None, because punto banco has no deadlines."""
    return None
