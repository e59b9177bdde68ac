"""Codes with which a table joins. A code works once, within 15 minutes. It knows the database.

A code's secret is shown once, and only its digest is kept. The table that uses the code gets
another secret, which is its password at the broker.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec
import sqlalchemy as sa
from msgspec import Struct

from table_controller.adapters.broker_rules import table_user
from table_controller.adapters.enrolling import EnrolmentCode, Joined, digest_of, new_secret
from table_controller.adapters.mqtt_names import TableId
from table_controller.floor import accounts
from table_controller.floor.own_tables import enrolments
from table_controller.floor.people import Did, note
from table_controller.floor.store import Store
from table_controller.service.errors import ServiceError

#: How long a code works.
VALID_MS: Final = 15 * 60 * 1000
_SERVED: Final = "served.json"


class NotServed(ServiceError):
    """No floor has been served from this folder, so there is no address to put into a code."""


class ServedAt(Struct, frozen=True):
    """Where a floor is served: the page's address and port, and the tables' port."""

    host: str
    page_port: int
    port: int

    def write(self, folder: Path) -> None:
        """Write the addresses into the floor's folder, where other commands find them.

        Raises OSError.
        """
        (folder / _SERVED).write_bytes(msgspec.json.encode(self))


def served(folder: Path) -> ServedAt:
    """Where the floor of this folder is served, or was served last. Raises NotServed."""
    try:
        return msgspec.json.decode((folder / _SERVED).read_bytes(), type=ServedAt)
    except (OSError, ValueError):
        raise NotServed(
            f"the floor in {folder} has not been served yet, so it has no address: start it first "
            f"(`schlitten floor run --folder {folder}`)."
        ) from None


def make(store: Store, folder: Path, at: TableId, actor: str, now_ms: int) -> EnrolmentCode:
    """Make a code for a table and void its older codes. Raises NotServed, OSError.

    `actor` is the person who made the code, for the audit.
    """
    where, secret = served(folder), new_secret()
    root = digest_of((folder / "floor-root.pem").read_bytes())
    with store.engine.begin() as db:
        _void(db, at)
        said = {
            "proof": _proof(secret), "site": at.site, "name": at.table,
            "until_ms": now_ms + VALID_MS,
        }  # fmt: skip
        db.execute(enrolments.insert().values(said))
        note(db, actor, Did.CODE_MADE, f"{at.site}/{at.table}")
    return EnrolmentCode(where.host, where.page_port, root, secret)


def use(store: Store, secret: str, port: int, now_ms: int) -> Joined | None:
    """Admit the table whose code has this secret. Return what the table needs to connect.

    None if no code has this secret, or if the code is no longer valid. `port` is the tables' port.
    """
    mine = enrolments.c.proof == _proof(secret)
    valid = (mine, enrolments.c.used_ms.is_(None), enrolments.c.until_ms > now_ms)
    with store.engine.begin() as db:
        if not db.execute(enrolments.update().where(*valid).values(used_ms=now_ms)).rowcount:
            return None
        row = db.execute(sa.select(enrolments).where(mine)).mappings().one()
        at = TableId(row["site"], row["name"])
        password = accounts.renewed(store, db, at)
        user = table_user(at)
        note(db, f"table:{at.site}/{at.table}", Did.ENROLLED, f"{at.site}/{at.table}")
    return Joined(at.site, at.table, port, user, password)


def has_arrived(store: Store, secret: str) -> bool:
    """Whether the floor has received `info` from the table that used this secret."""
    said = sa.select(enrolments.c.done_ms).where(enrolments.c.proof == _proof(secret))
    with store.read() as db:
        return db.scalar(said) is not None


def under_way(store: Store) -> frozenset[TableId]:
    """The tables that have used their code, but from which no `info` has come since."""
    open_ = (enrolments.c.used_ms.is_not(None), enrolments.c.done_ms.is_(None))
    with store.read() as db:
        rows = db.execute(sa.select(enrolments.c.site, enrolments.c.name).where(*open_))
        return frozenset(TableId(*row) for row in rows)


def done(store: Store, at: TableId, now_ms: int) -> None:
    """Note that the floor has received this table's `info`."""
    mine = (enrolments.c.site == at.site, enrolments.c.name == at.table)
    open_ = (enrolments.c.used_ms.is_not(None), enrolments.c.done_ms.is_(None))
    with store.engine.begin() as db:
        db.execute(enrolments.update().where(*mine, *open_).values(done_ms=now_ms))
        note(db, "floor", Did.ARRIVED, f"{at.site}/{at.table}")


def remove(store: Store, at: TableId, actor: str) -> bool:
    """Remove a table and void its codes. Return whether it was admitted or had a code."""
    with store.engine.begin() as db:
        known = _void(db, at) + accounts.struck(db, at) > 0
        if known:
            note(db, actor, Did.TABLE_REMOVED, f"{at.site}/{at.table}")
    return known


def _void(db: sa.Connection, at: TableId) -> int:
    """Void a table's unused codes and stop waiting for the table. Return the number of codes."""
    mine = (enrolments.c.site == at.site, enrolments.c.name == at.table)
    return db.execute(enrolments.delete().where(*mine, enrolments.c.done_ms.is_(None))).rowcount


def _proof(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()
