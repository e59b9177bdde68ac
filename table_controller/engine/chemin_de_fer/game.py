"""Chemin de fer's interface. The layers above the engine know nothing else of the game."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from table_controller.engine.chemin_de_fer.evening import coups, expected, recall, sums, wall
from table_controller.engine.chemin_de_fer.events import CheminDeFerEvent
from table_controller.engine.chemin_de_fer.inputs import NOTATION, CheminDeFerInput, Waited
from table_controller.engine.chemin_de_fer.offers import cards_by_hand
from table_controller.engine.chemin_de_fer.players import FAULTS, Players
from table_controller.engine.chemin_de_fer.state import (
    PointeurToSpeak,
    Table,
    begin,
    foremost,
    load,
    money,
)
from table_controller.engine.chemin_de_fer.step import step
from table_controller.engine.chemin_de_fer.view import snapshot
from table_controller.engine.messages import Input
from table_controller.engine.table import door
from table_controller.engine.table.devices import stopped
from table_controller.engine.table.door import alerts, asks_again, changed, persons, prompt, save
from table_controller.engine.views import Snapshot
from table_controller.rules.chemin_de_fer.house import House

__all__ = [
    "alerts", "asks_again", "begin", "buttons", "by_hand", "changed", "coups", "deadline",
    "events", "expected", "faults", "house", "inputs", "lamps", "load", "money", "name", "persons",
    "players", "prompt", "read", "recall", "save", "snapshot", "step", "sums", "wall", "write",
]  # fmt: skip

name: Final = "chemin-de-fer"
#: The offers that a button at the table may press: every offer whose whole label is a word or two.
buttons: Final = (
    "carte", "reste", "opens: Schlag", "takes a card", "stays", "Was macht der Schlitten?",
    "bank opened", "pointeur opened", "all paid", "deal again", "all may stake",
    "the same stakes again", "nichts geht mehr, ab dafür", "rien ne va plus", "nobody stakes",
    "open bank", "Suite", "sold", "nobody", "the banker passes", "halve the bank",
    "draw in what lies aside", "done, next step", "Schlitten loaded", "closed and counted",
    "closed: keep it", "uncovered: burn it", "dealt wrongly", "put right (retablir)",
    "the bank loses", "last coup", "play on", "annul the coup",
)  # fmt: skip
inputs: Final = CheminDeFerInput
house: Final = House
events: Final = CheminDeFerEvent
faults: Final = FAULTS
players: Final = Players
read, write = NOTATION.parse, NOTATION.write
lamps: Final = Path(__file__).with_name("lamps.toml")


def by_hand(table: Table, picture: Snapshot, *, reads: bool) -> Snapshot:
    """The staff's picture with the offers by which people enter cards by hand.

    `reads` says whether a reader reads the cards; if so, only unread cards are entered.
    """
    return door.by_hand(table.felt, picture, None if reads else cards_by_hand(table))


def deadline(table: Table) -> tuple[int, Input] | None:
    """The clock's next input, and the seconds from the prompt until it is due (Z-16).

    None if the clock sends none.
    """
    if not isinstance(foremost(table), PointeurToSpeak) or stopped(table.felt.alerts):
        return None
    if not table.house.slow_look_s:
        return None
    return table.house.slow_look_s, Waited(actor="clock", prompt=table.prompt)
