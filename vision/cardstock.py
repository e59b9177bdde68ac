"""Draws cards as they are in the lip, flat and sharp, with face and label. It knows no camera.

These are our own drawings, simple enough to be drawn quickly. Their only purpose is that the label
is on a busy face and not on an empty sheet. Grey levels are for nominal light: paper 190, ink 40.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import cv2
import numpy as np

from table_controller.rules.cards import Card
from vision import codes
from vision.frame import Pixels
from vision.lip import QUIET, Lip

PAPER, INK, RED = 190, 40, 95  # contrast 150; red ink under white light


@dataclass(frozen=True, slots=True)
class Stock:
    """One card in the Schlitten, with its face to the camera.

    Attributes:
        card: the printed card, or None for a blank (the white cut card).
        label: the text of the card's QR label, or None for a card without a label.
        turned: the half turns by which the card was turned when put into the Schlitten (0 or 1).
    """

    card: Card | None = None
    label: str | None = None
    turned: int = 0

    def picture(self, lip: Lip) -> Pixels:
        """The card as seen from below at the lip's scale, with its motion along the rows.

        A level of 0 means that there is no card, so the background shows through.
        """
        return self._laid(self._flat(lip))

    def _flat(self, lip: Lip) -> Pixels:
        picture = face(self.card, lip).copy()
        if self.label is not None:
            stick(picture, label_picture(self.label, lip), picture.shape[1] // 2)
        return picture

    def _laid(self, flat: Pixels) -> Pixels:
        return np.ascontiguousarray(flat[::-1, ::-1]) if self.turned else flat


def label_picture(text: str, lip: Lip) -> Pixels:
    """A label as printed, at the lip's scale."""
    modules = np.pad(codes.qr(text), QUIET)
    side = round(lip.label_px)
    levels = np.where(modules, INK, PAPER).astype(np.uint8)
    return np.asarray(cv2.resize(levels, (side, side), interpolation=cv2.INTER_NEAREST))


def stick(picture: Pixels, label: Pixels, middle: int) -> None:
    """Put a label on a card, with the label's centre at the column `middle`."""
    high, wide = label.shape
    top, left = (picture.shape[0] - high) // 2, middle - wide // 2
    picture[top : top + high, left : left + wide] = label


@functools.lru_cache(maxsize=128)
def face(card: Card | None, lip: Lip) -> Pixels:
    """The card's printed face. The white cut card (None) has a blank face."""
    wide, high = (round(side * lip.px_per_mm) for side in lip.card_mm)
    sheet = np.full((high, wide), PAPER, np.uint8)
    if card:
        half = _print(card, wide, high)
        sheet = np.minimum(sheet, np.minimum(half, half[::-1, ::-1]))
    return rounded(sheet)


def _print(card: Card, wide: int, high: int) -> Pixels:
    """Draw the index and the upper pips of a face. The lower half is the same, turned.

    `wide` and `high` are the face's size in pixels.
    """
    sheet = np.full((high, wide), PAPER, np.uint8)
    ink = RED if card.suit in "dh" else INK
    rank = "10" if card.rank == 10 else card.value[0]
    unit = wide / 63
    cv2.putText(
        sheet, rank, (int(2 * unit), int(9 * unit)), cv2.FONT_HERSHEY_DUPLEX, unit / 4.2, ink,
        max(1, int(unit / 2.5)), cv2.LINE_AA,
    )  # fmt: skip
    _pip(sheet, card.suit, (4.5 * unit, 13.5 * unit), 2.3 * unit, ink)
    if card.rank > 10:
        low, far = (int(11 * unit), int(8 * unit)), (int(52 * unit), int(80 * unit))
        cv2.rectangle(sheet, low, far, ink, max(1, int(unit / 3)), cv2.LINE_AA)
        for step in range(12, 52, 3):  # robes: a weave, as dense as on a real court card
            start, end = (
                (int(step * unit), int(9 * unit)),
                (int((64 - step) * unit), int(43 * unit)),
            )
            cv2.line(sheet, start, end, ink, max(1, int(unit / 3)), cv2.LINE_AA)
        _pip(sheet, card.suit, (18 * unit, 16 * unit), 4 * unit, ink)
        return sheet
    for x, y in _PIPS[card.rank]:
        _pip(sheet, card.suit, (x * unit, y * unit), 5 * unit, ink)
    return sheet


_L, _M, _R = 19.0, 31.5, 44.0
_PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((_M, 44),),
    2: ((_M, 16),),
    3: ((_M, 16), (_M, 44)),
    4: ((_L, 16), (_R, 16)),
    5: ((_L, 16), (_R, 16), (_M, 44)),
    6: ((_L, 16), (_R, 16), (_L, 44)),
    7: ((_L, 16), (_R, 16), (_L, 44), (_M, 30)),
    8: ((_L, 16), (_R, 16), (_L, 44), (_M, 30)),
    9: ((_L, 16), (_R, 16), (_L, 35), (_R, 35), (_M, 44)),
    10: ((_L, 16), (_R, 16), (_L, 35), (_R, 35), (_M, 25)),
}


def _pip(sheet: Pixels, suit: str, at: tuple[float, float], size: float, ink: int) -> None:
    """Draw a suit sign, 2 x `size` high with its middle `at`, with circles and triangles."""
    x, y = at

    def disc(dx: float, dy: float, radius: float) -> None:
        centre = (round(x + dx * size), round(y + dy * size))
        cv2.circle(sheet, centre, round(radius * size), ink, -1, cv2.LINE_AA)

    def area(*corners: tuple[float, float]) -> None:
        points = [[round(x + dx * size), round(y + dy * size)] for dx, dy in corners]
        cv2.fillPoly(sheet, [np.array(points, np.int32)], ink, cv2.LINE_AA)

    if suit == "d":
        area((0, -1), (0.75, 0), (0, 1), (-0.75, 0))
    elif suit == "h":
        disc(-0.42, -0.4, 0.45)
        disc(0.42, -0.4, 0.45)
        area((-0.85, -0.2), (0.85, -0.2), (0, 1))
    elif suit == "s":
        disc(-0.42, 0.2, 0.45)
        disc(0.42, 0.2, 0.45)
        area((-0.85, 0.05), (0.85, 0.05), (0, -1))
        area((0, 0.1), (0.35, 1), (-0.35, 1))
    else:
        disc(0, -0.5, 0.42)
        disc(-0.48, 0.15, 0.42)
        disc(0.48, 0.15, 0.42)
        area((0, -0.2), (0.35, 1), (-0.35, 1))


def rounded(sheet: Pixels) -> Pixels:
    """Return the sheet with its corners rounded by 3.5 mm, as on a poker card."""
    high, wide = sheet.shape
    radius = round(wide * 3.5 / 63)
    mask = np.zeros_like(sheet)
    cv2.rectangle(mask, (radius, 0), (wide - 1 - radius, high - 1), 255, -1)
    cv2.rectangle(mask, (0, radius), (wide - 1, high - 1 - radius), 255, -1)
    for x in (radius, wide - 1 - radius):
        for y in (radius, high - 1 - radius):
            cv2.circle(mask, (x, y), radius, 255, -1)
    return np.where(mask > 0, sheet, 0).astype(np.uint8)
