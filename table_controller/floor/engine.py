"""The floor's own broker on a single machine: Debian's Mosquitto, and the port before it."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import ssl
import sys
from asyncio import StreamReader, StreamReaderProtocol, StreamWriter
from collections.abc import Iterable
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import Final

from firmware_bridge.trouble import Trouble
from table_controller.adapters import mosquitto
from table_controller.adapters.addresses import CannotServe, listening
from table_controller.adapters.broker import EmbeddedBroker
from table_controller.adapters.broker_rules import (
    FLOOR,
    FOR_STAFF,
    PUBLIC,
    BrokerAccount,
    BrokerRole,
    User,
    table_user,
)
from table_controller.adapters.children import Child
from table_controller.adapters.handshake_limits import Address, Door, Knocking
from table_controller.adapters.limits import (
    BACKLOG,
    CONNECT_S,
    MOST_BEGUN,
    MOST_CONNECT_BYTES,
    MOST_SILENT,
)
from table_controller.adapters.mqtt_names import VERSION, TableId

# ---- The floor's port for tables: TLS and a table's CONNECT, in front of the floor's broker

READY: Final = b"ready\n"
_CONNECT: Final = 0x10
_CONNACK: Final = 0x20
#: Bytes that wait in each direction of a connection until the other side reads.
_WAITING: Final = 16 * 1024
#: Milliseconds after which a table that acknowledges no packet of TCP is gone.
_GONE_MS: Final = 60_000
#: How long to wait if no file handle is free.
_AGAIN_S: Final = 0.1


class TablePort:
    """Lets tables through to the broker at the socket `broker`. `served` has our certificate."""

    def __init__(self, listens: socket.socket, served: Path, broker: Path) -> None:
        """Prepare the port. Raises OSError if the certificate cannot be used."""
        self._tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self._tls.load_cert_chain(served)
        self._broker = broker
        self._silent = Knocking(most=MOST_SILENT, knocks=inf)
        self._begun = Knocking(most=MOST_BEGUN, knocks=inf)
        self._door = Door(listens, self._silent)
        self._tasks = set[asyncio.Task[None]]()

    async def run(self) -> None:
        """Let tables through until cancelled."""
        loop = asyncio.get_running_loop()
        loop.add_reader(self._door, self._accept)
        try:
            await loop.create_future()
        finally:
            loop.remove_reader(self._door)
            self._door.close()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        for _ in range(BACKLOG):
            try:
                one, address = self._door.accept()
            except BlockingIOError:
                return
            except OSError:  # no handle is free, and no connection here can make room
                loop.remove_reader(self._door)
                loop.call_later(_AGAIN_S, loop.add_reader, self._door, self._accept)
                return
            task = loop.create_task(self._serve(one, address))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _serve(self, one: socket.socket, address: Address) -> None:
        """Serve a connection: let it through to the broker, or close it."""
        one.setblocking(False)
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _GONE_MS)
        ends: list[StreamWriter] = []
        try:
            async with asyncio.timeout(CONNECT_S):
                table, broker = await self._admit(one, address, ends)
            self._begun.entered(address)
            await asyncio.gather(_carry(table, ends[1]), _carry(broker, ends[0]))
        except (OSError, EOFError, TimeoutError):
            pass
        finally:
            self._silent.entered(address)
            self._begun.entered(address)
            for end in ends:
                end.transport.abort()
            one.close()

    async def _admit(
        self, one: socket.socket, address: Address, ends: list[StreamWriter]
    ) -> tuple[StreamReader, StreamReader]:
        """Read a table's CONNECT, and send it to the broker.

        Return what reads the table and what reads the broker. `ends` gets the writers of both.
        Raises OSError and EOFError if the connection ends, or is no table's.
        """
        await _first_byte(one)
        self._silent.entered(address)
        self._begun.came(one, address)
        table, to_table = await _over_tls(one, self._tls)
        ends.append(to_table)
        connect = await _read_connect(table)
        broker, to_broker = await asyncio.open_unix_connection(self._broker, limit=_WAITING)
        ends.append(to_broker)
        to_broker.write(connect)
        answer = await broker.read(_WAITING)
        to_table.write(answer)
        if answer[:1] != bytes([_CONNACK]) or answer[3:4] != b"\0":
            to_table.close()
            await to_table.wait_closed()
            raise EOFError
        return table, broker


async def _first_byte(one: socket.socket) -> None:
    """Wait until a connection sends something. Raises EOFError if it ends instead.

    TLS begins only then, because it takes memory.
    """
    loop = asyncio.get_running_loop()
    there: asyncio.Future[None] = loop.create_future()
    loop.add_reader(one, _mark, there)
    try:
        await there
    finally:
        loop.remove_reader(one)
    if not one.recv(1, socket.MSG_PEEK):
        raise EOFError


def _mark(there: asyncio.Future[None]) -> None:
    if not there.done():
        there.set_result(None)


async def _over_tls(one: socket.socket, tls: ssl.SSLContext) -> tuple[StreamReader, StreamWriter]:
    """Do the TLS handshake with a connection. Raises OSError."""
    loop = asyncio.get_running_loop()
    reader = StreamReader(limit=_WAITING, loop=loop)
    protocol = StreamReaderProtocol(reader, loop=loop)
    transport, _ = await loop.connect_accepted_socket(lambda: protocol, one, ssl=tls)
    transport.set_write_buffer_limits(_WAITING)
    return reader, StreamWriter(transport, protocol, reader, loop)


async def _read_connect(table: StreamReader) -> bytes:
    """Read MQTT's first packet, which must be a CONNECT. Raises EOFError for anything else."""
    head = await table.readexactly(2)
    while head[-1] & 0x80 and len(head) < 3:
        head += await table.readexactly(1)
    size = sum((digit & 0x7F) << (7 * place) for place, digit in enumerate(head[1:]))
    if head[0] != _CONNECT or head[-1] & 0x80 or size > MOST_CONNECT_BYTES:
        raise EOFError
    return head + await table.readexactly(size)


