"""Letters of our own drawing, to learn from. Each is itself, whatever the pen."""

from itertools import combinations

import cv2
import numpy as np
import pytest

from tests.vision.decks import glyphs, strokes
from vision.faces.letters import GLYPHS
from workshop.training import strange

PENS = [strokes.by_lot(np.random.default_rng(seed)) for seed in range(40)]
#: What a class of the net means, and what is none; Á is A with its accent.
OURS = [letters for letters in GLYPHS if letters != "Á"]
NONE = sorted({*"CFGHLMNOPUWXYZ", "11", "14"})


def small(pen, letters):
    """The letters as wide and as high as all others."""
    return cv2.resize(pen.text(letters), (24, 36), interpolation=cv2.INTER_AREA) / 255.0


@pytest.mark.parametrize("pen", PENS, ids=lambda pen: pen.stem)
def test_no_letter_is_another(pen):
    """A square D must not become an O, nor an angular 2 a Z: it would be taught as both."""
    drawn = {letters: small(pen, letters) for letters in (*OURS, *NONE)}

    for one, other in combinations(drawn, 2):
        ink = max(drawn[one].sum(), drawn[other].sum())
        assert np.abs(drawn[one] - drawn[other]).sum() > 0.1 * ink, (one, other)


@pytest.mark.parametrize("pen", PENS[:10], ids=lambda pen: pen.stem)
def test_a_nine_is_a_six_turned_and_an_accent_stands_above(pen):
    six, nine = small(pen, "6"), small(pen, "9")
    assert np.abs(six[::-1, ::-1] - nine).mean() < 0.06
    assert pen.text("Á").shape[0] > 1.2 * pen.text("A").shape[0]


def test_what_a_pen_has_not_is_nothing():
    pen = PENS[0]
    assert not glyphs.draws(pen, "Ж")
    assert glyphs.draws(pen, "".join(OURS))
    assert glyphs.draws(pen, "".join(strange.ALIKE) + strange.GERMAN_RANKS)
    assert glyphs.text(pen, "Ж").shape == (1, 1)
    assert glyphs.text(pen, "10").max() == 255
