"""The schema of the floor's database, the same for SQLite and PostgreSQL.

Migrations create it.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import fields
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

from table_controller.floor import projections as p

metadata = MetaData()

tables = Table(
    "tables", metadata,
    Column("id", Integer, primary_key=True),
    Column("site", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("account", Text, nullable=False, server_default=""),
    UniqueConstraint("site", "name"),
)  # fmt: skip

#: `body` is kept as the bytes that came: the chain binds them.
events = Table(
    "events", metadata,
    Column("table_id", ForeignKey("tables.id"), primary_key=True),
    Column("audience", Text, primary_key=True),
    Column("stream", Text, primary_key=True),
    Column("seq", BigInteger, primary_key=True),
    Column("id", Text, nullable=False),
    Column("t_ms", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("link", LargeBinary, nullable=False),
    Column("void", Boolean, nullable=False),
    Index("events_in_order", "table_id", "audience", "seq"),
)  # fmt: skip

cursors = Table(
    "cursors", metadata,
    Column("table_id", ForeignKey("tables.id"), primary_key=True),
    Column("audience", Text, primary_key=True),
    Column("seq", BigInteger, nullable=False),
    Column("id", Text, nullable=False),
    Column("head", LargeBinary, nullable=False),
    Column("past", Text, nullable=False),
    Column("progress", Text, nullable=False),
)  # fmt: skip

#: What does not hold at a table, in sentences; of the floor's own, no event tells it. `code` is the
#: fault's name (`faults.py`).
faults = Table(
    "faults", metadata,
    Column("id", Integer, primary_key=True),
    Column("table_id", ForeignKey("tables.id"), nullable=False),
    Column("t_ms", BigInteger, nullable=False),
    Column("why", Text, nullable=False),
    Column("code", Text, nullable=False, server_default=""),
)  # fmt: skip


def _made_of(kind: type[p.Record], name: str, *more: Column[Any] | Index) -> Table:
    """Make the database table for one kind of record, with a column for each field and `more`."""
    types: dict[Any, Any] = {str: Text, int: BigInteger, bool: Boolean}
    return Table(
        name, metadata,
        Column("table_id", ForeignKey("tables.id"), primary_key=True),
        *(
            Column(field.name, types[field.type], primary_key=field.name == "seq", nullable=False)
            for field in fields(kind)
        ),
        *more,
    )  # fmt: skip


def _later(name: str) -> Column[Any]:
    return Column(name, BigInteger, nullable=True)


#: What events come to. Everything in them can be made again from the events.
PROJECTED: Final[dict[type, Table]] = {
    p.DecidedCoup: _made_of(
        p.DecidedCoup, "coups", _later("paid_ms"), Index("coups_settled", "settled_ms")
    ),
    p.Misread: _made_of(p.Misread, "misreads"),
    p.RulingRecord: _made_of(p.RulingRecord, "rulings", Column("audience", Text, primary_key=True)),
    p.RefusedRecord: _made_of(p.RefusedRecord, "refusals"),
    p.Raised: _made_of(p.Raised, "alerts", _later("seen_ms"), _later("cleared_ms")),
    p.Staffed: _made_of(p.Staffed, "staffing"),
    p.Read: _made_of(p.Read, "readings"),
}

#: What `rebuild` makes again. All other tables are the floor's own: it carries them over, and
#: only a backup brings them back.
MADE_AGAIN: Final = (events, cursors, *PROJECTED.values())
