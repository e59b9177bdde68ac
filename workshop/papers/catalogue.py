"""The catalogues of the program's texts: `python -m workshop.papers.catalogue [--write]`.

Without `--write` the program reports what is wrong with the catalogues. With `--write`, new texts
are added (empty, for a person to translate), stale texts are removed, and the .mo files are
compiled.

A text's place in the code decides whether a voice may have to speak it. Labels of buttons, steps,
payments, other fixed texts of the page, and the reasons of devices are only printed. The table's
texts about itself (prompts, calls, refusals, alerts, announcements) can also be spoken.
"""

from __future__ import annotations

import re
import string
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from fnmatch import fnmatch
from functools import cache
from importlib import import_module
from io import BytesIO
from pathlib import Path

from babel.messages import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from hatch_build import compile_catalogues
from table_controller import words
from table_controller.rules.calls import Call
from table_controller.words.glossary import replaced
from table_controller.words.languages import Language
from workshop.papers.same_texts import SAME

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "table_controller"
#: The packages of devices, whose reasons (`Trouble`) the pages translate.
DEVICES = tuple(ROOT / name for name in ("firmware_bridge", "hardware", "vision"))
#: The files, of any game, whose texts are only printed.
PAGE_ONLY = (
    "engine/*/labels.py",
    "engine/*/offer*.py",
    "engine/*/view*.py",
    "adapters/web/picture.py",
    "adapters/web/beginning.py",
    "adapters/web/error_pages.py",
    "adapters/web/evening_pages.py",
    "adapters/web/tape_pages.py",
    "adapters/web/templates/*",
    "adapters/web/entrance.py",
    "floor/*",
)
#: The files whose texts no table shows: those of many tables, and those from before the first.
OF_NO_TABLE = (
    "floor/*",
    "adapters/web/templates/floor_*",
    "adapters/web/templates/begin.html",
    "adapters/web/beginning.py",
)
GAMES = frozenset(path.parent.name for path in PACKAGE.glob("engine/*/game.py"))
#: Commands and names of settings, which are the same at every table.
CODE = re.compile(r"`[^`]*`|\[shoe\]")
#: The historic calls of every game.
CALLS: tuple[Call, ...] = tuple(
    call
    for path in sorted(PACKAGE.glob("rules/*/calls.py"))
    for call in import_module(f"table_controller.rules.{path.parent.name}.calls").CALLS
)
VOICE = words.Way.SPEECH.value
#: The games with words of their own.
_OWN = frozenset(own.game for _, own in replaced())
#: The calls whose first argument is a text of the program, and those with the reason of a device.
KEYWORDS, TROUBLES = ("phrase", "_"), ("Trouble",)


@cache
def places() -> dict[str, tuple[str, ...]]:
    """Every text of the program, with the files that contain it."""
    found = dict(_places(*KEYWORDS))
    for text, where in troubles().items():
        found[text] = tuple(dict.fromkeys((*found.get(text, ()), *where)))
    return found


@cache
def troubles() -> dict[str, tuple[str, ...]]:
    """Every reason of a device, with the files that contain it. No voice speaks a reason."""
    return _places(*TROUBLES)


@cache
def _places(*calls: str) -> dict[str, tuple[str, ...]]:
    keywords = dict.fromkeys(calls, (1,))
    found: dict[str, tuple[str, ...]] = {}
    for root in (PACKAGE, *DEVICES):
        for path in sorted(root.rglob("*")):
            method = {".py": "python", ".html": "jinja2.ext:babel_extract"}.get(path.suffix)
            if method is None:
                continue
            name = path.relative_to(PACKAGE if root == PACKAGE else ROOT).as_posix()
            for _, text, _, _ in extract_from_file(method, path, keywords=keywords):
                if isinstance(text, str) and text and name not in found.get(text, ()):
                    found[text] = (*found.get(text, ()), name)
    return found


@cache
def texts() -> dict[str, tuple[str, bool]]:
    """Every text of the program, with its place and whether a voice may have to speak it."""
    said = _places(*KEYWORDS)
    return {
        text: (where[0], not all(_printed_only(name) for name in said.get(text, ())))
        for text, where in places().items()
    }


def _printed_only(name: str) -> bool:
    return any(fnmatch(name, only) for only in PAGE_ONLY)


@cache
def of_table(game: str) -> frozenset[str]:
    """Every text that a table of this game can show or speak."""
    other = [f"engine/{one}/*" for one in GAMES if one != game.replace("-", "_")]
    return frozenset(
        text
        for text, where in places().items()
        if not all(any(fnmatch(name, of) for of in (*OF_NO_TABLE, *other)) for name in where)
    )


def wanted(locale: str, held: Catalog) -> Iterator[tuple[str | None, str, str]]:
    """Yield (context, text, place) of every entry that the catalogue of `locale` must contain.

    A text has a separate entry for the voice only if the voice cannot say the printed text, or says
    something else. It has a separate entry for a game only if its English contains a term that the
    game replaces, and if the game's own term is another word in this language.
    """
    for text, (where, spoken) in texts().items():
        if locale != "en":  # an English page prints the text itself
            yield None, text, where
        printed, said = _held(held, text, None) or text * (locale == "en"), _held(held, text, VOICE)
        if spoken and (not printed or unspeakable(printed) or not _same(said, printed)):
            yield VOICE, text, where
        for game in sorted(_OWN):
            if text in of_table(game) and _says_otherwise(game, text, locale):
                yield game, text, where
    for unit in words.UNITS:
        yield "unit", unit, "words.py"


