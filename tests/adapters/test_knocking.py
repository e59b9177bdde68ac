"""Connections are counted from the first byte, so unfinished handshakes keep nobody out."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import socket
import ssl
import tracemalloc

import pytest

from table_controller.adapters.handshake_limits import Door, Knocking
from table_controller.adapters.web.app import app
from table_controller.adapters.web.serve import Server
from tests.adapters.web.test_serve import table
from tests.certificates import Authority
from tests.limits import PATIENCE_S


def ended(one: socket.socket) -> bool:
    """Whether the other side has ended it."""
    try:
        return one.recv(1) == b""
    except BlockingIOError:
        return False


def pair(guests: list[socket.socket]) -> socket.socket:
    """A connection: its guest's side is added to these, the house's is returned."""
    house, guest = socket.socketpair()
    guest.setblocking(False)
    guests.append(guest)
    return house


def test_one_more_pushes_out_the_oldest_of_whoever_has_most():
    """A stranger with three handshakes loses one; the wall that knocked before him does not."""
    here, guests = Knocking(most=3), []
    for number, address in enumerate(("10.0.0.9", "10.0.0.1", "10.0.0.1", "10.0.0.2")):
        here.came(pair(guests), (address, number))

    assert [ended(guest) for guest in guests] == [False, True, False, False]


def test_who_was_let_in_or_has_gone_is_pushed_out_by_nobody():
    here, guests = Knocking(most=3), []
    houses = [pair(guests) for _ in range(6)]
    for number in range(3):
        here.came(houses[number], ("10.0.0.1", number))
    here.entered(("10.0.0.1", 0))
    houses[1].close()
    here.came(houses[3], ("10.0.0.1", 3))
    here.came(houses[4], ("10.0.0.1", 4))

    assert [ended(guest) for guest in guests] == [False, True, False, False, False, False]
    here.came(houses[5], ("10.0.0.1", 5))
    assert [ended(guest) for guest in guests] == [False, True, True, False, False, False]


def test_each_address_knocks_so_often_and_then_so_many_times_a_second():
    """Whoever has used up his knocks takes none of another's; of IPv6 a network is one."""
    here = Knocking()
    stranger, neighbour = ("fe80::1:2:3:4", 1), ("fe80::1:2:3:5", 7)

    assert [here.admits(stranger, 0.0) for _ in range(2049)] == [True] * 2048 + [False]
    assert not here.admits(neighbour, 0.0)
    assert not here.admits(neighbour, 1 / 17)
    assert here.admits(neighbour, 2 / 16)
    assert here.admits(("10.0.0.2", 1), 0.0)
    assert [here.admits(stranger, 10_000.0) for _ in range(2049)] == [True] * 2048 + [False]


def test_who_knocks_too_often_is_closed_and_the_next_one_heard(monkeypatch):
    """Before anything is laid aside for him."""
    guests = []
    came = [(pair(guests), (address, 1)) for address in ("10.0.0.1", "10.0.0.1", "10.0.0.2")]
    monkeypatch.setattr(socket.socket, "accept", lambda _self: came.pop(0))
    with Door(socket.socket(), Knocking(knocks=1)) as door:
        assert [door.accept()[1][0] for _ in range(2)] == ["10.0.0.1", "10.0.0.2"]

    assert [ended(guest) for guest in guests] == [False, True, False]


def no_handle(_self):
    """As a program's last handle is taken."""
    raise OSError(errno.EMFILE, "Too many open files")


def test_without_a_free_handle_one_who_knocks_makes_room(monkeypatch):
    """The loop is told to come again, not of a failure; where nobody knocks it is one."""
    monkeypatch.setattr(socket.socket, "accept", no_handle)
    here, guests = Knocking(), []
    here.came(pair(guests), ("10.0.0.1", 1))
    with Door(socket.socket(), here) as door:
        with pytest.raises(BlockingIOError):
            door.accept()
        assert ended(guests[0])
        with pytest.raises(OSError, match="Too many open files"):
            door.accept()


def test_a_page_with_tls_serves_while_hundreds_of_handshakes_are_left_lying(tmp_path, capfd):
    """They are bounded, nothing is logged of them, and the page answers."""

    async def meet():
        authority = Authority(tmp_path)
        certificate, key = authority.sign("page", "page")
        server = Server(app(table()), port=0, certificate=certificate, key=key)
        await server.start()
        host, port = server.url.removeprefix("https://").split(":")
        idle = [await asyncio.open_connection(host, port) for _ in range(300)]
        trust = ssl.create_default_context(cafile=str(authority.own))
        async with asyncio.timeout(PATIENCE_S):
            reader, writer = await asyncio.open_connection(host, port, ssl=trust)
            writer.write(f"HEAD /healthz HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
            said = await reader.readline()
            cut = 0
            for silent, _ in idle[:-64]:
                with contextlib.suppress(ConnectionError):
                    assert await silent.read() == b""
                cut += 1
        for _, one in (*idle, (reader, writer)):
            one.close()
        await server.stop()
        return said, cut

    said, cut = asyncio.run(meet())

    assert b" 200 " in said
    assert cut == 300 - 64
    assert capfd.readouterr().err == ""


def test_whoever_knocks_and_goes_costs_little_memory(tmp_path):
    """600 handshakes that nobody ends: at 256 KiB each the table had soon none left."""
    certificate, key = Authority(tmp_path).sign("page", "page")

    async def knock():
        server = Server(app(table()), port=0, certificate=certificate, key=key)
        await server.start()
        host, port = server.url.removeprefix("https://").split(":")
        tracemalloc.start()
        for _ in range(600):
            reader, writer = await asyncio.open_connection(host, port)
            writer.close()
            with contextlib.suppress(ConnectionError):
                await reader.read()
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        await server.stop()
        return most

    gc.disable()  # as far as a table's many objects put it off
    try:
        assert asyncio.run(knock()) < 40 << 20
    finally:
        gc.enable()
