"""Old events leave the database, by themselves or into an archive, and all that is left holds."""

from __future__ import annotations

import asyncio
import random
from datetime import UTC, datetime

import httpx
import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import json
from pyarrow import parquet
from typer.testing import CliRunner

from table_controller.adapters.web.serve import Server
from table_controller.commands.cli import app
from table_controller.commands.floor.page import frame, paged, reader
from table_controller.floor.check import check
from table_controller.floor.figures import count
from table_controller.floor.floor import Floor
from table_controller.floor.live import LiveTables
from table_controller.floor.past import FloorPast
from table_controller.floor.reports import integrity, ready, report
from table_controller.floor.retention import archive, old, remove_old
from table_controller.floor.schema import events, houses, outcomes, removed
from table_controller.floor.store import End, Ledger, Store
from table_controller.floor.web.app import FloorPages
from table_controller.floor.web.past_pages import PastPages
from table_controller.floor.web.sheets import Sheets
from table_controller.service.output import OutputError
from tests.floor.telling import Telling
from tests.floor.test_check import changed, faults
from tests.floor.test_store import ONE, a_coup, everything, page, say
from tests.limits import PATIENCE_S

#: When `Telling` begins; each row is one millisecond later than the one before.
BEGAN = 1_700_000_000_000


@pytest.fixture
def store(url):
    made = Store(url)
    yield made
    made.close()


def schlitten(table, luck, coups=2):
    """The rows of a Schlitten, or what the staff hears meanwhile."""
    if table.audience == "croupier":
        for said in ("refused", "staff_changed", "reading_noted"):
            say(table, type=said, said="card x", rule="R-1", name="Bela", shoe="s", passages=9)
        return
    say(table, type="schlitten_ready", shoe=f"s-{len(table.rows)}", number=1, cards=312)
    for _ in range(coups):
        a_coup(table, luck)
    say(table, type="schlitten_counted")


def settled(ledger, table):
    """The table is there again: its last number, and pages until nothing is missing."""
    key = ONE, table.audience
    end = End(table.audience, len(table.rows), table.name, table.heads[-1].hex())
    wanted = ledger.take([(ONE, end)])[key]
    while wanted:
        wanted = ledger.take([(ONE, page(table, *wanted))])[key]


def kept(store):
    """How many events of each audience the database has."""
    with store.read() as db:
        said = sa.select(events.c.audience, sa.func.count()).group_by(events.c.audience)
        return dict(map(tuple, db.execute(said)))


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(seed=st.integers(0, 2**32))
def test_removing_at_any_time_changes_no_record_and_breaks_no_chain(databases, monkeypatch, seed):
    """Also where a table's journal is put back from a copy that ends before or behind it."""
    monkeypatch.setattr("table_controller.floor.retention.AT_ONCE", 7)
    found = []
    for removes in (False, True):
        luck, chance = random.Random(seed), random.Random(seed)
        store = Store(databases())
        ledger = Ledger(store, lambda: 0)
        tables = Telling(), Telling("croupier")
        for _ in range(6):
            for table in tables:
                had = len(table.rows)
                schlitten(table, luck)
                ledger.take([(ONE, row) for row in table.rows[had:]])
            if removes:
                assert remove_old(store, BEGAN + chance.randrange(2 * len(tables[0].rows))) == []
            if luck.random() < 0.5:
                for table in tables:
                    table.restore(luck.randrange(len(table.rows)))
                    settled(ledger, table)
            if luck.random() < 0.3:
                ledger = Ledger(store, lambda: 0)
                count(store)
            assert faults(store) == []
        for table in tables:
            settled(ledger, table)
        count(store)
        assert faults(store) == []
        found.append(everything(store, but=("events", "cursors", "removed", "to_compare")))
        store.close()

    assert found[0] == found[1]


