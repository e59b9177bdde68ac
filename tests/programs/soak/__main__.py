"""The long runs, seeded: `scripts/soak [--share S] [--only NAME] [--seed N] [--kills N] [--erase]`.

Each part that ran replaces its chapter of docs/SOAK.md, with its day, its share of the whole, the
commit and the minutes. So the hours need not be run in one piece.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import time
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

from rich.console import Console

#: Each has `run(share) -> rows`, a row being name and finding; 1.0 is the whole run.
PARTS = (
    *("evenings", "rules", "shuffles", "pages", "overlaps", "touches", "ecarte", "pairs"),
    *("worlds", "hours"),
    *("vision", "filmed", "together", "faces", "letters", "board", "mutations"),
    "hardware_mutants",
    *("lives", "presses", "brokers", "floods", "restored", "tampered", "simulated", "recorded"),
    "watched",
    "floor",
)
#: Those that can be asked for another chance: `run(share, seed)`.
SEEDED = ("mutations", "hardware_mutants")
#: The one that kills servers, `run(share, erase)`, and how often in the whole run.
KILLING, KILLS = "floor", 100
ROOT = Path(__file__).parents[3]
REPORT = ROOT / "docs" / "SOAK.md"


def main() -> int:
    """Run the parts; print each one's chapter and write it."""
    options = argparse.ArgumentParser(prog="scripts/soak", description=__doc__)
    options.add_argument("--share", type=float, default=1.0, help="1.0 is the whole, hours long")
    options.add_argument("--only", choices=PARTS, action="append", help="just this part")
    options.add_argument("--seed", type=int, help=f"another chance, of {', '.join(SEEDED)}")
    options.add_argument("--kills", type=int, help=f"how many deaths of each kind of {KILLING}")
    options.add_argument("--erase", action="store_true", help="all that its broker keeps, too")
    asked = options.parse_args()
    console = Console(stderr=True)
    for part in asked.only or PARTS:
        console.print(f"soak: {part} …")
        began = time.monotonic()
        more = {} if asked.seed is None or part not in SEEDED else {"seed": asked.seed}
        share = asked.share
        if part == KILLING:
            more = {"erase": asked.erase}
            share = share if asked.kills is None else asked.kills / KILLS
        rows = import_module(f"tests.programs.soak.{part}").run(share, **more)
        text = chapter(part, rows, share, (time.monotonic() - began) / 60)
        print(text)
        REPORT.write_text(with_chapter(REPORT.read_text(), part, text))
    return 0


def chapter(part: str, rows: list[tuple[str, str]], share: float, minutes: float) -> str:
    """What the report says of a part that ran."""
    run = f"share {share:g} of the whole, {minutes:.1f} min, at {_commit()}"
    lines = [
        f"## {part}\n",
        f"{datetime.now(UTC).date()}, {run}.\n",
        "| what | found |",
        "|---|---|",
        *("| " + " | ".join(map(str, row)) + " |" for row in rows),
    ]
    return "\n".join(lines) + "\n"


def with_chapter(report: str, part: str, text: str) -> str:
    """The report with that part's chapter replaced, or added at its end."""
    found = re.compile(rf"^## {part}\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
    if found.search(report):
        return found.sub(lambda _: text + "\n", report).rstrip() + "\n"
    return f"{report.rstrip()}\n\n{text}"


def _commit() -> str:
    """The commit that was run, with a plus where anything but the report was changed since."""
    if shutil.which("git") is None:
        return "?"
    head = _git("rev-parse", "--short", "HEAD")
    changed = _git("diff", "--quiet", "HEAD", "--", ".", ":!docs/SOAK.md").returncode
    return (head.stdout.strip() or "?") + ("+" if changed else "")


def _git(*words: str) -> subprocess.CompletedProcess[str]:
    call = ("git", "-C", str(ROOT), *words)
    return subprocess.run(call, capture_output=True, text=True, check=False)


if __name__ == "__main__":
    sys.exit(main())
