"""Reads and changes a table's list of people in its journal, while the table does not run."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from table_controller.adapters.broker_rules import BrokerAccount, BrokerRole, User, table_user
from table_controller.adapters.mosquitto import acl, passwords
from table_controller.adapters.mqtt_names import TableId
from table_controller.engine.messages import Refused
from table_controller.engine.table.roles import CONSOLE, Person
from table_controller.service.archive import Archive
from table_controller.service.errors import ServiceError
from table_controller.service.reading import InputReader
from table_controller.service.recovery import recover
from table_controller.service.sealing import Keys, load_keys
from table_controller.wiring import config, games
from table_controller.wiring.accounts import accounts
from table_controller.wiring.app import Service
from table_controller.wiring.plan import Plan, promising


class NotChanged(ServiceError):
    """The list of people could not be changed. The text says why."""


def keys_of(path: Path) -> Keys:
    """Return the keys of the table whose settings are at `path`.

    Raises ConfigError, KeyFileError.
    """
    return load_keys(config.load(path).journal.key, os.environ)


def persons(path: Path) -> tuple[Person, ...]:
    """Return the people with a role at the table whose settings are at `path`.

    This works even while the table runs.
    """
    settings = config.load(path)
    house = config.house(settings.table.house, settings.table.game)
    game = games.game(house.game)
    keys = load_keys(settings.journal.key, os.environ)
    with closing(Archive.read(settings.journal.path, keys)) as archive:
        begun = game.begin(house, promising(keys, archive))
        return game.persons(recover(archive, game, lambda: begun).state)


def write_mosquitto(paths: Sequence[Path], folder: Path) -> tuple[Path, Path]:
    """Write Mosquitto's password and ACL files for the tables whose settings are at `paths`.

    Return the paths of both files. Raises NotChanged if two tables have accounts of the same name,
    or if a file cannot be written.
    """
    everybody: dict[str, BrokerAccount] = {}
    users: list[User] = []
    for path in paths:
        table = config.load(path).table
        at = TableId(table.site, table.name)
        users.append(User(table_user(at), BrokerRole.TABLE, at))
        for account in accounts(persons(path), at):
            if account.user.name in everybody:
                raise NotChanged(
                    f"two tables have an account {account.user.name!r}: give one of them another "
                    "name (`schlitten people account`)."
                )
            everybody[account.user.name] = account
            users.append(account.user)
    files = folder / "mosquitto.passwd", folder / "schlitten.acl"
    for file, text in zip(files, (passwords(everybody.values()), acl(users)), strict=True):
        _replace(file, text)
    return files


def _replace(file: Path, text: str) -> None:
    """Write a file that only its owner and group can read, all or nothing. Raises NotChanged."""
    fresh = file.with_name(file.name + ".new")
    try:
        fresh.unlink(missing_ok=True)
        fresh.touch(0o640, exist_ok=False)
        with fresh.open("w") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        if file.exists():  # the file keeps its owner, Mosquitto
            os.chown(fresh, file.stat().st_uid, file.stat().st_gid)
        fresh.replace(file)
    except OSError as error:
        raise NotChanged(f"cannot write {file}: {error.strerror}. Name a folder for it.") from None


def opened(settings: config.Config) -> Service:
    """Open the table with these settings, with only its journal.

    Raises JournalBusy while the table runs.
    """
    return Service(
        Plan(
            table=TableId(settings.table.site, settings.table.name),
            house=config.house(settings.table.house, settings.table.game),
            keys=load_keys(settings.journal.key, os.environ),
            journal=settings.journal.path,
        )
    )


def changed(path: Path, *inputs: Mapping[str, object]) -> None:
    """Put in inputs at the table of these settings, as somebody at the machine itself.

    Raises NotChanged, BadInput, and JournalBusy while the table runs.
    """
    service = opened(config.load(path))
    with closing(service.journal):
        for said in inputs:
            heard = InputReader(service.game.inputs).read(said, CONSOLE)
            for event, _ in service.table.take(heard, service.plan.clock()):
                if isinstance(event, Refused):
                    raise NotChanged(f"{event.why} {event.remedy}")
