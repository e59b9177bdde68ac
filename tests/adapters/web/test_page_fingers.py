"""A press belongs to the button and the question where it began, in Debian's Chromium."""

from __future__ import annotations

import time

import msgspec
import pytest

from table_controller.engine.messages import phrase
from table_controller.engine.views import Offer
from tests.adapters.web.samples import ADVICE_LIT, ALERT, SETTLEMENT, TO_SPEAK
from tests.adapters.web.served import show, with_prompt, words
from tests.limits import PATIENCE_MS, PATIENCE_S

GONE = "Not sent. The table went on meanwhile"
DOUBLE = "Not sent. Another button came under the finger"
STAYS = Offer(input={"type": "spoke", "seat": 1, "word": "stands"}, label=phrase("stays"))
OTHER = Offer(input={"type": "opens", "seat": 9}, label=phrase("All may stake"))
#: One question, one button; then another question, whose one button lies where that lay.
ASKED = msgspec.structs.replace(ADVICE_LIT, offers=(STAYS,))
NEXT = with_prompt(msgspec.structs.replace(ADVICE_LIT, offers=(OTHER,)), 413)
ALL_PAID = SETTLEMENT.offers[0]
HELD = msgspec.structs.replace(SETTLEMENT, offers=(ALL_PAID,))


class Finger:
    """What lies on the glass, and can be lifted: a finger, a pen, a mouse."""

    def __init__(self, page, kind):
        self._kind, self._page = kind, page
        self._cdp = page.context.new_cdp_session(page)

    def down(self, button, **when):
        """`timestamp` in seconds says when it happens; otherwise now."""
        box = button.bounding_box()
        self.at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        if self._kind == "touch":
            self._touch("touchStart", [self.at], **when)
        else:
            self._mouse("mouseMoved", **when)
            self._mouse("mousePressed", button="left", buttons=1, clickCount=1, **when)

    def up(self, **when):
        if self._kind == "touch":
            self._touch("touchEnd", [], **when)
        else:
            self._mouse("mouseReleased", button="left", clickCount=1, **when)

    def _touch(self, what, points, **when):
        self._cdp.send("Input.dispatchTouchEvent", {"type": what, "touchPoints": points, **when})

    def _mouse(self, what, **more):
        kind = {"type": what, "pointerType": self._kind, **self.at, **more}
        self._cdp.send("Input.dispatchMouseEvent", kind)


@pytest.fixture(params=["touch", "mouse", "pen"])
def kind(request):
    return request.param


def told(page, words_):
    page.locator("#taken", has_text=words_).wait_for()
    return words(page, "#taken")


def nothing_said(page, served):
    """Nothing came before the next press, which any button still takes."""
    served.tell(with_prompt(ASKED, 500))
    page.locator("#ask[data-prompt='500']").wait_for()
    page.get_by_role("button", name="stays").press("Enter")
    said, _ = served.said.get(timeout=PATIENCE_S)
    return said["prompt"] == 500 and served.said.empty()


def test_a_finger_that_is_lifted_from_its_button_presses_it(look, served, kind):
    page = look(ASKED, has_touch=True)
    finger = Finger(page, kind)
    finger.down(page.get_by_role("button", name="stays"))
    finger.up()

    said, _ = served.said.get(timeout=PATIENCE_S)
    assert said == {"type": "spoke", "seat": 1, "word": "stands", "prompt": 412}


def test_a_finger_never_presses_what_it_did_not_go_down_on(look, served, kind):
    """Another screen changed the question: what lies under the finger now is another button."""
    page = look(ASKED, has_touch=True)
    finger = Finger(page, kind)
    finger.down(page.get_by_role("button", name="stays"))
    served.tell(NEXT)
    page.get_by_role("button", name="All may stake").wait_for()
    finger.up()

    assert told(page, "Not sent") == f"{GONE}: stays"
    assert nothing_said(page, served)


def test_the_same_button_of_another_question_is_another_one(look, served, kind):
    page = look(ASKED, has_touch=True)
    finger = Finger(page, kind)
    finger.down(page.get_by_role("button", name="stays"))
    served.tell(with_prompt(ASKED, 413))
    page.locator("#ask[data-prompt='413']").wait_for()
    finger.up()

    assert told(page, "Not sent") == f"{GONE}: stays"
    assert nothing_said(page, served)


def test_a_button_that_says_something_else_by_now_is_another_one(look, served, kind):
    """What is taken back changes with every bet, and the question does not."""
    back = {"type": "takes_back"}
    one, two = (
        msgspec.structs.replace(
            ADVICE_LIT, offers=(Offer(input=back, label=phrase("take back: seat {n}", n=n)),)
        )
        for n in (3, 5)
    )
    page = look(one, has_touch=True)
    finger = Finger(page, kind)
    finger.down(page.get_by_role("button", name="take back"))
    served.tell(two)
    page.get_by_role("button", name="take back: seat 5").wait_for()
    finger.up()

    assert told(page, "Not sent") == f"{GONE}: take back: seat 3"
    assert nothing_said(page, served)


def test_what_is_held_too_long_does_not_press_what_comes_next(look, served, kind):
    """It says its word once; the finger is still down when the next question stands there."""
    page = look(HELD, has_touch=True)
    finger = Finger(page, kind)
    finger.down(page.get_by_role("button", name="All paid"))
    assert served.said.get(timeout=PATIENCE_S)[0]["type"] == "paid"
    told(page, "Done")
    served.tell(NEXT)
    page.get_by_role("button", name="All may stake").wait_for()
    finger.up()
    show(page, served, NEXT, 1)

    assert words(page, "#taken") == "Done: All paid"
    assert nothing_said(page, served)


