"""A request over the broker while the journal cannot be written is not carried out later."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from table_controller.adapters.mqtt_names import Request
from table_controller.service.errors import JournalFull
from table_controller.wiring.app import Service
from tests.whole.lips import until
from tests.whole.plans import plan


def asked(boot):
    """A request for 500 more at seat 1, good for a second."""
    data = {"boot": boot, "prompt": None, "ttl_ms": 1000, "input": {"seat": 1, "chips": 500}}
    envelope = {"specversion": "1.0", "id": "transaction-1", "source": "/pos", "type": "x"}
    return json.dumps(envelope | {"time": datetime.now(UTC).isoformat(), "data": data}).encode()


@pytest.mark.parametrize("standing", [False, True], ids=["at the first word", "since a while"])
def test_it_is_answered_and_not_done_later(tmp_path, standing):
    """N-6: chips that are brought are brought once, and not when nobody thinks of them any more."""

    async def play():
        made = replace(plan(tmp_path, board=""), page=None)
        async with Service(made) as service:
            read, table = service.game.read, service.table
            await table.ask(read("seat 1 sits 100 Anna"))
            write, full = service.journal._write, [True]

            def failing(batch):
                if full:
                    raise JournalFull("full")
                write(batch)

            if standing:
                service.journal._write = failing
                table.say(read("croupier Bert"))
                await until(lambda: bool(table.trouble))
            else:
                service.journal._db.execute("PRAGMA query_only = ON")
            desk, request = service.publisher._desk, Request("staff", "buys_in")
            answer = await desk.answer(request, asked(service.journal.boot))
            full.clear()
            if not standing:
                service.journal._db.execute("PRAGMA query_only = OFF")
            await table.ask(read("seat 2 sits 100 Berta"))
            return answer, table.state.felt.seats[0].balance

    answer, has = asyncio.run(play())

    assert (answer["ok"], answer["why"]) == (False, "The journal cannot be written now.")
    assert has == 100
