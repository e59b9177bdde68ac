"""The commands for hardware in the loop, which make, play and check scenarios."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from table_controller.commands.say import JsonOption, answer, fail, out, pace_of, tell, warn

if TYPE_CHECKING:
    from table_controller.commands.verdicts import Beat

SpeedOption = Annotated[str, typer.Option("--speed", help="times its own pace, or max")]


def register(app: typer.Typer) -> None:
    """Add these commands to the program."""
    for command in (scenario, replay, incident):
        app.command()(command)


def scenario(
    file: Annotated[Path, typer.Argument(help="a recording, or a scenario")],
    written: Annotated[Path, typer.Option("--out", help="the file to write; it must not exist")],
    as_json: JsonOption = False,
) -> None:
    """Turn a recording into a scenario that people can read and edit, or the other way round.

    The expectations from a recording are marked with `~`. Delete the mark once you have read the
    line.
    """
    from table_controller.commands.scenarios import convert

    facts = convert(file, written)
    sentence = f"{written}: a {facts['kind']} of {facts['lines']} lines"
    if facts["unread"]:
        sentence += f", {facts['unread']} of them marked ~: nobody has read yet what they expect"
    answer(facts, sentence, as_json=as_json)


def replay(
    file: Annotated[Path, typer.Argument(help="a recording, a scenario, a tape or a film")],
    *,
    speed: SpeedOption = "max",
    expect: Annotated[
        Path | None,
        typer.Option(help="compare a recording with this one instead, a film with this list"),
    ] = None,
    board: Annotated[str, typer.Option(help="twin, emulated, lab, or a port")] = "",
    junit: Annotated[Path | None, typer.Option(help="write the verdict for a CI")] = None,
    html: Annotated[Path | None, typer.Option(help="write a page with the timeline")] = None,
    until: Annotated[str, typer.Option(help='play up to this coup: "coup 12"')] = "",
    since: Annotated[str, typer.Option("--from", help='compare from this coup: "coup 12"')] = "",
    break_on: Annotated[str, typer.Option(help="alert: end at the first one")] = "",
    key: Annotated[Path | None, typer.Option(help="the table's key file, for a tape")] = None,
    settings: Annotated[
        Path | None, typer.Option("--config", help="the table's settings, for a film")
    ] = None,
    step: Annotated[bool, typer.Option("--step", help="show each line, and wait")] = False,
    as_json: JsonOption = False,
) -> None:
    """Play a recording, a scenario, a tape or a film, and print the result.

    Exit code 1 at the first difference, and if nothing was compared. With --json a recording that
    is played without a board prints a line for each public event.
    """
    from table_controller.commands.scenarios import is_film, named
    from table_controller.service.scenario import is_scenario
    from table_controller.service.tape import is_tape

    if is_tape(file):
        others = (expect, junit, html, until, since, break_on, step)
        if any(others) or board not in ("", "twin", "emulated"):
            raise typer.BadParameter("a tape takes --key, --board twin or emulated, and --json")
        _tape(file, key, board or "twin", as_json=as_json)
        return
    if key:
        raise typer.BadParameter(f"--key opens tapes, and {file} is none; leave it away")
    if settings or is_film(file):
        _film(file, settings, expect, as_json=as_json)
        return
    named(file)
    staged = is_scenario(file) or any((board, junit, html, until, since, break_on, step))
    if expect and staged:
        raise typer.BadParameter("--expect compares two recordings; leave the other options away")
    if staged:
        _stage(
            file,
            (pace_of(speed), board),
            (junit, html),
            (since, until),
            (break_on, step),
            as_json=as_json,
        )
    else:
        _events(file, pace_of(speed), expect, as_json=as_json)


def incident(
    journal: Annotated[Path, typer.Argument(help="a table's journal")],
    *,
    coups: Annotated[int, typer.Option(min=1, help="how many of the last")] = 3,
    until: Annotated[int, typer.Option(min=0, help="up to this input; 0: the last")] = 0,
    key: Annotated[Path | None, typer.Option(help="the table's key file")] = None,
    house: Annotated[str, typer.Option(help="its house file, if its house is not shipped")] = "",
    written: Annotated[
        Path | None, typer.Option("--out", help="the file to write; it must not exist")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write the last coups as a scenario to test with, without names and without closed cards.

    Other cards replace the closed cards. Once the Schlitten is closed, run the command again with
    --until: then the scenario has the true cards.
    """
    import os

    from table_controller.commands.scenarios import write_incident
    from table_controller.service.sealing import load_keys

    keys = load_keys(key, os.environ)
    facts = write_incident(journal, keys, written, house=house, coups=coups, until=until or None)
    sentence = (
        f"{facts['written']}: the last {facts['coups']} coups, up to input {facts['until']}. "
        f"As a test: pytest {facts['written']}"
    )
    if facts["closed"]:
        sentence += (
            f"\n{facts['closed']} cards still lie closed, others stand in their place; once the "
            f"Schlitten is closed: schlitten incident {journal} --until {facts['until']}"
        )
    answer(facts, sentence, as_json=as_json)


