"""The commands that install, update and test the machine. They print; other modules do the work."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from table_controller.commands.machine.cli_first import init
from table_controller.commands.output import JsonOption, answer, mendable

if TYPE_CHECKING:
    from table_controller.commands.machine.check_result import Finding


SettingsOption = Annotated[Path, typer.Option("--config", help="the table's settings")]
SETTINGS = Path("/etc/schlitten/table.toml")


def register(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.command()(init)
    for name, command in (
        ("doctor", doctor), ("install", install), ("update", update), ("self-test", self_test),
    ):  # fmt: skip
        app.command(name)(command)


def doctor(settings: SettingsOption = SETTINGS, *, as_json: JsonOption = False) -> None:
    """Check everything that a table's settings name. Exit code 1 if something is wrong."""
    from table_controller.commands.machine.doctor import examine

    _report(examine(settings), as_json=as_json)


def self_test(settings: SettingsOption = SETTINGS, *, as_json: JsonOption = False) -> None:
    """Test this version on a copy of the table's journal, and in every shipped house.

    Exit code 1 if a test fails.
    """
    from table_controller.commands.machine.self_test import examine

    _report(examine(settings), as_json=as_json)


def install(
    root: Annotated[
        Path, typer.Option(help="another root, such as a Pi's card in a reader")
    ] = Path("/"),
    *,
    floor: Annotated[
        str | None,
        typer.Option(help="join a floor by the code that `schlitten floor add` printed"),
    ] = None,
    settings: Annotated[
        Path | None,
        typer.Option("--config", help="with --floor: only change these settings, install nothing"),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Install everything that a table needs besides the program. Run it as root; repeating is safe.

    With --floor the table joins a floor: its settings then name the floor's broker.
    """
    from table_controller.commands.machine import install as installing

    if floor is not None:
        from table_controller.adapters.enrolling import read_code

        read_code(floor)  # a wrong code installs nothing and restarts nothing
    elif settings:
        raise typer.BadParameter("it is only for --floor", param_hint="--config")
    if not settings:
        _tell(installing.install(root), as_json=as_json)
    if floor is not None:
        _tell(installing.join(floor, settings, root), as_json=as_json)


def update(
    wheel: Annotated[Path, typer.Argument(help="the new version: schlitten-….whl")],
    wheels: Annotated[
        Path | None, typer.Option(help="a folder of the wheels that it needs, without a network")
    ] = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Install a new version. If it fails its self-tests or does not start, go back to the old one.

    The self-tests use a copy of the journal.
    """
    from table_controller.commands.machine import update as updating

    with mendable(updating.NotUpdated, code=1):
        _tell(updating.update(wheel, wheels=wheels), as_json=as_json)


def _tell(done: Iterable[str], *, as_json: bool) -> None:
    """Print each step once it is done."""
    for sentence in done:
        answer({"done": sentence}, sentence, as_json=as_json)


def _report(findings: Iterable[Finding], *, as_json: bool) -> None:
    """Print the state of each part. Exit with 1 if something is wrong."""
    ill = False
    for finding in findings:
        ill |= not finding.well
        sentence = f"{'well' if finding.well else 'ILL '}  {finding.part}: {finding.said}"
        answer(finding._asdict(), sentence, as_json=as_json)
    raise typer.Exit(int(ill))
