"""The lamp language: which rhythm and colour each word has, read from files of words.

A word is something that a lamp can say about its seat. The module knows names and lamps. It must
not know when a word is shown, nor any card. What a board should show is decided elsewhere, from
public facts.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Final, TypeVar

from firmware_bridge.messages import Colour, Lamp, Mode

#: The words that a lamp can show in every game.
WORDS: Final = ("to_act", "won", "lost", "alert")

OWN: Final = Path(__file__).with_name("lamps.toml")

Language = dict[str, Lamp]
_Named = TypeVar("_Named", Mode, Colour)


class LampLanguageError(ValueError):
    """A lamp language that cannot be used.

    The text names the file, the word, and what is allowed.
    """


def shipped(game: Path | None) -> Language:
    """Read the words that all games share, and those in the game's own file.

    Raises LampLanguageError.
    """
    own, more = load(OWN, WORDS), _read(game) if game else {}
    for word in own.keys() & more.keys():
        raise LampLanguageError(f"{game}: [{word}] is a word of every game")
    return own | more


def load(path: Path, words: Iterable[str]) -> Language:
    """Read a lamp language: one lamp for each of `words`. Raises LampLanguageError."""
    found, wanted = _read(path), tuple(words)
    for word in found.keys() ^ set(wanted):
        what = "is missing" if word in wanted else "is no word of the lamp language"
        raise LampLanguageError(f"{path}: [{word}] {what}; it needs {', '.join(wanted)}")
    return {word: found[word] for word in wanted}


def _read(path: Path) -> Language:
    try:
        tables = tomllib.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise LampLanguageError(f"cannot read {path}: {error.strerror}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise LampLanguageError(f"{path}: {error}") from None
    return {word: _lamp(path, word, table) for word, table in tables.items()}


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
