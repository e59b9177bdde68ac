"""The floor's own part of the schema: alerts, messages about them, and what the tables play.

No event makes these rows. `floor rebuild` cannot restore any of them but `houses`, so make a backup
of the database.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, Table, Text

from table_controller.floor.schema import metadata

#: What each table last said of itself, so that its evenings can be told while it is away.
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

#: Each message to a person about a notice; `failed` says why it did not leave, "" if it did.
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
