"""Measures a live table in one process: from a card's verdict to journal and board.

It also measures the start and the memory.
"""

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
from collections.abc import Awaitable, Callable
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import psutil

from table_controller.adapters.board import picture
from table_controller.commands import demo
from table_controller.commands.players import SimulatedLip
from table_controller.commands.players import seeded as simulated
from table_controller.engine.messages import Audience, CardSeen, DeviceLost, Input
from table_controller.service.sealing import make_key
from table_controller.wiring import config
from table_controller.wiring.app import Service

CARDS = 1000
STARTS = 4
HOUSE = config.house("zoppot-1934")
PAUSE_S = 0.02
"""Between one input and the next: a table's come singly, though never fifty in a second."""
SLOW_S, SLOW_COMMITS = 0.2, 100
VERY_SLOW_S = 1.2
"""A card amid its own housekeeping; the board goes dark when it hears nothing for 900 ms."""


def rows() -> list[tuple[str, float, str, str]]:
    """Measure. Return rows of name, value, unit, and the budget or a peer's value."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        took = asyncio.run(_evening(folder))
        slow = asyncio.run(_slow_disk(folder))
        ready, steady = _live(folder)
    limit = f"< {2 * p99(took.bare) + 3:.2f} (2 x bare p99 + 3)"
    return [
        ("bare commit p50", statistics.median(took.bare), "ms", "the disk's own"),
        ("bare commit p99", p99(took.bare), "ms", "the disk's own"),
        ("verdict to journal p50", statistics.median(took.journal), "ms", ""),
        ("verdict to journal p99", p99(took.journal), "ms", limit),
        ("verdict to board, bytes written p50", statistics.median(took.bytes), "ms", ""),
        ("verdict to board, bytes written p99", p99(took.bytes), "ms", limit),
        ("verdict to board, acknowledged p50", statistics.median(took.board), "ms", ""),
        ("verdict to board, acknowledged p99", p99(took.board), "ms", ""),
        *slow,
        ("start to ready, whole process", ready, "s", "< 1 (with 10,000 coups: see service)"),
        ("resident memory, page and embedded broker", steady, "MiB", "< 80 steady"),
    ]


def p99(values: list[float]) -> float:
    return statistics.quantiles(values, n=100)[98]


class Clock:
    """A listener that notes the time when it is called."""

    at = 0.0

    def tell(self, _told: object, _state: object) -> None:
        """Note the time."""
        self.at = time.perf_counter()


class Took(NamedTuple):
    """The measured times in ms. `bare` are the times of commits in plain SQLite, for comparison."""

    bare: list[float]
    journal: list[float]
    bytes: list[float]
    board: list[float]


def bare_commits(folder: Path) -> Callable[[], float]:
    """Return a function that makes one commit in plain SQLite and returns how long it took."""
    db = sqlite3.connect(folder / "bare.db", isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("CREATE TABLE rows (n INTEGER PRIMARY KEY, body BLOB)")

    def commit() -> float:
        began = time.perf_counter()
        db.execute("INSERT INTO rows (body) VALUES (?)", (bytes(400),))
        return (time.perf_counter() - began) * 1e3

    return commit


async def _evening(folder: Path) -> Took:
    """Play with the simulated lip. Time each card to the journal and to the board's bytes."""
    plan, commit = (
        demo.plan(folder, HOUSE, print, page_port=0, broker_port=0),
        bare_commits(folder),
    )
    async with Service(plan) as service:
        return await Evening(service).play(CARDS, commit)


