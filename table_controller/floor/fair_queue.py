"""What waits for the database: messages, one of each table in turn, and notes without a message.

So no table waits behind another one that tells much. The messages of one table stay in their order.
Every place here has a limit, since the database may be away for hours.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from table_controller.adapters.mqtt_names import VERSION, TableId
from table_controller.floor.sessions import Receipts
from table_controller.floor.store import Doubt, TableFault

#: Messages of one table that may wait, and their bytes; the bytes of all tables together. The
#: tables are asked later for the events beyond.
MOST_OF_ONE: Final = 2000
MOST_BYTES_OF_ONE: Final = 8 << 20
MOST_BYTES: Final = 256 << 20
#: Messages of one table in one transaction. The other tables' next messages wait for its end.
MOST_TURNS: Final = 50


class TableMessage(Struct, frozen=True):
    """A table's message.

    `topic` is below the table's root. `receipts` acknowledges the message by its number `mid`; the
    number 0 needs no acknowledgement. `came_s` is the time at which it was taken from the socket,
    in seconds since 1970, or None if that is unsure; `read_s` is the same in monotonic seconds.
    """

    at: TableId
    topic: str
    payload: bytes
    mid: int
    receipts: Receipts
    came_s: float | None = None
    read_s: float = 0.0


def placed(
    topic: str,
    payload: bytes,
    mid: int,
    receipts: Receipts,
    *,
    came_s: float | None = None,
    read_s: float = 0.0,
) -> TableMessage | None:
    """Return the message as its table's. Return None if the topic belongs to no table."""
    levels = topic.split("/", 4)
    if len(levels) < 5 or levels[:2] != ["schlitten", VERSION]:
        return None
    try:
        at = TableId(levels[2], levels[3])
        return TableMessage(at, levels[4], payload, mid, receipts, came_s, read_s)
    except ValueError:
        return None


def by_connection(batch: Iterable[TableMessage]) -> dict[Receipts, list[int]]:
    """The numbers of these messages, by the connection that acknowledges them."""
    found = defaultdict[Receipts, list[int]](list)
    for heard in batch:
        found[heard.receipts].append(heard.mid)
    return found


class Turns:
    """The waiting messages, by table."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[TableId, deque[TableMessage]] = OrderedDict()
        self._bytes: dict[TableId, int] = {}
        self._count = self._all_bytes = 0

    def __len__(self) -> int:
        return self._count

    def oldest_s(self) -> float | None:
        """When the message was read that waits for longest; None if none waits."""
        return min((mine[0].read_s for mine in self._waiting.values()), default=None)

    def of(self, at: TableId) -> int:
        """How many messages of this table wait."""
        return len(self._waiting.get(at, ()))

    def full(self, at: TableId, size: int) -> bool:
        """Whether so much of this table waits that a message of `size` bytes has no room."""
        return self.of(at) >= MOST_OF_ONE or self._bytes.get(at, 0) + size > MOST_BYTES_OF_ONE

    def crowded(self, size: int) -> bool:
        """Whether so much of all tables waits that a message of `size` bytes has no room."""
        return self._all_bytes + size > MOST_BYTES

    def add(self, heard: TableMessage) -> None:
        """Add a message. If its table had none, the table's turn comes last."""
        self._waiting.setdefault(heard.at, deque()).append(heard)
        self._counted(heard, 1)

    def take(self, most: int) -> list[TableMessage]:
        """Remove and return at most so many messages, one of each table in turn.

        No table has more than `MOST_TURNS` turns.
        """
        found, turns = list[TableMessage](), Counter[TableId]()
        while self._waiting and len(found) < most:
            at, mine = self._waiting.popitem(last=False)
            if turns[at] == MOST_TURNS:  # and so have all others that still wait
                self._waiting[at] = mine
                self._waiting.move_to_end(at, last=False)
                break
            turns[at] += 1
            found.append(mine.popleft())
            self._counted(found[-1], -1)
            if mine:
                self._waiting[at] = mine
        return found

    def forget(self, receipts: Receipts) -> None:
        """Remove the messages that a lost connection delivered."""
        for at, mine in list(self._waiting.items()):
            left = deque(heard for heard in mine if heard.receipts is not receipts)
            for heard in mine:
                if heard.receipts is receipts:
                    self._counted(heard, -1)
            if left:
                self._waiting[at] = left
            else:
                del self._waiting[at]

    def _counted(self, heard: TableMessage, more: int) -> None:
        size = more * len(heard.payload)
        self._count += more
        self._all_bytes += size
        self._bytes[heard.at] = self._bytes.get(heard.at, 0) + size
        if not self._bytes[heard.at]:
            del self._bytes[heard.at]


class OwnNews:
    """The notes that are committed next, though no message says them.

    A table has at most one note of each kind, the latest. So the notes do not grow while the
    database is away.
    """

    def __init__(self) -> None:
        self._notes: dict[tuple[TableId, str], Doubt | TableFault] = {}

    def __len__(self) -> int:
        return len(self._notes)

    def add(self, at: TableId, note: Doubt | TableFault) -> None:
        """Add a note, in place of an earlier one of its kind."""
        kind = note.code if isinstance(note, TableFault) else note.audience
        self._notes[at, kind] = note

    def take(self) -> list[tuple[TableId, Doubt | TableFault]]:
        """Remove and return all notes."""
        notes, self._notes = self._notes, {}
        return [(at, note) for (at, _), note in notes.items()]
