"""Decks of our own drawing: a random style and its faces. No photographs are used.

All lengths are millimetres on a card of 63 x 88, at `PX` pixels each; colours are BGR.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from table_controller.rules.cards import RANKS, SUITS
from tests.vision.decks import glyphs, strokes
from vision.faces import letters

Image = NDArray[Any]
Box = tuple[float, float, float, float]
Colour = tuple[int, int, int]
Print = tuple[Image, Colour]  # a mask and its ink
PX = 4
WIDTH, HEIGHT = 63, 88
_T = 1 / 3
#: Pips of 2 to 10 in the usual places: (column, row) on a grid of -1..1.
PIPS: dict[str, list[tuple[float, float]]] = {
    "A": [(0, 0)],
    "2": [(0, -1), (0, 1)],
    "3": [(0, -1), (0, 0), (0, 1)],
    "4": [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    "5": [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    "6": [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
    "7": [(-1, -1), (1, -1), (0, -0.5), (-1, 0), (1, 0), (-1, 1), (1, 1)],
    "8": [(-1, -1), (1, -1), (0, -0.5), (-1, 0), (1, 0), (0, 0.5), (-1, 1), (1, 1)],
    "9": [(x, y) for y in (-1.0, -_T, _T, 1.0) for x in (-1.0, 1.0)] + [(0.0, 0.0)],
    "T": [(x, y) for y in (-1.0, -_T, _T, 1.0) for x in (-1.0, 1.0)]
    + [(0.0, -2 * _T), (0.0, 2 * _T)],
}


@dataclass(frozen=True, slots=True)
class Style:
    """The features that all cards of one deck share."""

    font: glyphs.Hand
    suit_font: Path | None  # None: our own drawing, bent by `bend`
    bend: tuple[float, float]
    weight: int  # pixels added all round to the 160 px letter; negative: removed
    stretch: float  # width of letters, relative to the font's
    rank_h: float
    suit_h: float
    suit_w: float
    gap: float
    margin: tuple[float, float]
    beside: bool  # the suit is to the right of the rank, not under it
    four: bool  # an index in each corner
    pip: float
    frame: bool
    colours: dict[str, Colour]
    paper: Colour
    letters: tuple[str, ...] = letters.USUAL.letters  # of ace, king, queen and jack
    panel: bool = False  # pips are small and in a frame next to the index

    def bears(self, rank: str) -> str:
        """The letter or figure on the indices of this rank, such as `K` or `10`."""
        if rank in letters.LETTERED:
            return self.letters[letters.LETTERED.index(rank)]
        return "10" if rank == "T" else rank


#: Shares of decks with the suit to the right of the rank, and of four colours.
BESIDE, FOUR_COLOURS = 0.18, 0.22
#: Share of artwork courts without a frame, close to the index.
OPEN = 0.35
#: Index sizes, and how often each is drawn: as in real decks; for training; large sizes only.
KINDS = {"standard": 0.52, "jumbo": 0.33, "magnum": 0.08, "peek": 0.07}
TAUGHT = {"standard": 0.42, "jumbo": 0.41, "magnum": 0.1, "peek": 0.07}
JUMBO = {"jumbo": 0.8, "magnum": 0.2}
#: The least share of a letter's ink that thinning may leave.
THINNEST = 0.5
#: Letters that reach higher or lower than the others.
TALL = "ÁД"
#: The letters of ace, king, queen and jack on real decks. Training mixes them at random.
FOREIGN = (
    ("1", "E", "Á", "T", "A"),
    ("R", "R", "К", "K"),
    ("D", "D", "Д", "V", "Q"),
    ("B", "B", "V", "Kn", "Kn", "J"),
)


def mixed(rng: np.random.Generator) -> tuple[str, ...]:
    """Return random letters for a deck, local ones more often than the usual. No two look alike."""
    while True:
        drawn = tuple(str(rng.choice(each)) for each in FOREIGN)
        if len(set(map(letters.looks, drawn))) == len(drawn):
            return drawn


def style(
    rng: np.random.Generator,
    *,
    held_out: bool | None = None,
    kinds: dict[str, float] = KINDS,
    bearing: tuple[str, ...] = letters.USUAL.letters,
) -> Style:
    """Make a random deck.

    `held_out` chooses the fonts: True those that training never sees, False the others, None any.
    `kinds` gives the frequency of each kind of deck, and `bearing` the letters of ace, king, queen
    and jack.
    """
    faces = [
        font
        for font in glyphs.fonts()
        if held_out in {None, glyphs.held_out(font)} and glyphs.draws(font, "".join(bearing))
    ]
    if not faces:
        raise FileNotFoundError(
            "too few faces of letters here: install the fonts that scripts/soak installs"
        )
    kind = str(rng.choice(list(kinds), p=list(kinds.values())))
    low, high = {
        "standard": (6.5, 10.5),
        "jumbo": (11, 18),
        "magnum": (17, 22),
        "peek": (4.5, 6.5),
    }[kind]
    rank_h = rng.uniform(low, high)
    suit_h = rank_h * rng.uniform(0.45, 0.85)
    if kind == "magnum":
        suit_h = min(suit_h, 11.0)
    own = rng.random() < 0.6
    beside = bool(rng.random() < BESIDE and (kind in {"standard", "peek"} or rank_h < 13))
    if beside:  # both must fit in the crop
        suit_h = min(suit_h, 8.0)
    return Style(
        font=faces[rng.integers(len(faces))],
        suit_font=None if own else glyphs.suit_fonts()[rng.integers(len(glyphs.suit_fonts()))],
        bend=(rng.random(), rng.random()),
        weight=int(rng.choice([0, 0, 3, 6, 10])),
        stretch=rng.uniform(0.5, 1.1),
        rank_h=rank_h,
        suit_h=suit_h,
        suit_w=suit_h * rng.uniform(0.7, 1.1),
        gap=rng.uniform(0.2, 2.0),
        margin=(rng.uniform(1.3, 4.2), rng.uniform(1.8, 6.0)),
        beside=beside,
        four=bool(rng.random() < 0.3),
        pip=rng.uniform(7, 14),
        frame=bool(rng.random() < 0.12),
        colours=_colours(rng),
        paper=_paper(rng),
        letters=bearing,
    )


def _colours(rng: np.random.Generator) -> dict[str, Colour]:
    dark = int(rng.integers(5, 60))
    black = (dark + int(rng.integers(0, 25)), dark, dark)
    red = (int(rng.integers(10, 70)), int(rng.integers(5, 60)), int(rng.integers(150, 240)))
    colours = {"c": black, "s": black, "d": red, "h": red}
    if rng.random() < FOUR_COLOURS:  # clubs green, diamonds blue or yellow at random
        green = (int(rng.integers(10, 70)), int(rng.integers(90, 150)), int(rng.integers(0, 50)))
        colours["c"] = green
        blue = (int(rng.integers(150, 230)), int(rng.integers(60, 130)), int(rng.integers(0, 60)))
        amber = (int(rng.integers(0, 40)), int(rng.integers(120, 170)), int(rng.integers(210, 250)))
        if rng.random() < 0.5:
            colours["d"] = blue if rng.random() < 0.75 else amber
        else:
            colours["s"] = blue
    elif rng.random() < 0.04:  # one ink
        colours = dict.fromkeys("cdhs", black)
    return colours


def _paper(rng: np.random.Generator) -> Colour:
    white = int(rng.integers(225, 256))
    yellow = int(rng.integers(0, 12) if rng.random() < 0.7 else rng.integers(10, 50))
    return (white - yellow, white - yellow // 3, white)


def stamp(card: Image, mask: Image, box: Box, colour: Colour, *, turned: bool = False) -> None:
    """Print `mask`, stretched to `box` (x, y, width, height in mm), on `card`."""
    x, y, width, height = (round(side * PX) for side in box)
    size = (max(width, 2), max(height, 2))
    inked = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
    if turned:
        inked = inked[::-1, ::-1]
    top, left = max(y, 0), max(x, 0)
    bottom, right = min(y + size[1], card.shape[0]), min(x + size[0], card.shape[1])
    if bottom <= top or right <= left:
        return
    part = inked[top - y : bottom - y, left - x : right - x, None].astype(np.uint16)
    under = card[top:bottom, left:right]
    card[top:bottom, left:right] = (
        under * (255 - part) + np.array(colour, np.uint16) * part
    ) // 255


def rank_mask(deck: Style, rank: str) -> Image:
    """Draw the rank's letters in the deck's font and weight."""
    mask = glyphs.text(deck.font, deck.bears(rank))
    if deck.weight == 0:
        return mask
    brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * abs(deck.weight) + 1,) * 2)
    if deck.weight > 0:
        return cv2.dilate(np.pad(mask, deck.weight), brush)
    thin = cv2.erode(mask, brush, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    lost = thin.sum() < THINNEST * mask.sum()  # already thin, or hairlines would break
    return mask if lost else strokes.tight(thin)


def suit_mask(deck: Style, suit: str) -> Image:
    """Draw the suit's sign in the deck's style."""
    if deck.suit_font is None:
        return glyphs.drawn_suit(suit, *deck.bend)
    return glyphs.text(deck.suit_font, glyphs.SIGNS[suit])


def index(deck: Style, rank: str) -> tuple[Box, Box]:
    """The place of the top left index: the rank's box and the suit's box, in mm."""
    mask = rank_mask(deck, rank)
    bears = deck.bears(rank)
    ratio = mask.shape[1] / mask.shape[0] * deck.stretch * (0.75 if len(bears) > 1 else 1)
    width = min(deck.rank_h * ratio, 19 if deck.rank_h > 11 else 9)
    high = deck.rank_h * (min(_taller(deck, bears), 1.3) if bears in TALL else 1)
    column = max(min(deck.rank_h * 0.75 * deck.stretch, 15), deck.suit_w)
    x, y = deck.margin
    left = max(x + column / 2 - width / 2, 0.8)
    here = (left, y, width, high)
    if deck.beside:
        low = y + 0.2 + deck.bend[0] * max(high - deck.suit_h, 0)
        return here, (left + width + deck.gap, low, deck.suit_w, deck.suit_h)
    return here, (
        max(x + column / 2 - deck.suit_w / 2, 0.8),
        y + high + deck.gap,
        deck.suit_w,
        deck.suit_h,
    )


def _taller(deck: Style, bears: str) -> float:
    """The height of the letters, relative to plain letters.

    An accent or a foot makes them taller.
    """
    high, plain = (glyphs.text(deck.font, letter).shape[0] for letter in (bears, "H"))
    return float(high / plain)


def mirrored(box: Box) -> Box:
    """The same box at the card's right side, as in a mirror."""
    return (WIDTH - box[0] - box[2], *box[1:])


