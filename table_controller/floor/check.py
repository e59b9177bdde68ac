"""Whether what the floor keeps is still what came: every row's link is computed again."""

from __future__ import annotations

from collections.abc import Iterator

import sqlalchemy as sa
from msgspec import Struct

from table_controller.floor.inbox import ToldRow
from table_controller.floor.schema import cursors, events, tables
from table_controller.floor.store import Store
from table_controller.service.rows import FIRST_LINK


class Checked(Struct, frozen=True):
    """What was found of one table and audience; `fault` names the first bad row, or is ""."""

    site: str
    table: str
    audience: str
    rows: int
    fault: str = ""

    def __str__(self) -> str:
        return f"{self.site}/{self.table}, {self.audience}: {self.fault or 'holds'}"


def check(store: Store) -> Iterator[Checked]:
    """Check every table, one audience after the other."""
    said = (
        sa.select(tables.c.site, tables.c.name, cursors)
        .join(tables, tables.c.id == cursors.c.table_id)
        .order_by(tables.c.site, tables.c.name, cursors.c.audience)
    )
    with store.read() as db:
        for place in db.execute(said).mappings().all():
            rows, fault = _chain(db, place)
            yield Checked(place["site"], place["name"], place["audience"], rows, fault)


def _chain(db: sa.Connection, place: sa.RowMapping) -> tuple[int, str]:
    mine = (
        events.c.table_id == place["table_id"], events.c.audience == place["audience"],
        ~events.c.void,
    )  # fmt: skip
    said = sa.select(events).where(*mine).order_by(events.c.seq)
    head, number = FIRST_LINK, 0
    for row in db.execute(said.execution_options(yield_per=1000)).mappings():
        number += 1
        if row["seq"] != number:
            return number, f"row {number} is missing"
        told = ToldRow(
            row["audience"], row["seq"], row["t_ms"], row["id"], row["source"], row["kind"],
            row["body"],
        )  # fmt: skip
        head = told.linked(head)
        if head != row["link"]:
            return number, f"row {number} ({row['kind']}) is not what came"
    if number != place["seq"] or head != place["head"]:
        return number, f"it ends at row {number}, and had {place['seq']}"
    return number, ""
