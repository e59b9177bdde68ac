"""Whether everybody can read and reach the page, and its layout is stable, in Debian's Chromium."""

from __future__ import annotations

import json
from itertools import product

import msgspec
import pytest
from axe_playwright_python.sync_playwright import Axe

from table_controller.engine.pieces import Person
from table_controller.engine.views import SeatView
from tests.adapters.web import pieces, samples
from tests.adapters.web.samples import (
    ADVICE_LIT,
    ALERT,
    ALL,
    TO_SPEAK,
)
from tests.adapters.web.served import show, words
from tests.limits import PATIENCE_MS

DESK, PHONE = (1280, 800), (390, 844)


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("path", ["/", "/public"])
def test_everybody_can_read_it(look, served, path, theme):
    """Axe finds nothing against WCAG 2.1 A and AA, whatever the table shows."""
    page = look(path=path, theme=theme)
    axe, found = Axe(), {}
    for number, name in enumerate(("advice", "alert", "settlement", "before-staking")):
        show(page, served, ALL[name], number)
        told = axe.run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]})
        found |= {
            (name, fault["id"]): fault["nodes"][0]["html"] for fault in told.response["violations"]
        }

    assert found == {}


@pytest.mark.parametrize("path", ["/", "/public"])
def test_it_fits_its_screen(look, served, artefacts, path):
    """A desk shows everything without scrolling, a phone without scrolling sideways."""
    kind = "public" if path == "/public" else "croupier"
    desk = look(path=path, size=DESK, reduced_motion="reduce")
    phone = look(path=path, size=PHONE, theme="light", reduced_motion="reduce")
    sizes = {}
    for number, name in enumerate(ALL):
        show(desk, served, ALL[name], number)
        show(phone, served, ALL[name], number)
        desk.screenshot(path=artefacts / f"{name}-{kind}.png")
        phone.screenshot(path=artefacts / f"{name}-{kind}-phone.png", full_page=True)
        sizes[name] = [*desk.evaluate(SIZES), phone.evaluate(SIZES)[0]]

    assert sizes == {name: [1280, 800, 0, 0, 390] for name in ALL}


@pytest.mark.parametrize("path", ["/", "/public"])
def test_two_marks_push_nothing_off_the_table(look, path):
    """At 1280 by 800, on every one of nine seats."""
    seats = tuple(
        SeatView(seat=n, taken=True, marks=(pieces.PRIME, pieces.SUIVI)) for n in range(1, 10)
    )
    people = tuple(Person(seat=n, name="Berta", balance=80) for n in range(1, 10))
    now = msgspec.structs.replace(TO_SPEAK, seats=seats, people=people, hands=())
    page = look(now, path=path, size=DESK)

    assert page.locator(".seat .marks i").count() == 18
    assert page.evaluate(CUT_OFF) == []


#: Words on the felt that stand outside their seat's cell, or their cell outside the table.
CUT_OFF = """() => {
  const found = [], out = (at, place) => at.width && (at.top < place.top || at.bottom > place.bottom
    || at.left < place.left || at.right > place.right);
  const table = document.querySelector('#table').getBoundingClientRect();
  for (const seat of document.querySelectorAll('.seat')) {
    const place = seat.getBoundingClientRect();
    if (out(place, table)) found.push(seat.textContent);
    for (const e of seat.querySelectorAll('.disc, .name, .balance, .marks i'))
      if (out(e.getBoundingClientRect(), place)) found.push(e.textContent);
  }
  return found;
}"""


#: Width and height of the page, and what does not fit into its right half.
SIZES = """() => {
  const page = document.documentElement;
  const parts = ['.words', '#side'].map(s => document.querySelector(s));
  return [page.scrollWidth, page.scrollHeight,
          ...parts.map(e => e ? e.scrollHeight - e.clientHeight : 0)];
}"""


