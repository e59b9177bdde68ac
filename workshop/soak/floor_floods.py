"""Strangers and one admitted table flood a floor of one machine while its other tables play.

The floor is `schlitten floor run` as a process, with the file handles of its unit; its memory and
its children's is watched. Each attack is another process. Meanwhile somebody signs in once a
second, a table connects once a second, and it is noted how soon each event is in the database.
"""

from __future__ import annotations

import asyncio
import json
import resource
import socket
import ssl
import statistics
import sys
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psutil
import sqlalchemy as sa
from msgspec import structs

from table_controller.adapters.mqtt_link import BrokerAddress, connect
from table_controller.adapters.mqtt_messages import event_message
from table_controller.adapters.mqtt_names import TableId
from table_controller.commands.floor.runs import MOST_FILES, more_files
from table_controller.commands.floor.trial import HOUSES, Hall, SimulatedTable
from table_controller.floor import people
from table_controller.floor.roles import FloorPerson, FloorRole
from table_controller.floor.schema import cursors, tables
from table_controller.floor.store import Store
from table_controller.service import pins
from table_controller.wiring import config
from workshop.bench.floor import OneBox, served
from workshop.bench.live import p99
from workshop.soak import signing_in
from workshop.soak.floods import packet, resident, text

SECONDS = 600
#: Tables that play; tables that connect together while idle connections are open; and those.
PLAYING, TOGETHER, IDLE = 8, 1000, 8300
SPEED = 4.0
#: How long it may take, in milliseconds: a sign-in, a row, a table's connection. Bytes of memory.
SIGN_IN_MS, ROW_MS, CONNECT_MS, MOST_MEMORY = 1000, 1000, 2000, 1 << 30
#: How long the tables play before the first attack, in seconds.
SETTLE_S = 10.0
#: How often it is looked which rows the database has, in seconds.
LOOK_S = 0.02
ROOT = Path(__file__).parents[2]

Connects = Callable[[], Awaitable[float]]
"""Connects one table, and returns how long that took in milliseconds."""
Meanwhile = Callable[[], Awaitable[list[float]]]
"""Connects many tables, and returns how long each took in milliseconds."""


@dataclass
class Found:
    """The figures of one attack."""

    sign_in_ms: list[float] = field(default_factory=list)
    connect_ms: list[float] = field(default_factory=list)
    row_ms: list[float] = field(default_factory=list)
    memory: int = 0
    sent: str = ""

    @property
    def told(self) -> str:
        """A sentence with the figures."""
        return "; ".join((
            f"sign-in {_times(self.sign_in_ms)}", f"a table connects {_times(self.connect_ms)}",
            f"a row is stored {_times(self.row_ms)}",
            f"floor, port and broker {self.memory >> 20} MiB",
        ))  # fmt: skip

    @property
    def holds(self) -> bool:
        """Whether every figure is within its limit."""
        return (
            p99(self.sign_in_ms) < SIGN_IN_MS
            and p99(self.row_ms) < ROW_MS
            and max(self.connect_ms) < CONNECT_MS
            and self.memory < MOST_MEMORY
        )


def _times(ms: list[float]) -> str:
    return f"p50 {statistics.median(ms):.0f} p99 {p99(ms):.0f} ms of {len(ms):,}"


def run(share: float) -> list[tuple[str, str]]:
    """Run each attack for ten minutes. Raises AssertionError beyond a limit."""
    more_files(MOST_FILES)
    seconds = max(5.0, SECONDS * share)
    with TemporaryDirectory(prefix="soak-floor-floods-", ignore_cleanup_errors=True) as name:
        found = asyncio.run(_evening(Path(name), seconds))
    rows = [(f"{what}: {one.sent}", one.told) for what, one in found.items()]
    rows.append(("seconds of each; file handles", f"{seconds:.0f}; {MOST_FILES:,}"))
    assert all(one.holds for one in found.values()), rows
    return rows


