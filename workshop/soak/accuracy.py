"""Writes the tables of vision/ACCURACY.md: `python -m workshop.soak.accuracy`.

Each table has a date, and the share of the whole that was run. A share of 1.0 takes about an hour
on two cores. People write the text between the tables.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import cv2

from workshop.bench import faces as face_speeds
from workshop.bench import vision as label_speeds
from workshop.soak import faces, filmed, gates, letters, together, vision

PAGE = Path(__file__).parents[2] / "vision" / "ACCURACY.md"
PARTS = ("lip", "barcodes", "filmed", "together", "gate", "photos", "faces", "letters", "speed")


def main() -> int:
    """Measure, print the tables, and write them. Return the exit code."""
    options = argparse.ArgumentParser(prog="python -m workshop.soak.accuracy", description=__doc__)
    options.add_argument("--share", type=float, default=1.0, help="the share to measure")
    options.add_argument("--only", choices=PARTS, action="append", help="measure only this table")
    asked = options.parse_args()
    for part in asked.only or PARTS:
        text = measured(part, asked.share)
        print(text)
        PAGE.write_text(with_part(PAGE.read_text(), part, text))
    return 0


def measured(part: str, share: float) -> str:
    """Measure a part. Return its table."""
    today = datetime.now(UTC).date()
    machine = f"{platform.machine()}, one core of {os.cpu_count()}, OpenCV {cv2.__version__}"
    match part:
        case "lip":
            return _table(("what happens", "verdicts"), vision.lip_rows())
        case "barcodes":
            return _table(("what", f"found on {today}, share {share:g}"), vision.run(share))
        case "filmed":
            return _table(("what", f"found on {today}, share {share:g}"), filmed.run(share))
        case "together":
            return _table(("what", f"found on {today}, share {share:g}"), together.run(share))
        case "gate":
            return _table(("deck", f"found on {today}, share {share:g}"), gates.run(share))
        case "photos":
            return f"Found on {today}, {machine}.\n\n{faces.photos()}"
        case "faces":
            return _table(("what", f"found on {today}, share {share:g}"), faces.run(share))
        case "letters":
            return _table(("what", f"found on {today}, share {share:g}"), letters.run(share))
        case _:
            return _table(("what", f"on {today}, {machine}"), _speeds())


def _speeds() -> Iterable[tuple[str, str]]:
    for module in (label_speeds, face_speeds):
        for name, value, unit, beside in module.rows():
            yield name, f"{value:,.3g} {unit}" + (f" ({beside})" if beside else "")


def _table(head: tuple[str, str], rows: Iterable[tuple[str, str]]) -> str:
    return "".join(f"| {left} | {right} |\n" for left, right in [head, ("---", "---"), *rows])


def with_part(page: str, part: str, text: str) -> str:
    """The page with that part's table replaced.

    Raises ValueError if the page has no place for it.
    """
    marked = re.compile(f"(<!-- {part}: written -->\n).*?(<!-- {part}: end -->)", re.DOTALL)
    page, count = marked.subn(lambda found: f"{found[1]}{text}{found[2]}", page)
    if count != 1:
        raise ValueError(f"{PAGE.name} has {count} places for {part!r} (want one)")
    return page


if __name__ == "__main__":
    sys.exit(main())
