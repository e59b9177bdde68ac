"""Nothing depends on a closed card: two worlds of every game that differ only in closed cards."""

import random
from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.contract import worlds
from tests.contract.games import PLAYED
from tests.contract.leaks import LEAKS

any_game = pytest.mark.parametrize("played", PLAYED, ids=lambda played: played.game.name)
#: Stories until a planted leak must have been found.
PATIENCE = 150


def pairs(played, seed, *, steps=120, windows=6):
    """How many inputs one story and windows of it compare."""
    luck = random.Random(seed)
    packs = luck.choice((1, 1, 6))
    told = worlds.story(played, seed, steps=steps, packs=packs)
    return sum(worlds.compared(told, luck) for _ in range(windows))


@any_game
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_two_worlds_look_alike(played, seed):
    """R-13, R-17, ER-22, ER-24, PR-3: told, refused, shown, offered, logged, timed: the same."""
    pairs(played, seed)


@any_game
def test_the_worlds_are_worth_comparing(played):
    """A game that lays cards closed is compared at many moments with other cards in it."""
    compared = accumulate(pairs(played, seed) for seed in range(6))

    assert any(so_far > 300 for so_far in compared) or played.game.name == "counting"


@pytest.mark.parametrize(("name", "game", "plant"), LEAKS, ids=[name for name, _, _ in LEAKS])
def test_a_planted_leak_is_found(monkeypatch, name, game, plant):
    """The suite would see it: each of these, and all by the same comparison."""
    (played,) = (one for one in PLAYED if one.game.name == game)
    plant(monkeypatch)

    with pytest.raises(AssertionError):
        sum(pairs(played, seed) for seed in range(PATIENCE))
