"""Écarté in pairs of worlds that differ only in closed cards. All events must be the same."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor

from tests.engine.ecarte_deals import WORKERS
from tests.engine.ecarte_playing import HOUSES
from tests.engine.ecarte_worlds import pair

#: The whole run.
PAIRS = 100_000


def run(share: float) -> list[tuple[str, str]]:
    """Play a share of the deals, each in two worlds."""
    pairs = round(PAIRS * share)
    with ProcessPoolExecutor(WORKERS) as pool:
        compared = sum(pool.map(_compared, range(pairs), chunksize=100))
    return [("pairs of worlds", f"{pairs}, {compared} inputs compared, every output equal")]


def _compared(seed: int) -> int:
    return pair(HOUSES[seed % len(HOUSES)], seed)
