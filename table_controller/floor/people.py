"""The people of a floor, and the audit of their actions. It knows the database, but no page."""

from __future__ import annotations

import os
import re
import time
from collections import deque
from enum import StrEnum
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from msgspec import Struct

from table_controller.adapters.web.gate import SignIn
from table_controller.engine.table.persons import SignedIn, SignInRefused
from table_controller.engine.table.roles import CONSOLE, MOST_NAME, PLAIN_NAME, named
from table_controller.floor.own_tables import audit, people
from table_controller.floor.roles import FloorPerson, FloorRole
from table_controller.floor.store import Store
from table_controller.floor.threads import Threads
from table_controller.service import pins
from table_controller.service.errors import ServiceError
from table_controller.service.sealed_file import SealedFile
from table_controller.service.sealing import Keys, load_keys, make_key

#: Rows of the audit on one page.
PAGE_ROWS: Final = 200


class Did(StrEnum):
    """The actions that the audit records."""

    SIGNED_IN = "signed_in"
    REFUSED = "refused"
    PERSON_ADDED = "person_added"
    PERSON_REMOVED = "person_removed"
    CODE_MADE = "code_made"
    CODE_REFUSED = "code_refused"
    ENROLLED = "enrolled"
    ARRIVED = "arrived"
    TABLE_REMOVED = "table_removed"


class Noted(Struct, frozen=True):
    """A row of the audit: `actor` did something, at a time in milliseconds since 1970."""

    id: int
    t_ms: int
    actor: str
    did: str
    about: str


class NotAdded(ServiceError):
    """A person cannot be added to the list. The text says why."""


def now_ms() -> int:
    """The time of the audit: milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def keys_of(folder: Path) -> Keys:
    """The keys of the floor in this folder. If it has no key, one is made. Raises KeyFileError."""
    file = folder / "floor.key"
    return load_keys(file, os.environ) if file.exists() else make_key(file)


def persons(store: Store) -> tuple[FloorPerson, ...]:
    """Everybody who has a role."""
    with store.read() as db:
        rows = db.execute(sa.select(people).order_by(people.c.name)).mappings().all()
    return tuple(FloorPerson(row["name"], FloorRole(row["role"]), row["proof"]) for row in rows)


def add(store: Store, person: FloorPerson) -> None:
    """Give a person a role, another role or another PIN. Raises NotAdded."""
    if not _is_name(person.name):
        raise NotAdded(
            f"{person.name[:MOST_NAME]!r} is no name for the list: want 1 to {MOST_NAME} "
            "visible characters, without ':', '#', '[' and ']'."
        )
    there = named(persons(store), person.name)
    with store.engine.begin() as db:
        if there:
            db.execute(people.delete().where(people.c.name == there.name))
        values = {"name": person.name, "role": person.role.value, "proof": person.proof}
        db.execute(people.insert().values(values))
        note(db, CONSOLE, Did.PERSON_ADDED, person.actor)


def _is_name(name: str) -> bool:
    """Whether every table accepts this name in a request of the floor."""
    told = 1 <= len(name) <= MOST_NAME and re.fullmatch(PLAIN_NAME, name)
    return bool(told) and name == " ".join(name.split())


def remove(store: Store, name: str) -> bool:
    """Take away a person's role. Return whether there was such a person."""
    there = named(persons(store), name)
    if there is None:
        return False
    with store.engine.begin() as db:
        db.execute(people.delete().where(people.c.name == there.name))
        note(db, CONSOLE, Did.PERSON_REMOVED, there.actor)
    return True


def note(db: sa.Connection, actor: str, did: Did, about: str = "") -> None:
    """Add a row to the audit, in the same transaction as the change that the row is about."""
    values = {"t_ms": now_ms(), "actor": actor, "did": did.value, "about": about[:200]}
    db.execute(audit.insert().values(values))


def noted(store: Store, before: int = 0) -> list[Noted]:
    """Return a page of the audit, the latest row first.

    If `before` is given, the page has only rows that are older than this row.
    """
    said = sa.select(audit).order_by(audit.c.id.desc()).limit(PAGE_ROWS)
    with store.read() as db:
        rows = db.execute(said.where(audit.c.id < before) if before else said).mappings().all()
    return [Noted(**row) for row in rows]


class Roll:
    """The people whom a served page knows.

    The list is read from the database again every second.
    """

    def __init__(
        self, store: Store, keys: Keys, threads: Threads | None = None, folder: Path | None = None
    ) -> None:
        """Read the list. The pages' sessions are kept in `folder`, if it is given."""
        self._store, self._keys, self._threads = store, keys, threads or Threads()
        self._kept = SealedFile(folder / "floor.sessions", keys, "sessions") if folder else None
        self._persons = persons(store)
        self._to_note: deque[tuple[str, Did, str]] = deque()

    def __bool__(self) -> bool:
        """Whether anybody has a role."""
        return bool(self._persons)

    def gate(self) -> SignIn[FloorPerson]:
        """The page's sign-in."""
        return SignIn(lambda: self._persons, self._matches, self._say, self._kept)

    def note(self, actor: str, did: Did, about: str = "") -> None:
        """Record, within a second, an action that changes nothing else in the database.

        The same action is recorded at most once a second, so that no stranger can fill the disk.
        """
        if (actor, did, about) not in self._to_note:
            self._to_note.append((actor, did, about))

    def refresh(self) -> None:
        """Write the audit's waiting rows, and read the list again. Call this in a thread."""
        if rows := tuple(self._to_note):
            with self._store.engine.begin() as db:
                for row in rows:
                    note(db, *row)
            for _ in rows:
                self._to_note.popleft()
        self._persons = persons(self._store)

    async def _matches(self, pin: str, proof: str) -> bool:
        return await self._threads.sign_in(pins.matches, pin, proof, self._keys)

    def _say(self, said: SignedIn | SignInRefused) -> None:
        if isinstance(said, SignedIn):
            self.note(said.actor, Did.SIGNED_IN)
        else:
            self.note("page", Did.REFUSED, said.name)
