"""The floor's other pages over HTTP: alerts, evenings, search, reports; and a thousand tables."""

from __future__ import annotations

import asyncio
import re
import threading

import httpx
import pytest
from msgspec import structs

from table_controller.adapters.mqtt_messages import alert_messages, current
from table_controller.adapters.mqtt_names import TableId
from table_controller.adapters.web.serve import Server
from table_controller.commands.floor.page import frame, reader
from table_controller.engine.messages import Phrase, Severity
from table_controller.engine.views import AlertView
from table_controller.floor.live import LiveTables
from table_controller.floor.past import FloorPast
from table_controller.floor.store import Store
from table_controller.floor.threads import Threads
from table_controller.floor.web.app import FloorPages
from table_controller.floor.web.past_pages import PastPages
from table_controller.floor.web.report_pages import ReportPages
from table_controller.floor.web.sheets import Sheets
from table_controller.service import paper
from tests.floor.test_page import looked
from tests.floor.test_reports import floor, journals  # noqa: F401 - fixtures
from tests.floor.test_view import NOON, alert, table
from tests.limits import PATIENCE_S

NASTY = {
    "html": "<script>alert(1)</script><img src=x>",
    "turned": "abc\u202e\u2066def",
    "hebrew": "שולחן",
    "emoji": "👩‍👧🂡",
    "long": "x" * 10_000,
    "template": "{n:>99999999999}{n.__class__}",
}


@pytest.fixture(scope="module")
def asked(floor):  # noqa: F811
    """What the pages of a floor with three tables of the past answer."""
    sheets = Sheets()
    routes = [
        *PastPages(sheets, floor.past).routes(),
        *ReportPages(sheets, floor.store).routes(),
    ]

    def get(*paths):
        async def look():
            pages = FloorPages(LiveTables(), dict, frame, sheets=Sheets())
            server = Server(pages.app(*routes), "127.0.0.1", 0)
            await server.start()
            async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE_S) as browser:
                found = [await browser.get(path) for path in paths]
            await server.stop()
            return found

        return asyncio.run(look())

    return get


def test_an_evening_shows_every_coup_with_its_opened_cards(asked, floor):  # noqa: F811
    listed, evening, coup, paper, missing = asked(
        *(f"/table/casino/t2/evenings{more}" for more in ("", "/1", "/1/coups/1", "/1/coups.csv")),
        "/table/casino/t2/evenings/9",
    )
    _, record = floor.past.record(TableId("casino", "t2"), 1)

    assert listed.text.count("/table/casino/t2/evenings/") == 2
    assert evening.text.count("/evenings/1/coups/") == len(record.coups) > 10
    opened = [card for one in record.coups for hand in one.coup.hands for card in hand.cards]
    assert len(re.findall('class="p-card[ "]', evening.text)) == len(opened)
    assert "card drawn" in coup.text
    assert "commitment" not in coup.text
    assert paper.text.startswith("evening,schlitten,coup,began")
    assert (missing.status_code, paper.status_code) == (404, 200)


def test_the_name_of_a_schlitten_is_no_formula_to_a_spreadsheet(floor):  # noqa: F811
    """Whoever opens the file runs nothing that a table has written."""
    _, record = floor.past.record(TableId("casino", "t2"), 1)
    timed = structs.replace(record.coups[0], schlitten="=cmd")

    head, row = paper.as_csv(structs.replace(record, coups=(timed,))).decode().splitlines()

    assert dict(zip(head.split(","), row.split(","), strict=True))["schlitten"] == "'=cmd"


@pytest.mark.parametrize(
    ("query", "finds"),
    [
        ("table=t2&winner=b", r"coup \d+.*?>B<"),
        ("game=ecarte", "t3"),
        ("ruling=*", "ruling noted.*?Cards were shown early"),
        ("alert=device", "device lost"),
        ("since=2026-11-26&table=t1", "2026-11-26"),
        ("since=yesterday", "&#39;yesterday&#39; is no date|yesterday is no date: write it as"),
        ("table=nowhere", "Nothing was found."),
        ("table=%25", "Nothing was found."),
        ("person=nobody", "Nothing was found."),
        ("person=b%C3%A9la&game=punto", "Béla"),
    ],
)
def test_the_search_finds_over_all_evenings(asked, query, finds):
    (answer,) = asked(f"/search?{query}")

    assert re.search(finds, answer.text, re.DOTALL)
    assert answer.status_code == 200


def test_a_sign_that_no_database_takes_is_not_searched_for(url):
    store = Store(url)
    pages = FloorPages(LiveTables(), dict, frame)
    routes = PastPages(Sheets(), FloorPast(store, reader)).routes()
    transport = httpx.ASGITransport(app=pages.app(*routes))

    async def look():
        async with httpx.AsyncClient(
            transport=transport, base_url="http://127.0.0.1:8090"
        ) as browser:
            return [await browser.get(f"/search?{name}=a%00") for name in ("table", "alert")]

    found = asyncio.run(look())
    store.close()

    assert [answer.status_code for answer in found] == [200, 200]
    assert all("Nothing was found." in answer.text for answer in found)


