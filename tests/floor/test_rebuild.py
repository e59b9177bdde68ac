"""`floor rebuild`: the tables tell all of it again, and every report made of events is the same."""

from __future__ import annotations

import asyncio
from pathlib import Path

import sqlalchemy as sa
from msgspec import json

from table_controller.adapters.mosquitto import proof
from table_controller.adapters.mqtt_link import BrokerAddress
from table_controller.adapters.mqtt_names import TableId
from table_controller.commands.floor.page import reader
from table_controller.commands.floor.trial import HOUSES, Hall, caught_up, compared, rebuild
from table_controller.floor import accounts
from table_controller.floor import reports as all_reports
from table_controller.floor.certificates import ready
from table_controller.floor.check import check
from table_controller.floor.enrol import ServedAt
from table_controller.floor.floor import Floor
from table_controller.floor.past import FloorPast
from table_controller.floor.rebuild import put_aside
from table_controller.floor.reports import counts, integrity, report, responses, unlikely
from table_controller.floor.schema import events, faults, houses
from table_controller.floor.store import Ledger, Store, TableFault
from table_controller.wiring import config
from table_controller.wiring.floor_settings import DatabaseSettings, FloorSettings
from tests.brokers import free_port
from tests.floor.admitting import admit
from tests.floor.telling import Telling
from tests.floor.test_store import ONE, TWO
from tests.limits import PATIENCE_S


def reports(store):
    """Each report that is made of events, as a program gets it, to the byte."""
    all_reports.ready(store, FloorPast(store, reader))
    lines = {by: report(store, by) for by in ("table", "croupier", "hour")}
    lines |= {"counts": counts(store), "responses": responses(store)}
    lines |= {"integrity": integrity(store), "unlikely": unlikely(store)}
    return {name: json.encode(found) for name, found in lines.items()}


async def until(holds):
    async with asyncio.timeout(PATIENCE_S):
        while not holds():
            await asyncio.sleep(0.05)


def test_reports_are_the_same_to_the_byte(tmp_path, url):
    port, store = free_port(), Store(url)
    tables = Hall(3, [config.house(name) for name in HOUSES])
    for table in tables.tables:
        admit(store, table.at, proof(table.account.secret))
        said = {"house": table._info.house, "game": table._info.game}
        with store.engine.begin() as db:
            db.execute(houses.insert().values(table_id=store.table_id(db, table.at), **said))

    certificates = ready(tmp_path, ("127.0.0.1",))
    ServedAt("127.0.0.1", 8090, port).write(tmp_path)

    async def evening():
        async with Floor(tmp_path, url=url, port=port, served=certificates.served):
            await tables.begin(BrokerAddress(port=port, ca=certificates.root), 40.0)
            await until(lambda: sum(table.coups for table in tables.tables) > 4)
            await tables.stop_playing()
            await until(lambda: caught_up(store, tables))
            before = reports(store)
        store.close()
        made = await rebuild(
            tmp_path, FloorSettings(DatabaseSettings(url)), wait_s=PATIENCE_S, told=lambda *_: None,
        )  # fmt: skip
        await tables.leave()
        return before, made

    before, made = asyncio.run(evening())
    again = Store(url)
    after, found = reports(again), compared(again, tables)
    faulty = [one for one in check(again) if one.fault]
    again.close()

    assert after == before
    assert len(before["table"]) > 400
    assert before["integrity"].count(b'"of"') == 6
    assert (made["away"], made["missing"]) == ([], 0)
    assert made["stored"] == found["told"] == found["stored"]
    assert found["heads"] == 3
    assert faulty == []


def test_what_is_the_floors_own_is_carried_over_and_the_old_rows_stay(url):
    store, table = Store(url), Telling()
    admit(store, TWO, "$7$proof")
    ledger = Ledger(store, lambda: 5)
    ledger.take([(ONE, table.tell()), (ONE, TableFault("It talks nonsense."))])
    store.close()

    kept = put_aside(url)
    fresh = Store(url)
    with fresh.read() as db:
        assert db.scalar(sa.select(sa.func.count()).select_from(events)) == 0
        assert db.scalars(sa.select(faults.c.why)).all() == ["It talks nonsense."]
    assert [one.user.table for one in accounts.admitted(fresh)] == [TWO]
    admit(fresh, TableId("casino", "three"), "$7$other")  # a number that is free
    Ledger(fresh, lambda: 6).take([(ONE, TableFault("Again."))])
    with fresh.read() as db:
        assert db.scalar(old_rows(kept)) == 1
    fresh.close()


def old_rows(kept):
    """How many events are where the old rows went; SQLite's other file is read by itself."""
    if kept.startswith("schema "):
        return sa.text(f"select count(*) from {kept.removeprefix('schema ')}.events")
    old = Store(f"sqlite:///{kept}")
    with old.read() as db:
        count = db.scalar(sa.select(sa.func.count()).select_from(events))
    old.close()
    assert Path(kept).exists()
    return sa.select(sa.literal(count))
