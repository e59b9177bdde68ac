import cv2
import numpy as np
import pytest

from table_controller.rules.cards import Card
from tests.vision.faces.drawn import At, corners, picture
from vision.faces.passage import faces, place
from vision.lip import Lip
from vision.passage import Witness

LIP = Lip(px_per_mm=4.0)


def _grey(*cards):
    return cv2.cvtColor(picture(*cards, size=(480, 640), ground=(20, 20, 20)), cv2.COLOR_BGR2GRAY)


def test_a_face_in_a_grey_frame_is_a_reading_with_its_place(reader):
    """What the passage counts as one vote."""
    (reading,) = faces(reader)(_grey(At("7h", 250, 240, 190, 8)))

    assert (reading.witness, reading.card) == (Witness.FACE, Card.C7h)
    assert abs(reading.at_px - 250) < 4


@pytest.mark.parametrize("turned", [-5, 0, 4, 180])
def test_a_card_in_the_calibrated_lip_is_read_where_it_lies(reader, turned):
    """And only that in the gate, whatever else is in sight."""
    at = At("Jc", 330, 240, LIP.card_px, turned)

    (reading,) = faces(reader, LIP)(_grey(at, At("9d", 60, 240, 60)))

    assert reading.card == Card.Jc
    assert abs(reading.at_px - 330) < 4


@pytest.mark.parametrize("turned", [-5, 0, 5, 90])
def test_the_place_of_a_card_is_sharp_to_a_hundredth_of_it(turned):
    """By its paper alone, in noise and with uneven light."""
    at = At("Kh", 310, 250, LIP.card_px, turned)
    light = np.linspace(0.85, 1.15, 640)
    seen = np.clip(_grey(at) * light + np.random.default_rng(1).normal(0, 6, (480, 640)), 0, 255)

    found = place(seen.astype(np.uint8), LIP)

    near = min(np.abs(np.roll(found, n, 0) - corners(at)).max() for n in range(4))
    assert near < 0.012 * np.linalg.norm(corners(at)[0] - corners(at)[2])


@pytest.mark.parametrize(
    "at",
    [
        At("Jc", 330, 240, 1.2 * LIP.card_px),
        At("Jc", 330, 440, LIP.card_px),
        At("Jc", 120, 240, LIP.card_px),
    ],
    ids=["too large", "cut by the frame", "not in the gate"],
)
def test_nothing_else_is_a_card_in_its_place(at):
    """Then the whole picture is searched."""
    assert place(_grey(at), LIP) is None


def test_an_empty_lip_has_no_reading(reader):
    """Nor a place in which nothing lies."""
    assert list(faces(reader)(_grey())) == []
    assert place(_grey(), LIP) is None


def test_a_reading_never_shows_its_card(reader):
    """A closed card is in no log line: not by way of a repr either."""
    (reading,) = faces(reader)(_grey(At("7h", 250, 240, 190)))

    assert "7h" not in repr(reading)
