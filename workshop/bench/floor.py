"""Measures the time from a commit at a table to the floor's page, by both kinds of broker.

It also measures what a floor costs its tables. The tables play in this process; the floor is
another process, as in use. A table sends its picture once a second at most, and the page of all
tables is drawn once a second. So most of the measured time is spent waiting for the next picture
and the next drawing.
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import statistics
import sys
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import psutil
import sqlalchemy as sa

from table_controller.adapters.mosquitto import proof
from table_controller.adapters.mqtt_link import BrokerAddress
from table_controller.commands import demo
from table_controller.commands.floor.runs import more_files
from table_controller.commands.floor.trial import HOUSES, Hall, SimulatedTable
from table_controller.engine.messages import Audience
from table_controller.floor.certificates import ready
from table_controller.floor.schema import cursors
from table_controller.floor.store import Store
from table_controller.wiring import config
from table_controller.wiring.app import Service
from table_controller.wiring.config import BrokerSettings
from tests.brokers import free_port
from tests.databases import Postgres
from tests.floor.admitting import admit
from tests.limits import LONG_PATIENCE_S
from workshop.bench.live import HOUSE, Evening, bare_commits, p99
from workshop.nats import HOSTS, Cluster

COUNTS: Final = (100, 1000)
#: How long each hundred tables play before the measurement, and how long the measurement takes.
JOIN_S: Final = 4.0
PLAY_S: Final = 60.0
#: How many tables are followed on the page.
FOLLOWED: Final = 30
#: The numbers of cards: in a table's journal at first, in each state of the floor, and while the
#: floor asks for missing rows, which takes a few seconds. Then the number of rounds.
BEFORE: Final = 400
CARDS: Final = 60
REFILLING: Final = 40
ROUNDS: Final = 4
_TILE: Final = re.compile(
    r'data-key="hall-(table-\d+)" class="tile.*?class="coup">Coup (\d+)', re.DOTALL
)

Figure = tuple[str, float, str, str]


def rows(counts: Sequence[int] = COUNTS) -> list[Figure]:
    """Name, value, unit, budget or peer, with so many tables in turn."""
    more_files(8192)
    figures = []
    for count in counts:
        for kind in (OneBox, Several):
            with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
                figures += asyncio.run(_to_page(kind, Path(folder), count))
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        figures += asyncio.run(_to_board(Path(folder)))
    return figures


class OneBox:
    """A floor on one machine: Mosquitto as the floor's child, and SQLite."""

    NAME = "Mosquitto, SQLite"

    def __init__(self, folder: Path, hall: Hall) -> None:
        self.port = free_port()
        root = ready(folder, ("127.0.0.1",)).root
        self.address = BrokerAddress(port=self.port, ca=root)
        store = Store(f"sqlite:///{folder / 'floor.db'}")
        for table in hall.tables:
            admit(store, table.at, proof(table.account.secret))
        store.close()

    def stop(self) -> None:
        """Do nothing, since the broker ends with the floor."""


class Several:
    """A floor with three nodes of nats-server and PostgreSQL, all on this machine.

    The nodes and the database write to disk at every commit.
    """

    NAME = "NATS R3, PostgreSQL"

    def __init__(self, folder: Path, hall: Hall) -> None:
        self.port, self.database = free_port(), Postgres(durable=True)
        self.cluster = Cluster(folder / "nats", hall.accounts, "secret")
        self.address = self.cluster.tables
        secret = folder / "secret"
        secret.touch(0o600)
        secret.write_text("secret")
        (folder / "floor.toml").write_text(
            f'[database]\nurl = "{self.database.url()}"\n[broker]\nhosts = {json.dumps(HOSTS)}\n'
            f'port = {self.cluster.port}\npassword = "{secret}"\n'
        )

    def stop(self) -> None:
        self.cluster.stop()
        self.database.stop()


@asynccontextmanager
async def served(folder: Path, port: int) -> AsyncIterator[tuple[str, psutil.Process]]:
    """Run a floor as a process. Yield its page's address, once served, and the process."""
    call = (
        *("setpriv", "--pdeathsig", "KILL", "--", sys.executable, "-m", "table_controller"),
        *("floor", "run", "--json", "--folder", str(folder), "--port", str(port)),
        *("--page-port", "0"),
    )
    with (folder / "floor.log").open("ab") as log:
        child = await asyncio.create_subprocess_exec(*call, stdout=PIPE, stderr=log)
    try:
        said = json.loads(await child.stdout.readline())
        yield said["page"].rstrip("/"), psutil.Process(child.pid)
    finally:
        child.kill()
        await child.wait()


