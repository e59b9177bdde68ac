"""A table by the settings' defaults, without a reader: people type the cards, unseen."""

from __future__ import annotations

import asyncio
import contextlib
import json

import httpx
import pytest
from playwright.async_api import async_playwright

from table_controller.service.archive import Archive
from table_controller.service.sealing import load_keys, make_key
from tests.adapters.web.served import CHROMIUM, FLAGS
from tests.brokers import Observer
from tests.whole.commands import Running
from tests.whole.croupier import asked
from tests.whole.leaks import named

PATIENCE_MS = 60_000
SETTINGS = """
[journal]
path = "{folder}/table.db"
key = "{folder}/table.key"
[broker]
kind = "mqtt"
port = {port}
[page]
port = 0
"""


class Croupier:
    """One person at the page: presses by the page's own door, cards by its keys."""

    def __init__(self, url, page, client):
        self.url, self.page, self._client = url.rstrip("/"), page, client
        self.seen = []

    async def say(self, kind, **fields):
        """Press a button; the page's answer."""
        said = {"type": kind, **fields, "prompt": await self._prompt()}
        answer = await self._client.post("/say", json=said, headers={"Origin": self.url})
        told = answer.json()
        assert told["ok"], told
        return told

    async def type_card(self, code, name=""):
        """Type a card in the big form, and wait until the table asks for something else."""
        async with self.goes_on():
            await self._type(code, name)
        await self.look()

    @contextlib.asynccontextmanager
    async def goes_on(self):
        """Wait until the page asks for something else than what the table asks for now.

        What was said by the page's door may not be shown yet: that is no answer to what is done.
        """
        now = await self.shown()
        yield
        await self.page.locator(f"#ask:not({now})").wait_for(state="attached")

    async def shown(self):
        """Wait until the page shows what the table asks for now; the mark of that question."""
        now = f"[data-prompt='{await self._prompt()}']"
        await self.page.locator(f"#ask{now}").wait_for(state="attached")
        return now

    async def _prompt(self):
        return asked((await self._client.get("/")).text)

    async def type_card_in_vain(self, code, name):
        """Who entered the card already is refused as the second person."""
        await self._type(code, name)
        why = self.page.locator("#answer .ask", has_text="You have entered this card already.")
        await why.wait_for()
        await self.look()

    async def _type(self, code, name):
        if name:
            await self.page.locator("#offers input[name=by]").fill(name)
        secret = self.page.locator("#offers [data-secret]")
        await secret.focus()
        await self.page.keyboard.type(code)
        await self.page.keyboard.press("Enter")

    async def look(self):
        """Keep all that can be seen now."""
        self.seen.append(await self.page.content())
        self.seen.append((await self._client.get("/public")).text)


@pytest.fixture
def settings(tmp_path, mosquitto):
    make_key(tmp_path / "table.key")
    file = tmp_path / "table.toml"
    file.write_text(SETTINGS.format(folder=tmp_path, port=mosquitto.port))
    return file


def test_a_whole_coup_is_dealt_by_hand(settings, mosquitto):
    """R-13: four closed cards, one of them by two people, and an open one; nothing names them."""
    if not CHROMIUM.exists():
        pytest.skip(f"no Chromium at {CHROMIUM}: apt install chromium-headless-shell")
    with Running("run", "--config", settings) as table:
        url = table.says(r"(http://127\.0\.0\.1:\d+)/\n")[1]
        seen, heard, result, devices = asyncio.run(_evening(url, mosquitto.port))
        table.process.terminate()
        table.process.wait(60)
        seen += table.errors

    closed = [text for text in seen if any(cards for cards in named(text))]
    assert closed == []
    assert devices == [
        ("absent", "Schlitten is not set up"),
        ("absent", "camera is not set up"),
        ("absent", "board is not set up"),
        ("ok", "broker is well"),
    ]
    assert len(heard) > 20
    assert [text for text in heard if any(cards for cards in named(text))] == []
    assert "Pointeur 7 : 5" in result
    keys = load_keys(settings.parent / "table.key", {})
    archive = Archive.read(settings.parent / "table.db", keys)
    inputs = [json.loads(archive.body(row)) for row in archive.inputs()]
    archive.close()
    cards = [said for said in inputs if said["type"] in ("card_seen", "card_named")]
    assert [(said["actor"], said.get("card")) for said in cards] == [
        ("hand:croupier", "2h"),
        ("hand:croupier", "Kc"),
        ("hand:croupier", None),
        ("croupier", "5d"),
        ("croupier:Croupier", "5d"),
        ("croupier:Berta Lind", "5d"),
        ("hand:croupier", "5s"),
        ("hand:croupier", "Ts"),
    ]


async def _evening(url, port):
    """Everything seen and heard while cards lay closed; what the public page shows at the end."""
    async with (
        async_playwright() as playwright,
        httpx.AsyncClient(base_url=url, timeout=60) as client,
        Observer(port, "schlitten/#") as ear,
    ):
        browser = await playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        page = await browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(PATIENCE_MS)
        await page.goto(url)
        one = Croupier(url, page, client)
        for seat, name in ((1, "Karl"), (2, "Anna")):
            await one.say("sits", seat=seat, name=name, chips=100)
        await one.say("schlitten_loaded", shoe="schlitten-1")
        await one.say("banks", seat=1, chips=10)
        await one.say("banco", seat=2)
        await page.locator("#offers [data-secret]").wait_for()
        await one.type_card("2h")
        await one.type_card("Kc")
        await one.say("card_seen", unknown="no_read")
        await page.locator("#ask h1", has_text="Two people each enter the card").wait_for()
        await one.type_card("5d")
        await one.type_card_in_vain("5d", name=" Croupier")
        await one.type_card("5d", name="Berta Lind")
        await one.type_card("5s")
        await one.say("spoke", seat=2, word="carte")
        await one.look()
        await ear.until(lambda: any("said" in told["type"] for told in ear.events()))
        heard = [f"{topic} {payload.decode()}" for topic, payload, _ in ear.heard]
        await one.say("opened", seat=1)
        await page.locator("#ask h1", has_text="Seat 1 gives seat 2 a card, open").wait_for()
        seen, one.seen = one.seen, []
        await one.type_card("Ts")
        await one.say("spoke", seat=1, word="stands")
        await one.say("opened", seat=2)
        result = (await client.get("/public")).text
        await one.say("paid")
        dots = await page.locator("#health li").all()
        devices = [(await dot.get_attribute("class"), await _words(dot)) for dot in dots]
        await browser.close()
    return seen, heard, result, devices


async def _words(part):
    return " ".join((await part.text_content()).split())
