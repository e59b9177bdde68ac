"""The floor's port for tables: TLS and a table's CONNECT, in front of the floor's broker.

Mosquitto counts no connection that has not signed in. So whoever opens connections and sends
nothing would take all its file handles. Here, connections are counted from the first byte, and only
one that has sent a CONNECT over TLS reaches Mosquitto, by a socket.

The module is a program of its own: `python -m table_controller.floor.table_port HOST PORT PEM
SOCKET`. So a thousand tables that connect together do not delay the floor. `READY` is its only
output. It knows MQTT only as far as the first packet.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import sys
from asyncio import StreamReader, StreamReaderProtocol, StreamWriter
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import Final

from table_controller.adapters.addresses import CannotServe, listening
from table_controller.adapters.handshake_limits import Address, Door, Knocking
from table_controller.adapters.limits import (
    BACKLOG,
    CONNECT_S,
    MOST_BEGUN,
    MOST_CONNECT_BYTES,
    MOST_SILENT,
)

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
