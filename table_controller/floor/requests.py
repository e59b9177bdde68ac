"""Sends a request to a table in a person's name, and waits for the table's answer.

A request is sent again with the same id until the table answers, so it counts only once. The table
records the person's name next to the floor's account. The rights of that account decide which
requests the table accepts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from secrets import token_hex
from typing import Any, Final

import msgspec
from msgspec import Struct

from table_controller.adapters.broker_rules import FLOOR
from table_controller.adapters.mqtt_link import LinkLost
from table_controller.adapters.mqtt_messages import Message
from table_controller.adapters.mqtt_names import TableId

#: How long a table may take to answer, and how often the request is sent meanwhile.
ANSWER_S: Final = 10.0
AGAIN_S: Final = 2.0


class TableAnswer(Struct, frozen=True):
    """A table's answer to a request: either done, or a reason and a remedy, in English."""

    ok: bool
    why: str = ""
    remedy: str = ""


NO_ANSWER: Final = TableAnswer(
    ok=False, why="The table does not answer.", remedy="Go there: it may play on alone."
)


class _Said(Struct, frozen=True):
    transaction: str
    ok: bool
    why: str = ""
    remedy: str = ""


class _Response(Struct, frozen=True):
    data: _Said


_RESPONSE = msgspec.json.Decoder(_Response)


class Asking:
    """The requests that await an answer. `publish` sends a message and may raise LinkLost."""

    def __init__(self, publish: Callable[[Message], None]) -> None:
        self._publish = publish
        self._waiting: dict[tuple[TableId, str], asyncio.Future[TableAnswer]] = {}

    def heard(self, at: TableId, payload: bytes) -> None:
        """Take the answer that the table `at` sent. Raises ValueError if it is no answer."""
        said = _RESPONSE.decode(payload).data
        waiting = self._waiting.get((at, said.transaction))
        if waiting and not waiting.done():
            waiting.set_result(TableAnswer(said.ok, said.why[:200], said.remedy[:200]))

    async def ask(
        self, at: TableId, boot: str, command: str, input_: dict[str, Any], person: str
    ) -> TableAnswer:
        """Send a request again and again until the table answers, for at most `ANSWER_S` seconds.

        `boot` is the start of the table's program that the request is for; `input_` is its content.
        """
        transaction = f"floor-{token_hex(8)}"
        asked = {
            "boot": boot, "prompt": None, "ttl_ms": int(ANSWER_S * 1000), "input": input_,
            "person": person,
        }  # fmt: skip
        message = request(at, transaction, command, asked)
        answer: asyncio.Future[TableAnswer] = asyncio.get_running_loop().create_future()
        self._waiting[at, transaction] = answer
        try:
            async with asyncio.timeout(ANSWER_S):
                while not answer.done():
                    with suppress(LinkLost):
                        self._publish(message)
                    await asyncio.wait([answer], timeout=AGAIN_S)
                return answer.result()
        except TimeoutError:
            return NO_ANSWER
        finally:
            del self._waiting[at, transaction]


def request(at: TableId, transaction: str, command: str, data: dict[str, Any]) -> Message:
    """The message that asks a table; the transaction names its answer."""
    asked = {
        "specversion": "1.0", "id": transaction, "source": "/floor", "type": f"schlitten.{command}",
        "time": datetime.now(UTC).isoformat(), "data": data,
    }  # fmt: skip
    return Message(at.topic("request", FLOOR, command), msgspec.json.encode(asked), qos=0)
