"""Which games there are: the only module above the engine that names one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from table_controller.engine.chemin_de_fer import game as chemin_de_fer
from table_controller.engine.ecarte import game as ecarte
from table_controller.engine.punto_banco import game as punto_banco
from table_controller.service.errors import ConfigError
from table_controller.service.game import Game

#: As settings, house files, journals and recordings name them.
Name = Literal["chemin-de-fer", "punto-banco", "ecarte"]
#: Where a house file of before there were others names none.
FIRST: Final[Name] = "chemin-de-fer"
GAMES: Final[Mapping[str, Game[Any]]] = {
    "chemin-de-fer": chemin_de_fer,
    "punto-banco": punto_banco,
    "ecarte": ecarte,
}


def game(name: str) -> Game[Any]:
    """The game of that name. Raises ConfigError, naming those that there are."""
    if name not in GAMES:
        raise ConfigError(f"unknown game {name!r}: want one of {', '.join(GAMES)}")
    return GAMES[name]
