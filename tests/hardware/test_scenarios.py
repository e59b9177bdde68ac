"""The plugin for pytest, as an owner calls it: the shipped scenarios, his own, and bad ones."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hardware import scenarios
from table_controller.engine.alerts import DEVICES
from table_controller.wiring import config

SHIPPED = Path(scenarios.__file__).parent
HEAD = "game chemin-de-fer\nhouse zoppot-1934\n"


def pytest_says(folder, *words):
    """Exit code and text of pytest with the plugin, in a process of its own."""
    call = [sys.executable, "-m", "pytest", "-p", "hardware.scenarios.plugin", "-rs", *words]
    alone = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        [*call, "-p", "no:cacheprovider"],
        cwd=folder,
        env=alone,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


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


def test_every_shipped_scenario_holds_on_the_twin(tmp_path):
    """Each says what it is for, and nobody made its lines."""
    texts = library()
    code, told = pytest_says(tmp_path, str(SHIPPED), "--board", "twin")

    assert code == 0, told
    assert f"{len(texts)} passed" in told
    assert len(texts) >= 60
    for name, text in texts.items():
        assert text.startswith("# "), name
        assert "\n~" not in text, name


@pytest.mark.parametrize(
    ("board", "names"), [("emulated", ON_HC595), ("emulated-apa102", ON_APA102)]
)
def test_a_share_of_them_holds_on_the_firmware(tmp_path, board, names):
    """In both builds."""
    files = [str(SHIPPED / f"{name}.scenario") for name in names]
    code, told = pytest_says(tmp_path, *files, "--board", board)

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


def test_an_owner_s_scenarios_and_tests_are_played_and_differences_are_told(tmp_path):
    """A file that differs fails with both sides; one that cannot be read with its line."""
    (tmp_path / "good.scenario").write_text(HEAD + "lid 2 s => alert lid")
    (tmp_path / "wrong.scenario").write_text(HEAD + "lid 2 s => no alerts")
    (tmp_path / "bad.scenario").write_text(HEAD + "lid 2 s => lampe 4 off")
    (tmp_path / "empty.scenario").write_text(HEAD)
    (tmp_path / "test_mine.py").write_text(
        "import pytest\n"
        f"def test_it(table, board):\n    assert table({HEAD + 'lid 2 s => alert lid'!r}).holds\n"
        "    assert board == 'twin'\n"
        f"def test_not(table):\n    table({HEAD + 'lid 2 s => no alerts'!r})\n"
        "@pytest.mark.real_board\ndef test_real():\n    raise AssertionError\n"
    )

    code, told = pytest_says(tmp_path)

    assert code == 1
    assert "4 failed, 2 passed, 1 skipped" in told
    assert "=> alert lid" in told
    assert "line 3: 'lid 2 s => lampe 4 off': nothing can be expected by 'lampe 4 off'" in told
    assert "nothing was compared" in told
    assert "no real board: name its port by --board" in told


def test_the_owner_s_test_of_the_documents_passes(tmp_path):
    """As it stands in docs/SCENARIOS.md, and `rung` beside it."""
    text = (Path(__file__).parents[2] / "docs" / "SCENARIOS.md").read_text()
    (own,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (tmp_path / "test_mine.py").write_text(
        own + "\n\ndef test_rung(rung):\n    assert rung.run(1_000).endswith(bytes(1))\n"
    )

    code, told = pytest_says(tmp_path)

    assert code == 0, told
    assert "2 passed" in told
