"""Each fault of a table, by name, through a real broker; its neighbour is not late by it."""

from __future__ import annotations

import asyncio
import json
import socket
import time

import pytest
import sqlalchemy as sa

from table_controller.adapters.mqtt_link import LinkLost
from table_controller.adapters.mqtt_messages import (
    Health,
    Message,
    TableState,
    answer_message,
    health_message,
    state_message,
)
from table_controller.adapters.mqtt_names import TableId
from table_controller.floor import projections, store
from table_controller.floor.floor import Floor
from table_controller.floor.schema import events, faults
from table_controller.wiring.plan import now_ms
from tests.floor.sending import (
    GUESTS,
    ONE,
    OTHER_SITE,
    TWO,
    ended,
    event_of,
    info,
    named,
    row_of,
    sender,
    shown,
    until,
)
from tests.limits import PATIENCE_S


def nonsense(send):
    send(Message(f"{ONE.root}/event/card_drawn", b"\xff{"))


def foreign(send):
    send(event_of(ONE, row_of(TWO, 1)))


def chain(send):
    send(event_of(ONE, row_of(ONE, 1)))
    send(ended(ONE, 1, "00" * 32))


def told_otherwise(send):
    send(event_of(ONE, row_of(ONE, 1)))
    send(event_of(ONE, row_of(ONE, 1, text="another")))


def cloned(send):
    for boot in ("b1", "b2", "b1"):
        send(state_message(TableState.READY, boot, ONE))


def restored(send):
    send(ended(ONE, 0, "00" * 32, "0" * 15 + "1"))
    send(ended(ONE, 0, "00" * 32, "0" * 15 + "2"))


def clock(send):
    send(health_message(Health(), ONE, now_ms() - 3_600_000))


def version(send):
    send(info(ONE, "0.0.1"))


#: What is sent, and what the floor says then: the fault's name, the tile's rank, and why.
SENT = {
    "nonsense": (nonsense, "nonsense", 1, "is refused. It is no event"),
    "foreign": (foreign, "foreign", 1, "It names another table as its source."),
    "chain": (chain, "chain", 1, "Up to row 1 the chain is not what the table says."),
    "told otherwise": (told_otherwise, "chain", 1, "Row 1 was told otherwise before."),
    "cloned": (cloned, "cloned", 1, "Two machines run under this name"),
    "restored": (restored, "restored", 4, "Its journal was put back from a copy"),
    "clock": (clock, "clock", 3, "Its clock is 3600 s late: set it."),
    "version": (version, "version", 4, "It runs version 0.0.1, older than the floor's."),
}


@pytest.mark.parametrize("name", SENT)
def test_a_fault_is_named_as_that_tables_and_the_neighbours_events_go_on(tmp_path, name):
    send, code, rank, why = SENT[name]

    async def evening():
        async with (
            Floor(tmp_path, port=0, guests=GUESTS) as floor,
            sender(floor, ONE) as one,
            sender(floor, TWO) as two,
        ):
            two(state_message(TableState.READY, "b9", TWO))
            one(state_message(TableState.READY, "b1", ONE))
            await until(lambda: floor.live.there() == {ONE, TWO})
            one(health_message(Health(), ONE, now_ms()))
            two(health_message(Health(), TWO, now_ms()))
            send(one)
            two(event_of(TWO, row_of(TWO, 1)))
            await until(lambda: named(floor) and has(floor, TWO) == 1)
            await until(lambda: shown(floor)[0] < 5)
            return named(floor), named(floor, TWO), shown(floor), shown(floor, TWO)

    found, others, (its_rank, its_why), (rank_of_two, _) = asyncio.run(evening())

    assert found == {code}
    assert others == set()
    assert its_rank == rank
    assert why in its_why
    assert rank_of_two == 6


