"""`schlitten floor`: many tables on one page. Its libraries are the extra `floor`."""

from __future__ import annotations

import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from table_controller.commands.say import (
    JsonOption,
    answer,
    fail,
    lay_out,
    mendable,
    out,
    progress,
    tell,
    warn,
)

if TYPE_CHECKING:
    from table_controller.wiring.floor_settings import FloorSettings

floor = typer.Typer(
    no_args_is_help=True,
    help="Many tables on one page: listen to them, keep their events, check them, report.",
)
FolderOption = Annotated[
    Path, typer.Option("--folder", help="where the floor's database is; made if it is missing")
]
FOLDER = Path("floor")
PortOption = Annotated[int, typer.Option(min=0, max=65535, help="0: any free one")]
NameArgument = Annotated[str, typer.Argument(help="of a-z, 0-9, _ and -")]


@floor.callback()
def _first() -> None:
    try:
        import alembic
        import sqlalchemy

        _ = alembic, sqlalchemy
    except ImportError as error:
        fail(
            f"the floor needs {error.name}, which a table does not have: install schlitten[floor], "
            "or `pip install --require-hashes -r requirements-floor.lock` in a checkout."
        )


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        fail(f"cannot make the folder {folder}: {error.strerror}. Name one that may be written.")
    return folder


def _settings(folder: Path) -> FloorSettings:
    """What the folder's `floor.toml` says, if it is there."""
    from table_controller.wiring.floor_settings import read

    with _mendable():
        return read(folder)


def _store(folder: Path, *, make: bool = False) -> Any:
    """The floor's database, if there is one, or a new one."""
    from table_controller.floor.floor import database
    from table_controller.floor.store import Store

    url = _settings(folder).database.url
    if not (url or make or (folder / "floor.db").exists()):
        fail(f"there is no floor in {folder}: name its folder (`schlitten floor run` makes one).")
    with _mendable():
        return Store(url or database(folder))


@floor.command()
def run(
    *,
    folder: FolderOption = FOLDER,
    port: PortOption = 1883,
    page_port: PortOption = 8090,
    as_json: JsonOption = False,
) -> None:
    """Serve a floor until it is stopped: its page, its broker, its database.

    If another process leads this floor, it stands by and takes over once that one ends. With --json
    a line says where, once it is served.
    """
    from table_controller.commands.floor_runs import serve
    from table_controller.commands.running import until_stopped

    with _mendable():
        until_stopped(
            serve(
                _made(folder),
                _settings(folder),
                port=port,
                page_port=page_port,
                say=warn,
                line=out if as_json else None,
            )
        )


def _mendable() -> Any:
    from table_controller.adapters.addresses import CannotServe
    from table_controller.floor.database import StoreError
    from table_controller.floor.lead import Led
    from table_controller.service.errors import ConfigError

    return mendable(CannotServe, Led, StoreError, ConfigError)


@floor.command()
def rebuild(
    *,
    folder: FolderOption = FOLDER,
    port: PortOption = 1883,
    wait: Annotated[float, typer.Option(min=1, help="seconds for the tables to come")] = 600,
    as_json: JsonOption = False,
) -> None:
    """Make the database again from the tables' journals; the old rows stay beside it.

    Stop the floor first. 1 if a table did not come or not all was told; it goes on with `run`.
    """
    import asyncio

    from table_controller.commands.floor_trial import rebuild as again

    _store(folder).close()
    with _mendable(), progress("tables") as told:
        found = asyncio.run(again(folder, _settings(folder), port=port, wait_s=wait, told=told))
    away, missing = found["away"], found["missing"]
    rest = f"; not there: {', '.join(away)}" if away else ""
    sentence = (
        f"{found['stored']} events are back, {missing} are missing{rest}. Kept: {found['kept']}"
    )
    answer(found, sentence, as_json=as_json)
    if away or missing:
        raise typer.Exit(1)


