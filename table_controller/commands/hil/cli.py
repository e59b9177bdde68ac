"""The commands for hardware in the loop, which make, play and check scenarios."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from dataclasses import replace as replaced
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Protocol

import typer

from table_controller.commands.output import JsonOption, answer, fail, out, pace_of, tell, warn

if TYPE_CHECKING:
    from table_controller.commands.hil.rehearse import Playing
    from table_controller.commands.hil.verdicts import Beat
    from table_controller.service.game import Game
    from table_controller.service.scenario import Scenario


class _Asked(NamedTuple):
    """The options of `replay`."""

    file: Path
    speed: str
    expect: Path | None
    board: str
    junit: Path | None
    html: Path | None
    until: str
    since: str
    break_on: str
    key: Path | None
    settings: Path | None
    house: str
    step: bool
    as_json: bool

    @property
    def reports(self) -> bool:
        """Whether somebody asks for more than the difference of two recordings or films."""
        return bool(
            self.junit or self.html or self.until or self.since or self.break_on or self.step
        )


class _Judged(Protocol):
    """The result of a scenario, a tape or a film, which says itself in a sentence."""

    @property
    def holds(self) -> bool:
        """Whether at least one event was compared, and nothing differed."""


SpeedOption = Annotated[str, typer.Option("--speed", help="a multiple of its own pace, or max")]


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
    from table_controller.commands.hil.scenarios import convert

    facts = convert(file, written)
    sentence = f"{written}: a {facts['kind']} of {facts['lines']} lines"
    if facts["unread"]:
        sentence += f", {facts['unread']} of them marked ~, because nobody has checked them yet"
    answer(facts, sentence, as_json=as_json)


def replay(
    file: Annotated[
        Path, typer.Argument(help="a recording, a scenario, a tape, a film or a CSV of cards")
    ],
    *,
    speed: SpeedOption = "max",
    expect: Annotated[
        Path | None,
        typer.Option(help="the recording to compare with; for a film, its cards"),
    ] = None,
    board: Annotated[str, typer.Option(help="twin, emulated, lab, or a port")] = "",
    junit: Annotated[Path | None, typer.Option(help="write the verdict for a CI")] = None,
    html: Annotated[Path | None, typer.Option(help="write a page with the timeline")] = None,
    until: Annotated[str, typer.Option(help='play up to this coup: "coup 12"')] = "",
    since: Annotated[str, typer.Option("--from", help='compare from this coup: "coup 12"')] = "",
    break_on: Annotated[str, typer.Option(help="alert: end at the first alert")] = "",
    key: Annotated[Path | None, typer.Option(help="the table's key file, for a tape")] = None,
    settings: Annotated[
        Path | None, typer.Option("--config", help="the table's settings, for a film")
    ] = None,
    house: Annotated[str, typer.Option(help="the house, for cards; default zoppot-1934")] = "",
    step: Annotated[bool, typer.Option("--step", help="show each line, and wait")] = False,
    as_json: JsonOption = False,
) -> None:
    """Play a recording, a scenario, a tape, a film or cards, and print the result.

    If the file names only cards, simulated people play them. Exit code 1 at the first difference,
    and if nothing was compared. With --json a recording that is played without a board prints a
    line for each public event.
    """
    _replay(
        _Asked(
            file, speed, expect, board, junit, html, until, since, break_on, key, settings, house,
            step, as_json,
        )
    )  # fmt: skip


def incident(
    journal: Annotated[Path, typer.Argument(help="a table's journal")],
    *,
    coups: Annotated[int, typer.Option(min=1, help="how many coups, up to the end")] = 3,
    until: Annotated[int, typer.Option(min=0, help="the number of the last input; 0: all")] = 0,
    key: Annotated[Path | None, typer.Option(help="the table's key file")] = None,
    house: Annotated[str, typer.Option(help="the house file, if the house is not shipped")] = "",
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

    from table_controller.commands.hil.scenarios import write_incident
    from table_controller.service.incident import last_coups
    from table_controller.service.sealing import load_keys

    keys = load_keys(key, os.environ)
    facts = write_incident(journal, keys, written, house=house, coups=coups, until=until or None)
    sentence = (
        f"{facts['written']}: the {last_coups(facts['coups'])}, up to input {facts['until']}. "
        f"As a test: pytest {facts['written']}"
    )
    if facts["closed"]:
        sentence += (
            f"\n{facts['closed']} cards are still closed, and other cards replace them. Once the "
            f"Schlitten is closed, run: schlitten incident {journal} --until {facts['until']}"
        )
    answer(facts, sentence, as_json=as_json)


def _replay(asked: _Asked) -> None:
    """Play the file by its kind. A file or an option of the wrong kind is refused by name."""
    from table_controller.commands.hil.scenarios import is_film, is_list, named
    from table_controller.service.scenario import is_scenario
    from table_controller.service.tape import is_tape

    file = asked.file
    if asked.house and not is_list(file):
        raise typer.BadParameter(f"--house is for a CSV of cards: {file} names its own house")
    if is_tape(file):
        _tape(asked)
        return
    if asked.key:
        raise typer.BadParameter(f"--key is for tapes, and {file} is no tape: leave --key out")
    if asked.settings or is_film(file):
        _film(asked)
        return
    if not is_list(file):
        named(file)
    staged = is_scenario(file) or is_list(file) or asked.board or asked.reports
    if asked.expect and staged:
        raise typer.BadParameter("--expect compares two recordings: leave the other options out")
    (_stage if staged else _events)(asked)


def _tape(asked: _Asked) -> None:
    """Play a tape: the inputs, the board's line, and the lip's frames."""
    import os

    from table_controller.commands.hil.tapes import play
    from table_controller.service.sealing import load_keys

    if asked.expect or asked.reports or asked.board not in ("", "twin", "emulated"):
        raise typer.BadParameter("a tape takes only --key, --board twin or emulated, and --json")
    keys = load_keys(asked.key, os.environ)
    _tell(play(asked.file, keys, board=asked.board or "twin"), as_json=asked.as_json)


def _film(asked: _Asked) -> None:
    """Play a film through the reader that the settings describe."""
    from table_controller.commands.hil.films import play
    from table_controller.wiring import config

    if asked.settings is None:
        raise typer.BadParameter(f"{asked.file} is a film: name the table's settings with --config")
    verdict = play(asked.file, config.load(asked.settings), asked.expect)
    for fault in verdict.faults:
        warn(fault)
    _tell(verdict, as_json=asked.as_json)


def _events(asked: _Asked) -> None:
    """Play a recording's inputs at this speed, and compare the events with the recorded ones."""
    from table_controller.commands.live import play

    file, told = asked.file, out if asked.as_json else None
    summary = play(file, speed=pace_of(asked.speed), expect=asked.expect, told=told)
    if not summary.inputs:
        fail(
            f"{file} contains no input, so nothing was played. Record an evening with "
            "coups, or export one with --everything.",
            1,
        )
    if not asked.as_json:
        tell(summary.text)
    if summary.difference:
        fail(summary.difference, 1)
    if not summary.compared:
        fail(
            f"{file} contains no events, so nothing was compared. Name a recording with events "
            "by --expect, or write a scenario.",
            1,
        )


