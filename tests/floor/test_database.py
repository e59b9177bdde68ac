"""A floor's database: its address, what is amiss with it, its death, and what it cannot take."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier

import pytest
import sqlalchemy as sa

from table_controller.adapters.mqtt_link import BrokerAddress
from table_controller.commands.floor.page import paged
from table_controller.commands.floor.trial import HOUSES, Hall, caught_up, compared
from table_controller.floor import database, inbox
from table_controller.floor import projections as p
from table_controller.floor.database import StoreError
from table_controller.floor.floor import Floor
from table_controller.floor.inbox import NotAnEvent, ToldRow
from table_controller.floor.schema import PROJECTED, events, faults
from table_controller.floor.store import Ledger, Store
from table_controller.service.errors import ConfigError
from table_controller.wiring import config
from table_controller.wiring.floor_settings import read
from tests.databases import Postgres, programs
from tests.floor.telling import SOURCE, Telling
from tests.floor.test_store import ONE, say
from tests.limits import PATIENCE_S

needs_postgres = pytest.mark.skipif(programs() is None, reason="no PostgreSQL here")


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("floor.db", "is no URL: want sqlite:///FILE or postgresql://USER@HOST/NAME"),
        ("mysql://floor@db/floor", "begins with 'mysql': want sqlite:///FILE or postgresql://"),
        ("postgresql://db.casino.example", "names no database: want"),
        (
            "postgresql://floor:pst@127.0.0.1:1/floor",
            "floor:***@127.0.0.1:1/floor cannot be opened",
        ),
        (
            "postgresql://floor@127.0.0.1:1/floor?password=pst&sslmode=disable",
            "postgresql://floor@127.0.0.1:1/floor?sslmode=disable cannot be opened",
        ),
        ("sqlite:////nowhere/floor.db", "look at its folder and disk"),
    ],
)
def test_an_address_that_is_wrong_is_explained_without_its_password(url, said):
    with pytest.raises(StoreError) as caught:
        Store(url)

    assert said in str(caught.value)
    assert "pst@" not in str(caught.value)


def test_a_database_of_a_newer_version_is_left_alone(url):
    store = Store(url)
    with store.engine.begin() as db:
        db.execute(sa.text("update alembic_version set version_num = '9999'"))
    store.close()

    with pytest.raises(StoreError, match="made by a newer Schlitten"):
        Store(url)


def test_two_processes_may_open_a_new_database_at_once(url):
    with ThreadPoolExecutor() as pool:
        for store in pool.map(Store, [url] * 3):
            with store.read() as db:
                assert db.execute(sa.select(faults)).all() == []
            store.close()


def test_a_new_file_is_turned_to_its_log_by_several_at_once(tmp_path):
    """One in some hundreds was refused, though each may wait for the others."""
    for number in range(100):
        url, begin = f"sqlite:///{tmp_path}/{number}.db", Barrier(8)

        def connect(url, begin=begin):
            begin.wait()
            engine = database._engine(url)
            with engine.connect() as db:
                mode = db.exec_driver_sql("PRAGMA journal_mode").scalar()
            engine.dispose()
            return mode

        with ThreadPoolExecutor(8) as pool:
            assert set(pool.map(connect, [url] * 8)) == {"wal"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[broker]\nhosts = ['10.1.0.1']", "without TLS the network could read and write there"),
        ("[broker]\nhosts = ['127.0.0.1']\nkey = 'k.pem'", "go together: set both"),
        ("[database]\nurls = 'x'", "there is no setting 'urls'; there are: url"),
        ("[broker]\nport = 0", "port = 0"),
    ],
)
def test_a_setting_that_cannot_be_is_named(tmp_path, text, said):
    (tmp_path / "floor.toml").write_text(text)

    with pytest.raises(ConfigError) as caught:
        read(tmp_path)

    assert said in str(caught.value)


def test_one_box_needs_no_settings(tmp_path):
    assert read(tmp_path).database.url == ""
    assert read(tmp_path).cluster() is None


def test_a_text_that_no_database_takes_stops_nothing(url):
    """NUL is none of PostgreSQL's characters: what events come to leaves it out, rows keep it."""
    store, table = Store(url), Telling()
    say(table, type="card_unread", reason="a\0b")
    Ledger(store, lambda: 0).take([(ONE, table.rows[0])])
    with store.read() as db:
        assert db.scalar(sa.select(PROJECTED[p.Misread].c.reason)) == "ab"
        assert b"\\u0000" in db.scalar(sa.select(events.c.body))
    store.close()


