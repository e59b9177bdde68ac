"""A webcam over a window and an ordinary deck: whole cards slid past, read by their faces alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from table_controller.rules.cards import PACK
from tests.vision.webcam import Box, Webcam, film
from vision.calibrate import CalibrationError, by_corners, find_corners
from vision.camera import Settings
from vision.exposure import held
from vision.faces.passage import sliding
from vision.frame import Pixels
from vision.lip import SHIPPED
from vision.reader import Reader, Sight

#: All courts, whose middles are dark, and one of each other rank.
CARDS = [card for card in PACK if card.rank > 10] + list(PACK[:10])
TEN = CARDS[2::2]


def resting(box: Box) -> Callable[[int], Pixels]:
    """What the camera sees of the card that lies on the window, under an exposure."""

    def under(exposure_us: int) -> Pixels:
        camera = Webcam(box, Settings(exposure_us=exposure_us))
        return [camera.picture(0.0) for _ in range(1 if exposure_us else 30)][-1]

    return under


def read(reader, exposure_us: int, cards, box: Box):
    """The verdicts on these cards, half a second each, as calibrated under this exposure."""
    lying = resting(replace(box, cards=["7h"], rests=True))(exposure_us)
    marks = find_corners(lying)
    lip = replace(by_corners(lying, marks, SHIPPED).lip, whole=True)
    sight = Sight(manifest=None, lip=lip, witnesses=[sliding(reader, lip, marks)])
    slid = replace(box, cards=[card.value for card in cards])
    frames = film(slid, Settings(exposure_us=exposure_us))
    return [one.card for _, one in Reader(frames, sight).passages()]


def test_cards_slid_past_under_the_exposure_that_calibrate_holds_are_all_read(reader):
    under = resting(Box(["7h"], rests=True))
    exposure_us = held(under, find_corners(under(0)))

    assert 2000 <= exposure_us <= 4000
    assert read(reader, exposure_us, CARDS, Box()) == CARDS


def test_boxes_own_cardboard_round_the_window_hinders_nothing_under_a_held_exposure(reader):
    assert read(reader, 4000, TEN[:5], Box(rim=True)) == TEN[:5]


def test_under_an_automatic_exposure_before_a_black_roof_no_card_is_read(reader):
    """Nor is a wrong one: this is why an exposure is held."""
    assert {*read(reader, 0, TEN[:5], Box())} == {None}


@pytest.mark.parametrize(
    ("light", "more"),
    [(0.5, "2 times the light"), (0.1, "8 times the light"), (0.02, "more than 8 times")],
)
def test_too_little_light_is_refused_with_how_much_is_missing(light, more):
    bright, dim = resting(Box(["7h"], rests=True)), resting(Box(["7h"], rests=True, light=light))

    with pytest.raises(CalibrationError, match=f"in 4 ms, .* it needs {more}"):
        held(dim, find_corners(bright(4000)))


def test_with_much_light_the_exposure_is_the_shortest():
    under = resting(Box(["7h"], rests=True, light=3))

    assert held(under, find_corners(under(2000))) == 2000


@pytest.mark.parametrize("rim", [False, True], ids=["black rim", "cardboard rim"])
def test_the_corners_of_a_card_in_a_webcams_picture_are_found(rim):
    """Nearly, so that the card's index is where it is looked for; not those of the window."""
    under = resting(Box(["7h"], rests=True, rim=rim))
    found = np.array(sorted(find_corners(under(3000))))
    wide, high = found.max(axis=0) - found.min(axis=0)

    assert (wide / 4.09, high / 4.09) == (pytest.approx(63, abs=3), pytest.approx(88, abs=3))
    assert found.mean(axis=0) == pytest.approx([320, 240], abs=9)
