import cv2

from table_controller.rules.cards import Card
from tests.vision.faces.drawn import At, corners, picture
from vision.faces.passage import faces
from vision.witness import Witness


def _grey(*cards):
    return cv2.cvtColor(picture(*cards, size=(480, 640), ground=(20, 20, 20)), cv2.COLOR_BGR2GRAY)


def test_a_face_in_a_grey_frame_is_a_reading_with_its_place(reader):
    """What the passage counts as one vote."""
    (reading,) = faces(reader)(_grey(At("7h", 250, 240, 190, 8)))

    assert (reading.witness, reading.card) == (Witness.FACE, Card.C7h)
    assert abs(reading.at_px - 250) < 4


def test_a_calibrated_place_is_read_without_a_search(reader):
    """Four corners, given once."""
    at = At("Jc", 320, 240, 210)

    (reading,) = faces(reader, [corners(at)])(_grey(at))

    assert reading.card == Card.Jc


def test_an_empty_lip_has_no_reading(reader):
    """Nor has a place in which nothing lies."""
    assert list(faces(reader)(_grey())) == []
    assert list(faces(reader, [corners(At("Jc", 320, 240, 210))])(_grey())) == []


def test_a_reading_never_shows_its_card(reader):
    """A closed card is in no log line: not by way of a repr either."""
    (reading,) = faces(reader)(_grey(At("7h", 250, 240, 190)))

    assert "7h" not in repr(reading)
