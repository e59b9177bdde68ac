"""Cards that people type on the page, in Debian's Chromium: unseen if they are closed."""

from __future__ import annotations

import msgspec
import pytest

from table_controller.engine.views import Secret
from tests.adapters.web.samples import ADVICE_LIT, ALERT
from tests.adapters.web.served import show, with_prompt
from tests.limits import PATIENCE_S


@pytest.mark.parametrize("way", ["keyboard", "screen"])
def test_a_closed_card_is_typed_unseen(look, served, way):
    """Rank and suit leave no trace in the page, before or after they were sent; two touches do."""
    page = look(ALERT)
    secret = page.locator("[data-secret]")
    before = page.locator("body").inner_html()
    if way == "keyboard":
        secret.focus()
        page.keyboard.type("7")
    else:
        page.locator("[data-rank='7']").click()
    page.locator(".dots i.typed").wait_for()
    typed = page.locator("body").inner_html()
    if way == "keyboard":
        page.keyboard.type("h")
        page.keyboard.press("Enter")
    else:
        page.locator("[data-suit='h']").click()

    said, _ = served.said.get(timeout=PATIENCE_S)
    assert said == {"type": "card_named", "card": "7h", "prompt": 407}
    page.locator("[aria-busy]").wait_for(state="detached")
    plain = typed.replace(' class="typed"', "").replace('aria-label="1 / 2"', "")
    assert plain == before.replace('aria-label="nothing typed"', "")
    assert "7h" not in page.content()
    assert page.locator(".dots i.typed").count() == 0


@pytest.mark.parametrize("way", ["keyboard", "screen"])
def test_an_open_card_is_typed_openly(look, served, way):
    """PB-41: what is typed stands beside the keys, and is gone once sent; two touches send it."""
    bare = tuple(
        msgspec.structs.replace(
            offer,
            fields=tuple(
                msgspec.structs.replace(field, open=True) if isinstance(field, Secret) else field
                for field in offer.fields
            ),
        )
        for offer in ALERT.offers
    )
    page = look(msgspec.structs.replace(ALERT, offers=bare))
    shown = page.locator(".dots")
    if way == "keyboard":
        page.locator("[data-secret]").focus()
        page.keyboard.type("th")
        page.locator(".dots svg.suit-h").wait_for()
        assert shown.get_attribute("aria-label") == "10 hearts"
    else:
        page.locator("[data-rank='T']").click()
        page.locator(".dots .typed").wait_for()
        assert shown.get_attribute("aria-label") == "10"
    assert shown.inner_text().strip() == "10"
    if way == "keyboard":
        page.get_by_role("button", name="Enter the card").click()
    else:
        page.locator("[data-suit='h']").click()

    said, _ = served.said.get(timeout=PATIENCE_S)
    assert said["card"] == "Th"
    page.locator(".dots .typed").wait_for(state="detached")
    assert shown.inner_text().strip() == ""


def test_the_button_is_golden_only_while_it_has_a_card_to_send(look, served):
    """Newcomers pressed it after the last key, which had sent the card, and were told off."""
    page = look(ALERT)
    button = page.get_by_role("button", name="Enter the card")
    ground = "e => getComputedStyle(e).backgroundColor"
    idle = button.evaluate(ground)

    page.locator("[data-rank='T']").click()
    page.locator(".dots .typed").wait_for()
    assert button.evaluate(ground) != idle
    page.locator("[data-suit='h']").click()
    served.said.get(timeout=PATIENCE_S)
    page.locator(".dots .typed").wait_for(state="detached")
    assert button.evaluate(ground) == idle


def test_the_next_card_can_be_typed_at_once(look, served):
    """A press of the button leaves the keys where the next card is typed."""
    page = look(ALERT)
    page.locator("[data-secret]").focus()
    page.keyboard.type("7h")
    page.get_by_role("button", name="Enter the card").click()
    served.said.get(timeout=PATIENCE_S)
    page.locator("[aria-busy]").wait_for(state="detached")
    page.keyboard.type("8d")
    page.keyboard.press("Enter")

    said, _ = served.said.get(timeout=PATIENCE_S)
    assert said["card"] == "8d"


def test_a_half_typed_card_stays_while_the_table_goes_on(look, served):
    """Who types it unseen must not lose count of what he typed."""
    page = look(ALERT)
    page.locator("[data-rank='7']").click()
    page.locator(".dots i.typed").wait_for()

    more = (*ALERT.offers, *ADVICE_LIT.offers[:1])
    show(page, served, msgspec.structs.replace(ALERT, offers=more), 1)

    assert page.locator(".dots i.typed").count() == 1
    assert page.locator(".dots").get_attribute("aria-label") == "1 / 2"


