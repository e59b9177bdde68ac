"""Measures a finished lip by a labelled card in the lip, or by a card's four corners.

The module knows frames and the true sizes of labels and cards. The module knows neither which card
is in the frame nor the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import zxingcpp

from vision.faces.find import find
from vision.faces.quads import Quad
from vision.faces.read import CornerReader
from vision.frame import Pixels
from vision.gate import BLACK, look
from vision.lip import MODULES, SHIPPED, Lip

_LEAST_CONTRAST = 40  # between the empty lip and paper, in grey levels
_LEAST_SCALE = 6.0  # px/mm: three pixels per module, where reading begins to fail
_LONG_MM = 88.0  # of a card, poker or bridge size alike
_LEAST_FIT = 0.93  # the least fit of an outline that counts as a card's
_LEAST_SEEN = 0.9  # the least visible share of a card in the gate
_LEAST_INDEX = 2.5  # px/mm: an index of five millimetres is then hardly a dozen pixels

Corners = npt.NDArray[Any]
"""Points as x and y in pixels, one point in each row."""


class CalibrationError(ValueError):
    """A frame from which a lip cannot be measured.

    The text names the fault and the remedy.
    """


@dataclass(frozen=True, slots=True)
class Measured:
    """A measured lip, and what the builder should check.

    Attributes:
        lip: the geometry to put into the settings.
        turned_deg: how far the card in the frame is turned; 0 means straight.
        advice: sentences for the builder; empty if everything is as planned.
    """

    lip: Lip
    turned_deg: float
    advice: tuple[str, ...]


def measure(empty: Pixels, card: Pixels, plan: Lip = SHIPPED) -> Measured:
    """Measure the lip from a frame of the empty lip and a frame of a labelled card in the gate.

    `plan` is the lip as designed. Raises CalibrationError.
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
    turned = (turned + 45) % 90 - 45  # a label may be stuck on any way round
    advice = _advice(lip, corners.mean(axis=0), turned) or _unseen(lip, card)
    if (level := float(empty[lip.paper_rows(len(empty))].mean())) <= BLACK:
        advice.append(
            f"the empty lip is so dark ({level:.0f} levels) that nobody can tell when its light "
            "goes out: line it with dark grey instead of black"
        )
    return Measured(lip, round(turned, 1), tuple(advice))


def by_corners(
    picture: Pixels, corners: Sequence[tuple[float, float]], plan: Lip = SHIPPED
) -> Measured:
    """Measure the lip from one frame with a card in the gate, and the card's corners, clockwise.

    This is for cards without labels. The whole card must be in sight. `plan` is the lip as
    designed. Raises CalibrationError.
    """
    points = np.array(corners, np.float32)
    if points.shape != (4, 2) or not cv2.isContourConvex(points):
        raise CalibrationError("the four corners make no card: mark them clockwise, one after one")
    along, across, turned = _sides(points)
    scale = max(along, across) / _LONG_MM
    dark, light = levels(picture, points)
    if light - dark < _LEAST_CONTRAST:
        raise CalibrationError(
            f"beside the card it is as bright as {dark:.0f}, on it only {light:.0f}: lay black "
            "paper around it, keep hands out of the picture, or give it more light"
        )
    high, wide = picture.shape
    lip = replace(
        plan,
        width_px=wide,
        height_px=high,
        px_per_mm=round(scale, 2),
        card_mm=(round(along / scale, 1), round(across / scale, 1)),
        paper_level=round(dark + (light - dark) * 0.25),
    )
    seen = replace(lip, whole=True)  # as the lip will be with these corners
    advice = _advice_on_corners(lip, points, turned) or _unseen(seen, picture)
    return Measured(lip, round(turned, 1), tuple(advice))


def find_corners(picture: Pixels) -> list[tuple[float, float]]:
    """Return the corners of the clearest card in a grey frame, clockwise; empty without a card."""
    cards = find(np.dstack([picture] * 3))
    likely = (one for one in cards if one.fit > _LEAST_FIT and one.card_shaped)
    best = next((one for one in likely if _lighter(picture, one.corners)), None)
    corners = [] if best is None else best.corners.tolist()
    return [(round(x, 1), round(y, 1)) for x, y in corners]


