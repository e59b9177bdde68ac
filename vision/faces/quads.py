"""A card's outline as four corners. The module knows geometry only."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

#: The ratio of a poker card's long side to its short one.
POKER = 88 / 63
#: Two outlines that overlap by this share of the smaller one are of the same card.
SHARED = 0.45
Image = NDArray[Any]
Points = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Quad:
    """Four corners in pixels, clockwise, and how well they fit (0 to 1).

    If part of the card may be hidden, `spot` is a point of the card that is certainly visible.
    """

    corners: Points
    fit: float
    spot: tuple[float, float] | None = None

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The upright box around the outline: x0, y0, x1, y1."""
        (x0, y0), (x1, y1) = self.corners.min(0), self.corners.max(0)
        return float(x0), float(y0), float(x1), float(y1)

    @property
    def card_shaped(self) -> bool:
        """Whether the sides have the proportions of a card that is not much tilted."""
        one, two, three, four = sides(self.corners)
        across, along = one + three, two + four
        return 1.2 < max(across, along) / min(across, along) < 1.85

    def scaled(self, factor: float) -> Quad:
        """The same quad in an image `factor` times as large."""
        spot = self.spot and (
            (self.spot[0] + 0.5) * factor - 0.5,
            (self.spot[1] + 0.5) * factor - 0.5,
        )
        return Quad((self.corners + 0.5) * np.float32(factor) - 0.5, self.fit, spot)


def sides(corners: Points) -> list[float]:
    """The lengths of the four sides, from the first corner on, as plain floats for speed."""
    points = corners.tolist()
    return [math.dist(points[n], points[n - 3]) for n in range(4)]


def cross(one: Points, two: Points) -> Points | None:
    """The point where two lines cross; None if they are nearly parallel.

    A line is a direction and one of its points: x, y of each.
    """
    ax, ay, x, y = one.tolist()
    bx, by, u, v = two.tolist()
    apart = ay * bx - ax * by
    if abs(apart) < 0.2:
        return None
    step = ((v - y) * bx - (u - x) * by) / apart
    return np.array([x + step * ax, y + step * ay], np.float32)


def same(one: Quad, two: Quad) -> bool:
    """Whether `one` and `two` outline the same card.

    If `one` has a spot, the spot decides: it must be inside the outline of `two`. Otherwise the two
    outlines must overlap by more than SHARED of the smaller outline. So cards in a fan stay apart.
    """
    if one.spot is not None:
        return cv2.pointPolygonTest(two.corners, one.spot, False) >= 0
    return shared(one, two) > SHARED


def shared(one: Quad, two: Quad) -> float:
    """The overlap of two outlines, as a share of the smaller one."""
    area, _ = cv2.intersectConvexConvex(one.corners, two.corners)
    return float(area / max(min(cv2.contourArea(one.corners), cv2.contourArea(two.corners)), 1e-6))
