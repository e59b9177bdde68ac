"""Lets promtool check the rules for Prometheus, their tests, and every query of the dashboard.

The dashboard is Grafana's.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from tests.floor.dashboard import HERE, RULES, queries

TESTS = HERE / "alerts_test.yml"


def run(_share: float) -> list[tuple[str, str]]:
    """Check the rules, their tests and the queries.

    That takes a second, so the share does not matter.
    """
    rules = promtool("check", "rules", str(RULES))
    promtool("test", "rules", str(TESTS))
    some = list(queries())
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "queries.yml"
        file.write_text(recorded(some))
        promtool("check", "rules", str(file))
    found = re.search(r"(\d+) rules found", rules)
    assert found is not None
    return [
        ("rules for Prometheus that promtool takes, each with a test", found[1]),
        ("queries of the dashboard that promtool can parse", f"{len(some)} of {len(some)}"),
    ]


def promtool(*words: str) -> str:
    """Run promtool. Return what it prints. Raises AssertionError if it complains."""
    program = shutil.which("promtool")
    assert program, "promtool is missing: apt install prometheus"
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def recorded(some: list[str]) -> str:
    """Write the queries as rules, which promtool parses without a server."""
    rules = [{"record": f"query:{number}", "expr": one} for number, one in enumerate(some)]
    return json.dumps({"groups": [{"name": "dashboard", "rules": rules}]})
