"""One floor: its database, its listener for the tables, and perhaps its own broker.

If several floors use one database, one of them leads. The others stand by, and one of these takes
over when the leader ends.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress
from importlib.metadata import version
from pathlib import Path
from typing import Final, Self

from sqlalchemy.exc import SQLAlchemyError

from table_controller.adapters.addresses import CannotServe
from table_controller.adapters.broker_rules import FLOOR, BrokerAccount
from table_controller.adapters.mosquitto import new_secret
from table_controller.adapters.mqtt_link import BrokerAddress, LinkLost
from table_controller.adapters.mqtt_names import TableId
from table_controller.floor import accounts, enrol
from table_controller.floor.database import StoreError, remedy
from table_controller.floor.engine import FloorBroker, TableBroker
from table_controller.floor.faults import Noticing
from table_controller.floor.inbox import ToldRow
from table_controller.floor.leader_election import Lead, Led, lead_of
from table_controller.floor.listen import FloorListener
from table_controller.floor.live import LiveTables
from table_controller.floor.people import Roll, keys_of, now_ms
from table_controller.floor.store import Ledger, Store, known_streams
from table_controller.floor.threads import Threads
from table_controller.service import logs

#: How often the database is looked through for damage.
A_DAY_S: Final = 24 * 3600.0
#: How soon an added table is admitted, and a removed table's connection is closed.
LOOK_S: Final = 1.0
#: How long to wait before a broker that ended is started again.
AGAIN_S: Final = 0.5
#: How often a floor that stands by tries to lead, and a floor that leads checks that it still does.
STANDBY_S: Final = 0.2
LEADS_S: Final = 1.0


def database(folder: Path) -> str:
    """The URL of the database file in a floor's folder."""
    return f"sqlite:///{folder / 'floor.db'}"


