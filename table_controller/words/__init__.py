"""A phrase in one of the house's languages, as a page prints it or as a voice says it.

The page's text is the catalogue's plain entry. If a voice says it differently, that is the entry
under the context `speech`. English is the key, so its page needs no entry. There is never a silent
fallback to another language: a text that a catalogue lacks is shown between ⟦ and ⟧, and logged
once. The module knows phrases and catalogues, but no game, no page and no voice.
"""

from __future__ import annotations

import gettext
from enum import StrEnum
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from table_controller.engine.messages import Phrase, phrase
from table_controller.rules.cards import Card, Suit
from table_controller.service import logs
from table_controller.words.languages import Language

DOMAIN: Final = "schlitten"
CATALOGUES: Final = Path(str(files("table_controller") / "words" / "locales"))
LOCALES: Final = tuple(language.value for language in Language)

_THOUSANDS: Final = {language.value: language.thousands for language in Language}

#: Units of money that a voice does not spell out, under the context `unit`. An owner's own units
#: are spoken as they are printed.
UNITS: Final = ("G", "K")

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


def text(sentence: Phrase, locale: str) -> str:
    """Return the sentence as a page prints it."""
    return _made(sentence, locale, Way.PAGE)


def speech(sentence: Phrase, locale: str) -> str:
    """Return the sentence as a voice says it: no symbols, and figures for the voice to read."""
    return _made(sentence, locale, Way.SPEECH)


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
    """Say an open card's name."""
    return phrase("{rank} of {suit}", rank=_RANKS[card.rank - 1], suit=_SUITS[card.suit])


def _made(sentence: Phrase, locale: str, way: Way) -> str:
    if not sentence.text:
        return ""
    filled = {name: _filled(name, value, locale, way) for name, value in sentence.args.items()}
    return _template(sentence.text, locale, way).format(**filled)


def _template(text: str, locale: str, way: Way) -> str:
    if way is Way.SPEECH:
        return catalogue(locale).pgettext(way.value, text)
    return text if locale == "en" else catalogue(locale).gettext(text)


def _filled(name: str, value: str | int | Phrase, locale: str, way: Way) -> str:
    if isinstance(value, Phrase):
        return _made(value, locale, way)
    if isinstance(value, int):
        return figure(value, locale) if way is Way.PAGE else str(value)
    if name == "card" and value:
        return _made(card_words(Card(value)), locale, way)
    if name == "unit" and value in UNITS and way is Way.SPEECH:
        return catalogue(locale).pgettext("unit", value)
    return value


@cache
def catalogue(locale: str) -> gettext.NullTranslations:
    """Read the catalogue of a locale. Raises FileNotFoundError if there is none."""
    found = gettext.translation(DOMAIN, CATALOGUES, [locale])
    found.add_fallback(_Unknown(locale))
    return found


@cache
def _plain() -> tuple[gettext.NullTranslations, ...]:
    """The catalogues once more, without what marks and logs an unknown text."""
    return tuple(gettext.translation(DOMAIN, CATALOGUES, [one]) for one in LOCALES if one != "en")


def translated(text: str) -> bool:
    """Whether some catalogue has another text for this English one, so that it is ours."""
    return any(one.gettext(text) != text for one in _plain())


class _Unknown(gettext.NullTranslations):
    """Replaces a text that a catalogue does not contain."""

    def __init__(self, locale: str) -> None:
        super().__init__()
        self._locale = locale

    def gettext(self, message: str) -> str:
        return unknown(message, self._locale, "page")

    def pgettext(self, context: str, message: str) -> str:
        if context == Way.SPEECH:  # a voice says what the page prints
            return _template(message, self._locale, Way.PAGE)
        return unknown(message, self._locale, context)


def unknown(message: str, locale: str, context: str) -> str:
    """Return what is shown for a text without a translation: the text itself, marked."""
    _noted(message, locale, context)
    return f"⟦{message}⟧"


@cache
def _noted(message: str, locale: str, context: str) -> None:
    """Log the missing text, once."""
    logs.error("text without a translation", text=message, locale=locale, way=context)
