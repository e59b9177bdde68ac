"""Kills brokers while a table plays. A follower must have every event, once and in order.

A separate Mosquitto is killed, and so is the embedded one, which is the table's child. The table
plays on meanwhile. The follower behaves as a subscriber should: it inserts or ignores an event by
its id, and asks for events whose numbers are missing.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import random
import signal
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from table_controller.adapters import mqtt_publisher
from table_controller.adapters.mqtt_link import Link, connect
from table_controller.adapters.mqtt_messages import event_message
from table_controller.adapters.mqtt_names import TableId
from table_controller.adapters.mqtt_publisher import Pace
from table_controller.commands import players
from table_controller.engine.messages import Audience
from table_controller.service.rows import Row
from table_controller.service.sealing import make_key
from table_controller.service.verify import verify
from table_controller.wiring import config
from table_controller.wiring import tasks as wiring_tasks
from table_controller.wiring.app import Plan, Service
from table_controller.wiring.config import BrokerSettings
from table_controller.wiring.plan import evening_accounts, own_address
from tests.brokers import Mosquitto, Observer
from tests.limits import PATIENCE_S

DEATHS = 100
SEED = 14
TABLE = TableId("soak", "brokers")
#: The follower's account, which gets the staff's events too.
WHO = "staff"
#: Short pauses, so that a hundred deaths take only minutes.
QUICK = partial(Pace, first_s=0.01, most_s=0.1)
AGAIN_S = 0.05
HEARD = (Audience.PUBLIC, Audience.CROUPIER)


def run(share: float) -> list[tuple[str, str]]:
    """Report each broker's deaths and the follower's events. Raises AssertionError."""
    deaths = max(1, round(DEATHS * share))
    rows = []
    for kind in (Killed, Ended):
        with (
            TemporaryDirectory(prefix="soak-brokers-") as folder,
            patch.object(mqtt_publisher, "Pace", QUICK),
            patch.object(mqtt_publisher, "connect", Connections()) as connections,
            patch.object(wiring_tasks, "AGAIN_S", AGAIN_S),
        ):
            found = asyncio.run(_evening(kind(Path(folder)), deaths, connections))
        rows += [(f"{kind.NAME}: {what}", f"{told:,}") for what, told in found]
    return rows


class Killed:
    """A Mosquitto that is not the table's child. It dies by kill -9 and starts at the same port."""

    NAME = "Mosquitto"

    def __init__(self, folder: Path) -> None:
        self.folder, self._process = folder, Mosquitto(folder)
        self._process.start()

    def plan(self) -> Plan:
        """Plan the table, with the address of this broker."""
        there = BrokerSettings(kind="mqtt", port=self._process.port)
        return _plan(self.folder, broker=there)

    def port(self, _service: Service) -> int:
        return self._process.port

    async def die(self, _service: Service, _luck: random.Random) -> str:
        """Kill the broker, which loses the messages that it has not passed on.

        Return how it died.
        """
        await asyncio.to_thread(self._process.kill)
        return "killed by kill -9"

    async def come(self) -> None:
        """Start the broker again."""
        await asyncio.to_thread(self._process.start)

    def stop(self) -> None:
        self._process.stop()


class Ended:
    """The embedded broker, which is the table's child.

    When it is killed, the table starts another.
    """

    NAME = "embedded"

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def plan(self) -> Plan:
        """Plan the table, with its broker and the follower's account there."""
        there = BrokerSettings(kind="embedded", port=0)
        plan = _plan(self.folder, broker=there)
        return replace(plan, address=own_address(plan.accounts))

    def port(self, service: Service) -> int:
        assert service.broker is not None
        return service.broker.port

    async def die(self, service: Service, _luck: random.Random) -> str:
        """Kill the broker. Return how it died."""
        broker = service.broker
        assert broker is not None
        assert broker.pid is not None
        died = broker.pid
        os.kill(died, signal.SIGKILL)
        async with asyncio.timeout(PATIENCE_S):
            while broker.pid in (died, None):
                await asyncio.sleep(0.01)
        return "killed by kill -9"

    async def come(self) -> None:
        """Do nothing, since the table starts its broker itself."""

    def stop(self) -> None:
        """Do nothing, since the broker ends with the table."""


