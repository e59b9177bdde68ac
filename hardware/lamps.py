"""The lamp language: which rhythm and colour says what, read from `lamps.toml`.

Knows names and lamps. Must not know when something is said, nor any card: the table's picture is
made elsewhere, from what everybody may see.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final, TypeVar

from firmware_bridge.messages import Colour, Lamp, Mode

#: What a lamp can say.
WORDS: Final = ("banker", "pointeur", "prime", "suivi", "to_act", "won", "lost", "alert")

OWN: Final = Path(__file__).with_name("lamps.toml")

_Named = TypeVar("_Named", Mode, Colour)


class LampLanguageError(ValueError):
    """A lamp language that cannot be used. The text names file, word and what is allowed."""


def load(path: Path = OWN) -> dict[str, Lamp]:
    """Read a lamp language: one lamp for each of `WORDS`. Raises LampLanguageError."""
    try:
        tables = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise LampLanguageError(f"{path}: {error}") from None
    for word in tables.keys() ^ set(WORDS):
        what = "is missing" if word in WORDS else "is no word of the lamp language"
        raise LampLanguageError(f"{path}: [{word}] {what}; it needs {', '.join(WORDS)}")
    return {word: _lamp(path, word, tables[word]) for word in WORDS}


def _lamp(path: Path, word: str, table: object) -> Lamp:
    if not isinstance(table, dict) or table.keys() != {"mode", "colour"}:
        raise LampLanguageError(f"{path}: [{word}] needs `mode` and `colour`, and nothing else")
    return Lamp(
        _named(path, word, "mode", table["mode"], Mode),
        _named(path, word, "colour", table["colour"], Colour),
    )


def _named(path: Path, word: str, key: str, value: object, kind: type[_Named]) -> _Named:
    names = {member.name.lower(): member for member in kind}
    if not isinstance(value, str) or value not in names:
        allowed = ", ".join(names)
        raise LampLanguageError(f"{path}: [{word}] {key} = {value!r}; it is one of {allowed}")
    return names[value]
