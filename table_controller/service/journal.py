"""The durable journal: one transaction for each input."""

from __future__ import annotations

import sqlite3
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, suppress
from functools import partial
from operator import attrgetter
from pathlib import Path
from secrets import token_hex
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import astuple

from table_controller.engine.messages import Audience, Booted, Event, Input
from table_controller.service import store
from table_controller.service.archive import Archive, Head
from table_controller.service.errors import JournalError
from table_controller.service.rows import (
    FORMAT,
    Anchor,
    Boot,
    EventRow,
    Header,
    InputRow,
    Outcome,
    Pressed,
    Row,
    event_mac,
    input_mac,
    link,
)
from table_controller.service.sealing import Keys, Sealer
from table_controller.service.writer_thread import Pen, ended

# ---- The rows of one commit: how they are encoded, sealed, numbered, chained and inserted


class Batch(NamedTuple):
    """Everything that one commit writes, in its stored form, and the journal's new end."""

    input: tuple[object, ...]
    events: list[tuple[object, ...]]
    save: bytes | None
    money: bytes | None
    boot: tuple[object, ...] | None
    press: tuple[int, str, bool] | None
    told: list[Row]
    head: Head


class Binder:
    """Makes the rows of one journal's commits."""

    def __init__(self, archive: Archive, keys: Keys) -> None:
        self._archive, self._key = archive, keys.chain.value
        self._sealer = Sealer(keys, archive.header.journal)
        self._encode = msgspec.json.Encoder().encode
        self._kinds: dict[type[Event], tuple[Audience, str, str]] = {}

    def bind(
        self,
        old: Head,
        t_ms: int,
        said: Input,
        events: Sequence[Event],
        outcome: Outcome,
        *,
        saved: bytes | None,
        money: dict[str, int] | None,
        pressed: Pressed | None = None,
    ) -> Batch:
        """Make the rows of one input, which follow the journal's present end `old`."""
        head = Head(b"", old.boot, old.seqs)
        head.n, head.id, head.link = old.n + 1, old.id + len(events), old.link
        plain: bytes | None = self._encode(said)
        sealed = None
        if said.SEALED:
            plain, sealed = None, self._sealer.seal(b"input", head.n, plain or b"")
        save = None if saved is None else self._sealer.seal(b"save", head.n, saved)
        moved = None if money is None else self._encode(money)
        asked = InputRow(head.n, t_ms, outcome, head.id, plain, sealed, save=save, money=moved)
        head.boot = self._archive.boot_of(asked) or old.boot
        head.mac = input_mac(self._key, old.mac, asked, head.boot)
        batch = Batch(
            input=(*astuple(asked)[:6], head.mac),
            events=[],
            save=save,
            money=moved,
            boot=(said.boot, t_ms, said.code, old.n) if isinstance(said, Booted) else None,
            press=(head.n, pressed.id, pressed.changed) if pressed else None,
            told=[],
            head=head,
        )
        for number, event in enumerate(events, old.id + 1):
            self._add(batch, number, t_ms, event)
        return batch

    def _add(self, batch: Batch, number: int, t_ms: int, event: Event) -> None:
        kind, head = type(event), batch.head
        if kind not in self._kinds:
            self._kinds[kind] = kind.audience, kind.audience.value, str(kind.__struct_config__.tag)
        audience, who, tag = self._kinds[kind]
        head.seqs[who] = seq = head.seqs[who] + 1
        plain: bytes | None = self._encode(event)
        sealed = end = None
        if audience is Audience.SEALED:
            plain, sealed = None, self._sealer.seal(b"event", number, plain or b"")
        elif audience is Audience.PUBLIC:
            envelope = head.boot.envelope(who, seq, tag)
            end = head.link = link(head.link, seq, t_ms, plain or b"", envelope)
        row = EventRow(number, head.n, t_ms, who, seq, tag, plain, sealed, end)
        if sealed is None:
            batch.told.append(head.boot.told(row))
        head.mac = event_mac(self._key, head.mac, row)
        batch.events.append((*astuple(row)[:-1], head.mac))


