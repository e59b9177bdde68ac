"""Draws every picture of whole evenings on every page. No two boxes may overlap.

Each page is drawn in every language and theme. The check is the one that
tests/adapters/web/test_page_overlaps.py makes on a sample. Overlaps are printed as they are found,
and are an AssertionError at the end.
"""

from __future__ import annotations

import sys
from collections import Counter

from rich.console import Console

from table_controller.wiring import config
from table_controller.words import LOCALES
from tests.adapters.web import overlaps
from tests.adapters.web.overlaps import SIZES, Looking, Screen
from tests.adapters.web.served import chromium

COUPS = 45


def run(share: float, houses: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    """Return a row of name and finding for each house.

    A share of 1.0 is the whole: 45 coups of each house, with mishaps.
    """
    coups = max(1, round(share * COUPS))
    rows, wrong, console = [], 0, Console(stderr=True)
    for name in houses or config.houses():
        moments = overlaps.evening(config.house(name), coups=coups, mishaps=True)
        looks = boxes = 0
        found = Counter[str]()
        for locale in LOCALES:
            screens = [
                Screen(path, size, locale, themes=True, sheets=locale in ("en", "hu"))
                for path in overlaps.PATHS
                for size in SIZES
            ]
            with chromium() as browser:  # a new one, since it keeps what it has seen
                looking = Looking(browser, screens)
                faults = list(looking.faults(name, moments))
            console.print(f"  {name}, {locale}: {len(moments)} pictures, {len(faults)} faults")
            print(*overlaps.told(faults), sep="\n", end="", file=sys.stderr, flush=True)
            found.update(fault.what[0] for fault in faults)
            looks, boxes = looks + looking.looks, boxes + looking.boxes
        shown = f"{name}, {coups} coups, {len(moments)} pictures"
        seen = f"{looks:,} looks at different layouts, {boxes:,} boxes"
        rows.append((shown, f"{seen}: {_told(found)}"))
        wrong += found.total()
    assert not wrong, rows
    return rows


def _told(found: Counter[str]) -> str:
    return ", ".join(f"{count} × {kind}" for kind, count in found.items()) or "0 overlaps"
