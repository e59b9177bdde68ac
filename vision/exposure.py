"""Finds an exposure that is short enough for moving cards, with a card at rest in the gate.

A camera that exposes by itself meters the black roof, and exposes cards for so long that they
smear. The module knows frames and exposures, but no camera: the caller sets the exposure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from vision.calibrate import CalibrationError, levels
from vision.frame import Pixels

#: Microseconds, the best first. A card at half a metre a second smears by 1 to 2 mm.
SHORT_US: Final = (2000, 3000, 4000)
#: Grey level of a card's paper from which its print is legible. In darker pictures of the twin
#: (tests/vision/webcam.py), one card of ten is not read.
_ENOUGH: Final = 120.0
#: Longer exposures, to find how much light is missing.
_LONGER: Final = (2, 4, 8)


def held(under: Callable[[int], Pixels], corners: Sequence[tuple[float, float]]) -> int:
    """Return the shortest exposure (µs) in which the card is bright enough.

    `under` returns a frame that was taken under an exposure, and `corners` are those of a card that
    lies still. Raises CalibrationError, which says how much more light is needed.
    """
    card = np.array(corners, np.float32)

    def paper(exposure_us: int) -> float:
        return levels(under(exposure_us), card)[1]

    best = next((one for one in SHORT_US if paper(one) >= _ENOUGH), None)
    if best is not None:
        return best
    longest = SHORT_US[-1]
    times = next((one for one in _LONGER if paper(one * longest) >= _ENOUGH), None)
    more = f"{times} times the light" if times else f"more than {_LONGER[-1]} times the light"
    raise CalibrationError(
        f"in {longest / 1000:g} ms, as long as a moving card may be exposed, the card is too dark: "
        f"it needs {more}. Move the lamp nearer, or take a stronger one"
    )
