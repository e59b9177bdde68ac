"""The long runs, seeded: `scripts/soak [PART ...] [--share S] [--seed N] [--kills N] [--erase]`.

All are seeded. Each part that ran replaces its chapter of docs/SOAK.md, with the date, its share of
the whole, the commit and the minutes. So the hours need not be run in one piece.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

from rich.console import Console

from table_controller.wiring import config

#: Each has `run(share) -> rows`, of which each is a name and a finding; 1.0 is the whole run.
PARTS = (
    *("evenings", "rules", "shuffles", "pages", "overlaps", "touches", "ecarte", "pairs"),
    *("worlds", "hours"),
    *("vision", "filmed", "together", "faces", "letters", "board", "mutations"),
    "hardware_mutants",
    *("lives", "presses", "brokers", "floods", "restored", "tampered", "simulated", "recorded"),
    *("watched", "revoked", "floor", "floor_floods"),
)
#: Those that can be asked for another chance: `run(share, seed)`.
SEEDED = ("mutations", "hardware_mutants", "simulated", "floor")
#: The one that kills servers, `run(share, erase, kinds)`; how often in the whole run; and the kinds
#: of floor, of which one can be run alone.
KILLING, KILLS, KINDS = "floor", 100, ("one-box", "cluster")
#: Those that can be run house by house, so that hours can be parted: `run(share, houses)`. They
#: yield their rows, and each is written before the next is begun.
HOUSED = ("overlaps", "touches")
ROOT = Path(__file__).parents[2]
REPORT = ROOT / "docs" / "SOAK.md"

Row = tuple[str, str]


def main() -> int:
    """Run the parts. Print each one's chapter and write it into the report.

    Return the exit code.
    """
    options = argparse.ArgumentParser(prog="scripts/soak", description=__doc__)
    options.add_argument("parts", nargs="*", metavar="PART", help="run only this part")
    options.add_argument(
        "--share", type=float, default=1.0, help="the share to run; 1.0 takes hours"
    )
    options.add_argument("--only", choices=PARTS, action="append", help="run only this part")
    options.add_argument("--seed", type=int, help=f"another seed for {', '.join(SEEDED)}")
    options.add_argument("--kills", type=int, help=f"kills of each kind in {KILLING}")
    options.add_argument(
        "--erase", action="store_true", help="also erase all that the broker keeps"
    )
    options.add_argument(
        "--house",
        choices=config.houses(),
        action="append",
        help=f"only this house, in {', '.join(HOUSED)}",
    )
    options.add_argument(
        "--kind", choices=KINDS, action="append", help=f"only this kind of {KILLING}"
    )
    asked = options.parse_args()
    asked.parts = [part.replace("-", "_") for part in asked.parts]
    if unknown := sorted({*asked.parts} - {*PARTS}):
        options.error(f"there is no part {unknown[0]!r}; there are {', '.join(PARTS)}")
    console = Console(stderr=True)
    for part in [*asked.parts, *(asked.only or ())] or PARTS:
        console.print(f"soak: {part} …")
        began = time.monotonic()
        more, share = _more(asked, part), asked.share
        if part == KILLING and asked.kills is not None:
            share = asked.kills / KILLS
        text, rows = "", import_module(f"workshop.soak.{part}").run(share, **more)
        for some in rows_to_write(part, rows):
            report = REPORT.read_text()
            parted = part in HOUSED or "kinds" in more
            told = kept(report, part, some) if parted else some
            text = chapter(part, told, share, (time.monotonic() - began) / 60)
            REPORT.write_text(with_chapter(report, part, text))
        print(text)
    return 0


def rows_to_write(part: str, rows: Iterable[Row]) -> Iterator[list[Row]]:
    """All rows together, or those of a part that is run house by house as they come.

    These have their own commit each, since houses may be run at different times.
    """
    if part not in HOUSED:
        yield list(rows)
        return
    come: list[Row] = []
    for what, found in rows:
        come.append((f"{what}, at {_commit()}", found))
        yield come


def _more(asked: argparse.Namespace, part: str) -> dict[str, Any]:
    """The options for a part besides its share."""
    more: dict[str, Any] = {"erase": asked.erase} if part == KILLING else {}
    if part == KILLING and asked.kind:
        more["kinds"] = tuple(asked.kind)
    if asked.seed is not None and part in SEEDED:
        more["seed"] = asked.seed
    if asked.house and part in HOUSED:
        more["houses"] = tuple(asked.house)
    return more


def chapter(part: str, rows: list[Row], share: float, minutes: float) -> str:
    """The report's chapter about a part that ran."""
    run = f"share {share:g} of the whole, {minutes:.1f} min, at {_commit()}"
    lines = [
        f"## {part}\n",
        f"{datetime.now(UTC).date()}, {run}.\n",
        "| what | found |",
        "|---|---|",
        *("| " + " | ".join(map(str, row)) + " |" for row in rows),
    ]
    return "\n".join(lines) + "\n"


def kept(report: str, part: str, rows: list[Row]) -> list[Row]:
    """The new rows, after those that the report has of other houses, or kinds of floor."""
    found = re.search(rf"^## {part}\n(.*?)(?=^## |\Z)", report, re.MULTILINE | re.DOTALL)
    told = re.findall(r"^\| (.+?) \| (.+) \|$", found[1], re.MULTILINE) if found else []
    ours = {what.partition(",")[0] for what, _ in rows}
    others = [row for row in told if row[0] != "what" and row[0].partition(",")[0] not in ours]
    return [*others, *rows]


def with_chapter(report: str, part: str, text: str) -> str:
    """The report with that part's chapter replaced, or added at the end."""
    found = re.compile(rf"^## {part}\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
    if found.search(report):
        return found.sub(lambda _: text + "\n", report).rstrip() + "\n"
    return f"{report.rstrip()}\n\n{text}"


def _commit() -> str:
    """The commit that was run, with a plus if anything but the report was changed since."""
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
