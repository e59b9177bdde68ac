"""How late a flood makes the other tables: from an event's sending to the floor's database.

Ten tables tell five events a second each. Another process signs in as one more table, and writes as
fast as the broker takes it, until it is cut off. An event that the broker drops meanwhile is late
until its table was asked for it. There are two kinds of floor: Mosquitto and SQLite on one box, or
three nodes of nats-server and PostgreSQL.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import socket
import statistics
import sys
import time
from asyncio.subprocess import DEVNULL
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from msgspec import Raw
from msgspec.structs import replace

from table_controller.adapters.broker_rules import BrokerAccount
from table_controller.adapters.mqtt_link import BrokerAddress, Link, connect
from table_controller.adapters.mqtt_messages import (
    CloudEvent,
    Message,
    TableState,
    answer_message,
    current,
    rfc3339,
    state_message,
)
from table_controller.adapters.mqtt_names import TableId, request_of
from table_controller.floor.engine import account
from table_controller.floor.floor import Floor
from table_controller.floor.inbox import told as read
from table_controller.floor.people import now_ms
from table_controller.floor.schema import cursors, tables
from table_controller.floor.store import Store
from table_controller.service.rows import FIRST_LINK
from tests.databases import Postgres
from tests.floor.sending import hears
from tests.limits import LONG_PATIENCE_S
from workshop.bench.live import p99
from workshop.nats import Cluster

NEIGHBOURS: Final = 10
EVERY_S: Final = 0.2
#: How long they tell before the flood, and from its beginning on.
CALM_S: Final = 3.0
FLOODED_S: Final = 15.0
SECRET: Final = "any"
FLOODER: Final = TableId("hall", "flooder")
#: The flooding table's node of a cluster. The floor is at node 0.
FLOODED_NODE: Final = 1
#: Each flood: the topic's end, the bytes of a message, and its QoS.
FLOODS: Final = {
    "small messages": ("event/x", 8, 0),
    "small messages, QoS 1": ("event/x", 8, 1),
    "large pictures": ("snapshot", 200_000, 0),
}


def rows(kinds: Sequence[str] = ()) -> list[tuple[str, float, str, str]]:
    """Name, value, unit, budget or peer, for these kinds of floor or for both."""
    figures = []
    both: tuple[type[OneBox | Several], ...] = OneBox, Several
    for kind, flood in itertools.product(both, FLOODS):
        if kinds and kind.NAME not in kinds:
            continue
        with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            calm, late, flooded = asyncio.run(_evening(kind, Path(folder), flood))
        name, before = f"{kind.NAME}, {flood}", statistics.median(calm)
        figures += [
            (
                f"{name}: the others late, p50",
                statistics.median(late),
                "ms",
                f"{before:.0f} before",
            ),
            (f"{name}: the others late, p99", p99(late), "ms", f"{p99(calm):.0f} before"),
            (f"{name}: the others late, at most", max(late), "ms", f"of {len(late)} events"),
            (f"{name}: the flood lasts", flooded, "s", ""),
        ]
    return figures


class OneBox:
    """Mosquitto as the floor's child, and SQLite."""

    NAME = "one-box"

    def __init__(self, folder: Path, guests: Sequence[BrokerAccount]) -> None:
        self.floor = Floor(folder, port=0, guests=guests)

    def at(self, _number: int) -> BrokerAddress:
        """The address of the broker for the table of this number."""
        assert self.floor.broker is not None
        return BrokerAddress(port=self.floor.broker.port)

    def stop(self) -> None:
        """Do nothing, since the broker ends with the floor."""


class Several:
    """Three nodes of nats-server and PostgreSQL. Each third of the tables uses another node."""

    NAME = "cluster"

    def __init__(self, folder: Path, guests: Sequence[BrokerAccount]) -> None:
        self._cluster, self._database = (
            Cluster(folder / "nats", guests, SECRET),
            Postgres(durable=True),
        )
        self.floor = Floor(folder, url=self._database.url(), cluster=self._cluster.address)

    def at(self, number: int) -> BrokerAddress:
        """The address of the node for the table of this number."""
        nodes = self._cluster.tables.nodes()
        return nodes[number % len(nodes)]

    def stop(self) -> None:
        """End the cluster and the database."""
        self._cluster.stop()
        self._database.stop()


class Neighbour:
    """A table that tells an event and a picture now and then, and what it is asked for again."""

    def __init__(self, number: int) -> None:
        self.at = TableId("hall", f"table-{number}")
        self.sent: list[float] = []
        self._told: list[CloudEvent] = []
        self._head = FIRST_LINK
        self._link: Link

    async def join(self, address: BrokerAddress) -> None:
        """Sign in, and be there."""
        name = address.username
        self._link = await connect(address, name, None, self._hear, lambda _: None)
        self._link.subscribe(f"{self.at.root}/request/+/+")
        self._link.publish(state_message(TableState.READY, "b1", self.at))

    def tell(self) -> None:
        """Tell one more event."""
        seq = len(self._told) + 1
        told = CloudEvent(
            id=f"{'0' * 16}-{'0' * 16}-public-{seq}", source=self.at.source,
            type="schlitten.card_drawn", seq=seq, time=rfc3339(now_ms()), data=Raw(b"{}"),
        )  # fmt: skip
        self._told.append(told)
        self.sent.append(time.monotonic())
        payload = msgspec.json.encode(told)
        self._head = read(payload, self.at.source).linked(self._head)
        self._link.publish(Message(f"{self.at.root}/event/card_drawn", payload))
        end = {"seq": seq, "count": seq, "stream": "0" * 16, "chain_head": self._head.hex()}
        self._link.publish(current("snapshot", {**end, "snapshot": None}, self.at))

    def _hear(self, topic: str, payload: bytes, _retained: bool) -> None:
        asked: dict[str, Any] = json.loads(payload)
        data = asked["data"]
        events = self._told[data["from_seq"] - 1 : data["to_seq"]]
        if data["audience"] != "public":
            events = []
        said = {"transaction": asked["id"], "ok": True, "events": events}
        if request_of(topic, self.at):
            self._link.publish(answer_message("floor", "replay", said, "b1", self.at))

    def leave(self) -> None:
        """End."""
        self._link.close()


