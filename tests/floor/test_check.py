"""One changed byte anywhere in what a floor keeps of its tables is named."""

from __future__ import annotations

import random

import pytest
import sqlalchemy as sa
from msgspec.structs import replace

from table_controller.floor.check import check
from table_controller.floor.figures import count as count_figures
from table_controller.floor.schema import PROJECTED, cursors, events, figures
from table_controller.floor.store import End, Ledger, Page, Store
from tests.floor.telling import Telling
from tests.floor.test_store import ONE, TWO, a_coup, page, say

#: Columns in which a row's number among the others is not to be seen by itself.
KEY = {"table_id"}


@pytest.fixture
def store(url):
    """Two audiences of one table, one of them put back from a copy, and another table."""
    made, luck = Store(url), random.Random(1)
    ledger, public, staff = Ledger(made, lambda: 0), Telling(), Telling("croupier")
    a_coup(public, luck)
    ledger.take([(ONE, row) for row in public.rows])
    public.restore(4)
    say(public, type="alert_raised", id="lid", code="lid_open", severity="warning")
    say(public, type="alert_seen", id="lid")
    say(public, type="card_unread", reason="no_read")
    say(public, type="coup_annulled", coup=2, reason="light")
    a_coup(public, luck)
    count, head = len(public.rows), public.heads[-1].hex()
    wanted = ledger.take([(ONE, End("public", count, public.name, head))])[ONE, "public"]
    while wanted:
        wanted = ledger.take([(ONE, page(public, *wanted))])[ONE, "public"]
    for said in ("refused", "staff_changed", "reading_noted"):
        say(staff, type=said, said="card x", rule="R-1", name="Bela", shoe="s-1", passages=9)
    theirs = Page("public", tuple(replace(row, source=TWO.source) for row in public.rows))
    ledger.take([(ONE, row) for row in staff.rows] + [(TWO, theirs)])
    count_figures(made)
    yield made
    made.close()


def faults(store):
    return [str(one) for one in check(store) if one.fault]


def other(value):
    """The same value, one byte of it changed."""
    match value:
        case bool():
            return not value
        case int():
            return value ^ 64
        case bytes():
            return bytes((value[0] ^ 1,)) + value[1:]
        case None:
            return 7
    return chr(ord(value[0]) ^ 1) + value[1:] if value else "x"


def changed(store, table, names):
    """Change each of these columns in each row, one after the other; yield the row and the name."""
    with store.read() as db:
        rows = db.execute(sa.select(table)).mappings().all()
    for row in rows:
        for name in names:
            same = [key == row[key.name] for key in table.primary_key]
            now = [
                key == (other(row[key.name]) if key.name == name else row[key.name])
                for key in table.primary_key
            ]
            with store.engine.begin() as db:
                db.execute(table.update().where(*same).values({name: other(row[name])}))
            yield row, name
            with store.engine.begin() as db:
                db.execute(table.update().where(*now).values({name: row[name]}))


def test_a_whole_database_holds(store):
    assert faults(store) == []
    with store.read() as db:
        assert db.scalar(sa.select(sa.func.count()).select_from(events).where(events.c.void)) > 2


def test_one_changed_byte_of_any_event_names_its_row(store):
    """Of its body, its chain, its names, its time: in every row, void or not."""
    names = [column.name for column in events.columns if column.name not in KEY]
    tried = 0
    for row, name in changed(store, events, names):
        found = faults(store)
        assert found, (name, row)
        if name not in ("audience", "void"):
            named = f"row {row['seq']} ", f"is named {row['id']}"
            assert any(word in one for one in found for word in named), (name, row, found)
        tried += 1

    assert tried > 250
    assert faults(store) == []


def test_one_changed_byte_of_what_events_come_to_is_named(store):
    """A report could be wrong although every event is what came."""
    but = {"table_id", "audience", "past"}  # `past`: which streams were continued
    for table in (cursors, *PROJECTED.values(), figures):
        count_figures(store)  # hours whose records were changed are left out until then
        names, rows = [one.name for one in table.columns if one.name not in but], 0
        for row, name in changed(store, table, names):
            assert faults(store), (table.name, name, row)
            rows += 1
        assert rows, table.name
    assert faults(store) == []
