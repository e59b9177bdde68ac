"""Phrases at their three lengths, in the languages of the house."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    ("locale", "page", "line", "speech"),
    [
        ("en", "50 G, banco! Who plays?", "50, banco! Who plays?", "50 gulden, banco! Who plays?"),
        ("de", "50 G banco! Wer spielt?", "50 banco! Wer spielt?", "50 Gulden banco! Wer spielt?"),
        (
            "hu",
            "50 G, banco! Ki játszik?",
            "50, banco! Ki játszik?",
            "50 gulden, banco! Ki játszik?",
        ),
    ],
)
def test_a_call_has_a_page_a_line_and_a_voice(locale, page, line, speech):
    made = words.text(ASKED, locale), words.line(ASKED, locale), words.speech(ASKED, locale)

    assert made == (page, line, speech)


def test_an_open_card_is_named_and_on_a_line_its_code():
    page, line = words.text(TOOK, "fr"), words.line(TOOK, "fr")

    assert page.endswith("a pris\u00a0: dix de pique.")
    assert line.endswith("a pris Ts")


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
    """On the page; a line saves the space, and a voice spells the figure itself."""
    sum_ = phrase("The least is {least}.", least=24680)

    assert written in words.text(sum_, locale)
    assert "24680" in words.line(sum_, locale)
    assert "24680" in words.speech(sum_, locale)


def test_a_phrase_inside_a_phrase_is_translated_too():
    lost = phrase("No answer from: {device}.", device=phrase("camera"))

    assert words.text(lost, "de") == "Keine Antwort von: Kamera."


@pytest.mark.parametrize("locale", words.LOCALES)
@pytest.mark.parametrize("name", sorted(alerts.DEVICES))
def test_what_to_do_about_a_device_is_said_in_the_houses_language(name, locale):
    """Its own words stand behind it on the page; on a line there is no room for them."""
    own = "no answer since 10:15"
    (lost,), _ = alerts.device((), DeviceLost(device=name, why=own))
    page, line = words.text(lost.remedy, locale), words.line(lost.remedy, locale)
    english = words.text(lost.remedy, "en")

    assert page.endswith(f" ({own})")
    assert (page == english) is (locale == "en")
    assert own not in line
    assert not line.endswith("…")


def test_a_device_that_nobody_knows_speaks_for_itself():
    (lost,), _ = alerts.device((), DeviceLost(device="new-thing", why="Plug it in."))

    assert words.text(lost.remedy, "hu") == "Plug it in."


def test_a_devices_own_words_are_cut_on_a_line():
    why = phrase("{why}", why="Its cable is out: plug it in, then press the button.")
    line = words.line(why, "sv")

    assert line == "Its cable is out: plug it in, t…"


@given(st.text(max_size=80))
def test_no_line_is_longer_than_the_display(said):
    assert len(words.line(phrase("{why}", why=said), "en")) <= words.LINE


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

    shown = [words.text(strange, "de"), words.text(strange, "de"), words.line(strange, "hu")]

    assert shown == ["⟦Nobody translated this.⟧"] * 3
    assert [(more["locale"], more["length"]) for more in logged] == [("de", "page"), ("hu", "line")]
