"""Checks that the database still contains what the tables sent: computes every chain again.

Each row has a link, which is a digest of the row and of the row before's link. The links are the
chain. The records of which reports are made, and their sums, are also computed again and compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec
import sqlalchemy as sa
from msgspec import Struct

from table_controller.adapters.mqtt_names import VERSION
from table_controller.floor.figures import fault as figures_fault
from table_controller.floor.projections import project
from table_controller.floor.records import Reckoned
from table_controller.floor.removed import Removed, last_removed
from table_controller.floor.schema import cursors, events, of_one, removed, tables
from table_controller.floor.store import Store, told_row
from table_controller.service.rows import FIRST_LINK

#: The form of a table's name in its events. Before a table was renamed, it had another name.
_SOURCE: Final = re.compile(r"/schlitten/\d+/[a-z0-9_-]+/[a-z0-9_-]+")


class Checked(Struct, frozen=True):
    """The result for one table and audience. `fault` describes the first bad row, or is "".

    `rows` are the rows that are right, and `removed` those before, which were removed.
    """

    site: str
    table: str
    audience: str
    rows: int
    fault: str = ""
    removed: int = 0

    def __str__(self) -> str:
        return f"{self.site}/{self.table}, {self.audience}: {self.fault or 'holds'}"


def check(store: Store) -> Iterator[Checked]:
    """Check every table, one audience after the other."""
    kept = sa.select(events.c.table_id, events.c.audience).distinct()
    known = sa.select(cursors.c.table_id, cursors.c.audience)
    both = kept.union(known).subquery()
    said = sa.select(tables.c.site, tables.c.name, both)
    said = said.join(tables, tables.c.id == both.c.table_id)
    with store.read() as db:
        for at in db.execute(said.order_by(tables.c.site, tables.c.name, both.c.audience)).all():
            mine = of_one(cursors, at.table_id, at.audience)
            place = db.execute(sa.select(cursors).where(*mine)).mappings().one_or_none()
            base = last_removed(db, at.table_id, at.audience)
            if place is None:
                last, fault = base.seq, "there are rows, and nothing says up to where they go"
            else:
                source = f"/schlitten/{VERSION}/{at.site}/{at.name}"
                last, fault = _chain(db, place, source, base)
            yield Checked(at.site, at.name, at.audience, last - base.seq, fault, base.seq)


def _chain(db: sa.Connection, place: sa.RowMapping, source: str, base: Removed) -> tuple[int, str]:
    """Return the number of the last row that is right, and the first fault; "" if there is none.

    `place` is the table's row of the database table `cursors`, and `source` is the table's present
    name in its events. `base` is the last row that was removed.
    """
    mine = of_one(events, place["table_id"], place["audience"])
    said = sa.select(events).where(*mine, ~events.c.void).order_by(events.c.seq)
    head, number, last, progress = base.link, base.seq, base.id, base.left.read
    if fault := _removed(db, place):
        return number, fault
    named = [source]
    made = Reckoned(place["table_id"], place["audience"], base.seq)
    for row in db.execute(said.execution_options(yield_per=1000)).mappings():
        if row["seq"] <= number:
            return number, f"row {row['seq']} is there twice"
        number += 1
        if row["seq"] != number:
            return number, f"row {number} is missing"
        told = told_row(row)
        head, last = told.linked(head), told.id
        right = head == row["link"] and told.stream == row["stream"]
        if not right or not _continues(named, told.source, source):
            return number, f"row {number} ({row['kind']}) is not what came"
        progress, found = project(progress, [told])
        for record in found:
            made.add(record)
    if (number, head, last) != (place["seq"], place["head"], place["id"]):
        return number, f"it ends at row {number}, and had {place['seq']}"
    if msgspec.json.encode(progress).decode() != place["progress"]:
        return number, f"what is noted after row {number} is not what the events come to"
    fault = _void(db, place) or made.fault(db)
    if not fault and place["audience"] == "public":
        fault = figures_fault(db, place["table_id"])
    return number, fault


def _removed(db: sa.Connection, place: sa.RowMapping) -> str:
    """Describe the first noted row that is not one that was removed; "" if all may be right."""
    audience = place["audience"]
    for row in db.execute(sa.select(removed).where(*of_one(removed, place["table_id"], audience))):
        if row.id.partition("-")[0] != row.stream or not row.id.endswith(f"-{audience}-{row.seq}"):
            return f"row {row.seq}, which was removed, is named {row.id}"
    return ""


def _continues(named: list[str], source: str, own: str) -> bool:
    """Whether the next row may have the name `source`.

    `named` are the names so far. A table may have been renamed, but an earlier name never comes
    back. `own` is the table's present name.
    """
    if source == named[-1]:
        return True
    named.append(source)
    return source == own or (bool(_SOURCE.fullmatch(source)) and source not in named[:-1])


def _void(db: sa.Connection, place: sa.RowMapping) -> str:
    """Describe the first void row that is not as it was sent; "" if all are right.

    `place` says how many void rows there should be. The link of a void row must follow from a link
    of some row with the number before, which may have been removed.
    """
    mine = of_one(events, place["table_id"], place["audience"])
    said = sa.select(events).where(*mine, events.c.void).order_by(events.c.seq)
    rows = db.execute(said).mappings().all()
    if len(rows) != place["void"]:
        return f"{len(rows)} rows are void, and {place['void']} were"
    for row in rows:
        if not row["id"].endswith(f"-{row['audience']}-{row['seq']}"):
            return f"row {row['seq']}, which is void, is named {row['id']}"
    for row in rows:
        told = told_row(row)
        linked = row["link"] in {told.linked(one) for one in _links(db, place, row["seq"] - 1)}
        if not linked or told.stream != row["stream"]:
            return f"row {row['seq']} ({row['kind']}), which is void, is not what came"
    return ""


def _links(db: sa.Connection, place: sa.RowMapping, seq: int) -> list[bytes]:
    """The links of all rows with this number, of any stream, void or not, removed or not."""
    if seq == 0:
        return [FIRST_LINK]
    whose = place["table_id"], place["audience"]
    both = [
        sa.select(of.c.link).where(*of_one(of, *whose), of.c.seq == seq) for of in (events, removed)
    ]
    return [*db.scalars(sa.union_all(*both))]
