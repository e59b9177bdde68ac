"""The output of the commands: sentences, tables, JSON lines, and exit codes.

Names of people and files are printed as they are: no markup in them is interpreted. A control
character, which could control a terminal, is printed as its number.
"""

from __future__ import annotations

import errno
import math
import os
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Annotated, Any, NoReturn

import rich
import typer
from msgspec import json
from rich.console import Console
from rich.progress import Progress
from rich.table import Table as Grid
from rich.text import Text

_errors = Console(stderr=True)

#: No markup and no wrapping, since a path may contain brackets, and a command to copy may be long.
_AS_IT_IS: dict[str, Any] = {
    "markup": False,
    "emoji": False,
    "highlight": False,
    "soft_wrap": True,
}

JsonOption = Annotated[bool, typer.Option("--json", help="one JSON object per line")]


def ready_to_print() -> None:
    """Prepare for an output that is closed, or that cannot show every sign."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
        with suppress(AttributeError, ValueError):
            getattr(sys, name).reconfigure(errors="backslashreplace")


@contextmanager
def all_printed() -> Iterator[None]:
    """In this block, say in a sentence that standard output takes no more, and exit."""
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except OSError as error:
        if error.filename is not None or error.errno not in (errno.ENOSPC, errno.EIO):
            raise
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - it keeps the rest
        fail(f"cannot print: {error.strerror}. Make room where the output goes.")


def fail(why: str, code: int = 2) -> NoReturn:
    """Print the reason on standard error, and exit with this code."""
    _errors.print(_shown(f"schlitten: {why}"), style="red", **_AS_IT_IS)
    raise SystemExit(code)


@contextmanager
def mendable(*kinds: type[Exception], code: int = 2) -> Iterator[None]:
    """In this block, turn an error of these kinds into its text on standard error, and exit.

    The text of such an error names the remedy.
    """
    try:
        yield
    except kinds as error:
        fail(str(error), code)


def answer(facts: dict[str, Any], sentence: str, *, as_json: bool) -> None:
    """Print a command's result: facts for a program, or a sentence for people."""
    if as_json:
        out(facts)
    else:
        tell(sentence)


def tell(text: str) -> None:
    """Print a sentence on standard output."""
    rich.get_console().print(_shown(text), **_AS_IT_IS)


def lay_out(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table on standard output."""
    grid = Grid(*columns, title=Text(_shown(title)))
    for row in rows:
        grid.add_row(*(Text(_shown(cell)) for cell in row))
    rich.get_console().print(grid)


def warn(text: str) -> None:
    """Print a sentence on standard error. Standard output remains for output that programs read."""
    _errors.print(_shown(text), **_AS_IT_IS)


def out(value: object) -> None:
    """Print one JSON line. A program that reads our output from a pipe gets it immediately."""
    sys.stdout.write(json.encode(value).decode() + "\n")
    sys.stdout.flush()


def _shown(text: str) -> str:
    """Return the text with control characters, except line ends and tabs, as their numbers."""
    return "".join(
        f"\\x{ord(sign):02x}" if unicodedata.category(sign) == "Cc" and sign not in "\n\t" else sign
        for sign in text
    )


def pace_of(text: str) -> float:
    """Read a speed as a multiple of the pace that people can follow; 0 for `max`.

    Raises BadParameter.
    """
    if text == "max":
        return 0
    try:
        speed = float(text)
    except ValueError:
        speed = -1
    if not 0 < speed < math.inf:  # refuses NaN too
        raise typer.BadParameter(f"{text!r} is no speed: want a number over 0, or max")
    return speed


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar if standard error is a terminal.

    Yield a function that takes the number done, and the total.
    """
    bar = Progress(console=_errors, transient=True, disable=not _errors.is_terminal)
    with bar:
        task = bar.add_task(Text(_shown(what)).plain, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
