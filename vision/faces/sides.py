"""Finds cards of which one whole side is in sight while something hides the rest.

The module knows geometry only. Between two corners that point outwards there is one whole side of a
card, short or long. The rest of the card is inferred from this side, with the shape of a poker
card. Reading then decides whether there is a card.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import cv2
import numpy as np

from vision.faces.quads import POKER, Points, Quad, cross

#: How far a corner may be from a right angle, as a cosine.
SKEW = 0.4
#: The cosine of the greatest angle between two opposite sides of a card.
PARALLEL = 0.985
#: The length of a neighbouring side that must be seen to give its direction, as a share of that
#: side.
SHOWN = 0.16


class _Side(NamedTuple):
    """A straight stretch of an outline: its line (direction x y, point x y) and its length."""

    line: Points
    length: float


def partly(outline: Points, shrunk: float) -> Iterator[Quad]:
    """Yield cards that may be inside an outline, one for each whole side of a card.

    `outline` is the outline's points, in order. `shrunk` is the number of pixels by which the
    outline is smaller than the card.
    """
    around = float(cv2.arcLength(outline, True))
    rough = cv2.approxPolyDP(outline, 0.012 * around, True)[:, 0]
    if len(rough) < 4 or len(rough) > 40:
        return
    if cv2.contourArea(rough, True) < 0:  # make it clockwise, as seen in an image
        rough = rough[::-1]
    along = (np.roll(rough, -1, 0) - rough).tolist()
    for n, middle in enumerate(along):
        before, after = along[n - 1], along[(n + 1) % len(along)]
        if not (_turns_right(before, middle) and _turns_right(middle, after)):
            continue
        length = math.hypot(*middle)
        if length < 20 or min(math.hypot(*before), math.hypot(*after)) < SHOWN * length:
            continue
        a, b, c, d = (rough[(n + k) % len(rough)] for k in (-1, 0, 1, 2))
        sides = _side(outline, a, b), _side(outline, b, c), _side(outline, c, d)
        yield from _cards(*sides, shrunk)


def _side(outline: Points, start: Points, end: Points) -> _Side:
    along = (end - start).astype(np.float32)
    length = float(np.linalg.norm(along))
    along = along / max(length, 1e-6)
    t = (outline - start) @ along
    away = np.abs((outline - start) @ np.array([-along[1], along[0]], np.float32))
    near = outline[(t > 0.15 * length) & (t < 0.85 * length) & (away < 0.03 * length + 1.5)]
    if len(near) < 6:
        return _Side(np.array([*along, *start]), length)
    near = near[:: len(near) // 60 + 1]
    line = cv2.fitLine(near, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
    if line[:2] @ along < 0:
        line[:2] *= -1
    return _Side(line, length)


def _turns_right(one: list[float], two: list[float]) -> bool:
    (ax, ay), (bx, by) = one, two
    return ax * by - ay * bx > 0 and abs(ax * bx + ay * by) < SKEW * math.hypot(
        ax, ay
    ) * math.hypot(bx, by)


def _cards(before: _Side, middle: _Side, after: _Side, shrunk: float) -> Iterator[Quad]:
    first, second = cross(before.line, middle.line), cross(middle.line, after.line)
    if first is None or second is None:
        return
    length = float(np.linalg.norm(second - first))
    one, two = -before.line[:2], after.line[:2]  # both point into the card
    if one @ two < PARALLEL:  # the line goes on, as the edge of something else
        across = middle.line[:2]
        one = two = min(one, two, key=lambda way: abs(float(way @ across)))
    grown = 1 + 2 * shrunk / max(length, 1.0)
    for along in (length * POKER, length / POKER):
        if max(before.length, after.length) > 1.15 * along:
            continue  # the card would end before its own side does
        far = [second + two * along, first + one * along]
        corners = np.array([first, second, *far], np.float32)
        centre = corners.mean(0)
        x, y = ((first + second) / 2 * 0.85 + centre * 0.15).tolist()
        # The longer the side in sight, the likelier it belongs to a card.
        fit = min(0.5, length / 1000)
        yield Quad((centre + (corners - centre) * grown).astype(np.float32), fit, (x, y))
