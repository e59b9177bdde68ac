"""Training crops: a pool of cards on backgrounds, and crops of them as a camera would see them.

A crop is the part of a picture that the net reads. A crop's label is two numbers: the positions of
the index's letter in GLYPHS and of its suit in SUITS. NONE means that there is no index.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from table_controller.rules.cards import RANKS, SUITS
from tests.vision.decks import clutter, deck, lens, strokes
from vision.faces import letters, rectify, window
from vision.faces.letters import GLYPHS, looks
from workshop.training import art, strange

Image = NDArray[Any]
Points = NDArray[Any]
Sample = tuple[Image, tuple[int, int]]
NONE = (len(GLYPHS), len(SUITS))
MARGIN = 8  # mm of background around a card
PX = 4  # pixels per mm of the pool's pictures, as in a lip's camera for faces
#: The boxes of an index whose place is unknown.
NOWHERE = ((0.0, 0.0, 1.0, 1.0), (0.0, 0.0, 1.0, 1.0))
#: Share of crops taken by a poor webcam.
WEBCAM = 0.2
ART_LETTER = 7.0  # mm, the height of a rank in the artwork
ART_BOXES = ((2.0, 2.0, 6.0, 8.0), (2.0, 10.5, 5.0, 6.0))  # mm, of ranks and suits
ART_FOUR = ("dondorf",)  # artwork with an index in each corner
CARD = np.array([[0, 0], [deck.WIDTH, 0], [deck.WIDTH, deck.HEIGHT], [0, deck.HEIGHT]], np.float32)
#: The share of our own decks with letters other than A K Q J, and the share of their cards that
#: show such a letter. Then the frequencies of an ace (whose letters are the rarest), a king, a
#: queen and a jack among such cards.
LOCAL, LETTERED = 0.5, 0.75
OF_LETTERED = (0.4, 0.15, 0.2, 0.25)
#: The share of our own decks whose large pips crowd the index, and the share whose small pips are
#: in a frame next to the index. Then the share of cards that are printed coarsely.
CROWDED, PANELLED, COARSE = 0.25, 0.15, 0.2
#: The share of our own decks whose letters are thinner or heavier than on any usual deck, and by
#: how much.
WEIGHED, WEIGHTS = 0.2, (-5, -3, 12, 14)
#: The share of our own training decks whose letters are our own drawing too.
PENS = 0.15
#: The least pixels per millimetre, and per letter's height. Illegible crops only teach doubt.
FARTHEST, LEGIBLE = 1.3, 8.0
#: If the crop cuts an index, at least this share of its rank and of its suit must be inside.
IN_SIGHT = 0.6


@dataclass(frozen=True, slots=True)
class Shown:
    """A card on a background, and the place of its top left index (mm).

    The label NONE means that the card has no index.
    """

    picture: Image
    label: tuple[int, int]
    four: bool
    letter: float
    boxes: tuple[deck.Box, deck.Box]
    code: str = ""


#: How one crop of a card is taken: of a corner, or of the whole card (`wholes`).
View = Callable[[Shown, np.random.Generator], Sample]


def label(bears: str, suit: str) -> tuple[int, int]:
    """The net's classes for an index with this letter and suit."""
    return GLYPHS.index(looks(bears)), SUITS.index(suit)


def drawn(style: deck.Style, face: Image, code: str, rng: np.random.Generator) -> Shown:
    """Make a card of our own drawing, labelled with its index."""
    says, boxes = label(style.bears(code[0]), code[1]), deck.index(style, code[0])
    return Shown(lay(face, rng), says, style.four, style.rank_h, boxes, code)


def printed(sheet: art.Sheet, code: str, rng: np.random.Generator) -> Shown:
    """Make a card of artwork, labelled with its index."""
    says, four = label(sheet.bears(code[0]), code[1]), sheet.name in ART_FOUR
    return Shown(lay(sheet.faces[code], rng), says, four, ART_LETTER, ART_BOXES, code)


