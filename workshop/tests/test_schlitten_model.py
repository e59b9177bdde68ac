"""The solids of the printed Schlitten, where build123d is installed (the extra `cad`)."""

import math
from itertools import combinations

import pytest

pytest.importorskip("build123d", reason="the extra `cad` is not installed")

from build123d import Box, Pos, Rot, Vector

from workshop.schlitten import cad, model, plan


@pytest.fixture(scope="module")
def solids():
    return {name: make() for name, (make, _) in model.PARTS.items()}


@pytest.fixture(scope="module")
def placed():
    """Every part in its place, with the other rail, the mirror and the pane."""
    return cad.solids()


@pytest.mark.parametrize("name", model.PARTS)
def test_a_part_is_one_whole_solid_that_fits_the_printer(solids, name):
    turned = Rot(*model.PARTS[name][1]) * solids[name]
    size = turned.bounding_box().size

    assert turned.is_valid
    assert len(turned.solids()) == 1
    for side, most in zip((size.X, size.Y, size.Z), plan.PRINTER, strict=True):
        assert side <= most + 1e-6


@pytest.mark.parametrize("name", model.PARTS)
def test_a_part_is_printed_without_supports(solids, name):
    """What hangs freely as it lies is holes and small bridges: 4.5 cm2, and each 2.2 at most."""
    turned = Rot(*model.PARTS[name][1]) * solids[name]
    low = turned.bounding_box().min.Z
    hanging = [
        face.area
        for face in turned.faces()
        if -math.cos(math.radians(44)) > face.normal_at(face.center()).Z
        and low + 0.05 < face.bounding_box().max.Z
    ]

    assert sum(hanging) < 450
    assert max(hanging, default=0) < 220


def test_no_two_parts_are_in_one_place(placed):
    """But for what is glued or screwed face to face: lid, wedge, mirror and pane too."""
    for one, other in combinations(placed, 2):
        common = placed[one] & placed[other]
        volume = sum(part.volume for part in common.solids()) if common else 0.0
        assert volume < 1.0, (one, other)


def test_the_mirror_lies_flat_on_its_cheeks(solids):
    """At both ends of both; before, the cheeks were a degree flatter, and the mirror sank in."""
    (x0, z0), (x1, z1) = plan.fold().ends
    for x, z in ((x0 + 1, z0 + 0.839), (0.0, -plan.fold().drop), (x1, z1)):
        under = z - 2 / math.cos(math.radians(40))
        for y in (-40.6, 40.6):
            assert touched({"box": solids["box"]}, [(x, y, under + 0.05)]) == set()
            assert touched({"box": solids["box"]}, [(x, y, under - 0.05)]) == {"box"}


def test_nothing_solid_stands_in_the_cameras_way(solids):
    folded, (a, b) = plan.fold(), plan.half_seen()
    inside = 0
    for x in (-a + 1, 0, a - 1):
        for y in (-b + 1, 0, b - 1):
            spot = (x, y, -plan.WINDOW_THICK - 0.2)
            hit = plan.mirror_meets(folded, (x, y, 0.0))
            for one, two in ((spot, hit), (hit, folded.lens)):
                for step in range(1, 10):
                    point = Vector(
                        *(p + (q - p) * step / 10 for p, q in zip(one, two, strict=True))
                    )
                    inside += any(
                        part.is_inside(point)
                        for whole in solids.values()
                        for part in whole.solids()
                    )
    assert inside == 0


def test_a_card_lies_on_the_deck_and_under_the_roof_without_touching(solids):
    along, across = plan.LIP.card_mm
    for x in (-10.0, 0.0, 10.0):
        card = Pos(x, 0, 0.02 + 0.2) * Box(along, across, plan.CARD_THICK[1])
        for name in ("deck", "sill", "rail", "roof", "gauge", "box"):
            common = solids[name] & card
            assert not common or sum(part.volume for part in common.solids()) < 1e-3, name


def test_the_beam_passes_every_part_on_its_way(solids):
    """From its light in the roof to its eye under the deck."""
    for step in range(41):
        point = Vector(
            *(p + (q - p) * step / 40 for p, q in zip(plan.EMITTER, plan.RECEIVER, strict=True))
        )
        for name in ("box", "deck", "rail", "roof", "eye"):
            assert not any(part.is_inside(point) for part in solids[name].solids()), (name, step)


def test_the_gauge_rests_on_the_sills_rails_and_leaves_the_slit(placed):
    """Before, its ears hung 0.45 mm over the rails: screwed down, it shut the slit."""
    x = 51.0
    floor = plan.floor_at(x)
    rails, slit = (floor + up / math.cos(math.radians(12)) for up in (0.55, 0.45))
    parts = {name: placed[name] for name in ("gauge", "sill")}

    assert touched(parts, [(x, 60.0, rails + 0.05)]) == {"gauge"}
    assert touched(parts, [(x, 60.0, rails - 0.05)]) == {"sill"}
    assert touched(parts, [(x, 0.0, slit + 0.05)]) == {"gauge"}
    assert touched(parts, [(x, 0.0, slit - 0.05)]) == set()


