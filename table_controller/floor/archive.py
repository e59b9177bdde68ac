"""Writes old events into a Parquet file, and then removes them from the floor's database.

Each row has the event as the table sent it and its link, so that anybody can compute the chain
again. Public events and those for the staff are in one file; no closed card is in either.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from msgspec import Struct

from table_controller.floor.retention import NotWhatCame, Old, old, remove
from table_controller.floor.schema import events
from table_controller.floor.store import Store
from table_controller.service.output import Output, OutputError

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
