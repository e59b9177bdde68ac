"""One door per game: a name chooses it, and an unknown name is told which there are."""

import pytest

from table_controller.commands.show import play
from table_controller.engine.chemin_de_fer import game as chemin_de_fer
from table_controller.service.errors import ConfigError
from table_controller.service.recording import Recorder, header
from table_controller.wiring.games import GAMES, game


def test_a_name_chooses_the_game():
    """Every door answers to its own name."""
    assert game("chemin-de-fer") is chemin_de_fer
    assert {name: door.name for name, door in GAMES.items()} == {name: name for name in GAMES}


def test_a_recordings_header_names_its_game(tmp_path):
    """One that there is not is refused, in a sentence with those that there are."""
    file = tmp_path / "evening.jsonl"
    with Recorder(file, header(game="bridge", house="zoppot-1934", code="1")):
        pass

    with pytest.raises(ConfigError, match=r"^unknown game 'bridge': want one of chemin-de-fer$"):
        play(file, speed=0, expect=None, told=None)