async def _evening(folder: Path, seconds: float) -> dict[str, Found]:
    hall = Hall(PLAYING + 3 + TOGETHER, [config.house(name) for name in HOUSES])
    house = OneBox(folder, hall)
    liar, filler, fresh, *others = hall.tables[PLAYING:]
    hall.tables = hall.tables[:PLAYING]
    store = Store(f"sqlite:///{folder / 'floor.db'}")
    pin = pins.proof(signing_in.PIN, people.keys_of(folder))
    people.add(store, FloorPerson(signing_in.NAME, FloorRole.ADMIN, pin))
    found = dict[str, Found]()
    where: dict[str, Any]
    async with served(folder, house.port) as (url, floor):
        lags = Lags(store, hall)
        await hall.begin(house.address, SPEED)
        watching = asyncio.create_task(lags.watch())
        await asyncio.sleep(SETTLE_S)
        for what in ATTACKS:
            whose = (filler if what == "fill" else liar).account
            where = {
                "port": house.port,
                "name": whose.user.name,
                "secret": whose.secret,
                "page": url,
            }
            attack = Attack(what, where, floor, lags)
            crowd = others if what == "idle" else []
            await attack.run(
                seconds,
                partial(_connects, house.address, fresh),
                partial(_together, house.address, crowd),
            )
            found[what] = attack.found
        watching.cancel()
        await hall.stop_playing()
        await hall.leave()
    store.close()
    return found


class Lags:
    """Notes when the tables tell rows, and when the floor's database has them."""

    def __init__(self, store: Store, hall: Hall) -> None:
        self._store, self.ms = store, list[float]()
        self._told: dict[tuple[str, str], deque[tuple[int, float]]] = {}
        for table in hall.tables:
            table.memory.add = partial(self._add, table, table.memory.add)

    def _add(self, table: SimulatedTable, add: Callable[..., None], said: Any, t_ms: int) -> None:
        add(said, t_ms)
        audience = said.audience.value
        row = len(table.memory.rows[audience]), time.monotonic()
        self._told.setdefault((table.at.table, audience), deque()).append(row)

    async def watch(self) -> None:
        """Look again and again what the database has, until cancelled."""
        while True:
            for key, seq in (await asyncio.to_thread(self._stored)).items():
                told = self._told.get(key, deque())
                while told and told[0][0] <= seq:
                    self.ms.append((time.monotonic() - told.popleft()[1]) * 1e3)
            await asyncio.sleep(LOOK_S)

    def waiting_ms(self) -> list[float]:
        """For how long each row waits that is not stored yet."""
        now = time.monotonic()
        return [(now - at) * 1e3 for told in self._told.values() for _, at in told]

    def _stored(self) -> dict[tuple[str, str], int]:
        said = sa.select(tables.c.name, cursors.c.audience, cursors.c.seq).join(
            tables, tables.c.id == cursors.c.table_id
        )
        with self._store.read() as db:
            return {(name, audience): seq for name, audience, seq in db.execute(said)}


class Attack:
    """An attack in a process of its own, and what is measured meanwhile."""

    def __init__(self, what: str, where: dict[str, Any], floor: psutil.Process, lags: Lags) -> None:
        self.what, self._where, self._floor, self._lags = what, where, floor, lags
        self.found = Found()

    async def run(self, seconds: float, connects: Connects, meanwhile: Meanwhile) -> None:
        """Attack for `seconds`. `meanwhile` is done once in that time."""
        found, first = self.found, len(self._lags.ms)
        attack = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", __spec__.name, self.what, json.dumps(self._where)),
            str(seconds), cwd=ROOT, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        ending = asyncio.create_task(attack.wait())
        probes = [
            asyncio.create_task(signing_in.honest(self._where["page"], found.sign_in_ms)),
            asyncio.create_task(_again(connects, found.connect_ms)),
        ]
        await asyncio.sleep(seconds / 4)
        found.connect_ms += await meanwhile()
        while not ending.done():
            found.memory = max(found.memory, resident(self._floor))
            await asyncio.wait([ending, *probes], timeout=0.2, return_when=asyncio.FIRST_COMPLETED)
            for probe in probes:
                if probe.done():
                    probe.result()
        found.sent = (await attack.stdout.read()).decode().strip()
        for probe in probes:
            probe.cancel()
        await asyncio.gather(*probes, return_exceptions=True)
        found.row_ms = self._lags.ms[first:] + self._lags.waiting_ms()
        print(self.what, found.sent, found.told, file=sys.stderr, flush=True)


async def _again(connects: Connects, took_ms: list[float]) -> None:
    """Connect once a second until cancelled."""
    while True:
        took_ms.append(await connects())
        await asyncio.sleep(1)


async def _connects(address: BrokerAddress, table: SimulatedTable) -> float:
    """Connect a table, and return how long that took in milliseconds."""
    began = time.perf_counter()
    link = await _link(address, table)
    took = (time.perf_counter() - began) * 1e3
    link.close()
    return took


