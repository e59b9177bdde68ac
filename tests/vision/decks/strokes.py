"""Letters and figures of our own drawing: random strokes and curves of a pen. It uses no font.

Fonts are much alike, while packs also have square, narrow or angular figures. A letter is a list of
lines in a box one high and `wide` wide, with y down. The pen then gives the lines their breadth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[Any]
Line = NDArray[Any]
_HIGH = 128  # pixels of a letter, before the pen's breadth
_GAP = 13  # between two letters


@dataclass(frozen=True, slots=True)
class Pen:
    """The pen that draws one pack's letters.

    `wide` is a letter's width as a share of its height. `square` is from 2 (round curves) to 8
    (square curves). `waist` is the height of a letter's middle, from the top. `breadth` is two
    numbers: the breadth of upright lines and that of level lines. `slant` is the shift sideways per
    unit of height.
    """

    wide: float
    square: float
    waist: float
    breadth: tuple[float, float]
    slant: float
    blunt: bool  # lines end square
    angular: bool  # 2, 3, 5, 6, 9 without curves
    plain: bool  # the plainer of two usual forms: 1 and J without a bar, A with a roof …

    @property
    def stem(self) -> str:
        """The pen's name, in the form of a font's."""
        return f"pen {self.wide:.2f} {self.square:.1f}"

    def draws(self, letter: str) -> bool:
        """Whether this pen can draw such a letter."""
        return letter in LETTERS

    def text(self, letters: str) -> Mask:
        """Draw the letters as a tight mask, 0 to 255. Letters that the pen lacks are left out."""
        parts = [_letter(self, letter) for letter in letters if letter in LETTERS]
        if not parts:
            return np.zeros((1, 1), np.uint8)
        high = max(part.shape[0] for part in parts)
        row = [np.pad(part, ((high - part.shape[0], 0), (0, _GAP))) for part in parts]
        return np.hstack(row)[:, :-_GAP]


def by_lot(rng: np.random.Generator) -> Pen:
    """Return a random pen, of any kind that is found on packs."""
    thick = rng.uniform(0.07, 0.2)
    return Pen(
        wide=rng.uniform(0.45, 0.85),
        square=float(rng.choice([2.0, 2.0, 2.8, 4.0, 8.0])),
        waist=rng.uniform(0.42, 0.52),
        breadth=(thick, thick * rng.uniform(0.5, 1.1)),
        slant=float(rng.choice([0.0, 0.0, rng.uniform(0.05, 0.3)])),
        blunt=bool(rng.random() < 0.5),
        angular=bool(rng.random() < 0.3),
        plain=bool(rng.random() < 0.5),
    )


@lru_cache(maxsize=2_000)
def _letter(pen: Pen, letter: str) -> Mask:
    edge = _HIGH // 2
    drawn: Mask = np.zeros((2 * _HIGH, 3 * _HIGH), np.uint8)
    for line in LETTERS[letter](pen):
        slanted = line + np.outer(1 - line[:, 1], [pen.slant, 0])
        points = np.round(slanted * _HIGH + edge).astype(np.int32)
        cv2.polylines(drawn, [points.reshape(-1, 1, 2)], False, 255, 1)
    brush = [max(3, round(side * _HIGH)) for side in pen.breadth]
    shape = cv2.MORPH_RECT if pen.blunt else cv2.MORPH_ELLIPSE
    return tight(cv2.dilate(drawn, cv2.getStructuringElement(shape, brush)))


def tight(mask: Mask) -> Mask:
    """Cut off the empty edges of a mask."""
    x, y, wide, high = cv2.boundingRect(mask)
    return mask[y : y + high, x : x + wide]


def _line(*points: tuple[float, float]) -> Line:
    return np.array(points, float)


def _bow(box: tuple[float, float, float, float], start: float, end: float, square: float) -> Line:
    """Return an arc of the ring that fills `box` (left, top, right, bottom).

    The arc is from `start` to `end` in degrees: 0 is to the right, 90 up. `square` is as for `Pen`.
    """
    left, top, right, bottom = box
    turn = np.radians(np.linspace(start, end, 40))
    x, y = np.cos(turn), np.sin(turn)
    x, y = (np.sign(part) * np.abs(part) ** (2 / square) for part in (x, y))
    middle = np.array([left + right, top + bottom]) / 2
    return np.asarray(middle + np.stack([x * (right - left), -y * (bottom - top)], 1) / 2)


def _ring(pen: Pen, top: float = 0.0, bottom: float = 1.0, left: float = 0.0) -> Line:
    return _bow((left, top, pen.wide - left, bottom), 0, 360, pen.square)


def _o(pen: Pen) -> list[Line]:
    return [_ring(pen)]


def _one(pen: Pen) -> list[Line]:
    x = 0.3 * pen.wide
    foot = [] if pen.plain else [_line((0, 1), (2 * x, 1))]
    return [_line((0, 0.22), (x, 0), (x, 1)), *foot]


def _two(pen: Pen) -> list[Line]:
    w, m = pen.wide, pen.waist
    if pen.angular:
        return [_line((0, 0), (w, 0), (w, m), (0, m), (0, 1), (w, 1))]
    return [np.vstack([_bow((0, 0, w, 1.15 * m), 170, -35, pen.square), [(0, 1), (w, 1)]])]


def _three(pen: Pen) -> list[Line]:
    w, m = pen.wide, pen.waist
    if pen.angular:
        return [_line((0, 0), (w, 0), (w, 1), (0, 1)), _line((0.2 * w, m), (w, m))]
    low = _bow((0, m, w, 1), 90, -150, pen.square)
    if pen.plain:
        return [_bow((0, 0, w, m), 150, -90, pen.square), low]
    return [np.vstack([_line((0, 0), (w, 0)), low])]


def _four(pen: Pen) -> list[Line]:
    w = pen.wide
    if pen.plain and pen.angular:
        return [_line((0, 0), (0, 0.62), (w, 0.62)), _line((0.8 * w, 0.2), (0.8 * w, 1))]
    return [_line((0.75 * w, 1), (0.75 * w, 0), (0, 0.7), (w, 0.7))]


def _five(pen: Pen) -> list[Line]:
    w, m = pen.wide, pen.waist
    if pen.angular:
        return [_line((w, 0), (0, 0), (0, m), (w, m), (w, 1), (0, 1))]
    bowl = _bow((0, 0.87 * m, w, 1), 135, -150, pen.square)
    return [np.vstack([_line((0.95 * w, 0), (0.06 * w, 0)), bowl])]


def _six(pen: Pen) -> list[Line]:
    w, m = pen.wide, pen.waist
    if pen.angular:
        return [_line((w, 0), (0, 0), (0, 1), (w, 1), (w, m), (0, m))]
    bowl = _ring(pen, 0.9 * m)
    if pen.plain:
        return [bowl, _line((0.65 * w, 0), (0.02 * w, 0.62))]
    return [bowl, np.vstack([_bow((0, 0, w, 1.2), 50, 180, pen.square), [(0, 0.7)]])]


def _seven(pen: Pen) -> list[Line]:
    w = pen.wide
    bar = [_line((0.35 * w, 0.5), (0.85 * w, 0.5))] if pen.angular and not pen.plain else []
    return [_line((0, 0), (w, 0), (0.3 * w, 1)), *bar]


def _eight(pen: Pen) -> list[Line]:
    return [_ring(pen, 0, pen.waist, 0.05 * pen.wide), _ring(pen, pen.waist)]


def _nine(pen: Pen) -> list[Line]:
    return [np.array([pen.wide, 1]) - line for line in _six(pen)]


def _a(pen: Pen) -> list[Line]:
    w = pen.wide
    if not pen.plain:
        return [_line((0, 1), (w / 2, 0), (w, 1)), _line((0.2 * w, 0.65), (0.8 * w, 0.65))]
    roof = _bow((0, 0, w, 0.6), 180, 0, max(pen.square, 2.5))
    return [np.vstack([[(0, 1)], roof, [(w, 1)]]), _line((0, 0.58), (w, 0.58))]


def _k(pen: Pen) -> list[Line]:
    w = pen.wide
    leg = _line((0, 0.55), (w, 1)) if pen.plain else _line((0.35 * w, 0.36), (w, 1))
    return [_line((0, 0), (0, 1)), _line((w, 0), (0, 0.56)), leg]


def _q(pen: Pen) -> list[Line]:
    w = pen.wide
    start = (0.55 * w, 0.68) if pen.plain else (0.5 * w, 0.95)
    return [_ring(pen), _line(start, (1.05 * w, 1.08))]


def _j(pen: Pen) -> list[Line]:
    w = pen.wide
    bar = [] if pen.plain else [_line((0.3 * w, 0), (w, 0))]
    return [np.vstack([[(0.75 * w, 0)], _bow((0, 0.55, 0.75 * w, 1), 0, -160, pen.square)]), *bar]


def _right(pen: Pen, top: float, bottom: float) -> Line:
    """The bowl on a stem's right side. A square bowl would make a D an O, and a B an 8."""
    bowl = _bow((-0.9 * pen.wide, top, pen.wide, bottom), 88, -88, min(pen.square, 3.0))
    return np.vstack([[(0, top)], bowl, [(0, bottom)]])


