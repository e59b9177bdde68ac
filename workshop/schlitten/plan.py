"""The measures of the printed Schlitten, and what follows from them: plain arithmetic, no CAD.

The unit is the millimetre. x runs along the motion: 0 is the gate, and positive is outwards. y runs
across the motion. z runs upwards: 0 is the top of the window, on which the card's face slides.
Scale, window and card come from `vision/lip.py`. A mirror below the window folds the camera's light
path once, towards the pack: `Fold` describes it. `workshop/tests/test_schlitten_plan.py` checks the
conditions that the measures must meet.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

from vision.lip import SHIPPED

Point = tuple[float, float, float]

#: The lip of this Schlitten: the shipped lip, with a frame high enough to show both long edges.
LIP: Final = replace(SHIPPED, height_px=768)
REGION: Final = (320, 16, LIP.width_px, LIP.height_px)  # of the sensor, as `region` in `[shoe]`
FPS: Final = 120

# --- bought parts --------------------------------------------------------------------------------
PIXEL_MM: Final = 0.003  # OV9281
SENSOR_PX: Final = (1280, 800)
FOCAL_MM: Final = 2.8  # M12 lens
F_NUMBER: Final = 2.2
M12_PITCH: Final = 0.5  # millimetres a turn
WINDOW_THICK: Final = 1.0  # polycarbonate
GLUE: Final = 0.2  # between the window and its seat
MIRROR_THICK: Final = 2.0
LED_STRIP: Final = 10.0  # wide
STRIP: Final = (-58.0, 42.0)  # its extent along the motion; a post is in front of it
CAMERA: Final = (38.0, 38.0, 24.0)  # its board, and from the lens's pupil to the middle of its wall
BOARD_BEHIND: Final = 15.0  # of the lens's pupil; four screws set the distance to the wall
ROLLER: Final = 8.0  # across: rod of 6 mm in a tube

# --- ours ----------------------------------------------------------------------------------------
WALL: Final = 2.4
FLOOR: Final = 2.4
MARGIN: Final = 1.0  # by which the camera may be off centre
FRAME: Final = 3.0  # around the visible part of the window
SEAT: Final = 4.0  # thickness of the deck under the window
FLARE: Final = 1.0  # the opening widens downwards at the sides, as the light comes from there
PLAY: Final = 0.5  # of a card at either side
CARD_THICK: Final = (0.3, 0.4)  # as it is, with a label
GAUGE: Final = (0.45, 0.55)  # the slit, set by the gauge bar, for either
ROOF: Final = 1.0  # over the window
TILT: Final = 40.0  # degrees of the mirror from the horizontal
LIGHT_DEGREES: Final = 15.0  # the least angle at which light passes the mirror's edge
THROAT: Final = 14.0  # long
DROP: Final = 12.0  # degrees: the throat leads down, so that nobody can look up to the window
PLATE: Final = 60.0  # degrees of the front plate
BEND: Final = 50.0  # radius from the plate to the window
BED_THICK: Final = 8.0
LID_ROOM: Final = 20.0  # of the bed's sides over the first card: for the lid's rim and SW9
RIM: Final = 6.0  # of the lid, downwards
SWITCH: Final = 18.0  # SW9, from its lever where it switches to the ends of its legs
SWITCH_AT: Final = 50.0  # from the lid's hinge
SWITCH_BELOW: Final = 5.0  # the upper edge of the bed's side: where SW9's lever switches
LEVER: Final = (1.2, 0.8)  # SW9's way after it switches, and back until it opens; from memory
BED_RISE: Final = 10.0  # degrees, backwards: the pack slides to the front
WEDGE: Final = 34.0  # long: the last card leans back by 32
WEDGE_HIGH: Final = 36.0
GROOVE: Final = (4.0, 4.0)  # in the bed, for the cord: wide, deep
CORD_HOLE: Final = -34.5  # from the bed's front: behind the box, where the cord goes down
CARD_G: Final = 2.2  # a card's weight: plastic, 0.3 mm
BORE: Final = (3.0, 10.0)  # of the beam: across, long
EYE_HOLE: Final = 4.2  # for Q3, whose collar is up to 4 mm across (from memory)
HEAD: Final = (8.0, 5.0)  # of the bend's screws: their hole across, and deep
PANE: Final = 0.85  # of the light passes the window
LAMP: Final = (72.0, -25.0)  # y and z of the strips' middles, at either side
EMITTER: Final[Point] = (0.0, 30.0, 8.0)
RECEIVER: Final[Point] = (0.0, 56.0, -14.0)
PRINTER: Final = (220.0, 220.0, 250.0)


def half_seen() -> tuple[float, float]:
    """Half the field that the camera sees at the card, along and across, with a margin."""
    return (
        LIP.width_px / LIP.px_per_mm / 2 + MARGIN,
        LIP.height_px / LIP.px_per_mm / 2 + MARGIN,
    )


def lens_mm() -> float:
    """The distance from the card along the folded path to the lens's pupil.

    It follows from focal length and scale.
    """
    return FOCAL_MM * (1 + 1 / (PIXEL_MM * LIP.px_per_mm))


@dataclass(frozen=True, slots=True)
class Fold:
    """The mirror that folds the camera's light path. Its plane is z = slope * x - drop."""

    distance: float
    tilt: float
    drop: float
    half: tuple[float, float]

    @property
    def slope(self) -> float:
        """The slope of the mirror, upwards along the motion."""
        return math.tan(math.radians(self.tilt))

    @property
    def ends(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The mirror's lower and upper edge in (x, z), at the outermost rays."""
        a, way = self.half[0], 1 - self.drop / self.distance
        low = -a * way / (1 + a * self.slope / self.distance)
        high = a * way / (1 - a * self.slope / self.distance)
        return (low, self.slope * low - self.drop), (high, self.slope * high - self.drop)

    @property
    def half_width(self) -> float:
        """Half the mirror's width across the motion, at its wider, upper end, with the margin."""
        return self.half[1] * (1 + self.ends[1][1] / self.distance) + MARGIN

    @property
    def length(self) -> float:
        """The mirror's length along its slope, with the margin at both ends."""
        (x0, z0), (x1, z1) = self.ends
        return math.hypot(x1 - x0, z1 - z0) + 2 * MARGIN

    @property
    def lens(self) -> Point:
        """The place of the lens's pupil."""
        way, up = self.distance - self.drop, math.radians(2 * self.tilt)
        return (-math.sin(up) * way, 0.0, -self.drop + math.cos(up) * way)

    @property
    def height(self) -> float:
        """The card's height above the cloth: mirror, mirror's seat and floor added up."""
        seat = MIRROR_THICK / math.cos(math.radians(self.tilt)) + 0.5
        return -self.ends[0][1] + seat + FLOOR


def fold(tilt: float = TILT, degrees: float = LIGHT_DEGREES) -> Fold:
    """The flattest fold whose mirror still lets the strips' light pass over its upper edge.

    The light comes from the side. The mirror's upper edge must be so low that the light reaches the
    middle of the window at `degrees` or steeper. `tilt` is the mirror's angle.
    """
    distance, half = lens_mm(), half_seen()
    slope = math.tan(math.radians(tilt))
    under = half[1] * math.tan(math.radians(degrees))
    reach = half[0] * slope / (1 - half[0] * slope / distance)
    return Fold(distance, tilt, (reach + under) / (1 + reach / distance), half)


def mirror_meets(folded: Fold, at: Point) -> Point:
    """The point where the ray from a point of the card to the lens meets the mirror's plane."""
    x, y, z = at
    down = -folded.distance - z
    # x (1 - s) and z + s down are on the plane.
    s = (z - folded.slope * x + folded.drop) / (-folded.slope * x - down)
    return x * (1 - s), y * (1 - s), z + s * down


def mirror_high(folded: Fold, x: float) -> float | None:
    """The mirror's height (z) at x; None beyond the mirror's edges."""
    low, high = folded.ends
    return folded.slope * x - folded.drop if low[0] <= x <= high[0] else None


def unfolded_mm() -> float:
    """The height that a lip would need with the camera straight below it."""
    return lens_mm() + CAMERA[2] + FLOOR


# --- optics ---------------------------------------------------------------------------------------


def sharp_mm(blur_px: float = 1.0) -> float:
    """How far (mm) something may be before or behind the card if it may be blurred by `blur_px`."""
    hyperfocal = FOCAL_MM**2 / (F_NUMBER * blur_px * PIXEL_MM)
    return lens_mm() ** 2 / (hyperfocal + lens_mm())


def focus_turns() -> float:
    """How many turns to screw the lens out from its focus at infinity."""
    return FOCAL_MM**2 / (lens_mm() - FOCAL_MM) / M12_PITCH


def smear_px(exposure_us: float, mps: float = 1.0) -> float:
    """How far (px) a card at `mps` metres per second moves in the frame during the exposure."""
    return mps * exposure_us / 1000 * LIP.px_per_mm


def mirrored_at(y: float, z: float) -> float:
    """The y at which the camera sees a lamp at (y, z) reflected in the window."""
    return y * lens_mm() / (lens_mm() - z)


def lamp_edges() -> tuple[tuple[float, float], tuple[float, float]]:
    """The two edges of a light strip as (y, z). The strip faces the middle of the window."""
    y, z = LAMP
    far = math.hypot(y, z)
    dy, dz = -z / far * LED_STRIP / 2, y / far * LED_STRIP / 2
    return (y - dy, z - dz), (y + dy, z + dz)


# --- the beam -------------------------------------------------------------------------------------


def beam_crosses() -> tuple[float, float]:
    """The y at which the beam crosses the card's plane, and half the beam's width there."""
    (_, y0, z0), (_, y1, z1) = EMITTER, RECEIVER
    return y0 + (y1 - y0) * z0 / (z0 - z1), BORE[0] / 2 * math.hypot(1, (y1 - y0) / (z0 - z1))


def beam_share(lamp_mm: float, eye_mm: float) -> float:
    """The share of the beam's light that passes the bores and the window."""
    lamp, eye = min(1.0, BORE[0] / lamp_mm), min(1.0, BORE[0] / eye_mm)
    return lamp**2 * eye**2 * PANE


def dark_ms(side_mm: float, mps: float = 1.0) -> float:
    """How long (ms) a card of this side, at `mps` metres per second, darkens the whole beam."""
    return (side_mm - BORE[0]) / mps


def shadow_along_mm(tilt: float, across: float = LIP.card_mm[1]) -> float:
    """The shadow (mm) that a card, tilted by `tilt` degrees, casts in a beam along its plane."""
    return across * math.tan(math.radians(tilt)) + CARD_THICK[0]


# --- the card's way -------------------------------------------------------------------------------


def window_end() -> float:
    """The end of the window's frame along the motion, at either side."""
    return half_seen()[0] + FRAME


def floor_at(x: float) -> float:
    """The height, at x, of the surface on which a card slides, from front plate to mouth."""
    end = window_end()
    if x > end:
        return -(x - end) * math.tan(math.radians(DROP))
    into = -end - x
    bent = BEND * math.sin(math.radians(PLATE))
    if into <= 0:
        return 0.0
    if into <= bent:
        return BEND - math.sqrt(BEND**2 - into**2)
    return bend_high() + (into - bent) * math.tan(math.radians(PLATE))


def bend_high() -> float:
    """The height above the window at which the front plate begins."""
    return BEND * (1 - math.cos(math.radians(PLATE)))


def gap_at(x: float, gauge: float = GAUGE[1]) -> float:
    """The vertical clearance at x above the surface on which a card slides.

    In the throat the clearance follows from `gauge`; elsewhere it is the roof's.
    """
    if x > window_end():
        return gauge / math.cos(math.radians(DROP))
    return ROOF


def mouth() -> float:
    """The x of the throat's end, beyond which the card is out."""
    return window_end() + THROAT * math.cos(math.radians(DROP))


def stack_mm(cards: int, thick: float) -> float:
    """The length of a pack on the bed. Leaning cards make it longer than the pack is thick.

    `thick` is a card's thickness.
    """
    return cards * thick / math.sin(math.radians(PLATE - BED_RISE))


def bed_mm(cards: int, thick: float) -> float:
    """The length of the bed for a pack of `cards` cards, with the wedge behind the pack.

    `thick` is a card's thickness.
    """
    return stack_mm(cards, thick) + WEDGE


def side_tall() -> float:
    """The height of the bed's sides, upright."""
    return LIP.card_mm[0] * math.sin(math.radians(PLATE)) + LID_ROOM


def lid_mm() -> tuple[float, float]:
    """The length of the lid along the upper edge of the bed's sides, and that edge's slope (°)."""
    length, rise = bed_mm(312, CARD_THICK[1]), math.radians(BED_RISE)
    run = length * math.cos(rise) + WALL - side_tall() / math.tan(math.radians(PLATE))
    climb = length * math.sin(rise) + WALL * math.tan(rise)
    return math.hypot(run, climb) - 0.3, math.degrees(math.atan2(climb, run))


def wedge_newton(cards: int) -> float:
    """The push along the bed, in newtons, that a leaning pack needs if there is no friction.

    The wedge then supports every card at its upper edge.
    """
    lean, rise = math.radians(PLATE), math.radians(BED_RISE)
    weight = cards * CARD_G / 1000 * 9.81
    arm = WEDGE_HIGH / math.sin(lean - rise)
    return weight * LIP.card_mm[0] / 2 * math.cos(lean) / arm * math.sin(lean - rise)


def foot_mm() -> float:
    """The height of the wooden foot: from the cloth to the underside of the bed's far end."""
    rise = math.sin(math.radians(BED_RISE)) * bed_mm(312, CARD_THICK[1])
    return fold().height + bend_high() + rise - BED_THICK


def pane() -> tuple[float, float]:
    """The size of the window's pane, along and across: its seat less a gap for the glue."""
    along, across = half_seen()
    return 2 * (along + FRAME) - 0.8, 2 * (across + FRAME) - 0.4


def deck_low() -> float:
    """The z of the underside of deck and sill."""
    return -WINDOW_THICK - SEAT


def inner_half() -> float:
    """Half the inner width of the box. The light strips are at its walls."""
    return max(y for y, _ in lamp_edges()) + 2.0
