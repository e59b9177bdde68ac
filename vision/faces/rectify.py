"""Makes the crops that the nets read, from a card's four corners. It knows geometry only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces import window

Image = NDArray[Any]
Points = NDArray[Any]
UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
#: The least share of a crop that must be in the image.
INSIDE = 0.8


def upright(corners: Points) -> tuple[Points, Points]:
    """The corners clockwise in two orders: first with a short side on top, then with a long one.

    A tilted card may look wider than high, so both orders are needed.
    """
    sides = np.linalg.norm(corners - np.roll(corners, -1, 0), axis=1)
    lying = np.roll(corners, -1, 0)
    if sides[1] + sides[3] >= sides[0] + sides[2]:
        return corners, lying
    return lying, corners


def crops(
    picture: Image, corners: Points, places: Sequence[int] = (0, 1, 2, 3)
) -> Iterator[Image | None]:
    """Yield the crops of the card's corners; None for a crop that leaves the image.

    `places` are the corners wanted, in this order; 0 is top left, and the others follow clockwise.
    Each crop is cut out only when the caller asks for it.
    """
    place = cv2.getPerspectiveTransform(UNIT, corners.astype(np.float32))
    sources = cv2.perspectiveTransform(window.corners().reshape(1, 16, 2), place).reshape(4, 4, 2)
    for n in places:
        yield _crop(picture, sources[n])


def whole(picture: Image, corners: Points) -> Image | None:
    """The whole card in one crop; None if the crop leaves the image.

    The crop is upright if the order of `corners` begins with the card's top left.
    """
    return _crop(picture, corners.astype(np.float32))


def _crop(picture: Image, points: Points) -> Image | None:
    high, wide = picture.shape[:2]
    inside = np.clip(points, 0, [wide - 1, high - 1]).astype(np.float32)
    area = abs(cv2.contourArea(points))
    if area < 16 or abs(cv2.contourArea(inside)) < INSIDE * area:
        return None
    shrink = np.sqrt(area / (window.WIDE * window.HIGH))
    if shrink > 1.7:  # average a fine image first, against aliasing
        low = np.floor(inside.min(0)).astype(int)
        far = np.ceil(inside.max(0)).astype(int) + 1
        part = picture[low[1] : far[1], low[0] : far[0]]
        step = max(2, int(shrink))  # whole numbers are much faster
        part = part[: part.shape[0] // step * step, : part.shape[1] // step * step]
        factor = 1 / step
        picture = cv2.resize(part, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        points = ((points - low + 0.5) * factor - 0.5).astype(np.float32)
    move = cv2.getPerspectiveTransform(points, window.TARGET)
    return cv2.warpPerspective(
        picture, move, (window.WIDE, window.HIGH), borderMode=cv2.BORDER_REPLICATE
    )
