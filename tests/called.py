"""Finds the programs, and Debian's files, that this project's Python code names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: What scripts/test runs. The long runs, the lab and the training bring their own.
FOLDERS = ("table_controller", "vision", "firmware_bridge", "hardware", "tests", "workshop/tests")
BESIDE = ("tests/lab/",)
#: What starts a program that it is given first, or looks for one.
STARTS = {"subprocess.run", "subprocess.Popen", "asyncio.create_subprocess_exec", "shutil.which"}
SAYS = (*STARTS, "/usr/")
_PLACE = re.compile(r"/usr/(share|lib|bin|sbin)/")


@cache
def called() -> dict[str, str]:
    """Names of programs and places below /usr, each with a place in our code that says it."""
    found: dict[str, str] = {}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            where = path.relative_to(ROOT)
            text = path.read_text()
            if not where.as_posix().startswith(BESIDE) and any(map(text.__contains__, SAYS)):
                for word, line in _of(ast.parse(text)):
                    found.setdefault(word, f"{where}:{line}")
    return found


def words_of(path: Path) -> set[str]:
    """Names of programs and places below /usr that a file of Python says."""
    return {word for word, _ in _of(ast.parse(path.read_text()))}


def _of(tree: ast.Module) -> Iterator[tuple[str, int]]:
    assigned = {
        node.targets[0].id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if _PLACE.match(node.value):
                yield node.value, node.lineno
        elif isinstance(node, ast.Call) and node.args and ast.unparse(node.func) in STARTS:
            for word in _first(node.args[0], assigned):
                yield word, node.lineno


def _first(said: ast.expr, assigned: dict[str, ast.expr], depth: int = 0) -> Iterator[str]:
    """The words that stand first in a call's words, also by a name of the file."""
    match said:
        case ast.Constant(value=str(word)):
            yield word
        case ast.List(elts=[first, *_]) | ast.Tuple(elts=[first, *_]) | ast.Starred(value=first):
            yield from _first(first, assigned, depth)
        case ast.Name(id=name) if name in assigned and depth < 4:
            yield from _first(assigned[name], assigned, depth + 1)
        case ast.BoolOp(values=values):
            for value in values:
                yield from _first(value, assigned, depth)
