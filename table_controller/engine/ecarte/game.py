"""Écarté's door: all that anybody above the engine knows of it (`service/game.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from table_controller.engine.alerts import Alerts
from table_controller.engine.commitments import Secret
from table_controller.engine.ecarte import phases as p
from table_controller.engine.ecarte.betting_events import BettingEvent
from table_controller.engine.ecarte.betting_inputs import BettingInput
from table_controller.engine.ecarte.events import EcarteEvent, RuleCalled
from table_controller.engine.ecarte.inputs import EcarteInput
from table_controller.engine.ecarte.people import FAULTS, People
from table_controller.engine.ecarte.script import NOTATION
from table_controller.engine.ecarte.sheets import recall, wall
from table_controller.engine.ecarte.state import Table, begin, foremost, money, on_felt
from table_controller.engine.ecarte.step import step
from table_controller.engine.ecarte.sums import sums
from table_controller.engine.ecarte.view import snapshot
from table_controller.engine.messages import Event
from table_controller.engine.people import Chance
from table_controller.engine.table import offers as to
from table_controller.engine.table.events import RulingNoted
from table_controller.engine.table.roles import Person
from table_controller.engine.table.stops import Unread
from table_controller.engine.table.unread import asked_by_hand
from table_controller.engine.views import Snapshot
from table_controller.rules.ecarte.house import House

__all__ = [
    "alerts", "asks_again", "begin", "buttons", "by_hand", "changed", "deadline", "events",
    "faults", "house", "inputs", "lamps", "load", "money", "name", "people", "persons", "prompt",
    "read", "recall", "save", "snapshot", "step", "sums", "wall", "write",
]  # fmt: skip

name: Final = "ecarte"
#: What a button at the table may press: every offer in its moment that is one word or two.
buttons: Final = (
    "proposes", "accepts", "refuses", "three, then two", "two, then three", "done, next step",
    "Schlitten loaded", "closed and counted", "the partie is settled", "back on the talon",
    "under the talon", "the deal is kept", "the deal is annulled", "it is played again",
    "the card is mended", "it stands", "closed: back on the talon", "it lies open",
    "elder shuffles again", "he has none of that suit", "he takes from the talon",
    "one is drawn out", "the surplus is put aside", "he deals anew", "he demands open cards",
    "he does not", "he has shown it", "he has it not", "two marks", "the tricks are given",
    "he has lost the partie", "the partie is void",
)  # fmt: skip
inputs: Final = EcarteInput | BettingInput
house: Final = House
events: Final = EcarteEvent | BettingEvent
faults: Final = FAULTS
lamps: Final = Path(__file__).with_name("lamps.toml")
read, write = NOTATION.parse, NOTATION.write


def by_hand(table: Table, picture: Snapshot, *, reads: bool) -> Snapshot:
    """The staff's picture with what people type; `reads`: whether something reads the cards."""
    offers = to.second_entry(table.felt, picture.offers)
    if not reads:
        due = foremost(table)
        group = "main" if isinstance(due, p.Dealing | p.Buying) else "mistake"
        turn_up = isinstance(due, p.Dealing) and table.deal is not None and table.deal.came == 10
        offers = (*to.cards_by_hand(table.felt, group, lies_open=turn_up), *offers)
        picture = asked_by_hand(picture, due)
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
    if any(isinstance(event, RulingNoted | RuleCalled) for event in told):
        return True
    return _lasting(before) != _lasting(after)


def _lasting(table: Table) -> Table:
    return on_felt(replace(table, prompt=0, undo=None), withdrawn=None)


def people(chance: Chance, *, faults: frozenset[str]) -> People:
    """Simulated people, who let these faults happen."""
    return People(chance, faults=faults)


def deadline(_table: Table) -> None:
    """The clock has nothing to say at écarté."""


def save(table: Table) -> bytes:
    """A table whose Schlitten was just closed, as JSON, without its key."""
    return msgspec.json.encode(on_felt(replace(table, undo=None), key=Secret(b"")))


def load(begun: Table, saved: bytes) -> Table:
    """The inverse of `save`; house and key are those of the fresh table `begun`."""
    table = msgspec.json.decode(saved, type=Table)
    felt = replace(table.felt, house=begun.house, key=begun.felt.key)
    return replace(table, house=begun.house, felt=felt)
