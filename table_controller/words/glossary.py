"""The terms of the trade and what they mean, in every language; each game brings its own.

Knows files; knows no game by name, no page and no command.
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
    """A term, as the trade says it in every language, and what it means in each."""

    term: str
    means: dict[Language, str]
    game: str = ""


@cache
def terms() -> tuple[Term, ...]:
    """Return every term: those of all tables, then each game's, in the order of their files."""
    return tuple(_terms())


def _terms() -> Iterator[Term]:
    ours = files("table_controller")
    yield from _read(ours / "words" / FILE, "")
    for folder in sorted((ours / "rules").iterdir(), key=lambda folder: folder.name):
        if folder.is_dir() and (folder / FILE).is_file():
            yield from _read(folder / FILE, folder.name.replace("_", "-"))


def _read(file: Traversable, game: str) -> Iterator[Term]:
    for row in tomllib.loads(file.read_text(encoding="utf-8"))["term"]:
        means = {language: row[language.value] for language in Language}
        yield Term(row["term"], means, game)


def markdown() -> str:
    """Return the English glossary as a page, docs/GLOSSARY.md."""
    parts = [_HEAD]
    games = dict.fromkeys(term.game for term in terms())
    for game in games:
        parts += [f"## {game.replace('-', ' ').capitalize() or 'At every table'}"]
        rows = [f"| {t.term} | {t.means[Language.EN]} |" for t in terms() if t.game == game]
        parts += ["\n".join(["| term | means |", "|---|---|", *rows])]
    return "\n\n".join(parts) + "\n"


_HEAD = """\
# The words of the trade

The table's page shows them in its own language: `?` at its top. This page is made by
`scripts/generate` from `table_controller/words/glossary.toml` and each game's own: change them
there."""
