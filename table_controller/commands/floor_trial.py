"""`schlitten floor simulate` and `rebuild`: compare the tables' events with those of the floor."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from table_controller.adapters.mqtt_link import BrokerAddress
from table_controller.adapters.mqtt_names import TableId
from table_controller.commands.floor_page import paged
from table_controller.commands.floor_runs import more_files
from table_controller.commands.floor_simulated import HOUSES, Hall
from table_controller.floor.certificates import ready
from table_controller.floor.enrol import served
from table_controller.floor.floor import Floor, database
from table_controller.floor.inbox import ToldRow
from table_controller.floor.lead import Led, lead_of
from table_controller.floor.rebuild import put_aside
from table_controller.floor.schema import cursors, events, faults, tables
from table_controller.floor.store import Store
from table_controller.wiring import config
from table_controller.wiring.floor_settings import FloorSettings
from table_controller.wiring.plan import now_ms

#: Seconds within which the floor must have everything once nobody plays any more.
SETTLE_S = 180.0


class Lags:
    """Measures how many milliseconds events take from the table's clock to the floor's database."""

    def __init__(self) -> None:
        self.ms: list[int] = []

    def stored(self, rows: Sequence[ToldRow]) -> None:
        """Note the live events that the database has just committed."""
        now = now_ms()
        self.ms += [now - row.t_ms for row in rows]

    def at(self, share: float) -> int | None:
        """Return the milliseconds in which this share of events arrived; None without events."""
        found = sorted(self.ms)
        return found[min(len(found) - 1, int(share * len(found)))] if found else None


async def simulate(
    folder: Path,
    settings: FloorSettings,
    count: int,
    seconds: float,
    *,
    speed: float,
    page_port: int | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:
    """Let `count` tables play at a floor for `seconds`. Compare the floor's data with the tables'.

    With `page_port` the floor's page is served meanwhile. At a cluster the tables use the floor's
    account. Raises CannotServe, StoreError, ConfigError.
    """
    cluster = settings.cluster()
    more_files(4 * count + 256)
    lags, began = Lags(), time.monotonic()
    hall = Hall(count, [config.house(name) for name in HOUSES])
    floor = Floor(
        folder, url=settings.database.url, cluster=cluster, port=0, guests=hall.accounts,
        stored=lags.stored,
    )  # fmt: skip
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(floor)
        if page_port is not None:
            url = await stack.enter_async_context(paged(floor, page_port))
            say(f"all tables: {url}/")
        await hall.begin(
            cluster or BrokerAddress(port=floor.broker.port if floor.broker else 0), speed
        )
        await asyncio.sleep(max(0.0, seconds - (time.monotonic() - began)))
        found = await _settled(floor, hall)
    return {
        "tables": count,
        "games": dict(hall.games),
        "seconds": round(time.monotonic() - began, 1),
        **found,
        "asked_again": floor.listener.refill.pages,
        "p50_ms": lags.at(0.5),
        "p99_ms": lags.at(0.99),
    }


async def _settled(floor: Floor, hall: Hall) -> dict[str, Any]:
    """End the play. Compare once the floor has everything, or after `SETTLE_S` seconds."""
    await hall.stop_playing()
    with suppress(TimeoutError):
        async with asyncio.timeout(SETTLE_S):
            while not await asyncio.to_thread(caught_up, floor.store, hall):  # noqa: ASYNC110
                await asyncio.sleep(0.2)
    found = await asyncio.to_thread(compared, floor.store, hall)
    await hall.leave()
    return found


def caught_up(store: Store, hall: Hall) -> bool:
    """Whether a floor has as many events as these tables published."""
    with store.read() as db:
        stored = db.scalar(sa.select(sa.func.coalesce(sa.func.sum(cursors.c.seq), 0)))
    return bool(stored == sum(table.memory.told for table in hall.tables))


def compared(store: Store, hall: Hall) -> dict[str, Any]:
    """Compare the tables' events with those that the floor has.

    Return the counts and differences.
    """
    with store.read() as db:
        valid = ~events.c.void
        stored = db.scalar(sa.select(sa.func.count()).select_from(events).where(valid))
        once = db.scalar(sa.select(sa.func.count(events.c.id.distinct())).where(valid))
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


async def rebuild(
    folder: Path,
    settings: FloorSettings,
    *,
    wait_s: float,
    told: Callable[[int, int], None],
) -> dict[str, Any]:
    """Make the database again from the tables' journals.

    The old rows are kept in another file or schema. The tables that are admitted, or that published
    something, have `wait_s` seconds to connect and publish their events. Tables look for the
    floor's own broker at the address where the floor was last served. Raises Led, CannotServe,
    StoreError, NotServed, ConfigError.
    """
    url = settings.database.url or database(folder)
    floor = _again(folder, url, settings.cluster())
    store = Store(url)
    lead = lead_of(store)
    try:
        if not lead.take():
            raise Led("A floor leads this database: stop every floor on it first.")
        wanted = _known(store)
        kept = await asyncio.to_thread(put_aside, url)
    finally:
        lead.give_up()
        store.close()
    async with floor:
        with suppress(TimeoutError):
            async with asyncio.timeout(wait_s):
                while not wanted <= floor.ledger.heard() or floor.ledger.behind():
                    told(len(wanted & floor.ledger.heard()), len(wanted))
                    await asyncio.sleep(0.2)
        away = sorted(str(at.source) for at in wanted - floor.ledger.heard())
        behind = sum(floor.ledger.behind().values())
        with floor.store.read() as db:
            stored = db.scalar(sa.select(sa.func.count()).select_from(events))
    return {"stored": stored, "kept": kept, "away": away, "missing": behind}


def _again(folder: Path, url: str, cluster: BrokerAddress | None) -> Floor:
    """Return a floor at the address where its tables look for it. Raises NotServed."""
    if cluster:
        return Floor(folder, url=url, cluster=cluster)
    at = served(folder)
    pem = ready(folder, (at.host,)).served
    return Floor(folder, url=url, host=at.host, port=at.port, served=pem)


def _known(store: Store) -> frozenset[TableId]:
    """Return the tables of which the floor has events, and the tables that the floor admits."""
    heard = sa.select(cursors.c.table_id).distinct()
    said = sa.select(tables.c.site, tables.c.name)
    said = said.where((tables.c.account != "") | tables.c.id.in_(heard))
    with store.read() as db:
        return frozenset(TableId(*row) for row in db.execute(said))
