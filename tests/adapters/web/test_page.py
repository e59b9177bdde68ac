"""What a croupier and a guest see and press, in Debian's Chromium."""

from __future__ import annotations

import json

import msgspec
import pytest
from axe_playwright_python.sync_playwright import Axe

from table_controller.adapters.web import Answer
from table_controller.engine.messages import phrase
from tests.adapters.web import samples
from tests.adapters.web.samples import (
    ADVICE_LIT,
    ALERT,
    ALL,
    BEFORE_STAKING,
    LAST_COUP,
    NO_INFORMATION,
    SETTLEMENT,
    TO_SPEAK,
)

DESK, PHONE = (1280, 800), (390, 844)


def with_prompt(snapshot, number):
    return msgspec.structs.replace(
        snapshot, prompt=msgspec.structs.replace(snapshot.prompt, id=number)
    )


def show(page, served, snapshot, number):
    """Let the page follow to another picture; its coup's number tells when it is there."""
    served.tell(msgspec.structs.replace(snapshot, coup=900 + number))
    page.locator("#title span", has_text=f"Coup {900 + number}").wait_for()


def words(page, selector):
    return page.locator(selector).text_content().replace("\u00a0", " ")


def drawn(page, shape="wide"):
    """The words of the drawing, in one line each."""
    texts = page.locator(f"#table svg.{shape} text").all_text_contents()
    return [text.replace("\u00a0", " ").strip() for text in texts]


# What it shows


@pytest.mark.parametrize(
    "name", ["advice", "to-speak", "before-staking", "settlement", "last-coup"]
)
def test_page_shows_the_numbers_of_the_snapshot(look, name):
    """Pot, stake, balances, cards left and the sentence are the snapshot's own."""
    snapshot = ALL[name]
    page = look(snapshot)
    texts = drawn(page)

    assert f"{snapshot.pot} G" in texts
    assert f"against it {snapshot.against} G" in texts
    assert f"{snapshot.shoe.left} left" in texts
    assert {f"{s.balance} G" for s in snapshot.seats if s.taken} <= set(texts)
    assert {s.name for s in snapshot.seats if s.taken} <= set(texts)
    assert words(page, "#ask h1") == str(snapshot.prompt.ask)
    assert words(page, "#ask .news") == str(snapshot.prompt.news)
    main = [str(offer.label) for offer in snapshot.offers if offer.group == "main"]
    assert page.locator("#offers button.main > span").all_text_contents() == main


def test_pictures_follow_the_table(look, served):
    """A new picture replaces the old one without a reload."""
    page = look(ADVICE_LIT)
    served.tell(msgspec.structs.replace(ADVICE_LIT, pot=345, coup=30))

    page.locator("#table svg.wide .sum", has_text="345").wait_for()
    assert "Coup 30" in words(page, "#title")


def test_one_cell_is_lit_only_with_advice(look, served):
    """R-17: without both open hands the tableau stays dark."""
    page = look(ADVICE_LIT)
    assert page.locator("td.lit").count() == 1
    assert page.locator("tr:has(td.lit) th").text_content() == "5"

    served.tell(TO_SPEAK)
    page.locator("table.asleep").wait_for()

    assert page.locator("td.lit").count() == 0


def test_after_reste_the_sentence_stands_in_the_tableaus_place(look):
    """Z-20: no information on a card that was not drawn."""
    page = look(NO_INFORMATION)

    assert "keine Auskunft" in words(page, "#side")
    assert page.locator(".tableau").count() == 0


def test_settlement_takes_the_tableaus_place(look):
    """Z-26: each payment in its order, with seat, chips and tick."""
    page = look(SETTLEMENT)
    lines = page.locator(".payments li")

    assert page.locator(".tableau").count() == 0
    assert [" ".join(line.inner_text().split()) for line in lines.all()] == [
        "✓ 5 collect from the table 40 G",
        "2 collect from the prime 120 G",
        "house cagnotte, 5 % 8 G",
        "1 into the pot 152 G",
    ]