def turned(box: Box) -> Box:
    """The same box after the card is turned round by 180 degrees."""
    return (WIDTH - box[0] - box[2], HEIGHT - box[1] - box[3], box[2], box[3])


def blank(deck: Style) -> Image:
    """Draw the deck's paper, with a frame if the deck's faces have one."""
    card = np.full((HEIGHT * PX, WIDTH * PX, 3), deck.paper, np.uint8)
    if deck.frame:
        cv2.rectangle(card, (5, 5), (WIDTH * PX - 6, HEIGHT * PX - 6), deck.colours["s"], 2)
    return card


def face(
    deck: Style,
    rank: str,
    suit: str,
    rng: np.random.Generator,
    court: Image | None = None,
    *,
    marks: tuple[Print, Print] | None = None,
) -> Image:
    """Draw one card. `court` is a picture for the middle of J, Q and K, or of an ace.

    `marks` replace the rank's letters and the suit's sign in the index.
    """
    card = blank(deck)
    boxes = index(deck, rank)
    ink = deck.colours[suit]
    marks = marks or ((rank_mask(deck, rank), ink), (suit_mask(deck, suit), ink))
    inner = max(box[0] + box[2] for box in boxes)
    if court is not None and (rank in PIPS or rng.random() < OPEN):
        _print_open(card, deck, boxes, court, rng)
    elif rank in PIPS and deck.panel:
        _print_panel(card, rank, marks[1], (inner, max(box[1] + box[3] for box in boxes)), rng)
    elif rank in PIPS:
        _print_pips(card, deck, rank, marks[1], inner)
    else:
        _print_court(card, marks[1], rng, (inner, court))
    for (mask, colour), box in zip(marks, boxes, strict=True):
        for place, upside_down in _places(deck, box):
            stamp(card, mask, place, colour, turned=upside_down)
    return card