async def _together(address: BrokerAddress, others: list[SimulatedTable]) -> list[float]:
    """Connect all these tables, a few at a time, and leave them connected for a while."""
    turns, took = asyncio.Semaphore(25), list[float]()

    async def one(table: SimulatedTable) -> Any:
        async with turns:
            began = time.perf_counter()
            link = await _link(address, table)
            took.append((time.perf_counter() - began) * 1e3)
            return link

    links = await asyncio.gather(*map(one, others))
    await asyncio.sleep(1)
    assert not any(link.lost.done() for link in links)
    for link in links:
        link.close()
    return took


async def _link(address: BrokerAddress, table: SimulatedTable) -> Any:
    mine = structs.replace(address, username=table.account.user.name, password=table.account.secret)
    return await connect(mine, "x", None, lambda *_: None, lambda _: None)


# The attacks, each in a separate process


def _inside(where: dict[str, Any]) -> ssl.SSLSocket:
    """The connection of the table that attacks. Raises OSError while it is shut out."""
    tls = ssl._create_unverified_context()
    line = tls.wrap_socket(socket.create_connection(("127.0.0.1", where["port"]), timeout=20))
    name = where["name"]
    body = text("MQTT") + b"\x04\xc2\0\0" + text(name) + text(name) + text(where["secret"])
    line.sendall(packet(0x10, body))
    if line.recv(4)[3:4] != b"\0":
        line.close()
        raise ConnectionRefusedError
    return line


def _signins(where: dict[str, Any], until: float) -> str:
    return signing_in.invented(where["page"], until)


def _idle(where: dict[str, Any], until: float) -> str:
    """Attack: keep 8,300 connections to the tables' port open, and send nothing."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(2 * IDLE, hard), hard))
    lines, opened = deque[socket.socket](), 0
    while time.monotonic() < until:
        for _ in range(100):
            with suppress(OSError):
                lines.append(socket.create_connection(("127.0.0.1", where["port"]), timeout=2))
                opened += 1
        while len(lines) > IDLE:
            lines.popleft().close()
        time.sleep(0.02)
    return f"{opened:,} idle connections, {len(lines):,} at a time"


def _publishing(where: dict[str, Any], until: float, packets: Iterator[bytes]) -> tuple[int, int]:
    """Publish without end as the admitted table, which comes back whenever it was shut out.

    Return how many packets were sent, and how often the table was shut out.
    """
    sent = out = 0
    while time.monotonic() < until:
        with suppress(OSError):
            line = _inside(where)
            line.settimeout(20)
            while time.monotonic() < until:
                line.sendall(next(packets))
                sent += 1
            line.close()
        out += 1
        time.sleep(0.5)
    return sent, out


def _fill(where: dict[str, Any], until: float) -> str:
    """Attack: publish retained messages under ever new names."""
    at = _named(where)

    def packets() -> Iterator[bytes]:
        number = 0
        while True:
            number += 1
            yield packet(0x31, text(f"{at.root}/event/e{number}") + b"x" * 250_000)

    sent, out = _publishing(where, until, packets())
    return f"{sent:,} retained messages of 250,000 bytes by a table that came {out} times"


def _lies(where: dict[str, Any], until: float) -> str:
    """Attack: tell each row twice, and otherwise the second time; 200 rows a second."""
    at = _named(where)

    def packets() -> Iterator[bytes]:
        table = SimulatedTable(at, config.house(HOUSES[0]), 1)
        seen, began, number = 0, time.monotonic(), 0
        for moment in table._evening:
            table._take(moment)
            rows = table.memory.rows["public"]
            for row in rows[seen:]:
                said = event_message(row, at)
                assert said
                topic, true = text(said.topic), said.payload
                number += 1
                due = began + number / 200
                time.sleep(max(0.0, due - time.monotonic()))
                lie = true.replace(b'"data":{', b'"data":{"lie":1,')
                yield packet(0x30, topic + true) + packet(0x30, topic + lie)
            seen = len(rows)

    sent, out = _publishing(where, until, packets())
    return (
        f"{sent:,} rows that were told twice, otherwise the second time; shut out {out - 1} times"
    )


def _named(where: dict[str, Any]) -> TableId:
    _, site, table = where["name"].split("-", 2)
    return TableId(site, table)


ATTACKS = {"sign-ins": _signins, "idle": _idle, "fill": _fill, "lies": _lies}


def main(what: str, where: str, seconds: str) -> None:
    """Attack the floor for a while."""
    print(ATTACKS[what](json.loads(where), time.monotonic() + float(seconds)))


if __name__ == "__main__":
    main(*sys.argv[1:])
