"""Where things are on the drawn table, by the number of seats. Pure; knows no HTML.

Seats run as at the table: seat 1 at the croupier's right hand, then round to his left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, pairwise
from math import copysign, cos, hypot, pi, sin

POINTS = 360
"""Corners of the drawn outline: enough to look round."""

#: Width and height of the line under a hand that shows its points.
LINE = (96, 24)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A way of drawing the table, in units of the SVG's view box.

    Attributes:
        middle: the felt's; `half_width` and `half_height` reach from it to the edge.
        gap: the croupier's part of the edge, in radians to each side.
        notch: how deep the croupier's place cuts into the table, as a fraction of the radius.
        label: how far outside the seat its words are, across and along; across 0: under it.
        stake, hand: how far they are from the middle, as a fraction of the seat's distance.
        gauge: how far from the middle, towards the croupier, the Schlitten's gauge is.
        row: how far above the middle the table's own cards lie, if hands lie at the seats.
        card: a card's size relative to 56 by 80; `apart`: from card to card of two, three or more.
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
    stake: float
    hand: float
    gauge: float
    row: float
    card: float
    apart: tuple[float, float, float]

    def scale(self, crowded: bool) -> float:
        """Return the size of a card, which is smaller if there are many seats."""
        return self.card * (0.84 if crowded else 1)

    def step(self, cards: int, crowded: bool) -> float:
        """Return the distance from card to card in a hand of this many."""
        return self.apart[min(max(cards, 2), 4) - 2] * (0.84 if crowded else 1)

    def across(self, cards: int, crowded: bool) -> float:
        """Return the width of a hand of this many cards."""
        return (cards - 1) * self.step(cards, crowded) + 56 * self.scale(crowded)


#: For a screen on the croupier's desk, and for one on the wall.
WIDE = Shape(
    name="wide", width=860, height=640, middle=(430, 339), half_width=322, half_height=256,
    gap=0.92, notch=0.17, label=(33, 54), stake=0.84, hand=0.58, gauge=150,
    row=50, card=1, apart=(60, 38, 25),
)  # fmt: skip
#: For a phone held upright.
TALL = Shape(
    name="tall", width=430, height=790, middle=(215, 355), half_width=168, half_height=315,
    gap=0.62, notch=0.1, label=(0, 44), stake=0.75, hand=0.62, gauge=372,
    row=52, card=0.64, apart=(40, 23, 16),
)  # fmt: skip


SHAPES = {shape.name: shape for shape in (WIDE, TALL)}


@dataclass(frozen=True, slots=True)
class Place:
    """Where one seat's things are: the centres of its number, words, chips and cards.

    `badge` is how far below the number (above: negative) the role is written; `lift` is whether
    further words push the label up, since the role is under it; `anchor` is which end of the words
    is at the label's place.
    """

    x: float
    y: float
    label: tuple[float, float]
    stake: tuple[float, float]
    hand: tuple[float, float]
    badge: float
    lift: bool
    anchor: str


def _edge(shape: Shape, angle: float) -> tuple[float, float]:
    """The point of the edge at `angle`, counted from the croupier at the bottom, to his right."""
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
    mx, my = middle(shape, croupier_at_top)
    corners = [_edge(shape, 2 * pi * n / POINTS) for n in range(POINTS)]
    return "M" + "L".join(f"{mx + sign * x:.1f} {my + sign * y:.1f}" for x, y in corners) + "Z"


def middle(shape: Shape, croupier_at_top: bool) -> tuple[float, float]:
    """Return the middle of the felt."""
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
        found.append(_place(shape, middle(shape, croupier_at_top), sign * x, sign * y))
    return tuple(found)


def across(shape: Shape, croupier_at_top: bool, other: Place | None, left: bool) -> Place:
    """Return where a standing player's cards lie (ZP-17): across from the `other` hand."""
    mx, my = middle(shape, croupier_at_top)
    side = shape.half_width * shape.hand
    x, y = mx - side if left else mx + side, my
    if other and abs(other.hand[0] - mx) > side / 3:
        x, y = 2 * mx - other.hand[0], other.hand[1]
    return Place(x, y, (x, y), (x, y), (x, y), badge=0, lift=False, anchor="middle")


def row(shape: Shape, croupier_at_top: bool, cards: Sequence[int], crowded: bool) -> list[Place]:
    """Return where the table's own hands, of so many `cards` each, lie side by side."""
    mx, my = middle(shape, croupier_at_top)
    apart = 34 * shape.scale(crowded)
    wide = [shape.across(count, crowded) for count in cards]
    left = mx - (sum(wide) + apart * (len(wide) - 1)) / 2
    found = []
    for width in wide:
        at = round(left + width / 2, 1), my - shape.row
        found.append(Place(*at, at, at, at, badge=0, lift=False, anchor="middle"))
        left += width + apart
    return found


def parted(shape: Shape, crowded: bool, lying: Sequence[tuple[Place, int]]) -> list[Place]:
    """Return the places of hands at seats, of so many cards each, moved clear of each other."""
    found = [place for place, _ in lying]
    wide = [max(shape.across(cards, crowded), LINE[0]) + 8 for _, cards in lying]
    high = 80 * shape.scale(crowded) + LINE[1]
    for one, other in combinations(range(len(found)), 2):
        (ax, ay), (bx, by) = found[one].hand, found[other].hand
        over_x, over_y = (wide[one] + wide[other]) / 2 - abs(bx - ax), high - abs(by - ay)
        if min(over_x, over_y) <= 0:
            continue
        sideways = over_x < over_y
        dx = copysign(over_x / 2, bx - ax) if sideways else 0
        dy = 0 if sideways else copysign(over_y / 2, by - ay)
        found[one] = replace(found[one], hand=(round(ax - dx, 1), round(ay - dy, 1)))
        found[other] = replace(found[other], hand=(round(bx + dx, 1), round(by + dy, 1)))
    return found


def _place(shape: Shape, middle: tuple[float, float], x: float, y: float) -> Place:
    """The place of the seat at `x`, `y` from the middle; outward is measured on the ellipse."""
    out_x, out_y = x / shape.half_width**2, y / shape.half_height**2
    length = hypot(out_x, out_y)
    out_x, out_y = out_x / length, out_y / length
    across, along = shape.label

    def at(part: float, off_x: float = 0, off_y: float = 0) -> tuple[float, float]:
        return round(middle[0] + x * part + off_x, 1), round(middle[1] + y * part + off_y, 1)

    outside = across > 0
    # The lowest seat's words go above it, or they would be cut off.
    lowest = not outside and y > 0.9 * shape.half_height
    below = out_y > 0.3
    if abs(out_y) > 0.8 and 10 < abs(x) < 85:  # too near its neighbour to fit between them
        chips = at(1, 0, -copysign(58, y))
    elif abs(out_y) > 0.8:
        chips = at(1, -copysign(62, x), -22 if below else 34)
    elif below:  # the chips make room for the role written beside them
        chips = at(shape.stake, -copysign(14, x), 16)
    else:
        chips = at(shape.stake, 0, -18)
    anchor = "middle"
    if not outside:
        label = at(1, 0, -along - 16 if lowest else along)
    elif abs(out_x) > 0.5:
        anchor = "start" if x > 0 else "end"
        label = at(1, copysign(across, x), out_y * along)
    else:
        label = at(1, 0, out_y * along)
    return Place(
        *at(1),
        label=label,
        stake=chips,
        hand=at(shape.hand),
        badge=-33 if (below if outside else y < 0 or lowest) else 33,
        lift=outside and not below,
        anchor=anchor,
    )