class Floor:
    """Runs a floor: `async with Floor(folder) as floor:` listens until the end of the block."""

    def __init__(
        self,
        folder: Path,
        *,
        url: str = "",
        cluster: BrokerAddress | None = None,
        standby: Callable[[], None] | None = None,
        host: str = "127.0.0.1",
        port: int = 1883,
        served: Path | None = None,
        guests: Sequence[BrokerAccount] = (),
        trouble: Callable[[str | None], None] = lambda _: None,
        stored: Callable[[Sequence[ToldRow]], None] = lambda _: None,
    ) -> None:
        """Prepare a floor. Port 0 takes any free port.

        `url` is the address of a database; "" means the database file in `folder`. If `cluster` is
        given, the floor uses that broker and starts none. If another process leads, the floor calls
        `standby` and waits; without `standby` it raises Led. `served` is the file with the broker's
        certificate and key for TLS; None means no TLS. `guests` are accounts admitted besides the
        tables. `trouble` gets a sentence when something fails, and None when that is over. `stored`
        gets the events that have been stored.
        """
        self.folder, self.live, self.threads = folder, LiveTables(), Threads()
        self._url, self._cluster, self._standby = url or database(folder), cluster, standby
        self._host, self._port, self._guests = host, port, tuple(guests)
        self._served = served
        self._trouble, self._stored = trouble, stored
        self._stack = AsyncExitStack()
        self._tasks: list[asyncio.Task[None]] = []
        self._cut: frozenset[TableId] = frozenset()
        self._awaited: dict[TableId, float] = {}
        self._shut_out = asyncio.Queue[TableId]()
        self.store: Store
        self.roll: Roll
        self.lead: Lead
        self.broker: FloorBroker | None = None
        self.ledger: Ledger
        self.listener: FloorListener

    async def __aenter__(self) -> Self:
        """Start the floor.

        Raises Led if another process leads, CannotServe if a port cannot be served, and StoreError.
        """
        try:
            await self._start()
        except SQLAlchemyError as error:
            await self._stack.aclose()
            raise StoreError(remedy(self.store.engine.url, error)) from None
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def _start(self) -> None:
        self._stack.callback(self.threads.close)
        self.store = await asyncio.to_thread(Store, self._url)
        self._stack.callback(self.store.close)
        self.lead = lead_of(self.store)
        self._stack.callback(self.lead.give_up)
        await self._take_lead()
        await asyncio.to_thread(self.store.refuse_damaged)
        self.roll = Roll(self.store, keys_of(self.folder), self.threads, self.folder)
        self._stack.callback(self._note_rest)
        self._admitted = accounts.admitted(self.store)
        self.ledger = Ledger(self.store, now_ms, self.lead.begin)
        self.listener = FloorListener(
            await self._address(), self.ledger, self.live, trouble=self._trouble,
            stored=self._stored,
            noticing=Noticing(known_streams(self.store), version("schlitten")),
            threads=self.threads,
        )  # fmt: skip
        self._hear_who_is_let_in()
        work = [
            self.listener.run(), self._stay_leader(), self._watch_accounts(), self._look_nightly(),
        ]  # fmt: skip
        if self.broker:
            work += [self._keep_broker(self.broker), self._clear_shut_out()]
        self._tasks += map(asyncio.create_task, work)

    async def _take_lead(self) -> None:
        """Become the leader, immediately or when the present leader ends. Raises Led."""
        waits = False
        while not await self._led():
            if self._standby is None:
                raise Led(
                    f"Another process leads the floor in {self.folder}: stop it, or name another "
                    "folder."
                )
            if not waits:
                self._standby()
            waits = True
            await asyncio.sleep(STANDBY_S)

    async def _led(self) -> bool:
        try:
            return await asyncio.to_thread(self.lead.take)
        except SQLAlchemyError:
            if self._standby is None:
                raise
            self._trouble("The database does not answer: look at it. It is tried again.")
            return False

    async def _address(self) -> BrokerAddress:
        """The address of the broker: the cluster's, or that of a broker started here."""
        if self._cluster:
            return self._cluster
        secret = new_secret()
        self.broker = self._broker(secret)
        await self._begun(self.broker)
        self._stack.push_async_callback(self.broker.stop)
        return BrokerAddress(
            host=self._host, port=self.broker.port, socket=self.broker.socket,
            username=FLOOR, password=secret,
        )  # fmt: skip

    async def _begun(self, broker: FloorBroker) -> None:
        """Start the broker.

        A floor that stood by waits until the former leader's broker is gone.
        """
        for _ in range(20 if self._standby else 0):
            with suppress(CannotServe):
                await broker.start()
                return
            await asyncio.sleep(STANDBY_S)
        await broker.start()

    def _note_rest(self) -> None:
        """Write the rest of the audit's rows, if the database answers."""
        with suppress(SQLAlchemyError):
            self.roll.refresh()

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
        """Wait until a part of the floor ends.

        Raises Led if another process leads now, or else the error that ended the part.
        """
        done, _ = await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            error = task.exception()
            if isinstance(error, ExceptionGroup) and (led := error.subgroup(Led)):
                raise led.exceptions[0]
            task.result()

    def refused(self) -> frozenset[TableId]:
        """The tables that have sent something that was refused."""
        return frozenset(at for at, shown in self.live.tables.items() if shown.fault)

    def _let_in(self) -> tuple[BrokerAccount, ...]:
        known = (*self._guests, *self._admitted)
        return tuple(one for one in known if one.user.table not in self._cut)

    async def _stay_leader(self) -> None:
        """Check again and again whether another process leads. Raises Led.

        This finds another leader even if no table sends anything.
        """
        while True:
            await asyncio.sleep(LEADS_S)
            with suppress(SQLAlchemyError):  # storing events meets the same error, and reports it
                await self.threads.keep(self._look)

    async def _look_nightly(self) -> None:
        """Look once a day whether the database is whole, and say so if it is not."""
        while True:
            await asyncio.sleep(A_DAY_S)
            try:
                await asyncio.to_thread(self.store.refuse_damaged)
            except StoreError as error:
                self._trouble(str(error))

    def _look(self) -> None:
        with self.lead.begin():
            pass

    async def _keep_broker(self, broker: FloorBroker) -> None:
        """Start the broker again whenever it ends. The tables send again what the broker lost."""
        while True:
            try:
                await broker.ended()
            except CannotServe as error:
                self._trouble(str(error))
            await asyncio.sleep(AGAIN_S)
            with suppress(CannotServe):
                await broker.start()

    async def _clear_shut_out(self) -> None:
        """Remove what our broker retains of each table that was shut out: its flood must not stay.

        If the broker is lost, it has lost that too.
        """
        while True:
            at = await self._shut_out.get()
            with suppress(LinkLost):
                await self.listener.sessions.clear(at)

    async def _watch_accounts(self) -> None:
        """Look every second for tables and people that were added or removed.

        Who begins to flood is thrown out at that moment: the others wait for what the broker takes.
        """
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await self.listener.cuts.wait()
            self.listener.cuts.clear()
            try:
                self._let(self._admitted)
                await self.look()
                await self.threads.keep(self.roll.refresh)
            except SQLAlchemyError as error:
                logs.error("the floor's list is not read", why=error.__class__.__name__)
            except OSError as error:
                logs.error("the broker's accounts are not written", why=error.__class__.__name__)

    async def look(self) -> None:
        """Admit the tables that were added meanwhile, and close the connections of removed tables.

        A table that floods is admitted again after a minute. The floor then asks for the rows that
        this table sent meanwhile.
        """
        self._let(await self.threads.keep(accounts.admitted, self.store))
        await self._note_arrivals()

    def _let(self, now: tuple[BrokerAccount, ...]) -> None:
        """Let in whom these accounts name, except those that flood.

        Raises OSError if the broker's files cannot be written. The next look tries again.
        """
        cut = self.listener.cut_off()
        if (now, cut) != (self._admitted, self._cut):
            gone = {one.user.table for one in self._admitted} - {one.user.table for one in now}
            before, (self._admitted, self._cut) = (self._admitted, self._cut), (now, cut)
            try:
                if self.broker:
                    self.broker.admit(self._let_in())
            except OSError:
                self._admitted, self._cut = before
                raise
            self._hear_who_is_let_in()
            if self.broker:
                for at in gone | (cut - before[1]):
                    self._shut_out.put_nowait(at)
            for at in gone:  # the broker publishes no last will of a table without rights
                self.live.gone(at, time.monotonic())

    def _hear_who_is_let_in(self) -> None:
        """Have a session for each table that is let in.

        A cluster lets in its own tables. There, we only stop hearing those that flood.
        """
        sessions = self.listener.sessions
        if self.broker:
            sessions.hear_only(frozenset(one.user.table for one in self._let_in()))
        else:
            sessions.leave_out(self._cut)

    async def _note_arrivals(self) -> None:
        """Note the enrolled tables whose `info` has come since they joined."""
        awaited = await self.threads.keep(enrol.under_way, self.store)
        since = {at: self._awaited.get(at, time.monotonic()) for at in awaited}
        for at, began in tuple(since.items()):
            shown = self.live.tables.get(at)
            if shown and shown.info_at > began:
                await self.threads.keep(enrol.done, self.store, at, now_ms())
                del since[at]
        self._awaited = since
