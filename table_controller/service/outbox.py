"""The rows that must still be published, in order, until the broker has acknowledged them.

The module knows the journal's outbox, but no broker and no topic.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from table_controller.engine.messages import Audience
from table_controller.service.errors import JournalError
from table_controller.service.journal import Journal
from table_controller.service.rows import Row
from table_controller.service.table import Told

#: One request for a replay may fetch this many rows.
MOST_REPLAYED = 1000


class Outbox:
    """The rows of a journal that the broker does not have yet. The table calls it as a listener.

    Attributes:
        wakeup: set when there may be new rows. The publisher clears it.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._unmarked: set[int] = set()  # delivered, but not removed from the journal yet
        self.wakeup = asyncio.Event()
        self.wakeup.set()  # rows of the last run may be waiting

    def tell(self, told: Sequence[Told], _state: object, /) -> None:
        """Wake the publisher if there is something to publish."""
        if told:
            self.wakeup.set()

    def waiting(self) -> int | None:
        """Return the number of rows that the broker does not have; None if it cannot be read."""
        with suppress(OSError), _readable():
            return self._journal.count_unsent() - len(self._unmarked)
        return None

    def pending(self, limit: int, after: int = 0) -> list[Row]:
        """Return the first rows that the broker does not have, with ids above `after`, in order.

        Raises OSError if they cannot be read.
        """
        marking = frozenset(self._unmarked)  # a copy, as the pen removes the rows it has marked
        with _readable():
            rows = self._journal.unsent(limit + len(marking), after)
        return [row for row in rows if row.id not in marking][:limit]

    def delivered(self, row_id: int) -> None:
        """Note that the broker has this row.

        The row leaves the journal's outbox once the disk is free. The removal is not flushed: after
        a power cut the row is sent again.
        """
        self._unmarked.add(row_id)
        self._journal.sent(self._unmarked)

    def replay(self, audience: Audience, from_seq: int, to_seq: int) -> list[Row]:
        """Return the rows from `from_seq` to `to_seq`, both included: at most MOST_REPLAYED rows.

        Raises ValueError for sealed rows, which were never published. Raises OSError if the rows
        cannot be read.
        """
        with _readable():
            return self._journal.told(audience, from_seq, min(to_seq, from_seq + MOST_REPLAYED - 1))


@contextmanager
def _readable() -> Iterator[None]:
    """Turn a JournalError into an OSError, since publishers do not know the journal."""
    try:
        yield
    except JournalError as error:
        raise OSError(str(error)) from None
