"""A floor with its own Mosquitto and tables that play. Nothing is missing, whatever dies."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from contextlib import suppress
from itertools import count as numbers

import pytest
import sqlalchemy as sa
from msgspec import to_builtins
from msgspec.structs import replace
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.reasoncodes import ReasonCode

from table_controller.adapters.mqtt_link import BrokerAddress, LinkLost, connect
from table_controller.adapters.mqtt_messages import Message
from table_controller.adapters.mqtt_names import TableId
from table_controller.commands.floor.trial import HOUSES, Hall
from table_controller.floor import accounts, enrol
from table_controller.floor.check import check
from table_controller.floor.engine import FloorBroker
from table_controller.floor.fair_queue import MOST_OF_ONE
from table_controller.floor.figures import count
from table_controller.floor.floor import Floor
from table_controller.floor.reports import report
from table_controller.floor.schema import events, faults
from table_controller.floor.sessions import Receipts
from table_controller.floor.store import Store
from table_controller.wiring import config
from tests.limits import PATIENCE_S

#: An evening of an hour in a minute and a half.
SPEED = 40.0


def hall(count=3):
    return Hall(count, [config.house(name) for name in HOUSES])


def at(floor):
    """Where its tables find its broker."""
    return BrokerAddress(port=floor.broker.port)


async def until(holds):
    async with asyncio.timeout(PATIENCE_S):
        while not holds():
            await asyncio.sleep(0.05)


def rows_of(store):
    """What the floor has of each table, in the order of its numbers."""
    with store.read() as db:
        said = sa.select(events.c.source, events.c.audience, events.c.id, events.c.body)
        order = (events.c.source, events.c.audience, events.c.seq)
        return [tuple(row) for row in db.execute(said.where(~events.c.void).order_by(*order))]


def told_by(tables):
    """The same from the tables' own journals."""
    return [
        (table.at.source, who, row.event_id, row.body)
        for table in tables
        for who in sorted(table.memory.rows)
        for row in table.memory.rows[who]
    ]


def reported(store):
    count(store)
    return to_builtins(report(store))


def faults_of(store):
    with store.read() as db:
        return db.scalars(sa.select(faults.c.why)).all()


def kept(floor):
    with floor.store.read() as db:
        return db.scalar(sa.select(sa.func.count()).select_from(events).where(~events.c.void))


def has_all(floor, tables):
    return kept(floor) == sum(table.memory.told for table in tables.tables)


def test_nothing_is_missing_after_the_broker_was_killed_and_the_database_was_erased(
    tmp_path, databases
):
    """First the broker dies with all that it holds, then a floor begins with an empty database."""
    tables = hall()
    first, second = databases(), databases()

    async def evening():
        async with Floor(tmp_path, url=first, port=0, guests=tables.accounts) as floor:
            port = floor.broker.port
            await tables.begin(at(floor), SPEED)
            told = lambda: sum(table.memory.told for table in tables.tables)  # noqa: E731
            await until(lambda: told() > 120)
            os.kill(floor.broker.pid, signal.SIGKILL)
            before = told()
            await until(lambda: told() > before + 80)
            await tables.stop_playing()
            await until(lambda: has_all(floor, tables))
            one = rows_of(floor.store), reported(floor.store), faults_of(floor.store)
        async with Floor(tmp_path, url=second, port=port, guests=tables.accounts) as floor:
            await until(lambda: has_all(floor, tables))
            two = rows_of(floor.store), reported(floor.store), faults_of(floor.store)
            checked = list(check(floor.store))
            pages = floor.listener.refill.pages
        await tables.leave()
        return one, two, checked, pages

    one, two, checked, pages = asyncio.run(evening())

    assert one[0] == told_by(tables.tables)
    assert two == one
    assert one[2] == []
    assert [found.fault for found in checked] == [""] * len(checked)
    assert pages >= 2
    assert {line["of"] for line in two[1]} <= {table.at.root[12:] for table in tables.tables}
    assert two[1]


