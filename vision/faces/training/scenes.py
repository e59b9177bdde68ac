"""Whole pictures with cards in them, drawn by lot, and where their indices stand; no photo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from table_controller.rules.cards import RANKS, SUITS
from vision.faces import spotgrid as grid
from vision.faces.training import art, clutter, crops, deck, lens

Image = NDArray[Any]
Points = NDArray[Any]
SHARPEST = 230.0  # pixels, the width of the largest cards
LEAST_LETTER = 5.0  # pixels: a smaller rank is not called legible


@dataclass(frozen=True, slots=True)
class Drawn:
    """A face, or a card without an index of ours, and the box (mm) around its top left index."""

    picture: Image
    index: deck.Box | None
    four: bool
    letter: float


@dataclass(frozen=True, slots=True)
class Laid:
    """A card in a scene: its four corners, standing."""

    card: Drawn
    corners: Points


class Scenes:
    """A store of cards and grounds, and scenes made of them."""

    def __init__(
        self, rng: np.random.Generator, *, own: int, grounds: int, held_out: bool = False
    ) -> None:
        self._rng, self._held_out = rng, held_out
        self._sheets = art.sheets(held_out=held_out)
        self._courts = [
            face for sheet in self._sheets for code, face in sheet.faces.items() if code[0] in "JQK"
        ]
        self._others = [other for sheet in self._sheets for other in sheet.others]
        self.own = [self._draw() for _ in range(own)]
        self.art = [
            Drawn(face, (2.0, 2.0, 6.0, 15.0), sheet.name in crops.ART_FOUR, crops.ART_LETTER)
            for sheet in self._sheets
            for face in sheet.faces.values()
        ]
        self.none = [self._no_card() for _ in range(own // 6)]
        size = (grid.HIGH, grid.WIDE)
        self._grounds = [
            clutter.ground(rng, size) if n % 2 else clutter.anything(rng, size)
            for n in range(grounds)
        ]

    def renew(self, count: int) -> None:
        """Draw `count` new cards in place of as many old ones."""
        for place in self._rng.integers(0, len(self.own), count):
            self.own[place] = self._draw()

    def _draw(self) -> Drawn:
        rng = self._rng
        style = deck.style(rng, held_out=self._held_out)
        rank, suit = RANKS[rng.integers(13)], SUITS[rng.integers(4)]
        court = None
        if rank in "JQK" and rng.random() < 0.6:
            court = self._courts[rng.integers(len(self._courts))][40:-40, 40:-40]
        card = deck.face(style, rank, suit, rng, court)
        one, two = deck.index(style, rank)
        x, y = min(one[0], two[0]), min(one[1], two[1])
        right, bottom = max(one[0] + one[2], two[0] + two[2]), max(one[1] + one[3], two[1] + two[3])
        return Drawn(card, (x, y, right - x, bottom - y), style.four, style.rank_h)

    def _no_card(self) -> Drawn:
        rng = self._rng
        style = deck.style(rng, held_out=self._held_out)
        luck = rng.random()
        if luck < 0.4 or not self._others:
            return Drawn(deck.back(style, rng), None, False, 8.0)
        if luck < 0.7:
            return Drawn(deck.joker(style, rng), None, False, 8.0)
        return Drawn(self._others[rng.integers(len(self._others))], None, False, 8.0)

    def _pick(self) -> Drawn:
        luck = self._rng.random()
        store = self.own if luck < 0.6 else self.art if luck < 0.9 else self.none
        return store[self._rng.integers(len(store))]

    def scene(self) -> tuple[Image, list[Points]]:
        """A picture, and for each index in sight its middle and its card's corners as (5, 2)."""
        rng = self._rng
        picture = self._grounds[rng.integers(len(self._grounds))]
        picture = picture[:: rng.choice([-1, 1]), :: rng.choice([-1, 1])].copy()
        owner = np.zeros(picture.shape[:2], np.uint8)
        laid = self._deal()
        for n, one in enumerate(laid, 1):
            paste(picture, owner, one, n, rng)
        if rng.random() < 0.3:
            _fingers(picture, owner, rng)
        letter = min((_letter_px(one) for one in laid), default=12.0)
        seen = lens.develop(rng, picture, letter=letter)
        return seen, [spot for n, one in enumerate(laid, 1) for spot in _spots(one, owner, n)]

    def _deal(self) -> list[Laid]:
        rng = self._rng
        count = int(rng.choice([0, 1, 2, 3, 5, 7], p=[0.06, 0.3, 0.2, 0.18, 0.16, 0.1]))
        width = float(np.exp(rng.uniform(np.log(42), np.log(SHARPEST if count < 3 else 130))))
        together = rng.random() < 0.35
        middle = np.array([rng.uniform(100, grid.WIDE - 100), rng.uniform(80, grid.HIGH - 80)])
        laid = []
        for _ in range(count):
            card = self._pick()
            wide = max(
                width * rng.uniform(0.85, 1.15), LEAST_LETTER * 1.1 * deck.WIDTH / card.letter
            )
            shape = lens.view(
                rng, (deck.WIDTH * rng.uniform(0.92, 1.02), deck.HEIGHT), wide / deck.WIDTH
            )
            at = (
                middle + rng.normal(0, 0.7 * width, 2)
                if together
                else rng.uniform(20, [grid.WIDE - 20, grid.HIGH - 20])
            )
            laid.append(Laid(card, (shape + at).astype(np.float32)))
        return laid


