"""The catalogues contain exactly the program's texts, in every language."""

import re
from pathlib import Path

import pytest

from table_controller import words
from table_controller.rules.rulebook import rule
from workshop.papers import catalogue
from workshop.papers.same_texts import SAME

EVERY = pytest.mark.parametrize("locale", words.LOCALES)
ASIDE = "Nothing lies aside."
OTHERS = pytest.mark.parametrize("locale", words.LOCALES[1:])


@pytest.fixture(scope="module")
def texts():
    return catalogue.texts()


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """A copy of the catalogues that a test may spoil; `spoil` changes an entry."""
    real = catalogue.po

    def copied(locale):
        path = tmp_path / f"{locale}.po"
        if not path.exists():
            path.write_bytes(real(locale).read_bytes())
        return path

    monkeypatch.setattr(catalogue, "po", copied)
    return copied


def spoil(path: Path, text: str, said: str, context: str | None = None):
    """Give one entry another translation, as an editor of the .po would."""
    heading = f'msgctxt "{context}"\nmsgid' if context else "\nmsgid"
    quoted = text.replace('"', '\\"')
    whole = path.read_text()
    changed = re.sub(
        rf'({re.escape(heading)} "{re.escape(quoted)}"\nmsgstr) ".*"',
        lambda found: f'{found[1]} "{said}"',
        whole,
    )
    assert changed != whole
    path.write_text(changed)


@EVERY
def test_nothing_is_missing_stale_or_wrong(locale):
    """The whole check, as `python -m workshop.papers.catalogue` does it."""
    found = catalogue.problems(locale)

    assert found == []


def found(locale, text):
    return [said for said in catalogue.problems(locale) if text in said]


def test_a_missing_text_is_found(copy):
    spoil(copy("de"), "Nothing lies aside.", "")

    assert found("de", "missing: page of 'Nothing lies aside.'")


def test_a_stale_text_is_found(copy):
    with copy("sv").open("a") as file:
        file.write('\nmsgid "Nobody says this."\nmsgstr "Ingen säger så."\n')

    assert found("sv", "stale: (None, 'Nobody says this.')")


@pytest.mark.parametrize("said", ["Platz ist besetzt.", "Platz {platz} ist besetzt."])
def test_a_lost_or_invented_filling_is_found(copy, said):
    spoil(copy("de"), "Seat {seat} is taken.", said)

    assert found("de", "does not fill in ['seat']")


def test_a_symbol_that_no_voice_says_is_found(copy):
    spoil(copy("fr"), 'Seat {seat}: "carte".', "Place {seat} → carte.", "speech")

    assert found("fr", "which no voice says")


def test_a_text_that_no_voice_can_say_as_printed_needs_words_of_its_own(copy):
    spoil(copy("fr"), "Nothing lies aside.", "Rien (→ de côté)")

    assert found("fr", "missing: speech of 'Nothing lies aside.'")


def test_a_voice_s_words_that_are_the_page_s_are_stored_once(copy):
    """The page's text is what it falls back to."""
    with copy("de").open("a") as file:
        file.write(f'\nmsgctxt "speech"\nmsgid "{ASIDE}"\nmsgstr "Nichts liegt beiseite."\n')
    spoil(copy("de"), ASIDE, "Nichts liegt beiseite.")

    assert found("de", f"stale: ('speech', '{ASIDE}')")


def test_english_in_another_language_is_found(copy):
    spoil(copy("fr"), "Nothing lies aside.", "Nothing lies aside.")

    assert found("fr", "equals the English one")


def test_a_translated_call_is_found(copy):
    """The calls stay as the trade says them."""
    spoil(copy("sv"), "Suite", "Svit")

    assert found("sv", "lost the call 'Suite'")


def test_what_the_table_says_of_itself_can_be_spoken(texts):
    """Prompts, refusals, alerts."""
    spoken = {text for text, (_, voiced) in texts.items() if voiced}

    assert {
        "{pot} {unit}, banco! Who plays?",  # a call
        "Seat {seat}: carte or reste?",  # a prompt, and why
        "Or he shows a Schlag: 8 or 9 with two cards.",
        "Seat {seat} is taken.",  # a refusal, and its remedy
        "Choose a free seat.",
        "A card left the Schlitten and none was due.",  # an alert
        "Bank {banker}, pointeur {pointeur}.",  # an announcement
    } <= spoken


def test_labels_and_furniture_are_not_spoken(texts):
    """Buttons, steps, payments and the page's own words are only printed on the page."""
    printed = {text for text, (_, voiced) in texts.items() if not voiced}

    assert {"seat {seat} passes", "Schlitten loaded", "collect", "Last nine coups"} <= printed


@OTHERS
def test_what_is_meant_the_same_is_the_same(texts, locale):
    """An entry of the list that is translated after all, or gone, leaves the list."""
    held = catalogue.read(locale)
    idle = {text for text in SAME[locale] if text not in texts or held.get(text).string != text}

    assert idle == set()


@pytest.mark.parametrize("call", catalogue.CALLS, ids=lambda call: call.words)
def test_every_call_is_handed_down_by_its_rule(call):
    """The rule's own text holds the call, however it is written there."""
    text = rule(call.rule).text.casefold()

    assert call.words.strip("?").casefold() in text


def test_german_addresses_nobody_as_sie():
    """So that a sentence suits whoever hears it; "Sie" for a card begins its sentence."""
    said = "\n".join(str(entry.string) for entry in catalogue.read("de") if entry.id)

    assert not re.search(r"(?<=[a-zäöüß,;:] )Sie\b|\bIh(nen|re?)\b", said)


def test_french_keeps_its_spaces():
    """A space that does not break, before what French sets apart."""
    page = [
        str(entry.string)
        for entry in catalogue.read("fr")
        if entry.id and entry.context not in {"speech", "unit"}
    ]
    wrong = [said for said in page if re.search(r"(?<![\u202f?!])[?!;]|(?<!\u00a0):|« | »", said)]

    assert [w for w in wrong if w != "Was macht der Schlitten?"] == []


def test_every_trouble_has_its_translations():
    """In each language, with the same values to fill in."""
    held = {locale: catalogue.read(locale) for locale in words.LOCALES if locale != "en"}
    lacks = [
        (locale, text)
        for text in catalogue.troubles()
        for locale, entries in held.items()
        if not entries.get(text) or not str(entries.get(text).string)
    ]

    assert len(catalogue.troubles()) > 90
    assert lacks == []
