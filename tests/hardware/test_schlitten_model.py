"""The solids of the printed Schlitten, where build123d is installed (the extra `cad`)."""

import math

import pytest

pytest.importorskip("build123d", reason="the extra `cad` is not installed")

from build123d import Box, Pos, Rot, Vector

from hardware.schlitten import model, plan


@pytest.fixture(scope="module")
def solids():
    return {name: make() for name, (make, _) in model.PARTS.items()}


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
    """What hangs freely as it lies is holes and small bridges: 4 cm2 of them at most."""
    turned = Rot(*model.PARTS[name][1]) * solids[name]
    low = turned.bounding_box().min.Z
    hanging = sum(
        face.area
        for face in turned.faces()
        if -math.cos(math.radians(44)) > face.normal_at(face.center()).Z
        and low + 0.05 < face.bounding_box().max.Z
    )

    assert hanging < 400


def test_no_two_parts_are_in_one_place(solids):
    """But for what is glued or screwed face to face."""
    names = [name for name in solids if name not in ("wedge", "lid")]  # drawn where they are made
    for at, one in enumerate(names):
        for other in names[at + 1 :]:
            common = solids[one] & solids[other]
            volume = sum(part.volume for part in common.solids()) if common else 0.0
            assert volume < 1.0, (one, other)


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
