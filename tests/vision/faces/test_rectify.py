import numpy as np
import pytest

from tests.vision.faces.drawn import At, corners
from vision.faces import rectify, window


def _marked(standing):
    """A white picture, a dark patch at each of the card's corners: 30, 60, 90, 120 clockwise."""
    picture = np.full((900, 900, 3), 255, np.uint8)
    for n, (point, other) in enumerate(zip(standing, np.roll(standing, 2, 0), strict=True)):
        x, y = (point + 0.1 * (other - point)).astype(int)
        picture[y - 25 : y + 25, x - 25 : x + 25] = 30 * (n + 1)
    return picture


@pytest.mark.parametrize("turned", [0, 37, 90, 180, 251])
def test_each_crop_holds_its_own_corner_at_its_outer_end(turned):
    """The lower ones are turned round, so that their corner is at the top too."""
    standing = corners(At("As", 450, 450, 300, turned))

    crops = list(rectify.crops(_marked(standing), standing))

    seen = [crop[15:38, 15:38].mean() for crop in (crops[0], crops[2])]
    seen += [crop[15:38, -38:-15].mean() for crop in (crops[1], crops[3])]
    assert seen == pytest.approx([30, 90, 60, 120], abs=14)


def test_a_crop_that_leaves_the_picture_is_none():
    """Half the card is outside: two corners are left to read."""
    standing = corners(At("As", 450, 900, 300))

    crops = list(rectify.crops(np.zeros((900, 900, 3), np.uint8), standing))

    assert [crop is None for crop in crops] == [False, False, True, True]


def test_the_whole_card_fills_its_crop_as_its_corners_lie():
    """Clockwise from the first; none of a card that is half outside."""
    standing = corners(At("As", 450, 450, 300, 37))

    crop = rectify.whole(_marked(standing), standing)

    seen = [crop[y, x].mean() for y, x in ((14, 10), (14, -10), (-14, -10), (-14, 10))]
    assert seen == pytest.approx([30, 60, 90, 120], abs=14)
    assert rectify.whole(np.zeros((400, 900, 3), np.uint8), standing) is None


@pytest.mark.parametrize("first", range(4))
def test_a_card_stands_on_its_short_side_wherever_the_corners_begin(first):
    """One way up is as good as the other, lying is not."""
    standing = corners(At("As", 450, 450, 300))

    found, lying = rectify.upright(np.roll(standing, first, 0))

    assert np.linalg.norm(found[1] - found[0]) < np.linalg.norm(found[2] - found[1])
    assert np.linalg.norm(lying[1] - lying[0]) > np.linalg.norm(lying[2] - lying[1])


def test_a_fine_picture_gives_the_same_crop_as_a_coarse_one():
    """The crop is made of averages, not of picked pixels."""
    rng = np.random.default_rng(3)
    fine = np.kron(rng.integers(0, 256, (45, 45, 3)), np.ones((40, 40, 1))).astype(np.uint8)
    noisy = np.clip(fine + rng.normal(0, 60, fine.shape), 0, 255).astype(np.uint8)
    standing = corners(At("As", 900, 900, 1050))

    crop = next(rectify.crops(noisy, standing))
    clean = next(rectify.crops(fine, standing))

    assert crop.shape == (window.HIGH, window.WIDE, 3)
    assert np.abs(crop.astype(float) - clean).mean() < 12