@floor.command()
def simulate(
    *,
    count: Annotated[int, typer.Option("--tables", min=1, max=2000, help="how many")] = 20,
    seconds: Annotated[float, typer.Option(min=1, help="how long they play")] = 60,
    speed: Annotated[float, typer.Option(min=0.1, help="times the pace of people")] = 1,
    folder: Annotated[Path | None, typer.Option(help="keep the database in this folder")] = None,
    page_port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="serve the page meanwhile; 0: any free port"),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Let tables of all three games play at a floor of their own; 1 if it misses anything.

    Everything is real but the tables' journals: engine, publisher, broker, database. A `floor.toml`
    in the folder names another broker and database, for a trial of them.
    """
    import asyncio

    from table_controller.commands.floor_trial import simulate as play

    with ExitStack() as stack:
        place = folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="floor-")))
        _nothing_yet(place)
        stack.enter_context(_mendable())
        found = asyncio.run(
            play(
                _made(place),
                _settings(place),
                count,
                seconds,
                speed=speed,
                page_port=page_port,
                say=warn,
            )
        )
    sentence = (
        f"{found['tables']} tables, {found['coups']} coups in {found['seconds']} s: "
        f"{found['told']} events told, {found['stored']} stored, {found['duplicates']} twice, "
        f"{found['heads']} of {found['tables']} chains the same; "
        f"to the database within {found['p50_ms']} ms (p50), {found['p99_ms']} ms (p99)"
    )
    answer(found, sentence, as_json=as_json)
    well = found["told"] == found["stored"] and found["heads"] == found["tables"]
    if not well or found["duplicates"] or found["faults"]:
        raise typer.Exit(1)


def _nothing_yet(folder: Path) -> None:
    """Fail if there are events of a floor already."""
    from table_controller.floor.store import anything

    if (folder / "floor.db").exists():
        fail(f"there is a floor in {folder} already: name an empty folder.")
    if _settings(folder).database.url:
        store = _store(folder)
        if anything(store):
            fail(f"there is a floor in {store.where} already: name an empty database.")
        store.close()


@floor.command()
def add(
    site: NameArgument,
    table: NameArgument,
    *,
    folder: FolderOption = FOLDER,
    port: PortOption = 1883,
    as_json: JsonOption = False,
) -> None:
    """Admit a table, or give it another secret; print what its settings need. No restart."""
    from table_controller.adapters.broker_rules import table_user
    from table_controller.floor import accounts

    at = _table(site, table)
    secret = accounts.add(_store(_made(folder), make=True), at)
    user = table_user(at)
    told = (
        f"The secret is shown once: write it into a file of mode 0600. In the table's settings:\n\n"
        f'[table]\nsite = "{site}"\nname = "{table}"\n\n'
        f'[broker]\nkind = "mqtt"\nhost = "127.0.0.1"\nport = {port}\nusername = "{user}"\n'
        f'password = "/etc/schlitten/floor.secret"\n\nsecret: {secret}'
    )
    answer({"username": user, "secret": secret}, told, as_json=as_json)


@floor.command()
def remove(
    site: NameArgument,
    table: NameArgument,
    *,
    folder: FolderOption = FOLDER,
    as_json: JsonOption = False,
) -> None:
    """Let a table in no more: its connection ends within seconds; its events stay."""
    from table_controller.floor import accounts

    if not accounts.remove(_store(folder), _table(site, table)):
        fail(f"{site}/{table} is not admitted; `schlitten floor report` lists those that told.", 1)
    answer({"removed": f"{site}/{table}"}, f"{site}/{table} is let in no more.", as_json=as_json)


def _table(site: str, table: str) -> Any:
    from table_controller.adapters.mqtt_names import TableId

    try:
        return TableId(site, table)
    except ValueError as error:
        fail(f"{error}.")


@floor.command()
def verify(*, folder: FolderOption = FOLDER, as_json: JsonOption = False) -> None:
    """Compute every chain again; 1 if a row is not what came, which is named."""
    from table_controller.floor.check import check

    bad = rows = tables = 0
    for one in check(_store(folder)):
        tables, rows, bad = (
            tables + (one.audience == "public"),
            rows + one.rows,
            bad + bool(one.fault),
        )
        if one.fault and not as_json:
            warn(str(one))
        if as_json:
            out(one)
    if not as_json:
        tell(
            f"{rows} rows of {tables} tables: {f'{bad} chains do not hold' if bad else 'all hold'}."
        )
    if bad:
        raise typer.Exit(1)


@floor.command()
def report(
    *,
    by: Annotated[str, typer.Option(help="table, croupier or hour (of the day, UTC)")] = "table",
    folder: FolderOption = FOLDER,
    as_json: JsonOption = False,
) -> None:
    """Coups an hour, the phases' lengths, money, misreads, rulings and alerts."""
    from table_controller.floor.reports import ReportLine
    from table_controller.floor.reports import report as made

    kinds: tuple[Literal["table", "croupier", "hour"], ...] = ("table", "croupier", "hour")
    kind = next((one for one in kinds if one == by), None)
    if kind is None:
        raise typer.BadParameter(f"{by!r}: want one of {', '.join(kinds)}", param_hint="--by")
    lines = made(_store(folder), kind)
    if as_json:
        for line in lines:
            out(line)
        return
    names = ReportLine.__struct_fields__
    rows = [[_cell(getattr(line, name)) for name in names] for line in lines]
    if sys.stdout.isatty():
        lay_out(f"By {by}", [name.replace("_", " ") for name in names], rows)
    else:
        for row in (names, *rows):
            tell("\t".join(row))


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return " / ".join(map(str, value)) if isinstance(value, tuple) else str(value)
