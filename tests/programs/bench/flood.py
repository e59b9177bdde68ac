"""How late a flood makes the other tables: from an event's sending to the floor's database.

Ten tables tell five events a second each, through the floor's own Mosquitto. Another process signs
in as one more table, and writes as fast as the broker takes it, until it is cut off. An event that
the broker drops meanwhile is late until its table was asked for it.
"""

from __future__ import annotations

import asyncio
import json
import socket
import statistics
import sys
import time
from asyncio.subprocess import DEVNULL
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from msgspec import Raw

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
from tests.limits import LONG_PATIENCE_S
from tests.programs.bench.live import p99

NEIGHBOURS: Final = 10
EVERY_S: Final = 0.2
#: How long they tell before the flood, and from its beginning on.
CALM_S: Final = 3.0
FLOODED_S: Final = 15.0
SECRET: Final = "any"
FLOODER: Final = TableId("hall", "flooder")
#: Each flood: the topic's end, the bytes of a message, and its QoS.
FLOODS: Final = {
    "small messages": ("event/x", 8, 0),
    "small messages, QoS 1": ("event/x", 8, 1),
    "large pictures": ("snapshot", 200_000, 0),
}


def rows() -> list[tuple[str, float, str, str]]:
    """Name, value, unit, budget or peer."""
    figures = []
    for name in FLOODS:
        with TemporaryDirectory() as folder:
            calm, late, flooded = asyncio.run(_evening(Path(folder), name))
        figures += [
            (f"{name}: the others late, p50", statistics.median(late), "ms", ""),
            (f"{name}: the others late, p99", p99(late), "ms", f"{p99(calm):.0f} before it"),
            (f"{name}: the others late, at most", max(late), "ms", f"of {len(late)} events"),
            (f"{name}: cut off after", flooded, "s", ""),
        ]
    return figures


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
        self._link = await connect(address, "any", None, self._hear, lambda _: None)
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


async def _evening(folder: Path, name: str) -> tuple[list[float], list[float], float]:
    """Milliseconds that each event was late before and after a flood's beginning; its length."""
    those = [Neighbour(number) for number in range(NEIGHBOURS)]
    guests = [account(at, SECRET) for at in (*(one.at for one in those), FLOODER)]
    async with AsyncExitStack() as stack:
        floor = await stack.enter_async_context(Floor(folder, port=0, guests=guests))
        assert floor.broker is not None
        port = floor.broker.port
        for one, guest in zip(those, guests, strict=False):
            user = guest.user.name
            await one.join(BrokerAddress(port=port, username=user, password=SECRET))
            stack.callback(one.leave)
        told = asyncio.Event()
        looking = asyncio.create_task(_look(floor.store, those, told))
        await _tell(those, CALM_S)
        began = time.monotonic()
        flood = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", __spec__.name, str(port), name), stdout=DEVNULL
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


def _flood(port: int, name: str) -> None:
    """Sign in as one more table, and write until the broker ends it."""
    end, size, qos = FLOODS[name]
    topic = _field(f"{FLOODER.root}/{end}") + (b"\x00\x01" if qos else b"")
    said = _packet(0x30 | qos << 1, topic + b"x" * size)
    many = said * max(1, 2**18 // len(said))
    hello = _field("MQTT") + bytes([4, 0xC2, 0, 60])
    for part in ("x", f"table-{FLOODER.site}-{FLOODER.table}", SECRET):
        hello += _field(part)
    with socket.create_connection(("127.0.0.1", port)) as line:
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
    _flood(int(sys.argv[1]), sys.argv[2])
