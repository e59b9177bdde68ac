"""A broker's twin for one table, in simulated time. It stores the messages, and can be down.

It follows MQTT's rules as far as a publisher depends on them: order, acknowledgements, retained
messages.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, Final

from msgspec import json
from paho.mqtt.client import topic_matches_sub

from table_controller.adapters.mqtt_link import BrokerAddress, Heard, Link, LinkLost
from table_controller.adapters.mqtt_messages import Message

#: Seconds until an acknowledgement is back.
_ROUND_TRIP_S: Final = 0.002


class BrokerTwin:
    """A broker's twin. Its messages are in the order in which a subscriber to all gets them."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, bytes]] = []
        self.retained: dict[str, bytes] = {}
        self._line: _Line | None = None
        self._down = ""

    async def connect(
        self,
        _address: BrokerAddress,
        _client_id: str,
        _will: Message,
        heard: Heard,
        acknowledged: Callable[[int], None],
    ) -> Link:
        """Accept the table's connection. Raises LinkLost while the twin is down."""
        await asyncio.sleep(_ROUND_TRIP_S)
        if self._down:
            raise LinkLost(self._down)
        self._line = _Line(self, heard, acknowledged)
        return self._line

    def down(self, why: str = "it cannot be reached: connection refused") -> None:
        """Go down. The connection ends, and no new one is accepted. Retained messages stay."""
        self._down = why
        if self._line:
            self._line.abandon("the connection ended (broker down)")
        self._line = None

    def up(self) -> None:
        """Accept connections again."""
        self._down = ""

    def events(self, kind: str) -> list[dict[str, Any]]:
        """Return the data of the events of this kind that guests got, in order, each once."""
        found: dict[str, dict[str, Any]] = {}
        for topic, payload in self.heard:
            levels = topic.split("/")
            if levels[-1] == kind and "event" in levels and "croupier" not in levels:
                event: dict[str, Any] = json.decode(payload)
                found.setdefault(event["id"], event["data"])
        return list(found.values())

    def take(self, message: Message) -> None:
        """Note a message that arrived at the broker."""
        self.heard.append((message.topic, message.payload))
        if message.retain and message.payload:
            self.retained[message.topic] = message.payload
        elif message.retain:
            self.retained.pop(message.topic, None)


class _Line(Link):
    """A connection to the twin. Messages that have not arrived when it ends are lost."""

    def __init__(
        self, broker: BrokerTwin, heard: Heard, acknowledged: Callable[[int], None]
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._broker, self._heard, self._acknowledged = broker, heard, acknowledged
        self._number = 0
        self._under_way: deque[tuple[Message, int]] = deque()
        self._taken: deque[int] = deque()
        self.lost: asyncio.Future[str] = self._loop.create_future()

    def publish(self, message: Message) -> int:
        self._alive()
        self._number += 1
        self._under_way.append((message, self._number))
        self._loop.call_later(_ROUND_TRIP_S / 2, self._arrive)
        return self._number

    def _arrive(self) -> None:
        """Let the next message arrive. Messages arrive in the order in which they were sent."""
        message, number = self._under_way.popleft()
        if not self.lost.done():
            self._broker.take(message)
            self._taken.append(number)
            self._loop.call_later(_ROUND_TRIP_S / 2, self._answer)

    def _answer(self) -> None:
        number = self._taken.popleft()
        if not self.lost.done():
            self._acknowledged(number)

    def subscribe(self, *patterns: str) -> None:
        self._alive()
        for topic, payload in list(self._broker.retained.items()):
            if any(topic_matches_sub(pattern, topic) for pattern in patterns):
                self._loop.call_soon(self._heard, topic, payload, True)

    def unsubscribe(self, *_patterns: str) -> None:
        self._alive()

    def once(self, topic: str) -> None:
        self.subscribe(topic)

    def close(self) -> None:
        self.abandon("closed by us")

    def abandon(self, why: str) -> None:
        if not self.lost.done():
            self.lost.set_result(why)
