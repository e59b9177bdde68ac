"""Which games there are: the only module above the engine that names one.

A game is loaded when it is asked for: a table plays one, and starts the sooner.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal

from table_controller.service.errors import ConfigError
from table_controller.service.game import Game

#: As settings, house files, journals and recordings name them.
Name = Literal["chemin-de-fer", "punto-banco", "ecarte"]
#: Where a house file of before there were others names none.
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


#: What leads to each game's door.
DOORS: Final[dict[str, Callable[[], Game[Any]]]] = {
    "chemin-de-fer": _chemin_de_fer,
    "punto-banco": _punto_banco,
    "ecarte": _ecarte,
}


def game(name: str) -> Game[Any]:
    """The game of that name. Raises ConfigError, naming those that there are."""
    if name not in DOORS:
        raise ConfigError(f"unknown game {name!r}: want one of {', '.join(DOORS)}")
    return DOORS[name]()
