"""The printed Schlitten, proved by arithmetic: `workshop/schlitten/plan.py`. No CAD is needed.

x is along the motion, y across, z upwards from the card's plane, in millimetres.
"""

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from vision import limits
from vision.lip import SIDES_MM
from workshop.schlitten import plan

BUILD = Path(__file__).parents[2] / "hardware" / "BUILD.md"
FOLD = plan.fold()


def lines(*ends, steps=60):
    """Points between each two of the ends."""
    return [
        tuple(a + (b - a) * at / steps for a, b in zip(one, two, strict=True))
        for one, two in pairwise(ends)
        for at in range(steps + 1)
    ]


# --- height and optics ----------------------------------------------------------------------------


def test_the_lip_stands_at_most_70_mm_over_the_cloth():
    """Folded; straight below the window it stood at more than 140, and by 45 degrees at 73."""
    assert FOLD.height <= 70
    assert plan.unfolded_mm() > 140
    assert plan.fold(tilt=45).height > 70


def test_the_lens_is_as_far_as_its_scale_says():
    """The window fills the region of the sensor at the lip's pixels a millimetre."""
    x, _, z = FOLD.lens
    way = FOLD.drop + math.hypot(x, z + FOLD.drop)

    assert way == pytest.approx(plan.lens_mm())
    for size, at, sensor in zip(plan.REGION[2:], plan.REGION[:2], plan.SENSOR_PX, strict=True):
        assert size + 2 * at == sensor
    for side, half in zip(plan.REGION[2:], plan.half_seen(), strict=True):
        seen = side * plan.PIXEL_MM * (plan.lens_mm() - plan.FOCAL_MM) / plan.FOCAL_MM
        assert seen == pytest.approx(2 * (half - plan.MARGIN))


def test_both_edges_along_the_motion_are_seen_with_a_margin():
    """As the lip asks, for two cards that are shifted sideways."""
    assert plan.LIP.sides
    assert 2 * plan.half_seen()[1] >= plan.LIP.card_mm[1] + SIDES_MM


def test_it_is_sharp_wherever_a_card_may_be():
    """On the window or under the roof, and 4 mm of building badly besides."""
    assert plan.sharp_mm(blur_px=1) >= plan.ROOF + 4
    assert 0 < plan.focus_turns() < 2  # of a screw that has them: the nearest focus is no limit


@pytest.mark.parametrize(("exposure_us", "holds"), [(250, True), (500, True), (600, False)])
def test_a_card_at_1_m_s_is_smeared_by_one_module_at_most(exposure_us, holds):
    """Further no decoder reads: vision/lip.py's module."""
    module_px = plan.LIP.module_mm * plan.LIP.px_per_mm

    assert (plan.smear_px(exposure_us) <= module_px) == holds


# --- what may be in the camera's way --------------------------------------------------------------


def cone():
    """Rays from the edge of what is seen to the mirror and on to the lens."""
    a, b = plan.half_seen()
    rim = [(x, y) for x in np.linspace(-a, a, 15) for y in np.linspace(-b, b, 15)]
    for x, y in rim:
        at = (x, y, 0.0)
        yield at, plan.mirror_meets(FOLD, at), FOLD.lens


def test_every_ray_meets_the_mirror_within_its_edges():
    """And leaves it for the lens: the mirror of the parts list is large enough."""
    (low, _), (high, _) = FOLD.ends
    for _, hit, _ in cone():
        assert low - 1e-6 <= hit[0] <= high + 1e-6
        assert abs(hit[1]) <= FOLD.half_width - plan.MARGIN + 1e-6
        assert hit[2] < -plan.WINDOW_THICK


def test_the_mirror_folds_the_way_without_making_it_longer():
    """Each ray's way is that of the unfolded camera: the image of the lens is straight below."""
    for at, hit, lens in cone():
        folded = math.dist(at, hit) + math.dist(hit, lens)
        assert folded == pytest.approx(math.dist(at, (0, 0, -plan.lens_mm())), abs=1e-6)


def test_nothing_stands_in_the_cameras_way():
    """No lamp, no eye of the beam, no bed, no wall, in any ray of the cone."""
    (_, low_z), (_, high_z) = plan.lamp_edges()
    for ray in cone():
        for x, y, z in lines(*ray, steps=40):
            lamp = low_z - 2 <= z <= high_z + 2 and abs(y) >= plan.LAMP[0] - 5
            eye = math.dist((x, y, z), plan.RECEIVER) < 5
            bed = x < -plan.window_end() and z > plan.deck_low()
            floor = z < -FOLD.height + plan.FLOOR
            assert not any((lamp, eye, bed, floor)), (x, y, z)
            assert abs(y) < plan.inner_half()


