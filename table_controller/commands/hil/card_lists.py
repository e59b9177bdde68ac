"""A list of cards becomes a scenario: simulated people play these cards at a table with a twin.

Their inputs, with the events, are a recording, which is then played on any board.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from msgspec.structs import replace

from table_controller.commands.hil import scenarios
from table_controller.commands.simulated.cards import stream
from table_controller.commands.simulated.many import EveningOrder, play
from table_controller.rules.houses import House
from table_controller.service.game import Game
from table_controller.service.scenario import Scenario, ScenarioError

#: The evening ends with the last card, long before this many coups.
_ENOUGH: Final = 100_000


def load(path: Path, house: House) -> tuple[Game[Any], Scenario]:
    """Let people play these cards. Return their evening as a scenario.

    Raises ConfigError for a bad list, ScenarioError for an evening that is not as it must be.
    """
    with TemporaryDirectory(prefix="schlitten-stream-") as folder:
        written = Path(folder) / "evening.jsonl"
        cards = stream(path, house)
        order = EveningOrder(house=house, seed=1, coups=_ENOUGH, stream=cards, written=written)
        differences = play(order).differences
        if differences:
            raise ScenarioError(f"{path}, played by simulated people: {'; '.join(differences)}.")
        game, found = scenarios.load(written)
    return game, replace(found, name=path.name)
