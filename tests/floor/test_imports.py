"""A table never loads the parts that only the floor needs: its memory and start have budgets."""

from __future__ import annotations

import subprocess
import sys

LOADED = """
import sys
import table_controller.wiring.app, table_controller.commands.live, table_controller.commands.cli
import table_controller.commands.demo
print(*sorted(name for name in sys.modules if name.partition(".")[0] in
    ("sqlalchemy", "alembic") or name.startswith("table_controller.floor")))
"""


def test_a_table_loads_nothing_of_the_floor():
    done = subprocess.run(
        [sys.executable, "-c", LOADED], capture_output=True, text=True, check=True
    )

    assert done.stdout.split() == []
