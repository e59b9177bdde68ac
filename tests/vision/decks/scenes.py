"""Lays drawn cards into a picture, as a camera sees them. The module knows no rank."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[Any]
Points = NDArray[Any]


def paste(picture: Image, card: Image, corners: Points, rng: np.random.Generator) -> None:
    """Lay one card into the picture, with rounded corners and a shadow.

    `corners` are the card's place in the picture.
    """
    low = np.floor(corners.min(0)).astype(int) - 4
    far = np.ceil(corners.max(0)).astype(int) + 5
    size = (far - low).tolist()
    shrink = np.sqrt(cv2.contourArea(corners) / (card.shape[0] * card.shape[1]))
    if shrink < 0.8:
        card = cv2.resize(card, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    high, wide = card.shape[:2]
    shape: Image = np.zeros((high, wide), np.uint8)
    radius = max(int(wide * rng.uniform(0.025, 0.06)), 1)
    cv2.rectangle(shape, (radius, radius), (wide - 1 - radius, high - 1 - radius), 255, -1)
    shape = cv2.dilate(shape, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1,) * 2))
    source = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    move = cv2.getPerspectiveTransform(source, corners - low.astype(np.float32))
    card = cv2.warpPerspective(card, move, size, borderMode=cv2.BORDER_REPLICATE)
    shape = cv2.warpPerspective(shape, move, size)
    left, top = np.maximum(low, 0)
    right, bottom = np.minimum(far, [picture.shape[1], picture.shape[0]])
    if right <= left or bottom <= top:
        return
    there = (slice(top, bottom), slice(left, right))
    here = (slice(top - low[1], bottom - low[1]), slice(left - low[0], right - low[0]))
    mask = shape[here].astype(np.uint16)[..., None]
    if rng.random() < 0.6:
        dark = cv2.GaussianBlur(shape, (0, 0), rng.uniform(1, 4))[here].astype(np.float32)[
            ..., None
        ]
        picture[there] = (
            picture[there] * (1 - dark / 255 * np.float32(rng.uniform(0.1, 0.5)))
        ).astype(np.uint8)
    picture[there] = (picture[there] * (255 - mask) + card[here].astype(np.uint16) * mask) // 255
