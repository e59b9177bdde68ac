"""The common part of the MQTT tests: an outbox in memory, a running publisher, and both brokers."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import shutil
import signal
import subprocess
from dataclasses import dataclass, field

from paho.mqtt.client import topic_matches_sub

from table_controller.adapters.addresses import CannotServe
from table_controller.adapters.broker import EmbeddedBroker
from table_controller.adapters.broker_rules import BrokerAccount, BrokerRole, User
from table_controller.adapters.mosquitto import acl as mosquitto_acl
from table_controller.adapters.mqtt_link import BrokerAddress
from table_controller.adapters.mqtt_messages import ChainedSnapshot, Info, TableState
from table_controller.adapters.mqtt_names import TableId
from table_controller.adapters.mqtt_pictures import Now
from table_controller.adapters.mqtt_publisher import Pace, Publisher
from table_controller.adapters.mqtt_requests import Desk
from table_controller.engine.messages import Audience, Phrase
from table_controller.engine.views import Prompt, Snapshot
from table_controller.service.rows import Anchor, Row
from tests.brokers import Mosquitto
from tests.limits import PATIENCE_S

TABLE = TableId("casino", "one")
ROOT = TABLE.root
BOOT = "boot-1"
PASSWORDS = {"table": "for-the-table", "anna": "for-anna", "guest": "for-guests"}
USERS = (
    User("table", BrokerRole.TABLE, TABLE),
    User("anna", BrokerRole.STAFF, TABLE),
    User("guest", BrokerRole.GUEST, TABLE),
)
#: Quick to come back, and patient: on a busy machine an acknowledgement may take its time.
QUICK = Pace(first_s=0.01, most_s=0.05, ack_s=PATIENCE_S, picture_s=0.0)
#: Where the test is about a broker that acknowledges nothing.
IMPATIENT = Pace(first_s=0.01, most_s=0.05, ack_s=0.3, picture_s=0.0)


class Box:
    """An outbox in memory."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.waiting: dict[int, Row] = {}
        self.wakeup = asyncio.Event()

    def add(self, *audiences: Audience, text: str = "banker") -> None:
        """Commit one row for each audience."""
        for audience in audiences:
            seq = sum(row.audience is audience for row in self.rows) + 1
            body = json.dumps({"type": "card_drawn", "place": text}).encode()
            row = Row(
                len(self.rows) + 1, audience, seq, "card_drawn", body, 1_700_000_000_000 + seq,
                f"journal-{audience}-{seq}",
            )  # fmt: skip
            self.rows.append(row)
            self.waiting[row.id] = row
        self.wakeup.set()

    def add_public(self, count: int) -> None:
        """Commit so many public rows."""
        self.add(*[Audience.PUBLIC] * count)

    def pending(self, limit: int, after: int = 0) -> list[Row]:
        waiting = (row for row in self.waiting.values() if row.id > after)
        return list(itertools.islice(waiting, limit))

    def delivered(self, row_id: int) -> None:
        self.waiting.pop(row_id)

    def replay(self, audience: Audience, from_seq: int, to_seq: int) -> list[Row]:
        return [
            row for row in self.rows if row.audience is audience and from_seq <= row.seq <= to_seq
        ]


@dataclass
class Table:
    """A table that talks to a broker."""

    box: Box
    publisher: Publisher
    desk: Desk
    said: list[tuple[dict, str]] = field(default_factory=list)
    troubles: list[str | None] = field(default_factory=list)
    found: list[Anchor] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def lost(self) -> bool:
        """Whether the last report about the broker was that it is lost."""
        return self.troubles[-1:] not in ([], [None])

    async def until(self, holds) -> None:
        """Wait until `holds()`, which is checked after each report of trouble."""
        async with asyncio.timeout(PATIENCE_S):
            while not holds():
                self.changed.clear()
                await self.changed.wait()


