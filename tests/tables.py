"""Tables of cases. Each case is a line with the steps, and the result found then.

    A verdict is due 80 ms after the close
        # As shipped, whoever closed it.
        slow; by 0; due 87.9 => -; due 88 => 88

A heading begins at the margin, and its cases are indented by four blanks. A line that is indented
further continues the case above it. A step is a method of the stage and its arguments, which are
numbers if they look like numbers. After `=>` is the value that it must return, as by `shown`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest


def cases(path: Path) -> list[pytest.ParameterSet]:
    """The cases of a file, each called by its heading, and by its steps if there are several."""
    headed: list[tuple[str, list[str]]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if not line.startswith(" "):
            headed.append((text, []))
        elif line.startswith(" " * 5):
            headed[-1][1][-1] += f" {text}"
        else:
            headed[-1][1].append(text)
    return [
        pytest.param(case, id=heading if len(of) == 1 else f"{heading}: {case}")
        for heading, of in headed
        for case in of
    ]


def play(case: str, stage: object) -> None:
    """Do a case's steps. Raises AssertionError at the first that finds anything else."""
    for step in case.split(";"):
        said, arrow, wanted = step.partition("=>")
        word, *arguments = said.split()
        found = getattr(stage, word)(*map(_value, arguments))
        if arrow:
            assert shown(found) == wanted.strip(), f"{step.strip()}, found: {shown(found)}"


def _value(text: str) -> float | str:
    with contextlib.suppress(ValueError):
        return float(text)
    return text


def shown(found: object) -> str:
    """As a table says it: `-` for None or an empty list, yes and no, a list's members in a row."""
    match found:
        case None:
            return "-"
        case bool():
            return "yes" if found else "no"
        case float():
            return f"{found:.10g}"
        case Mapping():
            return shown([f"{shown(key)}:{shown(value)}" for key, value in found.items()])
        case str():
            return str(found) or '""'
        case Iterable():
            return " ".join(map(shown, found)) or "-"
    return str(found)
