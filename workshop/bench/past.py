"""Measures what a page of 300 coups costs the table: presses while the page is made repeatedly.

One program serves the table and the page. The client that asks for the page is a separate program.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from table_controller.adapters.web.app import app
from table_controller.adapters.web.serve import Server
from table_controller.wiring.app import Service
from tests.engine import script
from tests.whole import past
from tests.whole.plans import paged

COUPS, PAGES, PAUSE_S = 300, 16, 0.01
#: Asks for a page many times, and prints its size and its best time in ms.
ASKS = """
import sys, time, urllib.request
url, count = sys.argv[1], int(sys.argv[2])
took = []
for _ in range(count):
    began = time.perf_counter()
    request = urllib.request.Request(url, headers={"Accept-Encoding": "gzip"})
    size = len(urllib.request.urlopen(request).read())
    took.append((time.perf_counter() - began) * 1e3)
print(size, min(took))
"""


def rows() -> list[tuple[str, float, str, str]]:
    """Measure. Return rows of name, value, unit, and the budget or a peer's value."""
    with TemporaryDirectory() as name:
        alone, asked, size, took = asyncio.run(_measure(Path(name)))
    return [
        (f"a page of {COUPS} coups, as sent", size / 1000, "kB", ""),
        (f"a page of {COUPS} coups, until it came", took, "ms", ""),
        ("press p50, nobody asks for it", statistics.median(alone), "ms", ""),
        ("press p50, while it is made", statistics.median(asked), "ms", ""),
        ("press p99, nobody asks for it", _p99(alone), "ms", ""),
        ("press p99, while it is made", _p99(asked), "ms", "< 50"),
        ("longest press, nobody asks for it", max(alone), "ms", ""),
        ("longest press, while it is made", max(asked), "ms", ""),
    ]


async def _measure(folder: Path) -> tuple[list[float], list[float], float, float]:
    """Time each press, first alone and then while the page is asked for. Return both lists, in ms.

    Also return the page's size in bytes and the time that it took.
    """
    evening = past.played("zoppot-1934", coups=COUPS)
    journal = past.kept(folder / "past.db", evening.house, evening.said)
    plan = paged(folder)
    async with Service(plan) as service:
        await service.table.ask(script.parse("seat 3 sits 1000000 Anna"))
        server = Server(app(service.hub, past=journal), port=0)
        await server.start()
        url = f"{server.url}/evenings/1"
        await _asked(url, 1)  # what only the first page costs
        alone = await _presses(service, asyncio.create_task(asyncio.sleep(5)))
        asking = asyncio.create_task(_asked(url, PAGES))
        asked = await _presses(service, asking)
        size, took = await asking
        await server.stop()
    return alone, asked, size, took


async def _asked(url: str, count: int) -> tuple[float, float]:
    run = await asyncio.create_subprocess_exec(
        sys.executable, "-c", ASKS, url, str(count), stdout=asyncio.subprocess.PIPE
    )
    told, _ = await run.communicate()
    size, took = map(float, told.split())
    return size, took


async def _presses(service: Service, until: asyncio.Task[object]) -> list[float]:
    took = []
    while not until.done():
        began = time.perf_counter()
        await asyncio.sleep(0)  # the loop's present work comes first, as before a real press
        await service.table.ask(script.parse("seat 3 tips 1"))
        took.append((time.perf_counter() - began) * 1e3)
        await asyncio.sleep(PAUSE_S)
    return took


def _p99(values: list[float]) -> float:
    return statistics.quantiles(values, n=100, method="inclusive")[98]


if __name__ == "__main__":
    for what, figure, unit, beside in rows():
        print(f"{what:50} {figure:10.1f} {unit:4} {beside}")
