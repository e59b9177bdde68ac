"""What came over all evenings, beside what honest cards bring, and how unlikely that is.

As docs/SHUFFLES.md does it: who compares many things finds one that is far off, so each is as rare
as the rarest of so many. Knows a game's expectations; knows no journal and no page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from table_controller.engine.messages import Phrase
from table_controller.engine.table.view_evening import Expected
from table_controller.rules.chances import unlikely

#: Hits and trials, by what was looked for.
Counted = dict[str, tuple[int, int]]
#: What is rarer than this among so many comparisons is remarked.
REMARKED: Final = 1 / 20


class Compared(Struct, frozen=True, kw_only=True):
    """What came so often, of so many times that it could.

    Attributes:
        chance: each time, exact, as a fraction of 1; `awaited` is how often it was to come.
        rare: how likely it is that any of the things compared lies as far off as this one does.
    """

    name: str
    label: Phrase
    hits: int
    trials: int
    chance: float
    awaited: float
    rare: float

    @property
    def share(self) -> float:
        """How often it came, as a fraction of 1."""
        return self.hits / self.trials

    @property
    def remarked(self) -> bool:
        """Whether so far off is seldom by chance, all comparisons taken into account."""
        return self.rare < REMARKED

    @property
    def once_in(self) -> int:
        """One honest table in so many shows anything as far off as this, or further."""
        return round(1 / self.rare) if self.rare > 1e-9 else 1_000_000_000


def added(several: Iterable[Mapping[str, tuple[int, int]]]) -> Counted:
    """Add up what several coups, or evenings, saw."""
    hits, trials = Counter[str](), Counter[str]()
    for one in several:
        for name, (came, times) in one.items():
            hits[name] += came
            trials[name] += times
    return {name: (hits[name], times) for name, times in trials.items()}


def compared(saw: Counted, expected: Iterable[Expected]) -> tuple[Compared, ...]:
    """What came, beside what was to come, in the order of `expected`."""
    watched = [one for one in expected if saw.get(one.name, (0, 0))[1]]
    return tuple(_compared(one, *saw[one.name], len(watched)) for one in watched)


def _compared(one: Expected, hits: int, trials: int, among: int) -> Compared:
    return Compared(
        name=one.name,
        label=one.label,
        hits=hits,
        trials=trials,
        chance=float(one.chance),
        awaited=float(one.chance * trials),
        rare=min(1.0, unlikely(hits, trials, one.chance) * among),
    )
