"""A table loads only what it needs: its memory and its start have budgets."""

from __future__ import annotations

import subprocess
import sys

SERVED = tuple(
    f"table_controller.{name}" for name in ("wiring.app", "commands.live", "commands.cli")
)


def loaded(*modules):
    """The modules that a process of its own loads with these."""
    script = f"import sys, {', '.join(modules)}\nprint(*sys.modules)"
    words = [sys.executable, "-c", script]
    return set(subprocess.run(words, capture_output=True, text=True, check=True).stdout.split())


def test_a_table_loads_nothing_of_the_floor():
    """Nor does the evening to watch."""
    names = loaded(*SERVED, "table_controller.commands.demo")

    assert {"sqlalchemy", "alembic"} & {name.partition(".")[0] for name in names} == set()
    assert {name for name in names if name.startswith("table_controller.floor")} == set()


def test_a_table_without_a_camera_loads_nothing_that_reads_pictures():
    assert {"cv2", "numpy", "zxingcpp", "pyzbar"} & loaded(*SERVED) == set()
