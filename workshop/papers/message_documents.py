"""The documents of the messages in docs/, as they should be. `scripts/generate` writes them."""

from importlib.metadata import version
from pathlib import Path
from typing import Any

from table_controller.service.game import Game
from table_controller.wiring.inputs import by_broker
from tests.every_game import GAMES
from workshop.papers.mqtt_schema import Spoken, documents

DOCS = Path(__file__).parents[2] / "docs"


def spoken(game: Game[Any]) -> Spoken:
    """The types that a game sends and accepts."""
    return Spoken(game.name, game.events, game.inputs, by_broker(game))


def current() -> dict[str, bytes]:
    """The documents that the present code gives, by file name."""
    return documents(map(spoken, GAMES.values()), version=version("schlitten"))


def made() -> dict[Path, bytes]:
    """The documents as they should be, by their paths."""
    return {DOCS / name: content for name, content in current().items()}


if __name__ == "__main__":
    for path, content in made().items():
        path.write_bytes(content)
