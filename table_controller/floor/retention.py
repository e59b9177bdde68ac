"""Removes old events, into a Parquet file if asked to; the chains and the reports go on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from msgspec import Struct

from table_controller.adapters.mqtt_names import TableId
from table_controller.floor.projections import project
from table_controller.floor.removed import Removed, last_removed
from table_controller.floor.schema import cursors, events, of_one, removed, tables
from table_controller.floor.store import Store, told_row
from table_controller.service.output import Output, OutputError

# ---- Removes old events, while the chains go on and the records for reports stay

DAY_MS: Final = 24 * 3600 * 1000
#: How many rows are removed in one transaction, so that a running floor never waits long.
AT_ONCE: Final = 1000


class NotWhatCame(Exception):
    """A row that differs from what the table sent. It and the rows after it are not removed."""


class Old(Struct, frozen=True):
    """The events of one card table and audience, up to the number `last`, that may be removed."""

    table_id: int
    at: TableId
    audience: str
    last: int

    @property
    def those(self) -> sa.ColumnElement[bool]:
        """The condition for these rows, void or not."""
        return self.mine & (events.c.seq <= self.last)

    @property
    def mine(self) -> sa.ColumnElement[bool]:
        """The condition for all rows of this table and audience."""
        return sa.and_(*of_one(events, self.table_id, self.audience))


def old(store: Store, before_ms: int) -> list[Old]:
    """The events from before this time that may be removed, in ms since 1970 by the tables' clocks.

    Raises sqlalchemy.exc.SQLAlchemyError.
    """
    said = sa.select(cursors.c.table_id, cursors.c.audience, tables.c.site, tables.c.name)
    said = said.join(tables).order_by(tables.c.site, tables.c.name, cursors.c.audience)
    found = []
    with store.read() as db:
        for row in db.execute(said).all():
            last = _last(db, row.table_id, row.audience, before_ms)
            if last > last_removed(db, row.table_id, row.audience).seq:
                at = TableId(row.site, row.name)
                found.append(Old(row.table_id, at, row.audience, last))
    return found


def _last(db: sa.Connection, id_: int, audience: str, before_ms: int) -> int:
    """The number of the last row that may be removed; 0 if none may."""
    mine = (*of_one(events, id_, audience), ~events.c.void)
    young = sa.select(events.c.seq).where(*mine, events.c.t_ms >= before_ms)
    first = db.scalar(young.order_by(events.c.seq).limit(1))
    if audience != "public":
        end = sa.select(cursors.c.seq).where(*of_one(cursors, id_, audience))
        return int(db.scalar(end) or 0) if first is None else first - 1
    stays = () if first is None else (events.c.seq <= first,)
    begun = events.c.kind == "schlitten_ready"
    stay = db.scalar(sa.select(sa.func.max(events.c.seq)).where(*mine, begun, *stays))
    return (stay or 1) - 1


def remove(store: Store, one: Old) -> int:
    """Remove these rows, and return how many they were.

    Raises NotWhatCame, and sqlalchemy.exc.SQLAlchemyError; batches that were removed stay so.
    """
    many = 0
    while some := _remove(store, one):
        many += some
    return many


def _remove(store: Store, one: Old) -> int:
    """Remove the next rows, and return how many they were."""
    with store.engine.begin() as db:
        place = cursors.update().where(*of_one(cursors, one.table_id, one.audience))
        db.execute(place.values(void=cursors.c.void))  # the floor stores no rows meanwhile
        before = last_removed(db, one.table_id, one.audience)
        said = sa.select(events).where(one.those, ~events.c.void, events.c.seq > before.seq)
        rows = db.execute(said.order_by(events.c.seq).limit(AT_ONCE)).mappings().all()
        if not rows:
            return 0
        after = _followed(one, before, rows)
        _note(db, one, after)
        gone = one.mine & (events.c.seq <= after.seq)
        void = db.execute(events.delete().where(gone, events.c.void)).rowcount
        db.execute(events.delete().where(gone))
        db.execute(place.values(void=cursors.c.void - void))
        return len(rows) + void


def _followed(one: Old, before: Removed, rows: Any) -> Removed:
    """Compute the chain from `before` over these rows, and return its new end."""
    told = [told_row(row) for row in rows]
    link = before.link
    for seq, (row, came) in enumerate(zip(rows, told, strict=True), before.seq + 1):
        link = came.linked(link)
        if row["seq"] != seq or row["link"] != link:
            raise NotWhatCame(
                f"{one.at.site}/{one.at.table}, {one.audience}: row {seq} is not what came, so it "
                "stays. `schlitten floor verify` says more."
            )
    read = project(before.left.read, told)
    return Removed(told[-1].seq, told[-1].id, link, before.left.after(*read))


def _note(db: sa.Connection, one: Old, after: Removed) -> None:
    """Note the last rows, which are about to be removed, in place of the earlier ones."""
    noted = of_one(removed, one.table_id, one.audience)
    db.execute(removed.delete().where(*noted, removed.c.seq < after.seq))
    names = ("table_id", "audience", "stream", "seq", "id", "link", "void")
    last = sa.select(*(events.c[name] for name in names), sa.literal("{}"))
    last = last.where(one.mine, events.c.seq == after.seq)
    db.execute(removed.insert().from_select([*names, "progress"], last))
    progress = msgspec.json.encode(after.left).decode()
    db.execute(removed.update().where(*noted, ~removed.c.void).values(progress=progress))


def remove_old(store: Store, before_ms: int) -> list[str]:
    """Remove all that is old. Return a sentence for each table of which a row must stay.

    Raises sqlalchemy.exc.SQLAlchemyError.
    """
    faults = []
    for one in old(store, before_ms):
        try:
            remove(store, one)
        except NotWhatCame as why:
            faults.append(str(why))
    return faults


# ---- Writes old events into a Parquet file, and then removes them from the floor's database

#: How many rows of the file are written, and can be read, at once.
_AT_ONCE: Final = 50_000


class Archived(Struct, frozen=True):
    """What was archived: how many rows of how many tables, into which file ("": nothing was old).

    `faults` has a sentence for each table whose rows are not all removed.
    """

    file: str
    rows: int
    tables: int
    faults: list[str]


def archive(
    store: Store,
    folder: Path,
    before_ms: int,
    now: datetime,
    told: Callable[[int, int], None] = lambda _done, _of: None,
) -> Archived:
    """Archive the events from before a time, in ms since 1970.

    `told` gets how many tables are done, and of how many. Raises OutputError, and
    sqlalchemy.exc.SQLAlchemyError: then no event is removed that is in no file.
    """
    those, faults = old(store, before_ms), list[str]()
    if not those:
        return Archived("", 0, 0, faults)
    file = folder / f"floor-events-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}.parquet"
    if file.exists():
        raise OutputError(f"{file} is there already, from this second: archive once more")
    rows = 0
    with Output(file) as made:
        try:
            _write(store, those, made.file, lambda done: told(done, 2 * len(those)))
        except OSError as error:
            why = error.strerror or str(error)
            raise OutputError(f"cannot write {file}: {why}; no event is removed") from None
    for done, one in enumerate(those, 1):
        try:
            rows += remove(store, one)
        except NotWhatCame as why:
            faults.append(str(why))
        told(len(those) + done, 2 * len(those))
    return Archived(str(file), rows, len({one.table_id for one in those}), faults)


def _write(store: Store, those: Sequence[Old], file: Any, told: Callable[[int], None]) -> None:
    import pyarrow as pa  # noqa: PLC0415 - slow to load
    from pyarrow import parquet  # noqa: PLC0415

    text = pa.dictionary(pa.int32(), pa.string())
    schema = pa.schema([
        ("site", text), ("table", text), ("audience", text), ("stream", text), ("seq", pa.int64()),
        ("id", pa.string()), ("time", pa.timestamp("ms", "UTC")), ("kind", text),
        ("source", text), ("body", pa.binary()), ("link", pa.binary()), ("void", pa.bool_()),
    ])  # fmt: skip
    with parquet.ParquetWriter(file, schema, compression="zstd") as made, store.read() as db:
        some: list[dict[str, Any]] = []
        for done, one in enumerate(those, 1):
            named = {"site": one.at.site, "table": one.at.table}
            said = sa.select(events).where(one.those).order_by(events.c.seq)
            for row in db.execute(said.execution_options(yield_per=1000)).mappings():
                some.append(named | dict(row) | {"time": row["t_ms"]})
                if len(some) == _AT_ONCE:
                    made.write_table(pa.Table.from_pylist(some, schema))
                    some.clear()
            told(done)
        made.write_table(pa.Table.from_pylist(some, schema))
