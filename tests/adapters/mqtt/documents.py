"""What docs/asyncapi.json and docs/schemas.json must hold: `scripts/generate` writes them."""

from importlib.metadata import version
from pathlib import Path

from table_controller.adapters.mqtt_schema import documents
from table_controller.engine.chemin_de_fer import game
from table_controller.wiring.into import by_broker

DOCS = Path(__file__).parents[3] / "docs"


def current() -> dict[str, bytes]:
    """The documents as the code says now, by file name."""
    return documents(game.events, game.inputs, by_broker(game), version=version("schlitten"))


def made() -> dict[Path, bytes]:
    """The documents as they should be."""
    return {DOCS / name: content for name, content in current().items()}


if __name__ == "__main__":
    for path, content in made().items():
        path.write_bytes(content)
