"""Measuring a lip once it is built: from one empty picture and one labelled card lying in it.

Knows pictures and the label's true size; no card and no time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import zxingcpp

from vision.frame import Picture
from vision.lip import MODULES, SHIPPED, Lip

_LEAST_CONTRAST = 40  # between the empty lip and paper, in grey levels
_LEAST_SCALE = 6.0  # px/mm: three pixels per module, where reading begins to fail


class CalibrationError(ValueError):
    """A picture that a lip cannot be measured by: what is wrong, and what to do."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A lip as it is, and what the builder should look at.

    Attributes:
        lip: for the settings.
        turned_deg: of the card in the picture: straight is 0.
        advice: sentences; none where all is as planned.
    """

    lip: Lip
    turned_deg: float
    advice: tuple[str, ...]


def measure(empty: Picture, card: Picture, plan: Lip = SHIPPED) -> Measured:
    """The lip by a picture of it empty, and one with a labelled card resting in the gate.

    Raises CalibrationError.
    """
    if empty.shape != card.shape or card.shape[1] != plan.width_px:
        raise CalibrationError(
            f"the pictures are {_size(empty)} and {_size(card)}: both must be "
            f"{plan.width_px} pixels wide, as the camera is set"
        )
    corners = _label(card)
    dark, light = float(np.percentile(empty, 99)), _paper(card, corners)
    if light - dark < _LEAST_CONTRAST:
        raise CalibrationError(
            f"the empty lip is as bright as {dark:.0f}, paper only {light:.0f}: blacken the lip, "
            "or give the strobe more light"
        )
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    scale = float(sides.mean()) / (MODULES * plan.module_mm)
    lip = replace(
        plan,
        height_px=card.shape[0],
        px_per_mm=round(scale, 3),
        paper_level=round(dark + (light - dark) * 0.25),
    )
    along = corners[1] - corners[0]
    turned = float(np.degrees(np.arctan2(along[1], along[0])))
    turned = (turned + 45) % 90 - 45  # a label may be stuck any way round
    return Measured(lip, round(turned, 1), tuple(_advice(lip, corners.mean(axis=0), turned)))


def _size(picture: Picture) -> str:
    return f"{picture.shape[1]} x {picture.shape[0]}"


def _label(card: Picture) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """The four corners of the one label, clockwise."""
    formats = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
    found = zxingcpp.read_barcodes(cv2.GaussianBlur(card, (0, 0), 0.7), formats=formats)
    if len(found) != 1:
        raise CalibrationError(
            f"{len(found)} labels are legible in the picture, one is needed: lay one labelled "
            "card into the lip, face to the camera, and see that it is sharp"
        )
    where = found[0].position
    corners = (where.top_left, where.top_right, where.bottom_right, where.bottom_left)
    return np.array([(corner.x, corner.y) for corner in corners], float)


def _paper(card: Picture, corners: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> float:
    """How bright paper is: the lighter half of the label."""
    left, top = np.maximum(corners.min(axis=0), 0).astype(int)
    right, bottom = corners.max(axis=0).astype(int)
    return float(np.percentile(card[top:bottom, left:right], 75))


def _advice(
    lip: Lip, middle: np.ndarray[tuple[int, ...], np.dtype[np.float64]], turned: float
) -> list[str]:
    off = float(middle[1]) - lip.height_px / 2
    advice = []
    if lip.px_per_mm < _LEAST_SCALE:
        advice.append(
            f"{lip.px_per_mm:.1f} px/mm is too coarse for labels of {lip.module_mm} mm modules: "
            f"bring the camera nearer, to {SHIPPED.px_per_mm:g} px/mm"
        )
    if abs(off) > lip.across_px / 2:
        side = "above" if off < 0 else "below"
        advice.append(
            f"the label is {abs(off) / lip.px_per_mm:.1f} mm {side} the middle row: move the "
            "camera, or set its region anew"
        )
    if abs(turned) > 3:
        advice.append(f"the card lies {turned:.0f} degrees askew: turn the camera")
    return advice
