"""kill -9 at fifty instants of an evening. Nothing shows in journal, broker or page afterwards."""

from __future__ import annotations

import json

import pytest

from tests.limits import LONG_S
from tests.whole import killed, lives

#: Whole evenings, programs and films: minutes, on a machine that is busy.
pytestmark = pytest.mark.timeout(LONG_S)

#: At each of the four points, and at random instants besides.
EACH, AT_RANDOM = 10, 12
COUPS = 25


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """A seeded evening with mistakes in it."""
    path = tmp_path_factory.mktemp("recorded") / killed.RECORDING
    lives.record(path, seed=4, coups=COUPS)
    return path


@pytest.fixture(scope="module")
def undisturbed(recorded, tmp_path_factory):
    left, deaths = lives.play(
        recorded, tmp_path_factory.mktemp("calm"), each=0, at_random=0, seed=0
    )
    assert deaths == {}
    return left


def test_an_evening_killed_fifty_times_ends_as_an_undisturbed_one(recorded, undisturbed, tmp_path):
    """Journal, what a subscriber has who inserts or ignores by id, last snapshot, both pages."""
    left, deaths = lives.play(recorded, tmp_path, each=EACH, at_random=AT_RANDOM, seed=1)

    assert all(deaths[point] == EACH for point in killed.POINTS), deaths
    assert sum(deaths.values()) >= 50
    for part, got, wanted in zip(lives.Left._fields, left, undisturbed, strict=True):
        assert got == wanted, part


def test_the_undisturbed_evening_has_all_there_is_to_lose(undisturbed):
    """Refusals, sealed events, alerts; and no gap in what a subscriber heard."""
    for audience in ("public", "croupier"):
        seqs = [told["seq"] for told in undisturbed.heard if told["id"].startswith(audience)]
        assert seqs == list(range(1, len(seqs) + 1)) != []
    audiences = {row[3] for row in undisturbed.events}

    kinds = [json.loads(row[5])["type"] for row in undisturbed.events]

    assert audiences == {"public", "croupier", "sealed"}
    assert kinds.count("schlitten_counted") == 3
    assert {0, 1} == {row[2] for row in undisturbed.inputs}
    assert undisturbed.snapshot["seq"] == undisturbed.anchor
