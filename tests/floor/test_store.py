"""The floor's database.

Whatever comes in whatever batches, it has each row once and correct sums.
"""

from __future__ import annotations

import random

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import json

from table_controller.adapters.mqtt_names import TableId
from table_controller.floor import own_tables  # noqa: F401 - its tables are among the metadata
from table_controller.floor import projections as p
from table_controller.floor.figures import count
from table_controller.floor.inbox import ToldRow
from table_controller.floor.schema import PROJECTED, cursors, events, faults, metadata
from table_controller.floor.store import End, Ledger, Page, Store, TableFault
from tests.floor.telling import Telling

ONE, TWO = TableId("casino", "one"), TableId("casino", "two")


@pytest.fixture
def store(url):
    made = Store(url)
    yield made
    made.close()


def everything(store, *, but=()):
    """All rows of all tables, but for those of the floor's own numbering."""
    with store.read() as db:
        return {
            table.name: sorted(map(tuple, db.execute(sa.select(table))))
            for table in metadata.sorted_tables
            if table.name not in but
        }


def a_coup(table, luck):
    """The rows of a coup with some accidents, as a table of chemin de fer tells them."""
    for _ in range(4):
        say(table, type="card_drawn", ordinal=len(table.rows) + 1)
    if luck.random() < 0.3:
        say(table, type="card_unread", reason="no_read")
    if luck.random() < 0.3:
        say(table, type="alert_raised", id="lid", code="lid_open", severity="warning")
        say(table, type="alert_seen", id="lid")
        say(table, type="alert_cleared", id="lid")
    say(table, type="coup_settled", coup=1, winner="bank", staked=30, cagnotte=2)
    say(table, type="coup_paid", coup=1)


def say(table, **said):
    row = table.tell()
    table.rows[-1] = ToldRow(
        row.audience, row.seq, row.t_ms, row.id, row.source, said["type"], json.encode(said)
    )


def page(table, first=1, last=None):
    return Page(table.audience, tuple(table.rows[first - 1 : last]))


def test_the_migrations_make_the_tables_that_the_statements_mean(store):
    with store.engine.connect() as db:
        assert compare_metadata(MigrationContext.configure(db), metadata) == []


def test_an_event_is_kept_as_the_bytes_that_came(store):
    table = Telling()
    row = table.tell()
    odd = ToldRow("public", 1, row.t_ms, row.id, row.source, "x", b'{"type": "x",  "a":\xc3\xa9}')
    Ledger(store, lambda: 0).take([(ONE, odd)])

    with store.read() as db:
        assert db.scalar(sa.select(events.c.body)) == odd.body
        assert db.scalar(sa.select(events.c.link)) == odd.linked(bytes(32))


def test_the_newest_faults_of_a_table_are_kept(store, monkeypatch):
    """A table that lies must not fill the database. Another table's faults stay."""
    monkeypatch.setattr("table_controller.floor.store.MOST_FAULTS", 10)
    ledger = Ledger(store, lambda: 0)
    ledger.take([(TWO, TableFault("Its own."))])
    for number in range(25):
        ledger.take([(ONE, TableFault(f"Lie {number}."))])

    with store.read() as db:
        kept = db.scalars(sa.select(faults.c.why).order_by(faults.c.id)).all()
    assert kept == ["Its own.", *(f"Lie {number}." for number in range(15, 25))]


def test_a_corrected_card_is_one_card_of_its_coup():
    """It is promised once more; and an unread card is a card before anybody knows it."""
    table = Telling()
    say(table, type="schlitten_ready", shoe="s-1", number=1, cards=312)
    for ordinal in (1, 2, 1):
        say(table, type="card_drawn", ordinal=ordinal)
    say(table, type="card_unread", ordinal=3, reason="no_read")

    progress, _ = p.project(p.ReadSoFar(), table.rows)

    assert progress.cards == 3


def test_a_coup_is_read_from_its_events(store):
    table = Telling()
    say(table, type="schlitten_ready", shoe="s-1", number=1, cards=312)
    for ordinal in range(1, 6):
        say(table, type="card_drawn", ordinal=ordinal)
    say(table, type="coup_settled", coup=7, winner="bank", staked=30, cagnotte=2)
    say(table, type="coup_paid", coup=7)
    say(table, type="coup_annulled", coup=8, reason="light")
    Ledger(store, lambda: 0).take([(ONE, page(table))])
    with store.read() as db:
        coups = db.execute(sa.select(PROJECTED[p.DecidedCoup]).order_by("seq")).mappings().all()
        ruled = db.execute(sa.select(PROJECTED[p.RulingRecord])).mappings().all()

    at = 1_700_000_000_000
    assert dict(coups[0]) == {
        "table_id": 1, "seq": 7, "number": 7, "shoe": "s-1", "began_ms": at + 1,
        "dealt_ms": at + 2, "settled_ms": at + 7, "cards": 5, "winner": "bank", "staked": 30,
        "taken": 2, "annulled": False, "paid_ms": at + 8,
    }  # fmt: skip
    assert (coups[1]["number"], coups[1]["annulled"], coups[1]["began_ms"]) == (8, True, at + 8)
    assert [(one["kind"], one["reason"]) for one in ruled] == [("coup_annulled", "light")]


