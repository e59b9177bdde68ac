"""The floor's MQTT sessions: each is connected again whenever it is lost.

A broker has one queue for each session. If all tables shared a session, the messages of every table
would wait behind one table's flood (measured: up to 15 s at Mosquitto, 21 s at a cluster). So the
floor has a session for each table.

At the floor's own broker these sessions are durable: messages that nobody acknowledged come again.
A cluster would have to replicate a queue for each durable session, and cannot do so for a thousand
tables. There the sessions are not durable, and the floor asks the tables for the events that it
missed. The floor does not know the tables of a cluster beforehand, so it looks for them.

The module knows topics and connections, but not what a message says.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import Any, Final

from msgspec.structs import replace

from table_controller.adapters.broker_rules import FLOOR
from table_controller.adapters.mqtt_link import BrokerAddress, Link, LinkLost, connect
from table_controller.adapters.mqtt_messages import Message
from table_controller.adapters.mqtt_names import TableId
from table_controller.floor.engine import EVERY

EVENTS: Final = ("event/+", "croupier/event/+")
PICTURES: Final = (
    "state", "info", "snapshot", "croupier/picture", "alert/+", "croupier/alert/+", "health",
    f"response/{FLOOR}/+",
)  # fmt: skip
#: What is subscribed again now and then: which tables are there, and what they answer.
_AGAIN: Final = ("state", f"response/{FLOOR}/+")
#: How long to wait before a lost broker is tried again.
AGAIN_S: Final = 0.5
#: How long the broker may take to send what it retains of one table.
_CLEARING_S: Final = 0.5
#: How many sessions are connected at the same time. Each takes a thread until it is accepted.
_MOST_JOINING: Final = 8
#: How often the tables of a cluster are looked for, and how many it may send for that in a second.
_LOOK_S: Final = 2.0
_LOOKED_AT: Final = 50
#: The ping of a table's session, in seconds. The session without a table finds out sooner that the
#: broker hangs, and then all sessions end.
_RARELY_S: Final = 600


class Receipts:
    """The messages that one connection delivered, until they are acknowledged."""

    def __init__(self) -> None:
        self._link: Link | None = None
        self._unanswered, self._done = set[int](), list[int]()

    def begin(self, link: Link) -> None:
        """Acknowledge by this link from now on."""
        self._link = link
        self._send()

    def waits(self, mid: int) -> bool:
        """Note that a message waits. Return whether it waited before.

        A broker may send a message again while the first one waits. The number 0 needs no receipt.
        """
        if mid in self._unanswered:
            return True
        if mid:
            self._unanswered.add(mid)
        return False

    def give(self, mids: Iterable[int]) -> None:
        """Acknowledge messages, if the connection is still there."""
        self._done += filter(None, mids)
        self._send()

    def drop(self, mid: int) -> None:
        """Acknowledge a message that is not kept, together with the others of this moment."""
        if mid:
            if not self._done:
                asyncio.get_running_loop().call_soon(self._send)
            self._done.append(mid)

    def _send(self) -> None:
        if self._link and self._done:
            done, self._done = self._done, []
            self._unanswered.difference_update(done)
            with suppress(LinkLost):
                self._link.taken(done)


Delivered = Callable[[Receipts, str, bytes, int], None]
"""Called with a message's connection, its topic, its payload, and its number or 0."""


