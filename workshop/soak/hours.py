"""Days at one table: the whole program in a separate process, with screens and subscribers.

A table-hour is 40 coups, as many as people play in an hour; here nobody waits. The process has the
unit's limits: 1,024 file handles and 512 MiB. From the 24th of 72 hours on, its memory, handles and
queues are compared.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import resource
import sys
import urllib.request
from collections.abc import AsyncIterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psutil

from firmware_bridge.port import TWIN
from table_controller.adapters.mqtt_names import TableId
from table_controller.commands import players
from table_controller.service.game import settled
from table_controller.service.sealing import make_key
from table_controller.wiring import config
from table_controller.wiring.app import Plan, Service
from table_controller.wiring.config import BrokerSettings, PageSettings
from tests.brokers import Mosquitto, Observer

HOURS, SETTLED_HOURS, COUPS = 72, 24, 40
HANDLES, MEMORY = 1024, 512 << 20
SEED = 14
TABLE = TableId("soak", "hours")
ROOT = Path(__file__).parents[2]


def run(share: float) -> list[tuple[str, str]]:
    """Return rows of name and finding. A share of 1.0 is the whole."""
    hours = max(3, round(HOURS * share))
    with TemporaryDirectory(prefix="schlitten-soak-") as name:
        broker = Mosquitto(Path(name))
        broker.start()
        try:
            told = asyncio.run(_watch(Path(name), hours, broker.port))
        finally:
            broker.stop()
    first, last = told[max(1, hours * SETTLED_HOURS // HOURS) - 1], told[-1]
    after = told[told.index(first) :]
    return [
        ("table-hours, of 40 coups each", str(hours)),
        ("inputs taken", f"{last['inputs']:,}"),
        ("public events heard by each of two subscribers", f"{last['heard']:,}"),
        ("pictures sent to two screens", f"{last['painted']:,}"),
        (f"memory after hour {first['hour']}", f"{first['memory'] / 2**20:.2f} MiB"),
        (f"memory after hour {last['hour']}", f"{last['memory'] / 2**20:.2f} MiB"),
        ("growth between", f"{(last['memory'] - first['memory']) / 2**20:+.2f} MiB"),
        ("the most memory", f"{max(one['memory'] for one in told) / 2**20:.1f} MiB"),
        *(
            (f"{what}, fewest and most", f"{min(seen)} to {max(seen)}")
            for what in ("handles", "threads", "tasks", "inbox", "outbox")
            for seen in [[one[what] for one in after]]
        ),
    ]


async def _watch(folder: Path, hours: int, port: int) -> list[dict[str, Any]]:
    """Serve the table in a process, look at it as people do, and note each hour's figures."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "workshop.soak.hours", str(folder), str(hours), str(port)),
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    told: list[dict[str, Any]] = []
    try:
        where = json.loads(await process.stdout.readline())
        screens = [asyncio.create_task(_look(where["url"], path)) for path in PAINTED]
        ear = f"{TABLE.root}/event/#"
        async with Observer(port, ear) as one, Observer(port, ear) as two:
            process.stdin.write(b"begin\n")
            async for line in process.stdout:
                meter, noted = psutil.Process(process.pid), json.loads(line)
                while min(len(one.heard), len(two.heard)) < noted["public"]:
                    await asyncio.sleep(0.1)
                noted |= {
                    "memory": meter.memory_info().rss,
                    "handles": meter.num_fds(),
                    "threads": meter.num_threads(),
                    "heard": len(one.heard),
                    "painted": sum(PAINTED.values()),
                }
                for path in ("/", "/public", "/glossary"):  # somebody opens a page, and leaves
                    await asyncio.to_thread(_open, where["url"] + path)
                told.append(noted)
                print(f"hour {noted['hour']}: {noted}", file=sys.stderr, flush=True)
                process.stdin.write(b"go on\n")
        for screen in screens:
            screen.cancel()
        await asyncio.gather(*screens, return_exceptions=True)
        assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
    return told


PAINTED = {"/live": 0, "/public/live": 0}


async def _look(url: str, path: str) -> None:
    """Act as a screen that stays open, and count the pictures that arrive."""
    host, port = url.removeprefix("http://").split(":")
    lines, words = await asyncio.open_connection(host, int(port), limit=1 << 20)
    words.write(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
    async for line in lines:
        PAINTED[path] += line.startswith(b"data:")


def _open(url: str) -> None:
    with urllib.request.urlopen(url, timeout=60) as page:
        page.read()


async def _serve(folder: Path, hours: int, port: int) -> None:
    """Serve the table in this process.

    Print one line when the table serves, and one after each hour.
    """
    house = config.house("zoppot-1934")
    plan = Plan(
        table=TABLE,
        house=house,
        keys=make_key(folder / "table.key"),
        journal=folder / "table.db",
        board=TWIN,
        broker=BrokerSettings(kind="mqtt", port=port),
        page=PageSettings(port=0),
    )
    counted = _Counted()
    async with Service(plan) as service, _words() as words:
        service.table.listen(counted)
        _tell(url=service.url)
        await words.readline()
        people = players.seeded(service.game, SEED)
        lip = players.SimulatedLip(SEED, house)
        for said in people.arrive(service.table.state):
            await service.table.ask(said)
        for hour in range(1, hours + 1):
            while counted.coups < hour * COUPS:
                table = service.table.state
                said = people.say(table) or lip.next(people.progress(table))
                await service.table.ask(said)
                counted.inputs += 1
            await service.publisher.told()
            _tell(
                hour=hour, inputs=counted.inputs, public=counted.public,
                tasks=len(asyncio.all_tasks()), inbox=service.table.waiting,
                outbox=len(service.outbox.pending(1000)),
            )  # fmt: skip
            await words.readline()


class _Counted:
    """A listener that counts settled coups, inputs and public rows."""

    coups = inputs = public = 0

    def tell(self, told: Any, _state: object) -> None:
        self.coups += settled(event for event, _ in told)
        self.public += sum(row.audience == "public" for _, row in told)


def _tell(**facts: object) -> None:
    print(json.dumps(facts), flush=True)


@contextlib.asynccontextmanager
async def _words() -> AsyncIterator[asyncio.StreamReader]:
    """Yield a reader of the lines that the watching process sends."""
    reader = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    pipe, _ = await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, sys.stdin)
    yield reader
    pipe.close()


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_NOFILE, (HANDLES, HANDLES))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    asyncio.run(_serve(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