async def _carry(source: StreamReader, goal: StreamWriter) -> None:
    """Carry bytes from one side to the other until one of them ends.

    Raises EOFError or OSError then, so that the other direction ends too.
    """
    while some := await source.read(_WAITING):
        goal.write(some)
        await goal.drain()
    with suppress(OSError):
        goal.close()
        await goal.wait_closed()
    raise EOFError


def main(host: str, port: str, served: str, broker: str) -> int:
    """Serve the port until killed. Return the exit code if that fails."""
    try:
        through = TablePort(listening(host, int(port)), Path(served), Path(broker))
    except CannotServe as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"the certificate {served} cannot be used: {error}", file=sys.stderr)
        return 1
    sys.stdout.buffer.write(READY)
    sys.stdout.flush()
    asyncio.run(through.run())
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))


# ---- The floor's own broker on a single machine: Debian's Mosquitto as a child process

EVERY: Final = f"schlitten/{VERSION}/+/+"
#: Messages of one table that may be on their way to the floor, and further messages that wait
#: behind these at the broker. The floor asks the table later for the events beyond.
_MOST_UNDER_WAY: Final = 100
_MOST_WAITING: Final = 500
#: Enrolled tables that are signed in. A floor has up to 1,000 tables, and a lost connection may be
#: open for a while next to its successor.
MOST_TABLES: Final = 1500
#: Bytes of all data that the broker keeps: room for all tables, each with 600 messages of 1 kB that
#: wait. It is the last wall: what a table may write, the floor hears and counts.
MAX_MEMORY: Final = 1024 * 1024 * 1024
#: The socket at which Mosquitto hears the port of the enrolled tables.
_TABLES_SOCKET: Final = "tables.sock"


def account(at: TableId, secret: str) -> BrokerAccount:
    """A table's account at the floor's broker."""
    return BrokerAccount(User(table_user(at), BrokerRole.OF_FLOOR, at), secret)


def floor_acl() -> str:
    """Return the broker's access list for the floor: what it may read and write at every table.

    It writes where a table does, to remove what the broker retains of a table that is shut out.
    """
    heard = (*PUBLIC, *FOR_STAFF, f"response/{FLOOR}/+")
    lines = [f"# the floor\nuser {FLOOR}"]
    lines += [f"topic readwrite {EVERY}/{pattern}" for pattern in heard]
    lines.append(f"topic write {EVERY}/request/{FLOOR}/+")
    return "\n".join(lines) + "\n"


