"""The floor's people: what each role opens, and what the audit says about them."""

from __future__ import annotations

import asyncio
import re

import httpx
import pytest
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from table_controller.adapters.mqtt_messages import TableState, state_message
from table_controller.adapters.web.serve import Server
from table_controller.commands.floor.page import frame, reader
from table_controller.floor import people
from table_controller.floor.alerts import AlertSettings
from table_controller.floor.floor import database
from table_controller.floor.live import LiveTables
from table_controller.floor.past import FloorPast
from table_controller.floor.people import Did, NotAdded, Roll
from table_controller.floor.roles import RIGHTS, FloorPerson, FloorRole, Right
from table_controller.floor.store import Store
from table_controller.floor.watch import Lookout
from table_controller.floor.web.alert_pages import AlertPages
from table_controller.floor.web.app import FloorPages
from table_controller.floor.web.keeping import KeepingPages
from table_controller.floor.web.past_pages import PastPages
from table_controller.floor.web.report_pages import ReportPages
from table_controller.floor.web.sheets import Sheets
from table_controller.service import pins
from tests.floor.test_page import parts_of
from tests.floor.test_view import NOON, table
from tests.limits import PATIENCE_S
from tests.signing import own

NEAR, FAR = "http://127.0.0.1:8090", "https://192.168.1.4:8090"
PIN = "482913"
#: What a stranger gets at each page, and what each role gets there.
OPENED = {
    "/": {"viewer": 200, "pit": 200, "manager": 200, "inspector": 200, "admin": 200},
    "/table/hall/one": {"viewer": 200, "pit": 200, "manager": 200, "inspector": 200, "admin": 200},
    "/wall": {"viewer": 200, "pit": 200, "manager": 200, "inspector": 200, "admin": 200},
    "/alerts": {"viewer": 200, "pit": 200, "manager": 200, "inspector": 200, "admin": 200},
    "/search": {"viewer": 403, "pit": 403, "manager": 200, "inspector": 200, "admin": 200},
    "/reports": {"viewer": 403, "pit": 403, "manager": 200, "inspector": 200, "admin": 200},
    "/reports/counts.csv": {
        "viewer": 403,
        "pit": 403,
        "manager": 200,
        "inspector": 200,
        "admin": 200,
    },
    "/table/hall/one/evenings": {
        "viewer": 403,
        "pit": 403,
        "manager": 200,
        "inspector": 200,
        "admin": 200,
    },
    "/audit": {"viewer": 403, "pit": 403, "manager": 403, "inspector": 200, "admin": 200},
}


@pytest.fixture
def store(tmp_path):
    made = Store(database(tmp_path))
    yield made
    made.close()


@pytest.fixture
def keys(tmp_path):
    return people.keys_of(tmp_path)


def add(store, keys, name, role):
    people.add(store, FloorPerson(name, FloorRole(role), pins.proof(PIN, keys)))


def visited(store, keys, story, base_url=FAR, client="192.168.1.9"):
    """What a browser finds at the page of a floor with this database."""

    async def meet():
        live, roll = LiveTables(), Roll(store, keys)
        table(live, "one")
        sheets, past = Sheets(roll.gate()), FloorPast(store, reader)
        pages = FloorPages(live, dict, frame, now=lambda: NOON, sheets=sheets)
        watch = Lookout(store, live, dict, AlertSettings(), clock_ms=lambda: 1, now=lambda: NOON)
        more = (
            *AlertPages(sheets, watch, None, live, lambda: 1).routes(),
            *PastPages(sheets, past).routes(),
            *ReportPages(sheets, store).routes(),
            Route("/metrics", sheets.door.near_or_behind(Right.LOOK, figures)),
            *KeepingPages(sheets, store).routes(),
        )
        transport = httpx.ASGITransport(app=pages.app(*more), client=(client, 40_000))
        async with httpx.AsyncClient(transport=transport, base_url=base_url) as browser:
            return await story(browser, roll)

    return asyncio.run(meet())


