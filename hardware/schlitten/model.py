"""The parts of the printed Schlitten as solids, by `plan.py`. They need the extra `cad`.

Each function makes one part as it is placed in the Schlitten. `PARTS` also says how the part is
placed on the printer's plate, without supports. `scripts/cad` exports them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from build123d import (
    Align,
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
    extrude,
    make_face,
)

from hardware.schlitten import plan

_MIN = (Align.CENTER, Align.CENTER, Align.MIN)
_BACK: Final = -118.0  # of the box: behind the camera
_SCREW: Final = 3.4  # M3 goes through
_INSERT: Final = 4.0  # for a threaded insert of M3


def _profile(points: list[tuple[float, float]], half: float) -> Part:
    """A prism across the motion: its outline in (x, z), its width twice `half`."""
    with BuildPart() as made:
        with BuildSketch(Plane.XZ):
            with BuildLine():
                Polyline(*points, close=True)
            make_face()
        extrude(amount=half, both=True)
    return made.part


def _way(start: float, end: float, lift: float = 0.0) -> list[tuple[float, float]]:
    """Points along the card's way from `start` to `end` (x), `lift` above it at right angles."""
    count = max(2, int(abs(end - start) / 1.5))
    found = []
    for at in range(count + 1):
        x = start + (end - start) * at / count
        slope = plan.floor_at(x + 0.05) - plan.floor_at(x - 0.05)
        turn = math.atan2(slope, 0.1)
        found.append((x - lift * math.sin(turn), plan.floor_at(x) + lift * math.cos(turn)))
    return found


def _outer() -> float:
    return plan.inner_half() + plan.WALL


def box() -> Part:
    """The dark box: floor, walls, the mirror's seat, the strips' ledges, the camera's wall."""
    folded, front = plan.fold(), plan.mouth()
    low, high = -folded.height, plan.deck_low()
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
    for x, y in _posts():
        whole += Pos(x, y, low) * Cylinder(5, high - low, align=_MIN)
        whole -= Pos(x, y, high - 8) * Cylinder(_INSERT / 2, 9, align=_MIN)
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
    for across, radius in ((40, 8.0), (-40, 6.2)):  # J3's socket; the gland of the camera's cable
        whole -= Pos(_BACK, across, low + 22) * Rot(0, 90, 0) * Cylinder(radius, 3 * plan.WALL)
    for side in (-1, 1):  # the wires of D5 and SW9
        hole = Pos(-75, side * plan.inner_half(), high - 12) * Rot(90, 0, 0) * Cylinder(2, 20)
        whole -= hole
    return whole


def _posts() -> list[tuple[float, float]]:
    """The places (x, y) where sill and bend are screwed to the box."""
    front = (plan.window_end() + plan.mouth()) / 2
    return [(x, side * (plan.inner_half() - 5)) for x in (front, _BACK + 8) for side in (-1, 1)]


def _mirror_seat(folded: plan.Fold) -> Part:
    """Two cheeks that carry the mirror on their upper edges."""
    (x0, z0), (x1, z1) = folded.ends
    under = plan.MIRROR_THICK / math.cos(math.radians(folded.tilt))
    low, foot = -folded.height + plan.FLOOR, 4.0
    points = [(x0, low), (x0, z0 - under), (x1 + 1, z1 + folded.slope - under), (x1 + 1, low)]
    cheeks = Part()
    for side in (-1, 1):
        cheeks += Pos(0, side * (folded.half_width - foot), 0) * _profile(points, foot / 2)
    return cheeks


def _strip_ledge(side: int) -> Part:
    """A sloping ledge for a light strip, from wall to floor, so that no part of it is in the air.

    `side` is 1 or -1.
    """
    (y0, z0), (y1, z1) = plan.lamp_edges()
    low, wall = -plan.fold().height + plan.FLOOR, plan.inner_half()
    with BuildPart() as made:
        with BuildSketch(Plane.YZ):
            with BuildLine():
                Polyline((y0, low), (y0, z0), (y1, z1), (wall, z1), (wall, low), close=True)
            make_face()
        extrude(amount=(plan.STRIP[1] - plan.STRIP[0]) / 2, both=True)
    ledge = Pos((plan.STRIP[0] + plan.STRIP[1]) / 2, 0, 0) * made.part
    return ledge if side > 0 else ledge.mirror(Plane.XZ)


