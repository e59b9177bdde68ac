"""Finds every slip that can be made in a Python source, in one place each. It runs nothing.

A slip replaces a piece of the text, so that the rest stays as it is. Code that no test need check
is left alone: docstrings, annotations, imports, sentences, logs, asserts, decorators.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from workshop.mutation.slip import Slip

_OTHER = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
_LEFT_ALONE = (ast.Import, ast.ImportFrom, ast.Assert, ast.JoinedStr, ast.Global, ast.Nonlocal)
_LOG = re.compile(r"(self\.)?_?log(ger)?\.")
_EITHER_WAY = {"min", "max"}
_UNSAID = {"phrase", "isinstance", "cast", "TypeVar", "NewType"}


class _Finder:
    def __init__(self, file: str, text: str) -> None:
        self._file, self._text = file, text
        lines = text.encode().splitlines(keepends=True)
        self._bytes, self._at = text.encode(), [0]
        for line in lines:
            self._at.append(self._at[-1] + len(line))
        self._span = (1, 1)
        self._inside: ast.AST = ast.Module([], [])
        self._read: dict[ast.AST, dict[str, set[str]]] = {}

    def _offset(self, line: int, column: int) -> int:
        return len(self._bytes[: self._at[line - 1] + column].decode())

    def _ends(self, node: ast.AST) -> tuple[int, int]:
        assert isinstance(node, ast.expr | ast.stmt)
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self._offset(node.lineno, node.col_offset),
            self._offset(node.end_lineno, node.end_col_offset),
        )

    def _of(self, node: ast.AST) -> str:
        start, end = self._ends(node)
        return self._text[start:end]

    def _slip(self, start: int, end: int, new: str, kind: str) -> Slip:
        return Slip(self._file, start, end, new, kind, *self._span)

    def statements(self, body: list[ast.stmt], inside: ast.AST) -> Iterator[Slip]:
        """Yield the slips in a block. `inside` is the block's function, class or module."""
        for place, node in enumerate(body):
            head = getattr(node, "body", None)
            last = head[0].lineno - 1 if head else node.end_lineno or node.lineno
            self._span = node.lineno, max(node.lineno, last)
            if isinstance(node, _LEFT_ALONE) or _said(node) or _declared(node):
                continue
            self._inside = inside
            if isinstance(inside, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from self._whole(node, inside, first=place == 0)
            yield from self._parts(node)
            within = node if isinstance(node, _SCOPES) else inside
            for block in _blocks(node):
                yield from self.statements(block, within)

    def _whole(self, node: ast.stmt, inside: Any, *, first: bool) -> Iterator[Slip]:
        start, end = self._ends(node)
        if _removable(node, inside):
            yield self._slip(start, end, "pass", "removed")
        if node in inside.body and not _returns_nothing(node) and not (first and _short(inside)):
            indent = " " * node.col_offset
            yield self._slip(start, start, f"return\n{indent}", "early return")

    def _parts(self, node: ast.stmt) -> Iterator[Slip]:
        if isinstance(node, ast.If | ast.While):
            yield from self._negated(node.test)
        if isinstance(node, ast.AnnAssign):
            heads: list[ast.AST] = [node.value] if node.value else []
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            heads = [*node.args.defaults, *(one for one in node.args.kw_defaults if one)]
        elif isinstance(node, ast.ClassDef):
            heads = []
        else:
            heads = [one for one in ast.iter_child_nodes(node) if not isinstance(one, ast.stmt)]
        for head in heads:
            yield from self._expressions(head)

    def _expressions(self, node: ast.AST) -> Iterator[Slip]:
        if isinstance(node, ast.stmt | ast.JoinedStr) or _unsaid(node):
            return
        if isinstance(node, ast.Compare):
            yield from self._compared(node)
        elif isinstance(node, ast.Constant):
            yield from self._constants(node)
        elif isinstance(node, ast.IfExp):
            yield from self._negated(node.test)
        elif isinstance(node, ast.comprehension):
            for condition in node.ifs:
                yield from self._negated(condition)
        elif isinstance(node, ast.Call):
            yield from self._swapped(node)
            yield from self._shortened(node)
        elif isinstance(node, ast.BoolOp):
            yield from self._halved(node)
        elif isinstance(node, ast.Attribute):
            yield from self._mistaken(node)
        for child in ast.iter_child_nodes(node):
            yield from self._expressions(child)

    def _negated(self, test: ast.expr) -> Iterator[Slip]:
        start, end = self._ends(test)
        yield self._slip(start, end, f"(not ({self._text[start:end]}))", "negation")

    def _compared(self, node: ast.Compare) -> Iterator[Slip]:
        left: ast.expr = node.left
        for operator, right in zip(node.ops, node.comparators, strict=True):
            old, new = _OTHER[type(operator)]
            between = self._ends(left)[1], self._ends(right)[0]
            pattern = re.compile(re.escape(old).replace(r"\ ", r"\s+"))
            found = pattern.search(self._text, *between)
            if found:
                yield self._slip(found.start(), found.end(), new, "comparison")
            left = right

    def _constants(self, node: ast.Constant) -> Iterator[Slip]:
        start, end = self._ends(node)
        for new in _others(node.value):
            yield self._slip(start, end, new, "constant")

    def _halved(self, node: ast.BoolOp) -> Iterator[Slip]:
        """Without one of its operands."""
        start, end = self._ends(node)
        word = " and " if isinstance(node.op, ast.And) else " or "
        for left_out in node.values:
            kept = [f"({self._of(one)})" for one in node.values if one is not left_out]
            yield self._slip(start, end, f"({word.join(kept)})", "operand")

    def _mistaken(self, node: ast.Attribute) -> Iterator[Slip]:
        """Another field of the same thing: the next one that its function reads."""
        if isinstance(node.value, ast.Name) and isinstance(node.ctx, ast.Load):
            names = sorted(self._fields().get(node.value.id, ()))
            at = names.index(node.attr) if node.attr in names else -1
            if len(names) > 1 and at >= 0:
                other = names[(at + 1) % len(names)]
                yield self._slip(*self._ends(node), f"{node.value.id}.{other}", "field")

    def _fields(self) -> dict[str, set[str]]:
        """The fields that the present function reads of each name, looked up once a function."""
        if self._inside not in self._read:
            self._read[self._inside] = _fields(self._inside)
        return self._read[self._inside]

    def _shortened(self, node: ast.Call) -> Iterator[Slip]:
        """A copy that keeps an old field."""
        if ast.unparse(node.func).rpartition(".")[2] == "replace" and len(node.keywords) > 1:
            for word in node.keywords:
                if word.arg:
                    start, end = self._ends(word.value)
                    start -= len(word.arg) + 1
                    yield self._slip(start, end, "**{}", "keyword")

    def _swapped(self, node: ast.Call) -> Iterator[Slip]:
        named = [word.value for word in node.keywords if word.arg]
        fixed = any(isinstance(one, ast.Starred) for one in node.args)
        fixed |= ast.unparse(node.func) in _EITHER_WAY
        for row in ([] if fixed else node.args, named):
            for one, other in pairwise(row):
                if self._of(one) != self._of(other) and not (_unsaid(one) or _unsaid(other)):
                    (start, until), (since, end) = self._ends(one), self._ends(other)
                    between = self._text[until:since]
                    new = self._of(other) + between + self._of(one)
                    yield self._slip(start, end, new, "swapped")


_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def slips(file: str, text: str) -> list[Slip]:
    """Every slip of every kind, in the order of the text. A few leave no valid Python."""
    tree = ast.parse(text)
    return sorted(set(_Finder(file, text).statements(tree.body, tree)))


def _blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        yield getattr(node, name, [])
    for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield part.body


def _fields(inside: ast.AST) -> dict[str, set[str]]:
    """The fields of each name that a function reads and does not call."""
    called = {id(one.func) for one in ast.walk(inside) if isinstance(one, ast.Call)}
    found: dict[str, set[str]] = {}
    for one in ast.walk(inside):
        match one:
            case ast.Attribute(value=ast.Name(id=name), ctx=ast.Load()) if id(one) not in called:
                found.setdefault(name, set()).add(one.attr)
    return found


def _others(value: object) -> tuple[str, ...]:
    """The constants that may replace a constant. Nothing may replace a sentence."""
    match value:
        case bool():
            return (str(not value),)
        case int():
            return (str(value + 1), f"({value - 1})" if value < 1 else str(value - 1))
        case float():
            return (str(value + 1),)
        case str() if value and not re.search(r"\s", value):
            return ('""',)
        case _:
            return ()


def _said(node: ast.stmt) -> bool:
    """Whether a statement is a docstring, or is read only by a type checker."""
    match node:
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case _:
            return False


def _declared(node: ast.stmt) -> bool:
    """Whether a statement sets a name such as `__all__`, whose value nothing computes."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name.startswith("__")
        case _:
            return False


def _unsaid(node: ast.AST) -> bool:
    """Whether a call makes a sentence, a line of the log, or something for type checkers."""
    if not isinstance(node, ast.Call):
        return False
    called = ast.unparse(node.func)
    return called.rpartition(".")[2] in _UNSAID or _LOG.match(called) is not None


def _removable(node: ast.stmt, inside: ast.AST) -> bool:
    """Whether the code after this statement could run without the statement.

    It could not without a statement that gives a name its first value.
    """
    match node:
        case ast.Expr(value=value):
            return not _unsaid(value)
        case ast.AugAssign() | ast.Raise() | ast.Delete() | ast.Continue() | ast.Break():
            return True
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name in _bound_before(node, inside)
        case ast.Assign(targets=targets):
            return all(isinstance(one, ast.Attribute | ast.Subscript) for one in targets)
        case _:
            return False


def _bound_before(node: ast.stmt, inside: ast.AST) -> set[str]:
    """The names that already have a value: the arguments, and those bound in earlier lines."""
    named = {one.arg for one in ast.walk(inside) if isinstance(one, ast.arg)}
    return named | {
        one.id
        for one in ast.walk(inside)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store) and one.lineno < node.lineno
    }


def _returns_nothing(node: ast.stmt) -> bool:
    return isinstance(node, ast.Pass) or (
        isinstance(node, ast.Return) and (node.value is None or ast.unparse(node.value) == "None")
    )


def _short(inside: Any) -> bool:
    """Whether a body is only `...`, as in a protocol."""
    body = inside.body
    return len(body) == 1 and isinstance(body[0], ast.Expr)
