"""Cards in a whole image, by their outlines. It knows light paper and straight edges, no rank.

Cards look different on dark cloth, on a light table, and when they touch. Therefore several black
and white masks are made of the image, and each mask shows some of these cards well. Every outline
that fits four straight lines is a candidate; reading then decides between the candidates.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.quads import POKER, Image, Points, Quad, cross, sides
from vision.faces.sides import partly

#: The longest side of the image in which outlines are sought.
SIDE = 640
#: A card covers at least this share of that image. A smaller card could not be read.
LEAST = 0.0025
#: The ratio of a card's sides as cameras see it. Seen straight on it is 1.40 (poker) or 1.54
#: (bridge).
SLIMMEST, STOUTEST = 2.4, 1.0
#: An outline that fills less of its quadrilateral than this may be two cards.
CLEAN = 0.95
#: Corners that differ by less than this share of the diagonal are the same.
NEAR = 0.03
#: The most cards with one side in sight to look for.
MOST_HIDDEN = 24
#: The weight of an outline from a closed mask, relative to one from a plain mask.
ROUGH = 0.9
#: Paper is at least this light, as a share of the image's lightest pixel.
LIGHTEST = 0.7
#: An outline fills at least this share of its quadrilateral.
FILLED = 0.86
#: Points of an outline to which lines are fitted. More points would not help.
ENOUGH = 400
#: The corners' order, starting from each of them.
_TURNS = (np.arange(4)[:, None] + np.arange(4)) % 4


def find(picture: Image) -> list[Quad]:
    """Return outlines that may be cards in a BGR image, best fit first, without near copies.

    Cards with only one side in sight come last. Their `spot` is a point on that side.
    """
    high, wide = picture.shape[:2]
    scale = min(1.0, SIDE / max(high, wide))
    small = (
        cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        if scale < 1
        else picture
    )
    shades = _Shades.of(small)
    quads = [quad for mask, shrunk in _masks(shades) for quad in _quads(mask, shrunk)]
    quads += [
        replace(quad, fit=quad.fit * ROUGH)
        for mask, shrunk in _joined(shades)
        for quad in _quads(mask, shrunk, whole=True)
    ]
    quads.sort(key=lambda quad: -quad.fit)
    whole = _apart([quad for quad in quads if quad.spot is None])
    hidden = _apart([quad for quad in quads if quad.spot is not None])
    return [quad.scaled(1 / scale) for quad in (*whole, *hidden[:MOST_HIDDEN])]


def _apart(quads: list[Quad]) -> list[Quad]:
    """Return the outlines, without those that are nearly the same as an earlier one."""
    kept: list[tuple[Quad, float, float, float]] = []
    for quad in quads:
        x, y = quad.corners.mean(0).tolist()
        near = (one for one, ox, oy, reach in kept if abs(x - ox) < reach and abs(y - oy) < reach)
        if not any(_same(quad, one) for one in near):
            reach = NEAR * float(np.linalg.norm(quad.corners[0] - quad.corners[2]))
            kept.append((quad, x, y, reach))
    return [one for one, _, _, _ in kept]


class _Shades(NamedTuple):
    """The versions of one image from which all masks are made."""

    grey: Image
    soft: Image  # grey, a little blurred
    pale: Image  # the least of the three colours, blurred, as paper is light in all three
    level: float  # threshold of `pale` between light and dark
    upper: Image  # black and white, showing the lightest parts
    lines: Image  # edges of `soft`

    @classmethod
    def of(cls, small: Image) -> _Shades:
        """Make the shades of a BGR image."""
        grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
        white = cv2.min(cv2.min(small[..., 0], small[..., 1]), small[..., 2])
        soft, pale = (cv2.GaussianBlur(shade, (0, 0), 1.0) for shade in (grey, white))
        level, _ = cv2.threshold(pale, 0, 255, cv2.THRESH_OTSU)
        return cls(grey, soft, pale, level, _upper(white, level), cv2.Canny(soft, 40, 110))


def _upper(shade: Image, level: float) -> Image:
    """Mask of the parts that are lighter than a third of the way from `level` to white."""
    return cv2.threshold(shade, level + (255 - level) * 0.35, 255, cv2.THRESH_BINARY)[1]


def _masks(shades: _Shades) -> Iterator[tuple[Image, float]]:
    """Yield black and white images in which a card may be one white patch.

    With each comes the number of pixels by which the patch is smaller than the card, on every side.
    """
    soft = shades.soft
    cut = cv2.dilate(shades.lines, np.ones((2, 2), np.uint8))
    block, wide = np.ones((3, 3), np.uint8), np.ones((5, 5), np.uint8)
    level, bright = cv2.threshold(soft, 0, 255, cv2.THRESH_OTSU)
    apart = cv2.subtract(bright, cut)
    yield bright, 0.0
    yield apart, 1.0
    yield cv2.erode(apart, block), 2.0
    yield cv2.subtract(_upper(shades.grey, level), cut), 1.0
    pale = cv2.threshold(shades.pale, shades.level, 255, cv2.THRESH_BINARY)[1]
    yield cv2.subtract(pale, cut), 1.0
    yield cv2.erode(cv2.subtract(shades.upper, cut), wide), 3.0
    near = cv2.adaptiveThreshold(soft, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 101, -6)
    yield cv2.subtract(near, cut), 1.0
    yield cv2.bitwise_not(cv2.dilate(cv2.Canny(soft, 25, 70), block)), 1.5


def _joined(shades: _Shades) -> Iterator[tuple[Image, float]]:
    """Masks for court cards whose picture reaches from edge to edge and divides the white paper.

    The gaps in each mask are closed, so that the card's two halves and its margin become one patch.
    One mask is for paper that is the lightest part of the image, one for slightly darker paper, and
    one for paper that is lighter than its surroundings. The last mask joins the lines of the card's
    picture instead. Closing gaps also joins other things, so these outlines rank after those of the
    plain masks.
    """
    near = cv2.adaptiveThreshold(
        shades.pale, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 101, -15
    )
    most = LIGHTEST * float(shades.pale.max())
    light = cv2.threshold(shades.pale, most, 255, cv2.THRESH_BINARY)[1]
    for mask, side, shrunk in (
        (shades.upper, 9, 0.5),
        (light, 15, 0.5),
        (near, 7, 0.5),
        (shades.lines, 5, -1.0),
    ):
        yield cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8)), shrunk


def _quads(mask: Image, shrunk: float, *, whole: bool = False) -> Iterator[Quad]:
    """Yield the outlines in one mask that fit four lines.

    `shrunk` is the number of pixels that `_masks` yields with the mask. `whole` leaves out cards of
    which only one side is in sight.
    """
    least = LEAST * mask.size
    outlines, tree = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    for n, outline in enumerate(outlines):
        if len(outline) < 60 or tree[0, n, 3] >= 0:  # specks, and rims of holes
            continue
        hull = cv2.convexHull(outline)
        if least < cv2.contourArea(hull) < 0.97 * mask.size:
            points = outline[:: max(1, len(outline) // ENOUGH), 0].astype(np.float32)
            quad = _fit(points, hull, shrunk)
            if quad is not None:
                yield quad
                yield from _completed(quad, mask.shape)
            clean = quad is not None and quad.fit >= CLEAN and quad.card_shaped
            if not whole and not clean:  # it may be two cards in one
                yield from partly(points, shrunk)


def _fit(outline: Points, hull: NDArray[Any], shrunk: float) -> Quad | None:
    first = _four(hull)
    if first is None or not _card_like(first) or _filled(hull, first) < FILLED - 0.08:
        return None
    corners = _sharpen(outline, first)
    if corners is None or not _card_like(corners):
        return None
    filled = _filled(hull, corners)
    if filled < FILLED:
        return None
    middle = corners.mean(0)
    grown = 1 + 2 * shrunk / np.sqrt(cv2.contourArea(corners))
    return Quad((middle + (corners - middle) * grown).astype(np.float32), filled)


def _filled(hull: NDArray[Any], corners: Points) -> float:
    """The areas of the hull and of the four corners: the smaller divided by the larger (0 to 1)."""
    one, two = cv2.contourArea(hull), cv2.contourArea(corners)
    return min(one / two, two / one)


def _completed(quad: Quad, shape: tuple[int, ...]) -> Iterator[Quad]:
    """If one side of the card is on the image's edge, yield the card continued beyond that edge.

    `shape` is the image's height and width.
    """
    high, wide = shape[0] - 1, shape[1] - 1
    x0, y0, x1, y1 = quad.box
    if min(x0, y0) >= 4 and x1 <= wide - 4 and y1 <= high - 4:
        return
    for n in range(4):
        a, b, c, d = np.roll(quad.corners, -n, 0)  # a and b are the ends on the image's edge
        x, y = np.stack([a, b]).T
        if not (min(x.max(), y.max()) < 4 or x.min() > wide - 4 or y.min() > high - 4):
            continue
        width = float(np.linalg.norm(c - d))
        seen = float(np.linalg.norm(b - c) + np.linalg.norm(a - d)) / 2
        for whole in (width * POKER, width / POKER):
            if 0.5 * whole < seen < 0.97 * whole:
                far = np.array([d + (a - d) * whole / seen, c + (b - c) * whole / seen, c, d])
                yield Quad(far.astype(np.float32), quad.fit * 0.99)


def _four(hull: NDArray[Any]) -> Points | None:
    """Return four corners, clockwise, that fit the hull within a small tolerance; else None."""
    around = cv2.arcLength(hull, True)
    for tolerance in (0.015, 0.025, 0.04, 0.06, 0.09):
        shape = cv2.approxPolyDP(hull, tolerance * around, True)
        if len(shape) == 4:
            corners = shape[:, 0].astype(np.float32)
            return corners if cv2.contourArea(corners, True) > 0 else corners[::-1].copy()
        if len(shape) < 4:
            return None
    return None


def _sharpen(outline: Points, rough: Points) -> Points | None:
    """Return the exact corners of an outline: the points where the lines along its sides cross.

    `rough` are the approximate corners. A card's real corners are round, so only the middle of each
    side is used. The result is None if the outline is no card.
    """
    lines = []
    for start, end in zip(rough, np.roll(rough, -1, 0), strict=True):
        along = end - start
        length = float(np.linalg.norm(along))
        if length < 8:
            return None
        along /= length
        offset = outline - start
        t = offset @ along / length
        away = np.abs(offset @ np.array([-along[1], along[0]], np.float32))
        near = outline[(t > 0.12) & (t < 0.88) & (away < 0.04 * length + 1.5)]
        if len(near) < min(0.35 * length, 15):
            return None
        near = near[:: len(near) // 60 + 1]  # some sixty points are enough
        lines.append(cv2.fitLine(near, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel())
    crossings = [cross(lines[n - 1], lines[n]) for n in range(4)]
    if any(point is None for point in crossings):
        return None
    corners = np.array(crossings, np.float32)
    moved = np.linalg.norm(corners - rough, axis=1).max()
    return corners if moved < 0.2 * np.linalg.norm(rough[0] - rough[2]) else None


def _card_like(corners: Points) -> bool:
    if not cv2.isContourConvex(corners):
        return False
    one, two, three, four = sides(corners)
    shorter, longer = sorted((one + three, two + four))
    uneven = max(max(pair) / min(pair) for pair in ((one, three), (two, four)))
    return STOUTEST <= longer / shorter <= SLIMMEST and uneven < 1.6


def _same(one: Quad, two: Quad) -> bool:
    """Whether the two outlines are nearly the same."""
    size = math.dist(two.corners[0].tolist(), two.corners[2].tolist())
    return bool(np.abs(one.corners[_TURNS] - two.corners).max((1, 2)).min() < NEAR * size)
