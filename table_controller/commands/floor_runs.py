"""The work of the commands of `schlitten floor`. They print through functions passed in."""

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
from table_controller.commands.floor_page import ShownAt, paged
from table_controller.commands.floor_simulated import Hall
from table_controller.floor import accounts
from table_controller.floor.certificates import ready
from table_controller.floor.enrol import ServedAt, served
from table_controller.floor.floor import Floor, database
from table_controller.floor.inbox import ToldRow
from table_controller.floor.listen import leading
from table_controller.floor.own import carry
from table_controller.floor.schema import cursors, events, faults, tables
from table_controller.floor.store import Store
from table_controller.wiring import config

#: The houses of the simulated tables, one of each game.
HOUSES = ("zoppot-1934", "punto-banco", "ecarte-nemzeti-1907")
#: Seconds within which the floor must have everything once nobody plays any more.
SETTLE_S = 180.0


#: Open files of a served floor: its broker has one for each table.
_FILES = 4096


class _Lags:
    """The milliseconds that events took from the table's clock to the floor's database."""

    def __init__(self) -> None:
        self.ms: list[int] = []

    def stored(self, rows: Sequence[ToldRow]) -> None:
        """Note live events that were just committed."""
        now = time.time_ns() // 1_000_000
        self.ms += [now - row.t_ms for row in rows]

    def at(self, share: float) -> int | None:
        """The value that this share of them does not exceed."""
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
    """Let these tables play at a floor for a while, and compare the floor's data with theirs.

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
    host: str,
    names: tuple[str, ...],
    port: int,
    page_port: int,
    say: Callable[[str], None],
    line: Callable[[object], None] | None,
) -> None:
    """Serve a floor until cancelled; say where, and what is amiss."""
    _more_files(_FILES)
    last: list[str | None] = [None]

    def trouble(sentence: str | None) -> None:
        if sentence != last[0]:
            last[0] = sentence
            say(sentence or "The broker is there.")

    settings = settings_in(folder)
    shown = ShownAt(host, names, ready(folder, (host, *names)))
    async with (
        _floor(folder, shown, port, trouble) as floor,
        paged(floor, page_port, settings, shown) as url,
    ):
        at = ServedAt(host, int(url.rpartition(":")[2]), floor.broker.port)
        at.write(folder)
        if line:
            line({"page": f"{url}/", "tables": f"{host}:{at.port}", "folder": str(folder)})
        say(
            f"The floor is served; Ctrl-C ends it.\n  all tables  {url}/\n"
            f"  for tables  {host}:{at.port} (MQTT over TLS)\n  database    {folder}"
        )
        if shown.open and not floor.roll:
            say(
                "Nobody has a role yet, so nobody can open the page: "
                f"`schlitten floor people add NAME --role admin --folder {folder}`."
            )
        say(f"`schlitten floor add SITE TABLE --folder {folder}` makes a code for a table.")
        await floor.ended()


def _floor(
    folder: Path, shown: ShownAt, port: int, trouble: Callable[[str | None], None] = lambda _: None
) -> Floor:
    """A floor whose enrolled tables come over TLS."""
    assert shown.certificates
    pem = shown.certificates.served
    return Floor(folder, host=shown.host, port=port, served=pem, trouble=trouble)


async def rebuild(
    folder: Path, *, wait_s: float, told: Callable[[int, int], None]
) -> dict[str, Any]:
    """Make the database again from the tables; the old one is kept next to it.

    The tables that were admitted are asked for everything, and may take `wait_s` to come. The
    broker is where the floor was last served. Raises NotServed.
    """
    at = served(folder)
    old = folder / "floor.db"
    kept = folder / f"floor-{time.strftime('%Y%m%dT%H%M%S')}.db"
    with leading(folder):
        was = Store(database(folder))
        let_in = accounts.admitted(was)
        with was.engine.connect() as db:
            db.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        was.close()
        old.rename(kept)
        was, fresh = Store(database(folder, kept.name)), Store(database(folder))
        with fresh.engine.begin() as db:
            for one in let_in:
                accounts.admit(fresh, db, one.user.table, one.secret)
        carry(was, fresh)
        was.close()
        fresh.close()
    wanted = frozenset(one.user.table for one in let_in)
    shown = ShownAt(at.host, (), ready(folder, (at.host,)))
    async with _floor(folder, shown, at.port) as floor:
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
    """The tables' events next to those that the floor has."""
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
    """Allow this many open files, as far as this machine permits it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < count:
        wanted = count if hard == resource.RLIM_INFINITY else min(count, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
