"""The glossary: the trade's terms and their meanings, in every language. Each game adds its own.

A game's term may replace a term of all tables: `instead` names the term that it replaces. The
catalogues then need the game's own form of each sentence with that term (docs/LANGUAGES.md).

The module knows files. It knows no game by name, no page and no command.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec

from table_controller.words.languages import Language

FILE = "glossary.toml"


class Term(msgspec.Struct, frozen=True):
    """A term and its meaning, each in every language.

    Attributes:
        called: the term itself. What the trade says everywhere is the same in every language.
        means: the meaning.
        game: the game whose term it is; "" for a term of all tables.
        heading: the heading above its game's terms, on a page.
        instead: the English form of the term of all tables that it replaces in its game.
    """

    called: dict[Language, str]
    means: dict[Language, str]
    game: str = ""
    heading: str = ""
    instead: str = ""

    @property
    def term(self) -> str:
        """The term in English."""
        return self.called[Language.EN]


@cache
def terms() -> tuple[Term, ...]:
    """Return every term: first those of all tables, then each game's, in the order of the files."""
    return tuple(_terms())


def terms_of(game: str) -> tuple[Term, ...]:
    """Return the terms of a table that plays `game`, without those that the game replaces."""
    there = [term for term in terms() if term.game in ("", game)]
    gone = {term.instead for term in there}
    return tuple(term for term in there if term.game or term.term not in gone)


def heading(game: str) -> str:
    """Return what `game` is called in every language; its id if it has no terms."""
    return next((term.heading for term in terms() if term.game == game), game)


@cache
def replaced() -> tuple[tuple[Term, Term], ...]:
    """Return each term of all tables that a game replaces, with the game's own term."""
    shared = {term.term: term for term in terms() if not term.game}
    return tuple((shared[term.instead], term) for term in terms() if term.instead)


def _terms() -> Iterator[Term]:
    ours = files("table_controller")
    yield from _read(ours / "words" / FILE, "")
    for folder in sorted((ours / "rules").iterdir(), key=lambda folder: folder.name):
        if folder.is_dir() and (folder / FILE).is_file():
            yield from _read(folder / FILE, folder.name.replace("_", "-"))


def _read(file: Traversable, game: str) -> Iterator[Term]:
    said = tomllib.loads(file.read_text(encoding="utf-8"))
    for row in said["term"]:
        term = row["term"]
        called = term if isinstance(term, dict) else dict.fromkeys(Language, term)
        yield Term(
            _in_all(called, f"{file}: the term {term!r} has no form in"),
            _in_all(row, f"{file}: the term {term!r} has no meaning in"),
            game,
            said["heading"],
            row.get("instead", ""),
        )


def _in_all(said: dict[str, str], lacks: str) -> dict[Language, str]:
    """Return what is said in each language. Raises LookupError, which begins with `lacks`."""
    for language in Language:
        if language.value not in said:
            raise LookupError(f"{lacks} {language.value!r}")
    return {language: said[language.value] for language in Language}
