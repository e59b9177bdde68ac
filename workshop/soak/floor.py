"""Kills servers of a floor while its tables play. The floor must have every event once.

This applies to the events of both audiences. There are two kinds of floor: one uses Mosquitto and
SQLite on one machine, the other three nodes of nats-server and PostgreSQL, as on several machines.
Two floors run, and one of them leads. These are killed at random, by kill -9: a broker's node, the
node that leads the tables' stream, either floor, the database. With `erase`, all nodes are killed
together, and their files are removed.
"""

from __future__ import annotations

import asyncio
import json
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import psutil
import sqlalchemy as sa

from table_controller.adapters.mosquitto import proof
from table_controller.adapters.mqtt_link import BrokerAddress
from table_controller.commands.floor.trial import HOUSES, Hall, caught_up, compared
from table_controller.floor.certificates import ready
from table_controller.floor.check import check
from table_controller.floor.schema import cursors, events, faults, tables
from table_controller.floor.store import Store
from table_controller.wiring import config
from tests.brokers import free_port
from tests.databases import Postgres
from tests.floor.admitting import admit
from tests.limits import LONG_PATIENCE_S
from workshop.nats import HOSTS, Cluster

KILLS: Final = 100
TABLES: Final = 20
#: How many times faster than people, so that a hundred deaths happen during play.
SPEED: Final = 5.0
SEED: Final = 16
#: How long the tables play between two deaths, and how long a dead server is away, at most.
PLAYS_S: Final = 3.0
AWAY_S: Final = 2.0


def run(
    share: float, *, erase: bool = False, kinds: Sequence[str] = (), seed: int = SEED
) -> list[tuple[str, str]]:
    """Report for each kind of floor the deaths and the events after them. Raises AssertionError."""
    deaths = max(1, round(KILLS * share))
    rows = []
    for kind in (OneBox, Several):
        if kinds and kind.NAME not in kinds:
            continue
        luck = random.Random(seed)
        with TemporaryDirectory(prefix="soak-floor-", ignore_cleanup_errors=True) as folder:
            found = asyncio.run(_evening(kind, Path(folder), deaths, luck, erase=erase))
        about = "with all that the brokers keep" if erase and kind is Several else "servers alone"
        rows.append((f"{kind.NAME}, killed", f"{deaths}, seed {seed}, {about}"))
        rows += [(f"{kind.NAME}, {what}", f"{told:,}") for what, told in found]
    return rows