def test_one_changed_byte_is_named_among_all(tmp_path, url):
    tables = hall(2)

    async def evening():
        async with Floor(tmp_path, url=url, port=0, guests=tables.accounts) as floor:
            await tables.begin(at(floor), SPEED)
            await until(lambda: kept(floor) > 60)
            await tables.leave()
            await tables.stop_playing()

    asyncio.run(evening())
    store = Store(url)
    with store.engine.begin() as db:
        mine = (events.c.audience == "public", events.c.seq == 7, events.c.table_id == 2)
        body = db.scalar(sa.select(events.c.body).where(*mine))
        spoilt = body.replace(b'"', b"'", 1)
        db.execute(events.update().where(*mine).values(body=spoilt))

    found = [one for one in check(store) if one.fault]
    store.close()

    assert len(found) == 1
    assert found[0].audience == "public"
    assert found[0].fault.startswith("row 7 (")


def test_a_table_that_talks_nonsense_or_as_another_changes_nothing(tmp_path, url):
    """The broker drops what is another's; what is nonsense is its own fault, and said."""
    tables = hall(2)
    one, two = tables.tables

    async def evening():
        async with Floor(tmp_path, url=url, port=0, guests=tables.accounts) as floor:
            await two_alone(floor)
            liar = await connect(
                BrokerAddress(
                    port=floor.broker.port, username=one.account.user.name,
                    password=one.account.secret,
                ),
                "liar", None, lambda *_: None, lambda _: None,
            )  # fmt: skip
            foreign = two.memory.rows["public"][0]
            said = {
                "specversion": "1.0", "id": foreign.event_id.replace("public-1", "public-999"),
                "source": two.at.source, "type": "schlitten.card_drawn", "seq": 999,
                "time": "2026-11-20T21:14:03.120Z", "data": {"type": "card_drawn"},
            }  # fmt: skip
            lie = json.dumps(said).encode()
            liar.publish(Message(f"{two.at.root}/event/card_drawn", lie))
            liar.publish(Message(f"{one.at.root}/event/card_drawn", lie))
            liar.publish(Message(f"{one.at.root}/state", b"\xff not json", retain=True))
            await until(lambda: len(faults_of(floor.store)) == 2)
            await until(lambda: not floor.ledger.behind())
            liar.close()
            return rows_of(floor.store), faults_of(floor.store), floor.refused()

    async def two_alone(floor):
        two_only = Hall(0, [])
        two_only.tables = [two]
        await two_only.begin(at(floor), SPEED)
        await until(lambda: kept(floor) > 20)
        await two_only.stop_playing()
        await until(lambda: has_all(floor, two_only))
        await two_only.leave()

    rows, wrong, refused = asyncio.run(evening())

    assert rows == told_by([two])
    assert "It names another table as its source." in wrong[0]
    assert "It does not fit its topic." in wrong[1]
    assert refused == {one.at}


def admitted(store, at):
    """Let a table in; return its secret."""
    with store.engine.begin() as db:
        return accounts.renewed(store, db, at)


def test_a_table_is_let_in_once_it_is_added_and_thrown_out_once_it_is_removed(tmp_path):
    at = TableId("casino", "one")

    async def join(floor, secret):
        address = BrokerAddress(
            port=floor.broker.port, username="table-casino-one", password=secret
        )
        return await connect(address, "x", None, lambda *_: None, lambda _: None)

    async def evening():
        async with Floor(tmp_path, port=0) as floor:
            with pytest.raises(LinkLost, match="refused us"):
                await join(floor, "guess")
            secret = await asyncio.to_thread(admitted, floor.store, at)
            async with asyncio.timeout(PATIENCE_S):
                link = None
                while link is None:
                    try:
                        link = await join(floor, secret)
                    except LinkLost:
                        await asyncio.sleep(0.1)
            removed = await asyncio.to_thread(enrol.remove, floor.store, at, "console")
            began = asyncio.get_running_loop().time()
            async with asyncio.timeout(PATIENCE_S):
                await asyncio.shield(link.lost)
            took = asyncio.get_running_loop().time() - began
            with pytest.raises(LinkLost, match="refused us"):
                await join(floor, secret)
            return removed, took

    removed, took = asyncio.run(evening())

    assert removed
    assert took < 5