def first_held(page):
    """Hold the first press back on the line, in a list, and focus the keys of the card."""
    held = []
    page.route("**/say?*", lambda route: held.append(route), times=1)  # noqa: PLW0108
    page.locator("[data-secret]").focus()
    return held


def test_a_card_typed_before_the_last_answer_is_sent(look, served):
    """The stream may show the next question first: that card is not dropped, a repeat is."""
    page = look(ALERT)
    held = first_held(page)
    page.keyboard.type("7h")
    page.keyboard.press("Enter")
    page.locator("[aria-busy]").wait_for()
    page.keyboard.type("7h")
    page.keyboard.press("Enter")  # the same question: nothing is sent
    show(page, served, with_prompt(ALERT, 408), 1)
    page.keyboard.press("Backspace")
    page.keyboard.type("8d")
    with page.expect_response(lambda answer: "8d" in (answer.request.post_data or "")):
        page.keyboard.press("Enter")  # a held press keeps the line: the next one passes by here

    assert served.said.get(timeout=PATIENCE_S)[0] == {
        "type": "card_named", "card": "8d", "prompt": 408
    }  # fmt: skip
    held[0].continue_()
    assert served.said.get(timeout=PATIENCE_S)[0]["card"] == "7h"
    page.locator("[aria-busy]").wait_for(state="detached")
    assert served.said.empty()


def test_cards_typed_before_the_answer_follow_in_their_order(look, served):
    """One question takes many cards: none is lost on a slow line; a double touch counts once."""
    page = look(ALERT)
    held = first_held(page)
    for card in ("7h", "7h", "8d", "9c"):
        page.keyboard.type(card)
        page.keyboard.press("Enter")
    with page.expect_response(lambda answer: "9c" in (answer.request.post_data or "")):
        held[0].continue_()

    said = [served.said.get(timeout=PATIENCE_S)[0]["card"] for _ in range(3)]
    assert said == ["7h", "8d", "9c"]
    page.locator("[aria-busy]").wait_for(state="detached")
    assert served.said.empty()


def test_a_card_that_waits_is_told_where_none_is_asked_any_more(look, served):
    """It is not entered for another question, and not lost without a word."""
    page = look(ALERT)
    first_held(page)
    for card in ("7h", "8d"):
        page.keyboard.type(card)
        page.keyboard.press("Enter")
    show(page, served, with_prompt(ADVICE_LIT, 408), 1)

    assert page.locator("#taken").inner_text() == (
        "Not sent. The table went on meanwhile: Enter the card"
    )
    assert served.said.empty()


LABEL = "7H3QW0ZK9TDCAS"
#: These keys within a millisecond, whatever the machine does meanwhile.
AT_ONCE = """(one, keys) => keys.map(key => one.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })))"""


@pytest.mark.parametrize("at", ["[data-secret]", "body", "button[data-input]"])
@pytest.mark.parametrize("ended", [["Enter"], []])
def test_what_a_scanner_types_is_sent_as_a_label_and_no_key_of_it_counts(look, served, at, ended):
    """E2: of 253 labels 244 named another card. A card is taken by hand after it."""
    page = look(ALERT)
    with page.expect_request("**/say?*") as asked:
        heard = page.locator(at).first.evaluate(AT_ONCE, [*LABEL, *ended])

    assert asked.value.post_data_json["scanned"] == LABEL
    assert "card" not in asked.value.post_data_json
    page.locator(".place.refused").get_by_text("This table knows no labels").wait_for()
    assert not heard[-1]  # the browser does nothing on its own with that key
    assert page.locator(".dots .typed").count() == 0
    page.locator("[data-secret]").focus()
    page.keyboard.type("8d")
    page.keyboard.press("Enter")
    said, _ = served.said.get(timeout=PATIENCE_S)
    assert said["card"] == "8d"
    assert served.said.empty()


def test_a_scan_where_no_card_is_asked_enters_nothing(look, served):
    """The page says so, and sends nothing."""
    page = look(ADVICE_LIT)
    page.locator("body").evaluate(AT_ONCE, [*LABEL, "Enter"])

    page.locator(".place.refused").get_by_text("A scanner typed here.").wait_for()
    assert served.said.empty()
