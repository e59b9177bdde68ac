"""What stays of removed events (`retention.py`): the place from which their chains go on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
import sqlalchemy as sa
from msgspec import Struct, structs

from table_controller.floor import projections as p
from table_controller.floor.schema import PROJECTED, of_one, removed
from table_controller.service.rows import FIRST_LINK


class OpenAlert(Struct, frozen=True):
    """An alert that is not over: its id, and when it was seen."""

    alert: str
    seen_ms: int | None = None


class Left(Struct, frozen=True):
    """How far the removed events have been read. `alerts` are open, by their events' numbers."""

    read: p.ReadSoFar = p.ReadSoFar()
    alerts: dict[int, OpenAlert] = {}

    def after(self, read: p.ReadSoFar, records: Iterable[p.Record]) -> Left:
        """The same after further events, of which these records were made."""
        alerts = dict(self.alerts)
        for one in records:
            if isinstance(one, p.Raised):
                alerts[one.seq] = OpenAlert(one.alert)
            elif isinstance(one, p.AlertEnd):
                for seq in [seq for seq, it in alerts.items() if it.alert == one.alert]:
                    if one.cleared:
                        del alerts[seq]
                    else:
                        alerts[seq] = structs.replace(alerts[seq], seen_ms=one.t_ms)
        return Left(read, alerts)


class Removed(Struct, frozen=True):
    """The last removed row of one card table and audience. `seq` is 0 if none was removed."""

    seq: int = 0
    id: str = ""
    link: bytes = FIRST_LINK
    left: Left = Left()


def last_removed(db: sa.Connection, id_: int, audience: str) -> Removed:
    """The row after which the events of a card table begin. `id_` is the table's number."""
    said = sa.select(removed).where(*of_one(removed, id_, audience), ~removed.c.void)
    row = db.execute(said.order_by(removed.c.seq.desc()).limit(1)).one_or_none()
    if row is None:
        return Removed()
    return Removed(row.seq, row.id, row.link, msgspec.json.decode(row.progress, type=Left))


def begin_again(db: sa.Connection, id_: int, audience: str) -> None:
    """Note that the table tells all of its rows again, from the first one on."""
    mine = of_one(removed, id_, audience)
    db.execute(removed.update().where(*mine, ~removed.c.void).values(void=True))


def reopen(db: sa.Connection, id_: int, audience: str, left: Left) -> None:
    """Undo what the events after the removed ones did to the records of the removed ones."""
    if audience != "public":
        return

    def changed(kind: type, seq: int, **values: Any) -> None:
        table = PROJECTED[kind]
        mine = table.c.table_id == id_, table.c.seq == seq
        db.execute(table.update().where(*mine).values(**values))

    if left.read.unpaid:
        changed(p.DecidedCoup, left.read.unpaid, paid_ms=None)
    for seq, one in left.alerts.items():
        changed(p.Raised, seq, seen_ms=one.seen_ms, cleared_ms=None)
