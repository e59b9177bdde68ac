from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.calibrate import CalibrationError, by_corners, measure
from vision.generator import film, plan
from vision.lip import SHIPPED

EMPTY = np.full((192, 640), 28, np.uint8)


def _card(shoe, lip=SHIPPED, **changes):
    """A labelled card resting in the gate."""
    slide = plan(shoe.cards[:1], 1, lip=lip)[0]
    calm = {"blur_px": 0.0, "light": 1.0, "slope": (0.0, 0.0), "tilt_deg": 0.0, "across_mm": 0.0}
    slide = replace(slide, way=((0.0, 31.5), (100.0, 31.5)), **(calm | changes))
    return list(film([slide], lip=lip))[3].picture


@pytest.mark.parametrize("scale", [6.5, 8.0, 8.6])
def test_scale_and_paper_are_measured(shoe, scale):
    """By the label, whose size is known; nothing to advise where all is well."""
    built = replace(SHIPPED, px_per_mm=scale)

    measured = measure(EMPTY, _card(shoe, built))

    assert measured.lip.px_per_mm == pytest.approx(scale, rel=0.02)
    assert 50 < measured.lip.paper_level < 90
    assert measured.advice == ()


def test_what_is_askew_or_off_or_too_small_is_advised(shoe):
    """In words, with the figure."""
    askew = measure(EMPTY, _card(shoe, tilt_deg=-6.0))
    low = measure(EMPTY, _card(shoe, across_mm=2.5))
    coarse = measure(EMPTY, _card(shoe, replace(SHIPPED, px_per_mm=5.0)))

    assert abs(askew.turned_deg) == pytest.approx(6, abs=1)
    assert "degrees askew: turn the camera" in askew.advice[0]
    assert "2.5 mm below the middle row" in low.advice[0]
    assert "5.0 px/mm is too coarse" in coarse.advice[0]


def test_a_deck_that_the_gate_cannot_see_is_told(shoe):
    """A black one but for its label; one that is black on one side; not one with light borders."""
    card = _card(shoe)
    black, half, framed = card.copy(), card.copy(), card.copy()
    black[:, :258], black[:, 382:] = 35, 35
    half[:, 382:] = 35
    framed[:, 90:258], framed[:, 382:550] = 35, 35

    assert [measure(EMPTY, one).advice for one in (card, framed)] == [(), ()]
    for shown, seen in ((black, "16 of 63 mm"), (half, "40 of 63 mm")):
        (advice,) = measure(EMPTY, shown).advice
        assert advice.startswith(f"the gate sees {seen} of this card, whose print is as dark")


@pytest.mark.parametrize(("level", "told"), [(12, True), (13, False)])
def test_a_lip_that_is_as_black_as_darkness_is_told(shoe, level, told):
    """Nobody could tell there when the lamp goes out."""
    advice = measure(np.full_like(EMPTY, level), _card(shoe)).advice

    assert [f"so dark ({level} levels)" in one for one in advice] == [True] * told


def test_pictures_that_tell_nothing_are_refused(shoe):
    """With what to do."""
    card = _card(shoe)
    for empty, shown, sentence in (
        (EMPTY, EMPTY, "0 labels are legible .* lay one labelled card"),
        (EMPTY[:, :300], card, "the pictures are 300 x 192 and 640 x 192"),
        (np.full_like(EMPTY, 170), card, "blacken the lip"),
    ):
        with pytest.raises(CalibrationError, match=sentence):
            measure(empty, shown)


def _lying(turned=0.0, **changes):
    """A blank sheet of a card on a dark ground, and its corners, clockwise."""
    picture = np.full((480, 640), changes.get("dark", 25), np.uint8)
    half = np.array([[-130, -182], [130, -182], [130, 182], [-130, 182]], float)
    angle = np.radians(turned)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    corners = half @ turn + [changes.get("x", 320), 240]
    cv2.fillConvexPoly(picture, np.round(corners).astype(np.int32), 190)
    return picture, [(float(x), float(y)) for x, y in corners]


@pytest.mark.parametrize("first", range(4))
def test_a_lip_is_measured_by_a_cards_corners_whichever_comes_first(first):
    """Scale, sizes along and across the motion, and from what grey it is paper."""
    picture, corners = _lying()

    measured = by_corners(picture, corners[first:] + corners[:first])

    assert measured.lip.px_per_mm == pytest.approx(364 / 88, abs=0.02)
    assert measured.lip.card_mm == pytest.approx((62.9, 88.0), abs=0.1)
    assert 60 < measured.lip.paper_level < 130
    assert (measured.turned_deg, measured.advice) == (0, ())


def test_corners_that_want_mending_are_advised():
    """Askew, not in the gate, cut off, and too small: each in words."""
    askew, away = by_corners(*_lying(turned=7)), by_corners(*_lying(x=140))
    cut, (picture, corners) = by_corners(*_lying(x=110)), _lying()
    small = by_corners(cv2.resize(picture, (320, 240)), [(x / 2, y / 2) for x, y in corners])

    assert "7 degrees askew" in askew.advice[0]
    assert away.advice == (
        "the card is not in the gate: lay it over the line in the picture's middle",
    )
    assert "cut by the picture's edge" in cut.advice[1]
    assert "too coarse for indices" in small.advice[0]


def test_corners_that_tell_nothing_are_refused():
    """With what to do."""
    picture, corners = _lying()
    bright, _ = _lying(dark=170)
    crossed = [corners[0], corners[2], corners[1], corners[3]]
    for shown, marks, sentence in (
        (picture, corners[:3], "mark them clockwise"),
        (picture, crossed, "mark them clockwise"),
        (bright, corners, "lay black paper around it"),
        (picture, [(0, 0), (639, 0), (639, 479), (0, 479)], "move the camera away"),
        (picture, _lying(turned=45)[1], "askew"),
    ):
        with pytest.raises(CalibrationError, match=sentence):
            by_corners(shown, marks)
