"""Masks of rank letters and suit signs, from fonts or of our own drawing. It knows no card.

A mask is a grey image that is light where ink is printed.
"""

from __future__ import annotations

import zlib
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from tests.vision.decks.strokes import Pen, tight

Mask = NDArray[Any]
Hand = Path | Pen  # a font, or our own drawing
FONT_FOLDERS = (Path("/usr/share/fonts"), Path("/usr/share/texmf/fonts/opentype"))
#: Folders and fonts without plain letters, or with Type 1 copies of other fonts here.
UNFIT = (
    "aenigma",
    "type1",
    "/Type1",
    "ancient-scripts",
    "Math",
    "Initials",
    "SmallCap",
    "Outline",
    "Keyboard",
    "Mono-Bold",
    "Symbol",
    "Dingbat",
    "D050000L",
    "Condensed-Oblique",
    "cursor",
)
#: Letters that some fonts draw in a form that no deck has, or lack.
UNUSUAL = {
    "Д": ("URWGothic", "Caliban", "Cupola", "Z003"),
    "К": ("Caliban", "Cupola", "Z003"),
    "Á": ("LinLibertine_DR",),
    "n": ("LinLibertine_DR",),
}
SUIT_FONTS = (
    "DejaVuSans.ttf",
    "DejaVuSerif.ttf",
    "DejaVuSansMono.ttf",
    "FreeSerif.otf",
    "FreeSans.otf",
    "FreeMono.otf",
    "FreeSerif.ttf",
    "FreeSans.ttf",
    "FreeMono.ttf",
    "Symbola_hint.ttf",
    "LinLibertine_R.otf",
    "Junicode-Regular.otf",
)
SIGNS = dict(zip("cdhs", "♣♦♥♠", strict=True))
_SIZE = 160


@lru_cache(maxsize=1)
def fonts() -> tuple[Path, ...]:
    """All fonts from Debian's packages that are fit for ranks, one per file name."""
    found: dict[str, Path] = {}
    for folder in FONT_FOLDERS:
        for path in sorted(folder.rglob("*")):
            fit = path.suffix in {".ttf", ".otf"} and not any(word in str(path) for word in UNFIT)
            if fit and _draws_ranks(path):
                found.setdefault(path.stem, path)
    return tuple(found[stem] for stem in sorted(found))


def held_out(font: Path) -> bool:
    """Whether the font's family is kept out of training for measuring. About one in seven is."""
    return zlib.crc32(font.stem.split("-")[0][:8].encode()) % 7 == 0


def _draws_ranks(path: Path) -> bool:
    face = ImageFont.truetype(str(path), 24)
    shapes = {face.getmask(letter).getbbox() and bytes(face.getmask(letter)) for letter in "AKQJ27"}
    return len(shapes) == 6 and None not in shapes


def draws(hand: Hand, letters: str) -> bool:
    """Whether the font or pen has a distinct, usual shape for each of these letters."""
    if isinstance(hand, Pen):
        return all(map(hand.draws, letters))
    return all(_draws(hand, letter) for letter in letters)


@cache  # one entry per font and letter, some ten thousand
def _draws(font: Path, letter: str) -> bool:
    if font.stem.startswith(UNUSUAL.get(letter, ("?",))):
        return False
    face = _face(font, 24)
    shape = face.getmask(letter)
    return bool(shape.getbbox()) and bytes(shape) != bytes(face.getmask("\uffff"))


@lru_cache(maxsize=100)
def _face(font: Path, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(font), size)


def text(hand: Hand, letters: str, size: int = _SIZE) -> Mask:
    """Draw `letters` as a tight mask, 0 to 255, in this font and `size`.

    Without letters, the mask is one pixel.
    """
    return hand.text(letters) if isinstance(hand, Pen) else _set(hand, letters, size)


