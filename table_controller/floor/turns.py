"""Messages that wait for the database, one of each table in turn. Pure.

So no table waits behind another one that tells much. The messages of one table stay in their order.
"""

from __future__ import annotations

from collections import OrderedDict, deque

from msgspec import Struct

from table_controller.adapters.mqtt_names import VERSION, TableId


class TableMessage(Struct, frozen=True):
    """A table's message: its topic below the table's root; `mid` acknowledges it, 0: none need."""

    at: TableId
    topic: str
    payload: bytes
    mid: int


def placed(topic: str, payload: bytes, mid: int) -> TableMessage | None:
    """Whose message it is; None if it is no table's."""
    levels = topic.split("/", 4)
    if len(levels) < 5 or levels[:2] != ["schlitten", VERSION]:
        return None
    try:
        return TableMessage(TableId(levels[2], levels[3]), levels[4], payload, mid)
    except ValueError:
        return None


class Turns:
    """The waiting messages, by table."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[TableId, deque[TableMessage]] = OrderedDict()
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def of(self, at: TableId) -> int:
        """How many messages of this table wait."""
        return len(self._waiting.get(at, ()))

    def add(self, heard: TableMessage) -> None:
        """Let a message wait; a table that had none comes last."""
        self._waiting.setdefault(heard.at, deque()).append(heard)
        self._count += 1

    def take(self, most: int) -> list[TableMessage]:
        """Remove and return so many, one of each table in turn."""
        found: list[TableMessage] = []
        while self._waiting and len(found) < most:
            at, mine = self._waiting.popitem(last=False)
            found.append(mine.popleft())
            if mine:
                self._waiting[at] = mine
        self._count -= len(found)
        return found

    def clear(self) -> None:
        """Forget all of them."""
        self._waiting.clear()
        self._count = 0
