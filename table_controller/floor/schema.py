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
    ColumnElement,
    Double,
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

# ---- The schema of the floor's database, the same for SQLite and PostgreSQL

metadata = MetaData()

tables = Table(
    "tables", metadata,
    Column("id", Integer, primary_key=True),
    Column("site", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("account", Text, nullable=False, server_default=""),
    UniqueConstraint("site", "name"),
)  # fmt: skip

#: `body` has the bytes that the table sent, because the chain covers them.
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
    Index("events_in_order", "table_id", "audience", "void", "seq"),
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
    Column("void", BigInteger, nullable=False, server_default="0"),
)  # fmt: skip

#: The last of the rows that were removed from `events`: of each stream its row with that number.
#: The chain goes on from the row that is not void, whose `progress` says how far it was read.
removed = Table(
    "removed", metadata,
    Column("table_id", ForeignKey("tables.id"), primary_key=True),
    Column("audience", Text, primary_key=True),
    Column("stream", Text, primary_key=True),
    Column("seq", BigInteger, primary_key=True),
    Column("id", Text, nullable=False),
    Column("link", LargeBinary, nullable=False),
    Column("void", Boolean, nullable=False),
    Column("progress", Text, nullable=False),
)  # fmt: skip

#: The faults of a table, as sentences. They are the floor's own data, since no event has them.
#: `code` is the fault's name (`faults.py`).
faults = Table(
    "faults", metadata,
    Column("id", Integer, primary_key=True),
    Column("table_id", ForeignKey("tables.id"), nullable=False),
    Column("t_ms", BigInteger, nullable=False),
    Column("why", Text, nullable=False),
    Column("code", Text, nullable=False, server_default=""),
    Index("faults_of_a_table", "table_id", "id"),
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


#: The records made from the events. All can be made again from the events.
PROJECTED: Final[dict[type, Table]] = {
    p.DecidedCoup: _made_of(
        p.DecidedCoup, "coups", _later("paid_ms"), Index("coups_settled", "settled_ms"),
        Index("coups_of_a_table", "table_id", "settled_ms"),
        Index("coups_of_a_winner", "winner", "settled_ms"),
    ),
    p.Misread: _made_of(p.Misread, "misreads", Index("misreads_in_time", "t_ms")),
    p.RulingRecord: _made_of(
        p.RulingRecord, "rulings", Column("audience", Text, primary_key=True),
        Index("rulings_in_time", "t_ms"),
    ),
    p.RefusedRecord: _made_of(p.RefusedRecord, "refusals", Index("refusals_in_time", "t_ms")),
    p.Raised: _made_of(
        p.Raised, "alerts", _later("seen_ms"), _later("cleared_ms"),
        Index("alerts_in_time", "t_ms"),
    ),
    p.Staffed: _made_of(
        p.Staffed, "staffing", Index("staffing_in_time", "t_ms"),
        Index("staffing_of_a_table", "table_id", "t_ms"),
    ),
    p.Read: _made_of(p.Read, "readings"),
}  # fmt: skip

#: What reports add up: the sums of one croupier at one table in one hour since 1970. `stakes`,
#: `play`, `pay` and `answered` are times, one after the other (`figures.py`).
figures = Table(
    "figures", metadata,
    Column("table_id", ForeignKey("tables.id"), primary_key=True),
    Column("hour", BigInteger, primary_key=True),
    Column("croupier", Text, primary_key=True),
    *(
        Column(name, BigInteger, nullable=False)
        for name in (
            "coups", "annulled", "open_ms", "idle_ms", "staked", "taken", "cards", "misreads",
            "corrections", "rulings", "refusals", "alerts",
        )
    ),
    *(Column(name, Text, nullable=False) for name in ("stakes", "play", "pay", "answered")),
    Index("figures_of_a_croupier", "croupier", "hour"),
)  # fmt: skip

#: Each result of each ended Schlitten, compared with chance. `seq` is the number of the
#: Schlitten's first event, and `alone` is the chance of being as far off as this.
outcomes = Table(
    "outcomes", metadata,
    Column("table_id", ForeignKey("tables.id"), primary_key=True),
    Column("seq", BigInteger, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("shoe", Text, nullable=False),
    Column("t_ms", BigInteger, nullable=False),
    Column("what", Text, nullable=False),
    Column("came", BigInteger, nullable=False),
    Column("among", BigInteger, nullable=False),
    Column("awaited", Double, nullable=False),
    Column("alone", Double, nullable=False),
    Index("outcomes_by_chance", "alone"),
)  # fmt: skip

#: The hours whose figures are not up to date, and the first event whose Schlitten was not yet
#: compared. Triggers write them. A new `mark` says that something changed again meanwhile.
to_count = Table(
    "to_count", metadata,
    Column("table_id", ForeignKey("tables.id"), primary_key=True),
    Column("hour", BigInteger, primary_key=True),
    Column("mark", BigInteger, nullable=False),
)  # fmt: skip
to_compare = Table(
    "to_compare", metadata,
    Column("table_id", ForeignKey("tables.id"), primary_key=True),
    Column("seq", BigInteger, nullable=False),
    Column("mark", BigInteger, nullable=False),
)  # fmt: skip


def of_one(kept: Table, id_: int, audience: str) -> tuple[ColumnElement[bool], ...]:
    """The condition for the rows of one card table and audience. `id_` is the table's number."""
    return kept.c.table_id == id_, kept.c.audience == audience


#: The database tables that `rebuild` makes again. All others are the floor's own data: `rebuild`
#: copies them, and only a backup can restore them.
MADE_AGAIN: Final = (
    events, cursors, removed, *PROJECTED.values(), figures, outcomes, to_count, to_compare,
)  # fmt: skip


# ---- The floor's own part of the schema: alerts, messages about them, and what the tables play

#: What each table plays, so that its evenings can be read while it is away.
houses = Table(
    "houses", metadata,
    Column("table_id", ForeignKey("tables.id"), primary_key=True),
    Column("house", Text, nullable=False),
    Column("game", Text, nullable=False),
)  # fmt: skip

#: An alert of a table, or of the floor's own (`own`), from when it began until it was over.
#: `what` and `remedy` are phrases in JSON; `seen_by` is who acknowledged it, "" until then.
notices = Table(
    "notices", metadata,
    Column("id", Integer, primary_key=True),
    Column("table_id", ForeignKey("tables.id"), nullable=False),
    Column("own", Boolean, nullable=False),
    Column("alert", Text, nullable=False),
    Column("code", Text, nullable=False),
    Column("severity", Text, nullable=False),
    Column("what", Text, nullable=False),
    Column("remedy", Text, nullable=False),
    Column("began_ms", BigInteger, nullable=False),
    Column("seen_ms", BigInteger, nullable=True),
    Column("seen_by", Text, nullable=False),
    Column("over_ms", BigInteger, nullable=True),
    Index("notices_of_a_table", "table_id", "alert"),
)  # fmt: skip

#: Each message to a person about an alert. `failed` says why it was not sent, "" if it was.
deliveries = Table(
    "deliveries", metadata,
    Column("id", Integer, primary_key=True),
    Column("notice_id", ForeignKey("notices.id"), nullable=False),
    Column("person", Text, nullable=False),
    Column("rule", Text, nullable=False),
    Column("t_ms", BigInteger, nullable=False),
    Column("failed", Text, nullable=False),
    Index("deliveries_of_a_notice", "notice_id"),
)  # fmt: skip
