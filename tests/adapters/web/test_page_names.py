"""People's names are shown as plain text, whatever they contain, and cut with dots, in Chromium."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from table_controller.engine.chemin_de_fer.view import snapshot
from table_controller.engine.messages import Audience
from table_controller.engine.table.offers import NAME
from tests.adapters.web import overlaps
from tests.adapters.web.overlaps import SIZES
from tests.adapters.web.served import words
from tests.engine.playing import deal, play, table

#: The widest letters, from right to left, signs of several code points, and what looks like HTML.
NAMES = {
    1: "W" * NAME,
    2: "عبد الرحمن بن محمد بن خلدون الحضرمي",
    3: "👩‍👩‍👧‍👦👨🏽‍🚀🏴󠁧󠁢󠁳󠁣󠁴󠁿🎩",
    4: "<img src=x onerror=alert(1)>&amp;</b>",
    5: "\u202eevil \u202e name\u202c",
    6: "אברהם 123 Ábrahám",
    7: "Z̸̡̤͍̀a̷l̶g̵o̷",
    8: "'\"`;--{{ 7*7 }}",
}
DEALT = ("seat 1 banks 100", "seat 2 banco solo", *deal("2h Kc", "9d Ks"))


def named():
    """Hands dealt between the first two of them."""
    shown = snapshot(play(table(), *DEALT), Audience.CROUPIER)
    people = tuple(replace(one, name=NAMES.get(one.seat, one.name)) for one in shown.people)
    return replace(shown, people=people)


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_names_are_shown_as_what_they_are(look, theme):
    """Letter by letter; no box lies on another in any size, and what does not fit ends in dots."""
    page = look(named(), theme=theme, reduced_motion="reduce")
    cells = page.locator(".seat .name")
    for size in SIZES:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        found = page.evaluate(f"({overlaps.OVERLAPS})().faults")
        assert [fault for fault in found if fault[0] in ("over", "spills", "aside")] == []
    shown = [cells.nth(n).text_content() for n in range(cells.count())]
    assert set(NAMES.values()) <= set(shown)
    assert page.locator(".felt img, .felt b b").count() == 0
    dots = "e => e.scrollWidth > e.clientWidth && getComputedStyle(e).textOverflow === 'ellipsis'"
    assert page.locator(".seat .name", has_text="WWW").evaluate(dots)


def test_a_hand_is_named_whole_beside_its_role(look):
    """POINTEUR, and below it who holds it: an ordinary name is not cut, in any size."""
    shown = snapshot(play(table(), *DEALT), Audience.CROUPIER)
    people = tuple(replace(one, name="Anna Kowalska") for one in shown.people)
    page = look(replace(shown, people=people))
    for size in SIZES:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        for held in page.locator(".tray header span").all():
            assert held.evaluate("e => e.scrollWidth <= e.clientWidth"), (size, held.inner_text())


@pytest.mark.parametrize("lang", ["en", "de", "fr", "hu", "sv"])
def test_the_menu_of_sounds_shows_its_note_and_no_part_of_a_word(look, lang):
    """Whatever is chosen there, on a narrow desk: it has no room for words in all languages."""
    page = look(path=f"/?lang={lang}", size=(1024, 768), reduced_motion="reduce")
    menu = page.locator("#heard")
    for value in ("", "sounds"):
        menu.select_option(value)
        assert menu.evaluate(
            """e => {
              const canvas = document.createElement('canvas').getContext('2d');
              const style = getComputedStyle(e), before = parseFloat(style.paddingLeft);
              canvas.font = `${style.fontSize} ${style.fontFamily}`;
              const width = text => before + canvas.measureText(text).width;
              return e.selectedOptions[0].text.startsWith('♪') &&
                width('♪') <= e.clientWidth && e.clientWidth <= width('♪\u2003');
            }"""
        ), value
    found = page.evaluate(f"({overlaps.OVERLAPS})().faults")
    assert [fault for fault in found if fault[0] in ("over", "spills", "aside", "cut")] == []


def test_a_name_that_is_too_long_is_refused_in_a_sentence(look, served):
    """Nothing is cut off silently: what was pasted stands there, and the page says why not."""
    page = look(snapshot(play(table(), "seat 3 leaves"), Audience.CROUPIER), has_touch=True)
    page.locator(".seat[data-seat='3']").tap()
    page.locator("#seat input[name=name]").fill("é" * (NAME + 1))
    page.locator("#seat form > button").tap()
    page.locator("#taken", has_text="letters").wait_for()

    assert words(page, "#taken") == "Not sent. 40 letters are allowed: takes a seat"
    assert served.said.empty()
    page.locator("#seat input[name=name]").fill("👑" * NAME)
    page.locator("#seat form > button").tap()
    page.locator("#taken", has_text="Done").wait_for()
