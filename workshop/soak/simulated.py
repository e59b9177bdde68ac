"""Simulated evenings of every house in turn, with random faults. Each evening judges itself.

It does the same as `schlitten simulate --faults random`, with people of every temper and some small
Schlitten. So white cut cards come out and Schlitten are closed during faults.
"""

from __future__ import annotations

import os
from collections import Counter

from table_controller.commands.simulated.faults import FIELDS
from table_controller.commands.simulated.many import Judged, play_all
from tests.whole.evenings_by_chance import drawn

#: The evenings of the whole run.
EVENINGS = 1000


def run(share: float, seed: int = 0) -> list[tuple[str, str]]:
    """Play them, from this seed on, and count; a finding names its seed."""
    orders = list(drawn(max(1, round(share * EVENINGS)), seed))
    jobs = min(len(orders), max(1, os.cpu_count() or 1))
    return rows(list(play_all(orders, jobs=jobs, heard=lambda _done, _all: None)))


def rows(outcomes: list[Judged]) -> list[tuple[str, str]]:
    """The findings as rows of the report."""
    faults = Counter(name for one in outcomes for name in one.names)
    wrong = [one for one in outcomes if one.differences]
    return [
        ("simulated evenings, of every house in turn", f"{len(outcomes):,}"),
        ("… coups", f"{sum(one.coups for one in outcomes):,}"),
        ("… inputs", f"{sum(one.inputs for one in outcomes):,}"),
        ("… hours of their own time", f"{sum(one.minutes for one in outcomes) / 60:.1f}"),
        ("… faults played", f"{faults.total():,}"),
        *((f"… {name}", str(faults[name])) for name in FIELDS),
        ("… faults that an evening was too short for", str(sum(len(one.late) for one in outcomes))),
        ("… evenings with a difference that nothing explains", str(len(wrong))),
        *((f"… seed {one.seed}, {one.house}", one.differences[0]) for one in wrong),
    ]
