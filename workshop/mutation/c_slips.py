"""Finds every slip that can be made in a C source, in its tokens. It runs nothing.

A slip is a small mistake, like a slip of the pen. Comments, strings, directives of the preprocessor
and declarations are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from workshop.mutation.slip import Slip

_OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
_HIDDEN = re.compile(
    r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    r"|^[ \t]*#(?:\\\n|/\*.*?\*/|[^\n])*",
    re.MULTILINE | re.DOTALL,
)
_COMPARISON = re.compile(r"(?<![<>=!-])(<=|>=|==|!=|<|>)(?![<>=])")
_NUMBER = re.compile(r"(?<![\w.])(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)(?![\w.])")
_TRUTH = re.compile(r"\b(true|false)\b")
_CONDITION = re.compile(r"\b(?:if|while) ?(?=\()")
_STATEMENT = re.compile(r"^[ \t]+([^;{}#]+;)[ \t]*$", re.MULTILINE)
_KEPT = re.compile(
    r"(return|goto|case|default|static|const|struct|enum|bool|[ui]\d+|char|int|void|typedef"
    r"|if|while|for|else|do)\b"
)


def slips(file: str, text: str) -> list[Slip]:
    """Every slip of every kind, in the order of the text. Some do not compile."""
    seen = _HIDDEN.sub(lambda hidden: re.sub(r"[^\n]", " ", hidden[0]), text)

    def slip(start: int, end: int, new: str, kind: str) -> Slip:
        first, last = (text.count("\n", 0, at) + 1 for at in (start, end))
        return Slip(file, start, end, new, kind, first, last)

    found = [slip(*one) for finder in _FINDERS for one in finder(seen)]
    return sorted(set(found))


_Found = Iterator[tuple[int, int, str, str]]


def _compared(seen: str) -> _Found:
    for found in _COMPARISON.finditer(seen):
        yield *found.span(), _OTHER[found[0]], "comparison"


def _constants(seen: str) -> _Found:
    for found in _NUMBER.finditer(seen):
        value, suffix = int(found[1], 0) if found[1] != "0" else 0, found[2]
        others = (value + 1, value - 1) if value else (1,)
        for other in others:
            yield *found.span(), f"{other}{suffix}", "constant"
    for found in _TRUTH.finditer(seen):
        yield *found.span(), "false" if found[0] == "true" else "true", "constant"


def _negated(seen: str) -> _Found:
    for found in _CONDITION.finditer(seen):
        start, end = found.end(), _closed(seen, found.end())
        yield start, end, f"(!{seen[start:end]})", "negation"


def _closed(seen: str, opened: int) -> int:
    """The position after the bracket that closes the one at `opened`."""
    depth = 0
    for at in range(opened, len(seen)):
        depth += (seen[at] == "(") - (seen[at] == ")")
        if depth == 0:
            return at + 1
    raise ValueError("a bracket is never closed")


def _removed(seen: str) -> _Found:
    for found in _STATEMENT.finditer(seen):
        start, end = found.span(1)
        if not _KEPT.match(found[1]) and not re.match(r"\w+ \w+( =|;|\[)", found[1]):
            yield start, end, ";", "removed"


_FINDERS = (_compared, _constants, _negated, _removed)
