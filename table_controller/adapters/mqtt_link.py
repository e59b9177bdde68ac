"""One connection to a broker: paho on the event loop, from CONNECT until the connection is lost.

The module knows no outbox and no topic. paho queues messages that are published while offline, and
after a reconnect sends them again without telling us (seen: e1 e2 e3 e4 e1 e2 e3). So a `Link` is
one client for one connection. A `Link` publishes only while connected, and once lost it is never
used again.

None of paho's threads runs: asyncio watches paho's socket. Only connecting, which blocks on name
service, TCP and TLS, happens in a separate thread. That thread is a daemon, so an unreachable
broker delays no shutdown.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any

import paho.mqtt.client as paho
from msgspec import Struct
from msgspec.structs import replace
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode

from firmware_bridge.trouble import Trouble
from table_controller.adapters.mqtt_messages import Message
from table_controller.service import logs

CONNECT_S = 5.0
"""How long a broker may take to accept us, in seconds."""
MISC_PART = 1 / 15
"""How often paho checks whether a ping is due: after this part of the time between two pings."""
MOST_READ = 64
"""How many messages of one of the floor's sessions are read in one turn of the event loop."""

Heard = Callable[[str, bytes, bool], None]
"""Called with topic, payload and whether it was retained. Raising ends the connection."""
Delivered = Callable[[str, bytes, int], None]
"""Called with topic, payload and the number for `Link.taken`, or 0 if none is needed."""