def _stem(pen: Pen, *others: Line, left: float = 0.0) -> list[Line]:
    return [_line((left * pen.wide, 0), (left * pen.wide, 1)), *others]


def _d(pen: Pen) -> list[Line]:
    """A Cyrillic D, with its feet."""
    w = pen.wide
    peak = 0.5 if pen.plain else 0.25
    house = _line((0.12 * w, 0.85), (peak * w, 0), (0.85 * w, 0), (0.85 * w, 0.85))
    return [house, _line((0, 1.1), (0, 0.85), (w, 0.85), (w, 1.1))]


def _n(pen: Pen) -> list[Line]:
    """The small n of Kn, which is a jack's index in Sweden."""
    w = 0.8 * pen.wide
    arch = _bow((0, 0.35, w, 0.95), 180, 0, pen.square)
    return [_line((0, 0.35), (0, 1)), np.vstack([arch, [(w, 1)]])]


def _bars(*heights: float) -> Callable[[Pen], list[Line]]:
    """A letter that is a stem with level lines to its right, at these heights."""
    return lambda pen: _stem(pen, *(_line((0, y), (0.9 * pen.wide, y)) for y in heights))


def _through(*points: tuple[float, float]) -> Callable[[Pen], list[Line]]:
    """A letter that is one line through these points of the unit box."""
    return lambda pen: [_line(*points) * [pen.wide, 1]]


