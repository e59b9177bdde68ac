"""Forms on the page, filled in by thumb and by keyboard, in Debian's Chromium."""

from __future__ import annotations

import re

import msgspec
import pytest
from axe_playwright_python.sync_playwright import Axe

from table_controller.engine.chemin_de_fer.view import snapshot
from table_controller.engine.ecarte import view
from table_controller.engine.ecarte.inputs import LooksAtTricks
from table_controller.engine.messages import Audience, phrase
from table_controller.engine.promises import SecretKey
from table_controller.engine.punto_banco import view as pictured
from table_controller.engine.punto_banco.state import begin
from table_controller.engine.views import Secret
from tests.adapters.web.samples import ALERT
from tests.adapters.web.served import words
from tests.engine import ecarte_playing as ecarte
from tests.engine.ecarte_playing import E07, EDE, LEFT, RIGHT, started
from tests.engine.playing import NEMZETI, deal, play, table
from tests.engine.punto_banco import playing
from tests.engine.test_ecarte_coups import dealt
from tests.engine.test_ecarte_fault_offers import DEAL, plays
from tests.limits import PATIENCE_S

DESK, PHONE = (1280, 800), (390, 844)
WON = (*deal("2h Kc", "9d Ks"), "seat 2 reste", "seat 1 opens", "seat 2 opens", "paid")


def picture(now):
    return snapshot(now, Audience.CROUPIER)


CALLED = play(table(chips=100), "seat 1 banks 100", "seat 2 cashes out 70")
DEALT = play(table(), "seat 1 banks 100", "seat 2 banco solo", *deal("2h Kc", "9d Ks"))


#: Where an open drawer begins, and where the page's right half does, from the page's top.
TOPS = """() => ['.drawer[open] .sheet', '.words'].map(
  s => document.querySelector(s).getBoundingClientRect().top + scrollY)"""


def unfold(page, drawer, form):
    """Open a drawer and one form in it."""
    page.locator(".drawer > summary", has_text=drawer).click()
    page.locator(".drawer[open] .fold > summary", has_text=form).first.click()
    return page.locator(".fold[open] form")


def said(served):
    words_, _ = served.said.get(timeout=PATIENCE_S)
    words_.pop("prompt")
    return words_


def test_who_buys_in_is_three_touches_and_a_press(look, served):
    """A seat, a sum, the button; the drawer stays open for the next one."""
    page = look(picture(CALLED))
    form = unfold(page, "people", "buys in")
    form.locator("input[value='3']").check()
    form.locator("button.step").last.click()
    form.get_by_role("button", name="buys in").click()

    assert said(served) == {"type": "buys_in", "seat": 3, "chips": 500}
    page.wait_for_function("() => !document.querySelector('.fold[open]')")
    assert page.locator(".drawer[open] summary").first.is_visible()


def test_keys_lead_from_one_round_sum_to_the_next(look):
    """From any sum that was typed; 0 is the least that somebody buys in with."""
    form = unfold(look(picture(CALLED)), "people", "buys in")
    less, more = form.locator("button.step").first, form.locator("button.step").last
    field = form.get_by_role("spinbutton")
    seen = []
    for typed, key in ((None, more), (None, more), (None, less), ("1234", more), ("1234", less)):
        if typed:
            field.fill(typed)
        key.click()
        seen.append(field.input_value())

    assert seen == ["500", "1000", "500", "1500", "1000"]


def test_a_form_is_filled_in_without_a_mouse(look, served):
    """Tab, the arrows among the seats, words, Enter."""
    page = look(picture(play(table(), "seat 3 leaves", "seat 5 leaves")))
    form = unfold(page, "people", "takes a seat")
    form.locator("input[type=radio]").first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    page.keyboard.type("Anna Lindqvist")
    page.keyboard.press("Enter")

    assert said(served) == {"type": "sits", "seat": 5, "name": "Anna Lindqvist", "chips": 100}


def test_what_is_not_filled_in_is_not_sent(look, served):
    """A seat, a name: the form says which is missing, and nothing is pressed."""
    page = look(picture(play(table(), "seat 3 leaves", "seat 5 leaves")))
    form = unfold(page, "people", "takes a seat")
    form.get_by_role("button", name="takes a seat").click()
    form.locator("input[value='5']").check()
    form.locator("input[type=text]").fill("   ")
    form.get_by_role("button", name="takes a seat").click()
    form.locator("input[type=text]").fill("Anna")
    form.get_by_role("button", name="takes a seat").click()

    assert said(served)["name"] == "Anna"
    assert served.said.empty()


