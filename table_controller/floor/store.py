"""The floor's database: SQLite, or PostgreSQL by the same statements. It knows no broker.

`Store` is an open database. `Ledger` alone writes what the tables sent: each batch of news is one
transaction with its records and cursors. Only what has been committed is acknowledged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.dialects import postgresql, sqlite

from table_controller.adapters.mqtt_names import TableId
from table_controller.floor import database
from table_controller.floor import projections as p
from table_controller.floor.faults import FaultCode
from table_controller.floor.inbox import (
    CLONED,
    Audience,
    Cursor,
    Inbox,
    StoredRow,
    Taken,
    ToldRow,
)
from table_controller.floor.projections import ReadSoFar, project
from table_controller.floor.records import Addition, addition, columns, of_audience
from table_controller.floor.removed import Removed, begin_again, last_removed, reopen
from table_controller.floor.schema import PROJECTED, cursors, events, faults, of_one, tables

#: How many faults of a table are kept.
MOST_FAULTS: Final = 1000


class Page(Struct, frozen=True):
    """A page of `replay`, which is the table's answer to a request for rows."""

    audience: Audience
    rows: tuple[ToldRow, ...]


class End(Struct, frozen=True):
    """How many rows a table has in its stream. `head` is the public chain's end, or ""."""

    audience: Audience
    seq: int
    stream: str
    head: str = ""


class Doubt(Struct, frozen=True):
    """Says that a table's last message may be lost, so that its newest rows may be unknown."""

    audience: Audience


class TableFault(Struct, frozen=True):
    """A fault of a table, as a sentence. `code` is the fault's code."""

    why: str
    code: str = ""


News = ToldRow | Page | End | Doubt | TableFault


class Store:
    """An open database. Raises StoreError if the database cannot be opened."""

    def __init__(self, url: str) -> None:
        """Open the database at `url`.

        `url` is `sqlite:///` and a file's path, or `postgresql://user@host/name`.
        """
        self.engine = database.opened(url)
        self.postgresql = self.engine.dialect.name == "postgresql"
        self._insert = postgresql.insert if self.postgresql else sqlite.insert

    @property
    def where(self) -> str:
        """The database's address without a password."""
        return database.shown(self.engine.url)

    def refuse_damaged(self) -> None:
        """Look whether the database is whole. Raises StoreError if it is damaged."""
        database.refuse_damaged(self.engine)

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """Yield a connection to read from."""
        with self.engine.connect() as db:
            yield db

    def upsert(self, db: sa.Connection, table: sa.Table, rows: list[dict[str, Any]]) -> None:
        """Insert rows; those that are there take the new values. No two rows have the same key."""
        if rows:
            said, values = self._insert(table), rows
            if self.postgresql:
                said, values = _in_columns(table, rows)
            key = [column.name for column in table.primary_key]
            rest = {name: said.excluded[name] for name in rows[0] if name not in key}
            db.execute(said.on_conflict_do_update(index_elements=key, set_=rest), values)

    def table_id(self, db: sa.Connection, at: TableId) -> int:
        """The number of a table in the database.

        A table that is not yet known gets a new number.
        """
        where = (tables.c.site == at.site, tables.c.name == at.table)
        found = db.scalar(sa.select(tables.c.id).where(*where))
        if found is None:
            said = tables.insert().values(site=at.site, name=at.table).returning(tables.c.id)
            found = db.scalar(said)
        return int(found)


def _in_columns(table: sa.Table, rows: list[dict[str, Any]]) -> tuple[Any, Any]:
    """One statement for all rows, column by column, and its values: PostgreSQL's quickest way."""
    columns = [table.c[name] for name in rows[0]]
    given = [sa.bindparam(f"all_{one.name}", type_=postgresql.ARRAY(one.type)) for one in columns]
    listed = sa.func.unnest(*given).table_valued(*(sa.column(c.name, c.type) for c in columns))
    listed = listed.render_derived()
    said = postgresql.insert(table).from_select([c.name for c in columns], sa.select(listed))
    return said, {f"all_{c.name}": [row[c.name] for row in rows] for c in columns}


def anything(store: Store) -> bool:
    """Whether any floor has stored anything in this database."""
    with store.read() as db:
        return db.scalar(sa.select(tables.c.id).limit(1)) is not None


class _Box:
    """One table's inbox for one audience, and how far its rows have been read.

    `kept` is the number of its last row that is committed: the inbox is ahead of it for a moment.
    """

    def __init__(self, inbox: Inbox, progress: ReadSoFar) -> None:
        self.inbox, self.progress, self.kept = inbox, progress, inbox.cursor.seq