#: Everything that a pen draws: the letters of our indices, and foreign letters.
LETTERS: dict[str, Callable[[Pen], list[Line]]] = {
    "0": _o,
    "1": _one,
    "2": _two,
    "3": _three,
    "4": _four,
    "5": _five,
    "6": _six,
    "7": _seven,
    "8": _eight,
    "9": _nine,
    "A": _a,
    "Á": lambda pen: [*_a(pen), _line((0.45 * pen.wide, -0.14), (0.65 * pen.wide, -0.32))],
    "K": _k,
    "К": _k,
    "Q": _q,
    "J": _j,
    "B": lambda pen: _stem(pen, _right(pen, 0, pen.waist), _right(pen, pen.waist, 1)),
    "D": lambda pen: _stem(pen, _right(pen, 0, 1)),
    "R": lambda pen: _stem(pen, _right(pen, 0, 0.54), _line((0.4 * pen.wide, 0.54), (pen.wide, 1))),
    "P": lambda pen: _stem(pen, _right(pen, 0, 0.54)),
    "V": _through((0, 0), (0.5, 1), (1, 0)),
    "T": lambda pen: _stem(pen, _line((0, 0), (pen.wide, 0)), left=0.5),
    "E": _bars(0, 0.48, 1),
    "F": _bars(0, 0.48),
    "L": _bars(1),
    "Д": _d,
    "n": _n,
    "C": lambda pen: [_bow((0, 0, pen.wide, 1), 45, 315, pen.square)],
    "G": lambda pen: [
        np.vstack(
            [
                _bow((0, 0, pen.wide, 1), 45, 330, pen.square),
                [(pen.wide, 0.55), (0.55 * pen.wide, 0.55)],
            ]
        )
    ],
    "O": _o,
    "U": lambda pen: [
        np.vstack([[(0, 0)], _bow((0, 0.5, pen.wide, 1), 180, 360, pen.square), [(pen.wide, 0)]])
    ],
    "H": lambda pen: _stem(
        pen, _line((pen.wide, 0), (pen.wide, 1)), _line((0, 0.5), (pen.wide, 0.5))
    ),
    "M": _through((0, 1), (0, 0), (0.5, 0.7), (1, 0), (1, 1)),
    "N": _through((0, 1), (0, 0), (1, 1), (1, 0)),
    "И": _through((0, 0), (0, 1), (1, 0), (1, 1)),
    "П": _through((0, 1), (0, 0), (1, 0), (1, 1)),
    "W": _through((0, 0), (0.25, 1), (0.5, 0.3), (0.75, 1), (1, 0)),
    "Z": _through((0, 0), (1, 0), (0, 1), (1, 1)),
    "X": lambda pen: [_line((0, 0), (pen.wide, 1)), _line((pen.wide, 0), (0, 1))],
    "Y": lambda pen: [
        _line((0, 0), (0.5 * pen.wide, 0.5), (pen.wide, 0)),
        _line((0.5 * pen.wide, 0.5), (0.5 * pen.wide, 1)),
    ],
}
