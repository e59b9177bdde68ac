"""The parts of the printed Schlitten as solids, by the measures of `plan.py`. Needs the extra `cad`.

Each function makes one part as it stands in the Schlitten; `PARTS` also says how it lies on the
printer's plate, without supports. `scripts/cad` exports them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from build123d import (
    Align,
    Axis,
    Box,
    BuildLine,
    BuildPart,
    BuildSketch,
    Cylinder,
    Location,
    Locations,
    Mode,
    Part,
    Plane,
    Polyline,
    Pos,
    Rot,
    add,
    extrude,
    make_face,
)

from hardware.schlitten import plan

_MIN = (Align.CENTER, Align.CENTER, Align.MIN)
_BACK: Final = -118.0  # of the box: behind the camera
_SCREW: Final = 3.4


def _profile(points: list[tuple[float, float]], half: float) -> Part:
    """A prism across: the outline in (x, z), as wide as twice `half`."""
    with BuildPart() as made:
        with BuildSketch(Plane.XZ):
            with BuildLine():
                Polyline(*points, close=True)
            make_face()
        extrude(amount=half, both=True)
    return made.part


def _way(start: float, end: float, lift: float = 0.0) -> list[tuple[float, float]]:
    """Points of the card's way between two x, lifted at right angles to it."""
    count = max(2, int(abs(end - start) / 1.5))
    found = []
    for at in range(count + 1):
        x = start + (end - start) * at / count
        slope = plan.floor_at(x + 0.05) - plan.floor_at(x - 0.05)
        turn = math.atan2(slope, 0.1)
        found.append((x - lift * math.sin(turn), plan.floor_at(x) + lift * math.cos(turn)))
    return found


def _deck_low() -> float:
    return -plan.WINDOW_THICK - plan.FRAME


def _outer() -> float:
    return plan.inner_half() + plan.WALL


def box() -> Part:
    """The dark box below: floor, walls, the mirror's seat, the strips' ledges, the camera's wall."""
    folded, front = plan.fold(), plan.mouth()
    low, high = -folded.height, _deck_low()
    length, middle = front - _BACK, (front + _BACK) / 2
    with BuildPart() as made:
        with Locations((middle, 0, low)):
            Box(length, 2 * _outer(), high - low, align=_MIN)
        with Locations((middle, 0, low + plan.FLOOR)):
            inside = (length - 2 * plan.WALL, 2 * plan.inner_half(), high - low)
            Box(*inside, align=_MIN, mode=Mode.SUBTRACT)
    seat = _mirror_seat(folded)
    whole = made.part + seat
    for side in (-1, 1):
        whole += _strip_ledge(side)
    x, _, z = folded.lens
    wall = Pos(x - plan.CAMERA[2], 0, z) * Rot(0, 90 - 2 * plan.TILT, 0)
    with BuildPart() as plate:
        Box(plan.WALL, plan.CAMERA[0] + 8, 2 * (z - low))
        with Locations(Location((0, 0, 0), (0, 90, 0))):
            Cylinder(9, 10, mode=Mode.SUBTRACT)
            with Locations(*((a * 14, b * 14) for a in (-1, 1) for b in (-1, 1))):
                Cylinder(1.1, 10, mode=Mode.SUBTRACT)
    upright = wall * plate.part
    inner = Pos(middle, 0, low) * Box(length, 2 * plan.inner_half(), high - low - 1, align=_MIN)
    whole += upright & inner
    plug = Pos(_BACK, 40, low + 22) * Rot(0, 90, 0) * Cylinder(8, 3 * plan.WALL)
    return whole - plug


def _mirror_seat(folded: plan.Fold) -> Part:
    """Two cheeks whose upper edge is the mirror's underside."""
    (x0, z0), (x1, z1) = folded.ends
    under = plan.MIRROR_THICK / math.cos(math.radians(folded.tilt))
    low, foot = -folded.height + plan.FLOOR, 4.0
    points = [(x0 - 1, low), (x0 - 1, z0 - under), (x1 + 1, z1 - under), (x1 + 1, low)]
    cheeks = Part()
    for side in (-1, 1):
        cheeks += Pos(0, side * (folded.half_width - foot), 0) * _profile(points, foot / 2)
    return cheeks


