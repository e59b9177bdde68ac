"""Measures reports and search on a floor, and what open reports cost the tables meanwhile.

First an evening: tables play at a floor that has the coups of a whole day, while twelve people ask
for `/reports` without a pause. Then a month of three hundred tables, of which only the records are
made.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import httpx
import sqlalchemy as sa

from table_controller.adapters.mqtt_link import BrokerAddress
from table_controller.adapters.mqtt_names import TableId
from table_controller.commands.floor.page import paged, reader
from table_controller.commands.floor.runs import more_files
from table_controller.commands.floor.trial import HOUSES, Hall, Lags, SimulatedTable
from table_controller.engine.messages import Audience
from table_controller.floor import projections as p
from table_controller.floor.figures import HOUR_MS
from table_controller.floor.floor import Floor, database
from table_controller.floor.past import FloorPast, Wanted
from table_controller.floor.reports import REPORTS, Period, made, ready
from table_controller.floor.schema import PROJECTED, houses, notices, tables
from table_controller.floor.store import Store
from table_controller.wiring import config
from table_controller.wiring.plan import now_ms
from tests.limits import LONG_PATIENCE_S
from workshop.bench.live import p99

#: The evening: tables, hours, how many people read reports, and for how long.
EVENING: Final = (60, 24)
READERS: Final = 12
READ_S: Final = 60.0
#: How often it is looked which alerts the floor has, in seconds.
LOOK_S: Final = 0.05
#: The month: tables, and hours of play.
MONTH: Final = (300, 240)
#: What is searched for in the month.
SEARCHES: Final = {
    "a table": {"table": "t0001"},
    "a winner": {"winner": "banker"},
    "a croupier": {"person": "croupier 7"},
    "a croupier and what never was": {"person": "croupier 7", "winner": "nobody"},
    "rulings": {"ruling": "*"},
}

Figure = tuple[str, float, str, str]


def rows() -> list[Figure]:
    """Name, value, unit, budget or peer."""
    more_files(8192)
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        found = asyncio.run(_evening(Path(folder)))
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        return found + _month(Path(folder))


def seeded(url: str, count: int, hours: int) -> Store:
    """A database with a coup a minute of `count` tables for `hours` hours, up to now."""
    store, luck = Store(url), random.Random(1)
    coups, staffing = PROJECTED[p.DecidedCoup], PROJECTED[p.Staffed]
    began = now_ms() - hours * HOUR_MS
    for id_ in range(1, count + 1):
        at = {"id": id_, "site": "casino", "name": f"t{id_:04d}"}
        led = [
            {"table_id": id_, "seq": hour, "t_ms": began + hour * HOUR_MS,
             "name": f"Croupier {luck.randint(1, 400)}"}
            for hour in range(hours)
        ]  # fmt: skip
        with store.engine.begin() as db:
            db.execute(tables.insert().values(at))
            db.execute(
                houses.insert().values(table_id=id_, house="zoppot-1934", game="chemin-de-fer")
            )
            db.execute(coups.insert(), [*_coups(id_, began, hours, luck)])
            db.execute(staffing.insert(), led)
    return store


def _coups(id_: int, began: int, hours: int, luck: random.Random) -> Iterator[dict[str, Any]]:
    for number in range(1, hours * 60 + 1):
        at = began + number * 60_000
        dealt, settled = at + luck.randint(9_000, 22_000), at + luck.randint(25_000, 40_000)
        yield {
            "table_id": id_, "seq": number * 12, "number": number, "shoe": f"s-{number // 70}",
            "began_ms": at, "dealt_ms": dealt, "settled_ms": settled, "cards": 5,
            "winner": luck.choice(("banker", "player")), "staked": 100, "taken": 1,
            "annulled": False, "paid_ms": settled + luck.randint(2_000, 12_000),
        }  # fmt: skip


class _Alerts:
    """Notes when a table tells an alert, and when the floor has it. `ms` has the differences."""

    def __init__(self, hall: Hall, store: Store) -> None:
        self._store, self._told = store, dict[tuple[TableId, str], float]()
        self._kept = self._now_kept()
        self.ms: list[float] = []
        for table in hall.tables:
            table.show = partial(self._show, table, table.show)

    def _show(self, table: SimulatedTable, show: Callable[[], None]) -> None:
        show()
        if table._state is not None:
            told = table._game.snapshot(table._state, Audience.CROUPIER).alerts
            for alert in told:
                self._told.setdefault((table.at, alert.id), time.monotonic())

    async def watch(self) -> None:
        """Look again and again which alerts the floor has."""
        while True:
            now = await asyncio.to_thread(self._now_kept)
            for key in now - self._kept:
                if key in self._told:
                    self.ms.append((time.monotonic() - self._told[key]) * 1e3)
            self._kept |= now
            await asyncio.sleep(LOOK_S)

    def _now_kept(self) -> set[tuple[TableId, str]]:
        said = sa.select(tables.c.site, tables.c.name, notices.c.alert).join(notices)
        with self._store.read() as db:
            return {(TableId(site, name), alert) for site, name, alert in db.execute(said)}


async def _evening(folder: Path) -> list[Figure]:
    """Measure `/reports` while people read them, and how soon rows and alerts are stored."""
    count, hours = EVENING
    seeded(database(folder), count, hours).close()
    hall, lags = Hall(count, [config.house(name) for name in HOUSES]), Lags()
    took: list[float] = []
    floor = Floor(folder, port=0, guests=hall.accounts, stored=lags.stored)
    async with floor, paged(floor, 0) as url:
        await hall.begin(BrokerAddress(port=floor.broker.port), 1.0)
        await asyncio.to_thread(ready, floor.store, FloorPast(floor.store, reader))
        lags.ms.clear()
        alerts = _Alerts(hall, floor.store)
        watching = asyncio.create_task(alerts.watch())
        reading = [asyncio.create_task(_read(url, took)) for _ in range(READERS)]
        await asyncio.sleep(READ_S)
        for task in (*reading, watching):
            task.cancel()
        await asyncio.wait((*reading, watching))
        await hall.stop_playing()
        await hall.leave()
    name = f"{count} tables, {READERS} people read reports"
    return [
        (f"{name}: a row is stored, p50", lags.at(0.5) or 0, "ms", f"of {len(lags.ms):,}"),
        (f"{name}: a row is stored, p99", lags.at(0.99) or 0, "ms", "1,000"),
        (
            f"{name}: an alert is kept, the slowest of {len(alerts.ms)}",
            max(alerts.ms, default=0.0),
            "ms",
            "2,000",
        ),
        (f"{name}: /reports, p50", statistics.median(took), "ms", f"of {len(took):,}"),
        (f"{name}: /reports, p99", p99(took), "ms", ""),
    ]


async def _read(url: str, took: list[float]) -> None:
    """Read the reports again and again, and note how long each took. Who must wait, waits."""
    async with httpx.AsyncClient(base_url=url, timeout=LONG_PATIENCE_S) as browser:
        while True:
            began = time.perf_counter()
            answer = await browser.get("/reports")
            if answer.status_code == 200:
                took.append((time.perf_counter() - began) * 1e3)
            else:
                await asyncio.sleep(int(answer.headers["Retry-After"]))


def _month(folder: Path) -> list[Figure]:
    """Measure all reports and some searches of a month."""
    count, hours = MONTH
    store = seeded(database(folder), count, hours)
    past, name = FloorPast(store, reader), f"{count} tables, {hours} hours"
    found: list[Figure] = []

    def timed(what: str, budget: str, work: Any) -> None:
        began = time.perf_counter()
        work()
        found.append((f"{name}: {what}", time.perf_counter() - began, "s", budget))

    timed("counted for the first time", "", lambda: ready(store, past))
    for by in ("table", "croupier", "hour"):
        every = lambda by=by: [made(one, store, by, Period()) for one in REPORTS]  # noqa: E731
        timed(f"all reports by {by}", "2", every)
    for what, words in SEARCHES.items():
        timed(f"search for {what}", "0.5", lambda words=words: past.search(Wanted(**words)))
    store.close()
    return found