def deck() -> Part:
    """The lip's floor, with the window's seat; the rails go on top."""
    end, low = plan.window_end(), plan.deck_low()
    a, b = plan.half_seen()
    whole = _profile([(-end, low), (-end, 0.0), (end, 0.0), (end, low)], _outer())
    with BuildPart() as opening:
        with BuildSketch(Plane.YZ):
            wide = b + plan.FLARE * plan.SEAT
            half = [(b, 1), (b, -plan.WINDOW_THICK), (wide, low), (wide, low - 1)]
            with BuildLine():
                Polyline(*half, *((-y, z) for y, z in reversed(half)), close=True)
            make_face()
        extrude(amount=a, both=True)
    whole -= opening.part
    pane = (2 * end + 1, 2 * (b + plan.FRAME), plan.WINDOW_THICK + 0.01)  # open at both ends
    whole -= Pos(0, 0, -plan.WINDOW_THICK) * Box(*pane, align=_MIN)
    return whole - _screws(low - 1, 30, _INSERT)


def rail() -> Part:
    """The rail that guides one side of the card, and keeps the roof at its distance above the deck.

    The other rail is the same, turned round.
    """
    end, guide = plan.window_end(), plan.LIP.card_mm[1] / 2 + plan.PLAY
    whole = Pos(0, (guide + _outer()) / 2, 0) * Box(
        2 * end, _outer() - guide, plan.ROOF, align=_MIN
    )
    return whole - _screws(-1, 5) - _beam()


def _beam() -> Part:
    """The hole through which the beam passes from its light to its eye."""
    (x, y, z), (_, y1, z1) = plan.EMITTER, plan.RECEIVER
    lean = math.degrees(math.atan2(y1 - y, z - z1))
    return Pos(x, y, z) * Rot(lean, 0, 0) * Cylinder(plan.BORE[0] / 2, 80)


def _rails(outline: list[tuple[float, float]]) -> Part:
    """The rails at both sides."""
    guide = plan.LIP.card_mm[1] / 2 + plan.PLAY
    rails = Part()
    for side in (-1, 1):
        middle = (guide + _outer()) / 2
        rails += Pos(0, side * middle, 0) * _profile(outline, (_outer() - guide) / 2)
    return rails


def eye() -> Part:
    """The holder of the phototransistor, under the deck next to the camera's view.

    It is glued on.
    """
    y, low = plan.half_seen()[1] + plan.FLARE * plan.SEAT + 0.5, plan.deck_low()
    whole = Pos(0, y + 6, low - 15) * Box(10, 12, 15, align=_MIN)
    x, y, z = plan.RECEIVER
    lean = math.degrees(math.atan2(y - plan.EMITTER[1], plan.EMITTER[2] - z))
    place = Pos(x, y, z) * Rot(lean, 0, 0)
    return (
        whole - _beam() - place * Cylinder(1.7, 30, align=(Align.CENTER, Align.CENTER, Align.MAX))
    )


def sill() -> Part:
    """The floor of the throat, in front of the deck. The throat is the slit where a card leaves."""
    end, mouth, low = plan.window_end(), plan.mouth(), plan.deck_low()
    whole = _profile([(end, low), *_way(end, mouth), (mouth, low)], _outer())
    rails = [(end, low), *_way(end, mouth, plan.GAUGE[1]), (mouth, low)]
    whole += _rails(rails)
    return whole - _through(low - 1, 20)


def _through(z: float, long: float) -> Part:
    """The holes over the box's posts, at height `z` and `long` deep."""
    holes = Part()
    for x, y in _posts():
        holes += Pos(x, y, z) * Cylinder(_SCREW / 2, long, align=_MIN)
    return holes


def _screws(z: float, long: float, across: float = _SCREW) -> Part:
    """Holes for six M3 screws, through roof and rails into inserts in the deck."""
    holes = Part()
    edge = plan.inner_half() - 5
    for x in (-plan.window_end() + 6, 0.0, plan.window_end() - 6):
        for side in (-1, 1):
            holes += Pos(x, side * edge, z) * Cylinder(across / 2, long, align=_MIN)
    return holes


