"""A table loads only what it needs: its memory and its start have budgets."""

from __future__ import annotations

import subprocess
import sys

import pytest

LOADED = """
import sys
import table_controller.wiring.app, table_controller.commands.live, table_controller.commands.cli
print(*sys.modules)
"""


@pytest.fixture(scope="module")
def loaded():
    """The modules of a table that has no camera, in a process of its own."""
    words = [sys.executable, "-c", LOADED]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize("of", ["sqlalchemy", "alembic", "table_controller.floor"])
def test_a_table_loads_nothing_of_the_floor(loaded, of):
    assert {name for name in loaded if name == of or name.startswith(f"{of}.")} == set()


@pytest.mark.parametrize("of", ["cv2", "numpy", "zxingcpp", "pyzbar"])
def test_a_table_without_a_camera_loads_nothing_that_reads_pictures(loaded, of):
    assert of not in loaded