def _plan(folder: Path, *, broker: BrokerSettings) -> Plan:
    return Plan(
        table=TABLE,
        house=config.house("zoppot-1934"),
        keys=make_key(folder / "table.key"),
        journal=folder / "table.db",
        broker=broker,
        accounts=evening_accounts(TABLE),
    )


class Follower(Observer):
    """A subscriber as one should be: takes each event once by its id, and asks for missing ones.

    Attributes:
        told: the events of each audience by their numbers.
        live: the numbers of the events that came without being asked for.
        times: how often the follower was connected.
        differ: numbers that came again with another content.
    """

    def __init__(self, port: int, password: str) -> None:
        root = TABLE.root
        patterns = (f"{root}/event/+", f"{root}/croupier/event/+", f"{root}/response/{WHO}/replay")
        super().__init__(port, *patterns, user=WHO, password=password)
        self.told: dict[Audience, dict[int, dict[str, Any]]] = {who: {} for who in HEARD}
        self.live: dict[Audience, list[int]] = {who: [] for who in HEARD}
        self.differ: list[tuple[Audience, int]] = []
        self.counts, self.times = Counter[str](), 0
        self._lacks = dict.fromkeys(HEARD, 1)

    def lacks(self, who: Audience) -> int:
        """The first number that the follower does not have."""
        while self._lacks[who] in self.told[who]:
            self._lacks[who] += 1
        return self._lacks[who]

    def ask(self, who: Audience) -> None:
        """Ask for all events from the first missing number on."""
        self.counts["asked"] += 1
        request = {
            "specversion": "1.0", "id": f"gap-{self.counts['asked']:06}", "source": "/follower",
            "type": "schlitten.replay", "data": {"from_seq": self.lacks(who), "audience": who},
        }  # fmt: skip
        self.say(f"{TABLE.root}/request/{WHO}/replay", json.dumps(request).encode())

    def _hear(self, message: tuple[str, bytes, bool]) -> None:
        topic, payload, _ = message
        told = json.loads(payload)
        if "/response/" not in topic:
            who = Audience.CROUPIER if "/croupier/" in topic else Audience.PUBLIC
            if told["seq"] > self.lacks(who) and told["seq"] - 1 not in self.told[who]:
                self.ask(who)
            self.live[who].append(told["seq"])
            self._note(who, told)
        elif told["data"]["ok"]:
            who = Audience(told["data"]["audience"])
            self.counts["filled"] += sum(self._note(who, event) for event in told["data"]["events"])
            if told["data"]["next"] is not None:
                self.ask(who)

    def _subscribed(self, granted: list[str]) -> None:
        super()._subscribed(granted)
        self.times += 1

    def _note(self, who: Audience, event: dict[str, Any]) -> bool:
        """Keep an event. Return whether it is new."""
        known = self.told[who].setdefault(event["seq"], event)
        if known != event:
            self.differ.append((who, event["seq"]))
        self.counts["heard again"] += known is not event
        return known is event


class People:
    """Simulated people at the table, who play on when the broker dies."""

    def __init__(self, service: Service) -> None:
        self._service, self.inputs = service, 0
        self._people = players.seeded(service.game, SEED)
        self._lip = players.SimulatedLip(SEED, service.plan.house)

    async def arrive(self) -> None:
        """Send the inputs by which the people sit down."""
        for said in self._people.arrive(self._service.table.state):
            await self._service.table.ask(said)

    async def play(self, inputs: int) -> None:
        """Send `inputs` inputs of the people and the lip."""
        for _ in range(inputs):
            table = self._service.table.state
            said = self._people.say(table) or self._lip.next(self._people.progress(table))
            await self._service.table.ask(said)
            self.inputs += 1


Broker = Killed | Ended


