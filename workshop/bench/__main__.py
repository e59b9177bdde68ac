"""One table of figures: `scripts/bench [PART ...] [--json]`. Each part is a separate process."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from importlib import import_module

import rich
from rich.progress import track
from rich.table import Table

#: Parts in the order of the table. Each has `rows()`: name, value, unit[, budget or peer].
PARTS = (
    "engine",
    "punto",
    "service",
    "replay",
    "live",
    "crowd",
    "past",
    "mqtt",
    "sent",
    "page",
    "touches",
    "floor",
    "reports",
    "flood",
    "stored",
    "board",
    "vision",
    "faces",
)


def main() -> int:
    """Run the parts and print one table. Return the exit code."""
    options = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    options.add_argument("parts", nargs="*", metavar="PART", help="run only this part")
    options.add_argument("--only", choices=PARTS, action="append", help="run only this part")
    options.add_argument("--json", action="store_true", help="one JSON object per figure")
    options.add_argument(
        "--tables", type=int, action="append", help="the number of tables of `floor`"
    )
    options.add_argument(
        "--kind", choices=("one-box", "cluster"), action="append", help="the floors of `flood`"
    )
    options.add_argument("--part", choices=PARTS, help=argparse.SUPPRESS)
    asked = options.parse_args()
    if unknown := sorted(set(asked.parts) - set(PARTS)):
        options.error(f"there is no part {unknown[0]!r}; there are {', '.join(PARTS)}")
    if asked.part:
        more = {"counts": asked.tables} if asked.tables and asked.part == "floor" else {}
        more |= {"kinds": asked.kind} if asked.kind and asked.part == "flood" else {}
        for row in import_module(f"workshop.bench.{asked.part}").rows(**more):
            print(json.dumps(list(row)))
        return 0
    table = Table("part", "what", "figure", "unit", "budget or peer", title=_machine())
    failed = 0
    parts = [*asked.parts, *(asked.only or ())] or PARTS
    for part in track(parts, "measuring", disable=asked.json, transient=True):
        # A process of its own: one part's memory and threads must not colour another's figures.
        call = [sys.executable, "-m", "workshop.bench", "--part", part]
        call += [f"--tables={count}" for count in asked.tables or ()]
        call += [f"--kind={kind}" for kind in asked.kind or ()]
        run = subprocess.run(call, capture_output=True, text=True, env=_one_thread(), check=False)
        failed |= run.returncode
        sys.stderr.write(run.stderr if run.returncode else "")
        for line in run.stdout.splitlines():
            if not line.startswith("["):
                continue
            name, value, unit, *more = json.loads(line)
            budget = more[0] if more else ""
            if asked.json:
                print(json.dumps({"part": part, "name": name, "value": value, "unit": unit}))
            table.add_row(part, name, _figure(value), unit, budget)
    if not asked.json:
        rich.print(table)
    return failed


def _one_thread() -> dict[str, str]:
    return {**os.environ, "OMP_NUM_THREADS": "1", "OPENCV_FOR_THREADS_NUM": "1"}


def _machine() -> str:
    now = datetime.now(UTC).strftime("%Y-%m-%d")
    return f"{now}, {os.cpu_count()} cores {platform.machine()}, Python {platform.python_version()}"


def _figure(value: object) -> str:
    if not isinstance(value, float | int) or isinstance(value, bool):
        return str(value)
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:,.3g}"


if __name__ == "__main__":
    sys.exit(main())
