"""The door before amqtt: who comes in, under which name, and how much he may send or leave.

Knows amqtt's packets, sessions and plugins, the accounts and the rules of topics; no event.
amqtt (0.12) by itself takes a session's place before it asks for the password, keeps refused
sessions, publishes anybody's last will, reads packets of any size, and gives every newcomer the
retained messages of everybody's subscriptions. So CONNECT is read and judged here first, reading
and writing have bounds, and what is retained goes only to whoever may read it.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import socket
import struct
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from amqtt.adapters import StreamReaderAdapter, StreamWriterAdapter
from amqtt.broker import Broker
from amqtt.contexts import Action, BrokerConfig, ListenerConfig, ListenerType
from amqtt.errors import AMQTTError, MQTTError, NoDataError
from amqtt.mqtt.connect import ConnectPacket
from amqtt.mqtt.puback import PubackPacket
from amqtt.plugins.base import BaseAuthPlugin, BaseTopicPlugin
from amqtt.session import Session

from table_controller.adapters import mosquitto
from table_controller.adapters.broker_rules import Account, Role, User, may_read, may_write
from table_controller.adapters.limits import (
    CONNECT_S,
    MAX_CONNECT,
    MAX_CONNECTIONS,
    MAX_FILTERS,
    MAX_KNOCKING,
    MAX_PACKET,
    MAX_RETAINED,
    MAX_UNREAD,
    MAX_UNRELEASED,
    WRONG_PASSWORD_S,
)

_BAD_PROTOCOL, _BAD_PASSWORD, _NOT_ALLOWED = 1, 4, 5


class _Turned(Exception):
    """Somebody is not admitted; the argument is CONNACK's return code."""


class _Reader(StreamReaderAdapter):  # type: ignore[misc] # untyped base
    """Reads no more at once than a packet may hold; after that, nothing at all."""

    def __init__(self, stream: asyncio.StreamReader, most: int) -> None:
        super().__init__(stream)
        self.most = most
        self.first = b""  # bytes that come before those of the stream
        self._bad = False

    async def read(self, n: int = -1) -> bytes:
        if not 0 <= n <= self.most or self._bad:
            self._bad = True
            raise ConnectionResetError  # amqtt takes it as the end
        if self.first:
            told, self.first = self.first[:n], self.first[n:]
            return told
        told = await super().read(n)
        assert isinstance(told, bytes)
        return told


class _Writer(StreamWriterAdapter):  # type: ignore[misc] # untyped base
    """Never waits for a slow client, and lets one go that leaves too much unread."""

    def __init__(self, stream: asyncio.StreamWriter) -> None:
        super().__init__(stream)
        self.transport = stream.transport

    def write(self, data: bytes) -> None:
        super().write(data)
        if self.transport.get_write_buffer_size() > MAX_UNREAD:
            line = self.transport.get_extra_info("socket")  # the kernel shall forget the rest too
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.transport.abort()

    async def drain(self) -> None:
        """Return at once: `write` keeps the bound."""


class Secrets:
    """Checks passwords in a time that tells nothing."""

    def __init__(self, accounts: Iterable[Account]) -> None:
        self._accounts = {account.user.name: account for account in accounts}

    def user(self, name: str, password: str) -> User | None:
        """Return whose name and password these are, or None."""
        account = self._accounts.get(name)
        secret = account.secret if account else ""
        if secret.startswith("$7$"):
            right = mosquitto.matches(password, secret)
        else:
            right = hmac.compare_digest(_digest(secret), _digest(password))
        return account.user if account and right else None


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


@dataclass
class _Inside:
    """Somebody who was admitted."""

    user: User
    writer: _Writer
    task: asyncio.Task[Any]


