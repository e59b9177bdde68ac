"""No closed card reaches the floor: two worlds that differ in closed cards leave the same database.

What may differ is what may differ everywhere (tests/contract/worlds.py): a promise, by its digits.
"""

from __future__ import annotations

import random
from typing import ClassVar

import pytest
import sqlalchemy as sa
from msgspec import Struct
from msgspec.structs import replace

from table_controller.adapters.mqtt_messages import event_message
from table_controller.adapters.mqtt_names import TableId
from table_controller.commands.floor.trial import Memory
from table_controller.engine.messages import Audience
from table_controller.floor.figures import count
from table_controller.floor.inbox import told
from table_controller.floor.schema import metadata, to_compare
from table_controller.floor.store import Ledger, Store
from table_controller.rules.cards import Card
from table_controller.service.game import refused
from tests.contract import worlds
from tests.contract.games import PLAYED

AT = TableId("casino", "one")
#: Stories of each game, and windows of each of them.
STORIES, WINDOWS = 3, 6
closed = pytest.mark.parametrize(
    "played", [one for one in PLAYED if one.game.name != "counting"], ids=lambda one: one.game.name
)


def kept(steps, *, leaks=False):
    """All that a floor has in its database after what a table told in these steps."""
    memory, store = Memory(AT), Store("sqlite://")
    memory.boot = replace(memory.boot, stream="1" * 16, id="2" * 32)
    for step in steps:
        for event in (refused(step.said, step.refusal),) if step.refusal else step.told:
            if event.audience is not Audience.SEALED:
                memory.add(worlds.shape(event), 1)
            elif leaks and hasattr(event, "card"):
                memory.add(Leaked(event.card), 1)
    ledger = Ledger(store, lambda: 1)
    rows = [row for who in memory.rows.values() for row in who]
    ledger.take([(AT, told(event_message(row, AT).payload, AT.source)) for row in rows])
    count(store)
    with store.read() as db:
        found = {
            table.name: [tuple(row) for row in db.execute(sa.select(table))]
            for table in metadata.sorted_tables
            if table is not to_compare  # its marks are random
        }
    store.close()
    return found


class Leaked(Struct, tag="card_identified"):
    """A closed card as it would stand if it were told to the staff."""

    audience: ClassVar[Audience] = Audience.CROUPIER
    card: Card


def windows(played):
    """Steps in both worlds, of some windows of some stories."""
    for seed in range(STORIES):
        luck = random.Random(f"floor {seed}")
        found = worlds.story(played, seed, steps=120, packs=luck.choice((1, 1, 6)))
        for _ in range(WINDOWS):
            if pairs := worlds.both(found, luck):
                yield [one for one, _ in pairs], [two for _, two in pairs]


@closed
def test_two_worlds_leave_the_same_floor(played):
    """R-13, ER-22, PR-3: events, what they come to, cursors, faults: the same to the byte."""
    compared = rows = 0
    for one, two in windows(played):
        here, there = kept(one), kept(two)
        assert here == there
        compared, rows = compared + 1, rows + len(here["events"])

    assert compared > 5
    assert rows > 100


def test_a_closed_card_that_is_told_would_be_seen_at_the_floor():
    """The comparison would find it."""
    (played,) = (one for one in PLAYED if one.game.name == "chemin-de-fer")

    assert any(kept(one, leaks=True) != kept(two, leaks=True) for one, two in windows(played))
