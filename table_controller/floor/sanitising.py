"""Makes a table's texts safe to show, so that one table's nonsense harms no other table's page.

A text is cut after a number of letters. Characters that change the direction of a line, or hide
part of it, are written as their numbers. A sentence that our catalogues do not have cannot be
translated, and is shown as the table filled it in. Pure.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from table_controller.engine.messages import Phrase
from table_controller.rules.cards import Card
from table_controller.words import translated

#: The most letters of a name, and of a sentence. Our own longest has fewer.
MOST_NAME: Final = 60
MOST_SENTENCE: Final = 400
#: How deeply phrases may contain each other, and how large a number may be.
_DEPTH: Final = 4
_MOST: Final = 10**12
#: A placeholder as in our sentences: a name, and nothing that formats.
_PLACE: Final = re.compile(r"\{([a-z_]+)\}")
#: Control characters, and characters that change a line's direction, but not the joiner of emoji.
_HIDING: Final = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F,
                                     0x061C, 0xFEFF, 0x2028, 0x2029)))  # fmt: skip
T = TypeVar("T")


def shown(text: str, most: int = MOST_SENTENCE) -> str:
    """The text in one line of at most `most` letters. Dots replace the rest."""
    cut = text[: most - 1] + "…" if len(text) > most else text
    return "".join(_sign(sign) for sign in cut)


#: What chat programs take for links, mentions and formats, and signs that look alike.
_MARKUP: Final = (
    ("<", "‹"), (">", "›"), ("[", "("), ("]", ")"), ("@", "(at)"), ("://", ":/ "), ("`", "'"),
    ("*", "·"), ("www.", "www "),
)  # fmt: skip


def unmarked(text: str) -> str:
    """The text without markup, so that no chat program makes a link or calls a channel."""
    for sign, alike in _MARKUP:
        text = text.replace(sign, alike)
    return text


def _sign(sign: str) -> str:
    if sign in "\n\t":
        return " "
    if sign in _HIDING or unicodedata.category(sign) in ("Cc", "Cs", "Co"):
        return f"\\u{ord(sign):04x}"
    return sign


def number(value: int) -> int:
    """The number; if it has too many digits to be read, the nearest number that has not."""
    return max(-_MOST, min(_MOST, value))


def sentence(told: Phrase, most: int = MOST_SENTENCE) -> Phrase:
    """Make a phrase that can be filled in without harm, in any language."""
    return _sentence(told, most, 0)


def _sentence(told: Phrase, most: int, depth: int) -> Phrase:
    args = {
        name: _filling(name, value, most, depth)
        for name, value in told.args.items()
        if len(name) < MOST_NAME
    }
    if not told.text:
        return told
    if translated(told.text) and set(_PLACE.findall(told.text)) <= args.keys():
        return Phrase(told.text, args)
    return Phrase("{why}", {"why": shown(_filled(told.text, args), most)})


def _filling(name: str, value: str | int | Phrase, most: int, depth: int) -> str | int | Phrase:
    if isinstance(value, Phrase):
        return _sentence(value, most, depth + 1) if depth < _DEPTH else "…"
    if isinstance(value, int):
        return number(value)
    if name == "card" and value:
        return value if value in _CARDS else ""
    return shown(value, most)


_CARDS: Final = frozenset(card.value for card in Card)


def _filled(text: str, args: dict[str, str | int | Phrase]) -> str:
    """The text with its placeholders filled in. Anything else in braces stays as it is."""
    fillings = {
        name: _filled(value.text, value.args) if isinstance(value, Phrase) else str(value)
        for name, value in args.items()
    }
    return _PLACE.sub(lambda found: fillings.get(found[1], found[0])[:MOST_SENTENCE], text[:10_000])


def picture(told: T) -> T:
    """Make every text, sentence and number of a picture, or of a part of one, safe to show."""
    made: T = _made(told)
    return made


def _made(value: Any) -> Any:
    match value:
        case Phrase():
            return sentence(value)
        case Struct():
            names = value.__struct_fields__
            return msgspec.structs.replace(value, **{n: _made(getattr(value, n)) for n in names})
        case Card():
            return value
        case str():
            return shown(value, MOST_NAME) if type(value) is str else value
        case bool():
            return value
        case int():
            return number(value)
        case tuple():
            return tuple(map(_made, value[:500]))
        case list():
            return [*map(_made, value[:500])]
        case dict():
            return {_made(key): _made(one) for key, one in [*value.items()][:500]}
    return value