def roof() -> Part:
    """The cover over the window: a slot with brushes for the finger, and the beam's bore."""
    end, thick = plan.window_end(), 9.0
    outline = [
        (-end, plan.ROOF),
        (end, plan.ROOF),
        (end, plan.ROOF + thick),
        (-end, plan.ROOF + thick),
    ]
    whole = _profile(outline, _outer())
    whole -= Pos(-8, 0, 0) * Box(2 * end - 16, 16, 40)
    whole -= Pos(-8, 0, plan.ROOF + thick) * Box(2 * end - 10, 30, 6)  # the brushes' bed
    x, y, z = plan.EMITTER
    lean = math.degrees(math.atan2(plan.RECEIVER[1] - y, z - plan.RECEIVER[2]))
    whole -= _beam()
    whole -= Pos(x, y, z) * Rot(lean, 0, 0) * Cylinder(2.6, 30, align=_MIN)  # the LED's place
    return whole - _screws(plan.ROOF - 1, 30)


def gauge() -> Part:
    """The bar over the throat. Two long holes let the builder set the slit to one card."""
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


def _start() -> tuple[float, float]:
    """The point where the bed ends and the bend to the window begins, (x, z)."""
    reach = plan.BEND * math.sin(math.radians(plan.PLATE))
    return -plan.window_end() - reach, plan.bend_high()


def bend() -> Part:
    """The part that leads a card from the front plate's slope to the window.

    It also closes the box behind.
    """
    (start, high), low, end = _start(), plan.deck_low(), -plan.window_end()
    up = math.tan(math.radians(plan.BED_RISE)) * (start - _BACK)
    outline = [
        *_way(start, end),
        (end, low),
        (_BACK, low),
        (_BACK, high + up - 8),
        (start, high - 8),
    ]
    outline.append((start, high))
    return _profile(outline, _outer()) - _through(low - 1, 80)  # printed hollow, by its infill


