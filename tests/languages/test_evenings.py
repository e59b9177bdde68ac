"""In whole evenings the table has a text for everything, in every language."""

import pytest

from table_controller import words
from table_controller.engine.chemin_de_fer.offers import closing_words
from tests.engine.playing import NEMZETI, ZOPPOT
from tests.languages import evenings


@pytest.fixture(scope="module")
def sentences():
    return {str(phrase): phrase for now in evenings.tables() for phrase in evenings.said(*now)}


@pytest.fixture(scope="module")
def labels():
    pictures = [picture for _, picture in evenings.tables()]
    found = [p for picture in pictures for p in evenings.printed(picture)]
    return {str(phrase): phrase for phrase in found}


@pytest.mark.parametrize("locale", words.LOCALES)
def test_every_sentence_of_an_evening_has_its_words(sentences, locale):
    """A text that a catalogue lacks raises here."""
    voices = [words.speech(phrase, locale) for phrase in sentences.values()]
    pages = [words.text(phrase, locale) for phrase in sentences.values()]

    assert len(sentences) > 150
    assert not [said for said in voices if set(said) & set('«»„“”"⟦→')]
    assert not [said for said in pages if "{" in said]


@pytest.mark.parametrize("locale", words.LOCALES)
def test_every_label_of_an_evening_has_its_words(labels, locale):
    made = [words.text(phrase, locale) for phrase in labels.values()]

    assert len(made) > 60
    assert all(made)


@pytest.mark.parametrize("locale", words.LOCALES)
def test_each_house_closes_the_stakes_in_its_own_words(locale):
    """Whatever the page's language: German at Zoppot (ZP-16), French at Budapest (N-3)."""
    zoppot = words.text(closing_words(ZOPPOT, staked=True), locale)
    nemzeti = words.text(closing_words(NEMZETI, staked=True), locale)

    assert zoppot.casefold() == "nichts geht mehr, ab dafür"
    assert nemzeti == "rien ne va plus"
