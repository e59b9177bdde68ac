"""How the records are stored in the database, and how a later event changes a record."""

from __future__ import annotations

from typing import Any, Final

import msgspec
import sqlalchemy as sa

from table_controller.floor import projections as p
from table_controller.floor.inbox import Audience
from table_controller.floor.schema import PROJECTED, of_one

#: The kinds of records that are made from one audience's rows alone.
OF: Final[dict[str, tuple[type, ...]]] = {
    "public": (p.DecidedCoup, p.Misread, p.Raised),
    "croupier": (p.RefusedRecord, p.Staffed, p.Read),
}
Addition = p.PaidRecord | p.AlertEnd


def columns(id_: int, audience: Audience, record: p.Record) -> dict[str, Any]:
    """A record as a row of its database table. `id_` is the number of the card table."""
    said = {"table_id": id_, **msgspec.structs.asdict(record)}
    return said | ({"audience": audience} if isinstance(record, p.RulingRecord) else {})


def addition(id_: int, record: Addition) -> sa.Update:
    """Return the statement by which a later event changes the record of an earlier event."""
    if isinstance(record, p.PaidRecord):
        coups = PROJECTED[p.DecidedCoup]
        mine = (coups.c.table_id == id_, coups.c.seq == record.seq)
        return coups.update().where(*mine).values(paid_ms=record.paid_ms)
    raised = PROJECTED[p.Raised]
    mine = (raised.c.table_id == id_, raised.c.alert == record.alert)
    before = (raised.c.seq < record.seq, raised.c.cleared_ms.is_(None))
    name = "cleared_ms" if record.cleared else "seen_ms"
    return raised.update().where(*mine, *before).values(**{name: record.t_ms})


def of_audience(id_: int, audience: str) -> list[tuple[sa.Table, Any]]:
    """The database tables of an audience's records, each with the condition for one card table."""
    own = [PROJECTED[kind] for kind in OF[audience]]
    picked: list[tuple[sa.Table, Any]] = [(table, table.c.table_id == id_) for table in own]
    ruled = PROJECTED[p.RulingRecord]
    return [*picked, (ruled, sa.and_(*of_one(ruled, id_, audience)))]


class Reckoned:
    """The records that the database should have for one card table and audience.

    They are computed from the events, without the database. Those of the events up to the number
    `removed` are not computed: these events are no longer there.
    """

    def __init__(self, id_: int, audience: Audience, removed: int) -> None:
        self._id, self._audience, self._removed = id_, audience, removed
        self._rows: dict[str, dict[int, dict[str, Any]]] = {}
        self._open: dict[str, list[dict[str, Any]]] = {}

    def add(self, record: p.Record) -> None:
        """Add a record that was made from the next event."""
        match record:
            case p.PaidRecord(seq=seq):
                if seq > self._removed:
                    self._rows["coups"][seq]["paid_ms"] = record.paid_ms
            case p.AlertEnd(alert=alert):
                name = "cleared_ms" if record.cleared else "seen_ms"
                for raised in self._open.get(alert, ()):
                    raised[name] = record.t_ms
                if record.cleared:
                    self._open.pop(alert, None)
            case _:
                table = PROJECTED[type(record)]
                row = dict.fromkeys(table.c.keys()) | columns(self._id, self._audience, record)
                self._rows.setdefault(table.name, {})[record.seq] = row
                if isinstance(record, p.Raised):
                    self._open.setdefault(record.alert, []).append(row)

    def fault(self, db: sa.Connection) -> str:
        """Describe the first record that differs in the database; "" if all are the same."""
        for table, mine in of_audience(self._id, self._audience):
            wanted = self._rows.get(table.name, {})
            said = sa.select(table).where(mine, table.c.seq > self._removed)
            said = said.order_by(table.c.seq).execution_options(yield_per=1000)
            for row in db.execute(said).mappings():
                if wanted.pop(row["seq"], None) != dict(row):
                    return f"row {row['seq']} of {table.name} is not what the events come to"
            if wanted:
                return f"row {min(wanted)} of {table.name} is missing"
        return ""
