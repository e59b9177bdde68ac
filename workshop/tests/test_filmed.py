"""A small sample of the second generator's films. `scripts/soak --only filmed` runs all of them."""

import inspect

import numpy as np
import pytest

from tests.vision import filmed as camera
from tests.vision.filmed import MEDIUM, MILD
from vision import generator
from workshop.soak import filmed


def test_the_second_generator_shares_no_line_with_the_first():
    """Nor a name: it knows the reader's frames, and nothing else of ours."""
    first, second = (
        {line for raw in inspect.getsource(one).splitlines() if len(line := raw.strip()) > 25}
        for one in (generator, camera)
    )
    ours = {line for line in second if line.startswith(("from vision", "from table_controller"))}

    assert not [line for line in first & second if not line.startswith("from ")]
    assert ours == {"from vision.frame import Frame"}


@pytest.mark.parametrize(("seed", "grade"), [(3, MILD), (0, MEDIUM)])
def test_cards_filmed_by_another_camera_are_read_right(seed, grade):
    """Three of a film, without artwork here blank but for their labels: none wrong, none lost."""
    entries, passing = filmed.film(seed, grade, 3)
    seen = filmed.read(camera.filmed(passing, grade, seed))

    assert [one.card for one in seen] == [entry.card for entry in entries]


def test_a_card_that_goes_dark_is_one_card():
    """By a strobe that misses one to four pictures."""
    found = filmed.dark(0) + filmed.dark(1)

    assert (found["dealt"], found["verdicts"], found["wrong"]) == (2, 2, 0)


@pytest.mark.parametrize(
    ("way", "high"), [("under", 192), ("behind", 192), ("under", 768), ("sideways", 768)]
)
def test_two_cards_at_once_are_not_read_as_one(way, high):
    """From six tenths of a millimetre on: ten pairs, 0 to 12 mm from edge to edge."""
    said = filmed.pairs(0, way, high)

    assert [word for apart, word in said if apart > 0.6 or way == "behind"].count("told") >= 9
    assert {word for apart, word in said if apart > 0.6} == {"told"}


def test_a_film_is_made_again_to_the_bit():
    """By its seed alone."""
    one, two = (
        next(iter(camera.filmed(filmed.film(1, MILD)[1][:1], MILD, 1))).picture for _ in range(2)
    )

    assert np.array_equal(one, two)
