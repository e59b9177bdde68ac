import cv2
import numpy as np
import pytest

from tests.vision import filmed
from tests.vision.decks import clutter, deck, lens, scenes
from tests.vision.faces.drawn import At, box, corners, iou, picture
from vision.faces.find import find

LAID = [At("5h", 240, 250, 180, 12), At("Kc", 640, 300, 180, -35), At("9s", 1000, 600, 180, 80)]


def _found(quads, at):
    return any(iou(list(quad.box), box(at)) > 0.8 for quad in quads)


@pytest.mark.parametrize("ground", [(70, 110, 60), (20, 20, 20), (120, 60, 40), (150, 170, 190)])
def test_cards_are_found_on_any_plain_ground(ground):
    """Felt, black cloth, blue cloth, light wood; several cards, turned."""
    quads = find(picture(*LAID, ground=ground))

    assert [_found(quads, at) for at in LAID] == [True] * 3


def test_cards_that_touch_are_found_apart():
    """Side by side, as a croupier lays them."""
    row = [At(code, 300 + 202 * n, 480, 200) for n, code in enumerate(["2h", "7s", "Qd"])]

    quads = find(picture(*row))

    assert [_found(quads, at) for at in row] == [True] * 3


def test_corners_are_sharp_to_a_hundredth_of_the_card():
    """Round corners are drawn to where the sides cross."""
    at = At("Td", 640, 480, 300, 20)

    quad = min(find(picture(at)), key=lambda quad: -iou(list(quad.box), box(at)))

    near = min(np.abs(np.roll(quad.corners, n, 0) - corners(at)).max() for n in range(4))
    assert near < 0.012 * np.linalg.norm(corners(at)[0] - corners(at)[2])


@pytest.mark.parametrize("size", [(1, 1), (8, 400), (240, 320), (2000, 3000)])
def test_pictures_of_any_size_are_searched(size):
    """Nothing is found on a plain one."""
    assert find(np.full((*size, 3), 90, np.uint8)) == []


def _court():
    """The Paris pattern: its figure parts the paper into halves, its frame cuts off the margin."""
    face = np.full((deck.HEIGHT * deck.PX, deck.WIDTH * deck.PX, 3), 245, np.uint8)
    high, broad = face.shape[:2]
    for ink, share in (((150, 40, 30), 0.34), ((30, 30, 190), 0.22), ((20, 20, 20), 0.08)):
        half = int(broad * share)
        figure = [(broad - half, 6), (broad - 6, 6), (half, high - 6), (6, high - 6)]
        cv2.fillPoly(face, [np.array(figure, np.int32)], ink)
    cv2.rectangle(face, (6, 6), (broad - 7, high - 7), (10, 10, 10), 2)
    cv2.rectangle(face, (0, 0), (broad - 1, high - 1), (10, 10, 10), 2)
    return face


@pytest.mark.parametrize("ground", [(70, 110, 60), (20, 20, 20), (60, 150, 190)])
@pytest.mark.parametrize("wide", [110, 170, 240])
def test_a_court_that_reaches_from_frame_to_frame_is_one_card(ground, wide):
    """The two halves of its paper, and its margin, are joined."""
    rng = np.random.default_rng(wide)
    at = At("Kh", 320, 240, wide, 17)
    image = np.full((480, 640, 3), ground, np.uint8)
    scenes.paste(image, _court(), corners(at), rng)

    quads = find(cv2.GaussianBlur(image, (0, 0), 0.8))

    assert _found(quads, at)


def _photo(ground, face, seed):
    """A face on such a ground, its size, place and light by lot; and where it lies."""
    rng = np.random.default_rng(seed)
    image = ground(rng, (480, 640))
    at = At("Kh", 320, 240, rng.uniform(100, 220), rng.uniform(0, 90))
    scenes.paste(image, face, corners(at), rng)
    cv2.setRNGSeed(seed)  # for the noise, which would otherwise depend on earlier tests
    return lens.develop(rng, image, letter=20), at


@pytest.mark.parametrize("seed", [14, 37, 62, 77, 78])
def test_a_court_on_a_ground_as_light_as_its_paper_is_one_card(seed):
    """Random grounds and lights, in which no mask with a single level showed it.

    Anything lighter than its neighbourhood is paper there.
    """
    seen, at = _photo(clutter.ground, _court(), seed)

    assert _found(find(seen), at)


PARIS = filmed.ART / "gnome-bellot"


@pytest.mark.skipif(not PARIS.is_dir(), reason=f"no artwork in {PARIS}")
@pytest.mark.parametrize(
    ("seed", "card"), [(103, "QS"), (134, "JH"), (250, "KH"), (189, "KD"), (226, "KH")]
)
def test_a_printed_court_on_a_ground_of_many_colours_is_one_card(seed, card):
    """What touches it is lighter than the level, but darker than seven tenths of its paper."""
    size = (deck.WIDTH * deck.PX, deck.HEIGHT * deck.PX)
    face = cv2.resize(cv2.imread(str(PARIS / f"{card}.png")), size, interpolation=cv2.INTER_AREA)
    seen, at = _photo(clutter.patches, face, seed)

    assert _found(find(seen), at)
