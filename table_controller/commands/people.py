"""`schlitten people`: the people with roles at a table. The table's journal contains the list.

The commands print, and ask for PINs. The list is changed at the machine itself, while the table is
stopped, since only one process may write a journal. The list can be read at any time.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from table_controller.commands.output import JsonOption, answer, fail, lay_out, out, tell, warn

if TYPE_CHECKING:
    from table_controller.engine.table.roles import Person

people = typer.Typer(no_args_is_help=True, help="The people of a table, and their roles.")

SettingsOption = Annotated[Path, typer.Option("--config", help="the table's settings")]
NameArgument = Annotated[str, typer.Argument(help="the name to sign in with")]
_SETTINGS = Path("/etc/schlitten/table.toml")


@people.command()
def add(
    name: NameArgument,
    role: Annotated[str, typer.Option(help="supervisor, croupier, technician or guest")],
    settings: SettingsOption = _SETTINGS,
    as_json: JsonOption = False,
) -> None:
    """Give somebody a role and a PIN, or change them. The first person must be a supervisor.

    The PIN is asked for twice and shown nowhere. If nobody is at a terminal, the PIN is the first
    line of standard input. Guests have no PIN.
    """
    from table_controller.engine.messages import Role
    from table_controller.service import pins
    from table_controller.wiring.people import changed, keys_of

    if role not in list(Role):
        fail(f"{role!r} is no role: want one of {', '.join(Role)}")
    proof = ""
    if role != Role.GUEST:
        proof = pins.proof(ask_pin(), keys_of(settings))
    changed(settings, {"type": "person_added", "name": name, "role": role, "proof": proof})
    answer({"name": name, "role": role}, f"{name} is {role} from now on.", as_json=as_json)


def ask_pin() -> str:
    """Ask for a PIN at the terminal, or read it. If a PIN that is read is too weak, exit."""
    from table_controller.service import pins

    if sys.stdin.isatty():
        return typed_pin()
    pin = sys.stdin.readline().strip()
    if why := pins.weak(pin):
        fail(f"{why} Choose another PIN.")
    return pin


def typed_pin() -> str:
    """Ask at the terminal until a PIN is good enough, and was typed twice in the same way."""
    from table_controller.service import pins

    tell(f"{pins.RULE} The digits do not show as you type.")
    while True:
        pin = str(typer.prompt("PIN", hide_input=True))
        if why := pins.weak(pin):
            warn(f"{why} Choose another PIN.")
        elif str(typer.prompt("the PIN again", hide_input=True)) == pin:
            return pin
        else:
            warn("These were two different PINs. Type the PIN again.")


@people.command()
def remove(
    name: NameArgument, settings: SettingsOption = _SETTINGS, as_json: JsonOption = False
) -> None:
    """Remove somebody's role and broker accounts."""
    from table_controller.wiring.people import changed

    changed(settings, {"type": "person_removed", "name": name})
    answer({"name": name, "role": None}, f"{name} has no role any more.", as_json=as_json)


@people.command()
def account(
    name: NameArgument,
    device: Annotated[str, typer.Argument(help="the account: a-z, 0-9, _ and -")],
    *,
    remove: Annotated[bool, typer.Option("--remove", help="remove the account instead")] = False,
    settings: SettingsOption = _SETTINGS,
    as_json: JsonOption = False,
) -> None:
    """Give one of a person's devices an account at the broker, or a new secret.

    The secret is printed once and stored nowhere. Enter it in the device now.
    """
    from table_controller.adapters.mosquitto import new_secret, proof
    from table_controller.wiring.people import changed

    if remove:
        changed(settings, {"type": "account_removed", "account": device})
        answer({"account": device}, f"The account {device} is removed.", as_json=as_json)
        return
    secret = new_secret()
    said = {"type": "account_added", "name": name, "account": device, "proof": proof(secret)}
    changed(settings, said)
    answer({"account": device, "secret": secret}, f"{device}: {secret}", as_json=as_json)


@people.command()
def mosquitto(
    folder: Annotated[Path, typer.Option("--out", help="the folder to write them to")],
    settings: Annotated[
        list[Path] | None, typer.Option("--config", help="a table's settings; one for each table")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write Mosquitto's password and ACL files for these tables and their people."""
    from table_controller.wiring.people import write_mosquitto

    files = write_mosquitto(settings or [_SETTINGS], folder)
    sentence = f"{files[0]} and {files[1]}: let Mosquitto read them (systemctl reload mosquitto)."
    answer({"files": [str(file) for file in files]}, sentence, as_json=as_json)


@people.command("list")
def listed(settings: SettingsOption = _SETTINGS, as_json: JsonOption = False) -> None:
    """List the people, their roles, and their accounts at the broker."""
    from table_controller.wiring.people import persons

    found = persons(settings)
    if as_json:
        for person in found:
            out(_facts(person))
        return
    rows = [(p.name, p.role.value, ", ".join(a.name for a in p.accounts)) for p in found]
    lay_out("People of this table", ("name", "role", "accounts at the broker"), rows)


def _facts(person: Person) -> dict[str, Any]:
    accounts = [account.name for account in person.accounts]
    return {"name": person.name, "role": person.role.value, "accounts": accounts}