@lru_cache(maxsize=20_000)
def _set(font: Path, letters: str, size: int) -> Mask:
    face = _face(font, size)
    left, top, right, bottom = (round(side) for side in face.getbbox(letters))
    if right <= left or bottom <= top:
        return np.zeros((1, 1), np.uint8)
    image = Image.new("L", (right - left, bottom - top))
    ImageDraw.Draw(image).text((-left, -top), letters, font=face, fill=255)
    return np.asarray(image)


@lru_cache(maxsize=1)
def suit_fonts() -> tuple[Path, ...]:
    """All fonts that have suit signs."""
    every = [path for folder in FONT_FOLDERS for path in sorted(folder.rglob("*.[ot]tf"))]
    return tuple(path for path in every if path.name in SUIT_FONTS)


def drawn_suit(suit: str, a: float, b: float) -> Mask:
    """A suit sign of our own drawing. `a` and `b` (0 to 1) bend its outline."""
    size = 192
    mask = np.zeros((size + 40, size + 40), np.uint8)
    for outline in {"c": _club, "d": _diamond, "h": _heart, "s": _spade}[suit](a, b):
        points = (np.asarray(outline) * size + 20).astype(np.int32)
        cv2.fillPoly(mask, [points.reshape(-1, 1, 2)], 255, cv2.LINE_AA)
    return tight(mask)


def _circle(x: float, y: float, radius: float) -> NDArray[Any]:
    turn = np.linspace(0, 2 * np.pi, 60)
    return np.stack([x + radius * np.cos(turn), y + radius * np.sin(turn)], 1)


def _stem(top: float, width: float, waist: float) -> NDArray[Any]:
    t = np.linspace(0, 1, 20)
    half = waist + (width - waist) * t**2.5
    left = np.stack([0.5 - half, top + (1 - top) * t], 1)
    return np.vstack([left, (np.array([1, 0]) + left * [-1, 1])[::-1]])


def _club(a: float, b: float) -> list[NDArray[Any]]:
    radius = 0.2 + 0.06 * a
    low = 0.53 + 0.1 * b
    side = radius + 0.01 + 0.02 * b
    lobes = [
        _circle(0.5, radius, radius),
        _circle(side, low, radius),
        _circle(1 - side, low, radius),
    ]
    return [*lobes, _circle(0.5, 0.45, 0.12), _stem(0.4, 0.12 + 0.13 * b, 0.02 + 0.05 * a)]


def _diamond(a: float, b: float) -> list[NDArray[Any]]:
    width = 0.33 + 0.17 * a
    power = 0.78 + 0.3 * b  # under 1, the sides curve inwards
    turn = np.linspace(0, np.pi / 2, 20)
    x, y = np.cos(turn) ** (2 / power), np.sin(turn) ** (2 / power)
    quarter = np.stack([width * x, 0.5 * y], 1)
    signs = ([1, 1], [-1, 1], [-1, -1], [1, -1])
    sides = [
        quarter * sign if n % 2 == 0 else (quarter * sign)[::-1] for n, sign in enumerate(signs)
    ]
    return [np.vstack(sides) + 0.5]


def _heart(a: float, b: float) -> list[NDArray[Any]]:
    turn = np.linspace(0, 2 * np.pi, 120)
    x = 16 * np.sin(turn) ** 3 * (0.9 + 0.2 * a)
    y = (
        (12 + 2 * b) * np.cos(turn)
        - 5 * np.cos(2 * turn)
        - 2 * np.cos(3 * turn)
        - b * np.cos(4 * turn)
    )
    return [np.stack([0.5 + x / 36, 0.45 - y / 34], 1)]


def _spade(a: float, b: float) -> list[NDArray[Any]]:
    (heart,) = _heart(a, b)
    blade = np.stack([heart[:, 0], (1 - heart[:, 1]) * 0.92 - 0.05], 1)
    return [blade, _stem(0.5, 0.12 + 0.13 * b, 0.02 + 0.05 * a)]
