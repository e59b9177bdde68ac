"""Puts one table's events for one audience in order, each once, and chains them. Pure.

A row is an event with its number. A table numbers its events from 1 for each audience. The table's
journal is the truth; the broker may lose, repeat and reorder rows. `Inbox` applies only rows
without a gap before them, and says which numbers to ask the table for (by `replay`). The table also
sends the end of its chain, with which `Inbox` compares its own. For staff rows the table sends no
chain, so the floor makes one.

If a table's journal was put back from a copy, the table continues in another stream from where the
copy ended. The rows that the older stream had beyond that row are void. Only the table knows where
its copy ended. So a row of another stream is applied only after a page of `replay` has shown that
it follows the row that we have.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Final, Literal

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from table_controller.service.rows import FIRST_LINK, link

Audience = Literal["public", "croupier"]
AUDIENCES: Final[tuple[Audience, ...]] = ("public", "croupier")

#: Rows on one page of `replay`.
PAGE_ROWS: Final = 100
#: How many rows may wait after a gap, and how many bytes. The table still has the others.
MOST_WAITING: Final = 2000
MOST_WAITING_BYTES: Final = 1 << 20
#: How many of the rows stored last are remembered, so that a redelivered row or an end that the
#: table tells needs no look into the database. A cluster redelivers after 5 s.
REMEMBERED: Final = 32
#: How long an event's id and type may be, in characters.
MOST_NAME: Final = 200
_EPOCH: Final = datetime.fromisoformat("1970-01-01T00:00:00Z")


#: The end of the sentence about a table that is there twice.
CLONED: Final = "do two tables run on one journal?"


class NotAnEvent(ValueError):
    """A message that is no event of a table.

    The text says what is wrong, but quotes nothing from the message.
    """


class Foreign(NotAnEvent):
    """A message that one table sent in another table's name."""

    def __init__(self) -> None:
        super().__init__("It names another table as its source.")


class ToldRow(Struct, frozen=True, gc=False):
    """An event as a table sent it.

    Attributes:
        kind: the event's name, such as `card_drawn`.
        body: the event's bytes, as the table sent them; the chain covers these bytes.
        after: the id of the row before this one on the same page of `replay`. "" means that no row
            comes before this one, and None that the row before is not known.
    """

    audience: Audience
    seq: int
    t_ms: int
    id: str
    source: str
    kind: str
    body: bytes
    after: str | None = None

    @property
    def stream(self) -> str:
        return _stream_of(self.id)

    def linked(self, previous: bytes) -> bytes:
        """The link of this row, from the link of the row before."""
        bound = f"{self.id} {self.source} schlitten.{self.kind}".encode()
        older = self.id.count("-") < 3  # from before journals recorded the program's starts
        return link(previous, self.seq, self.t_ms, self.body, b"" if older else bound)


class StoredRow(Struct, frozen=True, gc=False):
    """A row that the floor has applied: its id and its link."""

    id: str
    link: bytes


class Cursor(Struct, frozen=True):
    """The last row up to which the floor has everything. `past` are the streams that have ended."""

    seq: int = 0
    id: str = ""
    head: bytes = FIRST_LINK
    past: frozenset[str] = frozenset()


class Taken(Struct, frozen=True):
    """The result of `Inbox.take`: what must be stored now.

    Attributes:
        void_after: stored rows beyond this number are void; None means that no row is.
        rows: the rows to store, in order, each with its link.
        faults: sentences about what cannot be trusted.
    """

    void_after: int | None
    rows: tuple[tuple[ToldRow, bytes], ...]
    faults: tuple[str, ...]


class _Envelope(Struct, frozen=True):
    specversion: Literal["1.0"]
    id: str
    source: str
    type: str
    time: str
    seq: int
    data: Raw


_READ = msgspec.json.Decoder(_Envelope)


def told(payload: bytes, source: str | None) -> ToldRow:
    """Read an event. Raises NotAnEvent.

    `source` is the name of the table that must have sent the event; None allows any name.
    """
    try:
        return _told(_READ.decode(payload), source)
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        if isinstance(error, NotAnEvent):
            raise
        raise NotAnEvent("It is no event in a CloudEvents 1.0 envelope.") from None


def _told(said: _Envelope, source: str | None) -> ToldRow:
    start, _, number = said.id.rpartition("-")
    audience = start.rpartition("-")[2]
    if source is not None and said.source != source:
        raise Foreign
    if audience not in AUDIENCES or number != str(said.seq) or not 1 <= said.seq < 2**62:
        raise NotAnEvent("Its id does not name its audience and number.")
    if not said.type.startswith("schlitten.") or not _plain(said.id) or not _plain(said.type):
        raise NotAnEvent("Its type is none of a table's.")
    moment = datetime.fromisoformat(said.time) - _EPOCH
    return ToldRow(
        audience,
        said.seq,
        moment // timedelta(milliseconds=1),
        said.id,
        said.source,
        said.type.removeprefix("schlitten."),
        bytes(said.data),
    )


