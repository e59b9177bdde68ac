"""What the floor keeps of the messages that come, without a broker."""

from __future__ import annotations

import asyncio

import sqlalchemy as sa
from msgspec import Raw, json

from table_controller.adapters.mqtt_link import BrokerAddress
from table_controller.adapters.mqtt_messages import CloudEvent, Health, health_message, rfc3339
from table_controller.floor.fair_queue import MOST_OF_ONE
from table_controller.floor.faults import FaultCode
from table_controller.floor.listen import FloorListener
from table_controller.floor.live import LiveTables
from table_controller.floor.schema import events
from table_controller.floor.sessions import Receipts
from table_controller.floor.store import Ledger, Store
from tests.floor.test_store import ONE, TWO
from tests.limits import PATIENCE_S


class Away(Ledger):
    """A database that takes nothing while it is `away`."""

    away = False

    def take(self, news):
        if self.away:
            raise sa.exc.OperationalError("insert", {}, Exception("gone"))
        return super().take(news)


class Link:
    """A connection whose acknowledgements all arrive."""

    def taken(self, mids):
        pass


class Heard:
    """A listener whose messages and moments are ours."""

    def __init__(self, folder):
        self.now, self.store = 100.0, Store(f"sqlite:///{folder / 'floor.db'}")
        self.ledger, self.live = Away(self.store, lambda: 0), LiveTables()
        self.receipts = Receipts()
        self.receipts.begin(Link())
        self.listener = FloorListener(
            BrokerAddress(), self.ledger, self.live, now=lambda: self.now, clock_s=lambda: 0.0
        )

    def tell(self, at, seq, mid=0):
        told = CloudEvent(
            id=f"{'1' * 16}-{'1' * 16}-public-{seq}", source=at.source, seq=seq,
            type="schlitten.card_drawn", time=rfc3339(0), data=Raw(b"{}"),
        )  # fmt: skip
        topic = f"{at.root}/event/card_drawn"
        self.listener._delivered(self.receipts, topic, json.encode(told), mid)

    def stored(self, at):
        with self.store.read() as db:
            said = (
                sa.select(sa.func.count()).select_from(events).where(events.c.source == at.source)
            )
            return db.scalar(said)

    def run(self, story):
        async def work():
            ingest = asyncio.create_task(self.listener._ingest())
            async with asyncio.timeout(PATIENCE_S):
                await story()
            ingest.cancel()

        asyncio.run(work())
        self.store.close()


async def until(holds):
    while not holds():
        await asyncio.sleep(0.01)


def test_a_database_that_is_away_is_no_tables_flood(tmp_path):
    """A quarter of an hour of it: too many wait; the rest is asked for when it is back."""
    heard = Heard(tmp_path)

    async def story():
        heard.ledger.away = True
        heard.tell(TWO, 1)
        await until(lambda: heard.listener._stuck)
        for seq in range(1, MOST_OF_ONE + 301):
            heard.now += 0.01
            heard.tell(ONE, seq)
        heard.ledger.away = False
        await until(lambda: heard.stored(ONE) == MOST_OF_ONE)

    heard.run(story)

    assert heard.listener.counts == {"full": 300}
    assert ONE not in heard.live.tables or not heard.live.tables[ONE].odd
    assert not heard.listener._stuck


def test_what_comes_again_while_it_waits_waits_once(tmp_path):
    heard = Heard(tmp_path)

    async def story():
        for mid in (7, 7, 8):
            heard.tell(ONE, mid - 6, mid)
        assert len(heard.listener._waiting) == 2
        await until(lambda: heard.stored(ONE) == 2)
        await until(lambda: not heard.receipts._unanswered)
        heard.tell(ONE, 2, 8)  # its acknowledgement was lost
        assert len(heard.listener._waiting) == 1
        await until(lambda: not heard.receipts._unanswered)

    heard.run(story)

    assert heard.listener.counts == {}


def test_large_messages_are_a_flood_sooner_and_the_cut_is_told_at_once(tmp_path):
    """200 KiB count as 51: 39 are taken in a second; the 99th that is dropped is one too many."""
    heard = Heard(tmp_path)

    async def story():
        told = 0
        while not heard.listener.cuts.is_set():
            picture = b"x" * 200 * 1024
            heard.listener._delivered(heard.receipts, f"{ONE.root}/snapshot", picture, 0)
            told += 1
        assert told == 39 + 99
        assert heard.listener.cut_off() == {ONE}

    heard.run(story)


def test_the_floor_knows_how_long_a_row_waits_to_be_stored(tmp_path):
    """Also while the database is away."""
    heard = Heard(tmp_path)

    async def story():
        assert heard.listener.late_s() == 0
        heard.ledger.away = True
        heard.tell(TWO, 1)
        await until(lambda: heard.listener._stuck)
        heard.now += 7
        heard.tell(ONE, 1)
        assert heard.listener.late_s() == 7
        heard.ledger.away = False
        await until(lambda: heard.stored(ONE) == heard.stored(TWO) == 1)
        await until(lambda: heard.listener.late_s() == 0)

    heard.run(story)


def test_no_clock_is_judged_by_what_is_read_after_a_stall(tmp_path):
    """The floor stood still for 60 s: the tables' messages of that time are no late clocks."""
    heard = Heard(tmp_path)

    def sent(at):
        message = health_message(Health(), at, 3_600_000)  # the listener's own clock says 0
        topic = message.topic
        heard.listener._delivered(heard.receipts, topic, bytes(message.payload), 0)

    def judged(at):
        return at in heard.live.tables and FaultCode.CLOCK in heard.live.tables[at].odd

    async def story():
        heard.now += 60
        sent(ONE)
        for _ in range(11):
            heard.now += 1
            heard.listener.beat()
        sent(TWO)
        await until(lambda: judged(TWO))
        assert not judged(ONE)

    heard.run(story)
