"""The floor's sessions at its own broker: one for each table, and what a lost one brings again."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

from table_controller.adapters.mqtt_link import BrokerAddress, connect
from table_controller.adapters.mqtt_messages import Message
from table_controller.adapters.mqtt_names import TableId
from table_controller.floor.engine import FloorBroker, account
from table_controller.floor.sessions import Sessions
from tests.floor.sending import ONE, TWO, until

#: Their user names at a broker are the same: `table-a-b-c`.
ALIKE = TableId("a-b", "c"), TableId("a", "b-c")


class Meeting:
    """A broker, the floor's sessions there, and what they deliver."""

    def __init__(self, broker):
        self.broker, self.heard, self.gone, self.said = broker, [], [], []
        address = BrokerAddress(
            port=broker.port, socket=broker.socket, username="floor", password="the floor's"
        )
        self.sessions = Sessions(
            address, lambda *heard: self.heard.append(heard), self.gone.append, self.said.append,
            lambda: None,
        )  # fmt: skip

    @property
    def names(self):
        return set(self.sessions._links)

    async def tell(self, at, topic):
        address = BrokerAddress(
            port=self.broker.port, username=f"table-{at.site}-{at.table}", password="a table's"
        )
        link = await connect(address, "x", None, lambda *_: None, lambda _: None)
        link.publish(Message(f"{at.root}/{topic}", b"told"))
        link.close()


@asynccontextmanager
async def meeting(tables):
    broker = FloorBroker(
        [account(at, "a table's") for at in tables], "the floor's", host="127.0.0.1", port=0
    )
    await broker.start()
    met = Meeting(broker)
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
