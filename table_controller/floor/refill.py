"""When to ask which table for which numbers. Pure: time is an argument, in seconds.

A gap is often a redelivery that is still under way, so it waits first. A table is asked for one
page at a time, and again where it does not answer; it plays on meanwhile, so its pages have a pace.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from table_controller.adapters.mqtt_names import TableId
from table_controller.floor.inbox import Audience

#: How long a gap may close by itself, and how long an answer may take.
GAP_S: Final = 2.0
ANSWER_S: Final = 5.0
#: Between two pages of one table: five in a second.
PAGE_S: Final = 0.2
#: Pages that may be under way at once, from all tables together.
MOST_ASKED: Final = 32

Key = tuple[TableId, Audience]
Range = tuple[int, int]


class _Missing(Struct):
    """What is missing of one audience; `due` is when to ask."""

    range: Range
    due: float
    asked: bool = False


class Refill:
    """Knows what is missing, and says what to ask now."""

    def __init__(self) -> None:
        self._missing: dict[Key, _Missing] = {}
        self._next: dict[TableId, float] = {}
        self.pages = 0
        """How many pages have been asked for."""

    def update(self, key: Key, wanted: Range | None, now: float) -> None:
        """Note what is missing now; None: nothing."""
        if wanted is None:
            self._missing.pop(key, None)
            return
        known = self._missing.get(key)
        if known is None:
            self._missing[key] = _Missing(wanted, now + GAP_S)
        elif known.range != wanted:
            known.range = wanted

    def answered(self, key: Key, now: float) -> None:
        """A page came: the next one is due at once, at the table's pace."""
        if known := self._missing.get(key):
            known.asked, known.due = False, now

    def due(self, now: float, there: frozenset[TableId]) -> list[tuple[Key, Range]]:
        """Return what to ask now of the tables that are `there`."""
        asked = sum(one.asked and one.due > now for one in self._missing.values())
        found = []
        for key, one in self._missing.items():
            at = key[0]
            if asked >= MOST_ASKED:
                break
            if at in there and one.due <= now and self._next.get(at, 0.0) <= now:
                one.asked, one.due = True, now + ANSWER_S
                self._next[at] = now + PAGE_S
                found.append((key, one.range))
                asked += 1
        self.pages += len(found)
        return found

    @property
    def missing(self) -> int:
        """Of how many tables and audiences something is missing."""
        return len(self._missing)
