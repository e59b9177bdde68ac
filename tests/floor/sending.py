"""Tables whose messages a test sends to a floor by a real broker, and what the floor then says."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import asynccontextmanager

import msgspec
import sqlalchemy as sa
from msgspec import Raw

from table_controller.adapters.mqtt_link import BrokerAddress, connect
from table_controller.adapters.mqtt_messages import (
    CloudEvent,
    Info,
    Message,
    answer_message,
    current,
    rfc3339,
)
from table_controller.adapters.mqtt_names import TableId, request_of
from table_controller.floor.engine import account
from table_controller.floor.schema import faults, tables
from table_controller.floor.web.view import glance
from tests.floor.telling import Telling
from tests.limits import PATIENCE_S

ONE, TWO = TableId("casino", "one"), TableId("casino", "two")
OTHER_SITE = TableId("annexe", "one")
GUESTS = tuple(account(at, f"secret of {at.table}") for at in (ONE, TWO))


class Sender:
    """A table's account at the floor's broker, and whatever somebody sends by it."""

    def __init__(self, at, link):
        self.at, self.link, self.asked = at, link, self.answer

    def __call__(self, message):
        self.link.publish(message)

    def hear(self, topic, payload, _retained):
        self.asked(topic, payload)

    def answer(self, topic, payload):
        """Answer a `replay` with what `self.rows` holds."""
        asked = json.loads(payload)
        seqs = range(asked["data"]["from_seq"], asked["data"]["to_seq"] + 1)
        rows = [row for row in self.rows if row.seq in seqs] if "public" in str(payload) else []
        said = {
            "transaction": asked["id"], "ok": True,
            "events": [json.loads(event_of(self.at, row).payload) for row in rows],
        }  # fmt: skip
        if request_of(topic, self.at):
            self.link.publish(answer_message("floor", "replay", said, "b1", self.at))

    rows = ()


def event_of(at, row, t_ms=None):
    """The message of a row, as a table tells it."""
    told = CloudEvent(
        id=row.id, source=row.source, type=f"schlitten.{row.kind}", seq=row.seq,
        time=rfc3339(t_ms or row.t_ms), data=Raw(row.body),
    )  # fmt: skip
    return Message(f"{at.root}/event/{row.kind}", msgspec.json.encode(told))


def row_of(at, number, text="", stream=1):
    made = Telling()
    made.stream = stream
    for _ in range(number):
        row = made.tell(text)
    return type(row)(*(at.source if n == "source" else getattr(row, n) for n in FIELDS))


FIELDS = ("audience", "seq", "t_ms", "id", "source", "kind", "body")


def info(at, version="99.0"):
    said = Info(
        version=version, house="zoppot-1934", game="chemin-de-fer", capabilities=(),
        configuration="", boot="b1",
    )  # fmt: skip
    return current("info", said, at)


def ended(at, seq, head, stream="0" * 15 + "1"):
    """`snapshot`, as far as the floor looks at its numbers."""
    said = {"seq": seq, "chain_head": head, "count": seq, "stream": stream, "snapshot": None}
    return current("snapshot", said, at)


@asynccontextmanager
async def sender(floor, at):
    one = Sender(at, None)
    address = BrokerAddress(
        port=floor.broker.port, username=f"table-{at.site}-{at.table}",
        password=f"secret of {at.table}",
    )  # fmt: skip
    one.link = await connect(address, "x", None, one.hear, lambda _: None)
    one.link.subscribe(f"{at.root}/request/+/+")
    await until(lambda: hears(floor, at))
    yield one
    one.link.close()


def hears(floor, at):
    """Whether the floor has its session for a table: what is told before is asked for later."""
    return f"floor/{at.site}/{at.table}" in floor.listener.sessions._links


async def until(holds):
    async with asyncio.timeout(PATIENCE_S):
        while not holds():
            await asyncio.sleep(0.02)


def named(floor, at=ONE):
    """The codes that the database has of a table's faults."""
    said = sa.select(faults.c.code).join(tables, tables.c.id == faults.c.table_id)
    with floor.store.read() as db:
        mine = (tables.c.site == at.site, tables.c.name == at.table)
        return set(db.scalars(said.where(*mine)))


def shown(floor, at=ONE):
    """What the page says about a table: its rank, and why."""
    tile = next(
        tile for tile in glance(floor.live.tables.values(), {}, time.monotonic())
        if tile.at == f"/table/{at.site}/{at.table}"
    )  # fmt: skip
    return tile.rank, str(tile.why)
