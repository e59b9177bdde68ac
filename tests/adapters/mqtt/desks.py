"""A desk without a broker, what was said to its table, and requests to it."""

import asyncio
import json

from table_controller.adapters.mqtt_requests import Desk
from table_controller.service.errors import JournalFull
from tests.adapters.mqtt.kit import BOOT, TABLE, Box

NOON = 1_700_000_000.0

STAFF = {"anna": "supervisor:anna", "floor": "technician:Floor"}


class Hall:
    """A desk, what was said to the table, and a clock that moves while a transaction is noted."""

    def __init__(self, *, seen=None, boot=BOOT) -> None:
        self.box, self.said, self.answer_with = Box(), [], None
        self.now, self.noting_s, self.stopped, self.full = NOON, 0.0, [False], ""
        self.seen = set() if seen is None else seen
        self.desk = Desk(
            TABLE, self.box, boot=boot, staff=STAFF.get,
            commands=frozenset({"stake", "spoke"}), say=self.say, seen_before=self.seen_before,
            stopped=lambda: self.stopped[0], now=lambda: self.now,
        )  # fmt: skip

    async def say(self, said, actor):
        self.said.append((said, actor))
        if isinstance(self.answer_with, Exception):
            raise self.answer_with
        return self.answer_with

    async def seen_before(self, key):
        if self.full:
            raise JournalFull(self.full)
        known = key in self.seen
        self.seen.add(key)
        self.now += self.noting_s
        self.stopped = self.stopped[-1:]
        return known

    def ask(self, request, payload):
        if isinstance(payload, dict):
            payload = json.dumps(payload).encode()
        return asyncio.run(self.desk.answer(request, payload))


def envelope(transaction="transaction-1", moment="2023-11-14T22:13:19Z", **data):
    data = {"boot": BOOT, "prompt": 3, "ttl_ms": 5000, "input": {"seat": 2}} | data
    return {
        "specversion": "1.0", "id": transaction, "source": "/pos", "type": "schlitten.stake",
        "time": moment, "data": data,
    }  # fmt: skip


def gap(**data):
    return envelope() | {"data": data}
