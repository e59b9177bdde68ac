"""Keeps a broker up to date with one table: the outbox's rows in order, and the current pictures.

The module knows topics, the window of unacknowledged rows and the pauses between attempts, but no
game and no database. A row counts as sent only when the broker has acknowledged it; after an outage
the other rows follow in order. While the broker is away, the table has an alert and goes on.
"""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from paho.mqtt.client import topic_matches_sub

from firmware_bridge.trouble import Trouble
from table_controller.adapters.mqtt_link import BrokerAddress, Connects, Link, LinkLost, connect
from table_controller.adapters.mqtt_messages import (
    Health,
    Message,
    State,
    TableState,
    cleared,
    event_message,
    health_message,
    state_message,
)
from table_controller.adapters.mqtt_names import TableId
from table_controller.adapters.mqtt_pictures import Now, pictures
from table_controller.adapters.mqtt_requests import Desk
from table_controller.service.outbox import Outbox
from table_controller.service.rows import Anchor

# ---- Reads messages that a table's earlier run left at the broker, and the table's last will


def state_told(payload: bytes) -> TableState | None:
    """Return the state in a message of `state`; None for any other message."""
    try:
        return _STATE.decode(payload).data.state
    except (ValueError, RecursionError):
        return None


def chain_told(payload: bytes) -> Anchor | None:
    """Return the end of the public chain in a message of `snapshot`; None for any other message."""
    try:
        said = _SNAPSHOT.decode(payload).data
    except (ValueError, RecursionError):
        return None
    return Anchor(said.count, said.chain_head, said.stream)


class _Chain(Struct):
    """The end of the public chain in a snapshot.

    The snapshot's other fields may be from another version.
    """

    count: Annotated[int, Meta(ge=0, le=2**63 - 1)]  # as many as a journal can contain
    chain_head: str
    stream: str = ""


class _SnapshotEvent(Struct):
    data: _Chain


class _StateEvent(Struct):
    data: State


_STATE = msgspec.json.Decoder(_StateEvent)
_SNAPSHOT = msgspec.json.Decoder(_SnapshotEvent)


# ---- Keeps a broker up to date with one table: the outbox's rows in order, and the current
#      pictures

BRIEF_S = 5.0
"""A connection that the broker ends sooner is suspicious. Is there a second program of our name?"""
GOODBYE_S = 0.3
"""How long the last messages may take."""


class Pace(Struct, frozen=True, kw_only=True):
    """The publisher's speed and patience.

    Attributes:
        window: the most rows that may be sent and not yet acknowledged.
        ack_s: the most seconds that the oldest row may stay unacknowledged before the connection
            counts as dead.
        first_s, most_s: the pause between attempts to connect begins with `first_s` seconds, and
            doubles until it is `most_s` seconds.
        picture_s: a picture that follows the events stays at the broker for at least so many
            seconds. Then the newest picture may replace it.
    """

    window: int = 64
    ack_s: float = 10.0
    first_s: float = 0.25
    most_s: float = 30.0
    picture_s: float = 1.0


class _Sent(Struct):
    """A sent message that is not acknowledged yet. `row` is its row in the outbox."""

    mid: int
    row: int
    since: float
    acknowledged: bool = False


def _now() -> float:
    """Return the event loop's time in seconds; in a simulated evening, the simulated time."""
    return asyncio.get_running_loop().time()


