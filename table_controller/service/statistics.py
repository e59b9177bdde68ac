"""Compares the results of all evenings with those of fair cards, and says how unlikely they are.

Anybody who compares many results finds one that is far off. So each result is judged as if it were
the most extreme of all, as in docs/SHUFFLES.md. The module knows a game's expectations, but no
journal and no page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from table_controller.engine.messages import Phrase
from table_controller.engine.table.evening import Expected
from table_controller.rules.chances import unlikely

#: Hits and trials, by outcome.
Counted = dict[str, tuple[int, int]]
#: An outcome is pointed out if it is rarer than this, with all comparisons taken into account.
REMARKED: Final = 1 / 20


class Compared(Struct, frozen=True, kw_only=True):
    """How often an outcome occurred (`hits`), in how many trials, and how unlikely that is.

    Attributes:
        chance: the outcome's exact chance in each trial, as a fraction of 1.
        awaited: the number of times that the outcome was expected.
        rare: the chance that any of the compared outcomes is as far off as this one.
        alone: the chance that this outcome is as far off, if no other outcome were compared.
    """

    name: str
    label: Phrase
    hits: int
    trials: int
    chance: float
    awaited: float
    rare: float
    alone: float

    @property
    def share(self) -> float:
        """The share of the trials in which the outcome occurred, as a fraction of 1."""
        return self.hits / self.trials

    @property
    def remarked(self) -> bool:
        """Whether the outcome is so far off that pages point it out.

        The number of comparisons is taken into account.
        """
        return self.rare < REMARKED

    @property
    def once_in(self) -> int:
        """Among this many fair tables, one table shows an outcome that is at least as far off."""
        return round(1 / self.rare) if self.rare > 1e-9 else 1_000_000_000


def added(several: Iterable[Mapping[str, tuple[int, int]]]) -> Counted:
    """Add up the hits and trials of several coups or evenings."""
    hits, trials = Counter[str](), Counter[str]()
    for one in several:
        for name, (came, times) in one.items():
            hits[name] += came
            trials[name] += times
    return {name: (hits[name], times) for name, times in trials.items()}


def compared(saw: Counted, expected: Iterable[Expected]) -> tuple[Compared, ...]:
    """Compare the outcomes that occurred with those expected. The order is that of `expected`.

    Outcomes without a trial are left out.
    """
    watched = [one for one in expected if saw.get(one.name, (0, 0))[1]]
    return tuple(_compared(one, *saw[one.name], len(watched)) for one in watched)


def _compared(one: Expected, hits: int, trials: int, among: int) -> Compared:
    alone = unlikely(hits, trials, one.chance)
    return Compared(
        name=one.name,
        label=one.label,
        hits=hits,
        trials=trials,
        chance=float(one.chance),
        awaited=float(one.chance * trials),
        rare=min(1.0, alone * among),
        alone=alone,
    )
