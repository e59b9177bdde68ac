"""Roads on the public page: a wall's, a phone's and a printed one, of made-up signs."""

from __future__ import annotations

import msgspec
import pytest

from table_controller.engine.pieces import Entry
from tests.adapters.web.samples import ADVICE_LIT, ROADS

WALL, PHONE = (1920, 1080), (390, 844)
#: 16 mm on a screen of 55 inches, which is 685 mm high, so that it is legible at eight metres.
AFAR = 16 / 685 * 1080

#: Of each road: its square's side, how far its drawing ends from its right edge, and whether
#: anything of it lies outside the window.
LIES = """() => [...document.querySelectorAll('.squares')].map(squares => {
  const frame = squares.getBoundingClientRect(), svg = squares.firstElementChild;
  const drawn = svg.getBoundingClientRect();
  return [drawn.height / 6, Math.round(frame.right - drawn.right),
          frame.right <= innerWidth && (innerHeight < 900 || frame.bottom <= innerHeight)];
})"""


def with_road(number, **more):
    """The sample's roads, one of them otherwise."""
    roads = list(ROADS.roads)
    roads[number] = msgspec.structs.replace(roads[number], **more)
    return msgspec.structs.replace(ROADS, roads=tuple(roads))


@pytest.mark.parametrize(("size", "large", "little"), [(WALL, AFAR, AFAR), (PHONE, 20, 10)])
def test_five_roads_are_legible_and_end_with_the_newest_column(look, size, large, little):
    """Those that fit begin at the left; of one that does not, the oldest columns are cut off."""
    page = look(ROADS, path="/public", size=size)

    lies = page.evaluate(LIES)

    assert len(lies) == 5
    assert min(side for side, _, _ in lies[:2]) >= large
    assert min(side for side, _, _ in lies[2:]) >= little
    assert [right for _, right, _ in (lies[1], lies[2])] == [0, 0]
    assert all(right > 0 for _, right, _ in (lies[0], lies[3], lies[4]))
    assert all(inside for *_, inside in lies)
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]


def test_a_road_says_in_words_what_is_drawn(look):
    """In the order in which it came, for who cannot see it; and what would come next."""
    entries = (Entry(0, 0, 1), Entry(1, 0, 1, count=12), Entry(0, 1, 0, top_left=True))
    page = look(with_road(1, entries=entries), path="/public")

    road = page.locator("[data-key=road-rings]")
    assert road.get_by_role("img").get_attribute("aria-label") == "rings: blue, blue, red"
    assert road.locator(".count").all_text_contents() == ["12"]
    assert road.locator(".disc.red").get_attribute("d") == "M15 5h0"
    assert road.locator(".disc.blue").get_attribute("d") == "M5 5h0M5 15h0"
    assert road.locator(".dot.red").get_attribute("d") == "M11.7 1.7h0"
    assert road.locator(".dot.blue").count() == 0
    eyes, slashes = (
        " ".join(page.locator(f"[data-key=road-{name}] h2").inner_text().split())
        for name in ("eyes", "slashes")
    )
    assert eyes == "eyes blue ○ blue red ○ red"
    assert slashes == "slashes blue ╱ blue red –"
    assert page.locator("[data-key=counts-beads] span").all_text_contents() == [
        "coups\u00a074".replace("\u00a0", " "), "red ones 31", "blue ones 33",
    ]  # fmt: skip


def test_a_road_grows_while_one_looks(look, served):
    """The letters that stand already are the same elements; one more comes behind them."""
    page = look(ROADS, path="/public")
    letters = page.locator("[data-key=road-beads] text")
    page.evaluate("window.kept = document.querySelector('[data-key=road-beads] text')")
    before = letters.count()
    beads = ROADS.roads[0].entries
    served.tell(with_road(0, entries=(*beads, Entry(2, 12, 2))))
    letters.nth(before).wait_for()

    assert letters.count() == before + 1
    assert page.evaluate("kept.isConnected")


def test_a_table_without_roads_has_no_place_for_them(look, served):
    """Nor one whose roads have gone."""
    page = look(ROADS, path="/public", size=WALL)
    with_roads = page.locator("#table").bounding_box()
    served.tell(ADVICE_LIT)
    page.locator("#roads").wait_for(state="hidden")
    without = page.locator("#table").bounding_box()

    assert with_roads["height"] < without["height"]
    assert with_roads["width"] == without["width"] == 1920


def test_an_empty_road_is_an_empty_one(look):
    """Before the first coup of a Schlitten."""
    page = look(with_road(0, entries=(), figures=()), path="/public")

    beads = page.locator("[data-key=road-beads]")
    assert beads.get_by_role("img").get_attribute("aria-label") == "beads: –"
    assert beads.locator("text").count() == 0


def test_printed_are_the_roads_alone_with_all_their_columns(look, artefacts):
    """On white, whatever the theme; nothing is cut off."""
    page = look(ROADS, path="/public", size=(1000, 1400))
    page.emulate_media(media="print")
    page.screenshot(path=artefacts / "roads-printed.png", full_page=True)

    shown = "s => { const e = document.querySelector(s); return e.checkVisibility(); }"
    gone = ("#table", "#result", "#foot", "#language", "#theme")
    cut = """[...document.querySelectorAll('.squares')].filter(
        e => e.firstElementChild.getBoundingClientRect().width > e.clientWidth).length"""
    assert not any(page.evaluate(shown, each) for each in gone)
    assert page.evaluate(shown, "#title")
    assert page.evaluate(cut) == 0
    ink = "getComputedStyle(document.querySelector('#roads .red')).color"
    assert page.evaluate(ink) == "rgb(179, 38, 30)"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
