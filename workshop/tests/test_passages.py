"""The soak's comparison of times. It distinguishes worlds that differ, and no others."""

import random

import pytest

from workshop.soak import passages


def sample(luck, count, *, longer=0.0):
    """Times as a machine has them: most alike, some late."""
    return [luck.lognormvariate(0, 0.3) + longer for _ in range(count)]


def test_times_of_one_kind_are_not_told_apart():
    """Of a hundred comparisons about one is below a hundredth."""
    luck = random.Random(1)
    chances = [passages.chance(sample(luck, 300), sample(luck, 300)) for _ in range(100)]

    assert min(chances) > passages.SELDOM
    assert sum(one < 0.1 for one in chances) < 25


def test_a_tenth_of_a_passage_more_is_found():
    """5,000 passages of each world are enough for it."""
    luck = random.Random(2)

    assert passages.chance(sample(luck, 5000), sample(luck, 5000, longer=0.1)) < passages.SELDOM


def test_two_samples_apart_as_in_the_tables():
    """The distance of a half over ten each: 0.164 by the limit distribution."""
    one, other = [*map(float, range(10))], [*map(float, range(5, 15))]

    assert passages.chance(one, other) == pytest.approx(0.1641, abs=0.0001)


def test_a_few_passages_of_every_game():
    """Each game is timed at each card of its deal."""
    for deal in passages.deals():
        samples = passages.timed(deal, 40)

        assert len(samples) == len(deal.worlds[0])
        assert all(one or other for one, other in samples)
