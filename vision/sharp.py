"""How sharp and how bright one frame of the lip is, for the person who sets up a camera.

The module knows a frame and the place of paper in it, but no time. Reading does not depend on it.
"""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.gate import View
from vision.lip import Lip

#: Millimetres. If a card's edge is smeared over more of its way than this, print is illegible.
BLURRED_MM: Final = 1.5
_AROUND_MM: Final = 14.0
_STRIPS: Final = 24
_LOW, _HIGH = 0.2, 0.8  # of the way from the lip to paper
_LEAST: Final = 40  # levels from the lip to paper


def told(picture: Pixels, lip: Lip, view: View) -> tuple[str, ...]:
    """Return sentences about the frame's brightness and sharpness.

    If an edge is smeared, the sentence says how to cure that.
    """
    said = [f"lightest spot: {int(picture.max())} of 255"]
    smeared = edge_mm(picture, lip, view)
    if smeared is not None:
        said.append(f"the card's edge is {smeared:.1f} mm wide")
    if smeared is not None and smeared > BLURRED_MM:
        said.append(
            "blurred: the card goes too quickly for this exposure, or the lens is not sharp. Go "
            "slower, or give more light and set a shorter exposure_us; a smeared card seems longer "
            "than one, as two do"
        )
    return tuple(said)


def edge_mm(picture: Pixels, lip: Lip, view: View) -> float | None:
    """The width (mm) of the card's smeared edge, along the motion; None if no end is in sight.

    A card that moves 10 mm while the frame is exposed has an edge of 10 mm.
    """
    if not view.blocked or (view.lead_cut and view.tail_cut):
        return None
    at = view.tail_px if view.lead_cut else view.lead_px
    around = _AROUND_MM * lip.px_per_mm
    columns = slice(max(0, int(at - around)), int(at + around))
    region = picture[lip.paper_rows(picture.shape[0]), columns]
    rows = np.asarray(
        cv2.resize(region, (region.shape[1], _STRIPS), interpolation=cv2.INTER_AREA), float
    )
    if not view.lead_cut:
        rows = rows[:, ::-1]  # from the lip to the paper
    wide = [width for row in rows if (width := _rise(row)) is not None]
    return float(np.median(wide)) / lip.px_per_mm if len(wide) > _STRIPS / 2 else None


def _rise(row: NDArray[Any]) -> float | None:
    """The distance (px) over which the row's grey rises from dark to light, as if it rose evenly.

    The result is None if the row has no such rise.
    """
    dark, light = np.percentile(row, (5, 95))
    if light - dark < _LEAST:
        return None
    low, high = (int((row >= dark + share * (light - dark)).argmax()) for share in (_LOW, _HIGH))
    return max(0.0, (high - low) / (_HIGH - _LOW))
