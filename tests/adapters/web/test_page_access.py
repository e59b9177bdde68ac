"""Pages beside the table's own, for everybody: axe, keys alone, 200 % zoom, forced colours."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe

from firmware_bridge.messages import Picture
from table_controller.adapters.metrics import Meter
from table_controller.adapters.web.app import app
from table_controller.adapters.web.beginning import Beginning
from table_controller.adapters.web.machine import BoardView, MachineView
from table_controller.engine.chemin_de_fer.view import snapshot
from table_controller.engine.messages import Audience
from table_controller.wiring.first_start import FirstStart, HouseChoice, houses
from tests.adapters.web import overlaps, samples
from tests.adapters.web.served import Served
from tests.adapters.web.test_tape_pages import Past, Tapes
from tests.engine import playing
from tests.engine.playing import play
from tests.limits import PATIENCE_MS

#: A desk at 200 %: half as many pixels of style sheets, either way.
ZOOMED = {"width": 640, "height": 400}
CODE, PIN = "482913", "83519264"
BEGUN = {"url": "https://192.168.1.40:8443/", "fingerprint": "AB:CD", "root": "page-root.pem"}
#: What may be wrong with a box, wherever the page can be scrolled.
FAULTS = ("over", "cut", "spills", "broken", "aside")


class Machine:
    """A machine whose board shows something else than it should."""

    def look(self):
        board = BoardView(
            port="/dev/ttyACM0", connected=True, why="", wanted=Picture(display_1=77),
            shown=Picture(), status=None,
        )  # fmt: skip
        meters = (
            Meter("schlitten_waiting", "Inputs that wait for the table.", {(): 2.0}),
            Meter("schlitten_open", "Open alerts.", {(("severity", "stop"),): 1.0}),
        )
        return MachineView(board=board, meters=meters, loops=(("page", 0.4), ("broker", -1.0)))


def table(hub):
    return app(hub, tapes=Tapes(), machine=Machine(), past=Past())


def first_start(_hub):
    choices = {
        "houses": [HouseChoice(one.id, one) for one in houses()],
        "addresses": ("192.168.1.40",),
    }
    choices |= {"camera": ("/dev/video0",), "board": ()}
    known = FirstStart(house="", supervisor="", pin="")
    return Beginning(CODE, choices, lambda _: BEGUN, known).app()


@pytest.fixture(scope="module")
def sites():
    sites = {
        "table": Served(samples.ROADS, site=table),
        "first start": Served(site=first_start),
    }
    yield sites
    for site in sites.values():
        site.stop()


@pytest.fixture
def shown(browser, sites):
    """Open a page of one of the sites."""
    contexts = []

    def shown_(site, path, **options):
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.goto(sites[site].url + path)
        if path.startswith("/overlay"):
            page.locator("#roads .road").first.wait_for()
        return page

    yield shown_
    for context in contexts:
        context.close()


def told(page, themes=("dark", "light")):
    """What axe finds in each of these themes."""
    found = []
    for theme in themes:
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        of = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]})
        found += [
            (theme, fault["id"], fault["nodes"][0]["html"]) for fault in of.response["violations"]
        ]
    return found


PAGES = [
    *[("first start", "/"), ("first start", "/none"), ("table", "/none")],
    *[("table", "/tape"), ("table", "/incident"), ("table", "/technician")],
]


@pytest.mark.parametrize(("site", "path"), PAGES)
def test_axe_finds_nothing(shown, site, path):
    """WCAG 2.1 A and AA, in either theme."""
    assert told(shown(site, path)) == []


def test_axe_finds_nothing_on_the_overlay(shown):
    """It has one theme, and the roads a ground of their own."""
    assert told(shown("table", "/overlay?parts=result,history"), ("dark",)) == []


def test_axe_finds_nothing_once_the_table_is_set_up(shown, sites):
    """The address and its QR code."""
    page = shown("first start", "/")
    for name, text in (("code", CODE), ("supervisor", "Anna"), ("pin", PIN), ("again", PIN)):
        page.fill(f"input[name={name}]", text)
    page.keyboard.press("Enter")
    page.locator("#begun .url").first.wait_for()

    assert told(page) == []
    sites["first start"].stop()
    sites["first start"] = Served(site=first_start)


@pytest.mark.parametrize(("site", "path"), [*PAGES, ("table", "/"), ("table", "/public")])
def test_tab_reaches_everything_and_shows_where_it_is(shown, site, path):
    """Every button, field and link, and each of them is seen and marked while it has the focus."""
    page = shown(site, path)
    wanted = page.evaluate(f"({FOCUSABLE})()")
    reached = []
    for _ in range(wanted + 5):
        page.keyboard.press("Tab")
        reached.append(page.evaluate(FOCUSED))

    unseen = [one for one in reached if one and not one["seen"]]
    assert unseen == []
    assert {one["number"] for one in reached if one} == set(range(wanted))


#: How many things take the focus by Tab; each is numbered. A group of radios takes it once.
FOCUSABLE = """() => {
  const groups = new Set(), any = "a[href], button, input, select, summary, [tabindex='0']";
  const found = [...document.querySelectorAll(any)].filter(e => {
    if (e.disabled || e.tabIndex < 0) return false;
    if (!e.checkVisibility({ visibilityProperty: true })) return false;
    if (e.type !== "radio") return true;
    const group = e.form?.dataset.key + e.name, fresh = !groups.has(group);
    groups.add(group);
    return fresh;
  });
  found.forEach((e, n) => { e.number = n; });
  return found.length;
}"""
#: Which of them has the focus, and whether people see that it has.
FOCUSED = """() => {
  const e = document.activeElement;
  if (e?.number === undefined) return null;
  const { top, bottom, left, right } = e.getBoundingClientRect();
  const inside = top < innerHeight && bottom > 0 && left < innerWidth && right > 0;
  return { number: e.number, what: e.outerHTML.slice(0, 90),
    seen: inside && getComputedStyle(e).outlineStyle !== "none" };
}"""


@pytest.mark.parametrize(("site", "path"), [*PAGES, ("table", "/"), ("table", "/public")])
def test_at_200_percent_nothing_is_lost(shown, site, path):
    """Scrolled down only, apart from wide tables: nothing is over anything or beside the page."""
    page = shown(site, path, viewport=ZOOMED, reduced_motion="reduce")
    found = page.evaluate(f"({overlaps.OVERLAPS})().faults")

    wrong = [fault for fault in found if fault[0] in FAULTS and ".p-wide" not in fault[2]]
    assert wrong == []
    assert page.evaluate("document.documentElement.scrollWidth") <= ZOOMED["width"]


def test_what_only_a_colour_would_tell_is_told_in_the_readers_own_colours(look):
    """The chip in the hand, the picked seat; the roads keep their own, and tell who won."""
    now = snapshot(play(playing.table(), "seat 1 banks 100", "all may stake"), Audience.CROUPIER)
    page = look(now, forced_colors="active", has_touch=True)
    chips = page.locator(".rack [data-chip]")
    chips.first.tap()
    page.locator(".drawer > summary", has_text="people").tap()
    page.locator(".drawer[open] .fold > summary", has_text="tips").tap()
    picks = page.locator(".fold[open] .picks span")
    page.locator(".fold[open] .picks input").first.tap()
    outlines = [style(chip, "outlineStyle") for chip in chips.all()]
    assert outlines == ["solid", *["none"] * (len(outlines) - 1)]
    assert style(picks.first, "backgroundColor") != style(picks.last, "backgroundColor")
    guests = look(samples.ROADS, path="/public", forced_colors="active", size=(1920, 1080))
    red, blue = (guests.locator(f"path.disc.{tone}").first for tone in ("red", "blue"))
    assert style(red, "stroke") != style(blue, "stroke")


def style(what, of):
    return what.evaluate("(e, of) => getComputedStyle(e)[of]", of)