@pytest.mark.parametrize("enter", ["touched", "clicked", "reached by a key"])
def test_a_sum_that_is_typed_takes_the_place_of_the_one_that_stood_there(look, enter):
    """Its field is entered: what stands there is selected. A second touch only moves the caret."""
    page = look(picture(CALLED), has_touch=True)
    form = unfold(page, "people", "buys in")
    field = form.locator("input[type=number]")
    if enter == "reached by a key":
        form.locator("button.step").first.focus()
        page.keyboard.press("Tab")
    else:
        field.tap() if enter == "touched" else field.click()
    page.keyboard.type("50")
    assert field.input_value() == "50"
    field.click()
    page.keyboard.press("End")
    page.keyboard.type("00")

    assert field.input_value() == "5000"


#: How wide the figures in a field are, and how wide the field is within its border and padding.
FIGURES = """field => {
  const style = getComputedStyle(field), drawn = document.createElement("canvas").getContext("2d");
  drawn.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  return [drawn.measureText(field.value).width,
    field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)];
}"""


@pytest.mark.parametrize("size", [DESK, (1024, 768), PHONE])
def test_a_sum_of_a_million_is_seen_whole(look, size):
    """Beside a name, where it has the least room; and its keys stay a finger wide."""
    page = look(
        pictured.snapshot(begin(playing.house(), SecretKey(b"form")), Audience.CROUPIER),
        size=size,
    )
    form = unfold(page, "people", "takes a seat")
    form.locator("input[type=number]").fill("1000000")
    figures, room = form.locator("input[type=number]").evaluate(FIGURES)
    keys = [key.bounding_box() for key in form.locator("button.step").all()]

    assert figures <= room
    assert min(min(key["width"], key["height"]) for key in keys) >= 44


def test_who_is_picked_narrows_the_sum(look, served):
    """ZP-15, Z-3: seat 2 has 30; with seat 2 as the partner the other lays 70 at least."""
    page = look(picture(CALLED))
    form = unfold(page, "more", "Banco with a partner")
    sum_ = form.locator("input[type=number]")
    form.locator("input[name=seat][value='2']").check()
    assert (sum_.get_attribute("min"), sum_.get_attribute("max")) == ("2", "30")
    form.locator("input[name=seat][value='4']").check()
    form.locator("input[name=partner][value='2']").check()

    assert (sum_.get_attribute("min"), sum_.get_attribute("max")) == ("70", "98")
    assert "70 to 98" in form.locator("small").text_content()
    assert form.locator("input[name=partner][value='4']").is_disabled()
    sum_.fill("69")
    form.get_by_role("button", name="Banco with a partner").click()
    sum_.fill("75")
    form.get_by_role("button", name="Banco with a partner").click()
    assert said(served) == {"type": "banco_with_partner", "seat": 4, "partner": 2, "chips": 75}
    assert served.said.empty()


def test_what_was_filled_in_survives_an_update(look, served):
    """The pick is the player's, not the place in the row: others come and go meanwhile."""
    now = play(table(), "seat 1 banks 100")
    page = look(picture(now))
    form = unfold(page, "people", "tips")
    form.locator("input[value='5']").check()
    form.locator("input[type=number]").fill("7")
    after = picture(play(now, "seat 2 leaves", "seat 3 leaves"))
    served.tell(msgspec.structs.replace(after, coup=77))
    page.locator("#title span", has_text="Coup 77").first.wait_for()
    form.get_by_role("button", name="tips").click()

    assert said(served) == {"type": "tips", "seat": 5, "chips": 7}


def test_a_supervisor_types_his_reason_and_holds(look, served):
    """R-20, Z-27: without a reason nothing; a short press is none."""
    page = look(picture(DEALT))
    form = unfold(page, "supervisor", "annul the coup")
    button = form.get_by_role("button", name="annul the coup")
    form.locator("input").fill("dealt twice")
    button.click()
    button.hover()
    page.mouse.down()
    told = said(served)
    page.mouse.up()

    assert told == {"type": "annulled", "reason": "dealt twice"}
    assert served.said.empty()
    page.wait_for_function("() => !document.querySelector('.drawer[open]')")


def test_a_corrected_card_is_typed_unseen(look, served):
    """R-13, R-20: which card, what it is, why; nothing of it stays in the page."""
    page = look(picture(DEALT))
    form = unfold(page, "supervisor", "correct a card")
    form.locator("label", has_text="bank, card 1").locator("input").check()
    form.locator("input[type=text]").fill("misread")
    form.get_by_role("button", name="correct a card").click()  # no card is typed yet
    form.locator("[data-rank='9']").click()
    form.locator("[data-suit='d']").click()
    form.get_by_role("button", name="correct a card").click()

    told = said(served)
    assert told == {"type": "corrects", "ordinal": 2, "card": "9d", "reason": "misread"}
    assert served.said.empty()
    digests = r'/static/\w+|data-version="\w+"'  # of the files, and of all of them
    assert "9d" not in re.sub(digests, "", page.content())


