"""The long runs, seeded: `scripts/soak [--share S] [--only NAME]`; all of them: docs/SOAK.md."""

from __future__ import annotations

import argparse
import sys
import time
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

from rich.console import Console

#: Each has `run(share) -> rows`, a row being name and finding; 1.0 is the whole run.
PARTS = ("evenings", "rules", "vision", "faces", "board")
REPORT = Path(__file__).parents[2] / "docs" / "SOAK.md"


def main() -> int:
    """Run the parts; print and write the report."""
    options = argparse.ArgumentParser(prog="scripts/soak", description=__doc__)
    options.add_argument("--share", type=float, default=1.0, help="1.0 is the whole, hours long")
    options.add_argument("--only", choices=PARTS, action="append", help="just this part")
    asked = options.parse_args()
    console = Console(stderr=True)
    lines = [f"# Soak, {datetime.now(UTC).date()}, share {asked.share:g} of the whole\n"]
    for part in asked.only or PARTS:
        console.print(f"soak: {part} …")
        began = time.monotonic()
        rows = import_module(f"tests.soak.{part}").run(asked.share)
        lines.append(f"\n## {part} ({(time.monotonic() - began) / 60:.1f} min)\n")
        lines += ["| what | found |", "|---|---|"]
        lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    text = "\n".join(lines) + "\n"
    print(text)
    if not asked.only:
        REPORT.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
