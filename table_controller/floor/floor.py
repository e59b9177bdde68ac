"""One floor on one box: its database, its broker as a child, and what hears the tables."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress
from importlib.metadata import version
from pathlib import Path
from typing import Self

from sqlalchemy.exc import SQLAlchemyError

from table_controller.adapters.addresses import CannotServe
from table_controller.adapters.broker_rules import FLOOR, BrokerAccount
from table_controller.adapters.mosquitto import new_secret
from table_controller.adapters.mqtt_link import BrokerAddress
from table_controller.adapters.mqtt_names import TableId
from table_controller.floor import accounts, enrol
from table_controller.floor.engine import FloorBroker, TableBroker
from table_controller.floor.faults import Noticing
from table_controller.floor.inbox import ToldRow
from table_controller.floor.listen import FloorListener, leading
from table_controller.floor.live import LiveTables
from table_controller.floor.people import Roll, keys_of, now_ms
from table_controller.floor.store import Ledger, Store, known_streams
from table_controller.service import logs

#: How soon a table that was added or removed is let in or thrown out.
LOOK_S = 1.0
#: How long a broker that ended is left alone.
AGAIN_S = 0.5


def database(folder: Path, name: str = "floor.db") -> str:
    """The URL of the database in a floor's folder."""
    return f"sqlite:///{folder / name}"


class Floor:
    """`async with Floor(folder) as floor:` listens until the end of the block."""

    def __init__(
        self,
        folder: Path,
        *,
        host: str = "127.0.0.1",
        port: int = 1883,
        served: Path | None = None,
        guests: Sequence[BrokerAccount] = (),
        trouble: Callable[[str | None], None] = lambda _: None,
        stored: Callable[[Sequence[ToldRow]], None] = lambda _: None,
    ) -> None:
        """Port 0 takes any free port; `guests` are let in beside the tables that were added.

        `served` holds the certificate and key with which the broker speaks TLS; None: without.
        """
        self.folder, self.live = folder, LiveTables()
        self._host, self._port, self._guests = host, port, tuple(guests)
        self._served = served
        self._trouble, self._stored = trouble, stored
        self._stack = AsyncExitStack()
        self._tasks: list[asyncio.Task[None]] = []
        self._cut: frozenset[TableId] = frozenset()
        self._awaited: dict[TableId, float] = {}
        self.store: Store
        self.roll: Roll
        self.broker: FloorBroker
        self.ledger: Ledger
        self.listener: FloorListener

    async def __aenter__(self) -> Self:
        """Start it. Raises Led if another process leads this folder, CannotServe for a port."""
        self._stack.enter_context(leading(self.folder))
        try:
            await self._start()
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def _start(self) -> None:
        self.store = Store(database(self.folder))
        self._stack.callback(self.store.close)
        self.roll = Roll(self.store, keys_of(self.folder))
        self._stack.callback(self.roll.refresh)
        secret = new_secret()
        self._admitted = accounts.admitted(self.store)
        self.broker = self._broker(secret)
        await self.broker.start()
        self._stack.push_async_callback(self.broker.stop)
        address = BrokerAddress(
            host=self._host, port=self.broker.port, socket=self.broker.socket,
            username=FLOOR, password=secret,
        )  # fmt: skip
        self.ledger = Ledger(self.store, lambda: time.time_ns() // 1_000_000)
        self.listener = FloorListener(
            address, self.ledger, self.live, trouble=self._trouble, stored=self._stored,
            noticing=Noticing(known_streams(self.store), version("schlitten")),
        )  # fmt: skip
        for work in (self.listener.run(), self._keep_broker(), self._watch_accounts()):
            self._tasks.append(asyncio.create_task(work))

    def _broker(self, secret: str) -> FloorBroker:
        let_in = self._let_in()
        if self._served is None:
            return FloorBroker(let_in, secret, host=self._host, port=self._port)
        return TableBroker(let_in, secret, host=self._host, port=self._port, served=self._served)

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._stack.aclose()

    async def ended(self) -> None:
        """Wait until a part of it ends, which only a fault causes; raise that."""
        done, _ = await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()

    def refused(self) -> frozenset[TableId]:
        """The tables of which something was refused."""
        return frozenset(at for at, shown in self.live.tables.items() if shown.fault)

    def _let_in(self) -> tuple[BrokerAccount, ...]:
        known = (*self._guests, *self._admitted)
        return tuple(one for one in known if one.user.table not in self._cut)

    async def _keep_broker(self) -> None:
        """Start the broker again whenever it ends: the tables tell again what it lost."""
        while True:
            try:
                await self.broker.ended()
            except CannotServe as error:
                self._trouble(str(error))
            await asyncio.sleep(AGAIN_S)
            with suppress(CannotServe):
                await self.broker.start()

    async def _watch_accounts(self) -> None:
        """Look every second for tables and people that were added or removed."""
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                await self.look()
                await asyncio.to_thread(self.roll.refresh)
            except SQLAlchemyError as error:
                logs.error("the floor's list is not read", why=error.__class__.__name__)

    async def look(self) -> None:
        """Let tables in that were added meanwhile, and throw out those that were removed.

        Who floods is let in again after a minute: what it told meanwhile is asked for then.
        """
        now, cut = await asyncio.to_thread(accounts.admitted, self.store), self.listener.cut_off()
        if (now, cut) != (self._admitted, self._cut):
            gone = {one.user.table for one in self._admitted} - {one.user.table for one in now}
            self._admitted, self._cut = now, cut
            self.broker.admit(self._let_in())
            for at in gone:  # the broker tells no last will of somebody without rights
                self.live.gone(at, time.monotonic())
        await self._note_arrivals()

    async def _note_arrivals(self) -> None:
        """Note the enrolled tables whose `info` has come since."""
        awaited = await asyncio.to_thread(enrol.under_way, self.store)
        since = {at: self._awaited.get(at, time.monotonic()) for at in awaited}
        for at, began in tuple(since.items()):
            shown = self.live.tables.get(at)
            if shown and shown.info_at > began:
                await asyncio.to_thread(enrol.done, self.store, at, now_ms())
                del since[at]
        self._awaited = since