async def figures(_request):
    return PlainTextResponse("schlitten_floor_broker_up 1.0")


def sign_in(browser, name, pin=PIN):
    said = {"name": name, "pin": pin}
    return browser.post("/sign-in", json=said, headers={"Origin": own(browser)})


@pytest.mark.parametrize("role", FloorRole)
def test_each_role_opens_its_pages_and_a_stranger_none(store, keys, role):
    add(store, keys, "Anna", role)

    async def look(browser, _roll):
        strange = [(await browser.get(page)).status_code for page in OPENED]
        signed = await sign_in(browser, "anna")
        found = {page: (await browser.get(page)).status_code for page in OPENED}
        press = {"site": "hall", "table": "one", "alert": "lid"}
        pressed = await browser.post("/alerts/seen", json=press, headers={"Origin": own(browser)})
        return strange, signed, found, pressed.status_code

    strange, signed, found, pressed = visited(store, keys, look)

    assert strange == [401] * len(OPENED)
    assert pressed == (403 if role in ("viewer", "inspector") else 200)
    assert signed.status_code == 200
    assert found == {page: roles[role] for page, roles in OPENED.items()}


def test_who_may_not_open_a_page_is_led_to_where_another_signs_in(store, keys, monkeypatch):
    """Also when "/" itself is refused, so that the way there leads back to the same sentence."""
    monkeypatch.setitem(RIGHTS, FloorRole.VIEWER, frozenset())
    add(store, keys, "Anna", "viewer")
    add(store, keys, "Béla", "admin")

    async def look(browser, _roll):
        await sign_in(browser, "Anna")
        opened = {"Accept": "text/html"}
        closed = await browser.get("/", headers=opened)
        ways = re.findall(r'class="plain" href="([^"]+)"', closed.text)
        led = [(await browser.get(way, headers=opened)) for way in ways]
        await sign_in(browser, "Béla")
        after = (await browser.get("/", headers=opened)).status_code
        return closed.status_code, [page for page in led if page.status_code == 200], after

    closed, led, after = visited(store, keys, look)

    assert (closed, after) == (403, 200)
    assert ['id="sign-in"' in page.text for page in led] == [True]


def test_until_somebody_has_a_role_only_this_machine_opens_the_page(store, keys):
    async def look(browser, _roll):
        return [(await browser.get(page)).status_code for page in ("/", "/audit", "/live")]

    assert visited(store, keys, look) == [401, 401, 401]
    here = visited(store, keys, lambda browser, _: browser.get("/audit"), NEAR, "127.0.0.1")
    assert here.status_code == 200


@pytest.mark.parametrize(
    ("client", "status"), [("127.0.0.1", 200), ("192.168.1.4", 200), ("192.168.1.9", 401)]
)
def test_the_figures_are_for_this_machine_and_for_people(store, keys, client, status):
    """The floor is served at 192.168.1.4."""
    add(store, keys, "Anna", "viewer")

    async def look(browser, _roll):
        strange = (await browser.get("/metrics")).status_code
        await sign_in(browser, "Anna")
        return strange, (await browser.get("/metrics")).status_code

    assert visited(store, keys, look, client=client) == (status, 200)


def test_who_is_removed_is_out_and_the_audit_says_so(store, keys):
    """Sign-ins, refusals and the changes of the list; never a PIN."""
    add(store, keys, "Anna", "admin")
    add(store, keys, "Béla", "pit")

    async def look(browser, roll):
        wrong = await sign_in(browser, "Béla", "999999")
        await sign_in(browser, "Béla")
        before = (await browser.get("/")).status_code
        people.remove(store, "béla")
        roll.refresh()
        after = (await browser.get("/")).status_code
        await sign_in(browser, "Anna")
        roll.refresh()
        return wrong.status_code, before, after, (await browser.get("/audit")).text

    wrong, before, after, page = visited(store, keys, look)

    assert (wrong, before, after) == (401, 200, 401)
    rows = [(row.actor, row.did, row.about) for row in reversed(people.noted(store))]
    assert rows == [
        ("console", Did.PERSON_ADDED, "admin:Anna"),
        ("console", Did.PERSON_ADDED, "pit:Béla"),
        ("console", Did.PERSON_REMOVED, "pit:Béla"),
        ("page", Did.REFUSED, "Béla"),
        ("pit:Béla", Did.SIGNED_IN, ""),
        ("admin:Anna", Did.SIGNED_IN, ""),
    ]
    assert "a wrong PIN was refused" in page
    assert PIN not in page
    assert "999999" not in page


