"""Finds the tests of each rule, from the ids that tests and coup scripts cite.

`scripts/generate` writes the files that are made from these ids and from the citations in the code
(`rule_code.py`): the lists that the installed program shows, and docs/RULEBOOK.md. A test cites a
rule in its name or docstring. A script and a table of cases (`tests/tables.py`) cite a rule
anywhere. No other citation counts, because a comment, a helper or a module can cite a rule that no
test checks.
"""

import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

from table_controller.rules import rulebook
from workshop.papers import rule_code
from workshop.papers import rulebook as page
from workshop.papers.rule_code import cited

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
INDEX = ROOT / "table_controller" / "rules" / rulebook.TESTS
PAGE = ROOT / "docs" / "RULEBOOK.md"

_SERIES = "|".join(sorted(rulebook.series(), key=len, reverse=True))
_IN_NAME = re.compile(rf"(?<![^_])({_SERIES.lower()})_?(\d+)(?![^_])")


def cited_in_name(name: str) -> set[str]:
    """The ids in the name of a test: `test_z_24_annuls` and `test_z24_annuls` cite Z-24."""
    return {f"{series.upper()}-{number}" for series, number in _IN_NAME.findall(name)}


def citations(source: str) -> Iterator[tuple[str, set[str]]]:
    """Yield each test of a module with the ids that it cites."""
    for test in filter(_is_test, ast.parse(source).body):
        for node in ast.walk(test):
            if isinstance(node, _Named):
                said = ast.get_docstring(node) or ""
                yield test.name, cited(said) | cited_in_name(node.name)


def index(folder: Path = TESTS) -> dict[str, list[str]]:
    """The tests of each id, both in order: `tests/rules/test_points.py::test_name`, or a script."""
    found: dict[str, set[str]] = {}
    for path in folder.rglob("test_*.py"):
        for test, ids in citations(path.read_text(encoding="utf-8")):
            for rule_id in ids:
                found.setdefault(rule_id, set()).add(f"{_name(path)}::{test}")
    for path in (*folder.rglob("*.coup"), *folder.rglob("*.table")):
        for rule_id in cited(path.read_text(encoding="utf-8")):
            found.setdefault(rule_id, set()).add(_name(path))
    return {rule_id: sorted(found[rule_id]) for rule_id in sorted(found, key=_place)}


def shown(found: dict[str, list[str]]) -> str:
    """The index in the form in which it is stored."""
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


_Named = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _is_test(node: ast.stmt) -> TypeGuard[_Named]:
    """Whether a node is a test function, a class of tests, or a state machine."""
    if isinstance(node, ast.ClassDef):
        named = (node.name, *map(ast.unparse, node.bases))
        return named[0].startswith("Test") or any("StateMachine" in name for name in named)
    return isinstance(node, _Named) and node.name.startswith("test")


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name


def _place(rule_id: str) -> tuple[int, int, str]:
    """The key for sorting ids as in the book: the series, the number, the letter."""
    series, number, letter = re.fullmatch(r"(\w+)-(\d+)(\w*)", rule_id).groups()
    return list(rulebook.series()).index(series), int(number), letter


def made() -> dict[Path, str]:
    """The lists and the page as they should be, by their paths."""
    found, kept = index(), rule_code.index()
    return {
        INDEX: shown(found),
        rule_code.INDEX: rule_code.shown(kept),
        PAGE: page.markdown(found, kept),
    }


def main(arguments: list[str]) -> int:
    """Write the files, or explain the options. Return the exit code."""
    if arguments != ["--write"]:
        print("usage: python -m workshop.papers.rule_index --write")
        return 2
    for path, text in made().items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
