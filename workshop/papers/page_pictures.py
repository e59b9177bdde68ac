"""Draws pages for the documents: the croupier's, the wall, a phone, a floor.

A picture is drawn again only if its page has changed: docs/pictures.json has a digest of the
page's HTML and of all static files. So whoever did not touch the pages needs no Chromium.
"""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import httpx
from PIL import Image
from starlette.applications import Starlette

from table_controller.adapters.web import assets
from table_controller.adapters.web.app import app
from table_controller.adapters.web.hub import Answer, Hub
from table_controller.adapters.web.serve import Server
from table_controller.commands.floor.page import frame
from table_controller.engine.messages import Audience, Severity
from table_controller.floor.live import LiveTables
from table_controller.floor.web.app import FloorPages
from table_controller.service.game import Game
from table_controller.wiring import config
from table_controller.wiring.games import game
from tests.adapters.web import overlaps, served
from tests.floor.test_view import NOON, alert, table

DOCS: Final = Path(__file__).parents[2] / "docs"
DIGESTS: Final = DOCS / "pictures.json"
HOUSE: Final = "zoppot-1934"
#: The picture of an evening that is shown: the first one so late in which somebody has a choice.
COUPS: Final = 12
#: How long a page may take until it can be drawn, in milliseconds.
READY_MS: Final = 30_000


class Shown(NamedTuple):
    """A page to draw: its path, the size of its window, and whether it is a floor's."""

    path: str
    size: tuple[int, int]
    floor: bool = False


PAGES: Final[Mapping[str, Shown]] = {
    "page.png": Shown("/", (1280, 800)),
    "wall.png": Shown("/public", (1280, 720)),
    "phone.png": Shown("/public", (390, 844)),
    "floor.png": Shown("/", (1280, 800), floor=True),
}


def made() -> dict[Path, str | bytes]:
    """Every picture, drawn again if its page has changed, and the file of digests."""
    return asyncio.run(_made())


async def _made() -> dict[Path, str | bytes]:
    digests = {name: await _digest(one) for name, one in PAGES.items()}
    before: dict[str, str] = {}
    with suppress(FileNotFoundError):
        before = json.loads(DIGESTS.read_text())
    found: dict[Path, str | bytes] = {DIGESTS: json.dumps(digests, indent=1) + "\n"}
    for name, shown in PAGES.items():
        kept = DOCS / name
        if kept.exists() and digests[name] == before.get(name):
            found[kept] = kept.read_bytes()
        else:
            found[kept] = await _drawn(shown)
    return found


def _site(shown: Shown) -> Starlette:
    """A fresh application with this page: a server that ends closes its application's streams."""
    return _floor() if shown.floor else _table(_moment())


@cache
def _moment() -> tuple[Game[Any], Any]:
    """A table in the middle of an evening, and its game."""
    house = config.house(HOUSE)
    door, moments = game(house.game), overlaps.evening(house, coups=COUPS + 1)
    for one in moments:
        seen = door.snapshot(one.table, Audience.CROUPIER)
        if seen.coup >= COUPS and seen.advice:
            return door, one.table
    raise LookupError(f"in {COUPS} coups of {HOUSE} nobody has a choice")


def _table(shown: tuple[Game[Any], Any]) -> Starlette:
    """The pages of this table."""
    door, moment = shown

    async def say(*_: Any) -> Answer:
        return Answer()

    return app(Hub(moment, door.snapshot, say, {}.get))


def _floor() -> Starlette:
    """A floor's page with twelve tables, of which two want somebody."""
    live = LiveTables()
    for number in range(1, 13):
        house = _HOUSES[number % len(_HOUSES)]
        at = table(live, f"table-{number:02d}", house=house, at=NOON + 90)
        if number == 7:
            alert(live, at, Severity.STOP, what="The lid is open.")
        if number == 4:
            alert(live, at, Severity.NOTICE, what="The light at the lip is weak.")
    return FloorPages(live, dict, frame, now=lambda: NOON + 90).app()


_HOUSES: Final = (HOUSE, "nemzeti-1907", "punto-banco", "ecarte-nemzeti-1907")


async def _digest(shown: Shown) -> str:
    """A digest of a page's HTML and of all static files."""
    found = hashlib.sha256(repr(shown).encode())
    transport = httpx.ASGITransport(app=_site(shown))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as browser:
        answer = await browser.get(shown.path)
        answer.raise_for_status()
        found.update(answer.content)
    found.update(assets.page_version().encode())
    return found.hexdigest()[:16]


async def _drawn(shown: Shown) -> bytes:
    """The picture of a page as a PNG. Raises FileNotFoundError where there is no Chromium."""
    from playwright.async_api import async_playwright

    if not served.CHROMIUM.exists():
        raise FileNotFoundError(
            f"{served.CHROMIUM} draws the pages: sudo apt install chromium-headless-shell "
            "fonts-dejavu-core"
        )
    server = Server(_site(shown), "127.0.0.1", 0)
    await server.start()
    try:
        async with async_playwright() as driver:
            browser = await driver.chromium.launch(
                executable_path=str(served.CHROMIUM), args=served.FLAGS
            )
            wide, high = shown.size
            page = await browser.new_page(
                viewport={"width": wide, "height": high}, color_scheme="dark"
            )
            async with page.expect_response("**/live*", timeout=READY_MS):
                await page.goto(server.url + shown.path)
            await page.evaluate("document.fonts.ready")
            await page.wait_for_timeout(500)  # what moves has come to rest
            taken = await page.screenshot()
            await browser.close()
    finally:
        await server.stop()
    small = io.BytesIO()
    colours = Image.open(io.BytesIO(taken)).convert("RGB").quantize(256, dither=Image.Dither.NONE)
    colours.save(small, "PNG", optimize=True)
    return small.getvalue()
