"""The list of games. Above the engine, only this module names a game.

A game is loaded only when somebody asks for it: a table plays only one game, and so starts sooner.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal

from table_controller.service.errors import ConfigError
from table_controller.service.game import Game

#: The names used in settings, house files, journals and recordings.
Name = Literal["chemin-de-fer", "punto-banco", "ecarte"]
#: The game of a house file that names no game. Such files are older than the other games.
FIRST: Final[Name] = "chemin-de-fer"


def _chemin_de_fer() -> Game[Any]:
    from table_controller.engine.chemin_de_fer import game  # noqa: PLC0415 # see above

    return game


def _punto_banco() -> Game[Any]:
    from table_controller.engine.punto_banco import game  # noqa: PLC0415 # see above

    return game


def _ecarte() -> Game[Any]:
    from table_controller.engine.ecarte import game  # noqa: PLC0415 # see above

    return game


#: Each game's interface, loaded by calling.
DOORS: Final[dict[str, Callable[[], Game[Any]]]] = {
    "chemin-de-fer": _chemin_de_fer,
    "punto-banco": _punto_banco,
    "ecarte": _ecarte,
}


def game(name: str) -> Game[Any]:
    """Return the game of that name. Raises ConfigError, whose text lists the games."""
    if name not in DOORS:
        raise ConfigError(f"unknown game {name!r}: want one of {', '.join(DOORS)}")
    return DOORS[name]()