@pytest.mark.parametrize(
    ("name", "size"),
    [
        *product(("advice", "to-speak", "before-staking", "settlement"), (DESK, PHONE)),
        *(("alert", size) for size in ((1920, 1080), PHONE)),  # keys for a card beside it
    ],
)
def test_main_buttons_are_big_enough_for_a_thumb(look, name, size):
    """At least 88 px, others 44; on a phone they stand above the table."""
    page = look(ALL[name], size=size)
    boxes = [
        button.bounding_box() for button in page.locator("#offers button.main:not(.also *)").all()
    ]
    others = [button.bounding_box() for button in page.locator(".also button").all()]
    table = page.locator("#table").bounding_box()

    assert boxes
    assert all(box["height"] >= 44 and box["width"] >= 44 for box in others)
    assert min(box["height"] for box in boxes) >= 88
    assert min(box["width"] for box in boxes) >= 88
    assert size != PHONE or all(box["y"] + box["height"] <= table["y"] for box in boxes)


def test_the_switch_changes_the_theme_and_it_stays(look):
    """Dark by default in a dark room; the switch outlives a reload."""
    page = look(ADVICE_LIT, theme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_role("button", name="light or dark").click()
    dark = page.evaluate(ground)
    page.reload()

    assert page.evaluate(ground) == dark != light


def test_closed_cards_are_all_alike(look):
    """R-13: nothing but the place tells one back from another."""
    page = look(TO_SPEAK)
    backs = page.locator("#trays .card").evaluate_all("cards => cards.map(c => c.outerHTML)")

    assert len(backs) == 4
    assert len(set(backs)) == 1
    assert page.locator("#table").text_content().count("a closed card") == 4


def test_open_cards_show_their_face(look):
    """Rank and suit are legible, and named for who cannot see them."""
    page = look(ADVICE_LIT)
    faces = page.locator("#trays .card:has(.index)")

    assert faces.locator(".index").all_text_contents() == ["4", "4", "K", "K", "5", "5"]
    assert [face.locator("use").first.get_attribute("href") for face in faces.all()] == [
        "#suit-h", "#suit-d", "#suit-s",
    ]  # fmt: skip
    assert "king of diamonds, five of spades" in " ".join(
        words(page, "#table").replace("\n", " ").split()
    )


def test_a_lost_connection_is_said_and_mends_itself(look, served, restart):
    """What may be old is grey. The program is started again: the page comes back, with the news."""
    page = look(ADVICE_LIT)
    filtered = "getComputedStyle(document.querySelector('#table')).filter"
    before = page.evaluate(filtered)
    restart.stop()
    page.locator(".lost span").wait_for(state="visible")
    assert (before, page.evaluate(filtered)) == ("none", "grayscale(1)")
    restart.start(samples.with_pot(777))
    page.locator("#middle .sum", has_text="777").wait_for()

    assert not page.locator(".lost span").is_visible()
    assert page.evaluate(filtered) == "none"
    look.complaints.clear()  # the browser notes each try


def test_everything_comes_from_the_table_itself(browser, served):
    """The page works without any other host."""
    context = browser.new_context()
    page = context.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    with page.expect_response("**/live?*"):
        page.goto(served.url)
    context.close()

    assert asked
    assert all(url.startswith(served.url) for url in asked)


def test_offers_of_the_samples_are_json_that_the_table_can_read(look):
    """What a button carries is the offer's input, unchanged."""
    page = look(ALERT)
    carried = page.locator("[data-input]").evaluate_all("all => all.map(e => e.dataset.input)")

    offered = [offer.input for offer in samples.ALERT.offers]
    assert sorted(carried) == sorted(msgspec.json.encode(said).decode() for said in offered)
    assert all(json.loads(text)["type"] for text in carried)


@pytest.mark.parametrize("path", ["/", "/public"])
def test_an_older_browser_is_told_so_in_a_sentence_without_style(served, browser, path):
    """One whose styles know no :has; the overlay stays as it is, for OBS."""
    context = browser.new_context()
    context.add_init_script("CSS.supports = () => false")
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(served.url + path)

    said = page.locator("body").inner_text()
    assert said.startswith("This browser is too old for this page.")
    assert len(said) < 200
    assert page.locator("link[rel=stylesheet]").count() == 0
    page.goto(served.url + "/overlay")
    assert page.locator("link[rel=stylesheet]").count() > 2
    assert page.get_by_text("too old").count() == 0
    context.close()
