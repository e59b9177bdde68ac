"""The words of the trade, in every language."""

import re

import pytest

from table_controller.words.glossary import terms
from table_controller.words.languages import Language


@pytest.mark.parametrize("term", terms(), ids=lambda term: term.term)
def test_every_term_is_explained_in_every_language_each_in_its_own_words(term):
    said = list(term.means.values())

    assert set(term.means) == set(Language)
    assert all(re.fullmatch(r"\S.*[.”“\w]", one) for one in said)
    assert len(set(said)) == len(said)


def test_no_term_is_there_twice_and_a_game_brings_its_own():
    names = [term.term for term in terms()]

    assert len(set(names)) == len(names)
    assert {term.term: term.game for term in terms()}["pointeur"] == "chemin-de-fer"
    assert {term.term: term.game for term in terms()}["Schlitten"] == ""