async def _to_page(kind: type[OneBox | Several], folder: Path, count: int) -> list[Figure]:
    """Measure the time from commits to the page, for some of `count` tables."""
    hall = Hall(count, [config.house(name) for name in HOUSES])
    house = kind(folder, hall)
    followed = [Followed(table) for table in hall.tables[:: max(1, count // FOLLOWED)]]
    try:
        async with served(folder, house.port) as (url, floor):
            await hall.begin(house.address, 1.0)
            await asyncio.sleep(JOIN_S * count / 100)
            shown = asyncio.create_task(_watch(url, {one.name: one for one in followed}))
            began, spent = time.monotonic(), sum(floor.cpu_times()[:2])
            await asyncio.sleep(PLAY_S)
            share = (sum(floor.cpu_times()[:2]) - spent) / (time.monotonic() - began)
            memory = floor.memory_info().rss / 2**20
            shown.cancel()
            await asyncio.wait([shown])
            await hall.stop_playing()
            await hall.leave()
    finally:
        house.stop()
    took = [one for table in followed for one in table.took]
    assert took, f"{count:,} tables, {kind.NAME}: the page showed no coup of {len(followed)} tables"
    name = f"{count:,} tables, {kind.NAME}"
    return [
        (f"{name}: commit to the page, p50", statistics.median(took), "ms", f"of {len(took)}"),
        (f"{name}: commit to the page, p99", p99(took), "ms", ""),
        (f"{name}: the floor's share of a core", share, "", ""),
        (f"{name}: the floor, resident", memory, "MiB", ""),
    ]


class Followed:
    """A table, and the times of its coups: each from its commit until the page shows it."""

    def __init__(self, table: SimulatedTable) -> None:
        self.name, self.took = table.at.table, list[float]()
        self._committed: dict[int, float] = {}
        take, game = table._take, table._game
        seen = [0]

        def noted(moment: Any) -> None:
            take(moment)
            coup = game.snapshot(moment.table, Audience.PUBLIC).coup
            if coup != seen[0]:
                seen[0] = coup
                self._committed[coup] = time.perf_counter()

        table._take = noted

    def shown(self, coup: int, at: float) -> None:
        """Note that the page shows this coup.

        A coup that the page had shown already does not count.
        """
        if (since := self._committed.pop(coup, None)) is not None:
            self.took.append((at - since) * 1e3)

    def forget(self) -> None:
        """Forget the coups that were committed before the page was watched."""
        self._committed.clear()


async def _watch(url: str, followed: dict[str, Followed]) -> None:
    """Read the page of all tables as a browser does."""
    host, port = url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port), limit=2**26)
    writer.write(f"GET /live HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
    await reader.readuntil(b"\r\n\r\n")
    first = True
    with suppress(asyncio.CancelledError):
        while line := await reader.readline():
            if not line.startswith(b"data: {"):
                continue
            at = time.perf_counter()
            if first:
                first = False
                for one in followed.values():
                    one.forget()
                continue
            for part in json.loads(line[6:]).values():
                for name, coup in _TILE.findall(part):
                    if name in followed:
                        followed[name].shown(int(coup), at)
    writer.close()


# What a floor costs its tables


async def _to_board(folder: Path) -> list[Figure]:
    """Measure how long cards of one table take to reach its board, with the floor in three states.

    The floor is up, is dead, or is asking the table's journal for its rows. The states alternate.
    """
    port, secret = free_port(), "a table's secret"
    root = ready(folder, ("127.0.0.1",)).root
    plan = demo.plan(folder, HOUSE, print, page_port=0, broker_port=0)
    name = plan.accounts[0].user.name
    plan = replace(
        plan,
        broker=BrokerSettings(kind="mqtt", port=port),
        address=BrokerAddress(port=port, username=name, password=secret, ca=root),
        accounts=(),
    )
    took: dict[str, list[float]] = {"up": [], "dead": [], "refilling": []}
    commit = bare_commits(folder)
    async with Service(plan) as service:
        evening = Evening(service)
        await evening.play(BEFORE, commit)
        for number in range(ROUNDS):
            took["dead"] += (await evening.play(CARDS, commit)).bytes
            place = folder / f"floor-{number}"
            place.mkdir()
            _give_authority(folder, place)
            store = Store(f"sqlite:///{place / 'floor.db'}")
            admit(store, plan.table, proof(secret))
            store.close()
            async with served(place, port):
                await _told(service)
                took["refilling"] += (await evening.play(REFILLING, commit)).bytes
                await _whole(place, service)
                took["up"] += (await evening.play(CARDS, commit)).bytes
    figures: list[Figure] = []
    for state, found in took.items():
        figures += [
            (f"card to board, the floor {state}, p50", statistics.median(found), "ms", ""),
            (f"card to board, the floor {state}, p99", p99(found), "ms", ""),
        ]
    return figures


def _give_authority(folder: Path, place: Path) -> None:
    """Give a floor the certificate authority that its table already trusts."""
    for name in ("floor-root.pem", "floor-root.key", "floor.pem"):
        shutil.copy2(folder / name, place)


async def _told(service: Service) -> None:
    """Wait until the table is connected to the floor's broker."""
    async with asyncio.timeout(LONG_PATIENCE_S):
        await service.publisher.told()


async def _whole(place: Path, service: Service) -> None:
    """Wait until the floor has all public events of the table's journal."""
    store = Store(f"sqlite:///{place / 'floor.db'}")
    wanted = service.journal.archive.head().seqs[Audience.PUBLIC]
    async with asyncio.timeout(LONG_PATIENCE_S):
        while await asyncio.to_thread(_kept, store) < wanted:
            await asyncio.sleep(0.1)
    store.close()


def _kept(store: Store) -> int:
    with store.read() as db:
        said = sa.select(sa.func.max(cursors.c.seq)).where(cursors.c.audience == "public")
        return int(db.scalar(said) or 0)