@contextlib.asynccontextmanager
async def talking(
    at, *, box: Box | None = None, now: Now | None = None, pace=QUICK, announced=None, hosts=()
):
    """A publisher that runs against the broker at this port, or against ours, and stops cleanly."""
    port, door = (at, None) if isinstance(at, int) else (at.port, at.socket)
    box = box or Box()
    table = Table(box, None, None)

    async def say(said, actor):
        table.said.append((said, actor))
        return {"taken": True}

    def trouble(sentence):
        if sentence or table.troubles:  # the first report, that the broker is there, is no trouble
            table.troubles.append(sentence)
        table.changed.set()

    seen = set()

    async def seen_before(key):
        return key in seen or seen.add(key) or False

    table.desk = Desk(
        TABLE, box, boot=BOOT, staff={"anna": "supervisor:anna"}.get,
        commands=frozenset({"spoke", "stake"}), say=say,
        seen_before=seen_before,
    )  # fmt: skip
    table.publisher = Publisher(
        TABLE,
        BrokerAddress(
            port=port, socket=door, username="table", password=PASSWORDS["table"],
            **(dict(zip(("host", "hosts"), (hosts[0], hosts[1:]), strict=True)) if hosts else {}),
        ),
        box, boot=BOOT, desk=table.desk, trouble=trouble, found=table.found.append,
        announced=announced, pace=pace,
    )  # fmt: skip
    table.publisher.show(now or shown())
    running = asyncio.create_task(table.publisher.run())
    try:
        yield table
    finally:
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running


def info() -> Info:
    return Info(
        version="1", house="zoppot-1934", game="chemin-de-fer", capabilities=(),
        configuration="c0ffee", boot=BOOT,
    )  # fmt: skip


def shown(state=TableState.READY, *, coup: int = 0, alerts=()) -> Now:
    """A picture of now with this coup's number."""
    prompt = Prompt(id=1, news=Phrase("."), ask=Phrase("."), why=Phrase("."))
    snapshot = Snapshot(
        house="zoppot-1934", title="Zoppot", game="chemin-de-fer", unit="G", coup=coup, shoe=None,
        seats=(), prompt=prompt, steps=(), step=-1,
    )  # fmt: skip
    picture = ChainedSnapshot(seq=coup, chain_head="00" * 32, count=coup, snapshot=snapshot)
    return Now(state=state, info=info(), picture=picture, alerts=alerts)


class RealBroker(Mosquitto):
    """A Mosquitto with our users and our ACL."""

    socket = None

    def __init__(self, folder) -> None:
        program = shutil.which("mosquitto_passwd") or "/usr/bin/mosquitto_passwd"

        passwords = folder / "passwords"
        passwords.write_text("".join(f"{who}:{word}\n" for who, word in PASSWORDS.items()))
        subprocess.run([program, "-U", passwords], check=True)
        (folder / "acl").write_text(mosquitto_acl(USERS))
        super().__init__(
            folder,
            f"allow_anonymous false\npassword_file {passwords}\nacl_file {folder / 'acl'}",
        )

    async def begin(self) -> None:
        await asyncio.to_thread(self.start)

    async def crash(self) -> None:
        """Die without a goodbye."""
        await asyncio.to_thread(self.kill)

    async def end(self) -> None:
        await asyncio.to_thread(self.stop)


class OwnBroker:
    """The embedded broker, with the same users."""

    def __init__(self, _folder=None) -> None:
        accounts = [BrokerAccount(user, PASSWORDS[user.name]) for user in USERS]
        self.broker = EmbeddedBroker(accounts, port=0)

    @property
    def port(self) -> int:
        return self.broker.port

    @property
    def socket(self):
        """The socket by which the table connects."""
        return self.broker.socket

    async def begin(self) -> None:
        await self.broker.start()

    async def crash(self) -> None:
        """Die without a goodbye."""
        os.kill(self.broker.pid, signal.SIGKILL)
        with contextlib.suppress(CannotServe):
            await self.broker.ended()

    async def end(self) -> None:
        await self.broker.stop()


def may_read(user, topic):
    """Whether the broker's ACL file lets the user read there."""
    return _may(user, topic, ("read", "readwrite"))


def may_write(user, topic):
    """Whether the broker's ACL file lets the user write there."""
    return _may(user, topic, ("write", "readwrite"))


def _may(user, topic, rights):
    lines = [line.split() for line in mosquitto_acl([user]).splitlines()]
    return any(
        line[0] == "topic" and line[1] in rights and topic_matches_sub(line[2], topic)
        for line in lines
    )


@contextlib.asynccontextmanager
async def serving(kind, folder):
    """A running broker of this kind; it is stopped afterwards."""
    broker = kind(folder)
    await broker.begin()
    try:
        yield broker
    finally:
        await broker.end()
