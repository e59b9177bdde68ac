"""The plugin for pytest, as an owner calls it: the shipped scenarios, his own, and bad ones."""

import re
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from hardware import scenarios
from hardware.emulator import ToolsMissing
from hardware.lab import Heard, PacedRung
from table_controller.commands.hil.rehearse import Playing, play
from table_controller.engine.alerts import DEVICES
from table_controller.service.scenario import read
from table_controller.wiring import config
from table_controller.wiring.games import game

pytest_plugins = ("pytester",)
SHIPPED = Path(scenarios.__file__).parent
HEAD = "game chemin-de-fer\nhouse zoppot-1934\n"


@pytest.fixture
def pytest_says(pytester, monkeypatch):
    """Exit code and text of pytest with the plugin, in a folder and a process of its own."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")

    def says(*words):
        plugin = ("-p", "table_controller.testing.plugin", "-p", "no:cacheprovider")
        done = pytester.runpytest_subprocess(*plugin, "-rs", *words)
        return done.ret, f"{done.stdout}{done.stderr}"

    return says


#: Played in every run on the firmware of 74HC595, and of APA102; `scripts/soak` plays all on all.
ON_HC595 = (
    *("lid_in_a_coup", "line_cut", "board_hangs", "eight_buttons", "button_bounces", "lid_bounces"),
    *("storm_on_the_lid", "boot_loader_waits", "ecarte_displays", "punto_lamps_of_who_draws"),
    *("lamps_of_a_won_bank", "alert_stray_card", "white_flickers", "line_flips"),
)
ON_APA102 = ("lamps_while_staking", "lamps_of_the_word", "board_reset")
#: The ids of all alerts that the engine raises; a device's name follows `device-`.
ALERTS = {
    *("lid", "lid-stop", "power-fail", "cut-card-count", "cut-card-seen", "white-card"),
    *("white-missed", "schlitten-miscounted", "slow-look", "faux-claim", "misdeal"),
    *("cards-run-out", "card-stray-", "card-unread-", "device-disk-full"),
    *(f"device-{name}" for name in DEVICES),
}


def library():
    """The scenarios' texts, by name."""
    return {path.stem: path.read_text() for path in SHIPPED.glob("*.scenario")}


def test_every_shipped_scenario_holds_on_the_twin(pytest_says):
    """Each says what it is for, and nobody made its lines."""
    texts = library()
    code, told = pytest_says(str(SHIPPED), "--board", "twin")

    assert code == 0, told
    assert f"{len(texts)} passed" in told
    assert len(texts) >= 60
    for name, text in texts.items():
        assert text.startswith("# "), name
        assert "\n~" not in text, name


@pytest.mark.parametrize(
    ("board", "names"), [("emulated", ON_HC595), ("emulated-apa102", ON_APA102)]
)
def test_a_share_of_them_holds_on_the_firmware(pytest_says, board, names):
    """In both builds."""
    files = [str(SHIPPED / f"{name}.scenario") for name in names]
    code, told = pytest_says(*files, "--board", board)

    assert code == 0, told
    assert f"{len(files)} passed" in told or "skipped" in told


def test_the_library_holds_every_alert_house_sensor_button_and_fault():
    """Whatever is added to one of these lists needs a scenario."""
    texts = "\n".join(library().values())
    assert [one for one in sorted(ALERTS) if f"alert {one}" not in texts] == []
    assert [one for one in config.houses() if f"house {one}\n" not in texts] == []
    for number in range(1, 9):
        assert re.search(rf"^button {number}\b", texts, re.MULTILINE)
    for sensor in ("beam", "lid", "white"):
        assert f"\n{sensor} " in texts
    for fault in ("bounces", "storm", "line cut", "line loses", "board reset", "board hangs"):
        assert fault in texts


