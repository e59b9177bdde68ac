"""Phrases as they are printed and spoken, in the languages of the house."""

import pytest

from table_controller import words
from table_controller.engine import alerts
from table_controller.engine.messages import DeviceLost, phrase
from table_controller.rules.cards import Card
from table_controller.service import logs

ASKED = phrase("{pot} {unit}, banco! Who plays?", pot=50, unit="G")
TOOK = phrase(
    "Seat {seat} opened {point}; seat {to} took {card}.", seat=1, point=5, to=2, card="Ts"
)


@pytest.mark.parametrize(
    ("locale", "page", "speech"),
    [
        ("en", "50 G, banco! Who plays?", "50 gulden, banco! Who plays?"),
        ("de", "50 G banco! Wer spielt?", "50 Gulden banco! Wer spielt?"),
        ("hu", "50 G, banco! Ki játszik?", "50 gulden, banco! Ki játszik?"),
    ],
)
def test_a_call_has_a_page_and_a_voice(locale, page, speech):
    """The same words, the unit as a word; so it is stored once."""
    assert (words.text(ASKED, locale), words.speech(ASKED, locale)) == (page, speech)


def test_an_open_card_is_named():
    assert words.text(TOOK, "fr").endswith("a pris\u00a0: dix de pique.")


@pytest.mark.parametrize(
    ("locale", "written"),
    [
        ("en", "24,680"),
        ("de", "24.680"),
        ("fr", "24\u202f680"),
        ("sv", "24\u00a0680"),
        ("hu", "24\u00a0680"),
    ],
)
def test_a_sum_is_grouped_as_the_language_does(locale, written):
    """On the page; a voice spells the figure itself."""
    sum_ = phrase("The least is {least}.", least=24680)

    assert written in words.text(sum_, locale)
    assert "24680" in words.speech(sum_, locale)


def test_a_phrase_inside_a_phrase_is_translated_too():
    lost = phrase("No answer from: {device}.", device=phrase("camera"))

    assert words.text(lost, "de") == "Keine Antwort von: Kamera."


@pytest.mark.parametrize("locale", words.LOCALES)
@pytest.mark.parametrize("name", sorted(alerts.DEVICES))
def test_what_to_do_about_a_device_is_said_in_the_houses_language(name, locale):
    """Its own words stand behind it."""
    own = "no answer since 10:15"
    (lost,), _ = alerts.device((), DeviceLost(device=name, why=own))
    page = words.text(lost.remedy, locale)
    english = words.text(lost.remedy, "en")

    assert page.endswith(f" ({own})")
    assert (page == english) is (locale == "en")


def test_a_device_that_nobody_knows_speaks_for_itself():
    (lost,), _ = alerts.device((), DeviceLost(device="new-thing", why="Plug it in."))

    assert words.text(lost.remedy, "hu") == "Plug it in."


@pytest.mark.parametrize("locale", words.LOCALES)
def test_every_card_has_a_name(locale):
    names = {
        words.text(words.card_words(Card(rank + suit)), locale)
        for rank in "A23456789TJQK"
        for suit in "cdhs"
    }

    assert len(names) == 52


def test_nothing_to_say_is_nothing():
    assert words.text(phrase(""), "de") == ""


def test_an_unknown_text_is_marked_and_logged_once(monkeypatch):
    """At the table a gap is seen, by the guests' eyes and in the log, and stops nothing."""
    monkeypatch.undo()  # here the real mark, not the tests' failure
    logged = []
    monkeypatch.setattr(logs, "error", lambda *_, **more: logged.append(more))
    strange = phrase("Nobody translated {what}.", what="this")

    shown = [words.text(strange, "de"), words.text(strange, "de"), words.speech(strange, "hu")]

    assert shown == ["⟦Nobody translated this.⟧"] * 3
    assert [(more["locale"], more["way"]) for more in logged] == [("de", "page"), ("hu", "page")]
