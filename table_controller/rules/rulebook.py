"""The rules in our words, how the program treats each, the code that implements it and its tests.

The module reads the data files next to it, and knows no game. A rule's text is for people. The code
that implements a rule is elsewhere and cites the rule's id.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from table_controller.rules.citations import Citations, Index

#: Each game's own book, in the order shown. Every further game adds a file.
BOOKS = tuple(
    sorted(
        f"{game.name}/rulebook.toml"
        for game in files("table_controller.rules").iterdir()
        if game.joinpath("rulebook.toml").is_file()
    )
)
#: The code and the tests of each rule. A wheel has the file (`hatch_build.py`), as the tests are
#: not installed; a checkout has the tests themselves.
INDEX = "index.json"


class Treatment(StrEnum):
    """Who applies a rule: the program, or a person, whom the program may ask."""

    DECIDES = "decides"
    PROMPTS = "prompts"
    RULED = "ruled"
    TEXT = "text"


#: The meaning of each treatment, for readers.
MEANING: dict[Treatment, str] = {
    Treatment.DECIDES: "decided by the program",
    Treatment.PROMPTS: "prompted: the program asks or warns, a person answers",
    Treatment.RULED: "ruled by a person",
    Treatment.TEXT: "shown as text",
}


class UnknownRule(LookupError):
    """There is no rule with this id. `near` are the ids that are most like it."""

    def __init__(self, rule_id: str, near: tuple[str, ...]) -> None:
        hint = f"near it: {', '.join(near)}" if near else "ids look like Z-24"
        super().__init__(f"there is no rule {rule_id!r}; {hint}")
        self.rule_id, self.near = rule_id, near


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a book.

    Attributes:
        id: the series and number, such as `Z-24`.
        text: the rule in our words; an empty line separates paragraphs.
        treatment: who applies the rule.
        how: how the program treats the rule at the table, in a sentence or two.
    """

    id: str
    text: str
    treatment: Treatment
    how: str

    @property
    def series(self) -> str:
        """The letters before the number of the rule's id: `Z` of `Z-24`."""
        return self.id.partition("-")[0]


def rule(rule_id: str) -> Rule:
    """The rule with this id; small letters are allowed. Raises UnknownRule if there is none."""
    book = _book()
    found = book.get(rule_id.casefold())
    if found is None:
        raise UnknownRule(rule_id, tuple(book[key].id for key in _near(rule_id.casefold(), book)))
    return found


def _near(asked: str, keys: Collection[str]) -> list[str]:
    """The keys that are similar to `asked`: only keys of the same series, if there are any."""
    names = {key.partition("-")[0] for key in keys}
    meant = max((name for name in names if asked.startswith(name)), key=len, default="")
    same = [key for key in keys if key.partition("-")[0] == meant]
    return get_close_matches(asked, same or keys, n=4)


def rules() -> tuple[Rule, ...]:
    """All rules, in the order of the books."""
    return tuple(_book().values())


@cache
def series() -> dict[str, str]:
    """The title of each series of ids, in the order of the books."""
    return {name: title for book in BOOKS for name, title in _read(book)["series"].items()}


def held_by(rule_id: str) -> tuple[str, ...]:
    """The tests and coup scripts that cite a rule."""
    return tuple(_index().get(rule(rule_id).id, {}).get("tests", ()))


def kept_by(rule_id: str) -> Mapping[str, Sequence[str]]:
    """The code that cites a rule, by kind: handlers, offers, other code.

    An example is `engine/punto_banco/play.py::free_coup`.
    """
    cited = _index().get(rule(rule_id).id, {})
    return {kind: places for kind, places in cited.items() if kind != "tests"}


@cache
def _book() -> dict[str, Rule]:
    """Every rule, by its id in small letters."""
    read = [
        read_rule(rule_id, values)
        for book in BOOKS
        for rule_id, values in _read(book).items()
        if rule_id != "series"
    ]
    return {found.id.casefold(): found for found in read}


def read_rule(rule_id: str, values: Mapping[str, Any]) -> Rule:
    """The rule that a table of a book file describes.

    Raises ValueError, which names the rule, if a key is missing or wrong.
    """
    if set(values) != {"text", "treatment", "how"}:
        raise ValueError(f"rule {rule_id} has {', '.join(values)}; want text, treatment, how")
    if values["treatment"] not in list(Treatment):
        raise ValueError(
            f"rule {rule_id}: treatment = {values['treatment']!r}; want one of "
            f"{', '.join(Treatment)}"
        )
    return Rule(
        id=rule_id,
        text=_unfold(values["text"]),
        treatment=Treatment(values["treatment"]),
        how=_unfold(values["how"]),
    )


def _unfold(text: str) -> str:
    """The text with the lines of each paragraph joined; an empty line separates paragraphs."""
    return "\n\n".join(" ".join(part.split()) for part in text.strip().split("\n\n"))


def _read(book: str) -> dict[str, Any]:
    return tomllib.loads(_text(book))


def _text(name: str) -> str:
    return files("table_controller.rules").joinpath(name).read_text(encoding="utf-8")


@cache
def _index() -> Index:
    """The index that a wheel has; in a checkout, what its files cite."""
    shipped = files("table_controller.rules").joinpath(INDEX)
    if shipped.is_file():
        found: Index = json.loads(shipped.read_text(encoding="utf-8"))
        return found
    return Citations(Path(__file__).parents[2]).index()
