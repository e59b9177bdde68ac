"""A live table: from a card's verdict to journal and board, start-up and memory, in one process."""

from __future__ import annotations

import asyncio
import os
import socket
import sqlite3
import statistics
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

from hardware import lamps
from table_controller.adapters.board import picture
from table_controller.commands import demo
from table_controller.commands.players import SimulatedLip
from table_controller.commands.players import people as simulated
from table_controller.engine.messages import Audience, CardSeen
from table_controller.service.sealing import make_key
from table_controller.wiring import config
from table_controller.wiring.app import Service

CARDS = 1000
STARTS = 4
PAUSE_S = 0.02
"""Between one input and the next: a table's come singly, though never fifty in a second."""


def rows() -> list[tuple[str, float, str, str]]:
    """Name, value, unit, budget or peer."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        bare = _bare_commits(folder)
        journal, board = asyncio.run(_evening(folder))
        ready, steady = _live(folder)
    limit = 2 * _p99(bare) + 3
    return [
        ("bare commit p50", statistics.median(bare), "ms", "the disk's own"),
        ("bare commit p99", _p99(bare), "ms", "the disk's own"),
        ("verdict to journal p50", statistics.median(journal), "ms", ""),
        ("verdict to journal p99", _p99(journal), "ms", f"< {limit:.2f} (2 x bare p99 + 3)"),
        ("verdict to board, acknowledged p50", statistics.median(board), "ms", ""),
        ("verdict to board, acknowledged p99", _p99(board), "ms", f"< {limit:.2f}"),
        ("start to ready, whole process", ready, "s", "< 1 (with 10,000 coups: see service)"),
        ("resident memory, page and embedded broker", steady, "MiB", "< 80 steady"),
    ]


def _p99(values: list[float]) -> float:
    return statistics.quantiles(values, n=100)[98]


def _bare_commits(folder: Path) -> list[float]:
    db = sqlite3.connect(folder / "bare.db", isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("CREATE TABLE rows (n INTEGER PRIMARY KEY, body BLOB)")
    took = []
    for _ in range(CARDS):
        began = time.perf_counter()
        db.execute("INSERT INTO rows (body) VALUES (?)", (bytes(400),))
        took.append((time.perf_counter() - began) * 1e3)
    db.close()
    return took


class Clock:
    """Notes when news were told: they are committed, and every output has been given them."""

    at = 0.0

    def tell(self, _told: object, _state: object) -> None:
        """Hear of news."""
        self.at = time.perf_counter()


async def _evening(folder: Path) -> tuple[list[float], list[float]]:
    """Play with the simulated lip; time each card to the journal and to the board's bytes."""
    plan = demo.plan(folder, config.house("zoppot-1934"), demo.Ports(0, 0), print)
    async with Service(plan) as service:
        table = service.table
        language = lamps.load()
        people = simulated(service.game, 1)
        lip, clock = SimulatedLip(1, table.state.house), Clock()
        table.listen(clock)
        for said in people.arrive(table.state):
            await table.ask(said)
        journal: list[float] = []
        board: list[float] = []
        while len(journal) < CARDS:
            said = people.say(table.state) or lip.next(people.progress(table.state))
            await asyncio.sleep(PAUSE_S)
            began = time.perf_counter()
            await table.ask(said)
            if isinstance(said, CardSeen):
                journal.append((clock.at - began) * 1e3)
                wanted = picture(service.hub.snapshot(Audience.PUBLIC), language)
                while service.board.status.shown != wanted:
                    await asyncio.sleep(0)
                board.append((time.perf_counter() - began) * 1e3)
    return journal, board


def _live(folder: Path) -> tuple[float, float]:
    """Serve a table as a process; seconds until its page answers, and its MiB with a page open."""
    key, settings = folder / "live.key", folder / "table.toml"
    make_key(key)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings.write_text(
        f'[journal]\npath = "{folder}/live.db"\nkey = "{key}"\n[board]\nport = "twin"\n'
        f"[broker]\nport = 0\n[page]\nport = {port}\n"
    )
    call = [sys.executable, "-m", "table_controller", "run", "--config", str(settings)]
    # An installed service has its byte code; the first of these starts writes it.
    compiled = {"PYTHONPYCACHEPREFIX": str(folder / "bytecode"), "PYTHONDONTWRITEBYTECODE": ""}
    starts = [_start(call, {**os.environ, **compiled}, port) for _ in range(STARTS)]
    return statistics.median(ready for ready, _ in starts[1:]), starts[-1][1]


def _start(call: list[str], env: dict[str, str], port: int) -> tuple[float, float]:
    """Seconds until the page of a new process answers, and its MiB once it was looked at."""
    began = time.perf_counter()
    process = subprocess.Popen(call, stderr=subprocess.DEVNULL, env=env)
    try:
        stream = _page(port)
        ready = time.perf_counter() - began
        for _ in range(50):
            _page(port).close()
        memory = psutil.Process(process.pid).memory_info().rss / 2**20
        stream.close()
    finally:
        process.terminate()
        process.wait()
    return ready, memory


def _page(port: int):
    """The croupier's page, once somebody serves it."""
    for _ in range(2000):
        try:
            return urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5)
        except OSError:
            time.sleep(0.005)
    raise TimeoutError("nobody serves the page")
