"""Which games there are: the only module above the engine that names one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from table_controller.engine.chemin_de_fer import game as chemin_de_fer
from table_controller.service.errors import ConfigError
from table_controller.service.game import Game

_DOORS: tuple[Game[Any], ...] = (chemin_de_fer,)
#: Each game's door by the name that settings, house files, journals and recordings have.
GAMES: Final[Mapping[str, Game[Any]]] = {door.name: door for door in _DOORS}


def game(name: str) -> Game[Any]:
    """The game of that name. Raises ConfigError, naming those that there are."""
    if name not in GAMES:
        raise ConfigError(f"unknown game {name!r}: want one of {', '.join(GAMES)}")
    return GAMES[name]
