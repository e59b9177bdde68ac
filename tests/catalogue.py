"""The catalogues of the program's texts: `python -m tests.catalogue [--write]`.

Without `--write` it says what is wrong with them. With it, new texts are added (empty, for a
person to translate), stale ones removed, and the .mo files compiled.

Which texts need which lengths is told by where they stand. Labels of buttons, steps, payments
and the page's own furniture are only ever printed on the page; whatever the table says of
itself (prompts, calls, refusals, alerts, announcements) is also shown on the small display
and spoken.
"""

from __future__ import annotations

import re
import string
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from babel.messages import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po

from table_controller import words
from table_controller.rules.calls import CALLS
from tests.languages.same import SAME

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "table_controller"
PAGE_ONLY = (
    "engine/chemin_de_fer/labels.py",
    "engine/chemin_de_fer/offer",
    "engine/chemin_de_fer/view",
    "adapters/web/picture.py",
    "adapters/web/templates/",
)
KEYWORDS = {"phrase": (1,), "_": (1,)}
CONTEXTS = (None, "line", "speech")

#: The longest that a display's line must bear: places to three figures (a standing player's),
#: sums to eight, codes of cards, longest words of the house.
LONGEST = {
    **dict.fromkeys(("seat", "place", "to", "other", "asked", "due", "left", "want"), "101"),
    **dict.fromkeys(("count", "line", "n", "ordinal"), "12"),
    **dict.fromkeys(("points", "point", "banker", "pointeur", "won", "lost", "both"), "9"),
    "least": "99999999", "most": "99999999", "rule": "ZP-20", "card": "Kd", "unit": "G",
}  # fmt: skip
SUM = "99999999"
#: A device's or a file's own words: cut at run time, nothing to measure.
FREE = {"why", "text", "what", "alert"}


@cache
def texts() -> dict[str, tuple[str, bool]]:
    """Every text of the program: where it stands, and whether it has all three lengths."""
    found: dict[str, tuple[str, bool]] = {}
    for path in sorted(PACKAGE.rglob("*")):
        method = {".py": "python", ".html": "jinja2.ext:babel_extract"}.get(path.suffix)
        if method is None:
            continue
        name = path.relative_to(PACKAGE).as_posix()
        spoken = not name.startswith(PAGE_ONLY)
        for _, text, _, _ in extract_from_file(method, path, keywords=KEYWORDS):
            if isinstance(text, str) and text:
                where, before = found.get(text, (name, False))
                found[text] = (where, before or spoken)
    return found


def wanted(locale: str) -> Iterator[tuple[str | None, str, str]]:
    """(context, text, where) of every entry that the catalogue of `locale` must hold."""
    for text, (where, spoken) in texts().items():
        for context in CONTEXTS if spoken else CONTEXTS[:1]:
            if locale != "en" or context:  # an English page prints the text itself
                yield context, text, where
    for unit in words.UNITS:
        yield "unit", unit, "words.py"


def po(locale: str) -> Path:
    return PACKAGE / "words" / "locales" / locale / "LC_MESSAGES" / f"{words.DOMAIN}.po"


def read(locale: str) -> Catalog:
    if not po(locale).exists():
        return Catalog(locale)
    with po(locale).open("rb") as file:
        return read_po(file, locale=locale)


def entries(catalogue: Catalog) -> dict[tuple[str | None, str], str]:
    """What it translates; the heading changes with Babel's version."""
    return {(e.context, str(e.id)): str(e.string) for e in catalogue if e.id and e.string}


def compiled(path: Path) -> dict[tuple[str | None, str], str]:
    if not path.exists():
        return {}
    with path.open("rb") as file:
        held = entries(read_mo(file))
    return {  # Babel leaves the contexts of a .mo as bytes
        (str(context, "utf-8") if isinstance(context, bytes) else context, text): said
        for (context, text), said in held.items()
    }


def write(locale: str) -> None:
    """Bring a catalogue in line with the program; what was translated stays."""
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
        header_comment="# Texts of the table. `python -m tests.catalogue --write` keeps the list.",
        msgid_bugs_address="",
        fuzzy=False,
    )
    for context, text, where in wanted(locale):
        before = old.get(text, context)
        said = before.string if before else ""
        new.add(text, said, locations=[(where, 1)], context=context)
    po(locale).parent.mkdir(parents=True, exist_ok=True)
    with po(locale).open("wb") as file:
        write_po(file, new, width=10_000, include_lineno=False)
    with po(locale).with_suffix(".mo").open("wb") as file:
        write_mo(file, read(locale))