class Ledger:
    """Stores what the tables send. Only the leader's ledger may write.

    `begin` begins a transaction, and `clock_ms` returns the time in ms since 1970.
    """

    def __init__(
        self,
        store: Store,
        clock_ms: Callable[[], int],
        begin: Callable[[], AbstractContextManager[sa.Connection]] | None = None,
    ) -> None:
        self._store, self._clock, self._begin = store, clock_ms, begin or store.engine.begin
        self._ids: dict[TableId, int] = {}
        self._boxes: dict[tuple[TableId, Audience], _Box] = {}
        self._ends: dict[tuple[TableId, Audience], End] = {}
        self._told = defaultdict[TableId, set[str]](set)
        self.found: list[tuple[TableId, str]] = []
        """The faults of the rows that were stored last, by table, for the pages."""

    def take(
        self, news: Iterable[tuple[TableId, News]]
    ) -> dict[tuple[TableId, Audience], tuple[int, int] | None]:
        """Commit all the news.

        Return for each table and audience the first and last missing number. The value is None if
        nothing is missing. Raises sqlalchemy.exc.SQLAlchemyError. In that case nothing has been
        stored, and the same news may be taken again.
        """
        try:
            with self._begin() as db:
                self._db = db  # boxes that are made again look there for earlier rows
                touched = self._hear(db, news)
                self._write(db, touched)
        except Exception:
            self._boxes.clear()  # they know rows that are in no database
            self._ids.clear()
            raise
        for box in touched.values():
            box.inbox.stored()
            box.kept = box.inbox.cursor.seq
        return {key: box.inbox.wanted() for key, box in touched.items()}

    def behind(self) -> dict[tuple[TableId, Audience], int]:
        """Return how many rows each table and audience still lacks.

        The number follows from the last number that the table sent.
        """
        found = {}
        for key, end in list(self._ends.items()):
            box = self._boxes.get(key)
            had = box.kept if box else 0
            if had < end.seq:
                found[key] = end.seq - had
        return found

    def heard(self) -> frozenset[TableId]:
        """The tables that have sent the number of their last row for both audiences."""
        ends = set(self._ends)
        return frozenset(at for at, who in ends if {(at, "public"), (at, "croupier")} <= ends)

    def _hear(
        self, db: sa.Connection, news: Iterable[tuple[TableId, News]]
    ) -> dict[tuple[TableId, Audience], _Box]:
        touched: dict[tuple[TableId, Audience], _Box] = {}
        for at, one in news:
            if isinstance(one, TableFault):
                self._fault(db, at, one)
                continue
            key = at, one.audience
            box = touched[key] = self._box(db, *key)
            match one:
                case ToldRow():
                    box.inbox.hear(one)
                case Page(rows=rows):
                    box.inbox.replayed(rows)
                case Doubt():
                    box.inbox.doubt()
                case End():
                    self._ends[key] = one
                    _note(box.inbox, one)
        return touched

    def _box(self, db: sa.Connection, at: TableId, audience: Audience) -> _Box:
        key = at, audience
        if key not in self._boxes:
            id_ = self._id(db, at)
            said = sa.select(cursors).where(*of_one(cursors, id_, audience))
            row = db.execute(said).mappings().one_or_none()
            cursor, progress = Cursor(), ReadSoFar()
            if row:
                past = frozenset(row["past"].split()) if row["past"] else frozenset[str]()
                cursor = Cursor(row["seq"], row["id"], row["head"], past)
                progress = msgspec.json.decode(row["progress"], type=ReadSoFar)
            inbox = Inbox(
                cursor, lambda seq: self._at(id_, audience, seq),
                lambda: last_removed(self._db, id_, audience).seq,
            )  # fmt: skip
            if key in self._ends:
                _note(inbox, self._ends[key])
            self._boxes[key] = _Box(inbox, progress)
        return self._boxes[key]

    def _at(self, id_: int, audience: Audience, seq: int) -> StoredRow | None:
        mine = (*of_one(events, id_, audience), events.c.seq == seq, ~events.c.void)
        said = sa.select(events.c.id, events.c.link).where(*mine)
        if found := self._db.execute(said).one_or_none():
            return StoredRow(*found)
        last = last_removed(self._db, id_, audience)
        return StoredRow(last.id, last.link) if last.seq == seq else None

    def _id(self, db: sa.Connection, at: TableId) -> int:
        if at not in self._ids:
            self._ids[at] = self._store.table_id(db, at)
        return self._ids[at]

    def _fault(self, db: sa.Connection, at: TableId, fault: TableFault) -> None:
        """Store a fault of a table. The same fault is stored once in a run of the program.

        A table that lies makes any number of faults: the newest are kept.
        """
        told, id_ = self._told[at], self._id(db, at)
        if fault.why not in told:
            if len(told) >= MOST_FAULTS:
                told.clear()
            told.add(fault.why)
            values = {"table_id": id_, "t_ms": self._clock(), "why": fault.why}
            db.execute(faults.insert().values(**values, code=fault.code))
            mine = sa.select(faults.c.id).where(faults.c.table_id == id_)
            oldest = mine.order_by(faults.c.id.desc()).limit(1).offset(MOST_FAULTS)
            gone = faults.c.table_id == id_, faults.c.id <= oldest.scalar_subquery()
            db.execute(faults.delete().where(*gone))

    def _write(self, db: sa.Connection, touched: dict[tuple[TableId, Audience], _Box]) -> None:
        rows, places, records = [], [], defaultdict[type, list[dict[str, Any]]](list)
        later: list[tuple[int, Addition]] = []
        for (at, audience), box in touched.items():
            taken, id_ = box.inbox.take(), self._id(db, at)
            for why in taken.faults:
                code = FaultCode.CLONED if why.endswith(CLONED) else FaultCode.CHAIN
                self._fault(db, at, TableFault(why, code))
                self.found.append((at, why))
            if taken.void_after is not None:
                self._void(db, id_, audience, taken.void_after, box)
            if not taken.rows and taken.void_after is None:
                continue
            rows += _stored(id_, taken)
            found = self._read(box, taken)
            for record in found:
                if isinstance(record, Addition):
                    later.append((id_, record))
                else:
                    records[type(record)].append(columns(id_, audience, record))
            places.append(_place(id_, audience, box))
        self._store.upsert(db, events, rows)
        for kind, found_rows in records.items():
            self._store.upsert(db, PROJECTED[kind], found_rows)
        for id_, record in later:
            db.execute(addition(id_, record))
        self._store.upsert(db, cursors, places)

    def _read(self, box: _Box, taken: Taken) -> list[p.Record]:
        box.progress, found = project(box.progress, [row for row, _ in taken.rows])
        return found

    def _void(self, db: sa.Connection, id_: int, audience: Audience, after: int, box: _Box) -> None:
        """Mark the rows after `after` as void, and make the records again from the other rows."""
        mine = of_one(events, id_, audience)
        place = cursors.update().where(*of_one(cursors, id_, audience))
        db.execute(place.values(void=cursors.c.void))  # nobody removes rows meanwhile
        gone = (events.c.seq > after, ~events.c.void)
        many = db.execute(events.update().where(*mine, *gone).values(void=True)).rowcount
        db.execute(place.values(void=cursors.c.void + many))
        base = last_removed(db, id_, audience)
        if 0 < after < base.seq:
            raise sa.exc.InvalidRequestError("these rows have just been removed")  # it comes again
        if after < base.seq:
            begin_again(db, id_, audience)
            base = Removed()
        reopen(db, id_, audience, base.left)
        for table, made in of_audience(id_, audience):
            db.execute(table.delete().where(made, table.c.seq > base.seq))
        said = sa.select(events).where(*mine, ~events.c.void).order_by(events.c.seq)
        kept = [told_row(row) for row in db.execute(said).mappings()]
        box.progress, found = project(base.left.read, kept)
        for record in found:
            if isinstance(record, Addition):
                db.execute(addition(id_, record))
            else:
                fields = [columns(id_, audience, record)]
                self._store.upsert(db, PROJECTED[type(record)], fields)