def _strip_ledge(side: int) -> Part:
    """A sloping ledge for a strip, from the wall down to the floor: nothing hangs in the air."""
    (y0, z0), (y1, z1) = plan.lamp_edges()
    low, wall = -plan.fold().height + plan.FLOOR, plan.inner_half()
    with BuildPart() as made:
        with BuildSketch(Plane.YZ):
            with BuildLine():
                Polyline((y0, low), (y0, z0), (y1, z1), (wall, z1), (wall, low), close=True)
            make_face()
        extrude(amount=plan.half_seen()[0], both=True)
    return made.part if side > 0 else made.part.mirror(Plane.XZ)


def deck() -> Part:
    """The lip: floor with the window's seat, guides at both sides, the throat, the eye's bore."""
    end, low = plan.window_end(), _deck_low()
    a, b = plan.half_seen()
    guide = plan.LIP.card_mm[1] / 2 + plan.PLAY
    floor = [(-end, low), (-end, 0.0), *_way(end, plan.mouth()), (plan.mouth(), low - 4), (end, low - 4), (end, low)]
    whole = _profile(floor, _outer())
    rail = [(-end, -0.5), (-end, plan.ROOF), *_way(end, plan.mouth(), plan.GAUGE[1]), (plan.mouth(), -6), (end, -0.5)]
    for side in (-1, 1):
        middle = (guide + _outer()) / 2
        whole += Pos(0, side * middle, 0) * _profile(rail, (_outer() - guide) / 2)
    whole -= Pos(0, 0, low - 1) * Box(2 * a, 2 * b, 20, align=_MIN)
    whole -= Pos(0, 0, -plan.WINDOW_THICK) * Box(
        2 * (a + plan.FRAME - 0.2), 2 * (b + plan.FRAME), plan.WINDOW_THICK + 0.01, align=_MIN
    )
    return whole - _screws(low - 10, 30)


def _screws(z: float, long: float) -> Part:
    """Holes for six M3 screws, through deck and roof into the box's walls."""
    holes = Part()
    edge = plan.inner_half() - 5
    for x in (-plan.window_end() + 6, 0.0, plan.window_end() - 6):
        for side in (-1, 1):
            holes += Pos(x, side * edge, z) * Cylinder(_SCREW / 2, long, align=_MIN)
    return holes


def roof() -> Part:
    """Over the window: a slot for the finger with brushes, the beam's bore, a seat for the gauge."""
    end, thick = plan.window_end(), 9.0
    outline = [(-end, plan.ROOF), (end, plan.ROOF), (end, plan.ROOF + thick), (-end, plan.ROOF + thick)]
    whole = _profile(outline, _outer())
    whole -= Pos(-8, 0, 0) * Box(2 * end - 16, 16, 40)
    whole -= Pos(-8, 0, plan.ROOF + thick) * Box(2 * end - 10, 30, 6)  # the brushes' bed
    x, y, z = plan.EMITTER
    lean = math.degrees(math.atan2(plan.RECEIVER[1] - y, z - plan.RECEIVER[2]))
    bore = Pos(x, y, z) * Rot(lean, 0, 0)
    whole -= bore * Cylinder(plan.BORE[0] / 2, 40)
    whole -= bore * Cylinder(2.6, 30, align=_MIN)
    return whole - _screws(plan.ROOF - 1, 30)