def test_a_row_that_a_table_unmakes_stops_nobody(tmp_path):
    """A table goes back behind a row that there never was, as no journal does."""

    async def evening():
        async with (
            Floor(tmp_path, port=0, guests=GUESTS) as floor,
            sender(floor, ONE) as one,
            sender(floor, TWO) as two,
        ):
            ended_at = asyncio.create_task(floor.ended())
            two(state_message(TableState.READY, "b9", TWO))
            one.rows = [row_of(ONE, number) for number in (1, 2, 3)]
            for row in one.rows:
                one(event_of(ONE, row))
            await until(lambda: has(floor, ONE) == 3)
            one(event_of(ONE, row_of(ONE, 2, stream=2)))
            one(ended(ONE, -5, "00" * 32, "0" * 15 + "2"))
            one(state_message(TableState.READY, "b1", ONE))
            await until(lambda: "nonsense" in named(floor))
            two(event_of(TWO, row_of(TWO, 1)))
            await until(lambda: has(floor, TWO) == 1)
            over = ended_at.done()
            ended_at.cancel()
            return over, named(floor, TWO)

    assert asyncio.run(evening()) == (False, set())


def test_a_fault_in_taking_what_one_table_told_stops_nobody(tmp_path, monkeypatch):
    """Whatever is wrong in our own reading of it: it is that table's fault, and the log's."""
    read = projections.project

    def project(progress, rows):
        if rows and rows[0].source == ONE.source:
            raise RecursionError
        return read(progress, rows)

    monkeypatch.setattr(store, "project", project)

    async def evening():
        async with (
            Floor(tmp_path, port=0, guests=GUESTS) as floor,
            sender(floor, ONE) as one,
            sender(floor, TWO) as two,
        ):
            one(event_of(ONE, row_of(ONE, 1)))
            two(event_of(TWO, row_of(TWO, 1)))
            await until(lambda: has(floor, TWO) == 1 and named(floor))
            return named(floor), named(floor, TWO)

    assert asyncio.run(evening()) == ({"nonsense"}, set())


def test_topics_that_a_table_makes_up_are_one_fault(tmp_path):
    """The same sentence is kept once, so that no table fills the disk."""

    async def evening():
        async with Floor(tmp_path, port=0, guests=GUESTS) as floor, sender(floor, ONE) as one:
            async with asyncio.timeout(PATIENCE_S):
                while not has(floor, ONE):  # what comes before the floor subscribes is lost
                    for number in range(50):
                        one(Message(f"{ONE.root}/event/x{number}", b"\xff"))
                    one(event_of(ONE, row_of(ONE, 1)))
                    await asyncio.sleep(0.2)
            with floor.store.read() as db:
                return db.scalars(sa.select(faults.c.why)).all()

    assert asyncio.run(evening()) == [
        "A message at event/+ is refused. It is no event in a CloudEvents 1.0 envelope."
    ]


def test_a_table_cannot_answer_for_another(tmp_path, monkeypatch):
    """It knows how transactions are named, by those that it is asked itself."""
    monkeypatch.setattr("table_controller.floor.listen.GAP_S", 0.0)

    async def evening():
        async with (
            Floor(tmp_path, port=0, guests=GUESTS) as floor,
            sender(floor, ONE) as one,
            sender(floor, TWO) as two,
        ):
            asked = []

            def lied_for(topic, payload):
                """Before it answers, the neighbour does, by the same transaction."""
                said = json.loads(payload)
                if said["data"]["audience"] == "public":
                    asked.append((topic, payload))
                    lie = {"transaction": said["id"], "ok": True, "events": []}
                    two(answer_message("floor", "replay", lie, "b9", TWO))
                    two(info(TWO))

            one.asked = lied_for
            two(state_message(TableState.READY, "b9", TWO))
            one.rows = [row_of(ONE, number) for number in (1, 2)]
            one(state_message(TableState.READY, "b1", ONE))
            await until(lambda: floor.live.there() == {ONE, TWO})
            one(event_of(ONE, one.rows[1]))
            await until(lambda: floor.live.tables[TWO].info)  # told after the lie
            one.answer(*asked[0])
            await until(lambda: has(floor, ONE) == 2)
            return len(asked)

    assert asyncio.run(evening()) == 1


def has(floor, at):
    with floor.store.read() as db:
        return db.scalar(
            sa.select(sa.func.count()).select_from(events).where(events.c.source == at.source)
        )


