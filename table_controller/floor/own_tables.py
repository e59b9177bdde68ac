"""The floor's own data, which no table can send again: people, the audit, enrolments.

`floor rebuild` copies these data from the old database.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Integer, Table, Text

from table_controller.floor.schema import metadata

#: `proof` is made from the PIN and the floor's key. The PIN itself is not stored.
people = Table(
    "people", metadata,
    Column("name", Text, primary_key=True),
    Column("role", Text, nullable=False),
    Column("proof", Text, nullable=False),
)  # fmt: skip

#: Who did what and when: rows are added, and neither changed nor removed.
audit = Table(
    "audit", metadata,
    Column("id", Integer, primary_key=True),
    Column("t_ms", BigInteger, nullable=False),
    Column("actor", Text, nullable=False),
    Column("did", Text, nullable=False),
    Column("about", Text, nullable=False),
)  # fmt: skip

#: Codes that were made for tables. `proof` is a digest of the secret, which was shown once.
#: `used_ms` is when the table used the code, `done_ms` when the floor had read the table's `info`.
enrolments = Table(
    "enrolments", metadata,
    Column("proof", Text, primary_key=True),
    Column("site", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("until_ms", BigInteger, nullable=False),
    Column("used_ms", BigInteger, nullable=True),
    Column("done_ms", BigInteger, nullable=True),
)  # fmt: skip