def test_whole_schlitten_go_and_the_last_one_stays(store):
    table, staff, luck = Telling(), Telling("croupier"), random.Random(1)
    for one in (table, table, table, staff):
        schlitten(one, luck)
    ledger = Ledger(store, lambda: 0)
    ledger.take([(ONE, page(table)), (ONE, page(staff))])
    begins = [row.seq for row in table.rows if row.kind == "schlitten_ready"]

    assert [(one.audience, one.last) for one in old(store, BEGAN)] == []
    just = old(store, BEGAN + begins[1] + 3)  # before the end of the second one
    assert [(one.audience, one.last) for one in just] == [
        ("croupier", 3), ("public", begins[1] - 1),
    ]  # fmt: skip
    assert remove_old(store, 2**62) == []

    assert kept(store) == {"public": len(table.rows) - begins[2] + 1}
    lines = {one.audience: one for one in integrity(store)}
    assert (lines["public"].rows, lines["public"].removed) == (kept(store)["public"], begins[2] - 1)
    assert (lines["croupier"].rows, lines["croupier"].removed) == (0, 3)
    assert [(one.rows, one.removed, one.fault) for one in check(store)] == [
        (0, 3, ""), (kept(store)["public"], begins[2] - 1, ""),
    ]  # fmt: skip
    say(staff, type="refused", said="card y", rule="R-2")
    settled(ledger, staff)
    assert faults(store) == []


def test_one_changed_byte_is_named_after_a_removal_too(store):
    """Also of what is noted of the removed rows, as far as it matters."""
    table, luck, ledger = Telling(), random.Random(3), Ledger(store, lambda: 0)
    for _ in range(3):
        schlitten(table, luck, coups=1)
    ledger.take([(ONE, page(table))])
    table.restore(len(table.rows) - 3)
    schlitten(table, luck, coups=1)
    settled(ledger, table)
    remove_old(store, BEGAN + 12)
    with store.read() as db:
        assert db.scalar(sa.select(sa.func.count()).select_from(events).where(events.c.void)) == 3
    tried = 0
    for of, names in (
        (events, ("stream", "seq", "id", "t_ms", "kind", "source", "body", "link", "void")),
        (removed, ("stream", "seq", "id", "link", "void")),
    ):
        for row, name in changed(store, of, names):
            assert faults(store), (of.name, name, row)
            tried += 1

    assert tried > 100
    assert faults(store) == []


def test_a_row_that_is_not_what_came_stays_with_all_behind_it(store):
    table, luck = Telling(), random.Random(1)
    for _ in range(3):
        schlitten(table, luck)
    Ledger(store, lambda: 0).take([(ONE, page(table))])
    with store.engine.begin() as db:
        db.execute(events.update().where(events.c.seq == 4).values(body=b"{}"))

    assert remove_old(store, 2**62) == [
        (
            "casino/one, public: row 4 is not what came, so it stays. `schlitten floor verify` "
            "says more."
        )
    ]
    assert kept(store)["public"] == len(table.rows)


def test_an_archive_has_what_is_removed_and_its_chain(store, tmp_path):
    table, luck, ledger = Telling(), random.Random(1), Ledger(store, lambda: 0)
    schlitten(table, luck)
    ledger.take([(ONE, page(table))])
    table.restore(4)
    for _ in range(2):
        schlitten(table, luck)
    settled(ledger, table)
    with store.read() as db:
        had = db.execute(sa.select(events).order_by(events.c.seq, events.c.stream)).all()

    now = datetime(2026, 11, 29, 8, 30, tzinfo=UTC)
    found = archive(store, tmp_path, 2**62, now)

    assert found.file == str(tmp_path / "floor-events-20261129T083000Z.parquet")
    rows = parquet.read_table(found.file).to_pylist()
    rows.sort(key=lambda row: (row["seq"], row["stream"]))
    assert len(rows) == found.rows > 20
    assert len(had) == found.rows + kept(store)["public"]
    assert any(row["void"] for row in rows)
    for row, was in zip(rows, had, strict=False):
        assert (row["site"], row["table"], row["time"].timestamp() * 1000) == (
            "casino", "one", was.t_ms,
        )  # fmt: skip
        names = ("audience", "stream", "seq", "id", "kind", "source", "body", "link", "void")
        assert [row[name] for name in names] == [getattr(was, name) for name in names]
    link = bytes(32)
    for told, row in zip(table.rows, [row for row in rows if not row["void"]], strict=False):
        link = told.linked(link)
        assert (row["body"], row["link"]) == (told.body, link)
    assert archive(store, tmp_path, 2**62, now).file == ""


