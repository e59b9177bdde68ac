"""Training crops of whole cards, as `rectify.whole` makes them: with pips and all indices."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.vision.decks import deck
from vision.faces import rectify
from workshop.training import crops

Image = NDArray[Any]
Points = NDArray[Any]
#: The most pixels per millimetre. The crop itself has one and a half.
NEAREST = 2.6
#: Shares of crops with the card partly covered, lying on its side, or somewhere else.
COVERED, LYING, ASIDE = 0.12, 0.04, 0.04
_CARD = rectify.UNIT * [deck.WIDTH, deck.HEIGHT]


def crop(shown: crops.Shown, rng: np.random.Generator) -> crops.Sample:
    """Return one crop of a whole card, either way up.

    The label usually is the card's, otherwise NONE.
    """
    picture, answer, points = shown.picture, shown.label, _CARD
    if rng.random() < 0.5:
        points = np.roll(points, 2, axis=0)
    luck = rng.random()
    if luck < COVERED:
        picture = covered(picture, rng)
    elif luck < COVERED + LYING:
        points, answer = np.roll(points, 1, axis=0), crops.NONE
    elif luck < COVERED + LYING + ASIDE:
        points, answer = points + _aside(rng), crops.NONE
    seen, _ = crops.photograph(
        picture, points.astype(np.float32), shown.letter, rng, nearest=NEAREST
    )
    return seen, answer


def _aside(rng: np.random.Generator) -> Points:
    """A shift (mm) that moves nearly half of the card, or more, out of the crop."""
    away = rng.uniform([-40, -60], [40, 60])
    side = int(rng.integers(2))
    away[side] = (1 if rng.random() < 0.5 else -1) * rng.uniform(0.45, 0.9) * _CARD[2][side]
    return away


def covered(picture: Image, rng: np.random.Generator) -> Image:
    """The picture with one end or side of the card covered. At least one index stays in sight."""
    picture = picture.copy()
    high, wide = picture.shape[:2]
    edge = crops.MARGIN * crops.PX
    middle = np.array([wide, high]) / 2
    turn = rng.uniform(0, 2 * np.pi)
    out = np.array([np.cos(turn), np.sin(turn)])
    reach = np.abs(out) @ (middle - edge)  # how far the card extends that way
    start = middle + out * reach * rng.uniform(0.25, 0.9)
    along = np.array([-out[1], out[0]]) * (2 * high if rng.random() < 0.6 else rng.uniform(20, 60))
    shape = np.array([start - along, start + along, start + along + out * high])
    shape = np.vstack([shape, start - along + out * high]).round().astype(np.int32)
    ink = rng.integers(0, 256, 3).tolist()
    if rng.random() < 0.5:  # another card's edge
        ink = [int(rng.integers(200, 256))] * 3
    cv2.fillConvexPoly(picture, shape.reshape(-1, 1, 2), ink, cv2.LINE_AA)
    return picture
