"""The parts of the printed Schlitten as solids, by `plan.py`. They need the extra `cad`.

Each function makes one part as it is placed in the Schlitten. This module has the lip's parts;
`box.py` has the box below the lip, and `rear.py` the parts behind the lip. `PARTS` also says how
each part is placed on the printer's plate, without supports. `scripts/cad` exports them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from build123d import (
    Box,
    Cylinder,
    Part,
    Plane,
    Pos,
    Rot,
)

from workshop.schlitten import plan
from workshop.schlitten.box import box
from workshop.schlitten.rear import bed, bend, hood, lid, plate, wedge
from workshop.schlitten.shapes import INSERT, MAX, MIN, SCREW, outer, profile, through, way


def deck() -> Part:
    """The lip's floor, with the window's seat; the rails go on top."""
    end, low = plan.window_end(), plan.deck_low()
    a, b = plan.half_seen()
    whole = profile([(-end, low), (-end, 0.0), (end, 0.0), (end, low)], outer())
    wide = b + plan.FLARE * plan.SEAT
    edge = [(b, 1), (b, -plan.WINDOW_THICK), (wide, low), (wide, low - 1)]
    whole -= profile([*edge, *((-y, z) for y, z in reversed(edge))], a, Plane.YZ)
    deep = plan.WINDOW_THICK + plan.GLUE
    pane = (2 * end + 1, 2 * (b + plan.FRAME), deep + 0.01)  # open at both ends
    whole -= Pos(0, 0, -deep) * Box(*pane, align=MIN)
    return whole - _screws(low - 1, 30, INSERT)


def rail() -> Part:
    """The rail that guides one side of the card, and keeps the roof at its distance above the deck.

    The other rail is the same, turned round.
    """
    end, guide = plan.window_end(), plan.LIP.card_mm[1] / 2 + plan.PLAY
    whole = Pos(0, (guide + outer()) / 2, 0) * Box(2 * end, outer() - guide, plan.ROOF, align=MIN)
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
        middle = (guide + outer()) / 2
        rails += Pos(0, side * middle, 0) * profile(outline, (outer() - guide) / 2)
    return rails


def eye() -> Part:
    """The holder of the phototransistor, under the deck next to the camera's view.

    It is glued on.
    """
    y, low = plan.half_seen()[1] + plan.FLARE * plan.SEAT + 0.5, plan.deck_low()
    whole = Pos(0, y + 6, low - 15) * Box(10, 12, 15, align=MIN)
    x, y, z = plan.RECEIVER
    lean = math.degrees(math.atan2(y - plan.EMITTER[1], plan.EMITTER[2] - z))
    place = Pos(x, y, z) * Rot(lean, 0, 0)
    return whole - _beam() - place * Cylinder(plan.EYE_HOLE / 2, 30, align=MAX)


def sill() -> Part:
    """The floor of the throat, in front of the deck. The throat is the slit where a card leaves."""
    end, mouth, low = plan.window_end(), plan.mouth(), plan.deck_low()
    whole = profile([(end, low), *way(end, mouth), (mouth, low)], outer())
    rails = [(end, low), *way(end, mouth, plan.GAUGE[1]), (mouth, low)]
    whole += _rails(rails)
    return whole - through(low - 1, 20)


def _screws(z: float, long: float, across: float = SCREW) -> Part:
    """Holes for six M3 screws, through roof and rails into inserts in the deck."""
    holes = Part()
    edge = plan.inner_half() - 5
    for x in (-plan.window_end() + 6, 0.0, plan.window_end() - 6):
        for side in (-1, 1):
            holes += Pos(x, side * edge, z) * Cylinder(across / 2, long, align=MIN)
    return holes


def roof() -> Part:
    """The cover over the window, with the beam's bore and a slot for the finger (with brushes)."""
    end, thick = plan.window_end(), 9.0
    outline = [
        (-end, plan.ROOF),
        (end, plan.ROOF),
        (end, plan.ROOF + thick),
        (-end, plan.ROOF + thick),
    ]
    whole = profile(outline, outer())
    whole -= Pos(-8, 0, 0) * Box(2 * end - 16, 16, 40)
    whole -= Pos(-8, 0, plan.ROOF + thick) * Box(2 * end - 10, 30, 6)  # the brushes' bed
    x, y, z = plan.EMITTER
    lean = math.degrees(math.atan2(plan.RECEIVER[1] - y, z - plan.RECEIVER[2]))
    whole -= _beam()
    whole -= Pos(x, y, z) * Rot(lean, 0, 0) * Cylinder(2.6, 30, align=MIN)  # the LED's place
    return whole - _screws(plan.ROOF - 1, 30)


def gauge() -> Part:
    """The bar over the throat. Two long holes let the builder set the slit to one card."""
    drop = math.radians(plan.DROP)
    gap = plan.GAUGE[0]
    under = way(plan.window_end(), plan.mouth(), gap)
    top = [(x, z + 6 / math.cos(drop)) for x, z in reversed(under)]
    whole = profile([*under, *top], plan.LIP.card_mm[1] / 2 + plan.PLAY - 0.3)
    rests = way(plan.window_end(), plan.mouth(), plan.GAUGE[1])  # on the sill's rails
    whole += profile([*rests, *top], outer())
    for side in (-1, 1):
        place = Pos((under[0][0] + under[-1][0]) / 2, side * (plan.inner_half() - 5), 0)
        whole -= place * Box(SCREW, SCREW + 2, 40)
    return whole


def window() -> Part:
    """The window's pane of polycarbonate, a bought part."""
    return Pos(0, 0, -plan.WINDOW_THICK) * Box(*plan.pane(), plan.WINDOW_THICK, align=MIN)


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
