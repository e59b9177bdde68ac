"""Whoever connects to a floor's port for tables and says nothing keeps no table out."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import ssl
from contextlib import suppress

import pytest

from table_controller.adapters.addresses import listening
from table_controller.adapters.mqtt_link import BrokerAddress, LinkLost, connect
from table_controller.adapters.mqtt_names import TableId
from table_controller.floor import table_port
from table_controller.floor.certificates import ready
from table_controller.floor.engine import TableBroker, account
from table_controller.floor.floor import Floor
from tests.limits import PATIENCE_S

ONE, TWO = TableId("casino", "one"), TableId("casino", "two")
TABLES = tuple(account(at, "a table's secret") for at in (ONE, TWO))
CONNECT = b"\x10\x0f\x00\x04MQTT\x04\x02\x00\x00\x00\x03one"


class Port:
    """A port in this process, in front of a real Mosquitto."""

    def __init__(self, folder):
        self.certificates = ready(folder, ("127.0.0.1",))
        self.broker = TableBroker(
            TABLES, "the floor's", host="127.0.0.1", port=0, served=self.certificates.served
        )

    async def __aenter__(self):
        await self.broker.start()
        listens = listening("127.0.0.1", 0)
        self.port = listens.getsockname()[1]
        behind = self.broker.socket.with_name("tables.sock")
        through = table_port.TablePort(listens, self.certificates.served, behind)
        self._running = asyncio.create_task(through.run())
        return self

    async def __aexit__(self, *_):
        self._running.cancel()
        await asyncio.gather(self._running, return_exceptions=True)
        await self.broker.stop()

    async def table(self, number=0, secret="a table's secret"):
        """The connection of a table."""
        address = BrokerAddress(
            port=self.port, username=TABLES[number].user.name, password=secret,
            ca=self.certificates.root,
        )  # fmt: skip
        return await connect(address, "any", None, lambda *_: None, lambda _: None)

    async def stranger(self, *, tls=False):
        """A connection of somebody without an account: its reader and writer."""
        trust = ssl.create_default_context(cafile=self.certificates.root) if tls else None
        return await asyncio.open_connection("127.0.0.1", self.port, ssl=trust)


def run(folder, story):
    async def work():
        async with asyncio.timeout(PATIENCE_S), Port(folder) as port:
            return await story(port)

    return asyncio.run(work())


async def closed(reader):
    """Wait until the other side has closed a connection."""
    with suppress(ConnectionError):
        while await reader.read(100):
            pass


def test_idle_connections_end_as_more_come_and_a_table_is_let_in(tmp_path, monkeypatch):
    monkeypatch.setattr(table_port, "MOST_SILENT", 8)

    async def story(port):
        at_home = await port.table()
        idle = [await port.stranger() for _ in range(40)]
        other = await port.table(1)
        for reader, _ in idle[:-8]:
            await closed(reader)
        for _, writer in idle:
            writer.close()
        lost = at_home.lost.done(), other.lost.done()
        at_home.close()
        other.close()
        return lost

    assert run(tmp_path, story) == (False, False)


def test_what_is_not_signed_in_soon_ends_and_what_is_signed_in_stays(tmp_path, monkeypatch):
    async def story(port):
        table = await port.table()
        monkeypatch.setattr(table_port, "CONNECT_S", 0.3)
        silent, _ = await port.stranger()
        _, torn = begun = await port.stranger()
        torn.write(b"\x16\x03\x01")
        handshaken, _ = await port.stranger(tls=True)
        _, half = halfway = await port.stranger(tls=True)
        half.write(CONNECT[:9])
        for reader in (silent, begun[0], handshaken, halfway[0]):
            await closed(reader)
        assert not table.lost.done()
        table.close()

    run(tmp_path, story)


@pytest.mark.parametrize(
    "said",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"\x30\x05\x00\x03a/bc",
        b"\x10\xff\xff\xff\xff",
        b"\x10\x80\x80\x04",
        CONNECT,  # it has no account
    ],
)
def test_what_is_no_table_s_connect_is_closed(tmp_path, said):
    async def story(port):
        reader, writer = await port.stranger(tls=True)
        writer.write(said)
        await closed(reader)
        with pytest.raises(LinkLost, match="it refused us"):
            await port.table(secret="another's")

    run(tmp_path, story)


def test_a_port_that_ends_begins_again(tmp_path):
    """And Mosquitto with it: the tables come back by themselves."""

    async def story():
        certificates = ready(tmp_path, ("127.0.0.1",))
        said = []
        floor = Floor(
            tmp_path, port=0, served=certificates.served, guests=TABLES, trouble=said.append
        )
        async with asyncio.timeout(PATIENCE_S), floor:
            address = BrokerAddress(
                port=floor.broker.port, username=TABLES[0].user.name, password="a table's secret",
                ca=certificates.root,
            )  # fmt: skip
            first = await connect(address, "any", None, lambda *_: None, lambda _: None)
            assert isinstance(floor.broker, TableBroker)
            os.kill(floor.broker._port.pid, signal.SIGKILL)
            await first.lost
            while True:
                with suppress(LinkLost):
                    again = await connect(address, "any", None, lambda *_: None, lambda _: None)
                    break
                await asyncio.sleep(0.05)
            again.close()
        return said

    assert "The tables' port ended (killed by signal 9). It begins again." in asyncio.run(story())


def test_a_taken_port_is_named(tmp_path):
    async def story(taken):
        served = ready(tmp_path, ("127.0.0.1",)).served
        broker = TableBroker(TABLES, "s", host="127.0.0.1", port=taken, served=served)
        with pytest.raises(OSError, match=f"port {taken} at 127.0.0.1 is taken"):
            await broker.start()
        await broker.stop()

    with socket.create_server(("127.0.0.1", 0)) as other:
        asyncio.run(story(other.getsockname()[1]))