class Publisher:
    """Publishes one table at one broker until `run` ends."""

    def __init__(
        self,
        table: TableId,
        address: BrokerAddress,
        outbox: Outbox,
        *,
        boot: str,
        desk: Desk,
        trouble: Callable[[str | None], None],
        found: Callable[[Anchor], None] = lambda _: None,
        announced: Message | None = None,
        pace: Pace | None = None,
        connects: Connects | None = None,
    ) -> None:
        """`trouble` gets a sentence when the broker is lost, and None when it is there (again).

        `found` gets the end of the chain, from the snapshot that an earlier run left at the broker.
        `announced` is a message that announces this table. If it is None, an earlier run's
        announcement is withdrawn. `desk` answers requests.
        """
        self._table = table
        self._addresses = deque(address.nodes())
        self._outbox = outbox
        self._boot = boot
        self._desk = desk
        self._trouble, self._found, self._announced = trouble, found, announced
        self._pace, self._connects = pace or Pace(), connects
        self._now: Now | None = None
        self._drawn: Now | None = None  # the pictures from which `_wanted` was made
        self._wanted: dict[str, Message] = {}
        self._aside: deque[Message] = deque(maxlen=64)  # answers and health, which are no rows
        self._down: str | None = None
        self._reported = False
        self._tidy = asyncio.Event()
        self._rows: deque[_Sent] = deque()
        self._others: dict[int, float] = {}
        self._told: dict[str, bytes] = {}
        self._last = 0
        self._hears: tuple[str, ...] = ()
        #: The time when the loop last completed a round, in monotonic seconds; infinity while there
        #: is no broker.
        self.turned = math.inf
        self._state_topic = table.topic("state")
        self._snapshot_topic = table.topic("snapshot")
        #: The topics that follow the events, and when each was sent last, by the loop's time in
        #: seconds.
        self._pictured = dict.fromkeys(
            (self._snapshot_topic, table.topic("croupier", "picture")), -math.inf
        )

    def show(self, now: Now) -> None:
        """Set the states and pictures to retain at the broker. `run` sends the changed ones."""
        self._now = now
        self._stir()

    def health(self, health: Health) -> None:
        """Publish the current meters, if the broker is connected."""
        if self._down is None:
            now_ms = time.time_ns() // 1_000_000
            self.tell(health_message(health, self._table, now_ms))

    def tell(self, message: Message) -> None:
        """Send an answer or the health, which are no rows. If 64 wait, the oldest is dropped."""
        self._aside.append(message)
        self._stir()

    async def told(self) -> None:
        """Wait until the broker has acknowledged all rows and pictures."""
        while not self._tidy.is_set() or self._outbox.pending(1):
            self._stir()
            await self._tidy.wait()

    async def run(self) -> None:
        """Keep the broker up to date until cancelled. Then publish the state `disconnected`."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._desk.serve(self.tell))
            tasks.create_task(self._stay_connected())

    async def _stay_connected(self) -> None:
        delay = self._pace.first_s
        while True:
            began = time.monotonic()
            hint: str = ""
            try:
                link = await self._connect()
            except LinkLost as lost:
                why = lost.why
            else:
                why = await self._serve(link)
                lasted = time.monotonic() - began
                if lasted > self._pace.most_s:
                    delay = self._pace.first_s
                elif lasted < BRIEF_S:
                    hint = Trouble(
                        "If that goes on, look for a second program with this table's name."
                    )
            lost_at = Trouble(
                "The broker at {address} is lost: {why}. The table goes on, and tells the rest "
                "when it is back.",
                address=str(self._addresses[0]),
                why=why,
            )
            self._report(Trouble("{lost} {hint}", lost=lost_at, hint=hint) if hint else lost_at)
            self._addresses.rotate(-1)
            await asyncio.sleep(delay * random.uniform(0.5, 1.0))
            delay = min(delay * 2, self._pace.most_s)

    async def _connect(self) -> Link:
        self._rows.clear()
        self._others.clear()
        self._told.clear()
        self._last = 0
        will = state_message(TableState.LOST, self._boot, self._table)
        return await (self._connects or connect)(
            self._addresses[0], self._table.client_id, will, self._heard, self._acknowledged
        )

    async def _serve(self, link: Link) -> str:
        """Send and receive until the link is lost. Return the reason for the loss."""
        link.lost.add_done_callback(lambda _: self._stir())
        self._report(None)
        try:
            self._tell_pictures(link, drained=False)
            link.once(self._snapshot_topic)  # before we publish a snapshot
            link.subscribe(
                self._table.announced,
                *(self._table.root + part for part in
                  ("/state", "/alert/+", "/croupier/alert/+"))
            )  # fmt: skip
            self._hears = ()
            while not link.lost.done():
                self.turned = time.monotonic()
                self._listen(link)
                self._outbox.wakeup.clear()
                self._pump(link)
                await self._rest()
        except LinkLost as lost:
            link.abandon(lost.why)
        except OSError as error:
            link.abandon(
                Trouble("what there is to tell cannot be read ({error})", error=str(error))
            )
        except asyncio.CancelledError:
            await self._goodbye(link)
            raise
        finally:
            self.turned = math.inf
        self._tidy.clear()
        return link.lost.result()

    def _listen(self, link: Link) -> None:
        """Subscribe to the requests that the table reads now (`Ear`). Raises LinkLost."""
        wanted = self._desk.ear.patterns()
        if wanted == self._hears:
            return
        for ask, patterns in ((link.subscribe, wanted), (link.unsubscribe, self._hears)):
            if patterns:
                ask(*(f"{self._table.root}/{pattern}" for pattern in patterns))
        self._hears = wanted

    async def _rest(self) -> None:
        """Wait for work, at most until an acknowledgement may be overdue or a picture is due."""
        busy = self._others or self._rows  # their acknowledgements wake it
        due = math.inf if busy else min(self._due(), default=math.inf)
        try:
            async with asyncio.timeout(min(1.0, self._pace.ack_s / 4, due)):
                await self._outbox.wakeup.wait()
        except TimeoutError:
            pass

    def _pump(self, link: Link) -> None:
        """Note acknowledged rows as delivered. Send further rows and pictures. Raises LinkLost."""
        while self._rows and self._rows[0].acknowledged:
            self._outbox.delivered(self._rows.popleft().row)
        while self._aside:
            message = self._aside[0]
            mid = link.publish(message)
            self._aside.popleft()
            if message.qos:
                self._others[mid] = time.monotonic()
        drained = self._send_rows(link)
        self._tell_pictures(link, drained=drained)
        self._check_patience()
        if drained and not self._rows and not self._others and not [*self._due()]:
            self._tidy.set()

    def _send_rows(self, link: Link) -> bool:
        """Send rows until the window is full. Return whether every row has been sent."""
        under_way = len(self._rows)
        if under_way > self._pace.window // 2:
            return False  # wait for room for a whole batch
        room = self._pace.window - under_way
        rows = self._outbox.pending(room, self._last)
        for row in rows:
            message = event_message(row, self._table)
            if message is None:
                self._outbox.delivered(row.id)
            else:
                self._rows.append(_Sent(link.publish(message), row.id, time.monotonic()))
            self._last = row.id
        return len(rows) < room

    def _tell_pictures(self, link: Link, *, drained: bool) -> None:
        """Send each retained message that differs from the message at the broker.

        Nothing is sent until the broker has acknowledged the last such messages. A picture that
        follows the events also waits until the events are sent, and until the previous picture was
        at the broker for `Pace.picture_s` seconds. Raises LinkLost.
        """
        if self._now is None or self._others:
            return
        if self._now is not self._drawn:
            wanted = pictures(self._now, self._table, boot=self._boot, announced=self._announced)
            self._wanted, self._drawn = wanted, self._now
        for topic, message in self._wanted.items():
            if self._told.get(topic) != message.payload and self._may(topic, drained=drained):
                self._retain(link, message)
        for topic in [topic for topic in self._told if topic not in self._wanted]:
            self._retain(link, cleared(topic))
            del self._told[topic]

    def _may(self, topic: str, *, drained: bool) -> bool:
        """Whether the message of `topic` may be sent now.

        `drained` says whether every row has been sent.
        """
        sent = self._pictured.get(topic)
        if sent is None:
            return True
        return drained and self._left(sent) == 0

    def _left(self, sent: float) -> float:
        """Return the seconds until a picture sent at time `sent` may be replaced; 0 means now."""
        return max(0.0, sent + self._pace.picture_s - _now())

    def _due(self) -> Iterator[float]:
        """Yield, for each picture that waits to be replaced, the seconds until this is allowed."""
        for topic, sent in self._pictured.items():
            wanted = self._wanted.get(topic)
            if wanted and topic in self._told and self._told[topic] != wanted.payload:
                yield self._left(sent)

    def _retain(self, link: Link, message: Message) -> None:
        self._others[link.publish(message)] = time.monotonic()
        self._told[message.topic] = message.payload
        if message.topic in self._pictured:
            self._pictured[message.topic] = _now()

    def _check_patience(self) -> None:
        oldest = min(
            [sent.since for sent in list(self._rows)[:1]] + list(self._others.values()),
            default=None,
        )
        if oldest is not None and time.monotonic() - oldest > self._pace.ack_s:
            raise LinkLost(Trouble("it acknowledged nothing for {s} s", s=f"{self._pace.ack_s:g}"))

    def _acknowledged(self, mid: int) -> None:
        self._others.pop(mid, None)
        for sent in self._rows:  # the first one, if the broker keeps to MQTT's order
            if sent.mid == mid:
                sent.acknowledged = True
                break
        self._stir()

    def _heard(self, topic: str, payload: bytes, retained: bool) -> None:
        if topic == self._state_topic:
            self._correct_state(payload)
        elif topic == self._snapshot_topic:
            self._compare(payload, retained)
        elif topic == self._table.announced or any(
            topic_matches_sub(f"{self._table.root}/{part}", topic)
            for part in ("alert/+", "croupier/alert/+")
        ):
            if retained and topic not in self._wanted:  # left by an earlier run
                self._told[topic] = payload
                self._stir()
        else:
            self._desk.hear(topic, payload, retained)
            if not self._desk.ear.open:
                self._outbox.wakeup.set()

    def _correct_state(self, payload: bytes) -> None:
        """Publish the true state again, if an older connection's late last will replaced it."""
        if state_told(payload) is TableState.LOST:
            self._told.pop(self._state_topic, None)
            self._stir()

    def _compare(self, payload: bytes, retained: bool) -> None:
        """Report the chain's end that an earlier run published, in case the journal is older."""
        if retained and (told := chain_told(payload)):
            self._found(told)

    def _report(self, sentence: str | None) -> None:
        """Report that the broker is lost (`sentence` says why), or that it is there (None).

        The first report is always made. A later report is made only if it is the opposite of the
        last.
        """
        if not self._reported or (sentence is None) != (self._down is None):
            self._trouble(sentence)
        self._reported, self._down = True, sentence

    def _stir(self) -> None:
        self._tidy.clear()
        self._outbox.wakeup.set()

    async def _goodbye(self, link: Link) -> None:
        try:
            for topic in self._pictured:  # topics that nobody would publish any more
                if topic in self._told and self._told[topic] != self._wanted[topic].payload:
                    link.publish(self._wanted[topic])
            mid = link.publish(state_message(TableState.DISCONNECTED, self._boot, self._table))
            self._others = {mid: time.monotonic()}
            async with asyncio.timeout(GOODBYE_S):
                while mid in self._others and not link.lost.done():
                    self._outbox.wakeup.clear()
                    await self._outbox.wakeup.wait()
        except (LinkLost, TimeoutError):
            return
        finally:
            link.close()
