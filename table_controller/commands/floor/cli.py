"""`schlitten floor`: many tables on one page. Its libraries are in the extra `floor`."""

from __future__ import annotations

import ipaddress
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from table_controller.commands.floor.cli_people import FOLDER, opened, register, settings_of
from table_controller.commands.output import (
    JsonOption,
    answer,
    fail,
    mendable,
    out,
    progress,
    tell,
    warn,
)

floor = typer.Typer(
    no_args_is_help=True,
    help="Many tables on one page: listen to them, keep their events, check them, report.",
)
FolderOption = Annotated[
    Path, typer.Option("--folder", help="where the floor's database is; made if it is missing")
]
PortOption = Annotated[int, typer.Option(min=0, max=65535, help="0: any free port")]
register(floor)


@floor.callback()
def _first() -> None:
    try:
        import alembic
        import sqlalchemy

        _ = alembic, sqlalchemy
    except ImportError as error:
        fail(
            f"the floor needs {error.name}, which a table does not have. Run `{sys.executable} -m "
            "pip install --require-hashes -r requirements-floor.lock` in a clone, or install the "
            "release's file with its extra: "
            "`pip install './schlitten-VERSION-py3-none-any.whl[floor]'`."
        )


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        fail(f"cannot make the folder {folder}: {error.strerror}. Name one that you may write.")
    return folder


@floor.command()
def run(
    *,
    folder: FolderOption = FOLDER,
    host: Annotated[
        str, typer.Option(help="this machine's address in the house's network")
    ] = "127.0.0.1",
    name: Annotated[
        list[str] | None, typer.Option(help="another host name of the page; repeatable")
    ] = None,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="for tables; 0: any free port")
    ] = 8883,
    page_port: PortOption = 8090,
    keep_days: Annotated[
        int, typer.Option(min=0, help="remove events after so many days; 0: keep them for ever")
    ] = 0,
    as_json: JsonOption = False,
) -> None:
    """Serve a floor until it is stopped: its page, its broker, its database.

    Without --host only this machine can reach it. If another process leads this floor, this one
    waits, and takes over when that one ends. With --json a line names the addresses once it serves.
    """
    from table_controller.commands.floor.runs import serve
    from table_controller.commands.running import until_stopped

    with _mendable():
        until_stopped(
            serve(
                _made(folder),
                settings_of(folder),
                host=_address(host),
                names=tuple(name or ()),
                port=port,
                page_port=page_port,
                keep_days=keep_days,
                say=warn,
                line=out if as_json else None,
            )
        )


def _address(host: str) -> str:
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        found = None
    if found is None or found.is_unspecified:
        raise typer.BadParameter(
            f"{host!r}: want the address by which tables and screens reach this machine, such as "
            "192.168.1.20; host names go into --name",
            param_hint="--host",
        )
    return str(found)


def _mendable() -> Any:
    from table_controller.adapters.addresses import CannotServe
    from table_controller.floor.database import StoreError
    from table_controller.floor.leader_election import Led
    from table_controller.service.errors import ServiceError

    return mendable(CannotServe, Led, StoreError, ServiceError)


@floor.command()
def rebuild(
    *,
    folder: FolderOption = FOLDER,
    wait: Annotated[float, typer.Option(min=1, help="seconds to wait for the tables")] = 600,
    as_json: JsonOption = False,
) -> None:
    """Make the database again from the tables' journals. The old rows are kept in another file.

    With PostgreSQL they are kept in another schema. Stop the floor first. Exit code 1 if a table
    did not connect, or if events are still missing. The floor fetches missing events when `run`
    serves it again.
    """
    import asyncio

    from table_controller.commands.floor.trial import rebuild as again

    opened(folder).close()
    with _mendable(), progress("tables") as told:
        found = asyncio.run(again(folder, settings_of(folder), wait_s=wait, told=told))
    away, missing = found["away"], found["missing"]
    rest = f"; not connected: {', '.join(away)}" if away else ""
    sentence = (
        f"{found['stored']} events are back, {missing} are missing{rest}. Old rows: {found['kept']}"
    )
    answer(found, sentence, as_json=as_json)
    if away or missing:
        raise typer.Exit(1)


