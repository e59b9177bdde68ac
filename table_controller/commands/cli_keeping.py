"""Commands about a journal: copy it while a table uses it, restore a copy, list evenings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from table_controller.commands.output import JsonOption, answer

SettingsOption = Annotated[Path, typer.Option("--config", help="the table's settings")]
SETTINGS = Path("/etc/schlitten/table.toml")


def register(app: typer.Typer) -> None:
    """Add these commands to the program."""
    for command in (backup, restore, evenings):
        app.command()(command)


def backup(
    copy: Annotated[Path, typer.Argument(help="the copy to write; COPY.anchor is next to it")],
    *,
    settings: SettingsOption = SETTINGS,
    as_json: JsonOption = False,
) -> None:
    """Copy the table's journal, even while the table runs.

    COPY.anchor contains the end of the public chain. Keep that file elsewhere: with that file,
    `verify --anchor` finds rows that were cut off or forged before that end.
    """
    from table_controller.service.copies import back_up
    from table_controller.wiring import config

    journal = config.load(settings).journal.path
    anchor = back_up(journal, copy)
    facts = {"copy": str(copy), "public": anchor.count, "head": anchor.head}
    answer(
        facts,
        f"{copy}: {anchor.count} public rows, the last one {anchor.head[:16]}…. The copy does "
        "not contain the key: keep the key elsewhere.",
        as_json=as_json,
    )


def restore(
    copy: Annotated[Path, typer.Argument(help="a copy of the journal (see `backup`)")],
    *,
    settings: SettingsOption = SETTINGS,
    as_json: JsonOption = False,
) -> None:
    """Replace the journal with a copy, and tell the table so (R-54).

    The present coup is annulled, and the Schlitten is withdrawn. On another Pi, use the same
    settings and the same key. The journal that was there is kept.
    """
    from table_controller.commands.live import put_back
    from table_controller.wiring import config

    told = put_back(copy, config.load(settings))
    kept = f" The old journal is kept as {told['kept']}." if told["kept"] else ""
    answer(
        told,
        f"{told['journal']} continues from {copy}, as stream {told['stream']}.{kept} Mix and "
        "load a new Schlitten.",
        as_json=as_json,
    )


def evenings(
    journal: Annotated[Path, typer.Argument(help="a table's journal, or a copy of it")],
    *,
    number: Annotated[
        int | None, typer.Option("--evening", help="the evening's number; by default the last")
    ] = None,
    paper: Annotated[
        Path | None, typer.Option("--out", help="write its coups to this .csv, .json or .parquet")
    ] = None,
    house: Annotated[str, typer.Option("--house", help="by default the journal's own house")] = "",
    as_json: JsonOption = False,
) -> None:
    """List a journal's evenings, or write the coups of one evening for other programs.

    The command reads only published events. They contain no closed card, and no key is needed.
    """
    from table_controller.commands import evenings as told

    if paper:
        facts = told.write(journal, paper, number=number, house=house)
        answer(
            facts, f"{paper}: {facts['coups']} coups of evening {facts['evening']}", as_json=as_json
        )
        return
    for one in told.found(journal):
        sentence = "evening {evening}: {began} to {ended}, {cards} cards".format(**one)
        answer(one, sentence, as_json=as_json)
