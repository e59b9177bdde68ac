"""Counts how often honest and false shuffles cause a notice about a suspicious order."""

from __future__ import annotations

from collections import Counter

from table_controller.rules.punto_banco.irregularities import Kind, odds
from tests.rules.punto_banco.shuffled import BUSY, FALSE, IDLE, noticed, rates, told


def run(share: float) -> list[tuple[str, str]]:
    """Shuffle 10,000 Schlitten honestly.

    The table deals one Schlitten a year, so notices are frequent. Also make 100 Schlitten of each
    false kind.
    """
    of = max(200, round(10_000 * share))
    found = told(of, 2026, IDLE)
    compared = rates(found, of, IDLE)
    off = max(abs(each) for wanted, _, each in compared if wanted >= 10)
    if off > 4:
        raise AssertionError(f"notices come otherwise than they state: {compared}")
    by_kind = Counter(each.found.kind for each in found)
    wanted, came, _ = compared[0]
    rows = [
        (f"{of:,} honest Schlitten, at a year of one", f"{wanted:.1f} notices stated, {came} came"),
        ("… at each rarity told", f"{off:.1f} standard deviations off at most"),
        *((f"… {kind.value}", str(by_kind[kind])) for kind in Kind),
        (f"at a year of {BUSY.a_year:,}: a run of so many is told", _least()),
    ]
    each = max(10, round(100 * share))
    for seed, (name, make) in enumerate(FALSE.items()):
        heard = noticed(make, each, seed)
        if heard < 0.95 * each:
            raise AssertionError(f"{name}: only {heard} of {each} were noticed")
        rows.append((name, f"{heard} of {each} noticed"))
    return rows


def _least() -> str:
    """A sentence with the length from which each kind causes a notice at the busy table."""
    lengths = (
        (kind.value, next(n for n, rare in by_length.items() if rare < 1 / 20))
        for kind, by_length in odds(BUSY).items()
    )
    return ", ".join(f"{name} {length}" for name, length in lengths)