def _stage(asked: _Asked) -> None:
    """Play a scenario at a whole table with its board, and write the reports that are named."""
    from firmware_bridge.serial_line import PortError
    from hardware.rungs import TakesAHand
    from table_controller.commands.hil.rehearse import play
    from table_controller.commands.hil.timeline import as_html
    from table_controller.commands.hil.verdicts import as_junit
    from table_controller.commands.output import mendable, progress
    from table_controller.service import output

    how = _how(asked)
    game, found = _load(asked)
    nothing = contextlib.nullcontext(_unheard)
    shown = nothing if asked.step else progress(f"playing {asked.file.name}")
    with mendable(PortError, TakesAHand), shown as heard:
        verdict = play(game, found, replaced(how, heard=heard))
    for path, made in ((asked.junit, as_junit), (asked.html, as_html)):
        if path:
            output.write(path, made(verdict).encode())
    _tell(verdict, as_json=asked.as_json)


def _load(asked: _Asked) -> tuple[Game[Any], Scenario]:
    """The file as a scenario."""
    from table_controller.commands.hil import scenarios
    from table_controller.wiring import config

    if not scenarios.is_list(asked.file):
        return scenarios.load(asked.file)
    from table_controller.commands.hil import card_lists

    return card_lists.load(asked.file, config.house(asked.house or "zoppot-1934"))


def _how(asked: _Asked) -> Playing:
    """Read the options of a scenario. Raises BadParameter."""
    from hardware.rungs import EMULATED
    from table_controller.commands.hil.rehearse import Playing

    speed, board = pace_of(asked.speed), asked.board
    if asked.break_on not in ("", "alert"):
        raise typer.BadParameter(f"--break-on {asked.break_on!r}: want alert")
    if asked.step and (speed or asked.as_json or board not in ("", "twin", *EMULATED)):
        raise typer.BadParameter("--step waits for you: leave out --speed, --json and a real board")
    return Playing(
        board=board, speed=speed, since=_coup(asked.since), until=_coup(asked.until),
        break_on_alert=bool(asked.break_on), stepped=_stepping() if asked.step else _goes_on,
    )  # fmt: skip


def _tell(verdict: _Judged, *, as_json: bool) -> None:
    """Print a verdict. Exit code 1 if it does not hold."""
    from msgspec import to_builtins

    if as_json:
        out(to_builtins(verdict) | {"holds": verdict.holds})
    if not verdict.holds:
        if as_json:
            warn(str(verdict))
            raise typer.Exit(1)
        fail(str(verdict), 1)
    if not as_json:
        tell(str(verdict))


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
        raise typer.BadParameter(f'{text!r} is no coup: want "coup 12"')
    return int(found[1]) if found else 0