def _says_otherwise(game: str, text: str, locale: str) -> bool:
    language = next(one for one in Language if one.value == locale)
    bare = CODE.sub("", text).casefold()
    return any(
        own.game == game
        and shared.term.casefold() in bare
        and own.called[language] != shared.called[language]
        for shared, own in replaced()
    )


def _same(said: str, printed: str) -> bool:
    """Whether `said` is empty, or the same as `printed` but for spaces."""
    return not said or "".join(said.split()) == "".join(printed.split())


def _held(catalogue: Catalog, text: str, context: str | None) -> str:
    entry = catalogue.get(text, context)
    return str(entry.string) if entry else ""


def po(locale: str) -> Path:
    return PACKAGE / "words" / "locales" / locale / "LC_MESSAGES" / f"{words.DOMAIN}.po"


def read(locale: str) -> Catalog:
    if not po(locale).exists():
        return Catalog(locale)
    with po(locale).open("rb") as file:
        return read_po(file, locale=locale)


def made() -> dict[Path, bytes]:
    """Every catalogue with exactly the program's texts."""
    return {po(locale): brought_in_line(locale) for locale in words.LOCALES}


def brought_in_line(locale: str) -> bytes:
    """Return a catalogue with exactly the program's texts, and with their existing translations."""
    old = read(locale)
    began = datetime(2026, 1, 1, tzinfo=UTC)  # a fixed date: the same texts, the same file
    new = Catalog(
        locale,
        project="schlitten",
        version="1",
        creation_date=began,
        revision_date=began,
        last_translator="the house",
        language_team="the house",
        header_comment="# Texts of the table. `scripts/generate` keeps the list.",
        msgid_bugs_address="",
        fuzzy=False,
    )
    for context, text, where in wanted(locale, old):
        new.add(text, _held(old, text, context), locations=[(where, 1)], context=context)
    file = BytesIO()
    write_po(file, new, width=10_000, include_lineno=False)
    return file.getvalue()


def holes(text: str) -> set[str]:
    """The names of a text's placeholders."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def problems(locale: str) -> list[str]:
    """What is wrong with a catalogue, one sentence for each mistake."""
    catalogue = read(locale)
    expected = {(context, text) for context, text, _ in wanted(locale, catalogue)}
    held = {(entry.context, str(entry.id)) for entry in catalogue if entry.id}
    said = [f"stale: {entry}" for entry in sorted(held - expected, key=str)]
    for context, text in sorted(expected, key=str):
        entry = catalogue.get(text, context)
        if entry is None or not entry.string:
            said.append(f"missing: {context or 'page'} of {text!r}")
        else:
            said += _wrong(catalogue, context, text, str(entry.string))
    return said


def _wrong(catalogue: Catalog, context: str | None, text: str, said: str) -> Iterator[str]:
    locale = str(catalogue.locale)
    name = f"{context or 'page'} of {text!r}: {said!r}"
    if context == "unit":
        return
    if holes(said) != holes(text):
        yield f"{name} does not fill in {sorted(holes(text))}"
    voiced = context == VOICE or (context in _OWN and texts()[text][1])
    if voiced and (marks := unspeakable(said)):
        yield f"{name} holds {marks!r}, which no voice says"
    if context == VOICE and re.search(r" [ ,.]", said):
        yield f"{name} holds a stray space"
    kept = text if context not in _OWN else _without_replaced(text, str(context))
    yield from (f"{name} lost the call {call!r}" for call in lost_calls(kept, said))
    if locale != "en" and said == text and not meant_same(locale, text):
        yield f"{name} equals the English one; if it is meant so, list it in same_texts.py"


def _without_replaced(text: str, game: str) -> str:
    for shared, own in replaced():
        text = text.replace(shared.term, "") if own.game == game else text
    return text


def unspeakable(said: str) -> str:
    """Return the characters that a voice cannot say.

    They are neither a pause nor a part of a word.
    """
    plain = re.sub(r"\{\w+\}", "", said)
    return "".join(c for c in plain if not (c.isalnum() or c.isspace() or c in ".,;:?!'’-"))


def lost_calls(text: str, said: str) -> list[str]:
    """The historic calls of the text that the translation does not contain unchanged."""
    return [
        call.words for call in CALLS if _holds(text, call.words) and not _holds(said, call.words)
    ]


def _holds(text: str, call: str) -> bool:
    spaces = re.sub(r"\s+", " ", re.sub(r"\{\w+\}", "", text)).casefold()
    return re.search(rf"(?<!\w){re.escape(call.casefold())}", spaces) is not None


def meant_same(locale: str, text: str) -> bool:
    """Whether a text may be the same in both languages.

    That is so for a historic call, a placeholder, and a text in the list `same_texts.py`.
    """
    bare = re.sub(r"\{\w+\}|[\W\d_]", "", text)
    whole = text.strip('. "').casefold()
    return not bare or whole in {c.words.casefold() for c in CALLS} or text in SAME[locale]


def main() -> int:
    if "--write" in sys.argv[1:]:
        for path, content in made().items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        compile_catalogues()
    contexts = (None, VOICE, "unit", *sorted(_OWN))
    wrong = {locale: problems(locale) for locale in words.LOCALES}
    for locale, sentences in wrong.items():
        entries = [entry for entry in read(locale) if entry.id]
        counts = {c or "page": sum(e.context == c for e in entries) for c in contexts}
        print(f"{locale}: {counts}, {len(sentences)} problems")
        print("".join(f"  {sentence}\n" for sentence in sentences), end="")
    return 1 if any(wrong.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
