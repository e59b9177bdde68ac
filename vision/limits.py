"""What a lip can tell of cards: how quick, how large, how soon. Knows its numbers and no camera.

Counting the numbers together is for whoever sets a lip up; nothing is read by this.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter

import numpy as np

from vision.lip import Lip
from vision.reader import EyeOnFrame

_PICTURES = 5
_PAPER, _NOISE = 190, 8  # grey levels


def fastest_mps(lip: Lip, lit_us: float) -> float:
    """How fast a label may pass, m/s: while it is lit it goes on by one module of its code."""
    return lip.module_mm / lit_us * 1000


def sightings(lip: Lip, fps: float, speed_mps: float) -> float:
    """How many pictures show a label near enough to the gate."""
    return 2 * lip.reach_px / lip.px_per_mm / speed_mps * fps / 1000


def reading_ms(
    lip: Lip, eyes: tuple[EyeOnFrame, ...], clock_s: Callable[[], float] = perf_counter
) -> float:
    """How long this machine asks these witnesses of one picture of blank paper, the slowest one."""
    luck = np.random.default_rng(1)
    paper = luck.normal(_PAPER, _NOISE, (lip.height_px, lip.width_px))
    picture = np.clip(paper, 0, 255).astype(np.uint8)
    took = []
    for _ in range(_PICTURES):
        began = clock_s()
        for eye in eyes:
            list(eye(picture))
        took.append(clock_s() - began)
    return median(took) * 1000
