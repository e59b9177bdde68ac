"""One interface per game. A name chooses it, and an unknown name gets the list of games."""

import subprocess
import sys

import pytest

from table_controller.commands.live import play
from table_controller.engine.chemin_de_fer import game as chemin_de_fer
from table_controller.service.errors import ConfigError
from table_controller.service.recording import Recorder, header
from table_controller.wiring import config, games
from table_controller.wiring.games import game
from tests.every_game import GAMES
from tests.service import counting

HOUSE = 'id = "own"\ntitle = "Our own"\nunit = "G"\nseats = 9\n'


def test_a_name_chooses_the_game():
    """Every door answers to its own name."""
    assert game("chemin-de-fer") is chemin_de_fer
    assert {name: door.name for name, door in GAMES.items()} == {name: name for name in GAMES}


def test_a_table_loads_the_game_that_it_plays_and_no_other():
    """Each takes its time at a start, which is to be under a second."""
    program = (
        "import sys; from table_controller.wiring import app, config; config.house('zoppot-1934');"
        "print({name.split('.')[2] for name in sys.modules if name.endswith('.step')})"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert done.stdout == "{'chemin_de_fer'}\n"


def test_a_recordings_header_names_its_game(tmp_path):
    """One that there is not is refused, in a sentence with those that there are."""
    file = tmp_path / "evening.jsonl"
    with Recorder(file, header(game="bridge", house="zoppot-1934", code="1")):
        pass

    there_are = "chemin-de-fer, punto-banco, ecarte"
    with pytest.raises(ConfigError, match=rf"^unknown game 'bridge': want one of {there_are}$"):
        play(file, speed=0, expect=None, told=None)


@pytest.fixture
def counted(tmp_path, monkeypatch):
    """A house of the counting game, which is one of the games as long as this test runs."""
    monkeypatch.setitem(games.DOORS, "counting", lambda: counting)
    file = tmp_path / "counted.toml"
    file.write_text(HOUSE + 'game = "counting"\n')
    return file


def test_a_house_file_that_names_no_game_is_chemin_de_fers(tmp_path):
    """People have such files, from before there were others."""
    file = tmp_path / "own.toml"
    file.write_text(HOUSE + "least_pot = 20\n")

    assert config.house(str(file)) == chemin_de_fer.house(
        id="own", title="Our own", unit="G", seats=9, least_pot=20
    )


def test_a_house_has_the_settings_of_its_game(counted):
    """Those of another one are unknown to it."""
    assert config.house(str(counted)) == counting.house(
        id="own", title="Our own", game="counting", unit="G", seats=9
    )

    counted.write_text(HOUSE + 'game = "counting"\nleast_pot = 20\n')

    with pytest.raises(ConfigError, match="line 6: least_pot = 20: there is no setting"):
        config.house(str(counted))


def test_what_no_house_of_a_game_chooses_is_no_setting_of_it(tmp_path):
    """How many cards a pack has: a house of écarté cannot say 52, nor one of punto banco 32."""
    file = tmp_path / "own.toml"
    file.write_text(HOUSE + 'game = "ecarte"\npack = 52\n')

    with pytest.raises(ConfigError, match="line 6: pack = 52: there is no setting 'pack'") as said:
        config.house(str(file))

    assert " pack," not in str(said.value)


def test_a_house_of_another_game_is_refused_naming_both(counted, tmp_path):
    """As a table's settings and a command name the game."""
    settings = tmp_path / "table.toml"
    settings.write_text(f'[table]\ngame = "chemin-de-fer"\nhouse = "{counted}"\n')

    with pytest.raises(ConfigError, match="is for counting, and the game is chemin-de-fer: "):
        config.check(settings)
    with pytest.raises(ConfigError, match="is for chemin-de-fer, and the game is counting: "):
        config.house("zoppot-1934", "counting")


def test_a_house_of_no_game_is_told_which_there_are(tmp_path):
    """With the file and the line."""
    file = tmp_path / "own.toml"
    file.write_text(HOUSE + 'game = "bridge"\n')

    with pytest.raises(ConfigError, match="line 5: unknown game 'bridge': want one of chemin-de-"):
        config.house(str(file))