def test_an_owner_s_scenarios_and_tests_are_played_and_differences_are_told(pytest_says, pytester):
    """A file that differs fails with both sides; one that cannot be read with its line."""
    (pytester.path / "good.scenario").write_text(HEAD + "lid 2 s => alert lid")
    (pytester.path / "wrong.scenario").write_text(HEAD + "lid 2 s => no alerts")
    (pytester.path / "bad.scenario").write_text(HEAD + "lid 2 s => lampe 4 off")
    (pytester.path / "empty.scenario").write_text(HEAD)
    (pytester.path / "test_mine.py").write_text(
        "import pytest\n"
        f"def test_it(table, board):\n    assert table({HEAD + 'lid 2 s => alert lid'!r}).holds\n"
        "    assert board == 'twin'\n"
        f"def test_not(table):\n    table({HEAD + 'lid 2 s => no alerts'!r})\n"
        "@pytest.mark.real_board\ndef test_real():\n    raise AssertionError\n"
    )

    code, told = pytest_says()

    assert code == 1
    assert "4 failed, 2 passed, 1 skipped" in told
    assert "=> alert lid" in told
    assert "line 3: 'lid 2 s => lampe 4 off': 'lampe 4 off' is no expectation" in told
    assert "nothing was compared" in told
    assert "no real board: name its port by --board" in told


def test_the_owner_s_test_of_the_documents_passes(pytest_says, pytester):
    """As it stands in docs/SCENARIOS.md, and `rung` beside it."""
    text = (Path(__file__).parents[2] / "docs" / "SCENARIOS.md").read_text()
    (own,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (pytester.path / "test_mine.py").write_text(
        own + "\n\ndef test_rung(rung):\n    assert rung.run(1_000).endswith(bytes(1))\n"
    )

    code, told = pytest_says()

    assert code == 0, told
    assert "3 passed" in told


BROKER = (
    HEAD
    + """seat 1 sits 500 Anna
seat 2 sits 500 Berta
schlitten blue
seat 1 banks 10
seat 2 banco solo
card 9h [lip]"""
)


def test_an_owner_s_test_hears_what_the_broker_was_told(pytest_says, pytester):
    """Events as guests get them; a broker that is down is told nothing, and there is an alert."""
    (pytester.path / "test_mine.py").write_text(
        f"def test_heard(table, broker):\n    table({BROKER + ' => no alerts'!r})\n"
        "    (drawn,) = broker.events('card_drawn')\n"
        "    assert (drawn['seat'], drawn['ordinal']) == (2, 1)\n"
        "    assert broker.heard[0][0].startswith('schlitten/2/scenario/table-1/')\n"
        f"def test_down(table, broker):\n    broker.down()\n"
        f"    table({BROKER + ' => alert device-broker'!r})\n    assert broker.heard == []\n"
    )

    code, told = pytest_says()

    assert code == 0, told
    assert "2 passed" in told


def test_the_lab_s_board_is_on_no_other_machine(pytest_says, pytester):
    """Kernel modules are loaded in the lab alone; the sentence says how to get there."""
    (pytester.path / "lid.scenario").write_text(HEAD + "lid 2 s => alert lid")

    code, told = pytest_says("--board", "lab")

    assert code == 1
    assert "This machine is no lab" in told
    assert "scripts/lab" in told


PACED = (
    HEAD
    + """wire 2 reste
0:00.100 seat 1 sits 1000 Anna
0:00.200 seat 2 sits 1000 Berta
0:00.300 schlitten blue
0:00.400 seat 1 banks 10
0:00.500 seat 2 banco solo
0:00.600 card 9h [lip]
0:00.700 card 2d [lip]
0:00.800 card Kc [lip]
0:00.900 card 4s [lip]
0:01.500 button 2 1.5 s => journal said {"word":"reste"}, digits 10 10
0:04.000 lid 1.5 s => alert lid-stop
"""
)


def test_the_firmware_in_real_time_is_seen_and_moved_at_its_port(monkeypatch):
    """As in the lab, with a pty in place of the USB plug: a lid, a button, the digits."""

    @contextmanager
    def here():
        with Heard() as board, closing(PacedRung(board, board.path)) as rung:
            yield rung

    monkeypatch.setattr("hardware.lab.lab", here)
    played = game("chemin-de-fer")
    try:
        verdict = play(played, read(played, PACED, "paced"), Playing(board="lab"))
    except ToolsMissing as error:
        pytest.skip(str(error))

    assert verdict.holds, str(verdict)
    assert verdict.compared == 3
