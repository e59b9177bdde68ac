"""What 500 screens that hardly read cost a table, in rounds that alternate with one such screen."""

from __future__ import annotations

import asyncio
import socket
import statistics
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from table_controller.adapters.mqtt_names import TableId
from table_controller.service.sealing import make_key
from table_controller.wiring.app import Service
from table_controller.wiring.config import PageSettings, house
from table_controller.wiring.plan import Plan
from tests.engine import script
from tests.whole.test_crowd import SLOW, slow_stream

ROUNDS, PRESSES, PAUSE_S = 5, 300, 0.002
BUDGET = "< 2"

#: 99 of 100 presses take no longer: by the clock, and of this program's own time, in ms.
P99 = tuple[float, float]


def rows() -> list[tuple[str, float, str, str]]:
    """Name, value, unit, budget or peer."""
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
    """Of each round, the pace alone and crowded; and how many of the crowd were served."""
    plan = Plan(
        table=TableId("bench", "crowd"),
        house=house("zoppot-1934"),
        keys=make_key(folder / "table.key"),
        journal=folder / "table.db",
        page=PageSettings(port=0),
    )
    rounds, served = list[tuple[P99, P99]](), list[int]()
    async with Service(plan) as service:
        await service.table.ask(script.parse("seat 3 sits 1000000 Anna"))
        for _ in range(ROUNDS):
            with await asyncio.to_thread(_screens, service.url, 1):
                alone = await _pace(service)
            crowd = await asyncio.to_thread(_screens, service.url, SLOW)
            with crowd as count:
                served.append(count)
                rounds.append((alone, await _pace(service)))
            while service.page_connections:  # they are gone when it has seen it
                await asyncio.sleep(0.05)
    return rounds, served


class Closing:
    """Screens that are closed together; entered, how many were served."""

    def __init__(self, screens: list[tuple[socket.socket, int | None]]) -> None:
        self._screens = screens

    def __enter__(self) -> int:
        return sum(code == 200 for _, code in self._screens)

    def __exit__(self, *_: object) -> None:
        for screen, _ in self._screens:
            screen.close()


def _screens(url: str, count: int) -> Closing:
    return Closing([slow_stream(url) for _ in range(count)])


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