@pytest.mark.parametrize(
    ("told", "winner"),
    [('"bank"', "bank"), ("9", "9"), ("0", ""), ("null", ""), ("true", ""), ('{"a": 1}', "")],
)
def test_a_winner_is_a_word_or_a_number(told, winner):
    assert winners(told) == [winner]


def test_a_winner_that_is_deeply_nested_stops_nobody():
    """At some depth Python can still read it, and gives up where it would be written."""
    found = [winners("[" * depth + "]" * depth) for depth in range(800, 1000)]

    assert all(one in ([""], []) for one in found)


def winners(told):
    """The winners of the coups that such an event comes to."""
    table = Telling()
    row = table.tell()
    body = f'{{"type": "coup_settled", "coup": 1, "winner": {told}}}'.encode()
    row = ToldRow(row.audience, row.seq, row.t_ms, row.id, row.source, "coup_settled", body)
    _, found = p.project(p.ReadSoFar(), [row])
    return [one.winner for one in found]


def test_an_alert_that_is_raised_again_in_one_batch_is_open(store):
    table = Telling()
    for kind in ("alert_raised", "alert_cleared", "alert_raised", "alert_seen"):
        say(table, type=kind, id="lid", code="lid_open", severity="stop")
    Ledger(store, lambda: 0).take([(ONE, page(table))])
    alerts = PROJECTED[p.Raised]
    with store.read() as db:
        found = db.execute(sa.select(alerts.c.seq, alerts.c.seen_ms, alerts.c.cleared_ms)).all()

    at = 1_700_000_000_000
    assert sorted(map(tuple, found)) == [(1, None, at + 2), (3, at + 4, None)]


@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(seed=st.integers(0, 2**32))
def test_batches_orders_and_copies_do_not_matter(databases, seed):
    """Two floors that heard the same in different ways hold the same, to the byte."""
    luck = random.Random(seed)
    table = Telling()
    for _ in range(luck.randrange(1, 6)):
        a_coup(table, luck)
    older = list(table.rows)
    table.restore(luck.randrange(len(table.rows)))
    for _ in range(luck.randrange(1, 4)):
        a_coup(table, luck)
    found = []
    for way in (True, False):
        store = Store(databases())
        ledger = Ledger(store, lambda: 0)
        if way:  # heard live, with the copy put back in between
            ledger.take([(ONE, row) for row in older])
            mixed = luck.sample(table.rows, len(table.rows))
            while mixed:
                some = [mixed.pop() for _ in range(min(len(mixed), luck.randrange(1, 9)))]
                ledger.take([(ONE, row) for row in some])
                if luck.random() < 0.3:
                    count(store)
        head = table.heads[-1].hex()
        missing = ledger.take([(ONE, End("public", len(table.rows), table.name, head))])
        while wanted := missing[ONE, "public"]:
            missing = ledger.take([(ONE, page(table, *wanted))])
        assert count(store) == 0
        with store.read() as db:
            said = sa.select(events).where(~events.c.void).order_by(events.c.seq)
            kept = everything(store, but=("events", "cursors", "to_compare"))
            places = db.execute(sa.select(cursors.c.seq, cursors.c.head, cursors.c.progress))
            found.append((list(map(tuple, db.execute(said))), kept, list(map(tuple, places))))
        store.close()

    assert found[0] == found[1]
    assert [row[3] for row in found[0][0]] == list(range(1, len(table.rows) + 1))
    assert found[0][1]["faults"] == []


def test_what_could_not_be_committed_counts_for_nothing_and_is_taken_again(store, monkeypatch):
    table = Telling()
    ledger = Ledger(store, lambda: 0)
    ledger.take([(ONE, table.tell())])
    row = table.tell()
    with monkeypatch.context() as broken:
        broken.setattr(store, "upsert", _full)
        with pytest.raises(sa.exc.OperationalError):
            ledger.take([(ONE, row)])
    ledger.take([(ONE, row)])

    with store.read() as db:
        assert db.scalars(sa.select(events.c.seq)).all() == [1, 2]
        assert db.scalars(sa.select(cursors.c.seq)).all() == [2]


def _full(*_):
    raise sa.exc.OperationalError("insert", {}, Exception("disk full"))


def test_a_table_in_trouble_is_named_once_and_the_others_are_not(store):
    table, ledger = Telling(), Ledger(store, lambda: 5)
    for _ in range(3):
        ledger.take([(TWO, TableFault("It talks nonsense.")), (ONE, table.tell())])
    with store.read() as db:
        assert db.execute(sa.select(faults.c.table_id, faults.c.t_ms, faults.c.why)).all() == [
            (1, 5, "It talks nonsense.")
        ]
        assert db.scalar(sa.select(sa.func.count()).select_from(events)) == 3
