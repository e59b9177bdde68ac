"""The inputs that a press on the page sends, in Debian's Chromium."""

from __future__ import annotations

import msgspec
import pytest

from table_controller.adapters.web.hub import Answer
from table_controller.engine.messages import phrase
from table_controller.engine.views import Choice, Offer, Pick
from tests.adapters.web.samples import (
    ADVICE_LIT,
    ALERT,
    BEFORE_STAKING,
    SETTLEMENT,
    TO_SPEAK,
    with_pot,
)
from tests.adapters.web.served import show, with_prompt, words
from tests.limits import PATIENCE_S


def test_a_press_sends_the_offers_input_and_the_prompt(look, served):
    """Nothing more, nothing less; the actor is the server's word."""
    page = look(ADVICE_LIT)
    page.get_by_role("button", name="takes a card").click()

    assert served.said.get(timeout=PATIENCE_S) == (
        {"type": "spoke", "seat": 1, "word": "draws", "prompt": 412},
        "croupier",
    )


def test_a_card_on_the_keys_says_what_it_is_at_one_touch(look, served):
    """Nothing else is filled in; those that are gone have no key."""
    cards = [Pick(value=code, label=phrase("{card}", card=code)) for code in ("Kh", "7c", "7s")]
    choice = Choice(label=phrase("card"), name="card", picks=tuple(cards))
    leads = Offer(input={"type": "plays", "seat": 2}, label=phrase("leads"), fields=(choice,))
    page = look(msgspec.structs.replace(ADVICE_LIT, offers=(leads,)))
    keys = page.get_by_role("group", name="leads")
    assert keys.get_by_role("button").count() == 3
    keys.get_by_role("button", name="king of hearts").click()

    assert served.said.get(timeout=PATIENCE_S) == (
        {"type": "plays", "seat": 2, "card": "Kh", "prompt": 412},
        "croupier",
    )


def test_a_refusal_stands_where_the_sentence_was(look, served):
    """What, why, what to do, with its rule; the next prompt takes its place."""
    served.answer = Answer(
        ok=False,
        why=phrase("That was an older question."),
        remedy=phrase("Look at the sentence and press again."),
        rule="R-24",
    )
    page = look(ADVICE_LIT)
    page.get_by_role("button", name="stays").click()
    page.locator("#answer .ask").wait_for()
    shown = words(page, "#answer")

    assert "Not taken: stays" in shown
    assert "That was an older question." in shown
    assert "Look at the sentence and press again. R-24" in " ".join(shown.split())
    assert page.locator("#ask").bounding_box()["width"] <= 1
    served.tell(TO_SPEAK)
    page.locator("#ask h1", has_text="Schlag").wait_for()
    assert not page.locator("#answer").is_visible()


def test_a_button_that_changed_under_the_finger_says_nothing(look, served):
    """Another offer came to lie where the finger was: neither is said."""
    page = look(ADVICE_LIT)
    page.get_by_role("button", name="stays").hover()
    page.mouse.down()
    served.tell(TO_SPEAK)
    page.locator("#ask h1", has_text="Schlag").wait_for()
    page.mouse.up()
    page.get_by_role("button", name="Carte", exact=False).first.click()

    said, _ = served.said.get(timeout=PATIENCE_S)
    assert said["word"] == "carte"


def test_hold_must_be_held(look, served):
    """R-20: a short press on what cannot be taken back says nothing."""
    page = look(TO_SPEAK)
    opens = page.get_by_role("button", name="Schlag")
    opens.click()
    page.get_by_role("button", name="Reste").click()
    assert served.said.get(timeout=PATIENCE_S)[0]["word"] == "reste"

    opens.hover()
    page.mouse.down()
    said, _ = served.said.get(timeout=PATIENCE_S)
    page.mouse.up()

    assert said == {"type": "opened", "seat": 2, "prompt": 409}
    assert served.said.empty()


def test_hold_works_with_the_keyboard(look, served):
    """Enter held says it once; Enter tapped says nothing."""
    page = look(TO_SPEAK)
    page.get_by_role("button", name="Schlag").focus()
    page.keyboard.press("Enter")
    page.keyboard.down("Enter")
    said, _ = served.said.get(timeout=PATIENCE_S)
    page.keyboard.up("Enter")

    assert said["type"] == "opened"
    assert served.said.empty()


def test_tab_reaches_the_buttons_and_enter_presses(look, served):
    """The page works without a mouse."""
    page = look(ADVICE_LIT)
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent").startswith("takes a card"):
            break
    page.keyboard.press("Enter")

    assert served.said.get(timeout=PATIENCE_S)[0]["word"] == "draws"