def test_the_camera_fits_below_the_bed():
    """Its board stands upright to its axis, above the floor and below the pack."""
    x, _, z = FOLD.lens
    up = math.radians(90 - 2 * plan.TILT)  # its axis falls towards the mirror
    depth, half = plan.CAMERA[2], plan.CAMERA[1] / 2
    for along in (0, -depth):
        for high in (-half, half):
            corner = (
                x + along * math.cos(up) + high * math.sin(up),
                z - along * math.sin(up) + high * math.cos(up),
            )
            assert corner[1] > -FOLD.height + plan.FLOOR
            assert corner[1] < plan.floor_at(corner[0]) - plan.FLOOR
            assert corner[1] < plan.deck_low() - 2  # the bend's underside


# --- light ----------------------------------------------------------------------------------------


def test_no_lamp_is_mirrored_into_the_camera():
    """A window is a mirror; the strips' images lie outside of what is seen of it."""
    for edge in plan.lamp_edges():
        assert plan.mirrored_at(*edge) > plan.half_seen()[1] + 2


def test_a_lamp_nearer_to_the_middle_would_be():
    """At 60 mm, where the first sketch had them."""
    assert plan.mirrored_at(56, -25) < plan.half_seen()[1]


def test_the_light_reaches_the_window_past_the_mirror():
    """From the strip at either side to every spot of its half, and some of the other's."""
    a, b = plan.half_seen()
    for x in np.linspace(-a, a, 9):
        for y in np.linspace(-b, 5, 9):
            spot, lamp = (x, y, -plan.WINDOW_THICK), (x, -plan.LAMP[0], plan.LAMP[1])
            for _, at_y, z in lines(spot, lamp, steps=80):
                edge = plan.mirror_high(FOLD, x)
                assert edge is None or abs(at_y) > FOLD.half_width or z > edge, (x, y)


def test_the_near_strip_lights_the_windows_edge_past_the_decks_opening():
    """It widens downwards by FLARE; cut straight it would shade 3 mm."""
    (y, z), b = plan.lamp_edges()[0], plan.half_seen()[1] - plan.MARGIN
    at = b + (y - b) * plan.deck_low() / z

    assert at <= plan.half_seen()[1] + plan.FLARE * plan.SEAT
    assert at > plan.half_seen()[1]


def test_the_window_is_lit_within_a_factor_of_three():
    """Two long strips: the edge against the middle, by distance and slant."""

    def lit(y):
        return sum(
            -plan.LAMP[1] / math.hypot(plan.LAMP[0] - side * y, plan.LAMP[1]) ** 2
            for side in (-1, 1)
        )

    b = plan.half_seen()[1]
    assert max(lit(y) for y in np.linspace(-b, b, 50)) < 3 * min(
        lit(y) for y in np.linspace(-b, b, 50)
    )


# --- the beam -------------------------------------------------------------------------------------


def test_the_beam_lies_in_the_gate_and_under_every_card():
    """A card that is shifted as far as its guides let it still covers the whole beam."""
    at, half = plan.beam_crosses()

    assert plan.EMITTER[0] == plan.RECEIVER[0] == 0
    assert at + half < plan.LIP.card_mm[1] / 2 - 2 * plan.PLAY - 1
    assert plan.EMITTER[2] > plan.ROOF
    assert plan.RECEIVER[2] < -plan.WINDOW_THICK


@pytest.mark.parametrize("side", [63, 88])
def test_the_beam_is_dark_for_a_whole_card_at_1_m_s(side):
    """Across the plane: dark for all of it but the beam's own width, far over the board's 1 ms."""
    assert plan.dark_ms(side) == pytest.approx(side, abs=3.5)
    assert plan.dark_ms(side) > 50


@pytest.mark.parametrize("tilt", [1, 2])
def test_a_beam_along_the_plane_is_never_dark(tilt):
    """Before: a usual beam of 5 mm along the card, tilted by a degree or two. Across it is dark."""
    assert plan.shadow_along_mm(tilt) < 5
    assert plan.LIP.card_mm[0] * math.cos(math.radians(tilt)) > plan.BORE[0]


