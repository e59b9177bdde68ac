"""Cards that are wrongly placed in the lip: the wrong way up, covered, torn, with two labels."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.cardstock import PAPER, RED, Stock, label_picture, rounded, stick
from vision.frame import Frame, Pixels
from vision.generator import Slide
from vision.lip import SHIPPED, Lip


@dataclass(frozen=True, slots=True)
class Odd(Stock):
    """One card, odd in some way.

    Attributes:
        back: it lies the wrong way up.
        covered: how much of the label is hidden by a patch of paper, 0 to 1.
        second: the text of a second label beside the first, or None.
        torn: only this part of the card's length along the motion is there, 0 to 1.
    """

    back: bool = False
    covered: float = 0.0
    second: str | None = None
    torn: float = 1.0

    def picture(self, lip: Lip) -> Pixels:
        flat = _back(lip).copy() if self.back else self._flat(lip)
        middle, side = flat.shape[1] // 2, round(lip.label_px)
        if self.covered and not self.back:
            top, left = (flat.shape[0] - side) // 2, middle - side // 2
            flat[top : top + side, left : left + round(side * self.covered)] = PAPER - 15
        if self.second is not None:
            stick(flat, label_picture(self.second, lip), middle + int(lip.label_px * 1.15))
        picture = self._laid(flat)
        if self.torn < 1.0:
            picture[:, : int(picture.shape[1] * (1 - self.torn))] = 0
        return picture


@functools.lru_cache(maxsize=2)
def _back(lip: Lip) -> Pixels:
    """A lattice inside a white border, as most backs are."""
    wide, high = (round(side * lip.px_per_mm) for side in lip.card_mm)
    sheet = np.full((high, wide), PAPER, np.uint8)
    edge = round(4 * lip.px_per_mm)
    inner = sheet[edge:-edge, edge:-edge]
    inner[:] = RED
    for step in range(-high, wide, round(2.5 * lip.px_per_mm)):
        cv2.line(inner, (step, 0), (step + high, high), PAPER, 3, cv2.LINE_AA)
        cv2.line(inner, (step, high), (step + high, 0), PAPER, 3, cv2.LINE_AA)
    return rounded(sheet)


def glaring(frames: Iterable[Frame], slide: Slide, size: float = 1.3) -> Iterator[Frame]:
    """These frames, with a lamp's reflection on light areas while that card is nearest the gate.

    The reflection stays put while the card slides, and spans `size` times a label's side.
    """
    half = SHIPPED.card_mm[0] / 2
    for frame in frames:
        lead = slide.lead_mm(frame.t_ms)
        near = lead is not None and abs(lead - half) < half + 12
        yield replace(frame, picture=_lit(frame.picture, size)) if near else frame


def _lit(picture: Pixels, size: float) -> Pixels:
    high, wide = picture.shape
    across = round(size * SHIPPED.label_px / 2)
    spot = np.zeros((high, wide), np.float32)
    axes = (SHIPPED.reach_px + across, across)
    cv2.ellipse(spot, (wide // 2, high // 2), axes, 0, 0, 360, 400.0, -1)
    card = cv2.dilate(picture, np.ones((25, 25), np.uint8)) > SHIPPED.paper_level  # its ink too
    shine = np.where(card, cv2.GaussianBlur(spot, (31, 31), 8), 0)
    return np.clip(picture + shine, 0, 255).astype(np.uint8)
