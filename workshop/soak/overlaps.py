"""Whole evenings of each house on every page: no two boxes intersect, in any language or theme.

A picture of each phase that the evening does not come to follows (workshop/phases.py).
The croupier's page is shown twice: with a reader, and with cards that are typed.
The check is the one that tests/adapters/web/test_page_overlaps.py makes on a sample. A picture is
left out if each place of it is laid out as in one before, of this house or of another. Overlaps are
printed as they are found, and are an AssertionError at the end.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator

from rich.console import Console

from table_controller.adapters.web.screens import Parts, Renderer
from table_controller.rules.houses import House
from table_controller.wiring import config
from table_controller.wiring.games import game
from table_controller.words import LOCALES
from tests.adapters.web import overlaps
from tests.adapters.web.layouts import unlike
from tests.adapters.web.overlaps import SIZES, Fault, Looking, Moment, Screen
from tests.adapters.web.served import chromium
from workshop import phases

COUPS = 45
#: The layouts that were looked at on each page.
Seen = dict[str, set[object]]


def run(share: float, houses: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Yield name and finding of each house; 1.0 is the whole: 45 coups with mishaps of each.

    A house with overlaps has no row. It is an AssertionError after the others.
    """
    wrong: list[str] = []
    seen: Seen = {path: set() for path in overlaps.PATHS}
    for name in houses or config.houses():
        row, found = _house(name, max(1, round(share * COUPS)), seen)
        if found:
            wrong.append(": ".join(row))
        else:
            yield row
    assert not wrong, wrong


def _house(name: str, coups: int, seen: Seen) -> tuple[tuple[str, str], int]:
    """The row of a house, and how many overlaps were found."""
    house = config.house(name)
    moments = overlaps.evening(house, coups=coups, mishaps=True)
    rest = phases.others(game(house.game), (one.table for one in moments))
    moments += [Moment(number, table) for number, table in enumerate(rest, len(moments))]
    few = {
        (path, by_hand): list(unlike(_rendered(house, moments, path, by_hand), seen[path]))
        for path in seen
        for by_hand in ((False, True) if path == "/" else (False,))
    }
    looks, boxes, found = 0, 0, Counter[str]()
    for locale in LOCALES:
        faults: list[Fault] = []
        with chromium() as browser:  # a new one, since it keeps what it has seen
            for (path, by_hand), pictures in few.items():
                looking = Looking(browser, _screens(path, locale))
                faults += looking.faults(name, pictures, by_hand=by_hand)
                looks, boxes = looks + looking.looks, boxes + looking.boxes
        Console(stderr=True).print(f"  {name}, {locale}: {looks:,} looks, {len(faults)} faults")
        print(*overlaps.told(faults), sep="\n", end="", file=sys.stderr, flush=True)
        found.update(fault.what[0] for fault in faults)
    shown = f"{name}, {coups} coups, {len(moments)} pictures"
    alike = " and ".join(str(len(one)) for one in few.values()) + " laid out as none before"
    told = f"{alike}, {looks:,} looks, {boxes:,} boxes: {_told(found)}"
    return (shown, told), found.total()


def _rendered(
    house: House, moments: list[Moment], path: str, by_hand: bool
) -> Iterator[tuple[Moment, Parts]]:
    """Each picture with the parts of that page. Other languages differ from English in words."""
    door, audience, renderer = game(house.game), overlaps.PATHS[path], Renderer()
    for one in moments:
        snap = overlaps.shot(door, one, audience, by_hand=by_hand)
        yield one, renderer.parts(snap, audience)


def _screens(path: str, locale: str) -> list[Screen]:
    """That page in every size. Only the English one compares themes: no language has colours."""
    themes, sheets = locale == "en", locale in ("en", "hu")
    return [Screen(path, size, locale, themes=themes, sheets=sheets) for size in SIZES]


def _told(found: Counter[str]) -> str:
    return ", ".join(f"{count} × {kind}" for kind, count in found.items()) or "0 overlaps"
