"""Write docs/asyncapi.json and docs/schemas.json: `python -m tests.adapters.mqtt.documents`."""

from importlib.metadata import version
from pathlib import Path

from table_controller.adapters.mqtt_schema import documents
from table_controller.engine.chemin_de_fer import game
from table_controller.wiring.app import by_broker

DOCS = Path(__file__).parents[3] / "docs"


def current() -> dict[str, bytes]:
    """The documents as the code says now, by file name."""
    return documents(game.events, game.inputs, by_broker(game), version=version("schlitten"))


if __name__ == "__main__":
    for name, content in current().items():
        (DOCS / name).write_bytes(content)
