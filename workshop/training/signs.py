"""Random signs that are no suit of ours: crosses, stars, rings, crescents and the like.

In an unsharp picture such a sign may look like a club or a heart. The module knows no card.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.vision.decks import strokes

Mask = NDArray[Any]
Kind = Callable[[Mask, np.random.Generator], None]
_SIZE = 160


def foreign(rng: np.random.Generator) -> Mask:
    """Draw one random sign as a tight mask, 0 to 255."""
    kinds = (
        _cross,
        _cross,
        _star,
        _polygon,
        _ring,
        _crescent,
        _square,
        _arrow,
        _cup,
        _acorn,
        _acorn,
        _bell,
    )
    return _one_of(kinds, rng)


def german(rng: np.random.Generator) -> Mask:
    """Draw a leaf, an acorn or a bell as a tight mask, 0 to 255.

    The leaf is the most frequent, as a leaf resembles a spade.
    """
    return _one_of((_leaf, _leaf, _acorn, _bell), rng)


def _one_of(kinds: Sequence[Kind], rng: np.random.Generator) -> Mask:
    mask = np.zeros((_SIZE, _SIZE), np.uint8)
    kinds[int(rng.integers(len(kinds)))](mask, rng)
    return strokes.tight(mask)


def _places(points: NDArray[Any]) -> NDArray[Any]:
    """The pixels of `points`, for a sign that reaches one unit each way from (0, 0)."""
    return (points * (_SIZE / 2 - 4) + _SIZE / 2).astype(np.int32).reshape(-1, 1, 2)


def _fill(mask: Mask, points: NDArray[Any]) -> None:
    cv2.fillPoly(mask, [_places(points)], 255, cv2.LINE_AA)


def _line(mask: Mask, points: NDArray[Any], ink: int, thick: int) -> None:
    cv2.polylines(mask, [_places(points)], False, ink, thick, cv2.LINE_AA)


def _whole(half: NDArray[Any]) -> NDArray[Any]:
    """The whole outline of a sign, from the points of its right half."""
    return np.vstack([half, (half * [-1, 1])[::-1]])


def _around(count: int, radius: float | NDArray[Any], turn: float) -> NDArray[Any]:
    angle = np.linspace(0, 2 * np.pi, count, endpoint=False) + turn
    return np.stack([radius * np.sin(angle), -radius * np.cos(angle)], 1)


def _turned(points: NDArray[Any], turn: float) -> NDArray[Any]:
    cos, sin = np.cos(turn), np.sin(turn)
    return np.asarray(points @ np.array([[cos, sin], [-sin, cos]]))


def _cross(mask: Mask, rng: np.random.Generator) -> None:
    """Draw a cross, upright or as an X, with arms straight or widening outwards."""
    near, end = rng.uniform(0.12, 0.3, 2)
    turn = np.pi / 4 if rng.random() < 0.3 else 0.0
    for arm in range(4):
        points = np.array([[-near, 0], [near, 0], [end, -1], [-end, -1]])
        _fill(mask, _turned(points, arm * np.pi / 2 + turn))


def _star(mask: Mask, rng: np.random.Generator) -> None:
    """Draw a star of five to nine points. A star of four would be a diamond."""
    count = int(rng.integers(5, 10))
    radius = np.where(np.arange(2 * count) % 2 == 0, 1.0, rng.uniform(0.35, 0.7))
    _fill(mask, _around(2 * count, radius, 0.0))


def _polygon(mask: Mask, rng: np.random.Generator) -> None:
    """Draw a triangle, or a polygon of five to thirty sides. With thirty sides it is a disc."""
    count = int(rng.choice([3, 5, 6, 8, 30]))
    _fill(mask, _around(count, 1.0, float(rng.choice([0.0, np.pi / count]))))


def _ring(mask: Mask, rng: np.random.Generator) -> None:
    """Draw a ring: a letter O, or a disc with a hole."""
    _fill(mask, _around(40, 1.0, 0.0))
    cv2.circle(mask, (_SIZE // 2, _SIZE // 2), int(_SIZE * rng.uniform(0.12, 0.36)), 0, -1)


def _crescent(mask: Mask, rng: np.random.Generator) -> None:
    """Draw a crescent, open to any side."""
    _fill(mask, _around(40, 1.0, 0.0))
    angle, away = rng.uniform(0, 2 * np.pi), _SIZE * rng.uniform(0.2, 0.4)
    place = (np.array([np.cos(angle), np.sin(angle)]) * away + _SIZE / 2).astype(int)
    cv2.circle(mask, place.tolist(), int(_SIZE * 0.4), 0, -1, cv2.LINE_AA)


def _square(mask: Mask, rng: np.random.Generator) -> None:
    """Draw a square on its side. A square on its point would be a diamond."""
    high = rng.uniform(0.3, 1.0)
    box = np.array([[-1, -high], [1, -high], [1, high], [-1, high]])
    _fill(mask, _turned(box, rng.uniform(-0.2, 0.2)))


def _arrow(mask: Mask, rng: np.random.Generator) -> None:
    """Draw an arrow that points up or sideways."""
    thin, neck = rng.uniform(0.12, 0.4), rng.uniform(-0.3, 0.3)
    half = np.array([[0, -1], [0.9, neck], [thin, neck], [thin, 1]])
    _fill(mask, _turned(_whole(half), float(rng.choice([0.0, np.pi / 2, -np.pi / 2]))))


def _acorn(mask: Mask, rng: np.random.Generator) -> None:
    """Draw a nut in its cap on a stalk, upright or hanging, as in German decks."""
    wide, seam, tip = rng.uniform(0.45, 0.75), rng.uniform(-0.3, 0.1), rng.uniform(0.7, 1.0)
    t = np.linspace(0, 1, 20)[:, None]
    nut = np.hstack([0.85 * wide * (1 - t**2.2), seam + (tip - seam) * t])
    cap = np.hstack([wide * np.sin(t * np.pi / 2) ** 0.6, seam - 0.45 * (1 - t**1.5)])
    stalk = np.array([[0.09, -1.0], [0.09, seam - 0.4]])
    half = np.vstack([stalk, cap, nut])
    half = half * [1, rng.choice([-1, 1])]
    _fill(mask, _whole(half))
    if rng.random() < 0.7:
        place = int(_SIZE / 2 + half[len(stalk) + len(cap), 1] * (_SIZE / 2 - 4))
        cv2.line(mask, (0, place), (_SIZE - 1, place), 0, int(rng.integers(3, 9)))


def _leaf(mask: Mask, rng: np.random.Generator) -> None:
    """Draw a leaf: pointed, round or notched at its thin, mostly bent stalk. Some have veins."""
    wide, low, depth = rng.uniform(0.55, 0.95), rng.uniform(-0.1, 0.35), rng.uniform(0.25, 0.5)
    t = np.linspace(0, 1, 24)[:, None]
    side = np.hstack([wide * (1 - (1 - t) ** rng.uniform(1.2, 2.4)), -1 + (low + 1) * t])
    angle = t * np.pi
    lobe = np.hstack([wide / 2 * (1 + np.cos(angle)), low + depth * np.sin(angle)])
    whole = np.hstack([wide * np.cos(angle / 2), low + depth * np.sin(angle / 2)])
    notch = rng.uniform(0, 1)
    half = np.vstack([side, notch * lobe + (1 - notch) * whole])
    lean = rng.normal(0, 0.15)
    _fill(mask, _turned(_whole(half), lean))
    bent, end = rng.normal(0, 0.25), rng.uniform(low + depth + 0.1, 1.0)
    stalk = np.hstack([bent * t**2, low + (end - low) * t])
    _line(mask, _turned(stalk, lean), 255, int(rng.integers(4, 14)))
    if rng.random() < 0.5:
        thin = int(rng.integers(2, 5))
        _line(mask, _turned(np.array([[0, -0.85], [0, low]]), lean), 0, thin)
        for y in np.linspace(-0.5, low, 3):
            for x in (-0.6, 0.6):
                _line(mask, _turned(np.array([[0, y], [x * wide, y - 0.2]]), lean), 0, thin)


def _bell(mask: Mask, rng: np.random.Generator) -> None:
    """Draw a round bell with its slit, as in German decks."""
    _fill(mask, _around(40, 0.9, 0.0))
    _fill(mask, np.array([[-0.2, -1.0], [0.2, -1.0], [0.2, -0.7], [-0.2, -0.7]]))
    thin, middle = int(rng.integers(4, 14)), _SIZE // 2
    cv2.line(mask, (0, middle), (_SIZE - 1, middle), 0, thin)
    cv2.line(mask, (middle, middle), (middle, _SIZE - 1), 0, thin)
    cv2.circle(mask, (middle, int(_SIZE * 0.72)), int(rng.integers(8, 20)), 0, -1)


def _cup(mask: Mask, rng: np.random.Generator) -> None:
    """Draw a bowl on a foot, as in Latin decks."""
    bowl, foot = rng.uniform(0.6, 1.0), rng.uniform(0.3, 0.7)
    half = np.array([[bowl, -1], [bowl * 0.9, -0.3], [0.12, 0.1], [0.12, 0.7], [foot, 0.9]])
    half = np.vstack([half, [[foot, 1]]])
    _fill(mask, _whole(half))
