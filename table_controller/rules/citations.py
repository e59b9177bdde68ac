"""Finds the tests and the code of each rule, by the ids that they cite.

A test cites a rule in its name or docstring, a function in its docstring, a script and a table of
cases (`tests/tables.py`) anywhere. No other citation counts, because a comment or a helper can cite
a rule that no test checks.

The files are read, never run: a wheel's index is made (`hatch_build.py`) where nothing but Python
is installed.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

Index = dict[str, Any]
_Named = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Function(NamedTuple):
    """A function of rules or engine: its place, the rules that it cites, the names that it uses."""

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


class Citations:
    """The citations in a checkout, whose folder is `root`."""

    def __init__(self, root: Path) -> None:
        self._root, self._package = root, root / "table_controller"
        books = sorted(self._package.glob("rules/*/rulebook.toml"))
        self._series = [
            name for book in books for name in tomllib.loads(book.read_text("utf-8"))["series"]
        ]
        series = "|".join(sorted(self._series, key=len, reverse=True))
        self._cited = re.compile(
            rf"(?<![\w-])({series})-(\d+[a-z]?)(?!\w)"  # Z-24
            r"(?:\s*(?:to|-|–|…|\.\.+)\s*\1-(\d+)(?!\w))?"  # a range
        )
        self._in_name = re.compile(rf"(?<![^_])({series.lower()})_?(\d+)(?![^_])")

    def index(self) -> Index:
        """For each id that is cited, `tests`: their places; and by kind the places of the code."""
        code, tests = self.code(), self.tests()
        return {
            rule_id: code.get(rule_id, {}) | {"tests": tests.get(rule_id, [])}
            for rule_id in sorted({*code, *tests}, key=self._place)
        }

    def cited(self, text: str) -> set[str]:
        """The ids that a text cites. `X-9 to X-11` cites three ids."""
        found = set()
        for series, first, last in self._cited.findall(text):
            found.add(f"{series}-{first}")
            if last:
                found |= {f"{series}-{number}" for number in range(int(first), int(last) + 1)}
        return found

    def cited_in_name(self, name: str) -> set[str]:
        """The ids in the name of a test: `test_x_24_annuls` and `test_x24_annuls` cite X-24."""
        return {f"{series.upper()}-{number}" for series, number in self._in_name.findall(name)}

    def _place(self, rule_id: str) -> tuple[int, int, str]:
        """The key for sorting ids as in the book: the series, the number, the letter."""
        series, _, rest = rule_id.partition("-")
        number = rest.rstrip("abcdefghijklmnopqrstuvwxyz")
        return self._series.index(series), int(number), rest[len(number) :]

    def tests(self, folder: str = "tests") -> dict[str, list[str]]:
        """The tests of each id: `tests/rules/test_points.py::test_name`, or a script."""
        found: dict[str, set[str]] = defaultdict(set)
        for path in (self._root / folder).rglob("test_*.py"):
            for test, ids in self._of_tests(path.read_text("utf-8")):
                for rule_id in ids:
                    found[rule_id].add(f"{path.relative_to(self._root).as_posix()}::{test}")
        for kind in ("*.coup", "*.table"):
            for path in (self._root / folder).rglob(kind):
                for rule_id in self.cited(path.read_text("utf-8")):
                    found[rule_id].add(path.relative_to(self._root).as_posix())
        return {rule_id: sorted(places) for rule_id, places in found.items()}

    def _of_tests(self, source: str) -> Iterator[tuple[str, set[str]]]:
        """Yield each test of a module with the ids that it cites."""
        for test in filter(_is_test, ast.parse(source).body):
            for node in ast.walk(test):
                if isinstance(node, _Named):
                    said = ast.get_docstring(node) or ""
                    yield test.name, self.cited(said) | self.cited_in_name(node.name)

    def code(self) -> dict[str, dict[str, list[str]]]:
        """The code that cites each id: its handlers, its offers, and other functions.

        A handler is named by `CASES` or `ALWAYS` of a game's `step.py`, or of `table/common.py`.
        An offer is a function of an `offers*.py`; if none cites the rule, it is what offers the
        inputs of the rule's handlers.
        """
        taken: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for game in self.games():
            for kind, places in self.answering(game).items():
                for place in places:
                    taken[place].append((game, kind))
        citing: dict[str, list[Function]] = defaultdict(list)
        for one in self.functions:
            for rule_id in one.cites:
                citing[rule_id].append(one)
        found = {}
        for rule_id, those in citing.items():
            handlers = [one.place for one in those if one.place in taken]
            offers = [one.place for one in those if one.offers]
            if not offers:
                said = (by for place in handlers for by in taken[place])
                offers = [place for game, kind in said for place in self.offering(game, kind)]
            others = [one.place for one in those if one.place not in taken and not one.offers]
            kept = {"handlers": handlers, "offers": [*dict.fromkeys(offers)], "others": others}
            found[rule_id] = {what: places for what, places in kept.items() if places}
        return found

    @cached_property
    def functions(self) -> tuple[Function, ...]:
        """Every function of rules and engine, by file and line."""
        found = []
        rooms = (*self._package.glob("engine/**/*.py"), *self._package.glob("rules/**/*.py"))
        for path in sorted(rooms):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.FunctionDef):
                    cites = self.cited(ast.get_docstring(node) or "")
                    found.append(Function(self._at(path, node.name), cites, _used(node)))
        return tuple(found)

    def games(self) -> Iterator[str]:
        """Yield the packages of the games, and the package that every table shares."""
        yield from sorted(path.parent.name for path in self._package.glob("engine/*/step.py"))
        yield "table"

    def answering(self, game: str) -> dict[str, tuple[str, ...]]:
        """The handlers of each input, by its type's name, in a game's own lists.

        For `table`, the handlers that games share.
        """
        found: dict[str, dict[str, None]] = defaultdict(dict)
        file = "table/common.py" if game == "table" else f"{game}/step.py"
        module = _Module(self._root, self._package / "engine" / file)
        for name in ("CASES", "ALWAYS"):
            if name in module.assigned:
                for kind, path, handler in module.entries(module.assigned[name]):
                    found[kind][self._at(path, handler)] = None
        return {kind: tuple(places) for kind, places in found.items()}

    def _at(self, path: Path, name: str) -> str:
        return f"{path.relative_to(self._package).as_posix()}::{name}"

    def offering(self, game: str, kind: str) -> tuple[str, ...]:
        """The functions that offer an input at a table of that game; for `table`, at any table."""
        return tuple(
            one.place
            for one in self.functions
            if one.offers
            and kind in one.uses
            and (game == "table" or one.folder in (game, "table"))
        )


class _Module:
    """What a module assigns to names, and from where it has names."""

    def __init__(self, root: Path, path: Path) -> None:
        self._root, self._path = root, path
        self.assigned: dict[str, ast.expr] = {}
        self._imported: dict[str, str] = {}
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.AnnAssign) and node.value:
                self.assigned[ast.unparse(node.target)] = node.value
            elif isinstance(node, ast.Assign):
                self.assigned[ast.unparse(node.targets[0])] = node.value
            elif isinstance(node, ast.ImportFrom):
                for one in node.names:
                    self._imported[one.asname or one.name] = f"{node.module}.{one.name}"

    def entries(self, listed: ast.expr) -> Iterator[tuple[str, Path, str]]:
        """Yield each input of a list, by its type's name, with its handler's file and name."""
        match listed:
            case ast.Dict(keys=keys, values=values):
                for key, value in zip(keys, values, strict=True):
                    if key is None:
                        yield from self.entries(value)
                    else:
                        yield _kind(key), *self._handler(value)
            case ast.Call(args=[_, kind, handler]):  # _each(phases, kind, handler)
                yield _kind(kind), *self._handler(handler)
            case ast.DictComp(key=key, value=value, generators=generators):
                for each in self._kinds(key, generators):
                    yield each, *self._handler(value)
            case ast.Name(id=name):
                yield from self.entries(self.assigned[name])
            case ast.Attribute(value=ast.Name(id=room), attr=name):
                other = _Module(self._root, self._file(room))
                yield from other.entries(other.assigned[name])

    def _kinds(self, key: ast.expr, generators: list[ast.comprehension]) -> list[str]:
        """The inputs of `(phase, said): … for said in CLAIMS`."""
        kind = _kind(key)
        for one in generators:
            if ast.unparse(one.target) == kind:
                several = self.assigned[ast.unparse(one.iter)]
                return [_kind(each) for each in getattr(several, "elts", ())]
        return [kind]

    def _handler(self, named: ast.expr) -> tuple[Path, str]:
        """The file and the name of a handler that a list calls `cards.seen` or `_power`."""
        room, _, name = ast.unparse(named).rpartition(".")
        return (self._file(room) if room else self._path), name

    def _file(self, room: str) -> Path:
        """The file of a module that this one imports by this name."""
        return self._root / f"{self._imported[room].replace('.', '/')}.py"


def _kind(key: ast.expr) -> str:
    """The name of an input's type: `Banks` of `(p.BankDue, i.Banks)`."""
    said = key.elts[-1] if isinstance(key, ast.Tuple) else key
    return ast.unparse(said).rpartition(".")[2]


def _is_test(node: ast.stmt) -> TypeGuard[_Named]:
    """Whether a node is a test function, a class of tests, or a state machine."""
    if isinstance(node, ast.ClassDef):
        named = (node.name, *map(ast.unparse, node.bases))
        return named[0].startswith("Test") or any("StateMachine" in name for name in named)
    return isinstance(node, _Named) and node.name.startswith("test")


def _used(function: ast.FunctionDef) -> set[str]:
    """The names that a function uses, such as `Banks` in `offer(i.Banks, …)`."""
    named = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    return named | {node.attr for node in ast.walk(function) if isinstance(node, ast.Attribute)}