def test_a_card_is_corrected_where_it_lies(look, served):
    """Four touches and its reason; touched once more, or left, it says nothing."""
    page = look(picture(DEALT), has_touch=True)
    card = page.locator("[data-lies-at='banker-1']")
    card.tap()
    assert page.locator("#seat h2").text_content() == "bank, card 1"
    card.tap()
    page.locator("#seat").wait_for(state="hidden")
    card.tap()
    form = page.locator("#seat form")
    form.locator("[data-rank='9']").tap()
    form.locator("[data-suit='d']").tap()
    form.locator("input[type=text]").fill("misread")
    form.get_by_role("button", name="correct a card").tap()

    assert said(served) == {"type": "corrects", "ordinal": 2, "card": "9d", "reason": "misread"}
    assert served.said.empty()
    page.locator("#seat").wait_for(state="hidden")


def test_how_a_card_is_corrected_is_said_where_nothing_can_be_taken_back(look):
    """Only if a card can be corrected."""
    dealt, back = picture(DEALT), []
    rest = tuple(offer for offer in dealt.offers if offer.group != "back")
    for offers in (rest, tuple(one for one in rest if one.input["type"] != "corrects")):
        page = look(msgspec.structs.replace(dealt, offers=offers))
        back.append(words(page, "#foot .back"))

    assert back == ["nothing to take backA wrong card? Touch it.", "nothing to take back"]


def test_each_card_of_a_small_pack_has_a_key_of_its_own(look, served):
    """One touch; all 32 keys stay as they are, whatever was touched (R-17)."""
    secret = Secret(label=phrase("the card, unseen"), pack=32)
    (named,) = (one for one in ALERT.offers if one.secret)
    page = look(
        msgspec.structs.replace(ALERT, offers=(msgspec.structs.replace(named, fields=(secret,)),))
    )
    keys = page.locator(".secret .keys")
    before = keys.inner_html()
    assert page.locator(".secret button").count() == 32
    page.locator("[data-rank='T'][data-suit='h']").click()

    assert said(served) == {"type": "card_named", "card": "Th"}
    page.locator("[aria-busy]").wait_for(state="detached")
    assert keys.inner_html() == before


def test_of_two_keypads_one_is_seen(look, served):
    """ER-31: cards that must be shown come first. The keys of the lead take their place."""
    now = plays(dealt(started(E07), DEAL), "Qh", "Th")
    now = ecarte.said(now, LooksAtTricks(seat=RIGHT))
    page = look(view.snapshot(now, Audience.CROUPIER))
    keypads = page.locator("#offers .keypad")
    assert [keys.is_visible() for keys in keypads.all()] == [True, False]
    page.locator("#offers .fold > summary", has_text="leads").press("Enter")
    assert [keys.is_visible() for keys in keypads.all()] == [False, True]
    keypads.last.get_by_text("ace of spades").locator("xpath=..").click()

    assert said(served) == {"type": "plays_card", "seat": LEFT, "card": "As"}


def test_the_answer_to_a_press_says_what_was_filled_in(look):
    """Which seat, which sum; of a card nothing."""
    page = look(picture(CALLED))
    form = unfold(page, "people", "buys in")
    form.locator("input[value='3']").check()
    form.get_by_role("button", name="buys in").click()
    page.locator("#taken", has_text="Done").wait_for()

    assert words(page, "#taken") == "Done: Seat 3 player 3: buys in, 100 G"


def test_the_same_stakes_again_are_one_press(look, served):
    """What lay in the coup before is one tap, beside the words that close the stakes."""
    now = play(table(), "seat 1 banks 100", "all may stake", "seat 2 stakes 30", "seat 3 stakes 20")
    now = play(now, "nichts geht mehr", *WON, "all may stake")
    page = look(picture(now))
    page.locator("#offers button.main", has_text="same stakes").click()

    assert said(served) == {"type": "stakes_again"}


def test_a_stake_is_two_touches_and_the_next_one_too(look, served):
    """The drawer stays open while one after the other stakes."""
    page = look(picture(play(table(house=NEMZETI), "seat 1 banks 100", "seat 2 stakes 30")))
    page.locator(".drawer > summary", has_text="stakes").click()
    for seat in (3, 4):
        page.get_by_role("button", name=f"seat {seat} stakes").click()
        assert said(served) == {"type": "stakes", "seat": seat, "chips": 2}

    assert page.locator(".drawer[open]").count() == 1
    page.keyboard.press("Escape")
    assert page.locator(".drawer[open]").count() == 0