def _plain(name: str) -> bool:
    """Whether any database can store this name."""
    return len(name) <= MOST_NAME and name.isascii() and name.isprintable()


class Inbox:
    """One table's events for one audience.

    `at` returns the stored row of a number, or None. `removed` returns the number of the last row
    that was removed, 0 if none was: of that row `at` still knows, of those before it does not.
    """

    def __init__(
        self,
        cursor: Cursor,
        at: Callable[[int], StoredRow | None],
        removed: Callable[[], int] = lambda: 0,
    ) -> None:
        self.cursor = cursor
        self._stored, self._fresh, self._removed = at, dict[int, StoredRow](), removed
        self._waiting: dict[int, ToldRow] = {}
        self._bytes = 0
        self._anchors: dict[int, tuple[str, str]] = {}
        self._end, self._end_of = 0, ""
        self._doubted = False  # whether the table may have sent more than came
        self._joined = ""  # the stream of which the table has shown that it goes on behind our row
        self._back = 0  # the last row of the page that shows where a new stream begins
        self._void: int | None = None
        self._faults: list[str] = []

    def hear(self, row: ToldRow) -> None:
        """Take a row, either live or from `replay`."""
        if row.seq > self.cursor.seq:
            self._wait(row)
            return
        known = self._at(row.seq)
        if known is None or known.id == row.id:
            self._same(row, known)
        elif _stream_of(known.id) == row.stream:
            self._cloned(row)
        elif row.stream not in self.cursor.past:
            self._back = self._back or row.seq

    def doubt(self) -> None:
        """Ask the table once whether it has more rows: its last message may have been lost."""
        self._doubted = True

    def replayed(self, page: Sequence[ToldRow]) -> None:
        """Take a page of `replay`: rows as the table's journal has them now, in order."""
        self._doubted = False
        for before, row in pairwise((None, *page)):
            assert row is not None
            after = before.id if before and before.seq == row.seq - 1 else None
            self._compare(replace(row, after="" if row.seq == 1 else after))
        self._find_join(page)

    def _compare(self, row: ToldRow) -> None:
        known = self._at(row.seq) if row.seq <= self.cursor.seq else None
        if known and known.id == row.id:
            self._same(row, known)
        elif known and _stream_of(known.id) == row.stream:
            self._cloned(row)
        else:
            self._keep(row)

    def _cloned(self, row: ToldRow) -> None:
        self._faults.append(f"Row {row.seq} was told under two names: {CLONED}")

    def _find_join(self, page: Sequence[ToldRow]) -> None:
        """Find the row from which a new stream continues ours, and go back to that row.

        That row is the last one on the page that is the same in our stream and in the table's. If
        the page has no such row, an earlier page will be asked for. If the streams may have parted
        before the last removed row, the table tells everything again.
        """
        if not any(row.seq <= self.cursor.seq for row in page):
            return
        removed = self._removed()
        ours = {row.seq: row for row in page if removed <= row.seq <= self.cursor.seq}
        streams = {seq: _stream_of(known.id) for seq in ours if (known := self._at(seq))}
        alike = [seq for seq, row in ours.items() if row.stream == streams.get(seq)]
        if len(alike) < len(ours):
            first = min(ours)
            if alike or first <= max(1, removed):
                self._rewind(max(alike, default=0))
            else:
                self._back = first - 1
        elif self._back and self._back in ours:
            self._back = 0
            if self._end_of not in ("", self._stream):
                self._rewind(min(self._end, self.cursor.seq))
                self._joined = self._end_of
        elif self._back and not ours:
            self._rewind(0)

    def anchor(self, count: int, head: str, stream: str) -> None:
        """Compare our chain with an end of the public chain that the table sent.

        `head` is the link of the row with the number `count`. If we do not have that row yet, the
        comparison waits.
        """
        self.end(count, stream)
        if stream in self.cursor.past:
            return
        if count > self.cursor.seq:
            self._anchors = {**dict(list(self._anchors.items())[-7:]), count: (head, stream)}
        elif stream == self._stream and count:
            self._prove(count, head)

    def end(self, seq: int, stream: str) -> None:
        """Note the number and the stream of the table's last row.

        Rows of another stream that wait beyond it are not in the table's journal.
        """
        if stream in self.cursor.past:
            return
        for row in [row for row in self._waiting.values() if row.seq > seq]:
            if row.stream != stream:
                self._let_go(row.seq)
        self._end, self._end_of = seq, stream
        if self.cursor.seq and stream not in (self._stream, self._joined):
            if seq == 0:
                self._rewind(0)
            else:
                self._back = self._back or min(seq, self.cursor.seq)

    def take(self) -> Taken:
        """Apply the rows that have no gap before them. Return what must be stored."""
        rows = []
        while (row := self._waiting.get(self.cursor.seq + 1)) and self._follows(row):
            head = row.linked(self.cursor.head)
            past = self.cursor.past | ({self._stream} - {"", row.stream})
            self._joined = self._joined if row.stream == self._joined else ""
            self.cursor = Cursor(row.seq, row.id, head, past)
            self._fresh[row.seq] = StoredRow(row.id, head)
            rows.append((row, head))
            self._let_go(row.seq)
            proof, of = self._anchors.pop(row.seq, ("", ""))
            if of == row.stream:
                self._prove(row.seq, proof)
        if not self._blocked:
            for seq in [seq for seq in self._waiting if seq <= self.cursor.seq]:
                self._let_go(seq)
        void, self._void = self._void, None
        faults, self._faults = tuple(dict.fromkeys(self._faults)), []
        return Taken(void, tuple(rows), faults)

    def stored(self) -> None:
        """Forget the older rows: all that was taken is in the store now."""
        for seq in sorted(self._fresh)[:-REMEMBERED]:
            del self._fresh[seq]

    def wanted(self) -> tuple[int, int] | None:
        """The first and the last number to ask the table for; None if nothing is missing."""
        seq = self.cursor.seq
        if self._back:
            return max(1, self._back - PAGE_ROWS + 1), self._back
        if self._blocked:
            return max(1, seq - PAGE_ROWS + 2), seq + 1
        last = min(self._waiting, default=0) - 1 if self._waiting else self._end
        if last > seq:
            return seq + 1, min(last, seq + PAGE_ROWS)
        return (seq + 1, seq + PAGE_ROWS) if self._doubted else None

    @property
    def _stream(self) -> str:
        return _stream_of(self.cursor.id)

    @property
    def _blocked(self) -> bool:
        """Whether the next row has come, but in a stream that may not continue ours."""
        row = self._waiting.get(self.cursor.seq + 1)
        return row is not None and not self._follows(row)

    def _follows(self, row: ToldRow) -> bool:
        if row.stream == self._stream and self._stream not in self.cursor.past:
            return True
        return row.seq == 1 or row.after == self.cursor.id

    def _wait(self, row: ToldRow) -> None:
        if row.stream in self.cursor.past:
            return  # late, and void
        known = self._waiting.get(row.seq)
        if known and known.id == row.id and replace(known, after=row.after) != row:
            self._faults.append(_otherwise(row))
        elif known is None or known.after is None:
            self._keep(row)

    def _keep(self, row: ToldRow) -> None:
        """Let a row wait. If there is no room, the rows farthest from the gap give way."""
        if row.seq in self._waiting:
            self._let_go(row.seq)
        self._waiting[row.seq] = row
        self._bytes += len(row.body)
        while len(self._waiting) > 1 and (
            len(self._waiting) > MOST_WAITING or self._bytes > MOST_WAITING_BYTES
        ):
            self._let_go(max(self._waiting))

    def _let_go(self, seq: int) -> None:
        self._bytes -= len(self._waiting.pop(seq).body)

    def _at(self, seq: int) -> StoredRow | None:
        if seq == self.cursor.seq and seq:
            return StoredRow(self.cursor.id, self.cursor.head)
        return self._fresh.get(seq) or self._stored(seq)

    def _same(self, row: ToldRow, known: StoredRow | None) -> None:
        """Compare a row with `known`, our row of the same id.

        A different content is a fault.
        """
        before = StoredRow("", FIRST_LINK) if row.seq == 1 else self._at(row.seq - 1)
        if known and before and row.linked(before.link) != known.link:
            self._faults.append(_otherwise(row))

    def _prove(self, count: int, head: str) -> None:
        known = self._at(count)
        if known and known.link.hex() != head:
            self._faults.append(f"Up to row {count} the chain is not what the table says.")

    def _rewind(self, seq: int) -> None:
        """Continue after the row `seq`. Our rows beyond it are void."""
        known = StoredRow("", FIRST_LINK) if seq == 0 else self._at(seq)
        assert known is not None
        past, was = self.cursor.past | {self._stream}, self.cursor.seq
        self.cursor = Cursor(seq, known.id, known.link, past)
        self._fresh = {n: row for n, row in self._fresh.items() if n <= seq}
        self._back = 0
        if seq < was:
            self._void = seq if self._void is None else min(seq, self._void)


def _otherwise(row: ToldRow) -> str:
    return f"Row {row.seq} was told otherwise before."


def _stream_of(id_: str) -> str:
    return id_.partition("-")[0]
