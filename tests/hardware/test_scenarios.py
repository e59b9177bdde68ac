"""The plugin for pytest, as an owner calls it: the shipped scenarios, his own, and bad ones."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hardware import scenarios

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


@pytest.mark.parametrize("board", ["twin", "emulated"])
def test_every_shipped_scenario_holds(tmp_path, board):
    """On the twin and on the firmware; each says what it is for, and nobody made its lines."""
    files = list(SHIPPED.glob("*.scenario"))
    code, told = pytest_says(tmp_path, str(SHIPPED), "--board", board)

    assert code == 0, told
    assert f"{len(files)} passed" in told or "skipped" in told
    for file in files:
        text = file.read_text()
        assert text.startswith("# "), file.name
        assert "\n~" not in text, file.name


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