def test_what_is_held_too_long_types_no_key_that_comes_next(look, served, kind):
    """The keys of the next card come to lie under the finger, which is lifted from one of them."""
    page = look(HELD, has_touch=True)
    finger = Finger(page, kind)
    finger.down(page.get_by_role("button", name="All paid"))
    served.said.get(timeout=PATIENCE_S)
    told(page, "Done")
    served.tell(ALERT)
    key = page.locator("[data-secret] button").first
    key.wait_for()
    key.evaluate(
        """(key, { x, y }) => {
          key.style = `position: fixed; left: ${x - 20}px; top: ${y - 20}px`;
        }""",
        finger.at,
    )
    finger.up()
    show(page, served, ALERT, 1)

    assert page.locator("[data-secret] .dots").first.get_attribute("aria-label") == "nothing typed"


@pytest.mark.parametrize("later", [0.25, 0.5])
def test_a_double_tap_presses_no_button_that_comes_to_lie_there(look, served, kind, later):
    """Within 0.3 s no finger has read the new button; afterwards, and by a mouse, it is pressed."""
    page, begun = look(ASKED, has_touch=True), time.time()
    finger = Finger(page, kind)
    finger.down(page.get_by_role("button", name="stays"), timestamp=begun)
    finger.up(timestamp=begun + 0.05)
    served.said.get(timeout=PATIENCE_S)
    told(page, "Done")
    served.tell(NEXT)
    finger.down(page.get_by_role("button", name="All may stake"), timestamp=begun + later)
    finger.up(timestamp=begun + later + 0.05)

    if later < 0.3 and kind != "mouse":
        assert told(page, "Not sent") == f"{DOUBLE}: All may stake"
        assert nothing_said(page, served)
    else:
        assert served.said.get(timeout=PATIENCE_S)[0]["type"] == "opens"


def test_a_hold_ends_with_its_question(look, served, kind):
    """R-20: what was begun for one question is not said to the next."""
    page = look(HELD, has_touch=True)
    finger = Finger(page, kind)
    finger.down(page.get_by_role("button", name="All paid"))
    served.tell(with_prompt(HELD, 419))

    assert told(page, "Not sent") == f"{GONE}: All paid"
    finger.up()
    assert nothing_said(page, served)


@pytest.mark.parametrize("key", ["Space", "Enter"])
def test_a_key_presses_the_button_that_it_went_down_on_once(look, served, key):
    """Nor the next question's, however long it stays down."""
    page = look(ASKED)
    button = page.get_by_role("button", name="stays")
    button.focus()
    page.keyboard.down(key)
    if key == "Enter":
        assert served.said.get(timeout=PATIENCE_S)[0]["prompt"] == 412
    served.tell(with_prompt(ASKED, 413))
    page.locator("#ask[data-prompt='413']").wait_for()
    page.keyboard.down(key)  # it repeats
    page.keyboard.up(key)

    assert told(page, "stays") == ("Done: stays" if key == "Enter" else f"{GONE}: stays")
    assert nothing_said(page, served)


def test_a_reader_of_screens_presses_without_a_finger(look, served):
    """Its click comes from nowhere."""
    page = look(ASKED)
    page.get_by_role("button", name="stays").dispatch_event("click")

    assert served.said.get(timeout=PATIENCE_S)[0]["word"] == "stands"


# Drawers


def slow(page):
    """Let the answer to a press come after the picture that it leads to."""
    page.evaluate(
        """() => {
          const real = window.fetch;
          window.answers = [];
          window.fetch = async (...asked) => {
            const answer = await real(...asked);
            await new Promise(later => window.answers.push(later));
            return answer;
          };
        }"""
    )


def test_a_drawer_closes_when_the_picture_overtakes_the_answer(look, served):
    """Its button is gone by then: the next question is not covered by the drawer's rest."""
    page = look(ADVICE_LIT)
    slow(page)
    page.get_by_text("mistake", exact=True).click()
    page.get_by_role("button", name="burn it").click()
    served.said.get(timeout=PATIENCE_S)
    rest = [one for one in ADVICE_LIT.offers if one.input["type"] != "stray_ruled"]
    rest.append(Offer(input={"type": "x"}, label=phrase("no card left"), group="mistake"))
    served.tell(with_prompt(msgspec.structs.replace(ADVICE_LIT, offers=tuple(rest)), 413))
    page.wait_for_function("() => !document.querySelector('.drawer[open]')", timeout=PATIENCE_MS)
    page.evaluate("() => window.answers.forEach(answer => answer())")

    assert told(page, "Done").endswith("burn it")
    assert page.locator(".drawer[open]").count() == 0


def test_no_drawer_lies_over_a_card_to_be_typed(look, served):
    """Whoever has a drawer open when a card was not read is asked for it in the open."""
    page = look(TO_SPEAK)
    page.get_by_text("mistake", exact=True).click()
    assert page.locator(".drawer[open]").count() == 1
    served.tell(ALERT)
    page.locator("[data-secret]").wait_for()

    assert page.locator(".drawer[open]").count() == 0
    page.locator("[data-rank='7']").click()
    page.locator("[data-suit='h']").click()
    page.get_by_role("button", name="Enter the card").click()
    assert served.said.get(timeout=PATIENCE_S)[0]["card"] == "7h"
