"""The list of people of a table that is not being served, read and changed in its journal."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from table_controller.adapters.mqtt_names import TableId
from table_controller.engine.messages import Refused
from table_controller.engine.table.roles import CONSOLE, Person
from table_controller.service.archive import Archive
from table_controller.service.errors import ServiceError
from table_controller.service.reading import InputReader
from table_controller.service.recovery import recover
from table_controller.service.sealing import Keys, load_keys
from table_controller.wiring import config, games
from table_controller.wiring.app import Service
from table_controller.wiring.plan import Plan, promising


class NotChanged(ServiceError):
    """The list of people stays as it is."""


def keys_of(path: Path) -> Keys:
    """The keys of the table of these settings. Raises ConfigError, KeyFileError."""
    return load_keys(config.load(path).journal.key, os.environ)


def persons(path: Path) -> tuple[Person, ...]:
    """Who has a role at the table of these settings, also while it is served."""
    settings = config.load(path)
    house = config.house(settings.table.house, settings.table.game)
    game = games.game(house.game)
    keys = load_keys(settings.journal.key, os.environ)
    with closing(Archive.read(settings.journal.path, keys)) as archive:
        begun = game.begin(house, promising(keys, archive))
        return game.persons(recover(archive, game, lambda: begun).state)


def changed(path: Path, said: Mapping[str, object]) -> None:
    """Say it at the table of these settings, as somebody at the machine itself.

    Raises NotChanged, BadInput, JournalBusy where the table is being served.
    """
    settings = config.load(path)
    service = Service(
        Plan(
            table=TableId(settings.table.site, settings.table.name),
            house=config.house(settings.table.house, settings.table.game),
            keys=load_keys(settings.journal.key, os.environ),
            journal=settings.journal.path,
        )
    )
    with closing(service.journal):
        heard = InputReader(service.game.inputs).read(said, CONSOLE)
        told = service.table.take(heard, service.plan.clock())
    for event, _ in told:
        if isinstance(event, Refused):
            raise NotChanged(f"{event.why} {event.remedy}")
