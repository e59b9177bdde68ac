"""Where things lie on the drawn table, from the number of seats. Pure; knows no HTML.

Seats run as they do at the table: seat 1 at the croupier's right hand, then round to his left.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import copysign, cos, hypot, pi, sin

POINTS = 360
"""Corners of the drawn outline; enough to look round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A way of drawing the table, in units of the SVG's view box.

    Attributes:
        half_width, half_height: of the felt, around its `middle`.
        gap: the croupier's part of the edge, in radians to each side.
        notch: how deep the croupier's place cuts into the table, as a part of the radius.
        name, stake, hand: distance of each from the seat, outward or inward, across and along.
    """

    name: str
    width: int
    height: int
    middle: tuple[float, float]
    half_width: float
    half_height: float
    gap: float
    notch: float
    label: tuple[float, float]
    stake: tuple[float, float]
    hand: tuple[float, float]


#: For a screen on the croupier's desk, and for one on the wall.
WIDE = Shape(
    name="wide", width=860, height=640, middle=(430, 335), half_width=332, half_height=258,
    gap=0.86, notch=0.17, label=(62, 50), stake=(54, 54), hand=(132, 122),
)  # fmt: skip
#: For a phone held upright.
TALL = Shape(
    name="tall", width=430, height=700, middle=(215, 355), half_width=170, half_height=310,
    gap=0.62, notch=0.1, label=(0, 44), stake=(44, 44), hand=(92, 104),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """Where one seat's things lie: the middles of its number, words, chips and cards."""

    x: float
    y: float
    label: tuple[float, float]
    stake: tuple[float, float]
    hand: tuple[float, float]
    badge: float
    """How far below the seat (above: negative) its role is written."""


def _edge(shape: Shape, angle: float) -> tuple[float, float]:
    """Point of the edge, `angle` counted from the croupier at the bottom, to his right."""
    across, down = sin(angle), cos(angle)
    notch = 1.0
    off = abs((angle + pi) % (2 * pi) - pi)
    if off < shape.gap * 0.6:
        notch -= shape.notch * (1 + cos(pi * off / (shape.gap * 0.6))) / 2
    return (
        shape.half_width * copysign(abs(across) ** 0.8, across) * notch,
        shape.half_height * copysign(abs(down) ** 0.8, down) * notch,
    )


@cache
def outline(shape: Shape, croupier_at_top: bool) -> str:
    """Return the table's edge as the `d` of an SVG path."""
    sign = -1 if croupier_at_top else 1
    middle = _middle(shape, croupier_at_top)
    corners = [_edge(shape, 2 * pi * n / POINTS) for n in range(POINTS)]
    return "M" + "L".join(f"{middle[0] + sign * x:.1f} {middle[1] + sign * y:.1f}"
                          for x, y in corners) + "Z"  # fmt: skip


def _middle(shape: Shape, croupier_at_top: bool) -> tuple[float, float]:
    x, y = shape.middle
    return (x, shape.height - y) if croupier_at_top else (x, y)


@cache
def places(count: int, shape: Shape, croupier_at_top: bool) -> tuple[Place, ...]:
    """Return a place for each of `count` seats, at equal distances along the edge."""
    start, end = shape.gap, 2 * pi - shape.gap
    angles = [start + (end - start) * n / POINTS for n in range(POINTS + 1)]
    edge = [_edge(shape, angle) for angle in angles]
    lengths = [0.0]
    for (ax, ay), (bx, by) in pairwise(edge):
        lengths.append(lengths[-1] + hypot(bx - ax, by - ay))
    sign = -1 if croupier_at_top else 1
    found = []
    for seat in range(count):
        want = lengths[-1] * (seat / (count - 1) if count > 1 else 0.5)
        index = next(n for n, length in enumerate(lengths) if length >= want - 1e-9)
        x, y = edge[index]
        found.append(_place(shape, _middle(shape, croupier_at_top), sign * x, sign * y))
    return tuple(found)


def _place(shape: Shape, middle: tuple[float, float], x: float, y: float) -> Place:
    """The seat `x`, `y` from the middle; outward is measured on the ellipse."""
    out_x, out_y = x / shape.half_width**2, y / shape.half_height**2
    length = hypot(out_x, out_y)
    out_x, out_y = out_x / length, out_y / length
    at_x, at_y = middle[0] + x, middle[1] + y

    def off(by: tuple[float, float], way: int) -> tuple[float, float]:
        return round(at_x + way * out_x * by[0], 1), round(at_y + way * out_y * by[1], 1)

    label = off(shape.label, 1)
    if not shape.label[0]:  # no room outside: the words stand under the seat
        label = (round(at_x, 1), round(at_y + shape.label[1], 1))
    return Place(
        x=round(at_x, 1),
        y=round(at_y, 1),
        label=label,
        stake=off(shape.stake, -1),
        hand=off(shape.hand, -1),
        badge=-33 if out_y > 0.3 or not shape.label[0] else 33,
    )