def bed(packs: int = 6, thick: float = 0.4) -> Part:
    """The bed, on which the pack stands between two sides and a rear wall, over the cord's groove.

    The bed's far end rests on a wooden foot on the table. `thick` is a card's thickness.
    """
    length, (start, high) = plan.bed_mm(52 * packs, thick), _start()
    guide, rise = plan.LIP.card_mm[1] / 2 + plan.PLAY, math.radians(plan.BED_RISE)
    length += plan.WALL / math.cos(rise)
    back = (start - length * math.cos(rise), high + length * math.sin(rise))
    thick_floor = plan.BED_THICK
    floor = [(start, high), back, (back[0], back[1] - thick_floor), (start, high - thick_floor)]
    whole = _profile(floor, _outer())
    lean = math.radians(plan.PLATE)
    tall = plan.side_tall()
    sides = [
        (start, high),
        back,
        (back[0], back[1] + tall),
        (start - tall / math.tan(lean), high + tall),
    ]
    for side in (-1, 1):
        whole += Pos(0, side * (guide + plan.WALL / 2), 0) * _profile(sides, plan.WALL / 2)
    rear = Pos(back[0] + plan.WALL / 2, 0, back[1] - 1) * Box(
        plan.WALL, 2 * guide + 1, tall + 0.4, align=_MIN
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
    (start, high), lean = _start(), math.radians(plan.PLATE)
    thick, tall = 4.0, plan.LIP.card_mm[0] + plan.LID_ROOM / math.sin(lean)
    gap = plan.GAUGE[1] + 0.5
    foot = (start + gap * math.sin(lean), high + gap * math.cos(lean))
    top = (foot[0] - tall * math.cos(lean), foot[1] + tall * math.sin(lean))
    over = (thick * math.sin(lean), thick * math.cos(lean))
    outline = [foot, top, *((x + over[0], z + over[1]) for x, z in (top, foot))]
    whole = _profile(outline, plan.LIP.card_mm[1] / 2 + plan.PLAY + plan.WALL)
    x, z = (foot[0] + top[0]) / 2, (foot[1] + top[1]) / 2
    guide = plan.LIP.card_mm[1] / 2 + plan.PLAY
    edge = [(start, high), foot, top]
    edge.append((start - tall * math.cos(lean), high + tall * math.sin(lean)))
    for side in (-1, 1):
        whole += Pos(0, side * (guide + plan.WALL / 2), 0) * _profile(edge, plan.WALL / 2)
    slot = Pos(0, 0, 22.5 - tall / 2) * Box(40, 20, 63)  # up to 9 mm below a card's upper edge
    return whole - Pos(x, 0, z) * Rot(0, plan.PLATE - 90, 0) * slot


def hood() -> Part:
    """The hood, which covers the bend so that nobody looks under the roof from behind.

    It has a slot for the finger.
    """
    (start, _), end = _start(), -plan.window_end()
    whole = _profile(
        [*_way(start, end, plan.ROOF), *reversed(_way(start, end, plan.ROOF + 4))],
        plan.LIP.card_mm[1] / 2 + plan.PLAY,
    )
    cheeks = _profile(
        [*_way(start, end, 0.1), *reversed(_way(start, end, plan.ROOF + 4))], _outer()
    )
    guide = plan.LIP.card_mm[1] / 2 + plan.PLAY
    cheeks -= Pos((start + end) / 2, 0, 0) * Box(200, 2 * guide, 200)
    return whole + cheeks - Pos((start + end) / 2 + 4, 0, 0) * Box(-start + end - 4, 16, 200)


def wedge() -> Part:
    """The wedge, which pushes the pack. It leans like the cards; a cord draws it on its roller."""
    lean = math.radians(plan.PLATE - plan.BED_RISE)  # to the bed, as it runs on the bed
    wide, high = plan.LIP.card_mm[1] - 2, plan.WEDGE_HIGH
    top = high / math.tan(lean)
    whole = _profile([(0, 0), (-top, high), (-plan.WEDGE, high), (-plan.WEDGE, 0)], wide / 2)
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
    whole = Box(length, 2 * guide, wall, align=_MIN)
    rim = Box(length - 6 - wall, 2 * guide - 2 * wall - 0.6, plan.RIM, align=_MIN)
    rim -= Box(length - 6 - 3 * wall, 2 * guide - 4 * wall - 0.6, plan.RIM, align=_MIN)
    whole += Pos(wall / 2, 0, wall) * rim
    pad = Box(6, 6, plan.RIM, align=_MIN)
    return whole + Pos(plan.SWITCH_AT - length / 2, guide - wall - 3.3, wall) * pad


def mirror() -> Part:
    """The mirror on its seat, a bought part: 2 mm thick, cut to size."""
    folded = plan.fold()
    (x0, z0), (x1, z1) = folded.ends
    place = Pos((x0 + x1) / 2, 0, (z0 + z1) / 2) * Rot(0, -folded.tilt, 0)
    size = (folded.length, 2 * folded.half_width, plan.MIRROR_THICK)
    return place * Box(*size, align=(Align.CENTER, Align.CENTER, Align.MAX))


def window() -> Part:
    """The window's pane of polycarbonate, a bought part."""
    return Pos(0, 0, -plan.WINDOW_THICK) * Box(*plan.pane(), plan.WINDOW_THICK, align=_MIN)


#: Every printed part, and how it is turned on the printer's plate.
PARTS: Final[dict[str, tuple[Callable[[], Part], tuple[float, float, float]]]] = {
    "box": (box, (0, 0, 0)),
    "deck": (deck, (0, 0, 0)),
    "sill": (sill, (0, 0, 0)),
    "rail": (rail, (0, 0, 0)),
    "eye": (eye, (180, 0, 0)),
    "roof": (roof, (0, 0, 0)),
    "gauge": (gauge, (0, 90, 0)),
    "bend": (bend, (90, 0, 0)),
    "hood": (hood, (90, 0, 0)),
    "bed": (bed, (0, -90, 0)),
    "plate": (plate, (90, 0, 0)),
    "wedge": (wedge, (0, -90, 0)),
    "lid": (lid, (0, 0, 0)),
}