def put(db: sqlite3.Connection, batch: Batch) -> None:
    """Insert the rows into the tables. Rows that may be published go into the outbox too."""
    db.execute("INSERT INTO inputs VALUES (?, ?, ?, ?, ?, ?, ?)", batch.input)
    db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", batch.events)
    db.executemany("INSERT INTO outbox VALUES (?)", [(row.id,) for row in batch.told])
    if batch.save is not None:
        db.execute("INSERT INTO saves VALUES (?, ?)", (batch.head.n, batch.save))
    if batch.money is not None:
        db.execute("INSERT INTO money VALUES (?, ?)", (batch.head.n, batch.money))
    if batch.press is not None:
        db.execute("INSERT INTO presses VALUES (?, ?, ?)", batch.press)
    if batch.boot is not None:
        db.execute("INSERT INTO boots (id, t_ms, code, after) VALUES (?, ?, ?, ?)", batch.boot)


def drop(db: sqlite3.Connection, ids: Iterable[int]) -> None:
    """Remove the rows with these ids from the outbox."""
    db.executemany("DELETE FROM outbox WHERE id = ?", [(id_,) for id_ in ids])


# ---- The durable journal: one transaction for each input

#: The remedy after a fault because of which a journal cannot be opened.
STARTS = "start it again then"

#: This many presses are recognised when they are repeated, even after a restart.
MOST_PRESSES = 256
#: Once this many rows have been sent, they leave the outbox without waiting for a commit.
MARKED_AT_ONCE = 64


class Commit:
    """A commit that is being written."""

    def __init__(self, journal: Journal, batch: Batch, writing: Future[None]) -> None:
        self._journal, self._batch, self._writing = journal, batch, writing

    async def written(self) -> None:
        """Wait until the commit was written or has failed, without blocking the event loop."""
        await ended(self._writing)

    def settle(self) -> tuple[Row, ...]:
        """End the commit. Return those of its rows that may be published, so no sealed events.

        This waits for the disk. Raises JournalError if nothing was written; then the same commit
        can be tried again.
        """
        return self._journal._settle(self._batch, self._writing)


