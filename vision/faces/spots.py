"""Cards by their index corners: a small net points at each index in sight and at its card.

It finds what has no clean outline: a card on a white table, in a hand, half under another. Knows no
rank or suit: the corner net reads.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces import spotgrid as grid
from vision.faces.quads import Image, Points, Quad, cross

NET = Path(__file__).with_name("spots.onnx")
#: Dots fainter than this are not followed; the corner net decides anyway.
LEAST = 0.25
#: No more indices than this are followed in one picture: four packs' worth of corners in sight.
MOST = 40
#: How far from where the net pointed a card's edge is sought, as a share of the card's size.
REACH = 0.07


class SpotFinder:
    """The net, loaded once. One finder serves one thread."""

    def __init__(self, net: Path = NET) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(net))

    def find(self, picture: Image) -> list[Quad]:
        """Cards with an index in sight, the surest first; their edges are rough (see `snap`)."""
        small, back = _fitted(picture)
        blob = cv2.dnn.blobFromImage(small, 1 / 255, (grid.WIDE, grid.HIGH), (127.5,) * 3)
        self._net.setInput(blob)
        dots = _united(_dots(self._net.forward()[0]))
        return [_through(back, quad) for quad in dots]


def _fitted(picture: Image) -> tuple[Image, NDArray[Any]]:
    """The picture as the net takes it, lying, and the matrix back from there."""
    high, wide = picture.shape[:2]
    standing = high > wide
    scale = min(grid.WIDE / max(high, wide), grid.HIGH / min(high, wide))
    matrix = np.array([[scale, 0, (scale - 1) / 2], [0, scale, (scale - 1) / 2], [0, 0, 1]])
    if standing:  # a quarter turn, so that no room is lost
        matrix = np.array([[0, 1, 0], [-1, 0, wide * scale - 1], [0, 0, 1]]) @ matrix
    if scale < 1:
        picture = cv2.resize(
            picture, (round(wide * scale), round(high * scale)), interpolation=cv2.INTER_AREA
        )
    else:
        picture = cv2.resize(
            picture, (round(wide * scale), round(high * scale)), interpolation=cv2.INTER_LINEAR
        )
    if standing:
        picture = cv2.rotate(picture, cv2.ROTATE_90_COUNTERCLOCKWISE)
    right, bottom = grid.WIDE - picture.shape[1], grid.HIGH - picture.shape[0]
    whole = cv2.copyMakeBorder(
        picture, 0, bottom, 0, right, cv2.BORDER_CONSTANT, value=(127, 127, 127)
    )
    return whole, np.linalg.inv(matrix)


def _through(matrix: NDArray[Any], quad: Quad) -> Quad:
    points = np.vstack([quad.corners, quad.spot or (0, 0)]) @ matrix[:2, :2].T + matrix[:2, 2]
    x, y = points[4].tolist()
    return Quad(points[:4].astype(np.float32), quad.fit, (x, y))


def _dots(given: NDArray[Any]) -> list[Quad]:
    """The net's dots as quadrilaterals in its own picture, brightest first."""
    likely = 1 / (1 + np.exp(-given[0]))
    peaks = (likely >= LEAST) & (likely >= cv2.dilate(likely, np.ones((3, 3), np.uint8)))
    rows, columns = np.nonzero(peaks)
    order = np.argsort(-likely[rows, columns])[:MOST]
    quads = []
    for row, column in zip(rows[order], columns[order], strict=True):
        x, y, *sides = given[1:, row, column] * grid.UNIT
        start = np.array([x, y]) + (np.array([column, row]) + 0.5) * grid.CELL
        top, left = np.array(sides[:2]), np.array(sides[2:])
        corners = np.array([start, start + top, start + top + left, start + left], np.float32)
        if cv2.contourArea(corners, True) > 0:
            spot = ((column + 0.5) * grid.CELL, (row + 0.5) * grid.CELL)
            quads.append(Quad(corners, float(likely[row, column]), spot))
    return quads


def _united(quads: list[Quad]) -> list[Quad]:
    """Dots that point at one card, made one: each knows the corners near itself best."""
    left, united = list(quads), []
    while left:
        first = left.pop(0)
        size = float(np.linalg.norm(first.corners[0] - first.corners[2]))
        for n, other in enumerate(left):
            turned = np.roll(other.corners, 2, 0)
            if np.abs(turned - first.corners).max() < 0.22 * size:
                left.pop(n)
                a, b = first.corners, turned
                both = np.array([a[0], (a[1] + b[1]) / 2, b[2], (a[3] + b[3]) / 2], np.float32)
                first = Quad(both, first.fit, first.spot)
                break
        united.append(first)
    return united


def snap(grey: Image, corners: Points) -> Points:
    """The quadrilateral, each side moved to the strongest straight edge near it."""
    size = float(np.linalg.norm(corners[0] - corners[2]))
    if size < 24:
        return corners
    sides = list(zip(corners, np.roll(corners, -1, 0), strict=True))
    lines = [_edge(grey, start, end, REACH * size) for start, end in sides]
    crossings = [cross(lines[n - 1], lines[n]) for n in range(4)]
    found = [point for point in crossings if point is not None]
    return np.array(found, np.float32) if len(found) == 4 else corners


def _edge(grey: Image, start: Points, end: Points, reach: float) -> Points:
    """The best line near start-end, as direction and point: every sample has one small vote."""
    along = (end - start) / max(float(np.linalg.norm(end - start)), 1e-6)
    out = np.array([along[1], -along[0]])
    t = np.linspace(0.1, 0.9, 28)
    steps = int(np.clip(reach, 4, 16))
    offsets = np.linspace(-reach, reach, 2 * steps + 1)
    points = start + t[:, None, None] * (end - start) + offsets[None, :, None] * out
    across, down = (points[..., n].astype(np.float32) for n in (0, 1))
    seen = cv2.remap(grey, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    change = np.abs(cv2.Sobel(seen, cv2.CV_32F, 1, 0, ksize=3)) / 4
    votes = np.minimum(change, 12 + 0.5 * float(np.percentile(change, 90)))
    first, last = np.meshgrid(np.arange(len(offsets)), np.arange(len(offsets)), indexing="ij")
    columns = np.rint(
        first[..., None] + (last - first)[..., None] * (t - t[0]) / (t[-1] - t[0])
    ).astype(int)
    score = votes[np.arange(len(t)), columns].sum(2)
    score *= np.exp(-((offsets[first] / reach) ** 2 + (offsets[last] / reach) ** 2) / 3)
    a, b = np.unravel_index(int(score.argmax()), score.shape)
    one = start + t[0] * (end - start) + offsets[a] * out
    two = start + t[-1] * (end - start) + offsets[b] * out
    way = (two - one) / np.linalg.norm(two - one)
    return np.array([*way, *one], np.float32)