def gauge() -> Part:
    """The bar over the throat: two long holes set the slit for one card."""
    drop = math.radians(plan.DROP)
    gap = plan.GAUGE[0]
    under = _way(plan.window_end(), plan.mouth(), gap)
    top = [(x, z + 6 / math.cos(drop)) for x, z in reversed(under)]
    whole = _profile([*under, *top], plan.LIP.card_mm[1] / 2 + plan.PLAY)
    ears = _profile([(x, z + plan.GAUGE[1]) for x, z in under] + top, _outer())
    whole += ears
    for side in (-1, 1):
        place = Pos((under[0][0] + under[-1][0]) / 2, side * (plan.inner_half() - 5), 0)
        whole -= place * Box(_SCREW, _SCREW + 2, 40)
    return whole


def bed(packs: int = 6, thick: float = 0.4) -> Part:
    """The bed and the front plate's guide: the pack leans on the one and stands on the other."""
    length = plan.bed_mm(52 * packs, thick)
    guide = plan.LIP.card_mm[1] / 2 + plan.PLAY
    rise = math.radians(plan.BED_RISE)
    start = -plan.window_end() - plan.BEND * math.sin(math.radians(plan.PLATE))
    high = plan.bend_high()
    back = (start - length * math.cos(rise), high + length * math.sin(rise))
    low = _deck_low()
    bend = _way(start, -plan.window_end())
    outline = [*bend, (-plan.window_end(), low), (_BACK, low), (_BACK, back[1] - 12), (back[0], back[1] - 12), back]
    whole = _profile(outline, _outer())
    sides = [(start + 30, high + 62), (start, high), back, (back[0], back[1] + 62)]
    for side in (-1, 1):
        whole += Pos(0, side * (guide + plan.WALL / 2), 0) * _profile(sides, plan.WALL / 2)
    hollow = [(_BACK + plan.WALL, low), (-plan.window_end() - 30, low), (-plan.window_end() - 30, low + 2)]
    hollow += [(start - 4, high - 8), (_BACK + plan.WALL, high - 8)]
    return whole - _profile(hollow, plan.inner_half())


def wedge() -> Part:
    """Pushes the pack: it leans as the cards do, and runs on a roller."""
    lean = math.radians(plan.PLATE)
    wide, high = plan.LIP.card_mm[1] - 2, 50.0
    top = high / math.tan(lean)
    whole = _profile([(0, 0), (-top, high), (-plan.WEDGE, high), (-plan.WEDGE, 0)], wide / 2)
    axle = Pos(-plan.WEDGE / 2, 0, 0) * Rot(90, 0, 0)
    whole -= axle * Cylinder(plan.ROLLER / 2 + 0.5, wide - 8)
    return whole - Pos(-plan.WEDGE / 2, 0, 1) * Rot(90, 0, 0) * Cylinder(3.1, wide + 2)


def lid() -> Part:
    """Closes the bed; its tongue presses the switch, and a seal goes over the screw in front."""
    guide = plan.LIP.card_mm[1] / 2 + plan.PLAY + plan.WALL
    length = min(plan.PRINTER[0] - 1, plan.bed_mm(312, plan.CARD_THICK[1]) + 20)
    whole = Box(length, 2 * guide, plan.WALL, align=_MIN)
    rim = Box(length - 6, 2 * guide - 2 * plan.WALL - 0.6, 6, align=_MIN)
    rim -= Box(length - 6 - 2 * plan.WALL, 2 * guide - 4 * plan.WALL - 0.6, 6, align=_MIN)
    whole += Pos(0, 0, plan.WALL) * rim
    return whole + Pos(length / 2 - 12, guide - 6, plan.WALL) * Box(6, 4, 12, align=_MIN)


#: Every printed part, and how it is turned to lie on the plate.
PARTS: Final[dict[str, tuple[Callable[[], Part], tuple[float, float, float]]]] = {
    "box": (box, (0, 0, 0)),
    "deck": (deck, (180, 0, 0)),
    "roof": (roof, (180, 0, 0)),
    "gauge": (gauge, (0, 0, 0)),
    "bed": (bed, (90, 0, 0)),
    "wedge": (wedge, (90, 0, 0)),
    "lid": (lid, (0, 0, 0)),
}
