"""When "last coup" is announced: as soon as it is certain, and never before (PB-38)."""

from __future__ import annotations

import pytest

from tests.engine.punto_banco.last_coups import played

HOUSES = {
    "fourteen": {},
    "sixteen": {"white_at": 16},
    "seven": {"white_at": 7},
    "no further coup": {"after_cut": "none"},
    "squeezed": {"dealing": "squeezed"},
    "squeezed, thirteen": {"dealing": "squeezed", "white_at": 13},
}


@pytest.mark.parametrize("settings", HOUSES.values(), ids=HOUSES)
def test_it_is_told_as_soon_as_it_is_certain_and_never_before(settings):
    """PB-38, PB-3: at every moment of a Schlitten's end, beside every future of its cards."""
    for seed in range(48):
        heard = 0
        for at, moment in enumerate(played(seed, left=18 + seed % 12, **settings)):
            heard = moment.told or heard
            assert heard == moment.certain, (seed, at)
        assert heard, seed
