"""A table uses its game's words: punto banco says shoe and cut card, the other games Schlitten."""

import re

import pytest

from table_controller import words
from table_controller.adapters.web.screens import renderers
from table_controller.engine.messages import Audience, phrase
from table_controller.wiring import config
from table_controller.words.glossary import terms_of
from table_controller.words.languages import Language
from tests.adapters.web import overlaps
from tests.every_game import GAMES
from workshop.papers import catalogue
from workshop.tests import vocabulary

HOUSES = {"chemin-de-fer": "zoppot-1934", "ecarte": "ecarte-german", "punto-banco": "punto-banco"}
EVERY = pytest.mark.parametrize("locale", words.LOCALES)


def wrong(game, locale, said):
    """What is said in another game's words."""
    others = re.compile(vocabulary.NEVER[game][locale], re.IGNORECASE)
    return [one for one in said if others.search(catalogue.CODE.sub("", one))]


def filled(text):
    """A phrase whose gaps are filled with nothing that could be a word."""
    return phrase(text, **{hole: "" if hole == "card" else "…" for hole in catalogue.holes(text)})


@EVERY
@pytest.mark.parametrize("game", GAMES)
def test_a_table_says_nothing_in_the_words_of_another_game(game, locale):
    """Every text that the table can show or speak."""
    texts = catalogue.of_table(game)
    whole = {text: filled(text) for text in texts}
    spoken = [whole[text] for text in texts if catalogue.texts()[text][1]]

    assert wrong(game, locale, [words.text(one, locale, game) for one in whole.values()]) == []
    assert wrong(game, locale, [words.speech(one, locale, game) for one in spoken]) == []
    assert len(spoken) > 250


@pytest.fixture(scope="module", params=GAMES)
def pages(request):
    """A game, and its pages at the moments of a short evening that look unlike those before."""
    house = config.house(HOUSES[request.param])
    drawn = renderers(game=request.param)
    of, moments = GAMES[request.param], overlaps.evening(house, coups=2, mishaps=True)
    pictures = [
        (of.snapshot(one.table, audience), audience)
        for one in overlaps.telling(of, moments, 12)
        for audience in (Audience.CROUPIER, Audience.PUBLIC)
    ]
    return request.param, drawn, pictures


@EVERY
def test_a_page_says_nothing_in_the_words_of_another_game(pages, locale):
    game, drawn, pictures = pages
    read = [
        re.sub(r"<[^>]*>", " ", "".join(drawn[locale].parts(*one).values())) for one in pictures
    ]

    assert len(read) > 10
    assert wrong(game, locale, read) == []


@EVERY
@pytest.mark.parametrize("game", GAMES)
def test_a_table_s_glossary_is_in_the_words_of_its_game(game, locale):
    language = next(one for one in Language if one.value == locale)
    terms = terms_of(game)
    heads = [term.called[language] for term in terms]
    means = [term.means[language] for term in terms if term.term != "Schlitten"]

    assert wrong(game, locale, heads + means) == []
    assert {term.game for term in terms} == {"", game}