def test_present_step_is_marked(look):
    """An interrupted croupier finds his way back."""
    page = look(ADVICE_LIT)

    assert words(page, "[aria-current=step]") == "banker draws?"


def test_last_coup_is_announced_at_the_gauge(look):
    """R-6: the white card is out."""
    page = look(LAST_COUP)

    assert {"LAST COUP", "5 left", "white card is out"} <= set(drawn(page))
    assert page.locator("svg.wide .white").count() == 0


def test_a_broken_device_becomes_a_bar_with_its_remedy(look, served):
    """Four quiet dots while all is well; then what is wrong and what to do."""
    page = look(ADVICE_LIT)
    assert page.locator("#health .ok").count() == 4
    assert page.locator(".alert").count() == 0

    served.tell(ALERT)
    page.locator(".alert.stop").wait_for()

    assert "Show it to the lip's camera again" in words(page, ".alert.stop")
    assert words(page, "#health .warning").strip() == "board !"
    page.locator(".alert.warning button").click()
    said, _ = served.said.get(timeout=5)
    assert said == {"type": "alert_acknowledged", "alert": "lost-board", "prompt": 407}


def test_rule_opens_over_the_page(look, served):
    """An id is one tap from its text."""
    page = look(ADVICE_LIT)
    page.locator("#ask a.rule").click()

    assert "On 5 having given a 4" in words(page, "dialog[open]")
    page.get_by_role("button", name="close").click()
    assert page.locator("dialog[open]").count() == 0


def test_public_page_has_no_names_balances_buttons_or_staffs_words(look, served):
    """The same table, the result large; even if it were given the staff's picture."""
    page = look(SETTLEMENT, path="/public")
    shown = page.content().replace("\u00a0", " ")

    assert words(page, "#result h1") == "Bank 8 : 6"
    assert "160 G" in drawn(page)
    assert not {str(seat.balance) + " G" for seat in SETTLEMENT.seats if seat.balance} & set(
        drawn(page)
    )
    for word in ("K.", str(SETTLEMENT.prompt.ask), "Z-26", "All paid", "supervisor", "data-input"):
        assert word not in shown


def test_public_page_is_calm_in_an_alert(look):
    """Guests learn that the game pauses, not why."""
    page = look(ALERT, path="/public")

    assert "One moment" in words(page, "#result")
    assert "unread" not in page.content()


# What it sends


