"""`schlitten floor people`, and the commands that add and remove a floor's tables.

They print, and ask for PINs.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from table_controller.commands.output import JsonOption, answer, fail, lay_out, mendable, out
from table_controller.commands.people import ask_pin

if TYPE_CHECKING:
    from table_controller.adapters.mqtt_names import TableId
    from table_controller.floor.store import Store
    from table_controller.wiring.floor_settings import FloorSettings


FolderOption = Annotated[Path, typer.Option("--folder", help="where the floor's database is")]
FOLDER = Path("floor")
NameArgument = Annotated[str, typer.Argument(help="a name of a-z, 0-9, _ and -")]
PersonArgument = Annotated[str, typer.Argument(help="the name to sign in with")]
people = typer.Typer(no_args_is_help=True, help="The people of the floor, and their roles.")


def register(floor: typer.Typer) -> None:
    """Add these commands to `schlitten floor`."""
    floor.add_typer(people, name="people")
    floor.command()(add)
    floor.command()(remove)


def settings_of(folder: Path) -> FloorSettings:
    """Return the settings in the folder's `floor.toml`; the default settings without that file."""
    from table_controller.service.errors import ConfigError
    from table_controller.wiring.floor_settings import read

    with mendable(ConfigError):
        return read(folder)


def opened(folder: Path) -> Store:
    """Open the floor's database, if there is one. Otherwise exit with an error."""
    from table_controller.floor.database import StoreError
    from table_controller.floor.floor import database
    from table_controller.floor.store import Store

    url = settings_of(folder).database.url
    if not (url or (folder / "floor.db").exists()):
        fail(
            f"there is no floor in {folder}: name its folder with --folder (`schlitten floor run` "
            "makes one)."
        )
    with mendable(StoreError):
        return Store(url or database(folder))


@people.command("add")
def add_person(
    name: PersonArgument,
    role: Annotated[str, typer.Option(help="viewer, pit, manager, inspector or admin")],
    *,
    folder: FolderOption = FOLDER,
    as_json: JsonOption = False,
) -> None:
    """Give somebody a role and a PIN, or change them. A running floor knows it within a second.

    The PIN is asked for twice and shown nowhere. If nobody is at a terminal, the PIN is the first
    line of standard input.
    """
    from table_controller.floor.people import NotAdded, add, keys_of
    from table_controller.floor.roles import FloorPerson, FloorRole
    from table_controller.service import pins

    if role not in list(FloorRole):
        fail(f"{role!r} is no role: want one of {', '.join(FloorRole)}")
    store = opened(folder)
    proof = pins.proof(ask_pin(), keys_of(folder))
    with mendable(NotAdded):
        add(store, FloorPerson(name, FloorRole(role), proof))
    answer({"name": name, "role": role}, f"{name} is {role} from now on.", as_json=as_json)


@people.command("remove")
def remove_person(
    name: PersonArgument, *, folder: FolderOption = FOLDER, as_json: JsonOption = False
) -> None:
    """Remove somebody's role. The pages that the person has open end within seconds."""
    from table_controller.floor.people import remove

    if not remove(opened(folder), name):
        fail(f"{name!r} has no role; `schlitten floor people list` says who has.", 1)
    answer({"name": name, "role": None}, f"{name} has no role any more.", as_json=as_json)


@people.command("list")
def list_people(*, folder: FolderOption = FOLDER, as_json: JsonOption = False) -> None:
    """List the people and their roles."""
    from table_controller.floor.people import persons

    found = persons(opened(folder))
    if as_json:
        for person in found:
            out({"name": person.name, "role": person.role.value})
        return
    lay_out("People of this floor", ("name", "role"), [(p.name, p.role.value) for p in found])


def add(
    site: NameArgument,
    table: NameArgument,
    *,
    folder: FolderOption = FOLDER,
    wait: Annotated[bool, typer.Option("--wait", help="wait until the table has joined")] = False,
    as_json: JsonOption = False,
) -> None:
    """Print a code with which a table can join the floor: once, within 15 minutes.

    The floor must run. At the table: `sudo schlitten install --floor CODE`. Exit code 1 if --wait
    ends before the table has joined.
    """
    from table_controller.engine.table.roles import CONSOLE
    from table_controller.floor import enrol
    from table_controller.floor.people import now_ms

    at, store = _table(site, table), opened(folder)
    if settings_of(folder).broker.hosts:
        fail("The broker is elsewhere (floor.toml): make the table's account there, by hand.")
    with mendable(enrol.NotServed, OSError):
        code = enrol.make(store, folder, at, CONSOLE, now_ms())
    facts: dict[str, Any] = {"code": str(code), "table": f"{site}/{table}", "minutes": 15}
    told = (
        f"A code for {site}/{table}, to be used once, within 15 minutes. At the table:\n\n"
        f"  sudo schlitten install --floor {code}\n\n"
        "For a table that you serve from a folder, add `--config table.toml`, without sudo.\n"
    )
    answer(facts, told, as_json=as_json)
    if not as_json:
        import segno

        segno.make(str(code)).terminal(compact=True)
    if wait:
        _wait(store, code.secret, at, as_json=as_json)


def _wait(store: Store, secret: str, at: TableId, *, as_json: bool) -> None:
    from table_controller.floor.enrol import VALID_MS, has_arrived

    began = time.monotonic()
    while not has_arrived(store, secret):
        if time.monotonic() - began > VALID_MS / 1000:
            fail(f"{at.site}/{at.table} has not joined within 15 minutes: make another code.", 1)
        time.sleep(0.5)
    seconds = round(time.monotonic() - began)
    answer(
        {"arrived": f"{at.site}/{at.table}", "seconds": seconds},
        f"{at.site}/{at.table} is on the floor's page.",
        as_json=as_json,
    )


def remove(
    site: NameArgument,
    table: NameArgument,
    *,
    folder: FolderOption = FOLDER,
    as_json: JsonOption = False,
) -> None:
    """Remove a table from the floor. Its connection ends within seconds.

    The table's events stay. To join again the table needs a new code.
    """
    from table_controller.engine.table.roles import CONSOLE
    from table_controller.floor import enrol

    if settings_of(folder).broker.hosts:
        fail(
            "The broker is elsewhere (floor.toml): delete the table's line in accounts.conf at "
            "each node, then run `nats-server --signal reload` there."
        )
    if not enrol.remove(opened(folder), _table(site, table), CONSOLE):
        fail(f"{site}/{table} is not on this floor; `schlitten floor report` lists the tables.", 1)
    answer(
        {"removed": f"{site}/{table}"}, f"{site}/{table} can no longer connect.", as_json=as_json
    )


def _table(site: str, table: str) -> TableId:
    from table_controller.adapters.mqtt_names import TableId

    try:
        return TableId(site, table)
    except ValueError as error:
        fail(f"{error}.")