def lay(card: Image, rng: np.random.Generator) -> Image:
    """Lay the card, with rounded corners and a thin shadow, on a background; `PX` pixels per mm."""
    size = (deck.WIDTH * PX, deck.HEIGHT * PX)
    edge = MARGIN * PX
    picture = clutter.ground(rng, (size[1] + 2 * edge, size[0] + 2 * edge))
    shape: Image = np.zeros(picture.shape[:2], np.uint8)
    radius = int(rng.uniform(1.5, 4.5) * PX)
    box = (edge + radius, edge + radius, edge + size[0] - radius - 1, edge + size[1] - radius - 1)
    cv2.rectangle(shape, box[:2], box[2:], 255, -1)
    shape = cv2.dilate(shape, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1,) * 2))
    if rng.random() < 0.6:
        shift = np.roll(shape, rng.integers(-4, 5, 2), (0, 1))
        dark = (
            cv2.GaussianBlur(shift, (0, 0), rng.uniform(1, 3)).astype(np.float32)
            / 255
            * rng.uniform(0.1, 0.6)
        )
        picture = (picture * (1 - dark[..., None])).astype(np.uint8)
    inner = picture[edge : edge + size[1], edge : edge + size[0]]
    cv2.copyTo(
        cv2.resize(card, size, interpolation=cv2.INTER_AREA), shape[edge:-edge, edge:-edge], inner
    )
    return picture