class Process:
    """`schlitten floor run` as a process, which is started again when it was killed."""

    def __init__(self, folder: Path, number: int, port: int) -> None:
        self._out = folder / f"floor-{number}.out"
        self._call = (
            *(
                "setpriv",
                "--pdeathsig",
                "KILL",
                "--",
                sys.executable,
                "-m",
                "table_controller",
                "floor",
                "run",
                "--json",
            ),
            *("--folder", str(folder), "--port", str(port), "--page-port", "0"),
        )
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the process, unless it runs already."""
        if self._process and self._process.poll() is None:
            return
        if self._process and self._process.returncode != -signal.SIGKILL:
            # a floor that starts while the database is away reports that, ends, and is restarted
            assert "cannot be opened" in self.said, self.said
        with self._out.open("ab") as out:
            self._process = subprocess.Popen(self._call, stdout=out, stderr=out)

    @property
    def said(self) -> str:
        """Everything that the process printed."""
        return self._out.read_text() if self._out.exists() else ""

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def leads(self) -> bool:
        """Whether this process is the one that serves the page."""
        return self.said.rfind('"page"') > self.said.rfind("stands by")

    def kill(self) -> None:
        """Kill the process as kill -9 does."""
        if self._process:
            self._process.kill()
            self._process.wait()


class OneBox:
    """One machine. The floor that leads starts Mosquitto as its child."""

    NAME = "one-box"
    WAYS = ("broker", "floor that leads", "floor that stands by")

    def __init__(self, folder: Path, hall: Hall) -> None:
        self.port = free_port()
        self.url = f"sqlite:///{folder / 'floor.db'}"
        root = ready(folder, ("127.0.0.1",)).root
        self.address = BrokerAddress(port=self.port, ca=root)
        self.store = Store(self.url)
        for table in hall.tables:
            admit(self.store, table.at, proof(table.account.secret))

    def die(self, _way: str, _luck: random.Random, floors: list[Process]) -> None:
        """Kill the broker."""
        for floor in floors:
            for child in psutil.Process(floor.pid).children():
                if child.name() == "mosquitto":
                    child.kill()

    def come(self) -> None:
        """Do nothing, since the floor starts its broker itself."""

    def stop(self) -> None:
        self.store.close()


class Several:
    """Three nodes and PostgreSQL, as on several machines."""

    NAME = "cluster"
    WAYS = (
        "broker", "broker that leads", "two brokers", "database",
        "floor that leads", "floor that stands by",
    )  # fmt: skip

    def __init__(self, folder: Path, hall: Hall) -> None:
        self.cluster = Cluster(folder / "nats", hall.accounts, "the floor's own")
        self.database = Postgres(durable=True)
        self.url, self.port = self.database.url(), free_port()
        self.address = self.cluster.tables
        secret = folder / "secret"
        secret.touch(0o600)
        secret.write_text("the floor's own")
        hosts = json.dumps(HOSTS)
        (folder / "floor.toml").write_text(
            f'[database]\nurl = "{self.url}"\n[broker]\nhosts = {hosts}\n'
            f'port = {self.cluster.port}\npassword = "{secret}"\n'
        )
        self.store = Store(self.url)

    def die(self, way: str, luck: random.Random, _floors: list[Process]) -> None:
        """Kill a node, the node that leads, all nodes with their files, or the database."""
        match way:
            case "broker":
                self.cluster.kill(luck.randrange(len(HOSTS)))
            case "two brokers":
                for number in luck.sample(range(len(HOSTS)), 2):
                    self.cluster.kill(number)
            case "broker that leads":
                self.cluster.kill(self.cluster.leader())
            case "all brokers, erased":
                self.cluster.erase()
            case "database":
                self.database.kill()

    def come(self) -> None:
        """Start again what was killed."""
        self.cluster.begin()
        if not self.database.serves:
            self.database.start()

    def stop(self) -> None:
        self.store.close()
        self.cluster.stop()
        self.database.stop()


Kind = type[OneBox] | type[Several]


async def _evening(
    kind: Kind, folder: Path, deaths: int, luck: random.Random, *, erase: bool
) -> list[tuple[str, Any]]:
    """Let tables play while servers die `deaths` times. Compare what the floor has."""
    hall = Hall(TABLES, [config.house(name) for name in HOUSES])
    ways = Counter[str]()
    house = kind(folder, hall)
    floors = [Process(folder, number, house.port) for number in (1, 2)]
    kinds = (*kind.WAYS, *(("all brokers, erased",) if erase and kind is Several else ()))
    try:
        _come(house, floors)
        await _led(floors)
        await hall.begin(house.address, SPEED)
        for number in range(deaths):
            if number % 10 == 0:
                print(f"{kind.NAME}: {number} of {deaths} deaths", file=sys.stderr, flush=True)
            await asyncio.sleep(luck.uniform(0, PLAYS_S))
            way = luck.choice(kinds)
            ways[await asyncio.to_thread(_die, house, floors, way, luck)] += 1
            await asyncio.sleep(luck.uniform(0, AWAY_S))
            await asyncio.to_thread(_come, house, floors)
        await hall.stop_playing()
        await _settled(house.store, hall)
        found = await asyncio.to_thread(_compared, house.store, hall)
        await hall.leave()
        assert not any("Traceback" in floor.said for floor in floors)
    finally:
        for floor in floors:
            floor.kill()
        house.stop()
    return [*((f"killed, {way}", count) for way, count in sorted(ways.items())), *found]


def _die(house: OneBox | Several, floors: list[Process], way: str, luck: random.Random) -> str:
    """Kill one of the servers or floors. Return which."""
    if not way.startswith("floor"):
        house.die(way, luck, floors)
        return way
    leads = way == "floor that leads"
    ((floor, *_),) = [[one for one in floors if one.leads == leads] or floors]
    floor.kill()
    return way


def _come(house: OneBox | Several, floors: list[Process]) -> None:
    house.come()
    for floor in floors:
        floor.start()


async def _led(floors: list[Process]) -> None:
    """Wait until one of the floors leads."""
    async with asyncio.timeout(LONG_PATIENCE_S):
        while not any(floor.leads for floor in floors):
            await asyncio.sleep(0.1)


async def _settled(store: Store, hall: Hall) -> None:
    """Wait until the floor has all events. Raises AssertionError, which says what is missing."""
    until = time.monotonic() + LONG_PATIENCE_S
    while not await asyncio.to_thread(caught_up, store, hall):
        assert time.monotonic() < until, _lacking(store, hall)
        await asyncio.sleep(0.5)


def _lacking(store: Store, hall: Hall) -> str:
    """Name the tables and audiences of which the floor lacks rows, with the numbers of rows.

    Also say how many rows of each named table the broker has not acknowledged.
    """
    said = sa.select(tables.c.name, cursors.c.audience, cursors.c.seq)
    with store.read() as db:
        rows = db.execute(said.join(tables, tables.c.id == cursors.c.table_id)).all()
    had = {(name, who): seq for name, who, seq in rows}
    return "; ".join(
        f"{one.at.table}, {who}: {had.get((one.at.table, who), 0)} of {len(rows)}, "
        f"{len(one.memory.pending(10**6))} not yet acknowledged"
        for one in hall.tables
        for who, rows in one.memory.rows.items()
        if had.get((one.at.table, who), 0) != len(rows)
    )


def _faults(store: Store) -> list[str]:
    """Return the tables' faults that the floor noted, each with its table's name."""
    said = sa.select(tables.c.name, faults.c.code, faults.c.why).join_from(faults, tables)
    with store.read() as db:
        return [": ".join(row) for row in db.execute(said)]


def _compared(store: Store, hall: Hall) -> list[tuple[str, Any]]:
    """Compare the floor's events with the tables' events. Raises AssertionError."""
    found = compared(store, hall)
    assert found["told"] == found["stored"], found
    assert (found["duplicates"], _faults(store)) == (0, []), found
    assert found["heads"] == len(hall.tables), found
    assert not [str(one) for one in check(store) if one.fault]
    with store.read() as db:
        said = sa.select(events.c.audience, sa.func.count()).where(~events.c.void)
        of = dict(map(tuple, db.execute(said.group_by(events.c.audience))))
    for who in ("public", "croupier"):
        assert of[who] == sum(len(table.memory.rows[who]) for table in hall.tables)
    return [
        ("coups played meanwhile", found["coups"]),
        ("events told, all stored, each once", found["told"]),
        ("... of them for the public", of["public"]),
        ("... for the staff", of["croupier"]),
        (f"tables whose chains are the same, of {len(hall.tables)}", found["heads"]),
    ]