def test_nothing_is_removed_that_is_in_no_file(store, tmp_path):
    table = Telling()
    for _ in range(2):
        schlitten(table, random.Random(1))
    Ledger(store, lambda: 0).take([(ONE, page(table))])

    with pytest.raises(OutputError, match="cannot write"):
        archive(store, tmp_path / "nowhere", 2**62, datetime.now(UTC))
    there = tmp_path / "floor-events-20261129T083000Z.parquet"
    there.write_bytes(b"an archive")
    with pytest.raises(OutputError, match="is there already"):
        archive(store, tmp_path, 2**62, datetime(2026, 11, 29, 8, 30, tzinfo=UTC))
    assert there.read_bytes() == b"an archive"
    assert kept(store)["public"] == len(table.rows)


def test_what_was_compared_with_chance_stays(store):
    """The Schlitten are gone, their outcomes are not; a further one is compared by itself."""
    table, luck, ledger = Telling(), random.Random(1), Ledger(store, lambda: 0)
    past = FloorPast(store, reader)
    for _ in range(3):
        schlitten(table, luck)
    ledger.take([(ONE, page(table))])
    with store.engine.begin() as db:
        db.execute(houses.insert().values(table_id=1, house="punto-banco", game="punto-banco"))
        mine = {"table_id": 1, "number": 0, "shoe": "s", "t_ms": 0, "what": "{}", "came": 1}
        rest = {"among": 2, "awaited": 1.0, "alone": 0.5}
        db.execute(outcomes.insert().values(seq=1, **mine, **rest))
        db.execute(sa.text("DELETE FROM to_compare"))
    remove_old(store, 2**62)

    schlitten(table, luck)
    settled(ledger, table)
    ready(store, past)
    with store.read() as db:
        assert 1 in db.scalars(sa.select(outcomes.c.seq)).all()


def test_an_evening_whose_events_are_gone_says_so(store):
    """Reports and search still have its coups."""
    table, luck, ledger = Telling(), random.Random(1), Ledger(store, lambda: 0)
    for _ in range(2):
        schlitten(table, luck)
    ledger.take([(ONE, page(table))])
    with store.engine.begin() as db:
        db.execute(houses.insert().values(table_id=1, house="zoppot-1934", game="chemin-de-fer"))
    count(store)
    before = report(store)
    remove_old(store, 2**62)
    past = FloorPast(store, reader)

    async def look():
        pages = FloorPages(LiveTables(), dict, frame, sheets=Sheets())
        server = Server(pages.app(*PastPages(Sheets(), past).routes()), "127.0.0.1", 0)
        await server.start()
        async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE_S) as browser:
            below = "/table/casino/one/evenings"
            found = [await browser.get(path) for path in (below, f"{below}/1")]
        await server.stop()
        return found

    listed, evening = asyncio.run(look())
    assert "/table/casino/one/evenings/1" in listed.text
    assert evening.status_code == 410
    assert "The events of this evening are no longer kept here." in evening.text
    assert report(store) == before


def test_a_running_floor_removes_what_is_older_than_its_days(tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'floor.db'}")
    table, luck = Telling(), random.Random(1)
    for _ in range(3):
        schlitten(table, luck)
    Ledger(store, lambda: 0).take([(ONE, page(table))])

    async def run():
        async with Floor(tmp_path, port=0) as floor, paged(floor, 0, keep_days=1):
            async with asyncio.timeout(PATIENCE_S):
                while kept(store)["public"] == len(table.rows):
                    await asyncio.sleep(0.05)

    asyncio.run(run())
    assert faults(store) == []
    store.close()


def test_the_command_archives_and_every_chain_holds(tmp_path):
    folder, target = tmp_path / "floor", tmp_path / "old"
    folder.mkdir()
    store = Store(f"sqlite:///{folder / 'floor.db'}")
    table, luck = Telling(), random.Random(1)
    for _ in range(3):
        schlitten(table, luck)
    Ledger(store, lambda: 0).take([(ONE, page(table))])
    store.close()

    def said(*words):
        return CliRunner().invoke(app, ["floor", *words, "--folder", str(folder)])

    done = said("archive", str(target), "--json")
    found = json.decode(done.stdout)
    assert (done.exit_code, found["tables"], found["faults"]) == (0, 1, [])
    assert parquet.read_table(found["file"]).num_rows == found["rows"] > 10
    assert said("verify").exit_code == 0
    again = said("archive", str(target))
    assert (again.exit_code, again.stdout) == (0, "No event is older than 90 days.\n")
