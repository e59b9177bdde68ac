"""The floor's page over HTTP: all tables, one table, and the changes."""

from __future__ import annotations

import asyncio
import json
import re

import httpx
import pytest

from table_controller.adapters.mqtt_messages import TableState, state_message
from table_controller.adapters.web.places import Places
from table_controller.adapters.web.serve import Server
from table_controller.commands.floor.page import frame
from table_controller.engine.messages import Severity
from table_controller.floor.live import LiveTables
from table_controller.floor.web.app import FloorPages
from table_controller.floor.web.sheets import Sheets
from tests.floor.test_view import NOON, alert, table
from tests.limits import PATIENCE_S


def looked(live, look, screens=128):
    """What `look` finds at a served page of these tables, which has so many places for screens."""

    async def meet():
        sheets = Sheets()
        sheets.places = Places(screens)
        pages = FloorPages(live, dict, frame, now=lambda: NOON, sheets=sheets)
        server = Server(pages.app(), "127.0.0.1", 0)
        await server.start()
        watching = asyncio.create_task(pages.watch())
        try:
            async with (
                asyncio.timeout(PATIENCE_S),
                httpx.AsyncClient(base_url=server.url, timeout=PATIENCE_S) as browser,
            ):
                return await look(browser)
        finally:
            watching.cancel()
            await server.stop()

    return asyncio.run(meet())


async def parts_of(answer):
    """The parts that a stream sends, one after the other."""
    async for line in answer.aiter_lines():
        if line.startswith("data: {"):
            yield json.loads(line.removeprefix("data: "))


def test_who_is_wanted_lies_on_top_in_every_language():
    live = LiveTables()
    table(live, "one")
    alert(live, table(live, "two"), Severity.STOP)

    async def look(browser):
        english, german = await browser.get("/"), await browser.get("/?lang=de")
        return english.text, german.text

    english, german = looked(live, look)

    keys = re.findall(r'data-key="([^"]+)"', english)
    assert keys == ["hall-two", "hall-one"]
    assert english.index("stands still") < english.index('id="well"')
    assert "1 want somebody" in english
    assert "steht still" in german


def test_a_change_is_streamed_and_only_what_changed_is_sent():
    live = LiveTables()
    one = table(live, "one")
    table(live, "two")

    async def look(browser):
        async with browser.stream("GET", "/live") as answer:
            parts = parts_of(answer)
            first = await anext(parts)
            lost = state_message(TableState.LOST, "b", one)
            live.hear(one, "state", lost.payload, NOON)
            return first, await anext(parts)

    first, second = looked(live, look)

    assert "hall-one" in first["well"]
    assert "is lost" in second["wanting"]
    assert '<li data-key="hall-two" data-same></li>' in second["well"]
    assert "hall-one" not in second["well"]


def test_an_address_with_all_places_is_refused_more_and_gives_way_to_another():
    """A table's own stream counts with those of the page of all tables."""
    live = LiveTables()
    table(live, "one")

    async def look(browser):
        elsewhere = httpx.AsyncHTTPTransport(local_address="127.0.0.2")
        async with (
            httpx.AsyncClient(base_url=browser.base_url, transport=elsewhere) as other,
            browser.stream("GET", "/live") as first,
            browser.stream("GET", "/table/hall/one/live") as second,
        ):
            ours = parts_of(first), parts_of(second)
            for parts in ours:
                await anext(parts)
            more = [await browser.get(page) for page in ("/live", "/table/hall/one/live")]
            async with other.stream("GET", "/live") as third:
                their = await anext(parts_of(third))
                return more, their, [part async for part in ours[0]]

    more, their, rest = looked(live, look, screens=2)

    assert [(answer.status_code, answer.headers["Retry-After"]) for answer in more] == [
        (503, "4"),
        (503, "4"),
    ]
    assert "hall-one" in their["well"]
    assert rest == []  # and there it ends


def test_one_table_is_shown_as_its_guests_see_it_and_an_unknown_one_is_not():
    live = LiveTables()
    table(live, "one")

    async def look(browser):
        page = await browser.get("/table/hall/one")
        async with browser.stream("GET", "/table/hall/one/live") as answer:
            parts = await anext(parts_of(answer))
        others = [await browser.get(f"/table/hall/{name}") for name in ("none", "No%20Name")]
        return page, parts, [other.status_code for other in others]

    page, parts, others = looked(live, look)

    assert page.status_code == 200
    assert 'data-live="/table/hall/one/live"' in page.text
    assert 'href="/">all tables' in page.text
    assert {"trays", "cells", "title"} <= parts.keys()
    assert "Zoppot 1934" in parts["title"]
    assert others == [404, 404]


def test_a_foreign_host_name_is_refused():
    """DNS rebinding, as at a table's page."""

    async def look(browser):
        return (await browser.get("/", headers={"Host": "evil.example"})).status_code

    assert looked(LiveTables(), look) == 421


@pytest.mark.parametrize(("late_s", "status"), [(0.0, 200), (5.0, 200), (6.0, 503)])
def test_a_floor_whose_rows_wait_is_not_healthy(late_s, status):
    pages = FloorPages(LiveTables(), dict, frame, late_s=lambda: late_s)

    async def ask():
        transport = httpx.ASGITransport(app=pages.app())
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as browser:
            return (await browser.get("/healthz")).status_code

    assert asyncio.run(ask()) == status