def _letter_px(one: Laid) -> float:
    return one.card.letter * float(np.linalg.norm(one.corners[1] - one.corners[0])) / deck.WIDTH


def paste(picture: Image, owner: Image, one: Laid, number: int, rng: np.random.Generator) -> None:
    """Lay one card into the picture, corners round, with a shadow; mark whose pixels they are."""
    low = np.floor(one.corners.min(0)).astype(int) - 4
    far = np.ceil(one.corners.max(0)).astype(int) + 5
    size = (far - low).tolist()
    card = one.card.picture
    shrink = np.sqrt(cv2.contourArea(one.corners) / (card.shape[0] * card.shape[1]))
    if shrink < 0.8:
        card = cv2.resize(card, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    high, wide = card.shape[:2]
    shape: Image = np.zeros((high, wide), np.uint8)
    radius = max(int(wide * rng.uniform(0.025, 0.06)), 1)
    cv2.rectangle(shape, (radius, radius), (wide - 1 - radius, high - 1 - radius), 255, -1)
    shape = cv2.dilate(shape, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1,) * 2))
    source = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    move = cv2.getPerspectiveTransform(source, one.corners - low.astype(np.float32))
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
    owner[there][shape[here] > 127] = number


def _fingers(picture: Image, owner: Image, rng: np.random.Generator) -> None:
    """A hand's fingers or a tool over the scene."""
    ink = (np.array([rng.uniform(60, 170), rng.uniform(90, 190), rng.uniform(140, 235)])).tolist()
    for _ in range(rng.integers(1, 5)):
        start = rng.uniform(0, [grid.WIDE, grid.HIGH])
        end = start + rng.normal(0, 110, 2)
        thick = int(rng.uniform(8, 45))
        points = (start.astype(int).tolist(), end.astype(int).tolist())
        cv2.line(picture, *points, ink, thick, cv2.LINE_AA)
        cv2.line(owner, *points, 255, thick)


def _spots(one: Laid, owner: Image, number: int) -> list[Points]:
    """The card's indices that are in sight, each with the corners as seen from it."""
    if one.card.index is None or _letter_px(one) < LEAST_LETTER:
        return []
    x, y, wide, high = one.card.index
    box = np.array([[x, y], [x + wide, y], [x + wide, y + high], [x, y + high]], np.float32)
    other = np.array([deck.WIDTH, deck.HEIGHT], np.float32)
    boxes = [(box, 0), (other - box, 2)]
    if one.card.four:
        beside = box + np.array([deck.WIDTH - 2 * x - wide, 0])
        boxes += [(beside.astype(np.float32), 0), ((other - beside).astype(np.float32), 2)]
    move = cv2.getPerspectiveTransform(crops.CARD, one.corners)
    spots = []
    for place, turn in boxes:
        there = cv2.perspectiveTransform(place[None], move)[0]
        if _in_sight(there, owner, number):
            spots.append(np.vstack([there.mean(0), np.roll(one.corners, -turn, 0)]))
    return spots


def _in_sight(box: Points, owner: Image, number: int) -> bool:
    a, b = np.meshgrid(np.linspace(0, 1, 6), np.linspace(0, 1, 8))
    points = box[0] + a[..., None] * (box[1] - box[0]) + b[..., None] * (box[3] - box[0])
    x, y = (
        np.round(points[..., 0]).astype(int).ravel(),
        np.round(points[..., 1]).astype(int).ravel(),
    )
    if x.min() < 1 or y.min() < 1 or x.max() >= grid.WIDE - 1 or y.max() >= grid.HIGH - 1:
        return False
    return bool((owner[y, x] == number).mean() > 0.93)


def targets(spots: list[Points]) -> NDArray[Any]:
    """What the net should give: likelihood as a soft dot, and the six numbers around each dot.

    Shape (8, rows, columns): likelihood, six numbers, and where the six count.
    """
    rows, columns = grid.HIGH // grid.CELL, grid.WIDE // grid.CELL
    out = np.zeros((8, rows, columns), np.float32)
    ys, xs = np.mgrid[0:rows, 0:columns].astype(np.float32)
    middle_x, middle_y = (xs + 0.5) * grid.CELL, (ys + 0.5) * grid.CELL
    for spot in spots:
        at, corners = spot[0], spot[1:]
        size = float(np.linalg.norm(corners[1] - corners[0]))
        away = (middle_x - at[0]) ** 2 + (middle_y - at[1]) ** 2
        dot = np.exp(-away / (2 * max(0.06 * size, 5.0) ** 2))
        column = min(int(at[0] / grid.CELL), columns - 1)
        row = min(int(at[1] / grid.CELL), rows - 1)
        dot[row, column] = 1
        near = (dot > 0.4) & (dot > out[0])
        top, left = corners[1] - corners[0], corners[3] - corners[0]
        values = [corners[0][0] - middle_x, corners[0][1] - middle_y, *top, *left]
        for n, value in enumerate(values, 1):
            out[n][near] = (value[near] if isinstance(value, np.ndarray) else value) / grid.UNIT
        out[7][near] = dot[near]
        out[0] = np.maximum(out[0], dot)
    return out
