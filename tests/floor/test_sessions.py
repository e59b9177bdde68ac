"""The floor's sessions, one for each table: at its own broker, and at a broker elsewhere.

At its own broker, a lost session brings again what nobody acknowledged. Elsewhere the sessions look
for the tables; a Mosquitto that lets everybody in stands for the cluster there.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

from table_controller.adapters.mqtt_link import BrokerAddress, connect
from table_controller.adapters.mqtt_messages import Message, TableState, state_message
from table_controller.adapters.mqtt_names import TableId
from table_controller.floor import sessions as sessions_module
from table_controller.floor.engine import FloorBroker, account
from table_controller.floor.sessions import Sessions
from tests.brokers import Mosquitto
from tests.floor.sending import ONE, TWO, until

#: Their user names at a broker are the same: `table-a-b-c`.
ALIKE = TableId("a-b", "c"), TableId("a", "b-c")


class Meeting:
    """A broker, the floor's sessions there, and what they deliver."""

    def __init__(self, broker, socket=None):
        self.broker, self.heard, self.gone, self.said = broker, [], [], []
        address = BrokerAddress(
            port=broker.port, socket=socket, username="floor", password="the floor's"
        )
        self.sessions = Sessions(
            address, lambda *heard: self.heard.append(heard), self.gone.append, self.said.append,
            lambda: None,
        )  # fmt: skip

    @property
    def names(self):
        return set(self.sessions._links)

    @property
    def told(self):
        """What the tables' events said, beside `state`, which the broker retains."""
        return [payload for _, topic, payload, _ in self.heard if "/event/" in topic]

    async def be_there(self, at):
        await self._send(at, state_message(TableState.READY, "b1", at))

    async def tell(self, at, topic, payload=b"told"):
        await self._send(at, Message(f"{at.root}/{topic}", payload))

    async def _send(self, at, message):
        address = BrokerAddress(
            port=self.broker.port, username=f"table-{at.site}-{at.table}", password="a table's"
        )
        link = await connect(address, "x", None, lambda *_: None, lambda _: None)
        link.publish(message)
        link.close()


@asynccontextmanager
async def meeting(tables):
    broker = FloorBroker(
        [account(at, "a table's") for at in tables], "the floor's", host="127.0.0.1", port=0
    )
    await broker.start()
    met = Meeting(broker, broker.socket)
    met.sessions.hear_only(frozenset(tables))
    running = asyncio.create_task(met.sessions.run())
    await until(lambda: len(met.names) == len(tables) + 1)
    yield met
    running.cancel()
    await broker.stop()


def test_a_table_has_a_session_as_long_as_it_is_let_in():
    async def evening():
        async with meeting([ONE]) as met:
            found = [met.names]
            met.sessions.hear_only(frozenset({TWO}))
            await until(lambda: "floor/casino/two" in met.names)
            return [*found, met.names, met.said]

    before, after, said = asyncio.run(evening())

    assert before == {"floor", "floor/casino/one"}
    assert after == {"floor", "floor/casino/two"}
    assert said == [None]


def test_two_tables_never_share_a_session():
    async def evening():
        async with meeting(ALIKE[:1]) as met:
            met.sessions.hear_only(frozenset(ALIKE))
            await until(lambda: len(met.names) == 3)
            return met.names, [*met.gone]

    assert asyncio.run(evening()) == ({"floor", "floor/a-b/c", "floor/a/b-c"}, [])


def test_what_nobody_acknowledged_comes_again_after_a_loss():
    async def evening():
        async with meeting([ONE]) as met:
            for _ in range(2):
                await met.tell(ONE, "event/card_drawn")
            await until(lambda: len(met.heard) == 2)
            (first, _, _, mid), _ = met.heard
            first.give([mid])
            met.sessions._links["floor/casino/one"].abandon("by the test")
            await until(lambda: len(met.heard) == 3)
            return first, [*met.gone], met.heard[2]

    first, gone, (again, topic, payload, mid) = asyncio.run(evening())

    assert gone == [first]
    assert again is not first
    assert (topic, payload) == (f"{ONE.root}/event/card_drawn", b"told")
    assert mid > 0


@asynccontextmanager
async def elsewhere(folder, monkeypatch):
    """Sessions at a broker elsewhere, which has a table already."""
    monkeypatch.setattr(sessions_module, "_LOOK_S", 0.1)
    broker = Mosquitto(folder)
    broker.start()
    met = Meeting(broker)
    await met.be_there(ONE)
    running = asyncio.create_task(met.sessions.run())
    await until(lambda: "floor/casino/one" in met.names)
    yield met
    running.cancel()
    broker.stop()


def test_what_the_broker_retains_of_one_table_is_removed():
    """However much that is; and nothing of another table."""

    async def evening():
        async with meeting([ONE, TWO]) as met:
            address = BrokerAddress(
                port=met.broker.port, username="table-casino-one", password="a table's"
            )
            arrived = []
            link = await connect(address, "x", None, lambda *_: None, arrived.append)
            for number in range(1, 1501):
                qos = int(number == 1500)  # once that one has come, all have
                link.publish(Message(f"{ONE.root}/event/e{number}", b"told", qos, True))
            await met.be_there(TWO)
            await until(lambda: arrived)
            link.close()
            return [await met.sessions.clear(at) for at in (ONE, ONE, TWO)]

    assert asyncio.run(evening()) == [1500, 0, 1]


def test_tables_of_a_broker_elsewhere_are_found(tmp_path, monkeypatch):
    async def evening():
        async with elsewhere(tmp_path, monkeypatch) as met:
            await met.be_there(TWO)
            await until(lambda: "floor/casino/two" in met.names)
            await met.tell(TWO, "event/card_drawn")
            await until(lambda: met.told)
            return met.names, met.heard[-1][1:]

    assert asyncio.run(evening()) == (
        {"floor", "floor/casino/one", "floor/casino/two"},
        (f"{TWO.root}/event/card_drawn", b"told", 0),
    )


def test_a_table_that_is_left_out_is_not_heard_until_it_is_let_in_again(tmp_path, monkeypatch):
    async def evening():
        async with elsewhere(tmp_path, monkeypatch) as met:
            met.sessions.leave_out(frozenset({ONE}))
            await until(lambda: met.names == {"floor"})
            await met.tell(ONE, "event/card_drawn", b"meanwhile")
            met.sessions.leave_out(frozenset())
            await until(lambda: "floor/casino/one" in met.names)
            await met.tell(ONE, "event/card_drawn", b"after")
            await until(lambda: met.told)
            return met.told

    assert asyncio.run(evening()) == [b"after"]


def test_if_the_broker_elsewhere_is_lost_all_sessions_begin_again(tmp_path, monkeypatch):
    """What had come keeps its place: the broker does not bring it again."""

    async def evening():
        async with elsewhere(tmp_path, monkeypatch) as met:
            before = met.sessions._links["floor/casino/one"]
            met.sessions._links["floor"].abandon("by the test")
            await until(before.lost.done)
            await until(lambda: len(met.names) == 2)
            await met.tell(ONE, "event/card_drawn")
            await until(lambda: met.told)
            return before.lost.result(), met.gone, met.said

    why, gone, said = asyncio.run(evening())

    assert why == "the broker is lost"
    assert gone == []
    assert [sentence and sentence.rpartition(": ")[2] for sentence in said] == [
        None, "by the test.", None,
    ]  # fmt: skip
