"""The results of all evenings, next to those of fair cards, and how unlikely they are.

Whoever compares many things finds one that is far off. So each is judged as if it were the most
extreme of all, as in docs/SHUFFLES.md. The module knows a game's expectations, but no journal and
no page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from table_controller.engine.messages import Phrase
from table_controller.engine.table.view_evening import Expected
from table_controller.rules.chances import unlikely

#: Hits and trials, by outcome.
Counted = dict[str, tuple[int, int]]
#: An outcome is pointed out if it is rarer than this, with all comparisons taken into account.
REMARKED: Final = 1 / 20


class Compared(Struct, frozen=True, kw_only=True):
    """How often an outcome occurred, and how often it could have.

    Attributes:
        chance: its exact chance each time, as a fraction of 1; `awaited`: how often it was
            expected.
        rare: the chance that any of the outcomes compared is as far off as this outcome.
        alone: the same for this outcome, if no other were compared.
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
        """How often it occurred, as a fraction of 1."""
        return self.hits / self.trials

    @property
    def remarked(self) -> bool:
        """Whether chance seldom brings a result this far off, given the number of comparisons."""
        return self.rare < REMARKED

    @property
    def once_in(self) -> int:
        """Of this many fair tables, one shows an outcome that is at least as far off as this."""
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
    """The outcomes next to those expected, in the order of `expected`."""
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