class Journal:
    """A table's journal, open for writing. One process writes it, in one thread (the pen).

    Readers use a separate connection, which never waits for a commit.

    Attributes:
        archive: the same journal, for reading.
        boot: 128 random bits that name this start of the service; `Booted` journals them.
    """

    def __init__(
        self,
        files: tuple[sqlite3.Connection, sqlite3.Connection],
        lock: store.Lock,
        archive: Archive,
        keys: Keys,
        *,
        pen: Pen,
    ) -> None:
        """Take the connections that `open` has opened: one for the pen, one for reading."""
        (self._db, self._reads), self._lock, self.archive = files, lock, archive
        self.boot = token_hex(16)
        self._pen, self._committing = pen, False
        self.path, self.header = archive.path, archive.header
        self._head, self._binder = archive.head(), Binder(archive, keys)
        self._boots = archive.boots()
        self._presses: OrderedDict[str, tuple[int, bool]] = OrderedDict()
        for press in reversed(self._db.execute(_LAST_PRESSES, (MOST_PRESSES,)).fetchall()):
            self._know(press)
        self._sent: set[int] = set()  # sent, and not yet removed from the outbox

    @classmethod
    def open(
        cls,
        path: Path,
        keys: Keys,
        *,
        game: str,
        house: str,
        code: str,
        durable: bool = True,
        pen: Pen | None = None,
    ) -> Journal:
        """Open the journal at `path`, or begin a journal there.

        With `durable=False` nothing is flushed: for replays and simulations, whose journal is
        thrown away. `pen` writes the journal. If `pen` is None, a durable journal gets a separate
        thread. Raises JournalError, JournalBusy, JournalDamaged, WrongKey.
        """
        with ExitStack() as undo, store.explained(path, STARTS):
            lock = store.Lock(path)
            undo.callback(lock.release)
            db = store.connect(path)
            undo.callback(db.close)
            if store.is_empty(db):
                _begin(db, _header(game, house, code, keys))
            store.check(db, path)
            if durable:
                store.refuse_damaged(db, path)
            reads = store.connect_read_only(path)
            undo.callback(reads.close)
            archive = Archive(reads, path, keys)
            _same(archive, game, house)
            db.execute(store.MONEY)
            db.execute(store.PRESSES)
            if not durable:
                db.execute("PRAGMA synchronous = OFF")
            journal = cls((db, reads), lock, archive, keys, pen=pen or Pen(aside=durable))
            undo.pop_all()
            return journal

    def close(self) -> None:
        """Close the journal and release its lock. Then another service can write the journal."""
        left, self._sent = self._sent, set()
        if left:
            self._pen.start(partial(self._mark, left))
        self._pen.close()
        self._reads.close()
        self._db.close()  # closed last, as this moves the write-ahead log into the file
        self._lock.release()

    def commit(
        self,
        t_ms: int,
        said: Input,
        events: Sequence[Event],
        *,
        outcome: Outcome = Outcome.TAKEN,
        saved: bytes | None = None,
        money: dict[str, int] | None = None,
        pressed: Pressed | None = None,
    ) -> Commit:
        """Begin to write an input and its events in one transaction, which `Commit.settle` ends.

        `saved` is the state in which a Schlitten was just closed (`Game.save`); recovery can start
        there. `money` is the money at each place, if the input moved money. `pressed` describes the
        press that sent the input, if there was one.
        """
        if self._committing:
            raise RuntimeError("one commit after the other: the last one is not settled")
        batch = self._binder.bind(
            self._head, t_ms, said, events, outcome, saved=saved, money=money, pressed=pressed
        )
        self._committing = True
        return Commit(self, batch, self._pen.start(partial(self._write, batch)))

    def _settle(self, batch: Batch, writing: Future[None]) -> tuple[Row, ...]:
        try:
            writing.result()
        finally:
            self._committing = False
        self._head = batch.head
        if batch.boot:
            self._boots.append(batch.head.boot)
        if batch.press:
            self._know(batch.press)
        return tuple(batch.told)

    def anchor(self) -> Anchor:
        """Return the length and the end of the public chain, for the snapshot."""
        return self._head.anchor()

    def told_to(self, audience: Audience) -> int:
        """Return the `seq` of the last event for this audience; 0 if there is none yet."""
        return self._head.seqs[audience]

    def behind(self, anchor: Anchor) -> bool:
        """Whether this journal lacks events that the table has published according to `anchor`.

        Then the journal is an older copy that somebody put in place by hand. Events published
        before `restore` restored a copy do not count. An anchor of another journal does not count
        either, as long as this journal has published nothing.
        """
        stream = anchor.stream or self.header.journal
        if stream not in {boot.stream for boot in self._boots}:
            return self._one(_ANY_TOLD) is not None
        if stream != self.stream or not anchor.count:
            return False
        found = self._one(_LINK_OF, anchor.count)
        return found is None or found[0].hex() != anchor.head

    def _one(self, query: str, *values: object) -> tuple[Any, ...] | None:
        with store.explained(self.path):
            found: tuple[Any, ...] | None = self._reads.execute(query, values).fetchone()
            return found

    @property
    def stream(self) -> str:
        """The name of the stream of the journal's events. A restored copy begins a new stream."""
        return self._head.boot.stream

    @property
    def source(self) -> str:
        """The table's name in its messages since the last start; "" in older journals."""
        return self._head.boot.source

    @property
    def last(self) -> int:
        """The number of the last input; 0 in an empty journal."""
        return self._head.n

    async def tidy(self) -> None:
        """Move the write-ahead log into the file, while the table is idle. Raises JournalError."""
        moving = self._pen.start(partial(store.checkpoint, self.path))
        await ended(moving)
        moving.result()

    def unsent(self, limit: int, after: int = 0) -> list[Row]:
        """Return the first rows of the outbox in order, at most `limit`, with ids above `after`."""
        query = _ROWS + "JOIN outbox USING (id) WHERE id > ? ORDER BY id LIMIT ?"
        return self._rows(query, after, limit)

    def count_unsent(self) -> int:
        """Return how many rows the outbox has."""
        with store.explained(self.path):
            (count,) = self._reads.execute("SELECT count(*) FROM outbox").fetchone()
        return int(count)

    def told(self, audience: Audience, first: int, last: int) -> list[Row]:
        """Return the rows of `audience` with `seq` from `first` to `last`, both included."""
        if audience is Audience.SEALED:
            raise ValueError("sealed events are told to nobody")
        query = _ROWS + "WHERE audience = ? AND seq BETWEEN ? AND ? ORDER BY seq"
        return self._rows(query, audience.value, first, last)

    def of_types(self, *types: str) -> list[Row]:
        """Return all rows of events of these types, in order."""
        named = ", ".join("?" * len(types))
        return self._rows(f"{_ROWS} WHERE type IN ({named}) ORDER BY id", *types)

    def sent(self, ids: set[int]) -> None:
        """Remove these rows from the outbox with the next commit, and then their ids from `ids`.

        If there are many, the rows are removed as soon as the disk is free. If the disk is full,
        their ids stay in `ids` for the next time. The removal is not flushed: after a power cut the
        rows are sent again.
        """
        self._sent = ids
        if len(ids) >= MARKED_AT_ONCE:
            self._pen.start(partial(self._mark, ids))

    def _mark(self, ids: set[int]) -> None:
        marked = tuple(ids)
        if not marked:
            return  # the previous call removed them too
        with suppress(JournalError), store.explained(self.path):
            store.bound_log(self.path)
            (level,) = self._db.execute("PRAGMA synchronous").fetchone()
            self._db.execute("PRAGMA synchronous = NORMAL" if level else "PRAGMA synchronous = OFF")
            try:
                drop(self._db, marked)
            finally:
                self._db.execute(f"PRAGMA synchronous = {level}")
            ids.difference_update(marked)

    async def heard_before(self, transaction: str) -> bool:
        """Note a request's transaction id permanently.

        Return whether the journal already had the id. Raises JournalError if the id cannot be
        noted, for example on a full disk. The request could not be carried out then either.
        """
        noting = self._pen.start(partial(self._note, transaction))
        await ended(noting)
        return noting.result()

    def _note(self, transaction: str) -> bool:
        with store.explained(self.path):
            store.bound_log(self.path)
            query = "INSERT OR IGNORE INTO transactions VALUES (?)"
            return self._db.execute(query, (transaction,)).rowcount == 0

    def answer(self, press: str) -> tuple[list[Row], bool] | None:
        """Return the events that a press caused, and whether the press changed anything.

        Return None if the press is not among the last 256. Raises JournalError if the events cannot
        be read.
        """
        if press not in self._presses:
            return None
        n, changed = self._presses[press]
        return self._rows(_ROWS + "WHERE n = ? AND audience != 'sealed' ORDER BY id", n), changed

    def _know(self, press: tuple[int, str, bool]) -> None:
        n, name, changed = press
        self._presses[name] = n, bool(changed)
        if len(self._presses) > MOST_PRESSES:
            self._presses.popitem(last=False)

    def _rows(self, query: str, *values: object) -> list[Row]:
        with store.explained(self.path):
            rows = [EventRow(*row) for row in self._reads.execute(query, values)]
        return [self._boot(row.n).told(row) for row in rows]

    def _boot(self, n: int) -> Boot:
        """Return the start of the service during which an input was journaled."""
        return self._boots[bisect_right(self._boots, n, key=attrgetter("after")) - 1]

    def _write(self, batch: Batch) -> None:
        with store.explained(self.path):
            store.bound_log(self.path)
            db = self._db
            try:
                db.execute("BEGIN IMMEDIATE")
                put(db, batch)
                sent = tuple(self._sent)
                drop(db, sent)
                db.execute("COMMIT")
                self._sent.difference_update(sent)
            except sqlite3.Error:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise


