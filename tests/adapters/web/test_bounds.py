"""Limits on a client's use of the page's server. tests/whole has the crowd of a whole table."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from itertools import cycle

import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from table_controller.adapters.web import bounds
from table_controller.adapters.web.app import app
from table_controller.adapters.web.serve import Server
from tests.adapters.web import samples
from tests.adapters.web.door import Door
from tests.adapters.web.test_serve import next_parts, open_stream, table
from tests.limits import PATIENCE_S

pytestmark = pytest.mark.usefixtures("_few")


@pytest.fixture
def _few(monkeypatch):
    monkeypatch.setattr(bounds, "MOST_CONNECTIONS", 4)
    monkeypatch.setattr(bounds, "SILENT_S", 0.2)
    monkeypatch.setattr(bounds, "UNREAD_S", 0.2)


@contextlib.asynccontextmanager
async def served(site: Starlette | None = None) -> AsyncIterator[tuple[str, int, str]]:
    """Host, port and address of a page."""
    server = Server(site or app(table()), port=0)
    await server.start()
    host, port = server.url.removeprefix("http://").split(":")
    try:
        async with asyncio.timeout(PATIENCE_S):
            yield host, int(port), server.url
    finally:
        await server.stop()


async def ended(reader):
    """Wait until the server has let this connection go."""
    with contextlib.suppress(ConnectionError):
        await reader.read()


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost: loc"])
def test_whoever_asks_for_nothing_is_let_go(said):
    """Nor does half a request keep him."""

    async def play():
        async with served() as (host, port, _):
            reader, writer = await asyncio.open_connection(host, port)
            writer.write(said)
            await ended(reader)
            writer.close()

    asyncio.run(play())


def test_a_second_request_may_follow_and_half_of_one_keeps_nobody():
    """The bound is for each of them anew."""

    async def play():
        async with served() as (host, port, _):
            reader, writer = await asyncio.open_connection(host, port)
            for _ in range(2):
                writer.write(f"HEAD /none HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
                assert b" 404 " in await reader.readline()
                await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HEAD /none HTTP/1.1\r\n")
            await ended(reader)
            writer.close()

    asyncio.run(play())


def half_a_press(host, port, path):
    """A press of a hundred bytes of which one is said."""
    return (
        f"POST {path} HTTP/1.1\r\nHost: {host}:{port}\r\nOrigin: http://{host}:{port}\r\n"
        "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
    ).encode()


@pytest.mark.parametrize("path", ["/say", "/sign-in"])
def test_half_a_press_keeps_nobody(path, capfd):
    """Who breaks off is let go like any silent one, and leaves no line in the log."""

    async def play():
        site = Door().site if path == "/sign-in" else None
        async with served(site) as (host, port, _):
            reader, writer = await asyncio.open_connection(host, port)
            writer.write(half_a_press(host, port, path))
            await ended(reader)
            writer.close()

    asyncio.run(play())

    assert capfd.readouterr().err == ""


def test_half_presses_shut_nobody_out(monkeypatch):
    """Where they have all places, who asks for something takes one of theirs."""
    monkeypatch.setattr(bounds, "SILENT_S", PATIENCE_S)

    async def play():
        async with served(Door().site) as (host, port, _):
            crowd = [await asyncio.open_connection(host, port) for _ in range(4)]
            for _, writer in crowd:
                writer.write(half_a_press(host, port, "/sign-in"))
            reader, writer = await asyncio.open_connection(host, port)
            writer.write(f"GET /healthz HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
            answer = await reader.readline()
            for _, one in (*crowd, (reader, writer)):
                one.close()
            return answer

    assert b" 200 " in asyncio.run(play())


def test_a_fault_at_the_page_is_one_line_of_the_log_that_names_no_card(capfd):
    """As every other fault; and what is no HTTP is one too, so that the log's quota holds."""

    async def fails(_request):
        raise KeyError("7h")

    async def play():
        site = app(table())
        site.router.routes.insert(0, Route("/fails", fails))
        async with served(site) as (host, port, _):
            for said in (f"GET /fails HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n", "7h\r\n\r\n"):
                reader, writer = await asyncio.open_connection(host, port)
                writer.write(said.encode())
                await reader.readline()
                writer.close()

    asyncio.run(play())

    lines = capfd.readouterr().err.splitlines()
    assert [line.partition(" event=")[0] for line in lines] == ["level=error"] * 2
    assert "error=KeyError" in lines[0]
    assert "7h" not in "".join(lines)


def test_one_too_many_pushes_out_who_asks_for_nothing_and_no_stream(monkeypatch):
    """Screens go on; who comes when all are busy is refused."""
    monkeypatch.setattr(bounds, "SILENT_S", PATIENCE_S)

    async def play():
        async with served() as (host, port, url):
            streams = [await open_stream(url) for _ in range(3)]
            silent, _kept = await asyncio.open_connection(host, port)
            streams.append(await open_stream(url))
            await ended(silent)
            refused, writer = await asyncio.open_connection(host, port)
            await ended(refused)
            writer.close()
            parts = [await next_parts(reader) for reader, _ in streams]
            for _, one in streams:
                one.close()
            return parts

    assert len(asyncio.run(play())) == 4


def test_a_stream_that_is_never_read_is_cut(monkeypatch):
    """What waits for it is bounded, and so is how long it waits."""
    hub = table()

    async def play():
        server = Server(app(hub), port=0)
        await server.start()
        _reader, writer = await open_stream(server.url)
        writer.transport.pause_reading()
        async with asyncio.timeout(PATIENCE_S):
            connections = server._server.server_state.connections
            for one in connections:  # the kernel would hold megabytes for it
                sending = one.transport.get_extra_info("socket")
                sending.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
            for picture in cycle((samples.BEFORE_STAKING, samples.SETTLEMENT)):  # much is other
                if not connections:
                    break
                hub.tell(picture)
                await asyncio.sleep(0.001)
        writer.close()
        await server.stop()

    asyncio.run(play())
