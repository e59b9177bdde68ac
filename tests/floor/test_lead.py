"""One process leads a floor. Another stands by, and takes over however the first one ends."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE
from contextlib import asynccontextmanager

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from table_controller.adapters.mosquitto import proof
from table_controller.adapters.mqtt_link import BrokerAddress
from table_controller.commands.floor.trial import HOUSES, Hall, caught_up, compared
from table_controller.floor.certificates import ready
from table_controller.floor.database import StoreError
from table_controller.floor.floor import Floor
from table_controller.floor.leader_election import Led, lead_of
from table_controller.floor.store import Ledger, Store, known_streams
from table_controller.wiring import config
from tests.brokers import free_port
from tests.floor.admitting import admit
from tests.floor.telling import Telling
from tests.floor.test_store import ONE
from tests.limits import PATIENCE_S


def test_one_leads_and_the_other_does_once_the_first_gives_up(url):
    one, two = Store(url), Store(url)
    first, second = lead_of(one), lead_of(two)

    assert first.take()
    assert not second.take()
    with pytest.raises(Led, match="Another process leads"), second.begin():
        pass
    first.give_up()
    assert second.take()
    assert not first.take()
    second.give_up()
    one.close()
    two.close()


def test_a_leader_whose_session_broke_can_write_no_more(postgres):
    """PostgreSQL frees the lock with the session; whoever had it must not go on."""
    url, table = postgres.url(), Telling()
    one, two = Store(url), Store(url)
    first, second = lead_of(one), lead_of(two)
    old, new = Ledger(one, lambda: 0, first.begin), Ledger(two, lambda: 0, second.begin)
    first.take()
    old.take([(ONE, table.tell())])
    with first.begin() as db:
        pid = db.scalar(sa.text("select pg_backend_pid()"))
    postgres.say(f"select pg_terminate_backend({pid})")

    async def until_free():
        async with asyncio.timeout(PATIENCE_S):
            while not second.take():
                await asyncio.sleep(0.01)

    asyncio.run(until_free())
    new.take([(ONE, table.tell())])
    row = table.tell()
    with pytest.raises(SQLAlchemyError):
        old.take([(ONE, row)])
    with pytest.raises(Led):
        old.take([(ONE, row)])
    assert new.take([(ONE, row)]) == {(ONE, "public"): None}
    second.give_up()
    one.close()
    two.close()


def test_a_floor_that_may_not_wait_says_who_leads(tmp_path, url):
    async def begin():
        async with Floor(tmp_path, url=url, port=0):
            with pytest.raises(Led, match="stop it, or name another"):
                await Floor(tmp_path, url=url, port=0).__aenter__()

    asyncio.run(begin())


@asynccontextmanager
async def process(folder, port):
    """`schlitten floor run`, as people start it."""
    command = (
        *(sys.executable, "-m", "table_controller", "floor", "run", "--folder", str(folder)),
        *("--port", str(port), "--page-port", "0", "--json"),
    )
    child = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=PIPE)
    try:
        yield child
    finally:
        if child.returncode is None:
            child.kill()
        await child.communicate()


def test_a_floor_that_stands_by_takes_over_when_the_leader_is_killed(tmp_path, url):
    """Kill -9, while tables play: the second has every event, and the first had been alone."""
    (tmp_path / "floor.toml").write_text(f'[database]\nurl = "{url}"\n')
    store, port = Store(url), free_port()
    tables = Hall(2, [config.house(name) for name in HOUSES])
    for table in tables.tables:
        admit(store, table.at, proof(table.account.secret))
    root = ready(tmp_path, ("127.0.0.1",)).root

    async def evening():
        async with process(tmp_path, port) as first:
            said = await served(first)
            await tables.begin(BrokerAddress(port=port, ca=root), 40.0)
            async with process(tmp_path, port) as second:
                await heard(second.stderr, "stands by")
                before = told(tables)
                await until(lambda: told(tables) > before + 20)
                os.kill(first.pid, signal.SIGKILL)
                again = await served(second)
                before = told(tables)
                await until(lambda: told(tables) > before + 20)
                await tables.stop_playing()
                await until(lambda: caught_up(store, tables))
                return said, again, compared(store, tables)

    said, again, found = asyncio.run(evening())
    store.close()

    assert said["tables"] == again["tables"] == f"127.0.0.1:{port}"
    assert found["told"] == found["stored"]
    assert (found["duplicates"], found["heads"], found["faults"]) == (0, 2, 0)


def told(tables):
    return sum(table.memory.told for table in tables.tables)


async def served(child):
    async with asyncio.timeout(PATIENCE_S):
        return json.loads(await child.stdout.readline())


async def heard(stream, words):
    async with asyncio.timeout(PATIENCE_S):
        while words not in (line := (await stream.readline()).decode()):
            assert line


async def until(holds):
    async with asyncio.timeout(PATIENCE_S):
        while not holds():
            await asyncio.sleep(0.05)


def test_a_database_that_dies_while_a_floor_begins_is_a_sentence(tmp_path, postgres, monkeypatch):
    """Whoever stood by tries again then; a first start ends with what to look at."""

    def killed(store):
        postgres.kill()
        return known_streams(store)

    async def begin():
        async with Floor(tmp_path, url=postgres.url(), port=0):
            pytest.fail("there is no database")

    monkeypatch.setattr("table_controller.floor.floor.known_streams", killed)
    try:
        with pytest.raises(StoreError, match=r"cannot be opened .* must answer"):
            asyncio.run(begin())
    finally:
        postgres.start()