def _lighter(picture: Pixels, corners: Corners) -> bool:
    """Whether the picture is lighter within these corners than round them, unlike a window."""
    card, near = _laid(picture, corners)
    return float(np.median(picture[card])) > float(np.median(picture[near & ~card]))


def _laid(picture: Pixels, corners: Corners) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Return which pixels lie within these corners, and which within or near them."""
    card = np.zeros_like(picture)
    cv2.fillConvexPoly(card, np.round(corners).astype(np.int32), 255)
    return card > 0, cv2.dilate(card, np.ones((25, 25), np.uint8)) > 0


def strange_letter(
    picture: Pixels, corners: Sequence[tuple[float, float]], reader: CornerReader
) -> str | None:
    """Return the letter on the card within these corners if the reader's deck has no such letter.

    The result is None if the deck has the letter, or if no letter can be read.
    """
    at = Quad(np.array(corners, np.float32), 1.0)
    return reader.read(np.dstack([picture] * 3), at).letter


def _sides(points: Corners) -> tuple[float, float, float]:
    """Return the card's sides along and across the rows, in pixels, and its angle in degrees."""
    edges = np.roll(points, -1, axis=0) - points
    level = [edge for edge in edges if abs(edge[0]) >= abs(edge[1])]
    steep = [edge for edge in edges if abs(edge[0]) < abs(edge[1])]
    if len(level) != 2:
        raise CalibrationError("the card lies askew: lay its edges parallel to the picture's")
    way = level[0] if level[0][0] > 0 else -level[0]
    along, across = (float(np.mean([np.hypot(*edge) for edge in pair])) for pair in (level, steep))
    return along, across, float(np.degrees(np.arctan2(way[1], way[0])))


def levels(picture: Pixels, points: Corners) -> tuple[float, float]:
    """Return the grey levels of the lip next to the card, and of the card's paper."""
    card, near = _laid(picture, points)
    if near.all() or not card.any():
        raise CalibrationError("the card fills the picture: move the camera away from it")
    return float(np.percentile(picture[~near], 99)), float(np.percentile(picture[card], 75))


def _advice_on_corners(lip: Lip, points: Corners, turned: float) -> list[str]:
    advice = []
    if lip.px_per_mm < _LEAST_INDEX:
        advice.append(
            f"{lip.px_per_mm:.1f} px/mm is too coarse for indices: bring the camera nearer, or "
            "take a larger picture"
        )
    if abs(turned) > 5:
        advice.append(f"the card lies {turned:.0f} degrees askew: turn the camera")
    if not points[:, 0].min() < lip.gate_px < points[:, 0].max():
        advice.append("the card is not in the gate: lay it over the line in the picture's middle")
    high, wide = lip.height_px, lip.width_px
    if points.min() < 2 or (points > [wide - 3, high - 3]).any():
        advice.append("the card is cut by the picture's edge: move the camera, or away from it")
    return advice


def _unseen(lip: Lip, card: Pixels) -> list[str]:
    """Return advice for the builder if the frame does not show the paper of the whole card.

    A card's print may be as dark as the lip, so a part of the card may look like the empty lip.
    """
    view = look(card, lip)
    whole = not (view.tail_cut or view.lead_cut)
    if view.blocked and not (whole and view.length_px < lip.card_px * _LEAST_SEEN):
        return []
    length, card_mm = view.length_px / lip.px_per_mm, lip.card_mm[0]
    seen = f"{length:.0f} of {card_mm:.0f} mm" if whole else "nothing"
    remedy = "blacken the lip, give it more light, or take a deck with light borders"
    return [f"the gate sees {seen} of this card, whose print is as dark as the lip: {remedy}"]


def _size(picture: Pixels) -> str:
    return f"{picture.shape[1]} x {picture.shape[0]}"


def _label(card: Pixels) -> Corners:
    """Return the label's four corners, clockwise.

    Raises CalibrationError unless there is one label.
    """
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


def _paper(card: Pixels, corners: Corners) -> float:
    """Return the grey level of paper, which is the level of the lighter half of the label."""
    left, top = np.maximum(corners.min(axis=0), 0).astype(int)
    right, bottom = corners.max(axis=0).astype(int)
    return float(np.percentile(card[top:bottom, left:right], 75))


def _advice(lip: Lip, middle: Corners, turned: float) -> list[str]:
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
