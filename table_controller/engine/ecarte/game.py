"""Écarté's interface. The layers above the engine know nothing else of the game."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from table_controller.engine.ecarte.evening import coups, expected, recall, sums, wall
from table_controller.engine.ecarte.events import BettingEvent, EcarteEvent
from table_controller.engine.ecarte.inputs import NOTATION, BettingInput, EcarteInput
from table_controller.engine.ecarte.offers import cards_by_hand
from table_controller.engine.ecarte.players import FAULTS, Players
from table_controller.engine.ecarte.state import Table, begin, money
from table_controller.engine.ecarte.step import step
from table_controller.engine.ecarte.view import snapshot
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
from table_controller.rules.ecarte.house import House

__all__ = [
    "alerts", "asks_again", "begin", "buttons", "by_hand", "changed", "coups", "deadline",
    "events", "expected", "faults", "house", "inputs", "lamps", "load", "money", "name", "persons",
    "players", "prompt", "read", "recall", "save", "snapshot", "step", "sums", "wall", "write",
]  # fmt: skip

name: Final = "ecarte"
#: The offers that a button at the table may press: those whose label is a word or two.
buttons: Final = (
    "proposes", "accepts", "refuses", "three, then two", "two, then three", "done, next step",
    "Schlitten loaded", "closed and counted", "the partie is settled", "back on the talon",
    "under the talon", "the deal is kept", "the deal is annulled", "it is played again",
    "the card is mended", "it stands", "closed: back on the talon", "it lies open",
    "elder shuffles again", "he has none of that suit", "he takes from the talon",
    "one is drawn out", "the surplus is put aside", "he deals anew", "he demands open cards",
    "he does not", "he has shown it", "he does not have it", "two marks", "the tricks are given",
    "he has lost the partie", "the partie is void",
    "the same stakes again",
)  # fmt: skip
inputs: Final = EcarteInput | BettingInput
house: Final = House
events: Final = EcarteEvent | BettingEvent
faults: Final = FAULTS
players: Final = Players
lamps: Final = Path(__file__).with_name("lamps.toml")
read, write = NOTATION.parse, NOTATION.write


def by_hand(table: Table, picture: Snapshot, *, reads: bool) -> Snapshot:
    """The staff's picture with the offers by which people enter cards by hand.

    `reads` says whether a reader reads the cards; if so, only unread cards are entered.
    """
    return door.by_hand(table.felt, picture, None if reads else cards_by_hand(table))


def deadline(_table: Table) -> None:
    """None, because écarté has no deadlines."""
