"""Puts away the events that a floor has, so that the tables send them again.

Stop the floor first. The floor's own data, such as the list of admitted tables, are copied. The old
rows are kept: on SQLite in a file next to the database, on PostgreSQL in another schema.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError

from table_controller.floor import database
from table_controller.floor.schema import MADE_AGAIN
from table_controller.floor.store import Store

#: A database table of the floor's own data, and its rows.
Held = list[tuple[sa.Table, list[dict[str, Any]]]]
_MADE: Final = {"alembic_version", *(table.name for table in MADE_AGAIN)}


def put_aside(url: str) -> str:
    """Begin an empty database at this address. Return where the old rows are. Raises StoreError."""
    store = Store(url)
    stamp = time.strftime("%Y%m%dt%H%M%S")
    try:
        file = store.engine.url.database
        if store.postgresql:
            return _new_schema(store, f"before_{stamp}")
        if not file:
            raise database.StoreError("A database in memory has no other place: name a file.")
        return _new_file(store, Path(file), stamp)
    finally:
        store.close()


def _new_schema(store: Store, kept: str) -> str:
    """Move the old rows to the schema `kept`, in one transaction: if it fails, they stay."""
    with store.engine.begin() as db:
        held = _own(db)
        db.exec_driver_sql(f"CREATE SCHEMA {kept}")
        for name in sa.inspect(db).get_table_names():
            db.exec_driver_sql(f'ALTER TABLE "{name}" SET SCHEMA {kept}')
        database.migrate(db)
        _carry(db, held)
        for table, _ in held:
            if isinstance(table.autoincrement_column, sa.Column):
                _number_on(db, table, table.autoincrement_column)
    return f"schema {kept}"


def _new_file(store: Store, file: Path, stamp: str) -> str:
    fresh, kept = file.with_suffix(".new"), file.with_name(f"{file.stem}-{stamp}{file.suffix}")
    fresh.unlink(missing_ok=True)
    made = Store(f"sqlite:///{fresh}")
    with store.read() as old, made.engine.begin() as db:
        _carry(db, _own(old))
    for one in (made, store):
        with one.engine.connect() as db:
            db.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        one.close()
    file.rename(kept)
    fresh.rename(file)
    return str(kept)


def _own(db: sa.Connection) -> Held:
    """Read the floor's own data: all database tables that no event makes, parents first.

    Raises StoreError if they are damaged, since no journal has them.
    """
    found, reading = sa.MetaData(), ""
    held: Held = []
    try:
        found.reflect(db)
        for table in found.sorted_tables:
            if table.name not in _MADE:
                reading = table.name
                held.append((table, [*map(dict, db.execute(sa.select(table)).mappings())]))
    except DatabaseError as error:
        raise database.StoreError(
            f"The floor's own data ({reading or 'all of it'}) are damaged ({error.orig}), and no "
            "journal has them: put back a copy of the file, or move the file away and add people "
            "and tables again."
        ) from None
    return held


def _carry(db: sa.Connection, held: Held) -> None:
    for table, _ in reversed(held):
        db.execute(table.delete())  # what the migrations put into it
    for table, rows in held:
        if rows:
            db.execute(table.insert(), rows)


def _number_on(db: sa.Connection, table: sa.Table, number: sa.Column[Any]) -> None:
    """Let PostgreSQL number new rows after those that were copied."""
    if last := db.scalar(sa.select(sa.func.max(number))):
        name = sa.func.pg_get_serial_sequence(table.name, number.name)
        db.execute(sa.select(sa.func.setval(name, last)))