def test_the_beams_light_does_not_reach_the_lens():
    """Its bore lets out what leaves within 17 degrees; the lens, unfolded, is 60 beside it."""
    aim = np.subtract(plan.RECEIVER, plan.EMITTER)
    lens = np.subtract((0, 0, -plan.lens_mm()), plan.EMITTER)
    between = math.degrees(math.acos(aim @ lens / np.linalg.norm(aim) / np.linalg.norm(lens)))

    assert math.degrees(math.atan(plan.BORE[0] / plan.BORE[1])) < between / 3
    assert np.linalg.norm(aim) < 35.5


# --- secrecy --------------------------------------------------------------------------------------


def looks_in(rise, high, *, face=None):
    """Where a look from outside ends: (what, x). It enters the mouth `high` above its floor.

    `rise` is the slope inwards; `face` is (where a card's front edge is, how high its face).
    """
    x = plan.mouth()
    z = plan.floor_at(x) + high
    while x > -plan.window_end():
        x -= 0.1
        z += rise * 0.1
        if face and x <= face[0] and z <= face[1]:
            return "face", x
        if z <= plan.floor_at(x):
            return "floor", x
        if z >= plan.floor_at(x) + plan.gap_at(x):
            return "roof", x
    return "through", x


def looks():
    gap = plan.gap_at(plan.mouth())
    for degrees in [*range(-60, -30, 5), *np.arange(-30, 30, 0.5), *range(30, 61, 5)]:
        for high in np.linspace(0.02, gap - 0.02, 6):
            yield math.tan(math.radians(degrees)), high


def test_no_look_from_outside_meets_the_window():
    """The throat leads down: who looks in looks up, at the roof."""
    for rise, high in looks():
        what, x = looks_in(rise, high)
        assert what in ("roof", "floor")
        assert what == "roof" or x >= plan.window_end()


def test_a_level_throat_would_show_the_window(monkeypatch):
    """Before: the lip's floor was flat to its end."""
    monkeypatch.setattr(plan, "DROP", 0.0)

    assert any(
        what == "floor" and x < plan.window_end()
        for what, x in (looks_in(rise, high) for rise, high in looks())
    )


def test_no_look_meets_the_face_of_a_card_deeper_than_5_mm_behind_the_slit():
    """Nor if that card is lifted to the roof: its front edge may be anywhere on the window."""
    for front in np.arange(-plan.window_end(), plan.window_end() - 5, 8.0):
        lifted = plan.ROOF - plan.CARD_THICK[0]
        for rise, high in looks():
            what, x = looks_in(rise, high, face=(front, lifted))
            assert what != "face" or x > plan.window_end() - 5, (front, x)


# --- the card's way -------------------------------------------------------------------------------


def test_a_card_touches_nothing_but_its_guides():
    """Swept from the plate to the mouth: there is room above it, and only guides beside it."""
    for x in np.arange(-plan.window_end() - 60, plan.mouth(), 0.5):
        for thick, gauge in zip(plan.CARD_THICK, plan.GAUGE, strict=True):
            assert plan.gap_at(x, gauge) > thick + 0.1
    for part, z in (("emitter", plan.EMITTER[2] - 5), ("receiver", plan.RECEIVER[2] + 5)):
        assert not -plan.WINDOW_THICK < z < plan.ROOF, part
    assert FOLD.ends[1][1] < plan.deck_low()
    assert max(z for _, z in plan.lamp_edges()) < plan.deck_low()


def test_the_slit_lets_one_card_through_and_not_two():
    """The gauge is set for plain or for labelled cards."""
    for thick, gauge in zip(plan.CARD_THICK, plan.GAUGE, strict=True):
        assert thick < gauge < 2 * thick


def test_the_way_has_no_step_and_no_kink_that_creases_a_card():
    """From bend to window to throat; a card takes 12 degrees, and a radius of 50 mm."""
    steps = [plan.floor_at(x) for x in np.arange(-120, plan.mouth(), 0.1)]
    assert max(abs(b - a) for a, b in pairwise(steps)) < 0.1 * math.tan(math.radians(61))
    assert plan.DROP <= 15
    assert plan.BEND >= 40


@pytest.mark.parametrize(("packs", "thick"), [(6, 0.4), (8, 0.3)])
def test_the_packs_fit_on_a_bed_that_can_be_printed(packs, thick):
    """Six labelled packs or eight plain ones, with the wedge."""
    assert plan.bed_mm(52 * packs, thick) <= plan.PRINTER[0]


