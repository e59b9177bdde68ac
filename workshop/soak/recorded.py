"""Recorded evenings, played again: inputs, the board's bytes, the lip's pictures.

Each is recorded twice: once to its end, and once by a process that is killed meanwhile.
"""

from __future__ import annotations

from tests import killer
from tests.whole.recorded import recorded

SEEDS = 10
#: The shortest and the longest time after which the recorder is killed.
KILLED_S = (1.5, 6.0)


def run(share: float) -> list[tuple[str, str]]:
    """Record ten seeds of each kind. Return the findings."""
    seeds = max(1, round(SEEDS * share))
    rows = []
    for name, killed in (("recorded to the end", False), ("recorder killed with -9", True)):
        played = [
            tape
            for seed in range(seeds)
            for tape in recorded(seed, life=_instant(seed) if killed else None)
        ]
        bad = [f"{one.name}: {why}" for one in played for why in one.differences]
        sums = {
            what: sum(getattr(one, what) for one in played)
            for what in ("inputs", "events", "pictures", "passages", "frames")
        }
        lost = sum(sum(one.lost.values()) for one in played)
        found = (
            f"{sums['inputs']} inputs, {sums['events']} events, {sums['pictures']} pictures on "
            f"the board's line, {sums['passages']} verdicts from {sums['frames']} pictures of "
            f"the lip; {lost} did not fit; differences: {'; '.join(bad) or 'none'}"
        )
        rows.append((f"{seeds} evenings, {name}", found))
    return rows


def _instant(seed: int) -> killer.Life:
    least, most = KILLED_S
    return killer.Life(instant_s=least + (most - least) * (seed * 0.37 % 1))