@pytest.mark.parametrize("id_", ["x\0-public-1", "é-public-1", "x" * 300 + "-public-1"])
def test_a_name_that_no_database_takes_is_nonsense(id_):
    said = {
        "specversion": "1.0", "id": id_, "source": SOURCE, "type": "schlitten.x", "seq": 1,
        "time": "2026-11-20T21:14:03.120Z", "data": {},
    }  # fmt: skip
    with pytest.raises(NotAnEvent):
        inbox.told(json.dumps(said).encode(), SOURCE)


def test_what_the_database_cannot_take_is_its_tables_fault(tmp_path, url):
    """The others' rows of the same batch are kept, and no table waits."""
    tables = Hall(2, [config.house(name) for name in HOUSES])
    bad, good = (table.at for table in tables.tables)

    def picky(take, news):
        if any(at == bad and isinstance(one, ToldRow) for at, one in news):
            raise sa.exc.DataError("insert", {}, Exception("no such text"))
        return take(news)

    async def evening():
        async with Floor(tmp_path, url=url, port=0, guests=tables.accounts) as floor:
            floor.ledger.take = partial(picky, floor.ledger.take)
            await tables.begin(BrokerAddress(port=floor.broker.port), 40.0)
            await until(lambda: min(table.memory.told for table in tables.tables) > 15)
            await tables.stop_playing()
            of_good = Hall(0, [])
            of_good.tables = tables.tables[1:]
            await until(lambda: floor.refused() and compared(floor.store, of_good)["heads"])
            await tables.leave()
            with floor.store.read() as db:
                return floor.refused(), db.execute(sa.select(faults.c.why)).scalars().all()

    refused, why = asyncio.run(evening())

    assert refused == {bad}
    assert why == ["It told something that the database cannot take."]
    assert good not in refused


@needs_postgres
def test_a_database_that_dies_costs_nothing_and_the_page_goes_on(tmp_path):
    server = Postgres()
    tables = Hall(2, [config.house(name) for name in HOUSES])
    said = []

    async def evening():
        async with (
            Floor(
                tmp_path, url=server.url(), port=0, guests=tables.accounts, trouble=said.append
            ) as floor,
            paged(floor, 0) as url,
        ):  # fmt: skip
            await tables.begin(BrokerAddress(port=floor.broker.port), 40.0)
            await until(lambda: told(tables) > 30)
            await asyncio.to_thread(server.kill)
            before = told(tables)
            await until(lambda: told(tables) > before + 30)
            page = await asyncio.to_thread(fetched, url)
            await asyncio.to_thread(server.start)
            await tables.stop_playing()
            await until(lambda: caught_up(floor.store, tables))
            found = compared(floor.store, tables)
            await tables.leave()
            return page, found

    try:
        page, found = asyncio.run(evening())
    finally:
        server.stop()

    assert "table-0002" in page
    assert (found["stored"], found["duplicates"], found["heads"]) == (found["told"], 0, 2)
    assert "The database takes nothing: look at it. It is tried again." in said
    assert said[-1] is None


def told(tables):
    return sum(table.memory.told for table in tables.tables)


def fetched(url):
    with urllib.request.urlopen(f"{url}/", timeout=PATIENCE_S) as answer:
        return answer.read().decode()


async def until(holds):
    async with asyncio.timeout(PATIENCE_S):
        while not holds():
            await asyncio.sleep(0.05)