class Pool:
    """Cards to crop from: random ones of our own drawing, all the artwork, and clutter."""

    def __init__(
        self,
        rng: np.random.Generator,
        *,
        own: int,
        nothing: int,
        held_out: bool = False,
        kinds: dict[str, float] = deck.TAUGHT,
        local: float = LOCAL,
        view: View | None = None,
    ) -> None:
        self._view = view or crop
        self._rng, self._held_out, self._kinds, self._local = rng, held_out, kinds, local
        self._sheets = art.sheets(held_out=held_out)
        self._courts = [
            face for sheet in self._sheets for code, face in sheet.faces.items() if code[0] in "JQK"
        ]
        self.own = [self._draw() for _ in range(own)]
        self.art = [
            printed(sheet, code, rng)
            for sheet in self._sheets
            for code in sheet.faces
            for _ in range(2)
        ]
        self.no_cards = [self._no_card() for _ in range(nothing)]
        self.clutter = [clutter.anything(rng, (352, 288)) for _ in range(nothing // 2)]

    def renew(self, count: int) -> None:
        """Replace `count` cards of our own drawing by new ones.

        As many pictures without a card of ours are replaced too.
        """
        for place in self._rng.integers(0, len(self.own), count):
            self.own[place] = self._draw()
        for place in self._rng.integers(0, len(self.no_cards), count):
            self.no_cards[place] = self._no_card()

    def crop(self) -> Sample:
        """Return one random crop and its label."""
        luck = self._rng.random()
        if luck < 0.55:
            return self._view(self._pick(self.own), self._rng)
        if luck < 0.7:
            return self._view(self._pick(self.art), self._rng)
        if luck < 0.95:
            return self._view(self._pick(self.no_cards), self._rng)
        return self._from_clutter(), NONE

    def _pick(self, of: list[Shown]) -> Shown:
        return of[self._rng.integers(len(of))]

    def _draw(self) -> Shown:
        rng = self._rng
        style = self._style()
        rank, suit = RANKS[rng.integers(13)], SUITS[rng.integers(4)]
        if style.letters != letters.USUAL.letters and rng.random() < LETTERED:
            rank = str(rng.choice(list(letters.LETTERED), p=OF_LETTERED))
        court = None
        if rng.random() < {"A": 0.4, "J": 0.6, "Q": 0.6, "K": 0.6}.get(rank, 0.0):
            court = self._court()
        card = deck.face(style, rank, suit, rng, court)
        if rng.random() < 0.02:
            card = 255 - card  # some decks are printed white on black
        if rng.random() < COARSE:
            card = _coarse(card, style, rng)
        return drawn(style, card, rank + suit, rng)

    def _court(self) -> Image:
        """Return a court card of artwork, without its edges."""
        return self._courts[self._rng.integers(len(self._courts))][40:-40, 40:-40]

    def _style(self) -> deck.Style:
        rng = self._rng
        bearing = deck.mixed(rng) if rng.random() < self._local else letters.USUAL.letters
        style = deck.style(rng, held_out=self._held_out, kinds=self._kinds, bearing=bearing)
        if rng.random() < CROWDED:
            margin = (rng.uniform(0.3, 2.5), rng.uniform(0.8, 4.0))
            style = replace(style, pip=rng.uniform(12, 19), margin=margin)
        if rng.random() < PANELLED:
            style = replace(style, panel=True)
        if rng.random() < WEIGHED:
            style = replace(style, weight=int(rng.choice(WEIGHTS)))
        if not self._held_out and rng.random() < PENS:
            style = replace(style, font=strokes.by_lot(rng), weight=0)
        return style

    def _no_card(self) -> Shown:
        rng = self._rng
        style = self._style()
        others = [other for sheet in self._sheets for other in sheet.others]
        luck = rng.random()
        if luck < 0.1:
            card = strange.back(style, rng)
        elif luck < 0.18:
            card = strange.joker(style, rng)
        elif luck < 0.22 and others:
            card = others[rng.integers(len(others))]
        elif luck < 0.5:
            card = strange.german(style, rng, self._court())
        else:
            card = strange.foreign(style, rng, own=0.6, aces=0.2, alike=0.4)
        return Shown(lay(card, rng), NONE, False, style.rank_h, NOWHERE)

    def _from_clutter(self) -> Image:
        rng = self._rng
        picture = self.clutter[rng.integers(len(self.clutter))]
        if rng.random() < 0.5:
            side = rng.uniform(0.2, 0.9)
            high, wide = (int(length * side) for length in picture.shape[:2])
            y, x = (
                rng.integers(0, picture.shape[0] - high),
                rng.integers(0, picture.shape[1] - wide),
            )
            picture = picture[y : y + high, x : x + wide]
        small = cv2.resize(picture, (window.WIDE, window.HIGH), interpolation=cv2.INTER_AREA)
        return lens.develop(rng, small, letter=18)


def _coarse(card: Image, style: deck.Style, rng: np.random.Generator) -> Image:
    """Return the card in coarse print.

    Letters are at least six dots high, suit signs at least five.
    """
    scale = min(rng.uniform(1, 2) * max(6 / style.rank_h, 5 / style.suit_h) / deck.PX, 1.0)
    few = cv2.resize(card, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    way = (cv2.INTER_NEAREST, cv2.INTER_LINEAR, cv2.INTER_CUBIC)[rng.integers(3)]
    return cv2.resize(few, card.shape[1::-1], interpolation=way)


def crop(shown: Shown, rng: np.random.Generator) -> Sample:
    """Return one crop of a card: usually an index, otherwise a corner or place without an index."""
    four = window.corners() * [deck.WIDTH, deck.HEIGHT]
    luck = rng.random()
    picture, answer, place = shown.picture, shown.label, int(rng.choice([0, 2]))
    away, turns = np.zeros(2), 0
    if luck < 0.7:
        if shown.four:
            place = int(rng.integers(4))
    elif luck < 0.8:
        place = int(rng.choice([1, 3]))
        answer = shown.label if shown.four else NONE
    elif luck < 0.85:
        place = 0
        picture, answer = _cover(picture, shown, rng), NONE
    elif luck < 0.9:
        place, away = 0, _past(shown, rng)
    elif luck < 0.95:
        away, answer = _aside(rng), NONE
    else:
        turns, answer = int(rng.integers(1, 4)), NONE
    points = np.roll(four[place] + away, turns, axis=0)
    seen, move = photograph(picture, points.astype(np.float32), shown.letter, rng)
    if answer != NONE and in_sight(shown.boxes, place, move) < IN_SIGHT:
        answer = NONE  # an 8 without its left half looks like a 3
    return seen, answer


def in_sight(boxes: tuple[deck.Box, deck.Box], place: int, move: Points) -> float:
    """Return how much (0 to 1) of the rank is in the crop, or of the suit if that is less.

    The index is in the corner `place`. `boxes` are the rank's box and the suit's. `move` maps mm on
    the card to the crop's pixels.
    """
    shares = []
    for box in boxes:
        upper = deck.mirrored(box) if place in {1, 3} else box
        x, y, wide, high = deck.turned(upper) if place in {2, 3} else upper
        outline = np.array([x, y]) + rectify.UNIT * [wide, high]
        there = cv2.perspectiveTransform(outline[None].astype(np.float32), move)[0]
        shared, _ = cv2.intersectConvexConvex(there, window.TARGET)
        shares.append(shared / cv2.contourArea(there))
    return min(shares)


def _past(shown: Shown, rng: np.random.Generator) -> Points:
    """Return a shift (mm) that makes the crop begin within the top left index or just before it."""
    x, y, wide, high = shown.boxes[rng.integers(2)]
    far = np.array([x + wide * rng.uniform(0, 1), y + high * rng.uniform(0, 1)])
    far[rng.integers(2)] *= rng.uniform(0, 0.3)
    return far.astype(np.float32)


def _aside(rng: np.random.Generator) -> Points:
    """A shift (mm) that moves the index out of the crop."""
    far = np.array([rng.uniform(0, 36), rng.uniform(0, 50)])
    far[rng.integers(2)] += 24
    return far.astype(np.float32) * (1 if rng.random() < 0.7 else -1)


def _cover(picture: Image, shown: Shown, rng: np.random.Generator) -> Image:
    """Return the picture with most of the top left index's rank or suit hidden."""
    picture = picture.copy()
    x, y, wide, high = (side * PX for side in shown.boxes[rng.integers(2)])
    x, y = x + MARGIN * PX, y + MARGIN * PX
    side = rng.integers(4)
    share = rng.uniform(0.6, 1.0)
    far = 200
    left, top, right, bottom = x - far, y - far, x + wide + far, y + high + far
    if side == 0:
        right = x + wide * share
    elif side == 1:
        left = x + wide * (1 - share)
    elif side == 2:
        bottom = y + high * share
    else:
        top = y + high * (1 - share)
    if rng.random() < 0.4:  # something small, such as a finger's tip or a spot of glare
        left, top, right, bottom = (
            max(left, x - 6),
            max(top, y - 6),
            min(right, x + wide + 6),
            min(bottom, y + high + 6),
        )
    ink = [255, 255, 255] if rng.random() < 0.4 else [int(v) for v in rng.integers(0, 256, 3)]
    cv2.rectangle(picture, (round(left), round(top)), (round(right), round(bottom)), ink, -1)
    return picture


def photograph(
    picture: Image,
    points: Points,
    letter_mm: float,
    rng: np.random.Generator,
    *,
    nearest: float = 4.5,
) -> tuple[Image, Points]:
    """Return the crop at `points` (mm on the card), as a camera saw the card and a finder found it.

    Also return the transform from mm on the card to the crop's pixels. `letter_mm` is the height of
    the rank's letter. `nearest` is the finest scale, in px per mm.
    """
    scale = float(np.exp(rng.uniform(np.log(FARTHEST), np.log(nearest))))
    scale = max(scale, LEGIBLE / letter_mm)
    seen = lens.view(rng, (deck.WIDTH, deck.HEIGHT), scale)
    found = lens.jitter(rng, seen)
    there = cv2.getPerspectiveTransform(CARD, found)
    at = cv2.perspectiveTransform(points[None], there)[0]
    corner = np.floor(at.min(0)) - 3
    size = np.ceil(at.max(0) + 3 - corner).astype(int)
    shrink = min(1.0, scale / PX)
    if shrink < 0.8:
        picture = cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    else:
        shrink = 1.0
    on_picture = ((CARD + MARGIN) * PX * shrink).astype(np.float32)
    move = cv2.getPerspectiveTransform(on_picture, (seen - corner).astype(np.float32))
    patch = cv2.warpPerspective(picture, move, size.tolist(), borderMode=cv2.BORDER_REPLICATE)
    if rng.random() < WEBCAM:
        patch = lens.webcam(rng, patch, letter=letter_mm * scale)
    else:
        patch = lens.develop(rng, patch, letter=letter_mm * scale)
    if rng.random() < 0.06:
        patch = _cut(patch, rng)
    straighten = cv2.getPerspectiveTransform((at - corner).astype(np.float32), window.TARGET)
    seen_crop = cv2.warpPerspective(
        patch, straighten, (window.WIDE, window.HIGH), borderMode=cv2.BORDER_REPLICATE
    )
    on_patch = cv2.getPerspectiveTransform(CARD, (seen - corner).astype(np.float32))
    return seen_crop, straighten @ on_patch


def _cut(patch: Image, rng: np.random.Generator) -> Image:
    """Return the patch as if the frame's edge cut it: a strip is filled from the inside."""
    strip = int(rng.uniform(0.02, 0.12) * min(patch.shape[:2])) + 1
    sides = [0, 0, 0, 0]
    sides[rng.integers(4)] = strip
    top, bottom, left, right = sides
    inner = patch[top : patch.shape[0] - bottom, left : patch.shape[1] - right]
    return cv2.copyMakeBorder(inner, top, bottom, left, right, cv2.BORDER_REPLICATE)
