"""More people at the door than a table has handles. 64 screens are served; the table goes on."""

from __future__ import annotations

import asyncio
import contextlib
import re
import resource
import socket
import time
from statistics import median

from table_controller.service.sealing import make_key
from table_controller.wiring.app import Service
from tests.engine import script
from tests.limits import LONG_PATIENCE_S
from tests.whole.commands import Running
from tests.whole.plans import paged
from tests.whole.test_slow_disk import press

IDLE, SCREENS = 1_100, 64
SEAT = {"type": "sits", "seat": 3, "name": "Anna", "chips": 100}


def test_1100_idle_connections_leave_64_screens_and_the_table_alone(tmp_path):
    """With 1,024 handles, as systemd gives them."""
    make_key(tmp_path / "table.key")
    settings = tmp_path / "table.toml"
    settings.write_text(
        f'[journal]\npath = "{tmp_path}/table.db"\nkey = "{tmp_path}/table.key"\n'
        '[board]\nport = "twin"\n[broker]\nkind = "none"\n[page]\nport = 0\n'
    )
    with contextlib.ExitStack() as crowd, Running("run", "--config", settings) as running:
        url = running.says(r"croupier's page\s+(\S+)/")[1]
        resource.prlimit(running.process.pid, resource.RLIMIT_NOFILE, (1024, 1024))
        host, port = url.removeprefix("http://").split(":")
        screens = []
        for number in range(IDLE):
            one = socket.create_connection((host, int(port)), timeout=LONG_PATIENCE_S)
            crowd.callback(one.close)
            if number < SCREENS:
                one.sendall(f"GET /live HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
                screens.append(one.makefile("rb"))
                assert b" 200 " in screens[-1].readline()

        prompt = int(re.findall(r'data-prompt="(\d+)"', running.page(url))[0])
        assert press(url, SEAT | {"prompt": prompt})["ok"]

        for screen in screens:  # each was told of the seat, and none was cut
            while b"Anna" not in screen.readline():
                pass
        assert running.process.poll() is None
    assert "part failed" not in "".join(running.errors)


PRESSES, SLOW = 200, 500


def test_500_slow_streams_leave_the_table_its_pace(tmp_path):
    """At least 64 are served and the rest refused; the table's p99 hardly grows.

    With one screen that is looked at, against that and the crowd; by this process's own clock,
    since the machine has other things to do.
    """

    async def meet():
        async with Service(paged(tmp_path)) as service:
            await service.table.ask(script.parse("seat 3 sits 1000000 Anna"))
            screen, status = await asyncio.to_thread(slow_stream, service.url)
            alone = await pace(service)
            crowd = [await asyncio.to_thread(slow_stream, service.url) for _ in range(SLOW)]
            crowded = await pace(service)
            await service.table.ask(script.parse("seat 5 sits 100 Bela"))
            again = await asyncio.to_thread(follows, screen, rb"seat \" data-key=\"seat-5")
            for one in (screen, *(one for one, _ in crowd)):
                one.close()
            codes = [status, *(code for _, code in crowd)]
            return alone, crowded, codes, again

    alone, crowded, codes, again = asyncio.run(meet())

    assert codes.count(200) >= 64
    assert codes.count(200) + codes.count(503) + codes.count(None) == SLOW + 1
    assert again
    assert crowded <= 4 * alone, f"{alone} ms alone, {crowded} ms crowded"  # unbounded: 6 times


def slow_stream(url):
    """A screen of the public page that reads its answer's status and hardly anything else."""
    host, port = url.removeprefix("http://").split(":")
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    one.settimeout(LONG_PATIENCE_S)
    one.connect((host, int(port)))
    one.sendall(f"GET /public/live HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
    try:
        said = one.recv(12)
    except ConnectionError:
        said = b""
    return one, int(said[9:]) if said else None


def follows(one, word):
    """Whether what it was sent can still be read, as far as to this word."""
    with one.makefile("rb") as told:
        return any(word in line for line in told)


async def pace(service):
    """99 of 100 inputs are committed and told within so many milliseconds; of three rounds."""
    return median([await p99(service) for _ in range(3)])


async def p99(service):
    took = []
    for _ in range(PRESSES):
        began = time.thread_time()
        await service.table.ask(script.parse("seat 3 tips 1"))
        took.append((time.thread_time() - began) * 1000)
        await asyncio.sleep(0.002)
    return sorted(took)[int(PRESSES * 0.99) - 1]