class Sessions:
    """The sessions at one broker, as long as `run` runs.

    `delivered` gets every message. `lost` gets the receipts of a durable session's connection that
    ended: the broker delivers the messages that nobody acknowledged again, with other numbers.
    `trouble` gets a sentence when the broker is lost, and None when it is back. `back` is called
    then, too.
    """

    def __init__(
        self,
        address: BrokerAddress,
        delivered: Delivered,
        lost: Callable[[Receipts], None],
        trouble: Callable[[str | None], None],
        back: Callable[[], None],
    ) -> None:
        self._nodes, self._own = deque(address.nodes()), address.socket is not None
        self._delivered, self._lost = delivered, lost
        self._trouble, self._back = trouble, back
        self._tables, self._left_out = frozenset[TableId](), frozenset[TableId]()
        self._changed, self._up = asyncio.Event(), asyncio.Event()
        self._joining = asyncio.Semaphore(_MOST_JOINING)
        self._links: dict[str, Link] = {}

    def hear_only(self, tables: frozenset[TableId]) -> None:
        """Have a session for each of these tables. Not for a cluster, whose tables are found."""
        if tables != self._tables:
            self._tables = tables
            self._changed.set()

    def leave_out(self, tables: frozenset[TableId]) -> None:
        """Have no session for these tables for now, although they are there."""
        if tables != self._left_out:
            self._left_out = tables
            self._changed.set()

    @property
    def connected(self) -> bool:
        """Whether the broker is connected."""
        return self._up.is_set()

    def publish(self, message: Message) -> None:
        """Send a message. Raises LinkLost."""
        if FLOOR not in self._links:
            raise LinkLost("there is no broker")
        self._links[FLOOR].publish(message)

    def ask_again(self) -> None:
        """Subscribe again to the topics that say which tables are connected.

        The broker then sends their retained messages again. A cluster, or the limit of a session's
        queue, may lose such a message although the table got an acknowledgement. Raises LinkLost.
        """
        for at in self._tables:
            if link := self._links.get(_name(at)):
                link.ask_for((f"{at.root}/{one}", 0) for one in _AGAIN)

    async def clear(self, at: TableId) -> int:
        """Remove all that the broker retains of a table that is shut out. Return how much it was.

        The table tells again what is to be retained when it comes back. Raises LinkLost.
        """
        found = list[Message]()

        def hear(topic: str, _payload: bytes, retained: bool) -> None:
            if retained:
                found.append(Message(topic, b"", qos=0, retain=True))

        link = await connect(self._nodes[0], f"{FLOOR}/clear/{_name(at)}", None, hear, _nobody)
        cleared = 0
        try:
            while True:  # the broker sends so much at a time as waits for a session
                for pattern in (*EVENTS, *PICTURES):
                    link.once(f"{at.root}/{pattern}")
                await asyncio.sleep(_CLEARING_S)
                for message in found:
                    link.publish(message)
                if not found:
                    return cleared
                cleared += len(found)
                found.clear()
        finally:
            link.close()

    async def run(self) -> None:
        """Keep all sessions connected until cancelled."""
        running: dict[TableId, asyncio.Task[None]] = {}
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._stay_connected())
            if not self._own:
                tasks.create_task(self._look())
            while True:
                await self._changed.wait()
                self._changed.clear()
                wanted = self._tables - self._left_out
                for at in running.keys() - wanted:
                    running.pop(at).cancel()
                for at in wanted - running.keys():
                    running[at] = tasks.create_task(self._stay_with(at))

    async def _stay_connected(self) -> None:
        """Keep the session without a table connected, at one node or the next one."""
        while True:
            node = self._nodes[0]
            try:
                link = await self._join(FLOOR, node, None)
                self._up.set()
                self._back()
                self._trouble(None)
                why = await self._end(FLOOR, link)
            except LinkLost as error:
                why = str(error)
            self._up.clear()
            for one in self._links.values():
                one.abandon("the broker is lost")
            self._trouble(f"The broker at {node} is lost: {why}.")
            self._nodes.rotate(-1)
            await asyncio.sleep(AGAIN_S)

    async def _stay_with(self, at: TableId) -> None:
        """Keep a table's session connected while the broker is there."""
        while True:
            await self._up.wait()
            with suppress(LinkLost):
                node = replace(self._nodes[0], keepalive_s=_RARELY_S)
                async with self._joining:
                    link = await self._join(_name(at), node, at)
                await self._end(_name(at), link)
            await asyncio.sleep(AGAIN_S)

    async def _look(self) -> None:
        """Look again and again which tables a cluster has.

        We ask only for what the broker retains, so that a flood of `state` is no message of ours.
        It sends one message for each table. So a thousand tables are looked for less often.
        """
        while True:
            await self._up.wait()
            with suppress(LinkLost, KeyError):
                self._links[FLOOR].once(f"{EVERY}/state")
            await asyncio.sleep(max(_LOOK_S, len(self._tables) / _LOOKED_AT))

    def _found(self, topic: str) -> None:
        """Have a session for the table that has this topic from now on."""
        with suppress(ValueError):
            _, _, site, table, _ = topic.split("/")
            self.hear_only(self._tables | {TableId(site, table)})

    async def _join(self, name: str, node: BrokerAddress, at: TableId | None) -> Link:
        """Connect a session, and hear everything of this table, if any. Raises LinkLost."""
        receipts = Receipts()
        heard = partial(self._delivered, receipts) if at else lambda topic, *_: self._found(topic)
        link = await connect(
            node, name, None, _nothing, _nobody, delivered=heard, durable=self._own
        )
        if self._own:
            link.lost.add_done_callback(lambda _: self._lost(receipts))
        receipts.begin(link)
        if at:
            link.ask_for((f"{at.root}/{one}", node.heard_at) for one in EVENTS)
            link.ask_for((f"{at.root}/{one}", 0) for one in PICTURES)
        self._links[name] = link
        return link

    async def _end(self, name: str, link: Link) -> str:
        """Wait until a connection is lost, and return why. Close it if we are cancelled."""
        try:
            return await asyncio.shield(link.lost)
        finally:
            del self._links[name]
            link.close()


def _name(at: TableId) -> str:
    """The client id of a table's session. No name of a site or table contains a slash."""
    return f"{FLOOR}/{at.site}/{at.table}"


def _nothing(*_: Any) -> None:
    """Ignore a message, because `delivered` gets all messages."""


def _nobody(_mid: int) -> None:
    """Ignore the acknowledgement of a request: the table's answer says more."""
