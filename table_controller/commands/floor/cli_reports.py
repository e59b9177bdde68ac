"""`schlitten floor report` and `floor alerts`: the floor's figures, and who gets its alerts."""

from __future__ import annotations

import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from table_controller.commands.floor.cli_people import FOLDER, FolderOption, opened
from table_controller.commands.output import JsonOption, fail, lay_out, mendable, out, tell


def register(floor: typer.Typer) -> None:
    """Add the commands to `schlitten floor`."""
    floor.command()(report)
    floor.command()(alerts)


def report(
    *,
    of: Annotated[
        str, typer.Option(help="figures, counts, responses, integrity or schlitten")
    ] = "figures",
    by: Annotated[
        str, typer.Option(help="figures by table, croupier or hour (of the day, UTC)")
    ] = "table",
    since: Annotated[str, typer.Option(help="the first day, such as 2026-11-20")] = "",
    until: Annotated[str, typer.Option(help="the last day")] = "",
    site: Annotated[str, typer.Option(help="only tables of this site")] = "",
    file: Annotated[Path | None, typer.Option(help="write to this .csv, .json or .parquet")] = None,
    folder: FolderOption = FOLDER,
    as_json: JsonOption = False,
) -> None:
    """Report a floor's figures: coups an hour, phases, money, misreads, rulings, and others.

    `--of` chooses the figures. `schlitten` reports each Schlitten that is unusual.
    """
    from table_controller.commands.floor.page import reader
    from table_controller.floor.past import FloorPast
    from table_controller.floor.reports import REPORTS, Period, made, ready

    name = _one_of(of, REPORTS, "--of")
    kind: Any = _one_of(by, ("table", "croupier", "hour"), "--by")
    first, last = _day(since, "--since"), _day(until, "--until", days=1)
    period = Period(
        since_ms=0 if first is None else first,
        until_ms=2**62 if last is None else last,
        site=site,
    )
    store = opened(folder)
    ready(store, FloorPast(store, reader))
    lines = made(name, store, kind, period)
    if file:
        _write(lines, file)
    elif as_json:
        for line in lines:
            out(line)
    else:
        _print(lines, name)


def _one_of(said: str, allowed: tuple[str, ...], option: str) -> str:
    if said not in allowed:
        raise typer.BadParameter(f"{said!r}: want one of {', '.join(allowed)}", param_hint=option)
    return said


def _day(text: str, option: str, *, days: int = 0) -> int | None:
    """Return the beginning of a day in this machine's time zone, in ms since 1970; None for "".

    `days` is added to the day. `option` names the option in an error.
    """
    if not text:
        return None
    try:
        day = datetime.strptime(text, "%Y-%m-%d").astimezone() + timedelta(days=days)
    except (ValueError, OverflowError):
        why = f"{text!r} is no date: write it as 2026-11-20"
        raise typer.BadParameter(why, param_hint=option) from None
    return int(day.timestamp() * 1000)


def _write(lines: list[Any], file: Path) -> None:
    from table_controller.floor.files import SUFFIXES, written
    from table_controller.service import output
    from table_controller.service.paper import NoParquet

    kind = file.suffix.removeprefix(".")
    if kind not in SUFFIXES:
        fail(f"{file}: want a name that ends in {', '.join(f'.{one}' for one in SUFFIXES)}.")
    with mendable(NoParquet):
        content = written(lines, kind)
    output.write(file, content)
    tell(f"{len(lines)} lines are in {file}.")


def _print(lines: list[Any], name: str) -> None:
    if not lines:
        tell("Nothing was played yet.")
        return
    names = lines[0].__struct_fields__
    rows = [[_cell(getattr(line, one)) for one in names] for line in lines]
    if sys.stdout.isatty():
        lay_out(name, [one.replace("_", " ") for one in names], rows)
    else:
        for row in (names, *rows):
            tell("\t".join(row))


def _cell(value: object) -> str:
    return "-" if value is None else str(value).replace("\t", " ").replace("\n", " ")


def alerts(
    *,
    send: Annotated[bool, typer.Option("--send", help="send everybody a test message")] = False,
    folder: FolderOption = FOLDER,
    as_json: JsonOption = False,
) -> None:
    """Check a floor's alerts.toml, and say who gets which alerts. Exit code 1 if a trial fails."""
    from table_controller.commands.floor.alert_settings import NAME, settings_in, tried
    from table_controller.service.errors import ConfigError

    with mendable(ConfigError):
        found = settings_in(folder)
    went = tried(found) if send else {}
    if as_json:
        out({"rules": msgspec.to_builtins(found.rules), "people": list(found.people), "sent": went})
    elif not found.rules:
        tell(f"Nobody gets alerts: there is no rule in {folder / NAME}.")
    for name, rule in found.rules.items() if not as_json else ():
        what = [*rule.sites, *rule.tables, *rule.severities, *rule.codes]
        when = f" after {rule.after_s} s" if rule.after_s else ""
        tell(f"{name}: {', '.join(what) or 'all'}{when}: {', '.join(rule.people)}")
    for name, why in went.items() if not as_json else ():
        tell(f"{name}: {why or 'sent'}")
    if any(went.values()):
        raise typer.Exit(1)