def _note(inbox: Inbox, end: End) -> None:
    if end.head:
        inbox.anchor(end.seq, end.head, end.stream)
    else:
        inbox.end(end.seq, end.stream)


def _stored(id_: int, taken: Taken) -> list[dict[str, Any]]:
    return [
        {
            "table_id": id_, "audience": row.audience, "stream": row.stream, "seq": row.seq,
            "id": row.id, "t_ms": row.t_ms, "kind": row.kind, "source": row.source,
            "body": row.body, "link": head, "void": False,
        }
        for row, head in taken.rows
    ]  # fmt: skip


def told_row(row: Any) -> ToldRow:
    """An event as the table sent it, from its row in the database."""
    names = ("audience", "seq", "t_ms", "id", "source", "kind", "body")
    return ToldRow(*(row[name] for name in names))


def _place(id_: int, audience: Audience, box: _Box) -> dict[str, Any]:
    cursor = box.inbox.cursor
    return {
        "table_id": id_, "audience": audience, "seq": cursor.seq, "id": cursor.id,
        "head": cursor.head, "past": " ".join(sorted(cursor.past)),
        "progress": msgspec.json.encode(box.progress).decode(),
    }  # fmt: skip


def known_streams(store: Store) -> dict[TableId, str]:
    """The stream of each table's last public event."""
    said = sa.select(tables.c.site, tables.c.name, cursors.c.id).join(
        tables, tables.c.id == cursors.c.table_id
    )
    with store.read() as db:
        rows = db.execute(said.where(cursors.c.audience == "public", cursors.c.id != "")).all()
    return {TableId(site, name): id_.partition("-")[0] for site, name, id_ in rows}
