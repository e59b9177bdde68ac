"""The technician's page of a served table, with the board's twin: its content, and its readers."""

from __future__ import annotations

import asyncio
import io
import re
import zipfile

import httpx
import pytest

from firmware_bridge.messages import Picture
from table_controller.adapters.web.app import app
from table_controller.engine.messages import Audience
from table_controller.wiring.machine import LiveMachine
from tests.whole.lips import until
from tests.whole.wired import DEALING, FOUR, table

ORIGIN = "http://127.0.0.1:8080"


class Kept(LiveMachine):
    """A table's machine as it was when this was made."""

    def __init__(self, service):
        super().__init__(service)
        self._seen = super().look()

    def look(self):
        return self._seen


async def looked(service, *paths, staff=True, machine=LiveMachine):
    """What each of these paths answers, of the table as it is now."""
    who = (lambda _: "croupier") if staff else (lambda _: None)
    site = app(service.hub, who=who, machine=machine(service))
    transport = httpx.ASGITransport(app=site)
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
        return [await client.get(path) for path in paths]


def rows(page):
    """The words of the rows of the board's table, by their heads."""
    board = page.split('class="m-board"')[1].split("</table>")[0]
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in board.split("<tr>")[1:]]
    return {row[0]: row[1:] for row in cells}


def test_it_shows_what_the_board_is_to_show_and_what_it_shows(tmp_path):
    """Seat 1 holds the bank, seat 2 is the pointeur; a picture on its way is told."""

    async def play():
        async with table(tmp_path, "twin") as served:
            await served.play(*DEALING)
            await until(lambda: served.service.board.settled)
            (calm,) = await looked(served.service, "/technician")
            served.service.board.show(Picture(display_1=77))  # not yet acknowledged
            machine = Kept(served.service)
            (sent,) = await looked(served.service, "/technician/look", machine=lambda _: machine)
            return calm.text, sent.text

    calm, sent = asyncio.run(play())

    told = rows(calm)
    assert told["wanted"] == told["shown"]
    assert told["wanted"][:3] == ["blink yellow", "on blue", "off"]
    assert told["wanted"][12:] == ["10", "10", "off"]
    assert "it answers" in calm
    assert rows(sent)["wanted"][12] == "77"
    assert rows(sent)["shown"][12] == "10 ≠"
    assert "Inputs that wait for the table." in calm


def test_it_is_the_staffs(tmp_path):
    """A stranger gets none of its three answers."""
    paths = ("/technician", "/technician/look", "/technician/bundle.zip")

    async def play():
        async with table(tmp_path, "twin") as served:
            return [
                answer.status_code
                for staff in (True, False)
                for answer in await looked(served.service, *paths, staff=staff)
            ]

    assert asyncio.run(play()) == [200, 200, 200, 401, 401, 401]


@pytest.mark.parametrize("path", ["/technician", "/technician/bundle.zip"])
def test_no_closed_card_and_no_secret_is_in_it(tmp_path, path):
    """Four closed cards, a guest's name, the key that seals the journal: nothing of them (R-13)."""

    async def play():
        async with table(tmp_path, "twin") as served:
            await served.play(*DEALING, *FOUR)
            assert "None" in str(served.service.hub.snapshot(Audience.CROUPIER).hands)
            (answer,) = await looked(served.service, path)
            return answer

    answer = asyncio.run(play())

    told = answer.text
    if path.endswith("zip"):
        with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
            names = sorted(packed.namelist())
            told = "".join(packed.read(name).decode() for name in names)
        assert names == [
            "about.json", "alerts.json", "board.json", "meters.txt", "settings.json",
        ]  # fmt: skip
    assert not re.search(r"\b(9h|2d|Kc|4s|nine of|two of|king of|four of)\b", told)
    assert not re.search("Anna|Berta", told)
    assert (tmp_path / "table.key").read_text().strip()[:16] not in told
    assert str(tmp_path) not in told
