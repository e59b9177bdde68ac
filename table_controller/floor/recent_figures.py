"""Reads each table's last hours from the database: its pace, misreads and faults."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final

import sqlalchemy as sa

from table_controller.adapters.mqtt_names import TableId
from table_controller.floor import projections as p
from table_controller.floor.alerts import Lately
from table_controller.floor.faults import GRAVE
from table_controller.floor.schema import PROJECTED, cursors, faults, tables
from table_controller.floor.store import Store

HOUR_MS: Final = 3_600_000
#: The time over which misreads are counted, and how long a table that deals may pause.
READ_MS: Final = 4 * HOUR_MS
PAUSE_MS: Final = HOUR_MS // 4
#: How many of a table's faults are read. The newest are.
MOST_FAULTS: Final = 20


def lately(store: Store, now_ms: int) -> dict[TableId, Lately]:
    """Return the figures of each table's last hours."""
    coups, misreads = PROJECTED[p.DecidedCoup], PROJECTED[p.Misread]
    settled = coups.c.settled_ms
    with store.read() as db:
        names = {row.id: TableId(row.site, row.name) for row in db.execute(sa.select(tables))}
        hour = _counted(db, coups, settled >= now_ms - HOUR_MS, ~coups.c.annulled)
        late = _counted(db, coups, settled >= now_ms - PAUSE_MS)
        early = settled >= now_ms - HOUR_MS - PAUSE_MS, settled < now_ms - HOUR_MS
        before = _counted(db, coups, *early)
        cards = _summed(db, coups, now_ms)
        unread = _counted(db, misreads, misreads.c.t_ms >= now_ms - READ_MS)
        wrong, streams = _faults(db), _streams(db)
    return {
        at: Lately(
            coups=hour.get(id_, 0), opened=bool(late.get(id_)) and bool(before.get(id_)),
            cards=cards.get(id_, 0), misreads=unread.get(id_, 0),
            faults=wrong.get(id_, {}), streams=streams.get(id_, 0),
        )
        for id_, at in names.items()
    }  # fmt: skip


def _counted(db: sa.Connection, table: sa.Table, *where: Any) -> dict[int, int]:
    said = sa.select(table.c.table_id, sa.func.count()).where(*where).group_by(table.c.table_id)
    return {row[0]: row[1] for row in db.execute(said)}


def _summed(db: sa.Connection, coups: sa.Table, now_ms: int) -> dict[int, int]:
    said = sa.select(coups.c.table_id, sa.func.sum(coups.c.cards))
    since = said.where(coups.c.settled_ms >= now_ms - READ_MS)
    return {row[0]: int(row[1]) for row in db.execute(since.group_by(coups.c.table_id))}


def _faults(db: sa.Connection) -> dict[int, dict[int, str]]:
    found = defaultdict[int, dict[int, str]](dict)
    grave = faults.c.code.in_([*GRAVE, ""])
    for row in db.execute(sa.select(faults).where(grave).order_by(faults.c.id.desc())):
        if len(found[row.table_id]) < MOST_FAULTS:
            found[row.table_id][row.id] = row.why
    return found


def _streams(db: sa.Connection) -> dict[int, int]:
    """How many streams each table's public rows have had, including the present one."""
    said = sa.select(cursors.c.table_id, cursors.c.past).where(cursors.c.audience == "public")
    return {row.table_id: len(row.past.split()) + 1 for row in db.execute(said)}
