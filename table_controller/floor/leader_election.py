"""Decides which process leads a floor. Only the leader may write; the others stand by.

On SQLite the leader locks a file next to the database. On PostgreSQL the leader takes an advisory
lock in one session and writes only in that session, so a process that loses the session can no
longer commit anything. Both locks are released however the leader ends.
"""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, Protocol

import sqlalchemy as sa
from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError

from table_controller.floor.store import Store

#: The advisory lock's number: any number, but the same in all processes.
_LOCK: Final = 0x5C417_F1009


class Led(Exception):
    """Another process leads this floor. The text says what to do."""


class Lead(Protocol):
    """The right to write, which one process has at a time."""

    def take(self) -> bool:
        """Become the leader if nobody else is. Return whether we lead. Raises SQLAlchemyError."""

    def begin(self) -> Any:
        """Begin a transaction that only the leader can commit. Raises Led, SQLAlchemyError."""

    def give_up(self) -> None:
        """Stop leading."""


def lead_of(store: Store) -> Lead:
    """Return the kind of lead that fits this database."""
    return Session(store) if store.postgresql else LockedFile(store)


class LockedFile:
    """The lead of a floor on SQLite, whose processes are all on one machine."""

    def __init__(self, store: Store) -> None:
        self._store, self._handle = store, -1
        file = store.engine.url.database
        self._path = Path(file).parent / "leader.lock" if file else None

    def take(self) -> bool:
        if self._handle >= 0 or self._path is None:  # a database in memory is ours alone
            return True
        handle = os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(handle)
            return False
        self._handle = handle
        return True

    @contextmanager
    def begin(self) -> Iterator[sa.Connection]:
        if not self.take():
            raise Led("Another process leads this floor.")
        with self._store.engine.begin() as db:
            yield db

    def give_up(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


class Session:
    """The lead of a floor on PostgreSQL, whose processes may be on several machines."""

    def __init__(self, store: Store) -> None:
        self._store, self._alone = store, threading.RLock()
        self._db: sa.Connection | None = None

    def take(self) -> bool:
        with self._alone:
            return self._db is not None or self._locked()

    def _locked(self) -> bool:
        db = self._store.engine.connect()
        try:
            mine = bool(db.scalar(sa.select(sa.func.pg_try_advisory_lock(_LOCK))))
            db.commit()
        except SQLAlchemyError:
            _dropped(db)
            raise
        if not mine:
            _dropped(db)
            return False
        self._db = db
        return True

    @contextmanager
    def begin(self) -> Iterator[sa.Connection]:
        with self._alone:
            if not self.take():
                raise Led("Another process leads this floor now: our session was broken.")
            assert self._db is not None
            try:
                with self._db.begin():
                    self._db.exec_driver_sql("SELECT 1")  # fails immediately if the session is lost
                    yield self._db
            except (DataError, IntegrityError):
                raise
            except SQLAlchemyError:
                self.give_up()  # with the session, the lock may be gone: it is taken anew
                raise

    def give_up(self) -> None:
        with self._alone:
            if self._db is not None:
                _dropped(self._db)
                self._db = None


def _dropped(db: sa.Connection) -> None:
    """Close a session for good.

    If it went back to the pool of connections, it would keep its lock.
    """
    with suppress(SQLAlchemyError):
        db.invalidate()
    with suppress(SQLAlchemyError):
        db.close()
