"""Serving: addresses, and stopping with pages open."""

from __future__ import annotations

import asyncio
import json
import socket
import urllib.request

import pytest
from jinja2 import Environment

from table_controller.adapters.addresses import CannotServe
from table_controller.adapters.web.app import app
from table_controller.adapters.web.hub import Answer, Hub
from table_controller.adapters.web.serve import Server
from tests.adapters.web import samples
from tests.limits import PATIENCE_S


def table(snapshot=samples.ADVICE_LIT):
    async def say(said, actor, _press):
        return Answer()

    return Hub(snapshot, samples.project, say, samples.RULES.get)


async def open_stream(url, path="/live"):
    """Ask for a stream and read its head."""
    host, port = url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
    await reader.readuntil(b"\r\n\r\n")
    return reader, writer


async def next_parts(reader):
    """The next parts that the stream brings."""
    while not (line := await reader.readline()).startswith(b"data: {"):
        pass
    return json.loads(line.removeprefix(b"data: "))


def test_twenty_open_screens_follow_and_end_cleanly():
    """Every one gets the new pot; stopping ends each with the last chunk, not by a cut."""

    async def evening():
        hub = table()
        server = Server(app(hub), port=0)
        await server.start()
        streams = [await open_stream(server.url) for _ in range(20)]
        first = [await next_parts(reader) for reader, _ in streams]
        hub.tell(samples.with_pot(4321))
        second = [await next_parts(reader) for reader, _ in streams]
        await server.stop()
        ends = [(await reader.read())[-5:] for reader, _ in streams]
        for _, writer in streams:
            writer.close()
        return first, second, ends

    first, second, ends = asyncio.run(evening())

    assert all(
        parts.keys() == first[0].keys() >= {"trays", "told", "ask", "offers"} for parts in first
    )
    assert all(parts.keys() == {"middle", "sums", "seen"} for parts in second)
    assert all("4321" in parts["middle"] for parts in second)
    assert ends == [b"0\r\n\r\n"] * 20


def test_a_taken_port_is_named_with_what_to_do():
    async def evening():
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
            with pytest.raises(CannotServe) as refused:
                await Server(app(table()), port=port).start()
            return port, str(refused.value)

    port, text = asyncio.run(evening())

    assert f"port {port} at 127.0.0.1 is taken" in text
    assert "another port" in text


def test_an_address_of_another_machine_is_named():
    async def evening():
        with pytest.raises(CannotServe, match=r"127\.0\.0\.1|no address of this machine"):
            await Server(app(table()), "::2", 0, certificate="cert.pem").start()

    asyncio.run(evening())


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.4"])
def test_an_open_address_without_tls_is_refused(host):
    """Before anything is bound."""
    with pytest.raises(CannotServe, match="without TLS"):
        Server(app(table()), host, 0)


def test_server_can_be_stopped_before_it_was_started():
    asyncio.run(Server(app(table()), port=0).stop())


def test_the_first_look_in_any_language_finds_its_templates_compiled(monkeypatch):
    """Compiling takes longer than a heartbeat: it is done once, beside the loop, at the start."""

    async def evening():
        server = Server(app(table(), language="de"), port=0)
        await server.start()
        monkeypatch.setattr(Environment, "compile", None)
        looks = [
            await asyncio.to_thread(get, f"{server.url}/{page}?lang={locale}")
            for page in ("", "public")
            for locale in ("de", "fr")
        ]
        await server.stop()
        return looks

    assert all(page.startswith("<!doctype html>") for page in asyncio.run(evening()))


def get(url):
    with urllib.request.urlopen(url, timeout=PATIENCE_S) as page:
        return page.read().decode()
