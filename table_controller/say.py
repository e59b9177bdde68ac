"""How the commands speak: sentences, JSON lines, and the end with a code."""

from __future__ import annotations

import sys
from typing import Annotated, Any, NoReturn

import rich
import typer
from msgspec import json
from rich.console import Console

_errors = Console(stderr=True)

#: A path may hold brackets, and a command that is to be copied may be long.
_AS_IT_IS: dict[str, Any] = {"markup": False, "highlight": False, "soft_wrap": True}

JsonOption = Annotated[bool, typer.Option("--json", help="one JSON object per line")]


def fail(why: str, code: int = 2) -> NoReturn:
    """Say why on standard error, and end."""
    _errors.print(f"schlitten: {why}", style="red", **_AS_IT_IS)
    raise SystemExit(code)


def tell(text: str) -> None:
    """Print a sentence on standard output."""
    rich.get_console().print(text, **_AS_IT_IS)


def warn(text: str) -> None:
    """Print a sentence on standard error, where standard output is for a program."""
    _errors.print(text, **_AS_IT_IS)


def out(value: object) -> None:
    """Print one JSON line."""
    sys.stdout.write(json.encode(value).decode() + "\n")