def _tape(file: Path, key: Path | None, board: str, *, as_json: bool) -> None:
    """Play a tape: the inputs, the board's line, and the lip's frames."""
    import os

    from msgspec import to_builtins

    from table_controller.commands.tapes import play
    from table_controller.service.sealing import load_keys

    verdict = play(file, load_keys(key, os.environ), board=board)
    if as_json:
        out(to_builtins(verdict) | {"holds": verdict.holds})
    if not verdict.holds:
        if as_json:
            warn(str(verdict))
            raise typer.Exit(1)
        fail(str(verdict), 1)
    if not as_json:
        tell(str(verdict))


def _film(file: Path, settings: Path | None, expect: Path | None, *, as_json: bool) -> None:
    """Play a film through the reader that these settings describe."""
    from msgspec import to_builtins

    from table_controller.commands.films import play
    from table_controller.wiring import config

    if settings is None:
        raise typer.BadParameter(f"{file} is a film: name the table's settings with --config")
    verdict = play(file, config.load(settings), expect)
    if as_json:
        out(to_builtins(verdict) | {"holds": verdict.holds})
    for fault in verdict.faults:
        warn(fault)
    if not verdict.holds:
        fail(str(verdict), 1)
    if not as_json:
        tell(str(verdict))


def _events(file: Path, speed: float, expect: Path | None, *, as_json: bool) -> None:
    """Play a recording's inputs at this speed, and compare the events with the recorded ones."""
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
    ends: tuple[str, bool],
    *,
    as_json: bool,
) -> None:
    """Play a scenario at a whole table with its board, and write the reports that are named."""
    from msgspec import to_builtins

    from firmware_bridge.serial_line import PortError
    from hardware.rungs import EMULATED, TakesAHand
    from table_controller.commands.rehearse import Playing, play
    from table_controller.commands.say import mendable, progress
    from table_controller.commands.scenarios import load
    from table_controller.commands.timeline import as_html
    from table_controller.commands.verdicts import as_junit, write

    break_on, step = ends
    if break_on not in ("", "alert"):
        raise typer.BadParameter(f"--break-on {break_on!r}: want alert")
    speed, board = paced
    if step and (speed or as_json or board not in ("", "twin", *EMULATED)):
        raise typer.BadParameter("--step waits for you: no --speed, no --json, no real board")
    since, until = (_coup(text) for text in coups)
    game, found = load(file)
    shown = contextlib.nullcontext(_unheard) if step else progress(f"playing {file.name}")
    with mendable(PortError, TakesAHand), shown as heard:
        how = Playing(
            board=board, speed=speed, since=since, until=until,
            break_on_alert=bool(break_on), heard=heard, stepped=_stepping() if step else _goes_on,
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


def _unheard(_done: int, _all: int) -> None:
    """Do nothing: with --step every line is printed, so no progress bar is needed."""


def _goes_on(_beat: Beat) -> bool:
    return True


def _stepping() -> Callable[[Beat], bool]:
    """Return a function that shows each line after it was played.

    Then Enter plays the next line, c plays all others, q ends.
    """
    rest = False

    def stepped(beat: Beat) -> bool:
        nonlocal rest
        tell(str(beat))
        if rest:
            return True
        try:
            key = input("Enter: next, c: all others, q: end > ").strip().lower()
        except EOFError:
            key = "c"
        rest = key == "c"
        return key != "q"

    return stepped


def _coup(text: str) -> int:
    found = re.fullmatch(r"coup (\d+)", text)
    if text and not found:
        raise typer.BadParameter(f'{text!r} is no place to stop or begin: want "coup 12"')
    return int(found[1]) if found else 0
