"""Turns a phrase into a text of one language, for a page to print or for a voice to speak.

A catalogue's plain entry is the text for pages. If a voice says a phrase differently, the catalogue
has a second entry, with the context `speech`. If the casinos of a game have their own word for a
thing, the catalogue has an entry with the game's name as its context. Such a table's pages and
voice prefer that entry. The English text is the key of an entry, so pages in English need only the
entries of games. There is never a silent fallback to another language: a text that a catalogue
lacks is shown between ⟦ and ⟧, and logged once. The module knows phrases and catalogues, but no
game, no page and no voice.
"""

from __future__ import annotations

import gettext
from enum import StrEnum
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final, NamedTuple

from table_controller.engine.messages import Phrase, phrase
from table_controller.rules.cards import Card, Suit
from table_controller.service import logs
from table_controller.words.glossary import replaced
from table_controller.words.languages import Language

DOMAIN: Final = "schlitten"
CATALOGUES: Final = Path(str(files("table_controller") / "words" / "locales"))
LOCALES: Final = tuple(language.value for language in Language)

_THOUSANDS: Final = {language.value: language.thousands for language in Language}

#: Units of money that a voice does not spell out, under the context `unit`. An owner's own units
#: are spoken as they are printed.
UNITS: Final = ("G", "K")
_UNIT: Final = "unit"

_RANKS = (
    phrase("ace"), phrase("two"), phrase("three"), phrase("four"), phrase("five"),
    phrase("six"), phrase("seven"), phrase("eight"), phrase("nine"), phrase("ten"),
    phrase("jack"), phrase("queen"), phrase("king"),
)  # fmt: skip
_SUITS = {
    Suit.CLUBS: phrase("clubs"),
    Suit.DIAMONDS: phrase("diamonds"),
    Suit.HEARTS: phrase("hearts"),
    Suit.SPADES: phrase("spades"),
}


class Way(StrEnum):
    """The way in which a phrase reaches people: read on a page, or heard."""

    PAGE = "page"
    SPEECH = "speech"


def text(sentence: Phrase, locale: str, game: str = "") -> str:
    """Return a phrase as a page prints it, in the words of `game` if it has its own."""
    return _made(sentence, _Tongue(locale, game, Way.PAGE))


def speech(sentence: Phrase, locale: str, game: str = "") -> str:
    """Return a phrase as a voice speaks it: without symbols, and with numbers as plain digits."""
    return _made(sentence, _Tongue(locale, game, Way.SPEECH))


@cache
def games_with_own_words() -> frozenset[str]:
    """Return the names of the games that replace a term of all tables."""
    return frozenset(own.game for _, own in replaced())


def figure(number: int, locale: str) -> str:
    """Write a number as people read it, in groups of three if it has five digits or more."""
    if abs(number) < 10_000:
        return str(number)
    return f"{number:,}".replace(",", _THOUSANDS[locale])


def decimal(number: float, digits: int, locale: str) -> str:
    """Write a number with this many decimals, after a point in English and a comma elsewhere."""
    written = f"{number:.{digits}f}"
    return written if locale == "en" else written.replace(".", ",")


def card_words(card: Card) -> Phrase:
    """Return the phrase that names an open card."""
    return phrase("{rank} of {suit}", rank=_RANKS[card.rank - 1], suit=_SUITS[card.suit])


class _Tongue(NamedTuple):
    """The language in which a phrase is said, the game at the table ("" for none), and the way."""

    locale: str
    game: str
    way: Way


def _made(sentence: Phrase, tongue: _Tongue) -> str:
    if not sentence.text:
        return ""
    filled = {name: _filled(name, value, tongue) for name, value in sentence.args.items()}
    return _template(sentence.text, tongue).format(**filled)


def _template(text: str, tongue: _Tongue) -> str:
    held = catalogue(tongue.locale)
    if tongue.game in games_with_own_words() and (own := held.pgettext(tongue.game, text)):
        return own
    if tongue.way is Way.SPEECH and (said := held.pgettext(tongue.way.value, text)):
        return said
    return text if tongue.locale == "en" else held.gettext(text)


def _filled(name: str, value: str | int | Phrase, tongue: _Tongue) -> str:
    if isinstance(value, Phrase):
        return _made(value, tongue)
    if isinstance(value, int):
        return figure(value, tongue.locale) if tongue.way is Way.PAGE else str(value)
    if name == "card" and value:
        return _made(card_words(Card(value)), tongue)
    if name == "unit" and value in UNITS and tongue.way is Way.SPEECH:
        return catalogue(tongue.locale).pgettext(_UNIT, value)
    return value


@cache
def catalogue(locale: str) -> gettext.NullTranslations:
    """Return the catalogue of a locale. Raises FileNotFoundError if there is none."""
    found = gettext.translation(DOMAIN, CATALOGUES, [locale])
    found.add_fallback(_Unknown(locale))
    return found


@cache
def _plain() -> tuple[gettext.NullTranslations, ...]:
    """Return the catalogues without `_Unknown`, which marks and logs an unknown text."""
    return tuple(gettext.translation(DOMAIN, CATALOGUES, [one]) for one in LOCALES if one != "en")


def translated(text: str) -> bool:
    """Whether some catalogue translates this English text, so that it is one of the program's."""
    return any(one.gettext(text) != text for one in _plain())


class _Unknown(gettext.NullTranslations):
    """Gives the text, marked, in place of a translation that a catalogue lacks."""

    def __init__(self, locale: str) -> None:
        super().__init__()
        self._locale = locale

    def gettext(self, message: str) -> str:
        return unknown(message, self._locale, "page")

    def pgettext(self, context: str, message: str) -> str:
        """Return "" where a voice or a game says what every page prints."""
        return unknown(message, self._locale, context) if context == _UNIT else ""


def unknown(message: str, locale: str, context: str) -> str:
    """Return a text that has no translation, between marks, and log it once."""
    _noted(message, locale, context)
    return f"⟦{message}⟧"


@cache
def _noted(message: str, locale: str, context: str) -> None:
    """Log the missing text, once."""
    logs.error("text without a translation", text=message, locale=locale, way=context)