class Door:
    """Admits clients to an amqtt broker that nobody reaches otherwise."""

    def __init__(self, accounts: Iterable[Account]) -> None:
        self._secrets = Secrets(accounts)
        self._broker = _Broker(
            BrokerConfig(
                listeners={"default": ListenerConfig(type=ListenerType.EXTERNAL, bind="door")},
                plugins={
                    f"{__name__}.AdmittedOnly": {"door": self},
                    f"{__name__}.Topics": {"door": self},
                },
            )
        )
        self._broker.door = self
        self._inside: dict[str, _Inside] = {}
        self._knocking: dict[asyncio.Task[Any], _Writer] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self.counts: Counter[str] = Counter()
        """`turned_away`, `not_mqtt`, `forbidden`, `too_many`, `unreleased`, `not_retained`."""

    async def open(self) -> None:
        """Start the broker behind the door."""
        await self._broker.start()

    async def ended(self) -> BaseException | None:
        """Wait until it delivers no more, which only a fault brings about; the fault."""
        delivering = self._broker._broadcast_task
        if delivering is None:
            return None
        await asyncio.wait([delivering])
        return None if delivering.cancelled() else delivering.exception()

    async def close(self) -> None:
        """Let everybody go and stop the broker."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._broker.shutdown()

    def user(self, client: str | None) -> User | None:
        """Who was admitted under this client id."""
        inside = self._inside.get(client or "")
        return inside.user if inside else None

    async def admit(self, stream: asyncio.StreamReader, out: asyncio.StreamWriter) -> None:
        """Serve one connection, from its first byte to its last."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            await self._serve(_Reader(stream, MAX_CONNECT), _Writer(out), task)
        except _Turned as turned:
            self.counts["turned_away"] += 1
            out.write(bytes((0x20, 2, 0, *turned.args)))  # CONNACK
            out.close()
        except (AMQTTError, MQTTError, NoDataError, ValueError, struct.error, TimeoutError):
            self.counts["not_mqtt"] += 1
        except asyncio.CancelledError:
            pass  # the door closes
        finally:
            self._tasks.discard(task)
            if not out.is_closing():
                out.transport.abort()

    async def _serve(self, reader: _Reader, writer: _Writer, task: asyncio.Task[Any]) -> None:
        self._knocking[task] = writer
        if len(self._knocking) > MAX_KNOCKING:
            self.counts["too_many"] += 1
            self._knocking.pop(next(iter(self._knocking))).transport.abort()
        try:
            client, user = await self._read_connect(reader)
        finally:
            self._knocking.pop(task, None)
        if len(self._inside) >= MAX_CONNECTIONS and client not in self._inside:
            self.counts["too_many"] += 1
            return
        while older := self._inside.get(client):  # ends first, its last will included
            older.writer.transport.abort()
            await asyncio.wait([older.task])
        self._inside[client] = _Inside(user, writer, task)
        reader.most = MAX_PACKET
        try:
            await self._broker.external_connected(reader, writer, "default")
        finally:
            del self._inside[client]

    async def _read_connect(self, reader: _Reader) -> tuple[str, User]:
        """Read and judge CONNECT; returns the client's id at the broker, and who it is.

        The id gets the user's name before it, so that nobody takes another's place; sessions
        are never kept, since gaps are filled by `replay`. Raises _Turned.
        """
        async with asyncio.timeout(CONNECT_S):
            packet = await ConnectPacket.from_stream(reader)
        header, said = packet.variable_header, packet.payload
        if header.proto_level != 4 or header.proto_name != "MQTT":
            raise _Turned(_BAD_PROTOCOL)
        user = self._secrets.user(said.username or "", said.password or "")
        if user is None:
            await asyncio.sleep(WRONG_PASSWORD_S)
            raise _Turned(_BAD_PASSWORD)
        if header.will_flag and not may_write(user, said.will_topic or ""):
            raise _Turned(_NOT_ALLOWED)
        said.client_id = f"{user.name}/{said.client_id}"
        header.clean_session_flag = True
        reader.first = packet.to_bytes()
        return said.client_id, user


class AdmittedOnly(BaseAuthPlugin):  # type: ignore[misc] # untyped base
    """amqtt's question who may connect: whom the door has admitted, under that name."""

    @dataclass
    class Config:
        """The plugin's settings."""

        door: Any

    async def authenticate(self, *, session: Session) -> bool:
        """Whether the door knows this session's id and user together."""
        user = self.config.door.user(session.client_id)
        return user is not None and user.name == session.username


class Topics(BaseTopicPlugin):  # type: ignore[misc] # untyped base
    """amqtt's question who may write and read what. Any filter may be asked for.

    As with Mosquitto, a filter only chooses from what its user may read.
    """

    Config = AdmittedOnly.Config

    async def topic_filtering(
        self,
        *,
        session: Session | None = None,
        topic: str | None = None,
        action: Action | None = None,
    ) -> bool:
        """Whether this user may do this."""
        user = self.config.door.user(session.client_id if session else None)
        if user is None or session is None or topic is None:
            return False
        match action:
            case Action.PUBLISH:
                allowed = may_write(user, topic)
            case Action.RECEIVE:
                allowed = may_read(user, topic)
            case _:
                asked = session.attributes.get(_ASKED, 0) + 1
                session.attributes[_ASKED] = asked
                allowed = asked <= MAX_FILTERS
        if not allowed and action is not Action.RECEIVE:
            self.config.door.counts["forbidden"] += 1
        return allowed


