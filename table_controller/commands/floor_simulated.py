"""Many tables in one process, for `floor simulate`. Each plays an evening of the engine.

The tables publish at a floor's broker through the real publisher and desk. Only their journals are
in memory.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import version
from secrets import token_hex
from typing import Any, cast

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
from table_controller.adapters.mqtt_publisher import Now, Pace, Publisher
from table_controller.adapters.mqtt_requests import Desk
from table_controller.commands.simulate import Moment, evening
from table_controller.engine.messages import Audience, Event
from table_controller.floor.engine import account
from table_controller.rules.houses import House
from table_controller.service.game import refused
from table_controller.service.outbox import Outbox
from table_controller.service.rows import FIRST_LINK, Boot, EventRow, Row, link
from table_controller.service.sealing import Keys
from table_controller.wiring.games import game
from table_controller.wiring.plan import now_ms

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
