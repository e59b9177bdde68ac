"""The commands for hardware in the loop: scenarios."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from table_controller.commands.say import JsonOption, answer


def register(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.command()(scenario)


def scenario(
    file: Annotated[Path, typer.Argument(help="a recording, or a scenario")],
    written: Annotated[Path, typer.Option("--out", help="the file to write; it must not exist")],
    as_json: JsonOption = False,
) -> None:
    """Turn a recording into a scenario that people can read and edit, and a scenario into one.

    What a recording expects is marked with `~`: delete the mark once you have read the line.
    """
    from table_controller.commands.scenarios import convert

    facts = convert(file, written)
    sentence = f"{written}: a {facts['kind']} of {facts['lines']} lines"
    if facts["unread"]:
        sentence += f", {facts['unread']} of them marked ~: nobody has read yet what they expect"
    answer(facts, sentence, as_json=as_json)