class FloorBroker(EmbeddedBroker):
    """The embedded broker, with room for many tables."""

    def __init__(
        self, tables: Iterable[BrokerAccount], secret: str, *, host: str, port: int
    ) -> None:
        """Prepare a broker for these tables. `secret` is the password of the floor's own account.

        Raises CannotServe if `host` is an address beyond this machine.
        """
        super().__init__(tables, host=host, port=port)
        self._secret = secret

    def admit(self, tables: Iterable[BrokerAccount]) -> None:
        """Admit these tables and no others. A connection without an account is closed.

        Raises OSError if the broker's files cannot be written.
        """
        self._accounts = tuple(tables)
        if self.pid and self.socket:
            for name, text in self._texts(self.socket.parent).items():
                (self.socket.parent / name).write_text(text)
            os.kill(self.pid, signal.SIGHUP)

    def _texts(self, folder: Path) -> dict[str, str]:
        proof = mosquitto.proof(self._secret)
        acl = mosquitto.acl(account.user for account in self._accounts)
        return {
            "passwords": f"{FLOOR}:{proof}\n{mosquitto.passwords(self._accounts)}",
            "acl": f"{floor_acl()}\n{acl}",
            "mosquitto.conf": settings(folder, self._for_tables(folder)),
        }

    def _for_tables(self, folder: Path) -> str:  # noqa: ARG002 - a subclass has a socket there
        """Return where Mosquitto listens for tables."""
        return f"{self.port} {self.host}"


class TableBroker(FloorBroker):
    """The embedded broker over TLS, for the house's enrolled tables.

    `served` is the file with certificate and key, as PEM. Each table has a password, which the
    floor can withdraw without disturbing other tables: Mosquitto reads passwords and access list
    again on SIGHUP, and closes the connections that no longer have an account. Tables reach
    Mosquitto through `table_port.py`, another child, which begins and ends with Mosquitto.
    """

    TLS = True

    def __init__(
        self,
        tables: Iterable[BrokerAccount],
        secret: str,
        *,
        host: str,
        port: int,
        served: Path,
    ) -> None:
        super().__init__(tables, secret, host=host, port=port)
        self._served = served
        self._port: Child | None = None

    async def ended(self) -> None:
        """Wait until Mosquitto or the port has ended, then raise CannotServe with the reason."""
        parts = [asyncio.create_task(super().ended()), asyncio.create_task(self._port_ended())]
        try:
            done, _ = await asyncio.wait(parts, return_when=asyncio.FIRST_COMPLETED)
            for part in done:
                part.result()
        finally:
            for part in parts:
                part.cancel()
            await asyncio.gather(*parts, return_exceptions=True)
            await self._end()

    async def _port_ended(self) -> None:
        if self._port:
            why = await self._port.ended()
            raise CannotServe(
                Trouble("The tables' port ended ({error}). It begins again.", error=why)
            )

    async def _begin(self, name: str, folder: Path) -> None:
        """Start Mosquitto, then the port. Raises CannotServe, OSError."""
        (folder / _TABLES_SOCKET).unlink(missing_ok=True)
        await super()._begin(name, folder)
        place = (self.host, str(self.port), str(self._served), str(folder / _TABLES_SOCKET))
        port = self._port = await Child.begin(
            *(sys.executable, "-I", "-m", __name__, *place), as_us=True, tells=True
        )
        if await port.line() != READY:
            why = await port.ended()
            raise CannotServe(Trouble("The tables' port cannot be served: {error}.", error=why))

    async def _end(self) -> None:
        if self._port:
            await self._port.end()
        self._port = None
        await super()._end()

    def _for_tables(self, folder: Path) -> str:
        return f"0 {folder / _TABLES_SOCKET}\nmax_connections {MOST_TABLES}"


def settings(folder: Path, tables: str) -> str:
    """Return Mosquitto's settings. Nothing is kept on disk.

    `tables` is where it listens for tables. If Mosquitto is killed, it loses messages, but the
    tables still have them. A table's user name is also its client id, so that no table can take
    over another table's connection. The floor alone uses the other socket, with a session and so
    with a client id for each table.
    """
    door = "allow_anonymous false\nmax_qos 1\n"
    return (
        f"listener {tables}\n{door}use_username_as_clientid true\n"
        f"listener 0 {folder}/table.sock\n{door}"
        f"password_file {folder}/passwords\n"
        f"acl_file {folder}/acl\n"
        "set_tcp_nodelay true\n"
        "max_packet_size 262144\n"
        f"max_inflight_messages {_MOST_UNDER_WAY}\n"
        f"max_queued_messages {_MOST_WAITING}\n"
        f"memory_limit {MAX_MEMORY}\n"
        "persistence false\n"
        "sys_interval 0\n"
        "connection_messages false\n"
        "log_dest stderr\n"
        "log_type error\n"
    )
