"""The glossary: the trade's terms and their meanings, in every language. Each game adds its own.

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
    """A term, which is the same in every language, and its meaning in each language."""

    term: str
    means: dict[Language, str]
    game: str = ""
    heading: str = ""  # over its game's terms, on a page


@cache
def terms() -> tuple[Term, ...]:
    """Return every term: first those of all tables, then each game's, in the order of the files."""
    return tuple(_terms())


def _terms() -> Iterator[Term]:
    ours = files("table_controller")
    yield from _read(ours / "words" / FILE, "")
    for folder in sorted((ours / "rules").iterdir(), key=lambda folder: folder.name):
        if folder.is_dir() and (folder / FILE).is_file():
            yield from _read(folder / FILE, folder.name.replace("_", "-"))


def _read(file: Traversable, game: str) -> Iterator[Term]:
    said = tomllib.loads(file.read_text(encoding="utf-8"))
    for row in said["term"]:
        lacks = [language.value for language in Language if language.value not in row]
        if lacks:
            raise LookupError(f"{file}: the term {row['term']!r} has no meaning in {lacks[0]!r}")
        means = {language: row[language.value] for language in Language}
        yield Term(row["term"], means, game, said["heading"])