@pytest.mark.parametrize(
    ("before", "code", "why"),
    [
        (TableId("casino", "nine"), "renamed", "It was called nine before."),
        (OTHER_SITE, "moved", "It was moved here: it was annexe/one."),
        (TWO, "cloned", "Its journal is also that of casino/two: one of the two is a copy."),
    ],
    ids=["renamed", "moved", "a copy of one that is there"],
)
def test_a_journal_that_began_under_another_name_is_taken_and_the_change_is_named(
    tmp_path, before, code, why
):
    """What it played then is stored too: its chain holds."""
    rows = [row_of(before, 1), row_of(before, 2)]
    rows.append(row_of(ONE, 3))

    async def evening():
        async with (
            Floor(tmp_path, port=0, guests=GUESTS) as floor,
            sender(floor, ONE) as one,
            sender(floor, TWO) as two,
        ):
            two(state_message(TableState.READY, "b9", TWO))
            await until(lambda: TWO in floor.live.there())
            one.rows = rows
            one(state_message(TableState.READY, "b1", ONE))
            one(health_message(Health(), ONE, now_ms()))
            one(event_of(ONE, rows[2]))
            await until(lambda: named(floor) and has(floor, ONE) == 1)
            return named(floor), shown(floor), has(floor, before)

    found, (_, its_why), earlier = asyncio.run(evening())

    assert found == {code}
    assert its_why == why
    assert earlier == 2


def field(text):
    """A text as MQTT writes it."""
    return len(text).to_bytes(2, "big") + text.encode()


def packet(kind, content):
    """An MQTT packet of less than 16 KiB."""
    low, high = len(content) % 128, len(content) // 128
    return bytes([kind, low | 128, high]) + content


def blasted(port, floods):
    """Sign in as table one, and write so many messages as fast as the broker takes them."""
    hello = field("MQTT") + bytes([4, 0xC2, 0, 60]) + field("x")
    hello += field("table-casino-one") + field("secret of one")
    said = packet(0x30, field(f"{ONE.root}/event/x") + b"nonsense")
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as line:
        line.sendall(packet(0x10, hello))
        assert line.recv(4) == bytes([0x20, 2, 0, 0])
        for _ in range(floods):
            line.sendall(said * 500)


def test_a_flood_is_named_and_the_neighbour_is_not_late_by_it(tmp_path, monkeypatch):
    """As fast as the broker reads: it is cut off, and comes back by itself after a minute.

    The neighbour waits for what the broker has taken until then, which is dropped unread. A busy
    machine's broker is slow, so a flood is less here.
    """
    monkeypatch.setattr("table_controller.floor.faults.MOST_A_SECOND", 100)
    monkeypatch.setattr("table_controller.floor.faults.MOST_DROPPED", 200)

    async def evening():
        async with (
            Floor(tmp_path, port=0, guests=GUESTS) as floor,
            sender(floor, TWO) as two,
        ):
            two(state_message(TableState.READY, "b9", TWO))
            await until(lambda: TWO in floor.live.there())
            flood = asyncio.create_task(asyncio.to_thread(blasted, floor.broker.port, 8))
            late = []
            for number in range(1, 6):
                began = time.monotonic()
                two(event_of(TWO, row_of(TWO, number)))
                await until(lambda number=number: has(floor, TWO) == number)
                late.append(time.monotonic() - began)
            await flood
            await until(lambda: "flood" in named(floor))
            cut = floor.listener.cut_off()
            await floor.look()
            with pytest.raises(LinkLost, match="refused us"):
                async with sender(floor, ONE):
                    pass
            return late, named(floor, TWO), cut, two.link.lost.done()

    late, others, cut, lost = asyncio.run(evening())

    assert others == set()
    assert cut == {ONE}
    assert not lost
    assert max(late) < 20, late  # seconds, on a machine where all else is slow too


def test_a_flood_fills_its_own_queue_and_the_neighbours_event_overtakes_it(tmp_path):
    """The floor reads nothing while the flood is written: it waits at the broker, but apart."""

    async def evening():
        async with (
            Floor(tmp_path, port=0, guests=GUESTS) as floor,
            sender(floor, TWO) as two,
        ):
            blasted(floor.broker.port, 300)  # no await, so that the floor sleeps meanwhile
            two(event_of(TWO, row_of(TWO, 1)))
            await until(lambda: has(floor, TWO) == 1)
            return sum(floor.listener.counts.values())

    assert asyncio.run(evening()) < 20_000  # of 150,000 messages
