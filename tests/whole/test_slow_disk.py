"""A slow SD card delays the press that waits for it, and nothing else."""

import asyncio
import contextlib
import http.client
import json
from dataclasses import replace
from urllib.parse import urlsplit

import pytest

from firmware_bridge.twin import SAFE
from table_controller.wiring.app import Service
from tests.engine import script
from tests.limits import PATIENCE_S
from tests.service.disks import SlowDisk
from tests.whole.plans import paged

#: The board goes dark after 1 s without a word; four heartbeats take as long.
HEARTBEATS = 5


@pytest.fixture
def plan(tmp_path):
    """A table with a page and a board's twin."""
    return replace(paged(tmp_path), board="twin")


def evening(plan, meet):
    """Serve the table, seat two players, hold the next commit and `meet(service, disk)`."""

    async def whole():
        async with asyncio.timeout(PATIENCE_S), Service(plan) as service:
            for line in ("seat 1 sits 100 Anna", "seat 2 sits 100 Bert"):
                await service.table.ask(script.parse(line))
            disk = SlowDisk(service.journal)
            try:
                return await meet(service, disk)
            finally:
                disk.release()

    return asyncio.run(whole())


def get(url, path):
    """The page as a browser without scripts gets it."""
    there = http.client.HTTPConnection(urlsplit(url).netloc, timeout=PATIENCE_S)
    with contextlib.closing(there):
        there.request("GET", path)
        return there.getresponse().read().decode()


def first_parts(url):
    """The first parts that a stream sends."""
    there = http.client.HTTPConnection(urlsplit(url).netloc, timeout=PATIENCE_S)
    with contextlib.closing(there):
        there.request("GET", "/live")
        stream = there.getresponse()
        while not (line := stream.readline()).startswith(b"data: {"):
            assert line, "the stream ended"
        return json.loads(line.removeprefix(b"data: "))


def press(url, said):
    """A press on the croupier's page, and its answer."""
    where = urlsplit(url).netloc
    there = http.client.HTTPConnection(where, timeout=PATIENCE_S)
    with contextlib.closing(there):
        headers = {"Content-Type": "application/json", "Origin": f"http://{where}"}
        there.request("POST", "/say", json.dumps(said), headers)
        return json.loads(there.getresponse().read())


def test_page_and_stream_answer_while_a_commit_waits_and_the_press_waits_for_it(plan):
    """What they show is what is written: the seat is free until then."""

    async def meet(service, disk):
        url = service.url
        said = {"type": "sits", "seat": 3, "name": "Carl", "chips": 100}
        said["prompt"] = service.table.state.prompt
        pressed = asyncio.create_task(asyncio.to_thread(press, url, said))
        await asyncio.to_thread(disk.reached)
        page, parts = await asyncio.gather(
            asyncio.to_thread(get, url, "/"), asyncio.to_thread(first_parts, url)
        )
        waited = not pressed.done()
        disk.release()
        answer = await pressed
        return page, str(parts), waited, answer, await asyncio.to_thread(get, url, "/")

    page, parts, waited, answer, after = evening(plan, meet)

    assert waited
    assert "Bert" in page
    assert "Bert" in parts
    assert "Carl" not in page + parts
    assert answer["ok"]
    assert "Carl" in after


def test_the_boards_heartbeat_goes_on_while_a_commit_waits(plan):
    """A commit of more than a second: the board would go dark, were it not spoken to."""

    async def meet(service, disk):
        board = service.board
        while not (board.twin and board.status.shown):
            await asyncio.sleep(0.001)
        service.table.say(script.parse("seat 3 sits 100 Carl"))
        await asyncio.to_thread(disk.reached)
        heard, dark = 0, False
        last = board.twin.board._heard_ms
        while heard < HEARTBEATS:
            await asyncio.sleep(0.001)
            dark |= board.twin.shown() == SAFE
            heard += board.twin.board._heard_ms != last
            last = board.twin.board._heard_ms
        return dark, board.status.connected

    assert evening(plan, meet) == (False, True)
