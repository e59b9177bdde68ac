"""Chemin de fer's door: all that anybody above the engine knows of it (`service/game.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from table_controller.engine.alerts import Alerts
from table_controller.engine.chemin_de_fer.events import CheminDeFerEvent
from table_controller.engine.chemin_de_fer.inputs import CheminDeFerInput, Waited
from table_controller.engine.chemin_de_fer.offers_by_hand import cards_by_hand
from table_controller.engine.chemin_de_fer.people import FAULTS, People
from table_controller.engine.chemin_de_fer.phases import PointeurToSpeak
from table_controller.engine.chemin_de_fer.saved import load, save
from table_controller.engine.chemin_de_fer.script import NOTATION
from table_controller.engine.chemin_de_fer.sheets import recall, wall
from table_controller.engine.chemin_de_fer.state import Table, begin, foremost, money
from table_controller.engine.chemin_de_fer.step import step
from table_controller.engine.chemin_de_fer.sums import sums
from table_controller.engine.chemin_de_fer.view import snapshot
from table_controller.engine.messages import Event, Input
from table_controller.engine.people import Chance
from table_controller.engine.table.devices import stopped
from table_controller.engine.table.events import RulingNoted
from table_controller.engine.table.offers import second_entry
from table_controller.engine.table.roles import Person
from table_controller.engine.table.stops import Unread
from table_controller.engine.table.unread import asked_by_hand
from table_controller.engine.views import Snapshot
from table_controller.rules.chemin_de_fer.house import House

__all__ = [
    "alerts", "asks_again", "begin", "buttons", "by_hand", "changed", "deadline", "events",
    "faults", "house", "inputs", "lamps", "load", "money", "name", "people", "persons", "prompt",
    "read", "recall", "save", "snapshot", "step", "sums", "wall", "write",
]  # fmt: skip

name: Final = "chemin-de-fer"
#: What a button at the table may press: every offer in its moment that is one word or two.
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
read, write = NOTATION.parse, NOTATION.write
lamps: Final = Path(__file__).with_name("lamps.toml")


def by_hand(table: Table, picture: Snapshot, *, reads: bool) -> Snapshot:
    """The staff's picture with what people type; `reads`: whether something reads the cards."""
    offers = second_entry(table.felt, picture.offers)
    if not reads:
        offers = (*cards_by_hand(table), *offers)
        picture = asked_by_hand(picture, foremost(table))
    return replace(picture, offers=offers)


def persons(table: Table) -> tuple[Person, ...]:
    """People with roles."""
    return table.felt.persons


def prompt(table: Table) -> int:
    """Id of what the table waits for."""
    return table.prompt


def alerts(table: Table) -> Alerts:
    """What is amiss."""
    return table.felt.alerts


def asks_again(table: Table) -> bool:
    """Whether the card that left last is to be shown once more (R-13)."""
    return isinstance(foremost(table), Unread)


def changed(before: Table, after: Table, told: Sequence[Event]) -> bool:
    """Whether an input that was taken made anything other than it was, or noted something."""
    if any(isinstance(event, RulingNoted) for event in told):
        return True
    return _lasting(before) != _lasting(after)


def _lasting(table: Table) -> Table:
    return replace(table, prompt=0, undo=None, felt=replace(table.felt, withdrawn=None))


def people(chance: Chance, *, faults: frozenset[str]) -> People:
    """Simulated people, who let these faults happen."""
    return People(chance, faults=faults)


def deadline(table: Table) -> tuple[int, Input] | None:
    """When the clock has something to say, in seconds from the prompt on, and what (Z-16)."""
    if not isinstance(foremost(table), PointeurToSpeak) or stopped(table.felt.alerts):
        return None
    if not table.house.slow_look_s:
        return None
    return table.house.slow_look_s, Waited(actor="clock", prompt=table.prompt)
