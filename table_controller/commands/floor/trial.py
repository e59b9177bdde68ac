"""`schlitten floor simulate` and `rebuild`: many tables in one process, and their floor."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, suppress
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from secrets import token_hex
from typing import Any, cast

import sqlalchemy as sa
from msgspec import json
from msgspec.structs import replace

from table_controller.adapters.broker_rules import BrokerAccount
from table_controller.adapters.mosquitto import new_secret
from table_controller.adapters.mqtt_link import BrokerAddress
from table_controller.adapters.mqtt_messages import (
    ChainedSnapshot,
    Health,
    Info,
    StaffPicture,
    TableState,
)
from table_controller.adapters.mqtt_names import TableId
from table_controller.adapters.mqtt_pictures import Now
from table_controller.adapters.mqtt_publisher import Pace, Publisher
from table_controller.adapters.mqtt_requests import Desk
from table_controller.commands.floor.page import paged
from table_controller.commands.floor.runs import more_files
from table_controller.commands.simulate import Moment, evening
from table_controller.engine.messages import Audience, Event
from table_controller.floor.certificates import ready
from table_controller.floor.engine import account
from table_controller.floor.enrol import served
from table_controller.floor.floor import Floor, database
from table_controller.floor.inbox import ToldRow
from table_controller.floor.leader_election import Led, lead_of
from table_controller.floor.rebuild import put_aside
from table_controller.floor.schema import cursors, events, faults, tables
from table_controller.floor.store import Store
from table_controller.rules.houses import House
from table_controller.service.game import refused
from table_controller.service.outbox import Outbox
from table_controller.service.rows import FIRST_LINK, Boot, EventRow, Row, link
from table_controller.service.sealing import Keys
from table_controller.wiring import config
from table_controller.wiring.floor_settings import FloorSettings
from table_controller.wiring.games import game
from table_controller.wiring.plan import now_ms

# ---- Many tables in one process, for `floor simulate`. Each plays an evening of the engine

#: The houses of the simulated tables, one of each game.
HOUSES = ("zoppot-1934", "punto-banco", "ecarte-nemzeti-1907")

#: Faults that occur now and then at a simulated table.
FAULTS = frozenset({"unread", "stray"})
HEALTH_S = 10.0


class Memory:
    """Replaces a table's journal and outbox.

    Rows are numbered, named and chained as in a journal.
    """

    def __init__(self, at: TableId) -> None:
        self.boot = Boot(0, token_hex(8), token_hex(16), at.source)
        self.rows: dict[str, list[Row]] = {"public": [], "croupier": []}
        self.heads = {"public": FIRST_LINK, "croupier": FIRST_LINK}
        self._unsent: dict[int, Row] = {}
        self._numbers = itertools.count(1)
        self.wakeup = asyncio.Event()

    def add(self, event: Event, t_ms: int) -> None:
        """Add a row for an event, unless the event is sealed."""
        audience, kind = event.audience.value, str(event.__struct_config__.tag)
        rows, body = self.rows[audience], json.encode(event)
        seq = len(rows) + 1
        number = next(self._numbers)
        stored = EventRow(number, 0, t_ms, audience, seq, kind, body, None, None)
        row = self.boot.told(stored)
        bound = self.boot.envelope(audience, seq, kind)
        self.heads[audience] = link(self.heads[audience], seq, t_ms, body, bound)
        rows.append(row)
        self._unsent[number] = row
        self.wakeup.set()

    @property
    def told(self) -> int:
        """The number of rows."""
        return sum(map(len, self.rows.values()))

    def pending(self, limit: int, after: int = 0) -> list[Row]:
        """Return the same as `Outbox.pending`."""
        waiting = (row for number, row in self._unsent.items() if number > after)
        return list(itertools.islice(waiting, limit))

    def delivered(self, row_id: int) -> None:
        """Do the same as `Outbox.delivered`."""
        self._unsent.pop(row_id, None)

    def replay(self, audience: Audience, from_seq: int, to_seq: int) -> list[Row]:
        """Return the same as `Outbox.replay`."""
        return self.rows[audience.value][from_seq - 1 : to_seq]


class SimulatedTable:
    """A table that plays by itself, at a multiple of the pace of people."""

    def __init__(self, at: TableId, house: House, seed: int) -> None:
        self.at, self._house, self._game = at, house, game(house.game)
        key = sha256(f"floor {seed}".encode()).digest()
        self.account = account(at, new_secret())
        self.memory = Memory(at)
        self._evening: Iterator[Moment] = evening(
            house, Keys.derive(key).commit, seed=seed, coups=10**9, wrong=FAULTS
        )
        self._info = Info(
            version=version("schlitten"), house=house.id, game=house.game,
            capabilities=("replay", "verify"), configuration="", boot=self.memory.boot.id,
            limits=house.limits,
        )  # fmt: skip
        self.coups = 0
        self._publisher: Publisher
        self._state: Any = None

    def join(self, broker: BrokerAddress) -> Publisher:
        """Return the table's publisher at this broker.

        If `broker` names no account, the table uses its own.
        """
        address = broker
        if not broker.username:
            address = replace(broker, username=self.account.user.name, password=self.account.secret)
        memory, boot = self.memory, self.memory.boot.id
        rows = cast("Outbox", memory)  # the three that publisher and desk call

        async def seen_before(_key: str) -> bool:
            return False

        async def say(_said: dict[str, Any], _actor: str) -> None:
            raise ValueError("a simulated table takes no input")

        desk = Desk(
            self.at, rows, boot=boot, staff={"floor": "technician:Floor"}.get,
            commands=frozenset(), say=say, seen_before=seen_before,
        )  # fmt: skip
        self._publisher = Publisher(
            self.at, address, rows, boot=boot, desk=desk, trouble=lambda _: None,
            pace=Pace(ack_s=60.0, most_s=5.0),
        )  # fmt: skip
        return self._publisher

    async def play(self, speed: float) -> None:
        """Play until cancelled. Publish the remaining pictures at the end."""
        began, shown, health = time.monotonic(), 0.0, 0.0
        try:
            for moment in self._evening:
                due = began + moment.t_ms / 1000 / speed
                await asyncio.sleep(max(0.0, due - time.monotonic()))
                self._take(moment)
                now = time.monotonic()
                if now - shown >= 1:
                    shown = now
                    self.show()
                if now - health >= HEALTH_S:
                    health = now
                    self._publisher.health(Health(disk_free_mib=9000, memory_mib=70))
        finally:
            self.show()

    def _take(self, moment: Moment) -> None:
        told = (refused(moment.input, moment.refusal),) if moment.refusal else moment.events
        t_ms = now_ms()
        for event in told:
            if event.audience is not Audience.SEALED:
                self.memory.add(event, t_ms)
        self._state, self.coups = moment.table, moment.progress.coups

    def show(self) -> None:
        """Pass the table's present pictures to the publisher."""
        if self._state is None:
            return
        memory, rows = self.memory, self.memory.rows
        stream = memory.boot.stream
        public = self._game.snapshot(self._state, Audience.PUBLIC)
        alerts = self._game.snapshot(self._state, Audience.CROUPIER).alerts if public.alerts else ()
        count = len(rows["public"])
        self._publisher.show(
            Now(
                state=TableState.ALERT if alerts else TableState.READY,
                info=self._info,
                picture=ChainedSnapshot(
                    seq=count,
                    chain_head=memory.heads["public"].hex(),
                    count=count,
                    stream=stream,
                    snapshot=public,
                ),
                staff=StaffPicture(seq=len(rows["croupier"]), stream=stream),
                alerts=alerts,
            )
        )


