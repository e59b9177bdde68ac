"""Slips planted in a copy of the firmware. The shipped scenarios must notice each."""

import os
import shutil
from pathlib import Path

import pytest

from hardware.emulator import FIRMWARE
from tests.hardware.test_scenarios import SHIPPED, pytest_says

__all__ = ["pytest_says"]  # a fixture
pytest_plugins = ("pytester",)

#: File, what stands there once, and what is put in its place.
SLIPS = (
    ("show.c", "return phase < PHASES / 2;", "return phase < PHASES / 2 - 1;"),
    (
        "show.c",
        "BUZZER_TWICE:\n        return phase == 0 || phase == 2;",
        "BUZZER_TWICE:\n        return phase == 0;",
    ),
    ("show.c", "return phase == 0;", "return false;"),
)


@pytest.mark.parametrize("slip", SLIPS, ids=range(len(SLIPS)))
def test_a_slip_of_the_firmware_is_noticed(tmp_path, monkeypatch, pytest_says, slip):
    """A rhythm or a tone that a person would see or hear to be wrong."""
    if any(shutil.which(tool) is None for tool in ("make", "gcc", "avr-gcc")):
        pytest.skip("no avr-gcc, gcc or make here: the firmware cannot be built")
    file, old, new = slip
    copy = tmp_path / "firmware"
    shutil.copytree(FIRMWARE, copy, ignore=shutil.ignore_patterns("build"))
    source = Path(copy / file)
    text = source.read_text()
    assert text.count(old) == 1
    source.write_text(text.replace(old, new))
    monkeypatch.setitem(os.environ, "SCHLITTEN_FIRMWARE", str(copy))

    code, told = pytest_says(str(SHIPPED), "--board", "emulated", "-x")

    assert code == 1, told
    assert "not as expected" in told
