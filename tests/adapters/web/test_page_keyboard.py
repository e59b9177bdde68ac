"""Keys on the screen if there is no keyboard, and names at a touch, in Debian's Chromium."""

from __future__ import annotations

import pytest

from table_controller.engine.chemin_de_fer.view import snapshot
from table_controller.engine.messages import Audience
from table_controller.wiring.recent_texts import Used
from tests.adapters.web import overlaps
from tests.adapters.web.door import Door
from tests.adapters.web.overlaps import SIZES
from tests.adapters.web.served import Served, words
from tests.engine.playing import play, table
from tests.limits import PATIENCE_S

WANTED = "/?keyboard=screen"
GUESTS = ("Kowalska", "Éva Réti", "Wolf", "Anna Lindqvist-Szabó", "Amália von Oxenstierna")
#: A free seat, whoever may sit down there, and a question of the table beside it.
USED = Used(b'{"type":"sits","name":"%s"}' % name.encode() for name in GUESTS)


def free():
    return USED.offered(snapshot(play(table(), "seat 3 leaves"), Audience.CROUPIER))


def sits_down(look, path=WANTED, **how):
    """A page where seat 3 was touched, its form open."""
    page = look(free(), path, has_touch=True, **how)
    page.locator(".seat[data-seat='3']").tap()
    page.locator("#seat input[name=name]").wait_for()
    assert not page.locator("#offers").is_visible()  # the form takes its place
    return page


def touch(page, *keys):
    for key in keys:
        page.locator(f"#keyboard [data-key='{key}']").tap()


def said(served):
    words, _ = served.said.get(timeout=PATIENCE_S)
    return {name: value for name, value in words.items() if name != "prompt"}


def test_a_known_guest_sits_down_in_three_touches(look, served):
    """The seat, the name, the button: with what a newcomer brings."""
    page = sits_down(look, "/")
    page.locator("#seat .known button", has_text="Éva Réti").tap()
    page.locator("#seat").get_by_role("button", name="takes a seat").tap()

    assert said(served) == {"type": "sits", "seat": 3, "name": "Éva Réti", "chips": 100}
    page.locator("#taken", has_text="Done").wait_for()
    assert words(page, "#taken").startswith("Done: Éva Réti sits at seat 3 with 100 ")


def test_the_form_of_a_free_seat_is_gone_when_it_is_left(look, served):
    """By its button, by Escape, by a second touch, and by the answer to what it said."""
    page = sits_down(look, "/")
    seat, form = page.locator(".seat[data-seat='3']"), page.locator("#seat")
    close, escape = form.locator("[data-leave]").tap, lambda: page.keyboard.press("Escape")
    for leave in (close, escape, seat.tap):
        leave()
        form.wait_for(state="hidden")
        seat.tap()
        form.wait_for()
    form.locator(".known button", has_text="Wolf").tap()
    form.get_by_role("button", name="takes a seat").tap()

    form.wait_for(state="hidden")


def test_a_name_is_typed_on_the_screen(look, served):
    """With the letters of the page's language; a word begins large; the field stays seen."""
    page = sits_down(look, f"{WANTED}&lang=hu")
    field = page.locator("#seat input[name=name]")
    field.tap()
    touch(page, *"ősi", " ", *"lászlx", "back", "ó", ",", "back", "-", "shift", *"q2")
    assert page.locator("#keyboard output").text_content() == "Ősi László-q2"
    touch(page, "done")
    page.locator("#keyboard").wait_for(state="hidden")
    page.locator("#seat").get_by_role("button", name="Széket foglal").tap()

    assert said(served)["name"] == "Ősi László-q2"


def test_a_sum_is_typed_anew_on_the_digits(look, served):
    """There are no letters for it."""
    page = sits_down(look)
    page.locator("#seat .known button", has_text="Wolf").tap()
    page.locator("#seat input[type=number]").tap()
    assert not page.locator("#keyboard [data-key='a']").is_visible()
    touch(page, *"1255", "back", "0")
    page.locator("#seat").get_by_role("button", name="takes a seat").tap()

    assert said(served) == {"type": "sits", "seat": 3, "name": "Wolf", "chips": 1250}


def test_no_name_becomes_longer_than_it_may(look):
    """Forty letters, on these keys too."""
    page = sits_down(look)
    page.locator("#seat input[name=name]").tap()
    page.locator("#seat input[name=name]").fill("x" * 39)
    touch(page, "y", "z")

    assert page.locator("#seat input[name=name]").input_value() == "x" * 39 + "y"


def test_whoever_has_a_keyboard_sees_none(look):
    """It is wanted by the kiosk's address; that screen remembers it, and forgets it when told."""
    page = sits_down(look, "/")
    page.locator("#seat input[name=name]").tap()
    assert not page.locator("#keyboard").is_visible()
    for path, there in ((WANTED, True), ("/", True), ("/?keyboard=own", False), ("/", False)):
        page.goto(page.url.partition("/?")[0].rstrip("/") + path)
        page.locator(".seat[data-seat='3']").tap()
        page.locator("#seat input[name=name]").tap()
        assert page.locator("#keyboard").is_visible() is there


def test_the_keys_go_with_their_field(look, served):
    """The table goes on, and nobody can sit down there any more."""
    page = sits_down(look)
    page.locator("#seat input[name=name]").tap()
    page.locator("#keyboard").wait_for()
    served.tell(snapshot(table(), Audience.CROUPIER))

    page.locator("#keyboard").wait_for(state="hidden")


@pytest.mark.parametrize("lang", ["fr", "hu"])
def test_the_keys_cover_nothing(look, lang):
    """Neither what is typed nor its button; and no key is smaller than a finger on a desk."""
    page = sits_down(look, f"{WANTED}&lang={lang}", reduced_motion="reduce")
    field, button = page.locator("#seat input[name=name]"), page.locator("#seat form > button")
    for size in SIZES:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        field.blur()
        field.tap()
        found = page.evaluate(f"({overlaps.OVERLAPS})().faults")
        boxes = [key.bounding_box() for key in page.locator("#keyboard button:visible").all()]
        top = page.locator("#keyboard").bounding_box()["y"] if size[0] < 900 else size[1]

        assert [fault for fault in found if fault[0] in ("over", "cut", "spills", "broken")] == []
        assert all(y + high <= top for y, high in map(down, (field, button)))
        assert min(box["height"] for box in boxes) >= 44
        assert min(box["width"] for box in boxes) >= (44 if size[0] >= 900 else 26)


def down(needed):
    """Where it begins, and how high it is."""
    box = needed.bounding_box()
    return box["y"], box["height"]


def test_people_sign_in_and_out_on_the_screen(browser):
    """Name and PIN; the PIN has digits only, and is not shown beside its keys."""
    served = Served(gate=Door().gate)
    context = browser.new_context(viewport={"width": 1024, "height": 768}, has_touch=True)
    page = context.new_page()
    page.goto(f"{served.url}{WANTED}&lang=fr")
    page.locator("input[name=name]").tap()
    found = page.evaluate(f"({overlaps.OVERLAPS})().faults")
    touch(page, *"béla")
    page.locator("input[name=pin]").tap()
    assert not page.locator("#keyboard [data-key='a']").is_visible()
    touch(page, *"730156")
    assert page.locator("#keyboard output").text_content() == "••••••"
    page.locator("#sign-in button").tap()
    page.locator(".person", has_text="Béla").wait_for()
    page.locator("#sign-out").tap()
    page.locator("#sign-in").wait_for()
    context.close()
    served.stop()

    assert found == []