async def _evening(
    kind: type[OneBox | Several], folder: Path, name: str
) -> tuple[list[float], list[float], float]:
    """Milliseconds that each event was late before and after a flood's beginning; its length."""
    those = [Neighbour(number) for number in range(NEIGHBOURS)]
    guests = [account(at, SECRET) for at in (*(one.at for one in those), FLOODER)]
    house = kind(folder, guests)
    async with AsyncExitStack() as stack:
        stack.callback(house.stop)
        floor = await stack.enter_async_context(house.floor)
        for number, (one, guest) in enumerate(zip(those, guests, strict=False)):
            await one.join(replace(house.at(number), username=guest.user.name, password=SECRET))
            stack.callback(one.leave)
        async with asyncio.timeout(LONG_PATIENCE_S):
            while not all(hears(floor, one.at) for one in those):
                await asyncio.sleep(0.1)
        told = asyncio.Event()
        looking = asyncio.create_task(_look(floor.store, those, told))
        await _tell(those, CALM_S)
        began, where = time.monotonic(), house.at(FLOODED_NODE)
        flood = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", __spec__.name, where.host, str(where.port), name),
            stdout=DEVNULL,
        )
        ended = asyncio.create_task(_ended(flood, began))
        await _tell(those, FLOODED_S)
        told.set()
        async with asyncio.timeout(LONG_PATIENCE_S):
            late = await looking
            flooded = await ended
    calm = [ms for at, ms in late if at < began]
    return calm, [ms for at, ms in late if at >= began], flooded


async def _ended(flood: asyncio.subprocess.Process, began: float) -> float:
    await flood.wait()
    return time.monotonic() - began


async def _tell(those: list[Neighbour], seconds: float) -> None:
    """Let each tell at its own moments."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for one in those:
            await asyncio.sleep(EVERY_S / len(those))
            one.tell()


async def _look(
    store: Store, those: list[Neighbour], told: asyncio.Event
) -> list[tuple[float, float]]:
    """When each event was sent, and how many milliseconds later the database had it.

    Ends once all are `told`, and all are there.
    """
    found: list[tuple[float, float]] = []
    seen = {one.at.table: 0 for one in those}
    while not told.is_set() or any(seen[one.at.table] < len(one.sent) for one in those):
        await asyncio.sleep(0.005)
        kept, now = await asyncio.to_thread(_kept, store), time.monotonic()
        for one in those:
            first, last = seen[one.at.table], kept.get(one.at.table, 0)
            found += [(at, (now - at) * 1e3) for at in one.sent[first:last]]
            seen[one.at.table] = last
    return found


def _kept(store: Store) -> dict[str, int]:
    said = sa.select(tables.c.name, cursors.c.seq).join(tables, tables.c.id == cursors.c.table_id)
    with store.read() as db:
        rows = db.execute(said.where(cursors.c.audience == "public")).all()
    return dict(map(tuple, rows))


# The flood, as a process


def _flood(host: str, port: int, name: str) -> None:
    """Sign in as one more table, and write until the broker ends it."""
    end, size, qos = FLOODS[name]
    topic = _field(f"{FLOODER.root}/{end}") + (b"\x00\x01" if qos else b"")
    said = _packet(0x30 | qos << 1, topic + b"x" * size)
    many = said * max(1, 2**18 // len(said))
    hello = _field("MQTT") + bytes([4, 0xC2, 0, 60])
    for part in ("x", f"table-{FLOODER.site}-{FLOODER.table}", SECRET):
        hello += _field(part)
    with socket.create_connection((host, port)) as line:
        line.sendall(_packet(0x10, hello))
        assert line.recv(4) == bytes([0x20, 2, 0, 0])
        line.setblocking(True)
        until = time.monotonic() + FLOODED_S
        try:
            while time.monotonic() < until:
                line.sendall(many)
                _drain(line)
        except OSError:
            return


def _drain(line: socket.socket) -> None:
    """Throw the broker's acknowledgements away, so that it never waits for us."""
    try:
        while line.recv(2**20, socket.MSG_DONTWAIT):
            pass
        raise ConnectionError
    except BlockingIOError:
        return


def _field(text: str) -> bytes:
    return len(text).to_bytes(2, "big") + text.encode()


def _packet(kind: int, content: bytes) -> bytes:
    length, rest = b"", len(content)
    while True:
        rest, low = divmod(rest, 128)
        length += bytes([low | (128 if rest else 0)])
        if not rest:
            return bytes([kind]) + length + content


if __name__ == "__main__":
    _flood(sys.argv[1], int(sys.argv[2]), sys.argv[3])
