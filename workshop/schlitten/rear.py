"""The parts of the printed Schlitten behind its lip: the way from the pack down to the window."""

from __future__ import annotations

import math

from build123d import Align, Box, Cylinder, Part, Pos, Rot

from workshop.schlitten import plan
from workshop.schlitten.shapes import BACK, MIN, bed_start, outer, posts, profile, through, way


def bend() -> Part:
    """The part that leads a card from the front plate's slope to the window.

    It also closes the box behind.
    """
    (start, high), low, end = bed_start(), plan.deck_low(), -plan.window_end()
    up = math.tan(math.radians(plan.BED_RISE)) * (start - BACK)
    outline = [
        *way(start, end),
        (end, low),
        (BACK, low),
        (BACK, high + up - plan.BED_THICK),
        (start, high - plan.BED_THICK),
    ]
    outline.append((start, high))
    whole = profile(outline, outer()) - through(low - 1, 80)  # printed hollow, by its infill
    for x, y in posts():  # their heads are below the bed, which is glued on top
        top = high + math.tan(math.radians(plan.BED_RISE)) * (start - x) - plan.BED_THICK
        whole -= Pos(x, y, top - plan.HEAD[1]) * Cylinder(plan.HEAD[0] / 2, 20, align=MIN)
    return whole


def bed(packs: int = 6, thick: float = 0.4) -> Part:
    """The bed, on which the pack stands between two sides and a rear wall, over the cord's groove.

    The bed's far end rests on a wooden foot on the table. `thick` is a card's thickness.
    """
    length, (start, high) = plan.bed_mm(52 * packs, thick), bed_start()
    guide, rise = plan.LIP.card_mm[1] / 2 + plan.PLAY, math.radians(plan.BED_RISE)
    length += plan.WALL / math.cos(rise)
    back = (start - length * math.cos(rise), high + length * math.sin(rise))
    thick_floor = plan.BED_THICK
    floor = [(start, high), back, (back[0], back[1] - thick_floor), (start, high - thick_floor)]
    whole = profile(floor, outer())
    lean = math.radians(plan.PLATE)
    tall = plan.side_tall()
    sides = [
        (start, high),
        back,
        (back[0], back[1] + tall),
        (start - tall / math.tan(lean), high + tall),
    ]
    for side in (-1, 1):
        whole += Pos(0, side * (guide + plan.WALL / 2), 0) * profile(sides, plan.WALL / 2)
    rear = Pos(back[0] + plan.WALL / 2, 0, back[1] - 1) * Box(
        plan.WALL, 2 * guide + 1, tall + 0.4, align=MIN
    )
    wide, deep = plan.GROOVE
    turned = Pos(start, 0, high) * Rot(0, plan.BED_RISE, 0)
    groove = Box(length - 5, wide, 2 * deep, align=(Align.MAX, Align.CENTER, Align.CENTER))
    hole = Pos(plan.CORD_HOLE, 0, 0) * Cylinder(2.5, 40)
    return whole - turned * groove - turned * hole + rear


def plate() -> Part:
    """The front plate. The pack leans on it, and its slot lets the finger draw the first card.

    Its two cheeks are glued to the front edges of the bed's sides, and leave a gap for a card.
    """
    (start, high), lean = bed_start(), math.radians(plan.PLATE)
    thick, tall = 4.0, plan.LIP.card_mm[0] + plan.LID_ROOM / math.sin(lean)
    gap = plan.GAUGE[1] + 0.5
    foot = (start + gap * math.sin(lean), high + gap * math.cos(lean))
    top = (foot[0] - tall * math.cos(lean), foot[1] + tall * math.sin(lean))
    over = (thick * math.sin(lean), thick * math.cos(lean))
    outline = [foot, top, *((x + over[0], z + over[1]) for x, z in (top, foot))]
    whole = profile(outline, plan.LIP.card_mm[1] / 2 + plan.PLAY + plan.WALL)
    x, z = (foot[0] + top[0]) / 2, (foot[1] + top[1]) / 2
    guide = plan.LIP.card_mm[1] / 2 + plan.PLAY
    edge = [(start, high), foot, top]
    edge.append((start - tall * math.cos(lean), high + tall * math.sin(lean)))
    for side in (-1, 1):
        whole += Pos(0, side * (guide + plan.WALL / 2), 0) * profile(edge, plan.WALL / 2)
    slot = Pos(0, 0, 22.5 - tall / 2) * Box(40, 20, 63)  # up to 9 mm below a card's upper edge
    return whole - Pos(x, 0, z) * Rot(0, plan.PLATE - 90, 0) * slot


def hood() -> Part:
    """The hood, which covers the bend so that nobody looks under the roof from behind.

    It has a slot for the finger.
    """
    (start, _), end = bed_start(), -plan.window_end()
    whole = profile(
        [*way(start, end, plan.ROOF), *reversed(way(start, end, plan.ROOF + 4))],
        plan.LIP.card_mm[1] / 2 + plan.PLAY,
    )
    cheeks = profile([*way(start, end, 0.1), *reversed(way(start, end, plan.ROOF + 4))], outer())
    guide = plan.LIP.card_mm[1] / 2 + plan.PLAY
    cheeks -= Pos((start + end) / 2, 0, 0) * Box(200, 2 * guide, 200)
    return whole + cheeks - Pos((start + end) / 2 + 4, 0, 0) * Box(-start + end - 4, 16, 200)


def wedge() -> Part:
    """The wedge, which pushes the pack.

    It leans like the cards, and runs on a roller; a cord draws it.
    """
    lean = math.radians(plan.PLATE - plan.BED_RISE)  # to the bed, as it runs on the bed
    wide, high = plan.LIP.card_mm[1] - 2, plan.WEDGE_HIGH
    top = high / math.tan(lean)
    whole = profile([(0, 0), (-top, high), (-plan.WEDGE, high), (-plan.WEDGE, 0)], wide / 2)
    axle = Pos(-plan.WEDGE / 2, 0, 0) * Rot(90, 0, 0)
    whole -= axle * Cylinder(plan.ROLLER / 2 + 0.5, wide - 8)
    whole -= Pos(5 - plan.WEDGE, 0, 0) * Cylinder(1.5, 3 * high)  # the cord, knotted on top
    return whole - Pos(-plan.WEDGE / 2, 0, 1) * Rot(90, 0, 0) * Cylinder(3.1, wide + 2)


def lid() -> Part:
    """The lid, which closes the bed. Tape at its rear edge (-x) is its hinge.

    Its rim has a pad for the switch.
    """
    guide = plan.LIP.card_mm[1] / 2 + plan.PLAY + plan.WALL
    (length, _), wall = plan.lid_mm(), plan.WALL
    whole = Box(length, 2 * guide, wall, align=MIN)
    rim = Box(length - 6 - wall, 2 * guide - 2 * wall - 0.6, plan.RIM, align=MIN)
    rim -= Box(length - 6 - 3 * wall, 2 * guide - 4 * wall - 0.6, plan.RIM, align=MIN)
    whole += Pos(wall / 2, 0, wall) * rim
    pad = Box(6, 6, plan.RIM, align=MIN)
    return whole + Pos(plan.SWITCH_AT - length / 2, guide - wall - 3.3, wall) * pad
