from dataclasses import replace

import cv2
import numpy as np
import pytest

from table_controller.rules.cards import Card
from tests.vision.faces.drawn import At, corners, picture
from vision import specimen
from vision.faces.passage import moved, sliding
from vision.gate import View
from vision.lip import Lip

LIP = Lip(px_per_mm=190 / 63, paper_level=90)
PLACE = [(float(x), float(y)) for x, y in corners(At("7h", 320, 240))]


def grey(*cards):
    return cv2.cvtColor(picture(*cards, size=(480, 640), ground=(20, 20, 20)), cv2.COLOR_BGR2GRAY)


@pytest.mark.parametrize("x", [260, 300, 340, 380])
def test_a_card_that_slides_is_read_where_its_edges_are(reader, monkeypatch, x):
    """Without seeking in the whole picture."""
    monkeypatch.setattr("vision.faces.passage.cards", lambda *_: pytest.fail("sought"))

    (reading,) = sliding(reader, LIP, PLACE)(grey(At("7h", x, 240)))

    assert reading.card == Card.C7h


def test_a_card_askew_is_sought_in_the_whole_picture(reader):
    """Also where nothing was calibrated."""
    askew = grey(At("Jc", 320, 240, turned=25))

    for eye in (sliding(reader, LIP, PLACE), sliding(reader, LIP)):
        assert [reading.card for reading in eye(askew)] == [Card.Jc]


def test_an_empty_lip_gives_no_reading(reader):
    assert list(sliding(reader, LIP, PLACE)(grey())) == []


def test_corners_move_with_the_end_that_is_in_sight():
    """The leading edge, else the trailing one; with neither there is no place."""
    place = np.array(PLACE, np.float32)
    lead, tail = place[:, 0].max(), place[:, 0].min()

    def by(view):
        found = moved(place, view)
        return None if found is None else float((found - place)[0, 0])

    assert by(View(True, 0, lead + 24, tail_cut=True)) == 24
    assert by(View(True, tail + 16, 640, lead_cut=True)) == 16
    assert by(View(True, 0, 640, tail_cut=True, lead_cut=True)) is None
    assert by(View(False, 320, 320)) is None


def test_the_card_a_machine_is_timed_by_lies_whole_and_straight_in_the_gate():
    """Clockwise from its upper left corner, as large as the cards of the lip, in its middle."""
    lip = replace(LIP, px_per_mm=4.0, card_mm=(63.0, 88.0))
    upper, right, lower, left = specimen.place(lip)

    assert (right[0] - upper[0], lower[1] - right[1]) == (63 * 4, 88 * 4)
    assert (left[0], left[1]) == (upper[0], lower[1])
    assert (upper[1], lower[0]) == (right[1], right[0])
    assert (upper[0] + lower[0], upper[1] + lower[1]) == (2 * lip.gate_px, lip.height_px)


@pytest.mark.parametrize(
    ("corners", "card_mm"),
    [
        (None, (63.0, 88.0)),
        ([(444.8, 64.8), (444.8, 416.2), (196.2, 416.2), (196.2, 64.8)], (62.3, 88.0)),
        ([(140, 110), (500, 110), (500, 370), (140, 370)], (88.0, 63.0)),
    ],
)
def test_a_machine_is_timed_by_a_card_that_is_read_where_it_lies(
    reader, monkeypatch, corners, card_mm
):
    """Not by blank paper, for which the whole picture is searched: 82 to 95 ms where 6 are due."""
    lip = replace(LIP, px_per_mm=4.0, card_mm=card_mm, whole=True)
    seen, place = specimen.in_lip(lip, corners), corners or specimen.place(lip)
    monkeypatch.setattr("vision.faces.passage.cards", lambda *_: pytest.fail("sought"))

    (reading,) = sliding(reader, lip, place)(seen)

    assert reading.card == Card.C2d