async def _evening(broker: Broker, deaths: int, connections: Connections) -> list[tuple[str, int]]:
    """Play while the broker dies `deaths` times. Compare the follower and the journal."""
    luck, ways, plan = random.Random(SEED), Counter[str](), broker.plan()
    try:
        async with Service(plan) as service:
            people = People(service)
            async with Follower(broker.port(service), plan.accounts[1].secret) as follower:
                await people.arrive()
                for _ in range(deaths):
                    ways[await _death(broker, service, people, luck)] += 1
                    while luck.random() < 0.7 and not follower.up:  # else it misses a whole life
                        await people.play(1)
                await people.play(20)
                await _whole(service, follower)
                events = _compared(service, follower)
                _in_order(follower, connections.times)
        assert verify(plan.journal, plan.keys).holds
    finally:
        broker.stop()
    return [
        *((f"it died, {way}", count) for way, count in sorted(ways.items())),
        ("inputs taken meanwhile", people.inputs),
        ("events that a follower has, whole and in order", events),
        ("... of them asked for, after a gap", follower.counts["filled"]),
        ("... heard once more, under the same id", follower.counts["heard again"]),
    ]


async def _death(broker: Broker, service: Service, people: People, luck: random.Random) -> str:
    """Kill the broker while events are sent, keep it away for a while, and start it again.

    Return how it died.
    """
    publisher = service.publisher
    assert publisher is not None
    dying = asyncio.create_task(_later(luck.uniform(0, 0.05), broker.die, service, luck))
    await people.play(luck.randint(10, 40))
    way = await dying
    await people.play(luck.randint(1, 20))
    await broker.come()
    async with asyncio.timeout(PATIENCE_S):
        while publisher.turned == math.inf:
            await people.play(1)
        if luck.random() < 0.5:  # else it dies again while it is told what it missed
            await publisher.told()
    return way


async def _later(seconds: float, die: Any, *who: object) -> str:
    await asyncio.sleep(seconds)
    way: str = await die(*who)
    return way


async def _whole(service: Service, follower: Follower) -> None:
    """Wait until all is published and the follower has it.

    The follower asks for events that it may have missed.
    """
    publisher = service.publisher
    assert publisher is not None
    async with asyncio.timeout(PATIENCE_S):
        await publisher.told()
    for who in HEARD:
        last = _rows(service, who)[-1].seq
        async with asyncio.timeout(PATIENCE_S):
            while follower.lacks(who) <= last:
                follower.ask(who)
                with suppress(TimeoutError):
                    async with asyncio.timeout(1):
                        await follower.until(lambda who=who, last=last: follower.lacks(who) > last)


def _compared(service: Service, follower: Follower) -> int:
    """Compare the follower's events with the journal. Return their number.

    Raises AssertionError.
    """
    count = 0
    assert not follower.differ, f"told again as something else: {follower.differ[:3]}"
    for who in HEARD:
        rows = _rows(service, who)
        told = [json.loads(event_message(row, TABLE).payload) for row in rows]
        has = [follower.told[who][seq] for seq in sorted(follower.told[who])]
        assert has == told, f"{who}: the follower has {len(has)} of {len(told)}, or others"
        assert len({event["id"] for event in has}) == len(has)
        count += len(rows)
    assert not service.outbox.pending(1)
    assert service.table.waiting == 0
    return count


def _in_order(follower: Follower, connected: int) -> None:
    """Check that live numbers follow one another. Raises AssertionError.

    Each time the table connects, it begins again at the first row that was not acknowledged. A
    follower misses the events published before it is connected again.
    """
    for who, live in follower.live.items():
        steps = Counter((after > before) + (after > before + 1) for before, after in pairwise(live))
        assert steps[0] <= connected, f"{who}: told again {steps[0]} times, {connected} connections"
        assert steps[2] <= follower.times, f"{who}: {steps[2]} gaps, there {follower.times} times"


class Connections:
    """The publisher's function to connect to a broker. It counts the connections made."""

    def __init__(self) -> None:
        self.times = 0

    async def __call__(self, *how: Any) -> Link:
        link = await connect(*how)
        self.times += 1
        return link


def _rows(service: Service, who: Audience) -> list[Row]:
    """All rows of an audience, as the journal has them."""
    return service.journal.told(who, 1, service.journal.archive.head().seqs[who])
