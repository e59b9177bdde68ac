"""The floor's page in a browser: a press that somebody has seen an alert, and every width."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import async_playwright

from table_controller.adapters.web.serve import Server
from table_controller.commands.floor.page import frame
from table_controller.engine.messages import Severity
from table_controller.floor.requests import TableAnswer
from table_controller.floor.web.alert_pages import AlertPages
from table_controller.floor.web.app import FloorPages
from table_controller.floor.web.sheets import Sheets
from tests.adapters.web.served import CHROMIUM
from tests.floor.test_view import alert
from tests.floor.test_watch import Hall
from tests.limits import PATIENCE_MS


class Table:
    """Answers what the floor asks; keeps it."""

    def __init__(self):
        self.asked, self.answer = [], TableAnswer(False, "Not now.", "Press again.")

    async def ask(self, *asked):
        self.asked.append(asked)
        return self.answer


async def pressed(folder):
    hall, at = Hall(f"sqlite:///{folder}/floor.db"), Table()
    for number in range(30):
        hall.table(f"t{number}")
    alert(hall.live, next(iter(hall.live.tables)), Severity.STOP)
    watch, sheets = hall.watch(), Sheets()
    watch.look()
    alerts = AlertPages(sheets, watch, at, hall.live, hall.clock.ms)
    pages = FloorPages(hall.live, dict, frame, sheets=sheets, now=hall.clock.now)
    server = Server(pages.app(*alerts.routes()), "127.0.0.1", 0)
    await server.start()
    said, complaints = [], []
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = await browser.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", lambda one: complaints.append(one.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        await page.goto(f"{server.url}/alerts")
        await page.click("button[data-alert]")
        await page.wait_for_function("document.getElementById('answer').textContent !== ''")
        said.append(await page.inner_text("#answer"))
        at.answer = TableAnswer(True)
        await page.click("button[data-alert]")
        await page.wait_for_selector(".notice.seen")  # the stream shows it
        said.append(await page.inner_text(".notice .told b"))
        wide = []
        for path in ("/", "/wall", "/alerts"):
            for width in (360, 1280):
                await page.set_viewport_size({"width": width, "height": 800})
                await page.goto(f"{server.url}{path}")
                if await page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                    wide.append((path, width))
        await browser.close()
    await server.stop()
    return said, at.asked, wide, complaints


def test_a_press_is_answered_and_no_page_is_wider_than_its_screen(tmp_path):
    if not CHROMIUM.exists():
        pytest.skip(f"no Chromium at {CHROMIUM}: apt install chromium-headless-shell")

    said, asked, wide, complaints = asyncio.run(pressed(tmp_path))

    assert said == ["Not now. Press again.", "seen by this machine"]
    assert [(one[2], one[3], one[4]) for one in asked] == [
        ("alert_acknowledged", {"alert": "lid"}, "this machine")
    ] * 2
    assert wide == []
    assert complaints == []