def ends(box: Box) -> list[tuple[Box, bool]]:
    """Return the box at both ends of the card; with each, whether its content is upside down."""
    return [(box, False), (turned(box), True)]


def _places(deck: Style, box: Box) -> list[tuple[Box, bool]]:
    """The places of this part of the index on the card, and for each whether it is upside down."""
    return ends(box) + (ends(mirrored(box)) if deck.four else [])


def _print_open(
    card: Image, deck: Style, boxes: tuple[Box, Box], picture: Image, rng: np.random.Generator
) -> None:
    """Print a picture without a frame, nearly to the edges, leaving paper around the indices."""
    edge, paper = rng.uniform(1, 6), rng.uniform(0.2, 1.5)
    _fill(card, (edge, edge, WIDTH - 2 * edge, HEIGHT - 2 * edge), picture)
    for x, y, wide, high in boxes:
        corner = (0.0, 0.0, x + wide + paper, y + high + paper)
        for (left, top, width, height), _ in _places(deck, corner):
            part = np.round(np.array([left, top, left + width, top + height]) * PX).astype(int)
            card[part[1] : part[3], part[0] : part[2]] = deck.paper


def _fill(card: Image, box: Box, picture: Image) -> tuple[int, int, int, int]:
    """Fill this box of the card with the picture. Return the box in pixels."""
    x, y, wide, high = (round(side * PX) for side in box)
    fit = cv2.resize(picture, (wide, high), interpolation=cv2.INTER_AREA)
    card[y : y + high, x : x + wide] = fit
    return x, y, wide, high