def test_a_press_sends_the_offers_input_and_the_prompt(look, served):
    """Nothing more, nothing less; the actor is the server's word."""
    page = look(ADVICE_LIT)
    page.get_by_role("button", name="takes a card").click()

    assert served.said.get(timeout=5) == (
        {"type": "spoke", "seat": 1, "word": "draws", "prompt": 412},
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


def test_what_counts_is_the_prompt_that_the_finger_touched(look, served):
    """The picture changes between press and release: the old prompt is answered, and refused."""
    page = look(ADVICE_LIT)
    button = page.get_by_role("button", name="stays")
    button.hover()
    page.mouse.down()
    served.tell(with_prompt(ADVICE_LIT, 500))
    page.locator("#ask[data-prompt='500']").wait_for()
    page.mouse.up()

    said, _ = served.said.get(timeout=5)
    assert said["prompt"] == 412


def test_a_button_that_changed_under_the_finger_says_nothing(look, served):
    """Another offer came to lie where the finger was: neither is said."""
    page = look(ADVICE_LIT)
    page.get_by_role("button", name="stays").hover()
    page.mouse.down()
    served.tell(TO_SPEAK)
    page.locator("#ask h1", has_text="Schlag").wait_for()
    page.mouse.up()
    page.get_by_role("button", name="Carte", exact=False).first.click()

    said, _ = served.said.get(timeout=5)
    assert said["word"] == "carte"


def test_hold_must_be_held(look, served):
    """R-20: a short press on what cannot be taken back says nothing."""
    page = look(TO_SPEAK)
    opens = page.get_by_role("button", name="Schlag")
    opens.click()
    page.get_by_role("button", name="Reste").click()
    assert served.said.get(timeout=5)[0]["word"] == "reste"

    opens.hover()
    page.mouse.down()
    said, _ = served.said.get(timeout=5)
    page.mouse.up()

    assert said == {"type": "opened", "seat": 2, "prompt": 409}
    assert served.said.empty()


def test_hold_works_with_the_keyboard(look, served):
    """Enter held says it once; Enter tapped says nothing."""
    page = look(TO_SPEAK)
    page.get_by_role("button", name="Schlag").focus()
    page.keyboard.press("Enter")
    page.keyboard.down("Enter")
    said, _ = served.said.get(timeout=5)
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

    assert served.said.get(timeout=5)[0]["word"] == "draws"


def test_a_sum_goes_with_its_offer(look, served):
    """The suggested sum, changed by the stepper, within the bounds."""
    page = look(BEFORE_STAKING)
    page.get_by_role("button", name="more").click()
    page.get_by_role("button", name="10 Gulden banco").click()

    said, _ = served.said.get(timeout=5)
    assert said == {"type": "banks", "seat": 3, "chips": 22, "prompt": 398}


def test_a_sum_out_of_bounds_is_not_sent(look, served):
    """10 to 96 G: 97 is kept in the field, marked, and not said."""
    page = look(BEFORE_STAKING)
    field = page.get_by_role("spinbutton")
    field.fill("97")
    page.get_by_role("button", name="10 Gulden banco").click()
    assert page.locator("input:invalid").count() == 1
    for _ in range(3):
        page.get_by_role("button", name="more").click()
    assert field.input_value() == "96"
    page.keyboard.press("Tab")
    page.get_by_role("button", name="10 Gulden banco").click()

    assert served.said.get(timeout=5)[0]["chips"] == 96
    assert served.said.empty()


def test_focus_and_a_half_typed_sum_survive_an_update(look, served):
    """News arrives while somebody types."""
    page = look(BEFORE_STAKING)
    field = page.get_by_role("spinbutton")
    field.fill("")
    field.press_sequentially("4")
    served.tell(with_prompt(msgspec.structs.replace(BEFORE_STAKING, pot=33), 399))
    page.locator("#ask[data-prompt='399']").wait_for()
    page.keyboard.type("5")
    page.keyboard.press("Enter")

    said, _ = served.said.get(timeout=5)
    assert (said["chips"], said["prompt"]) == (45, 399)


def test_an_open_drawer_survives_an_update(look, served):
    """Mistakes at the table are one tap away and stay open while the table goes on."""
    page = look(ADVICE_LIT)
    page.get_by_text("mistake at the table").click()
    served.tell(with_prompt(ADVICE_LIT, 500))
    page.locator("#ask[data-prompt='500']").wait_for()
    page.get_by_role("button", name="burn it").click()

    said, _ = served.said.get(timeout=5)
    assert said == {"type": "stray_ruled", "ruling": "burned", "prompt": 500}


@pytest.mark.parametrize("way", ["keyboard", "screen"])
def test_a_closed_card_is_typed_unseen(look, served, way):
    """Rank and suit leave no trace in the page, before or after they were sent."""
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
        page.get_by_role("button", name="send, unseen").click()

    said, _ = served.said.get(timeout=5)
    assert said == {"type": "card_named", "card": "7h", "prompt": 407}
    page.wait_for_function("!document.querySelector('[aria-busy]')")
    plain = typed.replace(' class="typed"', "").replace('aria-label="1 / 2"', "")
    assert plain == before.replace('aria-label="nothing typed"', "")
    assert "7h" not in page.content()
    assert page.locator(".dots i.typed").count() == 0


def test_the_table_that_does_not_answer_is_named(look, served):
    """The press is not lost silently: what, why, what to do."""
    page = look(ADVICE_LIT)
    page.route("**/say", lambda route: route.abort())
    page.get_by_role("button", name="stays").click()
    page.locator("#answer .ask").wait_for()

    assert "did not answer" in words(page, "#answer")
    assert any("ERR_FAILED" in text for text in look.complaints)
    look.complaints.clear()


# How it looks


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


#: Width and height of the page, and what does not fit into its right half.
SIZES = """() => {
  const page = document.documentElement;
  const parts = ['.words', '#side'].map(s => document.querySelector(s));
  return [page.scrollWidth, page.scrollHeight,
          ...parts.map(e => e ? e.scrollHeight - e.clientHeight : 0)];
}"""


@pytest.mark.parametrize("size", [DESK, PHONE])
@pytest.mark.parametrize("name", ["advice", "to-speak", "before-staking", "settlement"])
def test_main_buttons_are_big_enough_for_a_thumb(look, name, size):
    """At least 88 px; on a phone they stand above the table."""
    page = look(ALL[name], size=size)
    boxes = [button.bounding_box() for button in page.locator("#offers button.main").all()]
    table = page.locator("#table").bounding_box()

    assert boxes
    assert min(box["height"] for box in boxes) >= 88
    assert min(box["width"] for box in boxes) >= 88
    assert size == DESK or all(box["y"] + box["height"] <= table["y"] for box in boxes)


def test_the_switch_changes_the_theme_and_it_stays(look):
    """Dark by default in a dark room; the switch outlives a reload."""
    page = look(ADVICE_LIT, theme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_role("button", name="light or dark").click()
    dark = page.evaluate(ground)
    page.reload()

    assert page.evaluate(ground) == dark != light


@pytest.mark.parametrize(("motion", "animation"), [("reduce", "none"), ("no-preference", "slide")])
def test_cards_slide_unless_motion_is_unwanted(look, motion, animation):
    """120 ms, and off where reduced motion is asked."""
    page = look(ADVICE_LIT, reduced_motion=motion)

    style = page.locator("svg.wide .card").first.evaluate("e => getComputedStyle(e).animationName")
    assert style == animation


def test_closed_cards_are_all_alike(look):
    """R-13: nothing but the place tells one back from another."""
    page = look(TO_SPEAK)
    backs = page.locator("svg.wide .card").evaluate_all("cards => cards.map(c => c.outerHTML)")

    assert len(backs) == 4
    assert len(set(backs)) == 1
    assert page.locator("#table").text_content().count("a closed card") == 4


def test_open_cards_show_their_face(look):
    """Rank and suit are legible, and named for who cannot see them."""
    page = look(ADVICE_LIT)
    faces = page.locator("svg.wide .card:has(.rank)")

    assert faces.locator(".rank").all_text_contents() == ["K", "5", "4"]
    assert [face.locator("use").first.get_attribute("href") for face in faces.all()] == [
        "#suit-d", "#suit-s", "#suit-h",
    ]  # fmt: skip
    assert "king of diamonds, five of spades" in " ".join(
        words(page, "#table").replace("\n", " ").split()
    )


# How it holds


def test_a_lost_connection_is_said_and_mends_itself(look, served, restart):
    """The table's program is started again: the page comes back by itself, with the news."""
    page = look(ADVICE_LIT)
    restart.stop()
    page.locator(".lost span").wait_for(state="visible")
    restart.start(msgspec.structs.replace(ADVICE_LIT, pot=777))
    page.locator("#table svg.wide .sum", has_text="777").wait_for(timeout=15_000)

    assert not page.locator(".lost span").is_visible()
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
    offered += [{"type": "alert_acknowledged", "alert": a.id} for a in samples.ALERT.alerts]
    assert sorted(carried) == sorted(msgspec.json.encode(said).decode() for said in offered)
    assert all(json.loads(text)["type"] for text in carried)
