"""The tests' counting game plays an evening at a whole table, without a line of product code.

Page, board twin and a real Mosquitto are served with it by the wiring that serves chemin de fer.
They show only data that the game supplies.
"""

from __future__ import annotations

import asyncio
import contextlib

import httpx
import pytest

from firmware_bridge.twin import Twin
from table_controller.adapters.mqtt_link import BrokerAddress
from table_controller.adapters.mqtt_names import TableId
from table_controller.engine.messages import CardSeen, DeviceLost
from table_controller.rules.cards import Card
from table_controller.service.sealing import make_key
from table_controller.wiring.app import Plan, Service
from table_controller.wiring.config import BrokerSettings, PageSettings
from tests.adapters.web.served import CHROMIUM, FLAGS
from tests.brokers import Observer
from tests.limits import PATIENCE_MS, PATIENCE_S
from tests.service import counting
from tests.whole.evening import holds

TABLE = TableId("whole", "counting")


@contextlib.asynccontextmanager
async def served(folder, mosquitto):
    """A table of the counting game: the service, its board, its page, and who listens."""
    folder.mkdir(exist_ok=True)
    key = folder / "table.key"
    with Twin() as twin:
        lit = asyncio.create_task(twin.run())
        plan = Plan(
            table=TABLE,
            house=counting.HERE,
            game=counting,
            keys=make_key(key) if not key.exists() else KEPT[key],
            journal=folder / "table.db",
            board=twin.path,
            broker=BrokerSettings(kind="mqtt", port=mosquitto.port),
            address=BrokerAddress(port=mosquitto.port),
            page=PageSettings(port=0),
        )
        KEPT[key] = plan.keys
        async with (
            Observer(mosquitto.port, f"{TABLE.root}/#") as ear,
            Service(plan) as service,
            httpx.AsyncClient(base_url=service.url, timeout=PATIENCE_S) as client,
        ):
            yield service, twin, client, ear
        lit.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await lit


#: The keys of the tables of this module, as their files have them.
KEPT = {}


async def press(service, client, kind, **fields):
    """Press a button of the page; what the page answers."""
    said = {"type": kind, "prompt": service.game.prompt(service.table.state), **fields}
    answer = await client.post("/say", json=said, headers={"Origin": service.url})
    return answer.json()


async def evening(folder, mosquitto):
    """Add, deal closed, show, take back, be refused, lose a device, close; look at all of it."""
    seen = {}
    async with served(folder, mosquitto) as (service, twin, client, ear):
        await holds(lambda: twin.shown().lamps[0] == "blink cyan")
        assert (await press(service, client, "add", chips=42))["ok"]
        await holds(lambda: twin.shown().display_1 == "      42")
        await ear.until(lambda: [e for e in ear.events() if e["data"].get("total") == 42])
        seen["offered"] = (await client.get("/")).text

        await service.table.ask(CardSeen(card=Card("7h"), actor="lip"))
        seen["closed"] = (await client.get("/")).text + (await client.get("/public")).text
        assert (await press(service, client, "show"))["ok"]
        seen["open"] = (await client.get("/public")).text
        await ear.until(lambda: ear.last("/snapshot")["snapshot"]["roads"][0]["entries"])
        seen["roads"] = ear.last("/snapshot")["snapshot"]["roads"]

        assert (await press(service, client, "add", chips=8))["ok"]
        await holds(lambda: twin.shown().display_1 == "      50")
        assert (await press(service, client, "takes_back"))["ok"]
        await holds(lambda: twin.shown().display_1 == "      42")
        seen["late"] = await press(service, client, "add", chips=1, prompt=1)
        seen["never"] = await press(service, client, "add", chips=101)

        await service.table.ask(DeviceLost(device="camera", why="Plug it in.", actor="watch"))
        seen["lost"] = (await client.get("/")).text
        assert (await press(service, client, "close"))["ok"]
        await ear.until(lambda: [e for e in ear.events() if e["data"].get("type") == "closed"])
        await service.publisher.told()
        seen["events"] = ear.events()
        seen["picture"] = ear.last("/snapshot")
        seen["info"] = ear.last("/info")
    async with served(folder, mosquitto) as (service, twin, _client, _ear):
        await holds(lambda: twin.shown().display_1 == "      42")
        seen["again"] = service.table.state
    return seen


@pytest.fixture(scope="module")
def seen(mosquitto, tmp_path_factory):
    """What anybody could see of one evening."""
    return asyncio.run(evening(tmp_path_factory.mktemp("counting"), mosquitto))


def test_its_page_offers_what_the_game_offers_and_shows_its_cards(seen):
    """Buttons for its own inputs; a closed card has no name on it, an open one has."""
    assert all(f'"type":"{kind}"' in seen["offered"] for kind in ("add", "show", "close"))
    assert "takes_back" in seen["offered"]
    assert "seven of hearts" not in seen["closed"].lower()
    assert "seven of hearts" in seen["open"].lower()


def test_its_roads_are_on_the_public_page_and_in_the_public_picture(seen):
    """Of open cards alone."""
    assert 'aria-label="opened: –"' in seen["closed"]
    assert 'aria-label="opened: red"' in seen["open"]
    (road,) = seen["roads"]
    assert [cell["sign"] for cell in road["key"]] == ["○", "●"]
    assert [entry[:3] for entry in road["entries"]] == [[0, 0, 0]]


def test_its_refusals_are_answers_on_the_page(seen):
    """An answer to an older question, and what no button says."""
    assert not seen["late"]["ok"]
    assert seen["late"]["why"] == "The sum has changed since."
    assert not seen["never"]["ok"]


def test_what_is_amiss_stands_on_its_page(seen):
    """Devices are watched at any game's table."""
    assert "camera" in seen["lost"]


def test_the_broker_hears_its_events_and_its_picture(seen):
    """Its own events under their names, promises and proofs among them, in their order."""
    told = [event["data"]["type"] for event in seen["events"]]

    assert told == [
        "counted", "noted", "card_drawn", "card_opened", "counted", "noted", "withdrawn",
        "refused", "alert_raised", "alert_detailed", "closed",
    ]  # fmt: skip
    assert seen["info"]["game"] == "counting"
    assert seen["picture"]["snapshot"]["game"] == "counting"


def test_it_goes_on_after_a_start_where_it_was(seen):
    """Its journal is recovered, and the board shows the sum of before."""
    assert (seen["again"].total, seen["again"].shoe) == (42, 2)


@pytest.mark.skipif(not CHROMIUM.exists(), reason="no Chromium here")
def test_a_person_presses_its_buttons_in_chromium(mosquitto, tmp_path):
    """A sum is typed and said, and the board shows it."""
    asyncio.run(_pressed(tmp_path, mosquitto))


async def _pressed(folder, mosquitto):
    from playwright.async_api import async_playwright

    async with served(folder, mosquitto) as (service, twin, *_), async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=str(CHROMIUM), args=FLAGS, headless=True
        )
        page = await browser.new_page()
        page.set_default_timeout(PATIENCE_MS)
        complaints = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        await page.goto(service.url + "/")
        form = page.locator("form", has=page.locator("input[name=chips]")).first
        await form.locator("input[name=chips]").fill("17")
        await form.locator("button").last.click()
        await holds(lambda: twin.shown().display_1 == "      17")
        await browser.close()

    assert complaints == []
