from dataclasses import replace

import numpy as np
import pytest

from vision.calibrate import CalibrationError, measure
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
