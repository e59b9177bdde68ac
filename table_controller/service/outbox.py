"""What the world has not heard yet: rows in order, until the broker acknowledged them.

Knows the journal's outbox. Knows no broker and no topic.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from table_controller.engine.messages import Audience
from table_controller.service.journal import Journal
from table_controller.service.rows import Row
from table_controller.service.table import Told

#: How many rows one request for a replay may fetch.
MOST_REPLAYED = 1000


class Outbox:
    """The undelivered rows of a journal. A listener of the table: news wake the publisher."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._news = asyncio.Event()
        self._news.set()  # what the last run left may wait

    def tell(self, told: Sequence[Told], state: object, /) -> None:  # noqa: ARG002 - a listener
        """Wake the publisher if there is something to publish."""
        if told:
            self._news.set()

    async def wait(self) -> None:
        """Return once there may be news; call `pending` then until it has no more."""
        await self._news.wait()
        self._news.clear()

    def pending(self, limit: int, after: int = 0) -> list[Row]:
        """Return the first undelivered rows in order, with row ids over `after`."""
        return self._journal.unsent(limit, after)

    def delivered(self, *ids: int) -> None:
        """Note that the broker has these rows. Not flushed: a power cut sends them again."""
        self._journal.sent(ids)

    def replay(self, audience: Audience, first: int, last: int) -> list[Row]:
        """Return rows told before, seq `first` to `last`, at most MOST_REPLAYED of them.

        Raises ValueError for sealed ones, which nobody was told.
        """
        return self._journal.told(audience, first, min(last, first + MOST_REPLAYED - 1))
