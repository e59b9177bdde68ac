"""Shapes that several parts of the printed Schlitten use: prisms, the card's way, screw holes."""

from __future__ import annotations

import math
from typing import Final

from build123d import (
    Align,
    BuildLine,
    BuildPart,
    BuildSketch,
    Cylinder,
    Part,
    Plane,
    Polyline,
    Pos,
    extrude,
    make_face,
)

from workshop.schlitten import plan

MIN: Final = (Align.CENTER, Align.CENTER, Align.MIN)
MAX: Final = (Align.CENTER, Align.CENTER, Align.MAX)
BACK: Final = -118.0  # of the box: behind the camera
SCREW: Final = 3.4  # M3 goes through
INSERT: Final = 4.0  # for a threaded insert of M3


def profile(points: list[tuple[float, float]], half: float, on: Plane = Plane.XZ) -> Part:
    """A prism across the motion, with the outline `points` in (x, z) and twice `half` wide.

    On Plane.YZ it lies along the motion, and its outline is in (y, z).
    """
    with BuildPart() as made:
        with BuildSketch(on):
            with BuildLine():
                Polyline(*points, close=True)
            make_face()
        extrude(amount=half, both=True)
    return made.part


def way(start: float, end: float, lift: float = 0.0) -> list[tuple[float, float]]:
    """Points along the card's way between two x, shifted at right angles to it by `lift`."""
    count = max(2, int(abs(end - start) / 1.5))
    found = []
    for at in range(count + 1):
        x = start + (end - start) * at / count
        slope = plan.floor_at(x + 0.05) - plan.floor_at(x - 0.05)
        turn = math.atan2(slope, 0.1)
        found.append((x - lift * math.sin(turn), plan.floor_at(x) + lift * math.cos(turn)))
    return found


def outer() -> float:
    """Half the width of the Schlitten, over its walls."""
    return plan.inner_half() + plan.WALL


def posts() -> list[tuple[float, float]]:
    """The places where sill and bend are screwed to the box."""
    front = (plan.window_end() + plan.mouth()) / 2
    return [(x, side * (plan.inner_half() - 5)) for x in (front, BACK + 8) for side in (-1, 1)]


def through(z: float, long: float) -> Part:
    """The holes over the box's posts."""
    holes = Part()
    for x, y in posts():
        holes += Pos(x, y, z) * Cylinder(SCREW / 2, long, align=MIN)
    return holes


def bed_start() -> tuple[float, float]:
    """The point where the bed ends and the bend to the window begins, (x, z)."""
    reach = plan.BEND * math.sin(math.radians(plan.PLATE))
    return -plan.window_end() - reach, plan.bend_high()
