"""What the commands of `schlitten floor` do; they print through functions passed in."""

from __future__ import annotations

import asyncio
import resource
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from table_controller.commands.floor_alerts import settings_in
from table_controller.commands.floor_page import paged
from table_controller.commands.floor_simulated import Hall
from table_controller.floor import accounts
from table_controller.floor.floor import Floor, database
from table_controller.floor.inbox import ToldRow
from table_controller.floor.listen import leading
from table_controller.floor.schema import cursors, events, faults, tables
from table_controller.floor.store import Store
from table_controller.wiring import config

#: The houses of the simulated tables, one of each game.
HOUSES = ("zoppot-1934", "punto-banco", "ecarte-nemzeti-1907")
#: How long the floor may take to have everything once nobody plays any more.
SETTLE_S = 180.0


class _Lags:
    """How long events took from the table's clock to the floor's database, in milliseconds."""

    def __init__(self) -> None:
        self.ms: list[int] = []

    def stored(self, rows: Sequence[ToldRow]) -> None:
        """Note live events that were just committed."""
        now = time.time_ns() // 1_000_000
        self.ms += [now - row.t_ms for row in rows]

    def at(self, share: float) -> int | None:
        """The value below which this share of them lies."""
        found = sorted(self.ms)
        return found[min(len(found) - 1, int(share * len(found)))] if found else None


async def simulate(
    folder: Path,
    count: int,
    seconds: float,
    *,
    speed: float,
    page_port: int | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:
    """Let so many tables play at a floor for so long, and compare what it has.

    With `page_port` its page is served meanwhile.
    """
    _more_files(4 * count + 256)
    lags, began = _Lags(), time.monotonic()
    hall = Hall(count, [config.house(name) for name in HOUSES])
    async with AsyncExitStack() as stack:
        floor = await stack.enter_async_context(
            Floor(folder, port=0, guests=hall.accounts, stored=lags.stored)
        )
        if page_port is not None:
            url = await stack.enter_async_context(paged(floor, page_port))
            say(f"all tables: {url}/")
        await hall.begin(floor.broker.port, speed)
        await asyncio.sleep(max(0.0, seconds - (time.monotonic() - began)))
        await hall.stop_playing()
        with suppress(TimeoutError):
            async with asyncio.timeout(SETTLE_S):
                while not await asyncio.to_thread(_caught_up, floor, hall):  # noqa: ASYNC110
                    await asyncio.sleep(0.2)
        found = await asyncio.to_thread(_compared, floor, hall)
        await hall.leave()
    return {
        "tables": count,
        "games": dict(hall.games),
        "seconds": round(time.monotonic() - began, 1),
        **found,
        "asked_again": floor.listener.refill.pages,
        "p50_ms": lags.at(0.5),
        "p99_ms": lags.at(0.99),
    }


async def serve(
    folder: Path,
    *,
    port: int,
    page_port: int,
    say: Callable[[str], None],
    line: Callable[[object], None] | None,
) -> None:
    """Serve a floor until cancelled; say where, and what is amiss."""
    last: list[str | None] = [None]

    def trouble(sentence: str | None) -> None:
        if sentence != last[0]:
            last[0] = sentence
            say(sentence or "The broker is there.")

    settings = settings_in(folder)
    async with (
        Floor(folder, port=port, trouble=trouble) as floor,
        paged(floor, page_port, settings) as url,
    ):
        broker = f"127.0.0.1:{floor.broker.port}"
        if line:
            line({"page": f"{url}/", "broker": broker, "folder": str(folder)})
        say(
            f"The floor is served; Ctrl-C ends it.\n  all tables  {url}/\n  broker      {broker}\n"
            f"  database    {folder}\n`schlitten floor add SITE TABLE` admits a table."
        )
        await floor.ended()


async def rebuild(
    folder: Path, *, port: int, wait_s: float, told: Callable[[int, int], None]
) -> dict[str, Any]:
    """Make the database again from the tables; the old one is kept beside it.

    The tables that were admitted are asked for everything, and may take `wait_s` to come.
    """
    old = folder / "floor.db"
    kept = folder / f"floor-{time.strftime('%Y%m%dT%H%M%S')}.db"
    with leading(folder):
        was = Store(database(folder))
        let_in = accounts.admitted(was)
        with was.engine.connect() as db:
            db.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        was.close()
        old.rename(kept)
        fresh = Store(database(folder))
        for one in let_in:
            accounts.admit(fresh, one.user.table, one.secret)
        fresh.close()
    wanted = frozenset(one.user.table for one in let_in)
    async with Floor(folder, port=port) as floor:
        with suppress(TimeoutError):
            async with asyncio.timeout(wait_s):
                while not wanted <= floor.ledger.heard() or floor.ledger.behind():
                    told(len(wanted & floor.ledger.heard()), len(wanted))
                    await asyncio.sleep(0.2)
        away = sorted(str(at.source) for at in wanted - floor.ledger.heard())
        behind = sum(floor.ledger.behind().values())
        with floor.store.read() as db:
            stored = db.scalar(sa.select(sa.func.count()).select_from(events))
    return {"stored": stored, "kept": str(kept), "away": away, "missing": behind}


def _caught_up(floor: Floor, hall: Hall) -> bool:
    with floor.store.read() as db:
        stored = db.scalar(sa.select(sa.func.coalesce(sa.func.sum(cursors.c.seq), 0)))
    return bool(stored == sum(table.memory.told for table in hall.tables))


def _compared(floor: Floor, hall: Hall) -> dict[str, Any]:
    """What the tables told beside what the floor has."""
    with floor.store.read() as db:
        stored = db.scalar(sa.select(sa.func.count()).select_from(events))
        once = db.scalar(sa.select(sa.func.count(events.c.id.distinct())))
        said = (
            sa.select(tables.c.site, tables.c.name, cursors.c.audience, cursors.c.head)
            .join(tables, tables.c.id == cursors.c.table_id)
        )  # fmt: skip
        heads = {(site, name, who): head for site, name, who, head in db.execute(said)}
        wrong = db.scalar(sa.select(sa.func.count()).select_from(faults))
    told = sum(table.memory.told for table in hall.tables)
    same = sum(
        all(
            heads.get((table.at.site, table.at.table, who)) == head
            for who, head in table.memory.heads.items()
            if table.memory.rows[who]
        )
        for table in hall.tables
    )
    return {
        "coups": sum(table.coups for table in hall.tables),
        "told": told,
        "stored": stored,
        "duplicates": (stored or 0) - (once or 0),
        "heads": same,
        "faults": wrong,
    }


def _more_files(count: int) -> None:
    """Allow so many open files, as far as this machine lets us."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < count:
        wanted = count if hard == resource.RLIM_INFINITY else min(count, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