class Evening:
    """Simulated people and a simulated lip at a table."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._people = simulated(service.game, 1)
        self._lip = SimulatedLip(1, service.table.state.house)
        self._language = config.lamp_language(HOUSE)
        self._committed, self._written = Clock(), Clock()
        # Before the listeners are called, and after the service, which writes the board's bytes.
        first, last = self._committed, self._written
        service.table._listeners = [first, service.out, last, service.outbox]
        self._seated = False

    async def play(self, cards: int, commit: Callable[[], float]) -> Took:
        """Play until `cards` cards have come. Time each card and, with `commit`, a plain commit."""
        table, people = self._service.table, self._people
        if not self._seated:
            self._seated = True
            for said in people.arrive(table.state):
                await table.ask(said)
        took = Took([], [], [], [])
        while len(took.board) < cards:
            said = people.say(table.state) or self._lip.next(people.progress(table.state))
            await asyncio.sleep(PAUSE_S)
            took.bare.append(commit())
            await asyncio.sleep(PAUSE_S)
            began = time.perf_counter()
            await table.ask(said)
            if isinstance(said, CardSeen):
                await self._shown(took, began)
        return took

    async def _shown(self, took: Took, began: float) -> None:
        service = self._service
        took.journal.append((self._committed.at - began) * 1e3)
        took.bytes.append((self._written.at - began) * 1e3)
        wanted = picture(service.hub.snapshot(Audience.PUBLIC), self._language)
        while service.board.status.shown != wanted:
            await asyncio.sleep(0)
        took.board.append((time.perf_counter() - began) * 1e3)


async def _slow_disk(folder: Path) -> list[tuple[str, float, str, str]]:
    """Make every commit as slow as on a bad SD card. Measure the delay at page and board."""
    (folder / "slow").mkdir()
    plan = demo.plan(folder / "slow", HOUSE, print, page_port=0, broker_port=0)
    async with Service(plan) as service:
        table = service.table
        for said in simulated(service.game, 1).arrive(table.state):
            await table.ask(said)
        while not service.board.status.shown:
            await asyncio.sleep(0.01)
        write, slow = service.journal._write, [SLOW_S]

        def slowly(batch: object) -> None:
            time.sleep(slow[0])
            write(batch)

        service.journal._write = slowly
        page = service.url + "/"
        idle, looks, streams, presses = [], [], [], []
        for n in range(SLOW_COMMITS):
            idle.append(await _timed(asyncio.to_thread(_get, page)))
            pressing = asyncio.create_task(_timed(table.ask(_note(n))))
            looks.append(await _timed(asyncio.to_thread(_get, page)))
            streams.append(await _timed(asyncio.to_thread(_first_part, page + "live")))
            presses.append(await pressing)
        slow[0] = VERY_SLOW_S
        silence = await _silence(service, asyncio.create_task(table.ask(_note(0))))
    name = f"commits of {SLOW_S * 1e3:.0f} ms"
    return [
        ("no commit: GET p99", p99(idle), "ms", "peer"),
        (f"{name}: GET p50", statistics.median(looks), "ms", ""),
        (f"{name}: GET p99", p99(looks), "ms", "< 100"),
        (f"{name}: a stream's first part p99", p99(streams), "ms", "< 100"),
        (f"{name}: a press p50", statistics.median(presses), "ms", "waits for its commit"),
        (f"a commit of {VERY_SLOW_S} s: the board's longest silence", silence, "ms", "< 900"),
    ]


def _note(n: int) -> Input:
    """An input that the table always accepts: the report that some unknown device was lost."""
    return DeviceLost(actor="watch", device="bench", why=f"look {n}")


async def _timed(what: Awaitable[object]) -> float:
    began = time.perf_counter()
    await what
    return (time.perf_counter() - began) * 1e3


def _get(url: str) -> None:
    with urllib.request.urlopen(url, timeout=5) as page:
        page.read()


def _first_part(url: str) -> None:
    with urllib.request.urlopen(url, timeout=5) as stream:
        while not stream.readline().startswith(b"data: {"):
            pass


async def _silence(service: Service, commit: asyncio.Task[object]) -> float:
    """The longest time (ms) in which the board's twin received nothing during `commit`."""
    heard = [service.board.twin.board._heard_ms]
    while not commit.done():
        await asyncio.sleep(0.005)
        heard.append(service.board.twin.board._heard_ms)
    return max(after - before for before, after in pairwise(heard))


def _live(folder: Path) -> tuple[float, float]:
    """Serve a table as a process. Return the seconds until its page answers, and its memory.

    The memory is in MiB, with a page open.
    """
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
    # An installed service has byte code. The first of these starts writes the byte code.
    compiled = {"PYTHONPYCACHEPREFIX": str(folder / "bytecode"), "PYTHONDONTWRITEBYTECODE": ""}
    starts = [_start(call, {**os.environ, **compiled}, port) for _ in range(STARTS)]
    return statistics.median(ready for ready, _ in starts[1:]), starts[-1][1]


def _start(call: list[str], env: dict[str, str], port: int) -> tuple[float, float]:
    """Start a process. Return the seconds until its page answers, and its MiB with a page open."""
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
    """Wait for the croupier's page to be served, and return the page."""
    for _ in range(2000):
        try:
            return urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5)
        except OSError:
            time.sleep(0.005)
    raise TimeoutError("nobody serves the page")
