"""Measures how much 500 screens that hardly read slow the table, compared with one such screen."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from table_controller.wiring.app import Service
from tests.engine import script
from tests.whole.plans import paged
from tests.whole.test_crowd import SLOW, slow_stream

ROUNDS, PRESSES, PAUSE_S = 5, 300, 0.002
BUDGET = "< 2"

#: 99 of 100 presses take no longer than this, in ms: by the clock, and of this program's CPU time.
P99 = tuple[float, float]


def rows() -> list[tuple[str, float, str, str]]:
    """Measure. Return rows of name, value, unit, and the budget or a peer's value."""
    with TemporaryDirectory() as name:
        rounds, served = asyncio.run(_rounds(Path(name)))
    wall, own = ([crowded[n] / alone[n] for alone, crowded in rounds] for n in (0, 1))
    alone, crowded = zip(*rounds, strict=True)
    return [
        ("slow screens served, of 500", min(served), "", "64 at least"),
        ("press p99, one slow screen", _median(alone, 0), "ms", ""),
        ("press p99, 500 of them", _median(crowded, 0), "ms", ""),
        ("of it the loop's own, one slow screen", _median(alone, 1), "ms", ""),
        ("of it the loop's own, 500 of them", _median(crowded, 1), "ms", ""),
        ("press p99, 500 to one, by the clock", statistics.median(wall), "x", BUDGET),
        ("press p99, 500 to one, the loop's own", statistics.median(own), "x", BUDGET),
    ]


def _median(values: tuple[P99, ...], which: int) -> float:
    return statistics.median(one[which] for one in values)


async def _rounds(folder: Path) -> tuple[list[tuple[P99, P99]], list[int]]:
    """Measure in each round the pace of presses, first with one screen and then with the crowd.

    Also return how many screens of the crowd were served in each round.
    """
    rounds, served = list[tuple[P99, P99]](), list[int]()
    async with Service(paged(folder)) as service:
        await service.table.ask(script.parse("seat 3 sits 1000000 Anna"))
        for _ in range(ROUNDS):
            async with _screens(service.url, 1):
                alone = await _pace(service)
            async with _screens(service.url, SLOW) as count:
                served.append(count)
                rounds.append((alone, await _pace(service)))
            while service.page_connections:  # they are gone when it has seen it
                await asyncio.sleep(0.05)
    return rounds, served


@asynccontextmanager
async def _screens(url: str, count: int) -> AsyncIterator[int]:
    """Keep `count` screens open meanwhile. Yield how many of them are served."""
    with ExitStack() as crowd:
        codes = []
        for _ in range(count):
            screen, code = await asyncio.to_thread(slow_stream, url)
            crowd.callback(screen.close)
            codes.append(code)
        yield codes.count(200)


async def _pace(service: Service) -> P99:
    wall, own = list[float](), list[float]()
    for _ in range(PRESSES):
        began, spent = time.perf_counter(), time.thread_time()
        await service.table.ask(script.parse("seat 3 tips 1"))
        wall.append((time.perf_counter() - began) * 1e3)
        own.append((time.thread_time() - spent) * 1e3)
        await asyncio.sleep(PAUSE_S)
    return _p99(wall), _p99(own)


def _p99(values: list[float]) -> float:
    return statistics.quantiles(values, n=100)[98]
