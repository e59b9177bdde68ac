"""A scanner that types at the croupier's page of a running table: its label's card, or why not."""

from __future__ import annotations

import asyncio
import json

import httpx
import pytest
from playwright.async_api import async_playwright

from table_controller.engine.messages import Phrase
from table_controller.rules.cards import Card
from table_controller.service.archive import Archive
from table_controller.service.sealing import load_keys, make_key
from table_controller.wiring.config import ShoeSettings
from table_controller.wiring.shoe.labels import ScannedLabels, manifests
from tests.adapters.web.served import CHROMIUM, FLAGS
from tests.whole.commands import Running
from tests.whole.leaks import named
from tests.whole.test_by_hand import PATIENCE_MS, SETTINGS, Croupier
from vision import manifest

BLUE, RED = (manifest.make(name, bytes(range(32))) for name in ("blue-1", "red-1"))
#: The keys of one scan, within a millisecond, whatever the machine does meanwhile.
SCAN = """(one, keys) => keys.map(key => one.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })))"""


def label(shoe, card):
    """The label of the first copy of a card, or of the white cut card."""
    return next(entry for entry in shoe.entries if str(entry.card or "white") == card)


def test_each_label_of_the_schlitten_on_the_table_gives_its_card_and_no_other_text_gives_one():
    """E2: of 253 labels, 244 were taken for another card."""
    labels = ScannedLabels([BLUE, RED])

    assert [labels(entry.token) for entry in BLUE.cards] == [entry.card for entry in BLUE.cards]
    assert labels(label(BLUE, "7h").token.lower() + " ") == Card("7h")
    none = [entry.token for entry in RED.cards] + [entry.digits for entry in BLUE.cards]
    for text in (*none, label(BLUE, "white").token, "", "7h", "7H3QW0ZK9TDCAS", "white"):
        assert isinstance(labels(text), Phrase)
    assert str(labels(RED.cards[0].token)) == "This card is of red-1, which is not on this table."
    assert "no manifest" in str(ScannedLabels()(BLUE.cards[0].token))
    assert BLUE.cards[0].token not in repr(labels)


def test_the_settings_manifests_are_read_in_their_order(tmp_path):
    """That of the Schlitten on the table is the first."""
    files = tuple(tmp_path / name for name in ("red", "blue"))
    for shoe, file in zip((RED, BLUE), files, strict=True):
        manifest.save(shoe, file)

    assert manifests(ShoeSettings(manifests=files)) == [RED, BLUE]


def test_cards_are_scanned_at_the_page_unseen(tmp_path, mosquitto):
    """The page sends the text and never learns the card; a foreign label enters nothing."""
    if not CHROMIUM.exists():
        pytest.skip(f"no Chromium at {CHROMIUM}: apt install chromium-headless-shell")
    make_key(tmp_path / "table.key")
    manifest.save(BLUE, tmp_path / "blue")
    file = tmp_path / "table.toml"
    shoe = f'[shoe]\nmanifests = ["{tmp_path}/blue"]\n'
    file.write_text(SETTINGS.format(folder=tmp_path, port=mosquitto.port) + shoe)
    with Running("run", "--config", file) as table:
        url = table.says(r"(http://127\.0\.0\.1:\d+)/\n")[1]
        seen, why = asyncio.run(_scanned(url))
        table.process.terminate()
        table.process.wait(60)

    assert why.startswith("This is no label of this house.")
    archive = Archive.read(tmp_path / "table.db", load_keys(tmp_path / "table.key", {}))
    inputs = [json.loads(archive.body(row)) for row in archive.inputs()]
    archive.close()
    cards = [said["card"] for said in inputs if said["type"] == "card_seen"]
    assert cards == ["2h", "Kc", "5d", "5s"]
    assert [text for text in seen if any(named(text))] == []


async def _scanned(url):
    """What was seen while cards lay closed, and the sentence about a foreign label."""
    async with (
        async_playwright() as playwright,
        httpx.AsyncClient(base_url=url, timeout=60) as client,
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
        await page.locator("body").evaluate(SCAN, [*label(RED, "7h").token, "Enter"])
        foreign = await page.locator("#answer .ask", has_text="no label").text_content()
        for card, ended in (("2h", ["Enter"]), ("Kc", []), ("5d", ["Enter"]), ("5s", [])):
            async with one.goes_on():
                await page.locator("body").evaluate(SCAN, [*label(BLUE, card).token, *ended])
            await one.look()
        await browser.close()
    return one.seen, foreign.strip()
