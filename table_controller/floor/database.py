"""Opens a floor's database by its address, and brings its schema up to date. It knows no game."""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from table_controller.service.store import one_line

#: The number of the advisory lock of the process that migrates.
_MIGRATING: Final = 0x5C417_F1010
#: The forms of a database's address.
_FORMS: Final = "want sqlite:///FILE or postgresql://USER@HOST/NAME"
#: Settings of an address that are secrets.
_SECRETS: Final = ("password", "sslpassword")
#: So long another connection to a file of SQLite may keep it, and so often it is tried, in seconds.
_BUSY_S: Final = 5.0
_AGAIN_S: Final = 0.01
#: A session whose other end is gone ends within 15 s, at both ends: its locks are free then.
_SESSION: Final[dict[str, Any]] = {
    "connect_timeout": 5, "keepalives_idle": 5, "keepalives_interval": 3, "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
    "options": "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=3 -c tcp_keepalives_count=3",
}  # fmt: skip


class StoreError(Exception):
    """The database cannot be opened. The text has the reason and the remedy, but no password."""


def opened(url: str) -> sa.Engine:
    """Open a database and bring its schema up to date. Raises StoreError.

    Only the user of the floor may read a database that is a file.
    """
    engine = _engine(url)
    if engine.dialect.name == "sqlite" and engine.url.database:
        _keep_to_oneself(Path(engine.url.database))
    try:
        with engine.begin() as db:
            migrate(db)
    except (SQLAlchemyError, CommandError) as error:
        engine.dispose()
        raise StoreError(remedy(engine.url, error)) from None
    return engine


def _keep_to_oneself(file: Path) -> None:
    """Make a file that only its owner may open; one that is there gets this mode."""
    with suppress(OSError):  # opening it meets the same error, and explains it
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        for one in (file, *(file.with_name(file.name + end) for end in ("-wal", "-shm"))):
            with suppress(FileNotFoundError):
                one.chmod(0o600)


def refuse_damaged(engine: sa.Engine) -> None:
    """Look whether a database that is a file is whole. Raises StoreError if it is damaged.

    PostgreSQL looks after its files itself.
    """
    if engine.dialect.name != "sqlite":
        return
    try:
        with engine.connect() as db:
            found = str(db.exec_driver_sql("PRAGMA quick_check(1)").scalar_one())
    except DBAPIError as error:
        found = str(error.orig)
    if found != "ok":
        raise StoreError(
            f"The database {shown(engine.url)} is damaged ({one_line(found)}). Stop the floor. "
            "`schlitten floor rebuild` makes the database again from the tables' journals and "
            "keeps the damaged one; if you have a copy of the file, put it back instead."
        )


def shown(url: sa.URL) -> str:
    """The address of a database without the password, for people to read."""
    named = url.set(drivername=url.get_backend_name()).difference_update_query(_SECRETS)
    return named.render_as_string(hide_password=True)


def _engine(url: str) -> sa.Engine:
    """Make the engine that opens connections to this address. Raises StoreError."""
    try:
        said = sa.make_url(url)
    except (ArgumentError, ValueError):
        raise StoreError(f"The database's address is no URL: {_FORMS}.") from None
    if said.drivername == "sqlite":
        engine = sa.create_engine(said)
        sa.event.listen(engine, "connect", _durable)
        return engine
    if said.drivername != "postgresql":
        raise StoreError(f"The database's address begins with {said.drivername!r}: {_FORMS}.")
    if not said.database:
        raise StoreError(f"The database's address names no database: {_FORMS}.")
    own = {name: value for name, value in _SESSION.items() if name not in said.query}
    try:
        return sa.create_engine(
            said.set(drivername="postgresql+psycopg"), connect_args=own, pool_pre_ping=True
        )
    except ImportError:
        raise StoreError(
            "PostgreSQL needs psycopg, which is not installed. Run "
            f"`{sys.executable} -m pip install 'psycopg[binary]'`."
        ) from None


def _durable(connection: sqlite3.Connection, _record: object) -> None:
    connection.execute(f"PRAGMA busy_timeout={_BUSY_S * 1000:.0f}")
    _log_ahead(connection)
    for line in ("synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {line}")


def _log_ahead(connection: sqlite3.Connection) -> None:
    """Turn the file to write-ahead logging, once more if another connection does so now.

    SQLite refuses one of two that turn a new file at once, whatever `busy_timeout` says.
    """
    last = time.monotonic() + _BUSY_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > last:
                raise
            time.sleep(_AGAIN_S)
        else:
            return


def migrate(db: sa.Connection) -> None:
    """Bring the schema up to date. Another process that opens the database meanwhile waits."""
    if db.dialect.name == "postgresql":
        db.execute(sa.select(sa.func.pg_advisory_xact_lock(_MIGRATING)))
    elif db.engine.url.database:
        db.exec_driver_sql("BEGIN IMMEDIATE")
    settings = Config()
    folder = str(files("table_controller.floor").joinpath("migrations"))
    settings.set_main_option("script_location", folder.replace("%", "%%"))
    settings.attributes["connection"] = db
    command.upgrade(settings, "head")


def remedy(url: sa.URL, error: Exception) -> str:
    """Say why a database cannot be opened, and what to do about that."""
    where = shown(url)
    if isinstance(error, CommandError):
        return (
            f"The database {where} was made by a newer Schlitten: install that one here, or name "
            "another database."
        )
    cause = error.orig if isinstance(error, DBAPIError) else error
    said = " ".join(str(cause).split()).rstrip(".")
    if url.get_backend_name() == "sqlite":
        return f"The database {where} cannot be opened ({said}): look at its folder and disk."
    return (
        f"The database {where} cannot be opened ({said}). `psql '{where}'` must answer: does it "
        "run, is its name right, may this user sign in? The user needs the right to make tables."
    )
