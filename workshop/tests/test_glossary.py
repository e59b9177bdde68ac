"""The words of the trade, in every language."""

import re

import pytest

from table_controller import words
from table_controller.engine.messages import phrase
from table_controller.words.glossary import terms, terms_of
from table_controller.words.languages import Language
from workshop.papers import catalogue


@pytest.mark.parametrize("term", terms(), ids=lambda term: term.term)
def test_every_term_is_explained_in_every_language_each_in_its_own_words(term):
    said = list(term.means.values())

    assert set(term.means) == set(Language)
    assert all(re.fullmatch(r"\S.*[.”“\w]", one) for one in said)
    assert len(set(said)) == len(said)


@pytest.mark.parametrize("locale", words.LOCALES[1:])
def test_a_term_is_the_page_s_own_word(locale):
    """Where the page has the English term as a text, the glossary translates the term alike."""
    both = [term for term in terms() if term.term in catalogue.texts()]
    heads = {term.term: term.called[locale].casefold() for term in both}

    assert len(heads) > 8
    assert heads == {text: words.text(phrase(text), locale).casefold() for text in heads}


@pytest.mark.parametrize("call", catalogue.CALLS, ids=lambda call: call.words)
def test_a_german_call_is_explained(call):
    """Whoever knows no German finds the call in the glossary of its game's table."""
    terms_ = {term.term.casefold() for term in terms()}

    assert call.language != "de" or call.words.casefold() in terms_


@pytest.mark.parametrize("english", ["white card", "supervisor", "elder", "cut card", "road"])
def test_an_english_term_has_a_form_in_each_language(english):
    (term,) = (term for term in terms() if term.term == english)

    assert len(set(term.called.values())) == len(Language)


def test_a_game_s_term_stands_instead_of_the_one_it_replaces():
    punto_banco = {term.term for term in terms_of("punto-banco")}

    assert {"shoe", "cut card", "coup"} <= punto_banco
    assert not {"Schlitten", "white card", "pointeur"} & punto_banco
    assert {"Schlitten", "white card", "pointeur"} <= {t.term for t in terms_of("chemin-de-fer")}


def test_no_term_is_there_twice_and_a_game_brings_its_own():
    names = [term.term for term in terms()]

    assert len(set(names)) == len(names)
    assert {term.term: term.game for term in terms()}["pointeur"] == "chemin-de-fer"
    assert {term.term: term.game for term in terms()}["Schlitten"] == ""