def test_a_flood_of_one_table_is_its_own_matter(tmp_path, url):
    """What is beyond its share is dropped and asked for again; the others' events go on."""
    tables = hall(2)
    one = tables.tables[0]

    async def evening():
        async with Floor(tmp_path, url=url, port=0, guests=tables.accounts) as floor:
            loud, receipts = floor.listener, Receipts()
            await tables.begin(at(floor), SPEED)
            await until(lambda: kept(floor) > 40)
            for number in range(MOST_OF_ONE + 500):  # faster than any database
                loud._delivered(receipts, f"{one.at.root}/event/x", b"nonsense %d" % number, 0)
            dropped, waiting = loud.counts["flood"], len(loud._waiting)
            before = kept(floor)
            await until(lambda: kept(floor) > before + 20)
            await tables.stop_playing()
            await until(lambda: has_all(floor, tables))
            found = rows_of(floor.store), faults_of(floor.store), dropped, waiting
            await tables.leave()
            return found

    rows, wrong, dropped, waiting = asyncio.run(evening())

    assert rows == told_by(tables.tables)
    assert dropped >= 500
    assert waiting <= MOST_OF_ONE + 100
    assert len(wrong) == 2
    assert "is refused" in wrong[0]
    assert wrong[1] == "It tells more than can be taken; the rest is asked for later."


def test_what_a_flood_left_at_the_broker_is_removed(tmp_path):
    """Else a table that comes back after each minute would fill the broker's memory."""
    tables = hall(2)
    loud, other = tables.tables

    async def evening():
        cleared = []
        async with Floor(tmp_path, port=0, guests=tables.accounts) as floor:
            sessions = floor.listener.sessions
            clear = sessions.clear

            async def noted(table):
                cleared.append((table, await clear(table)))

            sessions.clear = noted
            await tables.begin(at(floor), SPEED)
            await until(lambda: kept(floor) > 10)
            await tables.stop_playing()
            await tables.leave()
            address = replace(
                at(floor), username=loud.account.user.name, password=loud.account.secret
            )
            link = await connect(address, "x", None, lambda *_: None, lambda _: None)
            async with asyncio.timeout(PATIENCE_S):
                with suppress(LinkLost):
                    for number in numbers():  # until the floor has had enough
                        topic = f"{loud.at.root}/event/e{number % 10_000}"
                        link.publish(Message(topic, b"x" * 9000, 0, True))
                        await asyncio.sleep(0)
                await link.lost
            await until(lambda: cleared)
            return cleared, await clear(loud.at), await clear(other.at)

    ((whose, removed),), left, others = asyncio.run(evening())

    assert whose == loud.at
    assert removed > 100
    assert left == 0
    assert others > 2


def test_a_subscription_that_is_refused_ends_the_connection(tmp_path):
    """A cluster in trouble refuses some (0x80): deaf, the floor would wait for answers for ever."""

    async def evening():
        broker = FloorBroker((), "secret", host="127.0.0.1", port=0)
        await broker.start()
        address = BrokerAddress(port=broker.port, username="floor", password="secret")
        link = await connect(
            address, "floor", None, lambda *_: None, lambda _: None, delivered=lambda *_: None
        )
        link.ask_for([("schlitten/2/+/+/state", 0)])
        (mid,) = link._needed
        refused = ReasonCode(PacketTypes.SUBACK, identifier=0x80)
        link._on_subscribe(None, None, mid + 1, [refused], None)
        assert not link.lost.done()
        link._on_subscribe(None, None, mid, [refused], None)
        await broker.stop()
        return link.lost.result()

    assert asyncio.run(evening()) == "it refused a subscription that we need"