def test_the_bends_screws_have_room_for_their_heads_under_the_bed(placed):
    """Before, head and washer stood 3.5 mm above the surface to which the bed is glued."""
    top = 25.0 + (110.0 - 87.30) * math.tan(math.radians(10)) - 8.0
    y = plan.inner_half() - 5 + 3.5  # the washer's rim
    parts = {name: placed[name] for name in ("bend", "bed")}

    assert touched(parts, [(-110.0, y, top - down) for down in (0.5, 3.5, 4.8)]) == set()
    assert touched(parts, [(-110.0, y, top - 5.3)]) == {"bend"}


def test_the_cameras_wall_is_across_its_axis(placed):
    """The hole is round the axis that the mirror folds; before, the hole was 4 mm too low."""
    x, _, z = plan.fold().lens
    cos, sin = math.cos(math.radians(10)), math.sin(math.radians(10))
    for up, there in ((8.5, set()), (-8.5, set()), (9.5, {"box"}), (-9.5, {"box"})):
        spot = (x - 24 * cos + up * sin, 0.0, z + 24 * sin + up * cos)
        assert touched({"box": placed["box"]}, [spot]) == there


def test_the_pane_has_room_for_its_glue(placed):
    """0.2 mm below the pane, whose upper side is the deck's; before, glue lifted the pane."""
    seat = {name: placed[name] for name in ("deck", "window")}

    assert touched(seat, [(0.0, 50.5, -0.1)]) == {"window"}
    assert touched(seat, [(0.0, 50.5, -1.1)]) == set()
    assert touched(seat, [(0.0, 50.5, -1.3)]) == {"deck"}


def touched(solids, points):
    """The names of the parts in which one of the points lies."""
    boxes = {name: whole.bounding_box() for name, whole in solids.items()}
    return {
        name
        for name, whole in solids.items()
        for point in points
        if all(
            low <= at <= high
            for low, at, high in zip(
                tuple(boxes[name].min), point, tuple(boxes[name].max), strict=True
            )
        )
        if any(part.is_inside(Vector(*point)) for part in whole.solids())
    }


@pytest.mark.parametrize("thick", plan.CARD_THICK)
def test_a_swept_card_touches_nothing_but_its_guides(placed, thick):
    """From the front plate down the bend, over the window, out of the throat: bent as its way is.

    The card floats 0.03 mm over the floor, as far to one side as its guides let it.
    """
    there = {name: part for name, part in placed.items() if name not in ("wedge", "lid")}
    there["gauge"] = Pos(0, 0, thick - plan.CARD_THICK[0]) * there["gauge"]  # paper under its ears
    guide = plan.LIP.card_mm[1] / 2
    for at in range(-135, int(plan.mouth()), 5):
        turn = math.atan2(plan.floor_at(at + 0.05) - plan.floor_at(at - 0.05), 0.1)
        for lift in (0.03, 0.03 + thick):
            x, z = at - lift * math.sin(turn), plan.floor_at(at) + lift * math.cos(turn)
            across = (-guide + plan.PLAY - 0.01, -20.0, guide + plan.PLAY - 0.01)
            assert touched(there, [(x, y, z) for y in across]) == set(), (at, lift)


def test_the_plate_holds_the_first_card_and_rests_on_the_bed(solids):
    """1 mm before the pack's first card, with cheeks that meet the bed's sides; it hung free."""
    along = (-math.cos(math.radians(60)), math.sin(math.radians(60)))
    start = -plan.window_end() - 50 * math.sin(math.radians(60))

    def at(lift, y):
        x, z = start + 20 * along[0] + lift * along[1], 25.0 + 20 * along[1] - lift * along[0]
        return touched({"plate": solids["plate"], "bed": solids["bed"]}, [(x, y, z)])

    assert at(0.95, 30.0) == set()
    assert at(1.15, 30.0) == {"plate"}
    assert at(0.1, 45.5) == {"plate"}
    assert at(-0.1, 45.5) == {"bed"}


def test_the_lid_clears_the_cards(solids):
    """Its rim, and SW9 below it; before, the rim stood in the cards' upper edges."""
    start = -plan.window_end() - 50 * math.sin(math.radians(60))
    for foot in (15.0, 100.0):  # of a card, behind the bed's front; it leans back by 31.5 mm
        x, top = start - foot - 31.5, 25.0 + foot * math.tan(math.radians(10)) + 54.56
        for over, there in ((17.0, {"bed"}), (25.0, set())):
            assert touched({"bed": solids["bed"]}, [(x, 45.5, top + over)]) == there
    assert plan.LID_ROOM >= plan.RIM + 10 + 1


