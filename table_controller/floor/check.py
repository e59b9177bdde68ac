"""Checks that the database still contains what the tables sent: computes every chain again.

Each row has a link, which is a digest of the row and of the row before's link. The links are the
chain. The records of which reports are made, and their sums, are also computed again and compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from msgspec import Struct

from table_controller.adapters.mqtt_names import VERSION
from table_controller.floor.figures import fault as figures_fault
from table_controller.floor.projections import ReadSoFar, project
from table_controller.floor.records import Reckoned
from table_controller.floor.schema import cursors, events, tables
from table_controller.floor.store import Store, told_row
from table_controller.service.rows import FIRST_LINK

#: The form of a table's name in its events. Before a table was renamed, it had another name.
_SOURCE: Final = re.compile(r"/schlitten/\d+/[a-z0-9_-]+/[a-z0-9_-]+")


class Checked(Struct, frozen=True):
    """The result for one table and audience. `fault` describes the first bad row, or is ""."""

    site: str
    table: str
    audience: str
    rows: int
    fault: str = ""

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
            mine = (cursors.c.table_id == at.table_id, cursors.c.audience == at.audience)
            place = db.execute(sa.select(cursors).where(*mine)).mappings().one_or_none()
            if place is None:
                rows, fault = 0, "there are rows, and nothing says up to where they go"
            else:
                rows, fault = _chain(db, place, f"/schlitten/{VERSION}/{at.site}/{at.name}")
            yield Checked(at.site, at.name, at.audience, rows, fault)


def _chain(db: sa.Connection, place: sa.RowMapping, source: str) -> tuple[int, str]:
    """Count the rows that are right. Return that number and the first fault; "" if there is none.

    `place` is the table's row of the database table `cursors`, and `source` is the table's present
    name in its events.
    """
    mine = events.c.table_id == place["table_id"], events.c.audience == place["audience"]
    said = sa.select(events).where(*mine, ~events.c.void).order_by(events.c.seq)
    head, number, last, progress = FIRST_LINK, 0, "", ReadSoFar()
    named = [source]
    made = Reckoned(place["table_id"], place["audience"])
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
    fault = _void(db, mine, place["void"]) or made.fault(db)
    if not fault and place["audience"] == "public":
        fault = figures_fault(db, place["table_id"])
    return number, fault


def _continues(named: list[str], source: str, own: str) -> bool:
    """Whether the next row may have the name `source`.

    `named` are the names so far. A table may have been renamed, but an earlier name never comes
    back. `own` is the table's present name.
    """
    if source == named[-1]:
        return True
    named.append(source)
    return source == own or (bool(_SOURCE.fullmatch(source)) and source not in named[:-1])


def _void(db: sa.Connection, mine: tuple[Any, ...], many: int) -> str:
    """Describe the first void row that is not as it was sent; "" if all are right.

    `many` is how many void rows there should be. The link of a void row must follow from the link
    of some row with the number before.
    """
    said = sa.select(events).where(*mine, events.c.void).order_by(events.c.seq)
    rows = db.execute(said).mappings().all()
    if len(rows) != many:
        return f"{len(rows)} rows are void, and {many} were"
    for row in rows:
        if not row["id"].endswith(f"-{row['audience']}-{row['seq']}"):
            return f"row {row['seq']}, which is void, is named {row['id']}"
    for row in rows:
        before = sa.select(events.c.link).where(*mine, events.c.seq == row["seq"] - 1)
        links = [FIRST_LINK] if row["seq"] == 1 else db.scalars(before).all()
        told = told_row(row)
        linked = row["link"] in {told.linked(link) for link in links}
        if not linked or told.stream != row["stream"]:
            return f"row {row['seq']} ({row['kind']}), which is void, is not what came"
    return ""