_ASKED = "schlitten.filters"


class _Steady(dict[str, list[tuple[Session, int]]]):
    """Subscriptions that may change while amqtt goes through them, which loses it messages."""

    def __iter__(self) -> Iterator[str]:
        return iter(list(super().__iter__()))

    def items(self) -> Any:
        """Return a copy of now: it is walked with other tasks between the steps."""
        return [(pattern, list(members)) for pattern, members in super().items()]


class _Marked(asyncio.Queue[Any]):
    """What is to be passed on, in order; an event among it is set when all before it was."""

    async def get(self) -> Any:
        """The next message."""
        while isinstance(told := await super().get(), asyncio.Event):
            told.set()
        return told


class _Broker(Broker):  # type: ignore[misc] # untyped base
    door: Door

    def __init__(self, config: BrokerConfig) -> None:
        super().__init__(config)
        self._subscriptions = _Steady()
        self._broadcast_queue = _Marked()
        self._handed: dict[int, asyncio.Event] = {}

    async def _handle_message_delivery(
        self, client_session: Session, handler: Any, wait_deliver: Any
    ) -> bool:
        """Pass a message on; once the queue is there, every session has it."""
        message = wait_deliver.result()
        goes_on: bool = await super()._handle_message_delivery(
            client_session, handler, wait_deliver
        )
        if message is not None and self._is_table(client_session) and message.qos == 1:
            await self._broadcast_queue.put(self._handed_over(message.packet_id))
        return goes_on

    def _handed_over(self, packet_id: int) -> asyncio.Event:
        """Set once that message of the table's was handed to every session that subscribed it."""
        return self._handed.setdefault(packet_id, asyncio.Event())

    def _is_table(self, session: Session | None) -> bool:
        user = self.door.user(session.client_id if session else None)
        return user is not None and user.role is Role.TABLE

    async def _handle_client_session(
        self, reader: Any, writer: Any, client_session: Session, handler: Any, *more: Any
    ) -> None:
        """Let a client go that leaves too much unreleased: amqtt keeps it all, for ever.

        And acknowledge what the table tells once it was handed on, or queued within each session's
        bound: amqtt does so before. Who is beyond his bound is let go, and holds nobody.
        """
        publish, send = handler.handle_publish, handler._send_packet

        async def in_its_turn(packet: Any) -> None:
            if isinstance(packet, PubackPacket) and self._is_table(client_session):
                number = packet.variable_header.packet_id
                await self._handed_over(number).wait()
                self._handed.pop(number, None)
            await send(packet)

        async def bounded(packet: Any) -> None:
            if packet.qos == 2 and len(client_session.inflight_in) >= MAX_UNRELEASED:
                self.door.counts["unreleased"] += 1
                writer.transport.abort()
                return
            await publish(packet)

        handler.handle_publish, handler._send_packet = bounded, in_its_turn
        try:
            await super()._handle_client_session(reader, writer, client_session, handler, *more)
        finally:
            if self._is_table(client_session):  # nobody waits for an answer any more
                for handed in self._handed.values():
                    handed.set()
                self._handed = {}

    async def retain_message(
        self, source_session: Session | None, topic_name: str | None, *what: Any
    ) -> None:
        """Keep what the table retains; anybody else's message is passed on and not kept."""
        fits = topic_name in self._retained_messages or len(self._retained_messages) < MAX_RETAINED
        if self._is_table(source_session) and fits:
            await super().retain_message(source_session, topic_name, *what)
        else:
            self.door.counts["not_retained"] += 1

    async def _publish_retained_messages_for_subscription(
        self, subscription: tuple[str, int], session: Session
    ) -> None:
        """Give a session what is retained of its own subscriptions and may be read.

        amqtt calls this also for everybody's subscriptions when somebody connects.
        """
        pattern, qos = subscription
        handler = self._get_handler(session)
        own = any(member is session for member, _ in self._subscriptions.get(pattern, ()))
        if handler is None or not own:
            return
        told = [
            handler.mqtt_publish(topic, kept.data, min(qos, kept.qos or 0), retain=True)
            for topic, kept in list(self._retained_messages.items())
            if self._matches(topic, pattern)
            and await self._topic_filtering(session, topic, Action.RECEIVE)
        ]
        await asyncio.gather(*told, return_exceptions=True)  # as ever, 5 s for each PUBACK
