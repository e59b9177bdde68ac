import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hardware import emulator
from hardware.emulator import EmulatorError, built

MAKEFILE = """\
all:
\t@echo made >> made.txt
\t@cp main.c $(BUILD)/board
"""


@pytest.fixture
def firmware(tmp_path, monkeypatch):
    """A firmware of one file; its `make` notes every time it is called."""
    monkeypatch.setattr(emulator, "FIRMWARE", tmp_path)
    monkeypatch.setattr(shutil, "which", lambda tool: tool)
    (tmp_path / "Makefile").write_text(MAKEFILE)
    (tmp_path / "main.c").write_text("one")
    return tmp_path


def test_what_many_ask_for_at_once_is_built_once(firmware):
    """Test workers run at the same time, and each needs the same firmware."""
    with ThreadPoolExecutor(8) as workers:
        folders = set(workers.map(built, ["all"] * 8))

    (folder,) = folders
    assert (folder / "board").read_text() == "one"
    assert (firmware / "made.txt").read_text() == "made\n"


def test_changed_sources_are_built_anew_and_the_old_build_stays(firmware):
    """A program that runs the old firmware keeps its files."""
    old = built("all")
    (firmware / "main.c").write_text("two")

    assert (built("all") / "board").read_text() == "two"
    assert (old / "board").read_text() == "one"


def test_a_build_that_fails_leaves_nothing_behind(firmware):
    """No half-made folder is taken for a whole one later."""
    makefile = firmware / "Makefile"
    makefile.write_text(MAKEFILE + "\t@echo no room >&2; exit 1\n")

    with pytest.raises(EmulatorError, match=r"make all failed.*\n.*no room"):
        built("all")
    assert [path.name for path in (firmware / "build").iterdir()] == ["lock"]


def test_a_folder_that_cannot_be_written_is_a_sentence(firmware):
    """Such as one that root has installed."""
    (firmware / "build").write_text("in the way")

    with pytest.raises(EmulatorError, match=r"cannot build the firmware: .*build"):
        built("all")


def test_another_firmware_may_be_named(tmp_path):
    """SCHLITTEN_FIRMWARE: a copy with a mistake in it, which a test must find."""
    asked = "from hardware.emulator import FIRMWARE; print(FIRMWARE)"

    said = subprocess.run(
        [sys.executable, "-c", asked],
        env={**os.environ, "SCHLITTEN_FIRMWARE": str(tmp_path)},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )

    assert said.stdout.strip() == str(tmp_path)