@floor.command()
def simulate(
    *,
    count: Annotated[int, typer.Option("--tables", min=1, max=2000, help="how many tables")] = 20,
    seconds: Annotated[float, typer.Option(min=1, help="how many seconds they play")] = 60,
    speed: Annotated[float, typer.Option(min=0.1, help="a multiple of people's pace")] = 1,
    folder: Annotated[Path | None, typer.Option(help="keep the database in this folder")] = None,
    page_port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="serve the page meanwhile; 0: any free port"),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Let tables of all games play at a separate floor. Exit code 1 if the floor lacks an event.

    Everything is real except the tables' journals: engine, publisher, broker, database. A
    `floor.toml` in the folder names another broker and database, if you want to try them.
    """
    import asyncio

    from table_controller.commands.floor.trial import simulate as play

    with ExitStack() as stack:
        place = folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="floor-")))
        _nothing_yet(place)
        stack.enter_context(_mendable())
        found = asyncio.run(
            play(
                _made(place),
                settings_of(place),
                count,
                seconds,
                speed=speed,
                page_port=page_port,
                say=warn,
            )
        )
    sentence = (
        f"{found['tables']} tables, {found['coups']} coups in {found['seconds']} s: "
        f"{found['told']} events sent, {found['stored']} stored, {found['duplicates']} twice; "
        f"{found['heads']} of {found['tables']} chains are equal; "
        f"stored within {found['p50_ms']} ms (p50), {found['p99_ms']} ms (p99)"
    )
    answer(found, sentence, as_json=as_json)
    well = found["told"] == found["stored"] and found["heads"] == found["tables"]
    if not well or found["duplicates"] or found["faults"]:
        raise typer.Exit(1)


def _nothing_yet(folder: Path) -> None:
    """Exit with an error if a database in this folder already has a floor's events."""
    from table_controller.floor.store import anything

    if (folder / "floor.db").exists():
        fail(f"there is a floor in {folder} already: name an empty folder.")
    if settings_of(folder).database.url:
        store = opened(folder)
        if anything(store):
            fail(f"there is a floor in {store.where} already: name an empty database.")
        store.close()


@floor.command()
def verify(*, folder: FolderOption = FOLDER, as_json: JsonOption = False) -> None:
    """Compute every chain again. Name a row that differs from its message, and exit with 1."""
    from table_controller.floor.check import check

    bad = rows = 0
    tables = set[tuple[str, str]]()
    store = opened(folder)
    with _mendable():
        store.refuse_damaged()
    for one in check(store):
        tables.add((one.site, one.table))
        rows, bad = rows + one.rows, bad + bool(one.fault)
        if one.fault and not as_json:
            warn(str(one))
        if as_json:
            out(one)
    if not as_json:
        verdict = f"{bad} chains are broken" if bad else "all chains are intact"
        tell(f"{rows} rows of {len(tables)} tables: {verdict}.")
    if bad:
        raise typer.Exit(1)


@floor.command()
def archive(
    target: Annotated[Path, typer.Argument(metavar="FOLDER", help="where the archives are")],
    *,
    keep_days: Annotated[
        int, typer.Option(min=0, help="so many days of events stay in the database")
    ] = 90,
    folder: FolderOption = FOLDER,
    as_json: JsonOption = False,
) -> None:
    """Move events that are older than --keep-days from the database into a Parquet file.

    The floor may run meanwhile. Reports and search still have every coup, and every chain still
    holds. Exit code 1 if a row is not what the table sent: such a row stays.
    """
    from datetime import UTC, datetime

    from table_controller.commands.floor.page import reader
    from table_controller.floor.past import FloorPast
    from table_controller.floor.reports import ready
    from table_controller.floor.retention import DAY_MS
    from table_controller.floor.retention import archive as move
    from table_controller.service.output import OutputError
    from table_controller.wiring.plan import now_ms

    store, before_ms = opened(folder), now_ms() - keep_days * DAY_MS
    with mendable(OutputError), progress("tables") as told:
        ready(store, FloorPast(store, reader))
        found = move(store, _made(target), before_ms, datetime.now(UTC), told)
    for why in found.faults:
        warn(why)
    sentence = f"{found.rows} events of {found.tables} tables are in {found.file}."
    answer(
        msgspec.to_builtins(found),
        sentence if found.file else f"No event is older than {keep_days} days.",
        as_json=as_json,
    )
    if found.faults:
        raise typer.Exit(1)
