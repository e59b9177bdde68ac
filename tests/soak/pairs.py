"""Écarté in pairs of worlds that differ in closed cards: everything told is the same."""

from __future__ import annotations

from tests.engine.ecarte_playing import HOUSES
from tests.engine.ecarte_worlds import pair

#: The whole run.
PAIRS = 100_000


def run(share: float) -> list[tuple[str, str]]:
    """So many deals, each in two worlds."""
    pairs = round(PAIRS * share)
    compared = sum([pair(HOUSES[seed % 3], seed) for seed in range(pairs)])
    return [("pairs of worlds", f"{pairs}, {compared} inputs compared, every output equal")]