def test_a_find_leads_to_its_evening(asked):
    (found,) = asked("/search?table=t1")
    first = re.search(r'href="(/table/casino/t1/at/\d+)"', found.text)[1]

    (answer,) = asked(first)

    assert (answer.status_code, answer.headers["location"]) == (303, "/table/casino/t1/evenings/2")


def test_reports_are_drawn_and_are_files(asked):
    page, csv, wrong, none = asked(
        "/reports?by=hour", "/reports/counts.csv", "/reports/figures.csv?since=soon",
        "/reports/money.csv",
    )  # fmt: skip

    assert page.text.count("<svg") == 3
    assert page.text.count("<rect") > 3
    assert csv.text.startswith("of,kind,what,why,times,of_10_000")
    assert (wrong.status_code, none.status_code) == (400, 404)


def test_a_report_that_cannot_be_made_now_is_refused_with_the_time_to_come_again(floor):  # noqa: F811
    """As a page, and as a file."""

    async def look():
        threads, made = Threads(), threading.Event()
        waiting = [asyncio.create_task(threads.report(made.wait, PATIENCE_S)) for _ in range(3)]
        await asyncio.sleep(0)  # they are asked for
        routes = ReportPages(Sheets(), floor.store, threads).routes()
        site = FloorPages(LiveTables(), dict, frame).app(*routes)
        transport = httpx.ASGITransport(app=site)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as browser:
            found = [await browser.get(path) for path in ("/reports", "/reports/counts.csv")]
        made.set()
        await asyncio.gather(*waiting)
        threads.close()
        return found

    for answer in asyncio.run(look()):
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "6")
        assert "Come again in 6 s" in answer.text


def test_who_asks_for_a_report_at_once_gets_it_in_his_own_language(floor):  # noqa: F811
    """What is made once for many is made for those alone who see the same."""

    async def look():
        threads = Threads()
        routes = ReportPages(Sheets(), floor.store, threads).routes()
        site = FloorPages(LiveTables(), dict, frame).app(*routes)
        transport = httpx.ASGITransport(app=site)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as browser:
            at_once = [
                browser.get("/reports", headers={"Cookie": f"language={language}"})
                for language in ("de", "fr", "de", "fr")
            ]
            found = await asyncio.gather(*at_once)
        threads.close()
        return found

    pages = [answer.text for answer in asyncio.run(look())]
    assert [re.search(r'lang="(\w+)"', page)[1] for page in pages] == ["de", "fr"] * 2
    assert pages[0] == pages[2] != pages[1] == pages[3]


def hall(live, count):
    for number in range(count):
        table(live, f"t{number:04d}")
    return live


@pytest.mark.parametrize(("count", "way"), [(10, "large"), (100, "medium"), (1000, "small")])
def test_what_is_wrong_comes_first_and_large_among_any_number(count, way):
    live = hall(LiveTables(), count)
    tables = list(live.tables)
    alert(live, tables[count // 2], Severity.STOP)
    alert(live, tables[-1], Severity.NOTICE)

    async def look(browser):
        return (await browser.get("/")).text

    page = looked(live, look)

    keys = re.findall(r'data-key="([^"]+)"', page)
    assert keys[:2] == [f"hall-t{count // 2:04d}", f"hall-t{count - 1:04d}"]
    assert len(keys) == count
    assert 'id="wanting" class="tiles large"' in page
    assert f'id="well" class="tiles {way}"' in page


@pytest.mark.parametrize("nasty", NASTY.values(), ids=NASTY)
def test_a_table_that_tells_nonsense_is_shown_as_what_it_is_and_the_others_too(nasty):
    live = LiveTables()
    here = table(live, "bad")
    table(live, "good")
    odd = structs.replace(frame("zoppot-1934"), title=nasty, unit=nasty)
    message = current("x", {"seq": 1, "stream": "s", "snapshot": odd}, here)
    live.hear(here, "snapshot", message.payload, NOON)
    seen = AlertView(
        id="a", code=nasty[:99], severity=Severity.STOP, what=Phrase(nasty), remedy=Phrase(nasty)
    )
    live.hear(here, "croupier/alert/a", tuple(alert_messages(seen, here))[1].payload, NOON)

    async def look(browser):
        pages = [await browser.get(path) for path in ("/", "/wall", "/table/hall/bad", "/?lang=hu")]
        return [(one.status_code, one.text) for one in pages]

    found = looked(live, look)
    for status, page in found:
        assert status == 200
        assert "<script>alert" not in page
        assert "x" * 1000 not in page
        assert not re.search("[\u202a-\u202e\u2066-\u2069]", page)
    assert "good" in found[0][1]
    assert live.tables[here].picture().title