_ROWS = "SELECT id, n, t_ms, audience, seq, type, body, NULL, NULL FROM events "
_ANY_TOLD = (
    "SELECT 1 FROM events WHERE audience = 'public' AND id NOT IN (SELECT id FROM outbox) LIMIT 1"
)
_LAST_PRESSES = "SELECT n, id, changed FROM presses ORDER BY n DESC LIMIT ?"
_LINK_OF = "SELECT link FROM events WHERE audience = 'public' AND seq = ?"


def _header(game: str, house: str, code: str, keys: Keys) -> Header:
    return Header(
        format=FORMAT,
        journal=token_hex(8),
        game=game,
        house=house,
        code=code,
        key=keys.check,
    )


def _begin(db: sqlite3.Connection, header: Header) -> None:
    """Make the tables and write the header, in one transaction."""
    db.execute("BEGIN IMMEDIATE")
    for statement in store.TABLES.split(";"):
        db.execute(statement)
    db.execute("INSERT INTO meta VALUES ('header', ?)", (msgspec.json.encode(header),))
    db.execute(f"PRAGMA application_id = {store.APPLICATION}")
    db.execute("COMMIT")


def _same(archive: Archive, game: str, house: str) -> None:
    header = archive.header
    if (header.game, header.house) != (game, house):
        raise JournalError(
            f"The journal {archive.path} belongs to {header.game} at {header.house}; this table "
            f"plays {game} at {house}. Give it a journal of its own."
        )