def test_the_cord_that_draws_the_wedge_holds_a_leaning_pack():
    """312 cards of 2.2 g, 6.7 N, each held 47 mm up its 63; a wedge for that would weigh 1 kg."""
    assert plan.wedge_newton(312) == pytest.approx(1.73, abs=0.01)
    assert plan.wedge_newton(312) / 9.81 / math.sin(math.radians(plan.BED_RISE)) > 1
    assert plan.wedge_newton(26) == pytest.approx(plan.wedge_newton(312) / 12)


def test_50_g_push_the_cards_that_are_left_when_the_cord_is_slack():
    """The cord ends 5.5 mm before the bed's front: 14 plain cards, standing at 50 degrees."""
    left = (-plan.CORD_HOLE - (plan.WEDGE - 5)) * math.sin(math.radians(50)) / 0.3

    assert left == pytest.approx(14.0, abs=0.1)
    assert 0.05 * 9.81 * math.sin(math.radians(10)) > plan.wedge_newton(14)


def test_eight_labelled_packs_need_a_longer_bed_than_the_printer_makes():
    """As BUILD says: 251 mm, with a lid and a foot of their own."""
    assert plan.PRINTER[0] < plan.bed_mm(52 * 8, 0.4) == pytest.approx(251, abs=0.5)


def test_the_shut_lid_presses_the_switch_and_6_mm_of_lift_open_it():
    """Before, the lid pressed the lever 2 mm on, which has 1.2: the lid did not shut."""
    onward, back = plan.LEVER
    pressed = plan.RIM - plan.SWITCH_BELOW

    assert 0.5 <= pressed < onward
    assert 6 * plan.SWITCH_AT / plan.lid_mm()[0] > pressed + back


def test_walls_are_at_least_2_mm():
    """And the sill under the throat, where it is thinnest."""
    assert min(plan.WALL, plan.FLOOR, plan.FRAME, plan.SEAT) >= 2
    assert plan.floor_at(plan.mouth()) - plan.deck_low() >= 2


def test_the_page_says_the_plans_figures_in_its_sentences():
    """Those that stand in BUILD's prose; its tables are made."""
    page = " ".join(BUILD.read_text("utf-8").split())
    gap = plan.CAMERA[2] - plan.WALL / 2 - plan.BOARD_BEHIND - 0.8  # half the board's thickness

    for words in (
        f"begin with {gap:.0f} mm between camera and wall",
        f"{plan.GLUE:g} mm deeper than the pane",
        f"its lever is {plan.SWITCH_BELOW:.0f} mm below the side's upper edge",
        f"presses the lever {plan.RIM - plan.SWITCH_BELOW:.0f} mm further",
        f"allows {plan.LEVER[0]:g} mm",
        f"pad, which is {plan.SWITCH_AT:.0f} mm from the hinge",
        f"their bed would be {plan.bed_mm(416, 0.4):.0f} mm long",
        f"The bed rises by {plan.BED_RISE:.0f} degrees",
        f"mirror at {plan.TILT:.0f}° turns",
        f"the lip is {FOLD.height:.0f} mm high",
        f"At 45° the lip would be {plan.fold(45).height:.0f} mm high",
        f"upper edge must be {-FOLD.ends[1][1]:.0f} mm below the window",
        f"The throat leads down by {plan.DROP:.0f} degrees",
        f"The strips are {plan.LAMP[0]:.0f} mm from the middle",
        f"through the window, {math.dist(plan.EMITTER, plan.RECEIVER):.0f} mm away",
        f"The printed gauge leaves {plan.GAUGE[0]:g} mm",
        f"which gives {plan.GAUGE[1]:g} mm",
        f"it is {plan.bed_mm(312, 0.4) - plan.bed_mm(312, 0.3):.0f} mm in front of the wall",
        f"enough up to {limits.sure_mps(plan.LIP, 60):.2g} m/s",
        f"speed for two cards, {limits.pairs_mps(plan.LIP, 60):.2g} m/s",
        f"while the card moves {limits.sure_mps(plan.LIP, 60) / 0.06:.0f} mm",
        f"in the window for only {limits.pairs_mps(plan.LIP, 60) / 0.06:.0f} mm",
        f"upper edge is {FOLD.height + plan.bend_high():.0f} mm over the cloth",
    ):
        assert words in page, words
