"""Draws a card for timing the reading: a two of diamonds, in the lip as a camera shows it.

The module knows a lip's sizes. The card belongs to no Schlitten, and nobody sees the drawing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.frame import Pixels
from vision.lip import Lip

_PX: Final = 8  # per millimetre, as drawn
_WIDE_MM, _HIGH_MM = 63, 88
_PAPER, _INK, _EMPTY, _NOISE = 190, 70, 25, 4  # grey levels
_INDEX_MM: Final = 6  # from the card's edge to the middle of its index


def in_lip(lip: Lip, corners: Sequence[tuple[float, float]] | None = None) -> Pixels:
    """Draw a frame of the lip with the card in its gate, or at the calibrated `corners`."""
    at = np.array(corners or place(lip), np.float32)
    if np.linalg.norm(at[1] - at[0]) > np.linalg.norm(at[2] - at[1]):
        at = np.roll(at, -1, axis=0)  # it is on its side, and a short side must come first
    sheet = _two_of_diamonds()
    ends = [(0, 0), (_WIDE_MM, 0), (_WIDE_MM, _HIGH_MM), (0, _HIGH_MM)]
    move = cv2.getPerspectiveTransform(np.array(ends, np.float32) * _PX, at)
    soft = cv2.GaussianBlur(sheet, (0, 0), max(0.3, _PX / lip.px_per_mm / 2))
    size = (lip.width_px, lip.height_px)
    seen = cv2.warpPerspective(soft, move, size, borderValue=_EMPTY).astype(float)
    seen += np.random.default_rng(1).normal(0, _NOISE, seen.shape)
    return np.asarray(np.clip(seen, 0, 255), np.uint8)


def place(lip: Lip) -> list[tuple[float, float]]:
    """Return the corners of a card in the middle of the gate, clockwise."""
    wide, high = (side * lip.px_per_mm / 2 for side in lip.card_mm)
    x, y = lip.gate_px, lip.height_px / 2
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return [(x + along * wide, y + across * high) for along, across in signs]


def _two_of_diamonds() -> Pixels:
    sheet = np.full((_HIGH_MM * _PX, _WIDE_MM * _PX), _PAPER, np.uint8)
    for _ in range(2):  # its two ends are alike
        at = (round((_INDEX_MM - 3) * _PX), 11 * _PX)
        cv2.putText(sheet, "2", at, cv2.FONT_HERSHEY_DUPLEX, 3.0, _INK, 6, cv2.LINE_AA)
        _diamond(sheet, _INDEX_MM, 15, 5.5)
        _diamond(sheet, _WIDE_MM / 2, 18, 11)
        sheet = np.ascontiguousarray(sheet[::-1, ::-1])
    return sheet


def _diamond(sheet: Pixels, x: float, y: float, high: float) -> None:
    """Draw a diamond of this height (mm), with its middle at x, y."""
    half, wide = high / 2, high * 0.4
    points = np.array([(x, y - half), (x + wide, y), (x, y + half), (x - wide, y)]) * _PX
    cv2.fillPoly(sheet, [np.round(points).astype(np.int32)], (_INK,), cv2.LINE_AA)
