"""The pages that guests, streamers and managers read: axe, and every width down to 320 pixels.

WCAG 1.4.10: 320 pixels are a screen of 1280 at 400 %; 640 are the same screen at 200 %.
"""

from __future__ import annotations

from functools import partial

import pytest

from table_controller.adapters.mqtt_names import TableId
from table_controller.adapters.web.app import app
from table_controller.commands.floor.page import frame
from table_controller.engine.messages import Severity
from table_controller.floor.past import FloorPast
from table_controller.floor.schema import houses
from table_controller.floor.web.alert_pages import AlertPages
from table_controller.floor.web.app import FloorPages
from table_controller.floor.web.past_pages import PastPages
from table_controller.floor.web.report_pages import ReportPages
from table_controller.floor.web.sheets import Sheets
from tests.adapters.web.served import Served
from tests.adapters.web.test_page_access import told
from tests.floor import test_reports as reports
from tests.floor.test_view import alert
from tests.floor.test_watch import Hall
from tests.limits import PATIENCE_MS
from tests.whole import past

WIDTHS = (320, 640, 1280)
PHONE, STREAM = (390, 844), (1920, 1080)
#: What reaches beyond the screen, and makes the page scroll to its side.
BESIDE = """() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  return [...document.querySelectorAll("body *")]
    .filter(e => e.getBoundingClientRect().right > clientWidth + 1)
    .map(e => `${e.tagName}.${e.className} ${e.textContent.trim().slice(0, 30)}`).slice(0, 5);
}"""
#: Whether there is more below that no scrolling brings up.
LOST = """() => {
  const shut = [document.documentElement, document.body];
  return shut.some(e => getComputedStyle(e).overflowY === "hidden")
    && Math.max(...shut.map(e => e.scrollHeight)) > innerHeight + 1;
}"""
PATHS = {
    "punto-banco": (
        "/public", "/overlay", "/public/evening", "/public/evening/coups/3", "/evenings",
        "/evenings/1", "/evenings/1/coups/3", "/evenings/statistics", "/glossary?public", "/none",
    ),
    "zoppot-1934": ("/public", "/evenings/1", "/rule/Z-13", "/glossary"),
    "floor": (
        "/", "/wall", "/alerts", "/search?table=x", "/reports", "/table/casino/x1/evenings",
        "/table/casino/x1/evenings/1", "/table/casino/x1/evenings/1/coups/2", "/table/no/ne",
    ),
}  # fmt: skip


def a_table(folder, house):
    """A table amid a coup, with the journal of its evening so far."""
    played = past.played(house, coups=6)
    drawn = [at for at, moment in enumerate(played.moments) if draws(moment)]
    journal = past.kept(folder / f"{house}.db", played.house, played.said[: drawn[-1] + 1])
    project = journal._game.snapshot
    return Served(played.moments[drawn[-1]].table, project=project, site=partial(app, past=journal))


def draws(moment):
    """Whether a card was drawn at this moment."""
    return any(event.__struct_config__.tag == "card_drawn" for event in moment.events)


def a_floor(folder):
    """A floor of nine tables, one of which calls, and the past of a tenth."""
    hall = Hall(f"sqlite:///{folder}/floor.db")
    for number in range(9):
        hall.table(f"t{number}")
    alert(hall.live, next(iter(hall.live.tables)), Severity.STOP)
    watch = hall.watch()
    watch.look()
    played = past.played("punto-banco", coups=6, faults="unread")
    past.kept(folder / "x1.db", played.house, played.said)
    at = TableId("casino", "x1")
    reports.tell(hall.ledger, at, folder / "x1.db")
    with hall.store.engine.begin() as db:
        id_ = hall.store.table_id(db, at)
        db.execute(houses.insert().values(table_id=id_, house=played.house.id, game="punto-banco"))
    sheets, found = Sheets(), FloorPast(hall.store, reports.reader)
    routes = (
        *AlertPages(sheets, watch, None, hall.live, hall.clock.ms).routes(),
        *PastPages(sheets, found).routes(),
        *ReportPages(sheets, hall.store).routes(),
    )
    pages = FloorPages(hall.live, dict, frame, sheets=sheets, now=hall.clock.now)
    return Served(site=lambda _hub: pages.app(*routes))


@pytest.fixture(scope="module")
def page(browser, tmp_path_factory):
    """Open a page of one of the sites, which are begun once each."""
    folder, sites = tmp_path_factory.mktemp("readers"), {}
    context = browser.new_context()
    shown = context.new_page()
    shown.set_default_timeout(PATIENCE_MS)

    def open_(name, path):
        if name not in sites:
            sites[name] = a_floor(folder) if name == "floor" else a_table(folder, name)
        width, height = STREAM if path == "/overlay" else PHONE
        shown.set_viewport_size({"width": width, "height": height})
        shown.goto(sites[name].url + path)
        if path in ("/public", "/overlay"):
            shown.locator("#trays .tray").first.wait_for()
        return shown

    yield open_
    context.close()
    for site in sites.values():
        site.stop()


@pytest.mark.parametrize(
    ("site", "path"), [(site, path) for site, paths in PATHS.items() for path in paths]
)
def test_a_page_is_read_by_everybody_at_every_width(page, site, path):
    shown = page(site, path)

    assert told(shown, ("dark",) if path == "/overlay" else ("dark", "light")) == []
    beside = {}
    for width in WIDTHS if path != "/overlay" else STREAM[:1]:
        shown.set_viewport_size({"width": width, "height": 800})
        beside[width] = shown.evaluate(BESIDE)
        assert not shown.evaluate(LOST), f"what is below cannot be reached at {width} pixels"
    assert {width: found for width, found in beside.items() if found} == {}


def test_a_coup_opens_with_its_end_and_plays_from_its_beginning(page):
    """A guest sees the cards at once; "play" goes through them."""
    shown = page("punto-banco", "/public/evening/coups/3")
    moment, at = shown.locator(".p-moments > li:visible"), shown.locator(".p-play output")
    number, all_ = (int(one) for one in at.text_content().split("/"))

    assert moment.locator(".p-hand").count() == 2
    assert moment.locator(".p-chip").count() >= 1
    assert 1 < number <= all_
    shown.get_by_role("button", name="play", exact=True).click()
    assert at.text_content() == f"1 / {all_}"
    shown.get_by_role("button", name="to the end").click()
    assert at.text_content() == f"{all_} / {all_}"
