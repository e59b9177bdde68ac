"""What a lip can tell of cards: how quick, how large, how soon. Knows its numbers and no camera.

Counting the numbers together is for whoever sets a lip up; nothing is read by this.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter
from typing import Final

from vision import specimen
from vision.judging import QUICK
from vision.lip import Lip
from vision.reader import EyeOnFrame

_PICTURES = 5
_ASKEW: Final = math.sin(math.radians(5))  # so far a card may lie turned to its way
_CELLS_MM = 2.0  # of the gate, at the picture's ends: what reaches into these is cut
_WAY_MM = 0.5  # by so much a card's way past the gate is measured too short


def fastest_mps(lip: Lip, lit_us: float) -> float:
    """How fast a label may pass, m/s: while it is lit it goes on by one module of its code."""
    return lip.module_mm / lit_us * 1000


def sightings(lip: Lip, fps: float, speed_mps: float) -> float:
    """How many pictures show a label near enough to the gate."""
    return 2 * lip.reach_px / lip.px_per_mm / speed_mps * fps / 1000


def sure_mps(lip: Lip, fps: float) -> float:
    """Up to which speed, m/s, some picture shows both ends of every card; beyond it may be unsure.

    Where none does, a card that sticks out from under another by less than its way past the gate
    can tell is not to be seen.
    """
    return _together_mm(lip, lip.card_mm[0]) * fps / 1000


def pairs_mps(lip: Lip, fps: float) -> float:
    """Up to which speed, m/s, two cards at once are told; beyond it they may be unsure, and stop.

    Those that their way past the gate does not tell have to be in sight with both ends.
    """
    return _together_mm(lip, lip.card_mm[0] * QUICK + _WAY_MM) * fps / 1000


def _together_mm(lip: Lip, length_mm: float) -> float:
    """How far paper of this length goes while a picture shows both its ends."""
    rows = lip.paper_rows(lip.height_px)
    lean_mm = float(rows.stop - rows.start) / lip.px_per_mm * _ASKEW
    return max(0.0, lip.width_px / lip.px_per_mm - length_mm - lean_mm - _CELLS_MM)


def reading_ms(
    lip: Lip,
    eyes: tuple[EyeOnFrame, ...],
    corners: Sequence[tuple[float, float]] | None = None,
    clock_s: Callable[[], float] = perf_counter,
) -> float:
    """How long this machine asks these witnesses of one picture of a card, the slowest one.

    The card lies where its corners were calibrated: blank paper would be sought everywhere.
    """
    picture = specimen.in_lip(lip, corners)
    took = []
    for _ in range(_PICTURES):
        began = clock_s()
        for eye in eyes:
            list(eye(picture))
        took.append(clock_s() - began)
    return median(took) * 1000