def test_a_sum_goes_with_its_offer(look, served):
    """The suggested sum, changed by the stepper, within the bounds."""
    page = look(BEFORE_STAKING)
    page.get_by_role("button", name="more").click()
    page.get_by_role("button", name="10 Gulden banco").click()

    said, _ = served.said.get(timeout=PATIENCE_S)
    assert said == {"type": "banks", "seat": 3, "chips": 22, "prompt": 398}


def test_a_sum_out_of_bounds_is_not_sent(look, served):
    """10 to 96 G: 97 is kept in the field, marked, and not said."""
    page = look(BEFORE_STAKING)
    field = page.get_by_role("spinbutton")
    field.fill("97")
    page.get_by_role("button", name="10 Gulden banco").click()
    assert page.locator("input:invalid").count() == 1
    assert page.locator("[aria-busy], .place.refused").count() == 0
    for _ in range(3):
        page.get_by_role("button", name="more").click()
    assert field.input_value() == "96"
    page.keyboard.press("Tab")
    page.get_by_role("button", name="10 Gulden banco").click()

    assert served.said.get(timeout=PATIENCE_S)[0]["chips"] == 96
    assert served.said.empty()


def test_a_sum_without_a_choice_has_nothing_that_changes_it(look, served):
    """Where only 20 are allowed, "20" stands there, and no key for more or less."""
    [offer] = [one for one in BEFORE_STAKING.offers if one.input["type"] == "banks"]
    only = msgspec.structs.replace(
        offer, fields=(msgspec.structs.replace(offer.fields[0], least=20, most=20, suggested=20),)
    )
    page = look(msgspec.structs.replace(BEFORE_STAKING, offers=(only,)))
    form = page.locator("#offers form")

    assert form.get_by_role("spinbutton").input_value() == "20"
    assert not form.get_by_role("spinbutton").is_editable()
    assert [one.inner_text() for one in form.get_by_role("button").all()] == ["10 Gulden banco"]
    assert "20 to 20" not in form.inner_text()

    form.get_by_role("button").click()
    assert served.said.get(timeout=PATIENCE_S)[0]["chips"] == 20


def test_focus_and_a_half_typed_sum_survive_an_update(look, served):
    """News arrives while somebody types."""
    page = look(BEFORE_STAKING)
    field = page.get_by_role("spinbutton")
    field.fill("")
    field.press_sequentially("4")
    served.tell(with_prompt(with_pot(33, BEFORE_STAKING), 399))
    page.locator("#ask[data-prompt='399']").wait_for()
    page.keyboard.type("5")
    page.keyboard.press("Enter")

    said, _ = served.said.get(timeout=PATIENCE_S)
    assert (said["chips"], said["prompt"]) == (45, 399)


def test_an_open_drawer_survives_an_update(look, served):
    """Mistakes at the table are one tap away and stay open while the table goes on."""
    page = look(ADVICE_LIT)
    page.get_by_text("mistake", exact=True).click()
    served.tell(with_prompt(ADVICE_LIT, 500))
    page.locator("#ask[data-prompt='500']").wait_for()
    page.get_by_role("button", name="burn it").click()

    said, _ = served.said.get(timeout=PATIENCE_S)
    assert said == {"type": "stray_ruled", "ruling": "burned", "prompt": 500}


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Answer(), "Done: stays"),
        (Answer(changed=False), "Nothing has changed: stays"),
    ],
)
def test_a_press_that_is_taken_is_answered(look, served, answer, said):
    """Whoever pressed learns what became of it, also where nothing did; read aloud as well."""
    served.answer = answer
    page = look(ADVICE_LIT)
    page.get_by_role("button", name="stays").click()
    page.locator("#taken", has_text="stays").wait_for()

    assert words(page, "#taken") == said
    assert page.locator("#taken").get_attribute("role") == "status"


def test_a_refusal_takes_the_place_of_an_older_answer(look, served):
    """One answer at a time: the newest."""
    page = look(ADVICE_LIT)
    page.get_by_role("button", name="stays").click()
    page.locator("#taken", has_text="Done: stays").wait_for()
    served.answer = Answer(ok=False, why=phrase("Not now."), remedy=phrase("Wait."))
    page.get_by_role("button", name="takes a card").click()
    page.locator("#answer .ask", has_text="Not now.").wait_for()

    assert words(page, "#taken") == ""


def test_a_short_press_of_what_must_be_held_is_answered(look, served):
    """R-20: nothing is said to the table, and the page says why; after a whole hold it does not."""
    page = look(SETTLEMENT)
    button = page.get_by_role("button", name="All paid")
    button.click()
    page.locator("#taken", has_text="Hold the button").wait_for()
    assert words(page, "#taken") == "Not sent. Hold the button for a moment: All paid"
    assert served.said.empty()
    button.hover()
    page.mouse.down()
    served.said.get(timeout=5)
    page.mouse.up()
    page.locator("#taken", has_text="Done").wait_for()

    assert words(page, "#taken") == "Done: All paid"