def holes(text: str) -> set[str]:
    """Names of what is filled in."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def filled(line: str, catalogue: Catalog) -> str:
    """The line at its longest plausible filling."""
    found = (catalogue.get(device, "line") for device in ("board", "broker", "camera", "lip"))
    device = max((str(entry.string) for entry in found if entry), key=len)
    fill = {name: LONGEST.get(name, SUM) for name in holes(line)} | dict.fromkeys(FREE, "…")
    names = {"rank": "", "suit": ""}  # a display shows a card's code
    return line.format(**(fill | {"device": device} | names))


def problems(locale: str) -> list[str]:
    """What is wrong with a catalogue, a sentence each."""
    catalogue = read(locale)
    expected = {(context, text) for context, text, _ in wanted(locale)}
    held = {(entry.context, str(entry.id)) for entry in catalogue if entry.id}
    said = [
        f"stale, no longer in the program: {entry}" for entry in sorted(held - expected, key=str)
    ]
    for context, text in sorted(expected, key=str):
        entry = catalogue.get(text, context)
        if entry is None or not entry.string:
            said.append(f"missing: {context or 'page'} of {text!r}")
        else:
            said += _wrong(catalogue, context, text, str(entry.string))
    english = read("en").get
    for context, text in expected & held:
        if context == "line" and locale != "en":
            want = english(text, "line")
            if want and holes(str(catalogue.get(text, "line").string)) != holes(str(want.string)):
                said.append(f"line of {text!r}: fills in other things than the English line")
    mo = po(locale).with_suffix(".mo")
    if compiled(mo) != entries(catalogue):
        said.append(f"{mo.name} is older than the .po: run python -m tests.catalogue --write")
    return said


def _wrong(catalogue: Catalog, context: str | None, text: str, said: str) -> Iterator[str]:
    locale = str(catalogue.locale)
    name = f"{context or 'page'} of {text!r}: {said!r}"
    if context == "unit":
        return
    if context != "line" and holes(said) != holes(text):
        yield f"{name} does not fill in {sorted(holes(text))}"
    elif not holes(said) <= holes(text):
        yield f"{name} fills in what the text does not have"
    if context == "line" and (long := len(filled(said, catalogue))) > words.LINE:
        yield f"{name} has {long} characters, {words.LINE} fit"
    if context == "speech" and (marks := unspeakable(said)):
        yield f"{name} holds {marks!r}, which no voice says"
    if context == "speech" and re.search(r" [ ,.]", said):
        yield f"{name} holds a stray space"
    if context != "line":
        yield from (f"{name} lost the call {call!r}" for call in lost_calls(text, said))
    if locale != "en" and said == text and not meant_same(locale, text):
        yield f"{name} equals the English one; list it in tests/languages/same.py if it is meant so"


def unspeakable(said: str) -> str:
    """Symbols that are no pause and no part of a word."""
    plain = re.sub(r"\{\w+\}", "", said)
    return "".join(c for c in plain if not (c.isalnum() or c.isspace() or c in ".,;:?!'’-"))


def lost_calls(text: str, said: str) -> list[str]:
    """Historic calls in the text that the translation does not hold as they are."""
    return [
        call.words for call in CALLS if _holds(text, call.words) and not _holds(said, call.words)
    ]


def _holds(text: str, call: str) -> bool:
    spaces = re.sub(r"\s+", " ", re.sub(r"\{\w+\}", "", text)).casefold()
    return re.search(rf"(?<!\w){re.escape(call.casefold())}", spaces) is not None


def meant_same(locale: str, text: str) -> bool:
    """A historic call, a thing filled in, or a word listed as the same."""
    bare = re.sub(r"\{\w+\}|[\W\d_]", "", text)
    whole = text.strip('. "').casefold()
    return not bare or whole in {c.words.casefold() for c in CALLS} or text in SAME[locale]


def main() -> int:
    if "--write" in sys.argv[1:]:
        for locale in words.LOCALES:
            write(locale)
    wrong = {locale: problems(locale) for locale in words.LOCALES}
    for locale, sentences in wrong.items():
        entries = [entry for entry in read(locale) if entry.id]
        counts = {c or "page": sum(e.context == c for e in entries) for c in (*CONTEXTS, "unit")}
        print(f"{locale}: {counts}, {len(sentences)} problems")
        print("".join(f"  {sentence}\n" for sentence in sentences), end="")
    return 1 if any(wrong.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