def test_the_lid_lies_on_the_bed_and_shuts_it(placed):
    """Front to rear wall; before, it was 60 mm too long, and the bed was open behind."""
    lid, bed = placed["lid"].bounding_box(), placed["bed"].bounding_box()

    assert abs(lid.min.X - bed.min.X) < 1
    assert abs(lid.max.X + 130.3) < 1  # the plate's upper edge
    for z in (65.0, 85.0, 105.0, 125.0):  # looks from behind
        assert touched(placed, [(bed.min.X + 1.2, 0.0, z)]) == {"bed"}


def test_the_switch_fits_between_cards_and_lid(placed):
    """It switches 5 mm below the edge of the bed's side: 1 mm before the lid's pad is down."""
    start = -plan.window_end() - 50 * math.sin(math.radians(60))
    x = placed["bed"].bounding_box().min.X + plan.SWITCH_AT
    cards = 25.0 + 54.56 + (start - 31.5 - x) * math.tan(math.radians(10))

    for down, there in ((5.5, {"lid"}), (6.5, set()), (23.0, set())):
        edge = 25.0 + 74.56 + (start - 43.05 - x) * math.tan(math.radians(plan.lid_mm()[1]))
        assert touched(placed, [(x, -40.0, edge - down)]) == there
        assert edge - down > cards


def test_the_wedge_leans_like_the_cards(placed):
    """Before, it stood 10 degrees steeper than they lean, and took 11 mm of their room."""
    wedge = {"wedge": placed["wedge"]}
    foot_x, foot_z = -200.0, placed["wedge"].bounding_box().min.Z
    for up in (5.0, 15.0, 30.0):
        x, z = foot_x - up * math.cos(math.radians(60)), foot_z + up * math.sin(math.radians(60))
        assert touched(wedge, [(x + 0.2, 20.0, z)]) == set()
        assert touched(wedge, [(x - 0.2, 20.0, z)]) == {"wedge"}


def test_the_cord_runs_free_below_the_cards(placed):
    """In its groove, down through its hole behind the box, and up to the wedge."""
    start = -plan.window_end() - 50 * math.sin(math.radians(60))
    cards = Pos(start, 0, 25) * Rot(0, 10, 0)
    for along in range(10, 190, 10):
        spot = tuple((cards * Pos(-along, 0, -2.0)).position)
        assert touched({"bed": placed["bed"]}, [spot]) == set()
    for deep in (-3.0, -6.0, -9.0):
        spot = tuple((cards * Pos(-34.5, 0, deep)).position)
        assert touched({name: placed[name] for name in ("bed", "bend", "box")}, [spot]) == set()
    assert plan.BED_THICK - plan.GROOVE[1] >= 2


def test_a_card_that_lies_deeper_touches_the_deck(solids):
    """What the test above would say of a window 0.1 mm too high."""
    assert "deck" in touched(solids, [(0.0, 53.0, -0.1)])


@pytest.mark.parametrize(("packs", "thick"), [(6, 0.4), (8, 0.3)])
def test_a_stack_fits_the_bed_with_its_wedge(packs, thick):
    """The cards lean at the plate's slope; pack and wedge end on the bed, between its sides."""
    bed = model.bed(packs, thick)
    start, high = -plan.window_end() - 50 * math.sin(math.radians(60)), 25.0
    rise, length = math.radians(10), 52 * packs * thick / math.sin(math.radians(50))
    assert length + plan.WEDGE + plan.WALL <= 220
    assert plan.WEDGE * math.cos(rise) > 63 / 2  # behind it the last card leans over
    for along in (0.5, length / 2, length + plan.WEDGE - 0.5):
        x, z = start - along * math.cos(rise), high + along * math.sin(rise)
        assert touched({"bed": bed}, [(x, y, z + 0.1) for y in (-44.4, 0.0, 44.4)]) == set()
        assert touched({"bed": bed}, [(x, y, z - 0.1) for y in (-44.4, 10.0, 44.4)]) == {"bed"}


def thin(whole, least=1.95):
    """Pairs of large flat faces that look away from each other with less than that between them."""
    flat = [face for face in whole.faces() if face.area >= 100 and face.is_planar]
    for at, one in enumerate(flat):
        middle, normal = one.center(), one.normal_at(one.center())
        for other in flat[at + 1 :]:
            away = (middle - other.center()).dot(normal)
            opposite = normal.dot(other.normal_at(other.center())) < -0.999
            if opposite and 0 < away < least and whole.is_inside(middle - normal * (away / 2)):
                yield round(away, 2), middle


@pytest.mark.parametrize("name", model.PARTS)
def test_walls_are_2_mm_thick(solids, name):
    """But for the rails, which are spacers of 1 mm between roof and deck."""
    (whole,) = solids[name].solids()

    found = {away for away, _ in thin(whole)}

    assert found == ({plan.ROOF} if name == "rail" else set())