class Hall:
    """Simulated tables at one broker. The tables get the `houses` in turn."""

    def __init__(self, count: int, houses: Sequence[House], *, seed: int = 1) -> None:
        self.tables = [
            SimulatedTable(
                TableId("hall", f"table-{number:04d}"), houses[number % len(houses)], seed + number
            )
            for number in range(1, count + 1)
        ]
        self._running: list[asyncio.Task[None]] = []
        self._playing: list[asyncio.Task[None]] = []

    @property
    def accounts(self) -> tuple[BrokerAccount, ...]:
        """The accounts of all tables at the broker."""
        return tuple(table.account for table in self.tables)

    @property
    def games(self) -> Counter[str]:
        """The number of tables for each game."""
        return Counter(table._info.game for table in self.tables)

    async def begin(self, broker: BrokerAddress, speed: float) -> None:
        """Let all tables connect and play, a few at a time, as when a casino opens.

        If the broker has several hosts, the tables begin with different ones.
        """
        hosts = deque(broker.nodes())
        for number, table in enumerate(self.tables):
            first, *others = hosts
            mine = replace(first, hosts=tuple(one.host for one in others))
            hosts.rotate(-1)
            self._running.append(asyncio.create_task(table.join(mine).run()))
            self._playing.append(asyncio.create_task(table.play(speed)))
            if number % 25 == 24:
                await asyncio.sleep(0.05)

    async def stop_playing(self) -> None:
        """Stop all play. The tables stay connected and publish their remaining events."""
        await _stopped(self._playing)

    async def leave(self) -> None:
        """Disconnect all tables."""
        await _stopped(self._running)


async def _stopped(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    with suppress(asyncio.CancelledError):
        await asyncio.gather(*tasks, return_exceptions=True)
    tasks.clear()


# ---- `schlitten floor simulate` and `rebuild`: compare the tables' events with those of the floor

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