@pytest.mark.parametrize("size", [DESK, PHONE])
@pytest.mark.parametrize(
    ("drawer", "form"),
    [("people", "cashes out"), ("supervisor", "correct"), ("totals", None)],
)
def test_everybody_can_use_what_is_one_tap_away(look, drawer, form, size):
    """Axe finds nothing, all of it can be reached, and nothing sticks out sideways.

    Every key is 40 px high at least, a thumb's.
    """
    now = play(table(), "seat 9 leaves", "seat 1 banks 100", "seat 2 banco solo")
    page = look(picture(play(now, *deal("2h Kc", "9d Ks"))), size=size)
    if form:
        unfold(page, drawer, form)
    else:
        page.locator(".drawer > summary", has_text=drawer).click()
    told = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]})
    keys = page.locator(".drawer[open] :is(button, summary, .picks label):visible").all()
    sizes = [box for key in keys if (box := key.bounding_box())]

    top, under = page.evaluate(TOPS)

    assert [fault["id"] for fault in told.response["violations"]] == []
    assert top >= under, "the drawer's first lines cannot be reached"
    assert min(box["height"] for box in sizes) >= 40
    assert min(box["width"] for box in sizes) >= 36
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]


#: By how much the words of an element stick out of the element, at worst, in px.
OUT = """elements => Math.max(...elements.map(e => {
  const range = document.createRange(), own = e.getBoundingClientRect()
  range.selectNodeContents(e)
  const parts = [...e.querySelectorAll('b, svg')].map(part => part.getBoundingClientRect())
  const boxes = parts.length ? parts : [range.getBoundingClientRect()]
  return Math.max(...boxes.flatMap(box => [own.left - box.left, box.right - own.right]))
}))"""
SIZES = ((1280, 800), (1920, 1080), (1024, 768), (390, 844))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", ["en", "de", "fr", "hu", "sv"])
def test_words_of_a_choice_are_whole(look, size, language):
    """Only people's own names are cut with dots, not what is called a ruling for."""
    page = look(
        view.snapshot(dealt(started(EDE), DEAL), Audience.CROUPIER), f"/?lang={language}", size
    )
    form = page.locator(".fold:has([name=matter])")
    form.evaluate("form => { form.closest('.drawer').open = form.open = true }")
    options = form.locator(".picks span")

    assert options.count() >= 5
    assert options.evaluate_all(OUT) <= 0
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]


@pytest.mark.parametrize("size", SIZES)
def test_a_card_to_touch_has_its_rank_and_suit_within(look, size):
    """Also the ten, which has two figures: no nearer to the edge than 1.5 px."""
    page = look(view.snapshot(dealt(started(EDE), DEAL), Audience.CROUPIER), size=size)
    fold = page.locator(".fold", has_text="leads out of turn").first
    fold.evaluate("fold => { fold.closest('.drawer').open = fold.open = true }")
    cards = fold.locator(".faces button")

    assert cards.locator("b", has_text="10").count() >= 3
    assert cards.evaluate_all(OUT) <= -1.5


def test_totals_are_one_tap_away_for_the_staff_only(look):
    """Per coup, Schlitten and evening; the cagnotte, tips, and who leads the table."""
    now = play(table(), "croupier Anna", "seat 1 banks 100", "seat 2 banco solo", *WON)
    now = play(now, "seat 3 tips 4", "seat 2 banco solo", *WON)
    page = look(picture(now))
    page.locator(".drawer > summary", has_text="totals").click()
    rows = [" ".join(row.inner_text().split()) for row in page.locator(".totals tr").all()]

    assert rows[0] == "last coup Schlitten evening"
    assert "coups 1 2 2" in rows
    assert "staked 195 G 295 G 295 G" in rows
    assert "in the cagnotte 14 G tips 4 G leads the table Anna" in " ".join(
        page.locator("dl.totals").inner_text().split()
    )
    guests = look(picture(now), path="/public").content()
    assert "Anna" not in guests
    assert "14 G" not in guests


def test_a_standing_pointeurs_cards_lie_on_the_table(look):
    """ZP-17: he has no seat, and his hand is seen all the same."""
    now = play(table(), "standing 200 Anna", "seat 1 banks 100", "seat 101 banco solo")
    page = look(picture(play(now, *deal("2h Kc", "9d Ks"))))

    assert page.locator("#trays .card").count() == 4
    assert words(page, "[data-key=tray-pointeur] header").endswith("seat 101 · Anna")
    assert words(page, "[data-key=seat-101] .role") == "POINTEUR"


def test_the_news_name_a_card_and_show_its_face(look):
    """As a person says it, beside its picture."""
    lines = (*deal("2h Kc", "2d Ks"), "seat 2 carte", "seat 1 opens", "card 9h")
    page = look(picture(play(table(), "seat 1 banks 100", "seat 2 banco solo", *lines)))

    assert "nine of hearts" in words(page, "#ask .news")
    assert page.locator("#ask .mini .rank").text_content() == "9"


def test_the_first_coup_runs_and_has_no_result_yet(look):
    """The line at the top names coup 1 already, so the foot does not say that there is none."""
    assert words(look(picture(DEALT)), "#foot .last").strip() == "no result yet"
