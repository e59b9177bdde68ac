"""The dark box of the printed Schlitten, and the mirror and the camera in the box."""

from __future__ import annotations

import math

from build123d import (
    Box,
    BuildPart,
    Cylinder,
    Location,
    Locations,
    Mode,
    Part,
    Plane,
    Pos,
    Rot,
)

from workshop.schlitten import plan
from workshop.schlitten.shapes import BACK, INSERT, MAX, MIN, outer, posts, profile


def box() -> Part:
    """The dark box: floor, walls, the mirror's seat, the strips' ledges, the camera's wall."""
    folded, front = plan.fold(), plan.mouth()
    low, high = -folded.height, plan.deck_low()
    length, middle = front - BACK, (front + BACK) / 2
    with BuildPart() as made:
        with Locations((middle, 0, low)):
            Box(length, 2 * outer(), high - low, align=MIN)
        with Locations((middle, 0, low + plan.FLOOR)):
            inside = (length - 2 * plan.WALL, 2 * plan.inner_half(), high - low)
            Box(*inside, align=MIN, mode=Mode.SUBTRACT)
    seat = _mirror_seat(folded)
    whole = made.part + seat
    for side in (-1, 1):
        whole += _strip_ledge(side)
    for x, y in posts():
        whole += Pos(x, y, low) * Cylinder(5, high - low, align=MIN)
        whole -= Pos(x, y, high - 8) * Cylinder(INSERT / 2, 9, align=MIN)
    x, _, z = folded.lens
    wall = Pos(x, 0, z) * Rot(0, 90 - 2 * plan.TILT, 0) * Pos(-plan.CAMERA[2], 0, 0)
    with BuildPart() as plate:
        Box(plan.WALL, plan.CAMERA[0] + 8, 2 * (high - low))
        with Locations(Location((0, 0, 0), (0, 90, 0))):
            Cylinder(9, 10, mode=Mode.SUBTRACT)
            with Locations(*((a * 14, b * 14) for a in (-1, 1) for b in (-1, 1))):
                Cylinder(1.1, 10, mode=Mode.SUBTRACT)
    upright = wall * plate.part
    inner = Pos(middle, 0, low) * Box(length, 2 * plan.inner_half(), high - low - 1, align=MIN)
    whole += upright & inner
    for across, radius in ((40, 8.1), (-40, 6.2)):  # J3's socket; the camera's cable
        whole -= Pos(BACK, across, low + 22) * Rot(0, 90, 0) * Cylinder(radius, 3 * plan.WALL)
    for side in (-1, 1):  # the wires of D5 and SW9
        hole = Pos(-75, side * plan.inner_half(), high - 12) * Rot(90, 0, 0) * Cylinder(2, 20)
        whole -= hole
    return whole


def _mirror_seat(folded: plan.Fold) -> Part:
    """Two cheeks that carry the mirror on their upper edges."""
    (x0, z0), (x1, z1) = folded.ends
    under = plan.MIRROR_THICK / math.cos(math.radians(folded.tilt))
    low, foot = -folded.height + plan.FLOOR, 4.0
    points = [(x0, low), (x0, z0 - under), (x1 + 1, z1 + folded.slope - under), (x1 + 1, low)]
    cheeks = Part()
    for side in (-1, 1):
        cheeks += Pos(0, side * (folded.half_width - foot), 0) * profile(points, foot / 2)
    return cheeks


def _strip_ledge(side: int) -> Part:
    """A sloping ledge for a light strip, from wall to floor, so that no part of it is in the air.

    `side` is 1 or -1.
    """
    (y0, z0), (y1, z1) = plan.lamp_edges()
    low, wall = -plan.fold().height + plan.FLOOR, plan.inner_half()
    outline = [(y0, low), (y0, z0), (y1, z1), (wall, z1), (wall, low)]
    made = profile(outline, (plan.STRIP[1] - plan.STRIP[0]) / 2, Plane.YZ)
    ledge = Pos((plan.STRIP[0] + plan.STRIP[1]) / 2, 0, 0) * made
    return ledge if side > 0 else ledge.mirror(Plane.XZ)


def camera() -> Part:
    """The bought camera in front of its wall: board and lens, without the plug behind."""
    (x, y, z), (wide, high, _) = plan.fold().lens, plan.CAMERA
    lens = Rot(0, 90, 0) * Cylinder(7, plan.BOARD_BEHIND, align=MAX)
    board = Pos(-plan.BOARD_BEHIND, 0, 0) * Box(1.6, wide, high)
    return Pos(x, y, z) * Rot(0, 90 - 2 * plan.TILT, 0) * (board + lens)


def mirror() -> Part:
    """The mirror on its seat, a bought part: 2 mm thick, cut to size."""
    folded = plan.fold()
    (x0, z0), (x1, z1) = folded.ends
    place = Pos((x0 + x1) / 2, 0, (z0 + z1) / 2) * Rot(0, -folded.tilt, 0)
    size = (folded.length, 2 * folded.half_width, plan.MIRROR_THICK)
    return place * Box(*size, align=MAX)
