"""Finds the code that implements each rule: the functions whose docstring cites the rule's id.

A handler is a function that a game's `CASES` or `ALWAYS` names for an input, or that handles the
input at every table. An offer is a function of an `offers*.py` that cites the rule. If no such
function cites the rule, the functions that offer the inputs of the rule's handlers count as its
offers.
"""

from __future__ import annotations

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

from table_controller.engine.table import common
from table_controller.rules import rulebook

PACKAGE: Final = Path(__file__).resolve().parents[2] / "table_controller"
INDEX: Final = PACKAGE / "rules" / rulebook.CODE

_SERIES = "|".join(sorted(rulebook.series(), key=len, reverse=True))
_CITED = re.compile(
    rf"(?<![\w-])({_SERIES})-(\d+[a-z]?)(?!\w)"  # Z-24
    r"(?:\s*(?:to|-|–|…|\.\.+)\s*\1-(\d+)(?!\w))?"  # a range
)


def cited(text: str) -> set[str]:
    """The ids that a text cites. `R-9 to R-11` cites three ids."""
    found = set()
    for series, first, last in _CITED.findall(text):
        found.add(f"{series}-{first}")
        if last:
            found |= {f"{series}-{number}" for number in range(int(first), int(last) + 1)}
    return found


class Function(NamedTuple):
    """A function of the product: its place, the rules that it cites, the names that it uses."""

    place: str
    cites: set[str]
    uses: set[str]

    @property
    def folder(self) -> str:
        """The game to which the function belongs, or `table`."""
        return self.place.split("/")[-2]

    @property
    def offers(self) -> bool:
        """Whether the function makes offers."""
        return self.place.split("/")[-1].startswith("offers")


@cache
def functions() -> tuple[Function, ...]:
    """Every function of rules and engine, by file and line."""
    found = []
    for path in sorted((*PACKAGE.glob("engine/**/*.py"), *PACKAGE.glob("rules/**/*.py"))):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                place = f"{path.relative_to(PACKAGE).as_posix()}::{node.name}"
                found.append(Function(place, cited(ast.get_docstring(node) or ""), _used(node)))
    return tuple(found)


def _used(function: ast.FunctionDef) -> set[str]:
    """The names that a function uses, such as `Banks` in `offer(i.Banks, …)`."""
    named = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    return named | {node.attr for node in ast.walk(function) if isinstance(node, ast.Attribute)}


@cache
def answering(game: str) -> Mapping[type, tuple[str, ...]]:
    """The handlers of each input in a game's own lists.

    For `table`, the handlers that games share.
    """
    if game == "table":
        return {kind: (_place(act),) for kind, act in common.ALWAYS.items()}
    step = import_module(f"table_controller.engine.{game}.step")
    found: dict[type, dict[str, None]] = defaultdict(dict)
    for (_, kind), handler in step.CASES.items():
        found[kind][_place(handler)] = None
    for kind, handler in getattr(step, "ALWAYS", {}).items():
        found[kind][_place(handler)] = None
    return {kind: tuple(places) for kind, places in found.items()}


def _place(handler: Any) -> str:
    path = handler.__module__.removeprefix("table_controller.").replace(".", "/")
    return f"{path}.py::{handler.__name__}"


def games() -> Iterator[str]:
    """Yield the packages of the games, and the package that every table shares."""
    yield from sorted(path.parent.name for path in PACKAGE.glob("engine/*/step.py"))
    yield "table"


def offering(game: str, kind: type) -> tuple[str, ...]:
    """The functions that offer an input at a table of that game. For `table`, at any table."""
    return tuple(
        one.place
        for one in functions()
        if one.offers
        and kind.__name__ in one.uses
        and (game == "table" or one.folder in (game, "table"))
    )


def index() -> dict[str, dict[str, list[str]]]:
    """For each rule: its handlers, its offers, and the other code that cites it."""
    taken: dict[str, list[tuple[str, type]]] = defaultdict(list)
    for game in games():
        for kind, places in answering(game).items():
            for place in places:
                taken[place].append((game, kind))
    found = {}
    for each in rulebook.rules():
        citing = [one for one in functions() if each.id in one.cites]
        handlers = [one.place for one in citing if one.place in taken]
        offers = [one.place for one in citing if one.offers]
        if not offers:
            said = (by for place in handlers for by in taken[place])
            offers = [place for game, kind in said for place in offering(game, kind)]
        others = [one.place for one in citing if one.place not in taken and not one.offers]
        kept = {"handlers": handlers, "offers": [*dict.fromkeys(offers)], "others": others}
        found[each.id] = {what: places for what, places in kept.items() if places}
    return {rule_id: kept for rule_id, kept in found.items() if kept}


def rows(game: str) -> Iterator[tuple[type, tuple[str, ...], tuple[str, ...], list[str]]]:
    """Yield each input of a game, with its handlers, its offers, and the rules they cite."""
    by_place = {one.place: one for one in functions()}
    for kind, places in answering(game).items():
        cites = set[str]().union(*(by_place[place].cites for place in places))
        rules = [each.id for each in rulebook.rules() if each.id in cites]
        yield kind, places, offering(game, kind), rules


def shown(found: Mapping[str, Mapping[str, list[str]]]) -> str:
    """The index in the form in which it is stored."""
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"