def _print_pips(card: Image, deck: Style, rank: str, sign: Print, inner: float) -> None:
    height = deck.pip * (2.4 if rank == "A" else 1)
    width = height * 0.9
    reach = min(15.0, WIDTH / 2 - inner - 0.5 - width / 2)
    if reach < 7:  # wide indices leave the pips a narrow middle
        reach, width, height = 7.0, width * 0.75, height * 0.75
    _stamp_pips(card, rank, sign, (width, height), (reach, 29))


def _stamp_pips(
    card: Image, rank: str, sign: Print, size: tuple[float, float], reach: tuple[float, float]
) -> None:
    """Print a rank's pips of this size, with the outer pips this far from the middle, all in mm."""
    for column, row in PIPS[rank]:
        x, y = WIDTH / 2 + column * reach[0], HEIGHT / 2 + row * reach[1]
        box = (x - size[0] / 2, y - size[1] / 2, *size)
        stamp(card, sign[0], box, sign[1], turned=row > 0)


def _print_panel(
    card: Image, rank: str, sign: Print, inner: tuple[float, float], rng: np.random.Generator
) -> None:
    """Print small pips in a frame next to the index. `inner` is the index's far corner.

    Real decks have such small pips if their indices leave no room for pips of the usual size.
    """
    left = min(inner[0] + rng.uniform(0.7, 2.5), 22.7)
    top = rng.uniform(5.0, max(min(inner[1], 26.0), 8.0))
    wide, high = WIDTH - 2 * left, HEIGHT - 2 * top
    frame = np.round(np.array([left, top, left + wide, top + high]) * PX).astype(int).tolist()
    cv2.rectangle(card, frame[:2], frame[2:], sign[1], int(rng.integers(1, 5)))
    size = wide * rng.uniform(0.2, 0.3)
    pip = (size * 2, size * 2) if rank == "A" else (size, size * 1.1)
    _stamp_pips(card, rank, sign, pip, (wide / 2 - size * 0.75, high / 2 - size * 0.8))


def _print_court(
    card: Image,
    sign: Print,
    rng: np.random.Generator,
    middle: tuple[float, Image | None],
) -> None:
    inner, court = middle
    left = min(inner + rng.uniform(-1, 1.5), 20.0)
    top = rng.uniform(4, 12)
    box = (left, top, WIDTH - 2 * left, HEIGHT - 2 * top)
    x, y, w, h = _fill(card, box, court if court is not None else pattern(rng))
    if rng.random() < 0.8:
        cv2.rectangle(card, (x, y), (x + w, y + h), sign[1], int(rng.integers(1, 3)))
    size = rng.uniform(6, 11 if court is None else 15)
    pip = (left + rng.uniform(0.5, 3), top + rng.uniform(0.5, 4), size * 0.9, size)
    for box, upside_down in ends(pip):
        stamp(card, sign[0], box, sign[1], turned=upside_down)


def pattern(rng: np.random.Generator) -> Image:
    """Draw a court card's garments as a lens sees them: bands and patches, twice, head to head."""
    inks = [
        (200, 120, 40),
        (40, 40, 200),
        (40, 200, 235),
        (20, 20, 20),
        (240, 240, 240),
        (180, 220, 250),
    ]
    half = np.full((140, 160, 3), inks[rng.integers(4, 6)], np.uint8)
    for _ in range(rng.integers(12, 40)):
        ink = inks[rng.integers(len(inks))]
        points = rng.integers(0, 160, (rng.integers(2, 6), 2)).astype(np.int32)
        if rng.random() < 0.5:
            cv2.fillPoly(half, [points.reshape(-1, 1, 2)], ink, cv2.LINE_AA)
        else:
            cv2.polylines(
                half, [points.reshape(-1, 1, 2)], False, ink, int(rng.integers(1, 6)), cv2.LINE_AA
            )
    return np.vstack([half, half[::-1, ::-1]])


def pack(deck: Style, rng: np.random.Generator) -> dict[str, Image]:
    """Draw all 52 faces. Return them by code."""
    return {rank + suit: face(deck, rank, suit, rng) for suit in SUITS for rank in RANKS}