class LinkLost(Exception):
    """The connection to the broker is lost. `why` is the reason and the remedy."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class BrokerAddress(Struct, frozen=True, kw_only=True):
    """The broker's address, and our identity there.

    Attributes:
        socket: a broker's socket on this machine, in place of host and port.
        ca: PEM file of the authority that signed the broker's certificate. If it is set, TLS is
            used.
        certificate, key: our own PEM files, if the broker asks for a certificate.
        keepalive_s: after this many seconds of silence we ping the broker.
        hosts: further hosts of the same broker at the same port, such as a cluster's other nodes.
    """

    host: str = "127.0.0.1"
    port: int = 1883
    hosts: tuple[str, ...] = ()
    socket: Path | None = None
    username: str = ""
    password: str = ""
    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None
    keepalive_s: int = 15

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"

    __repr__ = __str__  # never the password

    @property
    def heard_at(self) -> int:
        """The QoS of our subscriptions: 1 at our own broker, which then slows down a flood for us.

        Elsewhere the QoS is 0. A cluster keeps a replicated queue for every subscription with QoS
        1, and a thousand tables would overload it. A client that asks gets an answer, or asks
        again.
        """
        return 1 if self.socket else 0

    def nodes(self) -> tuple[BrokerAddress, ...]:
        """Return this address once for each host, in the order in which the hosts are tried."""
        return tuple(replace(self, host=host, hosts=()) for host in (self.host, *self.hosts))


class Link:
    """A connection to a broker.

    `connect` makes it. `lost` is a future that is done when the connection has ended.
    """

    def __init__(
        self, client: paho.Client, heard: Heard, acknowledged: Callable[[int], None], qos: int = 0
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._client, self._qos = client, qos
        self._delivered: Delivered | None = None
        self._messages = 0
        self._needed: set[int | None] = set()
        self._heard = heard
        self._acknowledged = acknowledged
        self._writing = False
        self._misc: asyncio.TimerHandle | None = None
        self._accepted: asyncio.Future[None] = self._loop.create_future()
        self.lost: asyncio.Future[str] = self._loop.create_future()
        """Done once the connection is gone. The result is the reason."""

    def publish(self, message: Message) -> int:
        """Write one message to the socket. Return the number that the broker's PUBACK will have.

        Raises LinkLost if the connection is gone. Nothing is queued then.
        """
        self._alive()
        info = self._client.publish(
            message.topic, message.payload, qos=message.qos, retain=message.retain
        )
        self._flush()
        if info.rc != MQTTErrorCode.MQTT_ERR_SUCCESS:
            raise LinkLost(paho.error_string(info.rc))
        return info.mid

    def subscribe(self, *patterns: str) -> None:
        """Subscribe to these topics. Raises LinkLost."""
        self._alive()
        self._client.subscribe([(pattern, self._qos) for pattern in patterns])
        self._flush()

    def ask_for(self, patterns: Iterable[tuple[str, int]]) -> None:
        """Subscribe to these topics, each with its QoS. Give up the link if one of them is refused.

        A cluster in trouble refuses subscriptions, and would then send us nothing for ever. Raises
        LinkLost.
        """
        self._alive()
        _, mid = self._client.subscribe(list(patterns))
        self._needed.add(mid)
        self._flush()

    def taken(self, mids: Iterable[int]) -> None:
        """Acknowledge messages that were delivered in a durable session. Raises LinkLost."""
        self._alive()
        for mid in mids:
            self._client.ack(mid, 1)
        self._flush()

    def unsubscribe(self, *patterns: str) -> None:
        """Unsubscribe from these topics. Raises LinkLost."""
        self._alive()
        self._client.unsubscribe(list(patterns))
        self._flush()

    def once(self, topic: str) -> None:
        """Ask only for the messages that the broker retains at a topic now, and not for later ones.

        Raises LinkLost.
        """
        self.subscribe(topic)
        self.unsubscribe(topic)

    def close(self) -> None:
        """Disconnect properly, so that the broker publishes no last will, and close the socket."""
        if not self.lost.done():
            self._client.disconnect()
            self._flush()
        self._end("closed by us")

    def abandon(self, why: str) -> None:
        """Drop the connection without a disconnect message, since it cannot be trusted."""
        self._end(why)

    def _alive(self) -> None:
        if self.lost.done():
            raise LinkLost(self.lost.result())

    # From here on: paho's side of the connection.

    def _adopt(self) -> None:
        """Watch the socket that the connecting thread opened."""
        watched = self._client.socket()
        if watched is None:
            self._end(Trouble("the broker closed the connection"))
            return
        if isinstance(watched, socket.socket) and watched.family != socket.AF_UNIX:
            watched.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._client.on_connect = self._on_connect
        self._client.on_disconnect = self._on_disconnect
        self._client.on_publish = self._on_publish
        self._client.on_message = self._on_message
        self._client.on_subscribe = self._on_subscribe
        self._client.on_socket_close = self._on_socket_close
        self._loop.add_reader(watched.fileno(), self._read)
        self._misc = self._loop.call_later(self._client.keepalive * MISC_PART, self._tick)
        self._flush()

    def _read(self) -> None:
        for _ in range(MOST_READ if self._delivered else 1):
            before = self._messages
            self._client.loop_read()
            if self._messages == before or self.lost.done():
                break
        # TLS may hold decrypted bytes that the selector does not know of
        while isinstance(tls := self._client.socket(), ssl.SSLSocket) and tls.pending():
            self._client.loop_read()
        self._flush()

    def _flush(self) -> None:
        """Write the waiting bytes. Ask the loop to call again only while the socket is full."""
        if self._client.want_write():
            self._client.loop_write()
        watched = self._client.socket()
        waiting = watched is not None and self._client.want_write()
        if waiting and not self._writing:
            self._loop.add_writer(watched.fileno(), self._flush)  # type: ignore[union-attr] # waiting says so
        elif self._writing and not waiting and watched is not None:
            self._loop.remove_writer(watched.fileno())
        self._writing = waiting

    def _tick(self) -> None:
        self._misc = None
        self._client.loop_misc()
        self._flush()
        if not self.lost.done():
            self._misc = self._loop.call_later(self._client.keepalive * MISC_PART, self._tick)

    def _end(self, why: str) -> None:
        if self._misc:
            self._misc.cancel()
            self._misc = None
        watched = self._client.socket()
        if watched is not None:
            self._on_socket_close(self._client, None, watched)
            watched.close()
        if not self.lost.done():
            self.lost.set_result(why)
        if not self._accepted.done():
            self._accepted.set_exception(LinkLost(why))
            self._accepted.exception()  # so that asyncio does not complain if nobody waits

    def _on_connect(
        self, _client: paho.Client, _data: Any, _flags: Any, reason: Any, _properties: Any
    ) -> None:
        if reason.is_failure:
            self._end(_refusal(str(reason)))
        elif not self._accepted.done():
            self._accepted.set_result(None)

    def _on_disconnect(
        self, _client: paho.Client, _data: Any, _flags: Any, reason: Any, _properties: Any
    ) -> None:
        self._end(Trouble("the connection ended ({error})", error=str(reason)))

    def _on_publish(
        self, _client: paho.Client, _data: Any, mid: int, _reason: Any, _properties: Any
    ) -> None:
        self._acknowledged(mid)

    def _on_subscribe(
        self, _client: paho.Client, _data: Any, mid: int, reasons: Any, _properties: Any
    ) -> None:
        if mid in self._needed:
            self._needed.discard(mid)
            if any(reason.is_failure for reason in reasons):
                self.abandon(Trouble("it refused a subscription that we need"))

    def _on_message(self, _client: paho.Client, _data: Any, message: paho.MQTTMessage) -> None:
        self._messages += 1
        try:
            topic = message.topic
        except UnicodeDecodeError:
            topic = ""  # no topic of ours, so the listener counts it as strange
        try:
            if self._delivered:
                mid = message.mid if message.qos else 0
                self._delivered(topic, bytes(message.payload), mid)
            else:
                self._heard(topic, bytes(message.payload), message.retain)
        except Exception as failure:  # noqa: BLE001 - paho would deliver the same message for ever
            logs.fault("hearing a message failed", failure)
            self.abandon(
                Trouble("hearing it failed by a fault of the program: its places are in the log")
            )

    def _on_socket_close(self, _client: paho.Client, _data: Any, watched: Any) -> None:
        if watched.fileno() >= 0:
            self._loop.remove_reader(watched.fileno())
            self._loop.remove_writer(watched.fileno())
        self._writing = False


def _refusal(reason: str) -> Trouble:
    return Trouble(
        "it refused us ({error}); check user name, password and the broker's ACL", error=reason
    )


def _client(
    address: BrokerAddress, client_id: str, will: Message | None, *, durable: bool
) -> paho.Client:
    client = paho.Client(
        CallbackAPIVersion.VERSION2,
        client_id=client_id,
        clean_session=not durable,
        manual_ack=durable,
        protocol=paho.MQTTv311,
        transport="unix" if address.socket else "tcp",
        reconnect_on_failure=False,
    )
    client.connect_timeout = CONNECT_S
    client.max_inflight_messages_set(0)  # the window is the publisher's
    if will:
        client.will_set(will.topic, will.payload, will.qos, will.retain)
    if address.username:
        client.username_pw_set(address.username, address.password)
    if address.ca:
        context = ssl.create_default_context(cafile=address.ca)
        if address.certificate:
            context.load_cert_chain(address.certificate, address.key)
        client.tls_set_context(context)
    return client


async def connect(
    address: BrokerAddress,
    client_id: str,
    will: Message | None,
    heard: Heard,
    acknowledged: Callable[[int], None],
    *,
    delivered: Delivered | None = None,
    durable: bool = True,
) -> Link:
    """Connect and wait until the broker accepts us. This takes at most twice `CONNECT_S`.

    `will` is the last will. `heard` gets messages, and `acknowledged` the numbers of PUBACKs. With
    `delivered`, `heard` gets nothing. The session is then `durable`, unless we say otherwise: the
    broker keeps messages until `taken` acknowledges them, even while we are away. Raises LinkLost
    with a sentence for people.
    """
    try:
        client = _client(address, client_id, will, durable=durable and delivered is not None)
    except OSError as error:  # ssl.SSLError is one
        raise LinkLost(
            Trouble("its certificates cannot be used: {error}", error=str(error))
        ) from None
    await _in_thread(client, address)
    link = Link(client, heard, acknowledged, address.heard_at)
    link._delivered = delivered
    link._adopt()
    try:
        async with asyncio.timeout(CONNECT_S):
            await asyncio.shield(link._accepted)
    except TimeoutError:
        why = Trouble("it did not answer within {s} s", s=round(CONNECT_S))
        link.abandon(why)
        raise LinkLost(why) from None
    except asyncio.CancelledError:
        link.close()
        raise
    return link


Connects = Callable[
    [BrokerAddress, str, Message, Heard, Callable[[int], None]],
    Awaitable[Link],
]
"""Opens a connection, as `connect` does."""


async def _in_thread(client: paho.Client, address: BrokerAddress) -> None:
    """Run paho's blocking connect in a thread, while the event loop goes on. Raises LinkLost."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[None] = loop.create_future()

    def settle(failure: Trouble | None) -> None:
        if done.cancelled():
            client.disconnect()
        elif failure:
            done.set_exception(LinkLost(failure))
        else:
            done.set_result(None)

    def work() -> None:
        try:
            host = str(address.socket or address.host)
            client.connect(host, address.port, address.keepalive_s)
            failure = None
        except (OSError, ValueError) as error:
            failure = Trouble("it cannot be reached: {error}", error=str(error))
        try:
            loop.call_soon_threadsafe(settle, failure)
        except RuntimeError:  # the program is ending, and its loop is closed
            client.disconnect()

    threading.Thread(target=work, name="mqtt-connect", daemon=True).start()
    await done
