"""Pictures of drawn cards at known places, for the tests. They need no artwork and no photo."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from tests.vision.decks import deck, scenes
from vision.faces.quads import Quad
from vision.faces.recognise import Box

DEJAVU = Path("/usr/share/fonts/truetype/dejavu/DejaVuSerif-Bold.ttf")
BLACK, RED = (30, 25, 25), (40, 30, 200)


def style(**changes):
    """A plain deck: letters of 9 mm, suits of 6 mm under them."""
    usual = {
        "font": DEJAVU,
        "suit_font": None,
        "bend": (0.4, 0.5),
        "weight": 0,
        "stretch": 0.75,
        "rank_h": 9.0,
        "suit_h": 6.0,
        "suit_w": 5.5,
        "gap": 0.8,
        "margin": (2.5, 3.0),
        "beside": False,
        "four": False,
        "pip": 10.0,
        "frame": False,
        "colours": {"c": BLACK, "s": BLACK, "d": RED, "h": RED},
        "paper": (244, 248, 250),
    }
    return deck.Style(**{**usual, **changes})


JUMBO = {"rank_h": 15.0, "suit_h": 9.0, "suit_w": 8.5}


@dataclass(frozen=True)
class At:
    """Where a card lies: its middle, its width in pixels, how far it is turned, in degrees."""

    code: str
    x: float
    y: float
    width: float = 190.0
    turned: float = 0.0


def corners(at: At) -> np.ndarray:
    """The card's four corners in the picture, clockwise from the top left of the standing card."""
    half = np.array([at.width / 2, at.width / 2 * deck.HEIGHT / deck.WIDTH])
    flat = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    angle = np.radians(at.turned)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return (flat @ turn + [at.x, at.y]).astype(np.float32)


def whole(at: At) -> Quad:
    """The card's outline as a finder gives it."""
    return Quad(corners(at), 1.0)


def picture(*cards: At, size=(960, 1280), ground=(70, 110, 60), seed=0, **changes) -> np.ndarray:
    """A picture with these cards on a plain ground, slightly soft and grainy as a camera's."""
    rng = np.random.default_rng(seed)
    image = np.full((*size, 3), ground, np.uint8)
    for at in cards:
        face = deck.face(style(**changes), at.code[0], at.code[1], rng)
        scenes.paste(image, face, corners(at), rng)
    soft = cv2.GaussianBlur(image, (0, 0), 0.8)
    return np.clip(soft + rng.normal(0, 3, soft.shape), 0, 255).astype(np.uint8)


def box(at: At) -> list[float]:
    """The upright box around the card."""
    points = corners(at)
    return [*points.min(0).tolist(), *points.max(0).tolist()]


def iou(one: Box, two: Box) -> float:
    """The shared area of two boxes, as a share of the area that they cover together."""
    wide = min(one[2], two[2]) - max(one[0], two[0])
    high = min(one[3], two[3]) - max(one[1], two[1])
    if wide <= 0 or high <= 0:
        return 0.0
    areas = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (one, two))
    return wide * high / (areas - wide * high)
