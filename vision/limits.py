"""The limits of speed, size and time that follow from a lip's geometry. It knows no camera.

These figures are for the person who sets a lip up. Reading does not depend on them.
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
_ASKEW: Final = math.sin(math.radians(5))  # a card may be turned this far from its way
_CELLS_MM = 2.0  # cells at the frame's ends; a card's end in one of these counts as cut
_WAY_MM = 0.5  # the way past the gate may measure a card this much too short


def fastest_mps(lip: Lip, lit_us: float) -> float:
    """The greatest speed (m/s) at which a label can be read.

    During one exposure the label may then move by one module of its code. `lit_us` is how long the
    light is on for one frame.
    """
    return lip.module_mm / lit_us * 1000


def sightings(lip: Lip, fps: float, speed_mps: float) -> float:
    """The number of frames that show a label of a card at this speed, near enough to the gate."""
    return 2 * lip.reach_px / lip.px_per_mm / speed_mps * fps / 1000


def sure_mps(lip: Lip, fps: float) -> float:
    """The speed, m/s, up to which some frame shows both ends of every card.

    The verdict on a faster card may be unsure. Its length then follows only from its motion past
    the gate, which cannot show a second card that sticks out by little.
    """
    return _together_mm(lip, lip.card_mm[0]) * fps / 1000


def pairs_mps(lip: Lip, fps: float) -> float:
    """The speed, m/s, up to which two cards drawn together can be told from one card.

    The verdict on faster cards may be unsure. The two are told from one if a frame shows both ends
    of the pair, or if the motion past the gate shows that the pair is too long.
    """
    return _together_mm(lip, lip.card_mm[0] * QUICK + _WAY_MM) * fps / 1000


def _together_mm(lip: Lip, length_mm: float) -> float:
    """The distance (mm) that paper of this length moves while both its ends are in sight."""
    rows = lip.paper_rows(lip.height_px)
    lean_mm = float(rows.stop - rows.start) / lip.px_per_mm * _ASKEW
    return max(0.0, lip.width_px / lip.px_per_mm - length_mm - lean_mm - _CELLS_MM)


def reading_ms(
    lip: Lip,
    eyes: tuple[EyeOnFrame, ...],
    corners: Sequence[tuple[float, float]] | None = None,
    clock_s: Callable[[], float] = perf_counter,
) -> float:
    """The time (ms) that reading one frame of a card takes here, with all these witnesses.

    The frame is a drawing with a card at the calibrated corners. Without a card's face, the reader
    of faces would search the whole frame.
    """
    picture = specimen.in_lip(lip, corners)
    took = []
    for _ in range(_PICTURES):
        began = clock_s()
        for eye in eyes:
            list(eye(picture))
        took.append(clock_s() - began)
    return median(took) * 1000