def test_a_press_with_something_missing_is_answered(look, served):
    """No card is typed, a sum is too high: nothing is sent, and the page says so."""
    page = look(ALERT)
    page.get_by_role("button", name="Enter the card").click()
    page.locator("#taken", has_text="Fill this in").wait_for()
    assert words(page, "#taken") == "Not sent. Fill this in first: the card, unseen"
    other = look(BEFORE_STAKING)
    other.get_by_role("spinbutton").fill("97")
    other.get_by_role("button", name="10 Gulden banco").click()
    other.locator("#taken", has_text="Allowed").wait_for()

    assert words(other, "#taken") == "Not sent. Allowed: 10 to 96 G"
    assert served.said.empty()


def test_what_was_not_sent_moves_no_key_under_the_finger(look):
    """The reason takes the place of the sentence below the question, until the next press."""
    page = look(SETTLEMENT)
    button = page.get_by_role("button", name="All paid")
    before = button.bounding_box()
    button.click()
    page.locator("#taken", has_text="Not sent").wait_for()
    assert button.bounding_box() == before
    button.click(delay=1000)
    page.locator("#taken", has_text="Done").wait_for()

    assert page.locator(".place.unsent").count() == 0


def sending(page):
    """What the page sends from now on."""
    sent = []
    page.on("request", lambda one: sent.append(one.post_data_json) if "/say" in one.url else None)
    return sent


def test_a_press_without_an_answer_is_said_again_by_itself(look, served):
    """The same press, so that it counts once, until it is answered; the next one is another."""
    page = look(ADVICE_LIT)
    sent, stays = sending(page), page.get_by_role("button", name="stays")
    page.route("**/say?*", lambda route: route.abort(), times=2)
    stays.click()
    page.locator("#answer .ask").wait_for()
    assert words(page, "#answer") == (
        "No answer: staysThe table does not answer.It is told again until it does, and counts once."
    )
    assert stays.get_attribute("aria-busy") == "true"
    page.locator("#taken", has_text="Done: stays").wait_for()
    assert not page.locator("#answer").is_visible()
    stays.click()
    page.wait_for_function("() => !document.querySelector('[aria-busy]')")

    first, *again, other = sent
    assert again == [first, first]
    assert first["press"] != other["press"]
    assert any("ERR_FAILED" in text for text in look.complaints)
    look.complaints.clear()


def test_a_late_answer_leaves_what_is_typed_for_the_next_question(look, served):
    """The first press's sum is gone with its question; the next one's is not."""
    page = look(BEFORE_STAKING)
    held, field = [], page.get_by_role("spinbutton")
    page.route("**/say?*", lambda route: held.append(route), times=1)  # noqa: PLW0108
    field.fill("22")
    page.get_by_role("button", name="10 Gulden banco").click()
    page.locator("[aria-busy]").wait_for()
    show(page, served, with_prompt(BEFORE_STAKING, 399), 1)
    between = field.input_value()
    field.fill("33")
    held[0].continue_()
    page.locator("[aria-busy]").wait_for(state="detached")

    assert between == "20"
    assert field.input_value() == "33"


def test_a_press_that_stays_without_an_answer_is_told(look, served):
    """After a minute nothing is said again: what, why, what to do."""
    page = look(ADVICE_LIT)
    sent = sending(page)
    page.route("**/say?*", lambda route: route.abort())
    page.evaluate("() => { const now = performance.now(); performance.now = () => now; }")
    page.get_by_role("button", name="stays").click()
    page.locator("#answer .ask", has_text="does not answer").wait_for()
    page.evaluate("() => { const now = performance.now(); performance.now = () => now + 60_000; }")
    page.locator("#answer .ask", has_text="did not answer for a minute").wait_for()
    count = len(sent)
    page.unroute("**/say?*")
    page.get_by_role("button", name="takes a card").click()
    page.locator("#taken", has_text="Done: takes a card").wait_for()

    assert len(sent) == count + 1
    look.complaints.clear()


def test_a_press_says_which_picture_the_finger_saw(look, served):
    """The newest that was shown, or that an answer told of."""
    sent = []
    page = look(ADVICE_LIT)
    page.on("request", lambda one: sent.append(one.post_data_json) if "/say" in one.url else None)
    for number in (1, 2):
        show(page, served, ADVICE_LIT, number)
        page.get_by_role("button", name="stays").click()
        served.said.get(timeout=PATIENCE_S)
        page.locator("#taken", has_text="Done").wait_for()

    assert sent[1]["seen"] == sent[0]["seen"] + 1
