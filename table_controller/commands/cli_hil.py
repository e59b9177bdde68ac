"""The commands for hardware in the loop: they make, play and judge scenarios."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from table_controller.commands.say import JsonOption, answer, fail, out, pace_of, tell, warn

SpeedOption = Annotated[str, typer.Option("--speed", help="times its own pace, or max")]


def register(app: typer.Typer) -> None:
    """Add these commands to the program."""
    for command in (scenario, replay):
        app.command()(command)


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


def replay(
    file: Annotated[Path, typer.Argument(help="a recording or a scenario")],
    *,
    speed: SpeedOption = "max",
    expect: Annotated[
        Path | None, typer.Option(help="compare a recording with this one instead")
    ] = None,
    board: Annotated[str, typer.Option(help="twin, emulated, or a port")] = "",
    junit: Annotated[Path | None, typer.Option(help="write the verdict for a CI")] = None,
    html: Annotated[Path | None, typer.Option(help="write a page with the timeline")] = None,
    until: Annotated[str, typer.Option(help='play up to this coup: "coup 12"')] = "",
    since: Annotated[str, typer.Option("--from", help='compare from this coup: "coup 12"')] = "",
    break_on: Annotated[str, typer.Option(help="alert: end at the first one")] = "",
    as_json: JsonOption = False,
) -> None:
    """Play a recording or a scenario through the table, and say how it went.

    Exit code 1 at the first difference, and if nothing was compared. With --json a recording that
    is played without a board prints a line for each public event.
    """
    from table_controller.service.scenario import is_scenario

    staged = is_scenario(file) or any((board, junit, html, until, since, break_on))
    if expect and staged:
        raise typer.BadParameter("--expect compares two recordings; leave the other options away")
    if staged:
        _stage(
            file, (pace_of(speed), board), (junit, html), (since, until), break_on, as_json=as_json
        )
    else:
        _events(file, pace_of(speed), expect, as_json=as_json)


def _events(file: Path, speed: float, expect: Path | None, *, as_json: bool) -> None:
    """Play a recording's inputs as fast as the engine can, and compare its events."""
    from table_controller.commands.show import play

    summary = play(file, speed=speed, expect=expect, told=out if as_json else None)
    if not summary.inputs:
        fail(
            f"{file} holds no input: nothing was played. Record an evening with coups, or "
            "export one with --everything.",
            1,
        )
    if not as_json:
        tell(summary.text)
    if summary.difference:
        fail(summary.difference, 1)
    if not summary.compared:
        fail(
            f"{file} holds no events, so nothing was compared. Name a recording that has some with "
            "--expect, or write a scenario.",
            1,
        )


def _stage(
    file: Path,
    paced: tuple[float, str],
    reports: tuple[Path | None, Path | None],
    coups: tuple[str, str],
    break_on: str,
    *,
    as_json: bool,
) -> None:
    """Play a scenario at a whole table with its board, and write the requested reports."""
    from msgspec import to_builtins

    from firmware_bridge.serial_line import PortError
    from hardware.rungs import TakesAHand
    from table_controller.commands.rehearse import Playing, play
    from table_controller.commands.say import mendable, progress
    from table_controller.commands.scenarios import load
    from table_controller.commands.verdicts import as_html, as_junit, write

    if break_on not in ("", "alert"):
        raise typer.BadParameter(f"--break-on {break_on!r}: want alert")
    speed, board = paced
    since, until = (_coup(text) for text in coups)
    game, found = load(file)
    with mendable(PortError, TakesAHand), progress(f"playing {file.name}") as heard:
        how = Playing(
            board=board, speed=speed, since=since, until=until,
            break_on_alert=bool(break_on), heard=heard,
        )  # fmt: skip
        verdict = play(game, found, how)
    for path, made in zip(reports, (as_junit, as_html), strict=True):
        if path:
            write(path, made(verdict))
    if as_json:
        out(to_builtins(verdict) | {"holds": verdict.holds})
    elif verdict.holds:
        tell(str(verdict))
    if not verdict.holds:
        if as_json:
            warn(str(verdict))
            raise typer.Exit(1)
        fail(str(verdict), 1)


def _coup(text: str) -> int:
    found = re.fullmatch(r"coup (\d+)", text)
    if text and not found:
        raise typer.BadParameter(f'{text!r} is no place to stop or begin: want "coup 12"')
    return int(found[1]) if found else 0