def test_the_audit_is_shown_by_the_page_the_latest_first(store, keys):
    with store.engine.begin() as db:
        for number in range(201):
            people.note(db, f"pit:P{number}", Did.SIGNED_IN)

    async def look(browser, _roll):
        return (await browser.get("/audit")).text, (await browser.get("/audit?before=2")).text

    first, last = visited(store, keys, look, NEAR, "127.0.0.1")

    assert first.index("pit:P200") < first.index("pit:P199") < first.index("pit:P1<")
    assert "pit:P0<" not in first
    assert "/audit?before=2" in first
    assert "pit:P0<" in last
    assert "earlier" not in last


MENU = [
    ("/", "all tables"),
    ("/alerts", "alerts"),
    ("/search", "search"),
    ("/reports", "reports"),
    ("/audit", "who did what"),
    ("/wall", "wall"),
]


def test_the_audit_has_the_menu_of_the_floor(store, keys):
    """As every other page of the floor. The menu marks the page that is open."""

    async def look(browser, _roll):
        return (await browser.get("/audit")).text

    page = visited(store, keys, look, NEAR, "127.0.0.1")

    menu = page.partition('<nav class="pages"')[2].partition("</nav>")[0]
    links = re.findall(r'<a class="plain" href="([^"]*)"[^>]*>([^<]*)</a>', menu)
    assert links == MENU
    assert re.findall(r'href="([^"]*)" aria-current="page"', menu) == ["/audit"]
    assert page.count(">all tables<") == 1


def test_a_name_is_kept_once_however_it_is_written(store, keys):
    add(store, keys, "Anna", "viewer")
    add(store, keys, "ANNA", "admin")

    assert [(one.name, one.role) for one in people.persons(store)] == [("ANNA", "admin")]
    assert not people.remove(store, "Nobody")


@pytest.mark.parametrize("name", ["Anna: [x]", "", " Anna", "A" * 41, "An\x7fna", "B\u202ela"])
def test_a_name_that_tables_would_refuse_is_not_added(store, keys, name):
    """A table refuses a press in the name of such a person (`adapters/mqtt_requests.py`)."""
    with pytest.raises(NotAdded, match="is no name for the list"):
        add(store, keys, name, "viewer")
    assert people.persons(store) == ()


def test_an_open_page_gets_nothing_more_once_the_person_is_removed(store, keys):
    add(store, keys, "Anna", "viewer")
    add(store, keys, "Béla", "admin")

    async def meet():
        live, roll = LiveTables(), Roll(store, keys)
        here = table(live, "one")
        pages = FloorPages(live, dict, frame, now=lambda: NOON, sheets=Sheets(roll.gate()))
        server = Server(pages.app(), "127.0.0.1", 0)
        await server.start()
        try:
            async with (
                asyncio.timeout(PATIENCE_S),
                httpx.AsyncClient(base_url=server.url, timeout=PATIENCE_S) as browser,
            ):
                await sign_in(browser, "Anna")
                async with browser.stream("GET", "/live") as answer:
                    parts = parts_of(answer)
                    first = await anext(parts)
                    people.remove(store, "Anna")
                    roll.refresh()
                    lost = state_message(TableState.LOST, "b", here)
                    live.hear(here, "state", lost.payload, NOON)
                    return first, [part async for part in parts]
        finally:
            await server.stop()

    first, more = asyncio.run(meet())

    assert "hall-one" in first["well"]
    assert more == []
