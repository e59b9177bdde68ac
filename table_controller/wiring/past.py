"""A table's evenings for the pages, read from its journal while the service writes to the journal.

Each question is answered in a thread, one at a time, through a separate connection, so that no
answer delays the table.
"""

from __future__ import annotations

from contextlib import closing
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

from table_controller.rules.houses import House
from table_controller.service import statistics
from table_controller.service.archive import Archive
from table_controller.service.evenings import Evening, EveningRecord, Evenings, Timed, record
from table_controller.service.game import Game
from table_controller.service.incident import Incident, incident
from table_controller.service.playback import PastMoment, frames
from table_controller.service.sealing import Keys
from table_controller.wiring.plan import promising

#: The moments of this many coups are cached, as people go back and forth between a few.
_KEPT = 8


class JournalChronicle:
    """A journal's evenings. Every call may raise JournalError, and `moments` also OtherRules."""

    def __init__(self, journal: Path, keys: Keys, game: Game[Any], house: House) -> None:
        self._journal, self._keys = journal, keys
        self._game, self._house = game, house
        self._evenings, self._one_by_one = Evenings(), Lock()
        self._records: dict[int, EveningRecord] = {}  # of evenings that are over
        self._counted: dict[int, statistics.Counted] = {}
        self._frames: dict[tuple[int, int], tuple[PastMoment, ...]] = {}

    @property
    def title(self) -> str:
        """The title of the table's house, for the pages' headings."""
        return self._house.title

    def evenings(self) -> tuple[Evening, ...]:
        """Return all evenings, in order. The last one may still be under way."""
        with self._one_by_one, closing(Archive.read(self._journal)) as archive:
            return self._evenings.find(archive)

    def record(self, number: int) -> EveningRecord | None:
        """Return the record of an evening; None if no evening has that number."""
        with self._one_by_one, closing(Archive.read(self._journal)) as archive:
            found = self._evenings.find(archive)
            if not 0 < number <= len(found):
                return None
            return self._record(archive, found[number - 1], over=number < len(found))

    def _record(self, archive: Archive, evening: Evening, *, over: bool) -> EveningRecord:
        kept = self._records.get(evening.number)
        if kept is None:
            kept = record(archive, self._game, self._house, evening, over=over)
            if over:
                self._records = {evening.number: kept}  # the last one looked at
        return kept

    def moments(self, timed: Timed) -> tuple[PastMoment, ...]:
        """Return the moments of a coup, from the first input after the previous coup."""
        where = timed.first, timed.last
        with self._one_by_one, closing(Archive.read(self._journal, self._keys)) as archive:
            if where not in self._frames:
                begin = partial(self._game.begin, self._house, promising(self._keys, archive))
                made = frames(archive, self._game, begin, *where)
                if len(self._frames) >= _KEPT:
                    del self._frames[next(iter(self._frames))]
                self._frames[where] = made
            return self._frames[where]

    def incident(self, coups: int, until: int | None) -> Incident:
        """Return the incident of the last `coups` coups up to input `until`.

        Raises IncidentError.
        """
        with self._one_by_one, closing(Archive.read(self._journal, self._keys)) as archive:
            return incident(archive, self._game, self._house, coups=coups, until=until)

    def compared(self) -> tuple[statistics.Compared, ...]:
        """Return the results of all evenings, each compared with fair cards."""
        with self._one_by_one, closing(Archive.read(self._journal)) as archive:
            found = self._evenings.find(archive)
            for evening in found:
                if evening.number not in self._counted or evening is found[-1]:
                    made = self._record(archive, evening, over=False)
                    coups = (timed.coup.saw for timed in made.coups)
                    self._counted[evening.number] = statistics.added(coups)
            saw = statistics.added(self._counted.values())
        return statistics.compared(saw, self._game.expected(self._house))
