"""Evenings played by touch alone at the page of a real process.

One script of each game is played in every size. Simulated people decide the inputs, and a finger
touches them. The process's ledger must equal the engine's own. `tests/whole/test_touched.py` does a
sample.
"""

from __future__ import annotations

import asyncio
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

from rich.console import Console

from table_controller.wiring import config
from tests.adapters.web.overlaps import SIZES
from tests.whole import touched

COUPS, SEED = 45, 7
#: One house of each game, for the sizes in which no evening is played.
SCRIPTS = ("zoppot-1934", "punto-banco", "ecarte-german")
SCRIPT_COUPS = 2
#: Mishaps: those of the lip, of people, and of each game.
MISHAPS = frozenset(
    {
        *("unread", "stray", "misdeal", "take_back"),
        *("exposed", "thrown", "faux", "face_up", "reopened", "revoke"),
    }
)
#: Inputs that are sent once, as soon as they are offered: a ruling, and a coup that is annulled.
EXTRA = (
    {"type": "ruled", "reason": "the light went out"},
    {"type": "annulled", "reason": "dealt twice"},
)


def run(share: float, houses: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Yield each evening with what was said and touched.

    A share of 1.0 is the whole: 45 coups of each house. If an evening ends early, the others are
    still played. Then an AssertionError gives the reason.
    """
    coups = max(1, round(COUPS * share))
    named = houses or config.houses()
    evenings = [(name, coups, SIZES[0]) for name in named]
    few = min(coups, SCRIPT_COUPS)
    evenings += [(name, few, size) for name in SCRIPTS if name in named for size in SIZES[1:]]
    wrong, console = [], Console(stderr=True)
    for evening in evenings:
        try:
            row = _row(*evening)
        except AssertionError as error:
            wrong.append(f"{evening}: {error}")
            console.print(f"  {wrong[-1]}")
        else:
            console.print(f"  {': '.join(row)}")
            yield row
    assert not wrong, wrong


def _row(name: str, coups: int, size: tuple[int, int]) -> tuple[str, str]:
    with TemporaryDirectory(prefix="soak-touches-") as folder:
        evening = touched.play(
            Path(folder), name, coups=coups, seed=SEED, size=size, faults=MISHAPS, extra=EXTRA
        )
        try:
            played = asyncio.run(evening)
        except AssertionError:
            stuck = Path(folder) / "stuck.png"  # what the page showed when nothing went on
            if stuck.exists():
                shutil.copy(stuck, Path(gettempdir()) / f"soak-touches-{name}.png")
            raise
    assert played.money == played.ledger, f"{name}: {played.ledger} lies, not {played.money}"
    return f"{name}, {played.coups} coups, {size[0]} x {size[1]}", _told(played)


def _told(played: touched.Played) -> str:
    said: Counter[str] = played.said
    named = ("bids", "annulled", "ruled", "stray_ruled", "card_named", "takes_back")
    among = ", ".join(f"{said[kind]} {kind}" for kind in named if said[kind])
    return f"{played.touches:,} touches for {said.total():,} inputs ({among}); equal"
