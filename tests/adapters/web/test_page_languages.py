"""The page in other languages, in Debian's Chromium: nothing English, nothing cut off."""

from __future__ import annotations

import re

import msgspec
import pytest

from table_controller.adapters.web.hub import Answer
from table_controller.engine.messages import phrase
from tests.languages import evenings

DESK, PHONE = (1280, 800), (390, 844)

#: Words that no other language of the page has, and every longer English sentence does.
ENGLISH = re.compile(
    r"\b(the|and|of|with|seats?|cards?|banker|stakes?|left|wins|draws|stands|paid|nobody)\b",
    re.IGNORECASE,
)

#: Everything that a person reads or hears read out: texts, and the labels of what has none.
TEXTS = """() => {
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const parent = walk.currentNode.parentElement;
    if (!parent.closest('script, style, #language')) found.push(walk.currentNode.data.trim());
  }
  for (const e of document.querySelectorAll('[aria-label]')) found.push(e.ariaLabel);
  for (const e of document.querySelectorAll('template')) found.push(e.content.textContent);
  return [document.title, ...found].filter(Boolean);
}"""


def show(page, served, number, picture):
    """Let the page follow to another picture; its coup's number tells when it is there."""
    served.tell(msgspec.structs.replace(picture, coup=900 + number))
    page.locator("#title span", has_text=str(900 + number)).wait_for()


@pytest.mark.parametrize("path", ["/", "/public"])
@pytest.mark.parametrize("locale", ["de", "hu"])
def test_no_english_is_left(look, served, locale, path):
    """Through every phase of the game; unknown texts would stand between marks."""
    page = look(path=f"{path}?lang={locale}")
    english = {}
    for number, (name, picture) in enumerate(evenings.moments().items()):
        show(page, served, number, picture)
        texts = page.evaluate(TEXTS)
        english[name] = [text for text in texts if ENGLISH.search(text) or "⟦" in text]

    assert page.evaluate("document.documentElement.lang") == locale
    assert english == {name: [] for name in evenings.moments()}


@pytest.mark.parametrize("locale", ["de", "hu"])
def test_the_longest_words_fit_the_desk(look, served, locale):
    """At 1280 by 800 nothing scrolls; no words of a button, hand or seat stick out.

    `scripts/soak --only overlaps` looks at every language.
    """
    page = look(path=f"/?lang={locale}", size=DESK, reduced_motion="reduce")
    wrong = {}
    for number, (name, picture) in enumerate(evenings.moments().items()):
        show(page, served, number, picture)
        wrong[name] = page.evaluate(STICKS_OUT)

    assert wrong == {name: [] for name in evenings.moments()}


#: What is larger than its place.
STICKS_OUT = """() => {
  const page = document.documentElement, found = [];
  if (page.scrollWidth > 1280) found.push(`page ${page.scrollWidth} wide`);
  if (page.scrollHeight > 800) found.push(`page ${page.scrollHeight} high`);
  const words = document.querySelector('.words');
  if (words.scrollHeight > words.clientHeight) found.push(`words ${words.scrollHeight} high`);
  const parts = '.bar, .words, summary, #ask, #ask h1, #offers button, #side, #foot > *';
  for (const e of document.querySelectorAll(parts))
    if (e.scrollWidth > e.clientWidth + 1)
      found.push(`${e.id || e.className}: ${e.textContent.trim().slice(0, 40)}`);
  for (const e of document.querySelectorAll('.tray header h2, .tray footer, .seat .marks, .role'))
    if (e.scrollWidth > e.clientWidth + 1) found.push(`${e.className}: ${e.textContent}`);
  return found;
}"""


@pytest.mark.parametrize("locale", ["de", "hu"])
def test_a_phone_does_not_scroll_sideways(look, served, locale):
    page = look(path=f"/?lang={locale}", size=PHONE)
    widths = set()
    for number, picture in enumerate(evenings.moments().values()):
        show(page, served, number, picture)
        widths.add(page.evaluate("document.documentElement.scrollWidth"))

    assert widths == {390}


def test_the_switch_changes_the_language_and_it_stays(look):
    """The choice outlives the address: it is the browser's until it chooses another."""
    page = look(evenings.moments()["PointeurToSpeak"])
    with page.expect_response("**/live?*"):
        page.locator("#language").select_option("sv")
    page.wait_for_url("**/?lang=sv")
    with page.expect_response("**/live?*"):
        page.goto(page.url.split("?")[0])

    assert page.evaluate("document.documentElement.lang") == "sv"
    assert page.locator("#language").input_value() == "sv"
    assert "carte eller reste?" in page.locator("#ask h1").text_content()


def test_a_refusal_speaks_the_pages_language(look, served):
    """Where the press was not taken: what, why, what to do."""
    served.answer = Answer(
        ok=False,
        why=phrase("Seat {seat} is taken.", seat=3),
        remedy=phrase("Choose a free seat."),
    )
    page = look(evenings.moments()["PointeurToSpeak"], path="/?lang=de")
    page.locator("#offers button.main").first.click()
    page.locator("#answer .ask").wait_for()

    assert page.locator("#answer .ask").text_content() == "Platz 3 ist besetzt."
    assert "Bitte einen freien Platz wählen." in page.locator("#answer .why").text_content()
    assert not [text for text in page.evaluate(TEXTS) if ENGLISH.search(text)]
