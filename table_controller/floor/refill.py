"""Decides when to ask which table for which rows. Pure: time is an argument, in seconds.

Missing rows often come by themselves after a while, so `Refill` waits first. It asks a table for
one page at a time, and asks again if the table does not answer. Since the table goes on playing,
`Refill` asks no faster than at a fixed pace.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from table_controller.adapters.mqtt_names import TableId
from table_controller.floor.inbox import Audience

#: How long to wait for a gap to close by itself, and how long an answer may take.
GAP_S: Final = 2.0
ANSWER_S: Final = 5.0
#: The time between two pages of one table: five pages in a second.
PAGE_S: Final = 0.2
#: How many pages may be asked for at the same time, of all tables together.
MOST_ASKED: Final = 32

Key = tuple[TableId, Audience]
Range = tuple[int, int]


class _Missing(Struct):
    """The rows that one audience lacks. `due` is the time when to ask for them."""

    range: Range
    due: float
    asked: bool = False


class Refill:
    """Keeps track of the missing rows, and says which to ask for now."""

    def __init__(self) -> None:
        self._missing: dict[Key, _Missing] = {}
        self._next: dict[TableId, float] = {}
        self.pages = 0
        """How many pages have been asked for."""

    def update(self, key: Key, wanted: Range | None, now: float) -> None:
        """Note which rows are missing now; None if none is."""
        if wanted is None:
            self._missing.pop(key, None)
            return
        known = self._missing.get(key)
        if known is None:
            self._missing[key] = _Missing(wanted, now + GAP_S)
        elif known.range != wanted:
            known.range = wanted

    def answered(self, key: Key, now: float) -> None:
        """Note that a page came. The next page is due immediately, but no faster than the pace."""
        if known := self._missing.get(key):
            known.asked, known.due = False, now

    def due(self, now: float, there: frozenset[TableId]) -> list[tuple[Key, Range]]:
        """Return the rows to ask for now, of the tables that are connected (`there`)."""
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
        """The number of pairs of table and audience that lack rows."""
        return len(self._missing)
