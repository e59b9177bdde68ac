"""Punto banco's door: all that anybody above the engine knows of it (`service/game.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from table_controller.engine.alerts import Alerts
from table_controller.engine.messages import Event, Input
from table_controller.engine.people import Chance
from table_controller.engine.punto_banco.events import MishapRuled, PuntoBancoEvent
from table_controller.engine.punto_banco.inputs import PuntoBancoInput
from table_controller.engine.punto_banco.offers import cards_by_hand
from table_controller.engine.punto_banco.people import FAULTS, People
from table_controller.engine.punto_banco.saved import load, save
from table_controller.engine.punto_banco.script import NOTATION
from table_controller.engine.punto_banco.sheets import recall, wall
from table_controller.engine.punto_banco.state import Table, begin, foremost, money
from table_controller.engine.punto_banco.step import step
from table_controller.engine.punto_banco.sums import sums
from table_controller.engine.punto_banco.view import snapshot
from table_controller.engine.table.events import RulingNoted
from table_controller.engine.table.offers import second_entry
from table_controller.engine.table.roles import Person
from table_controller.engine.table.stops import Unread
from table_controller.engine.table.unread import asked_by_hand
from table_controller.engine.views import Snapshot
from table_controller.rules.punto_banco.house import House

__all__ = [
    "alerts", "asks_again", "begin", "buttons", "by_hand", "changed", "deadline", "events",
    "faults", "house", "inputs", "lamps", "load", "money", "name", "people", "persons", "prompt",
    "read", "recall", "save", "snapshot", "step", "sums", "wall", "write",
]  # fmt: skip

name: Final = "punto-banco"
#: What a button at the table may press: every offer in its moment that is one word or two.
buttons: Final = (
    "no more bets", "the same stakes again", "free coup", "Player opened", "Banker opened",
    "the table agrees", "all paid", "done, next step", "Schlitten loaded", "closed and counted",
    "last coup", "play on", "annul the coup",
)  # fmt: skip
inputs: Final = PuntoBancoInput
house: Final = House
events: Final = PuntoBancoEvent
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
    if any(isinstance(event, RulingNoted | MishapRuled) for event in told):
        return True
    return _lasting(before) != _lasting(after)


def _lasting(table: Table) -> Table:
    return replace(table, prompt=0, undo=None, felt=replace(table.felt, withdrawn=None))


def people(chance: Chance, *, faults: frozenset[str]) -> People:
    """Simulated people, who let these faults happen."""
    return People(chance, faults=faults)


def deadline(_table: Table) -> tuple[int, Input] | None:
    """The clock has nothing to say."""
    return None
