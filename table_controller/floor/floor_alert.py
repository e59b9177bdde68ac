"""An alert of a table as the database keeps it: what it is, what is alike, and how it reads."""

from __future__ import annotations

from collections import defaultdict

import msgspec
import sqlalchemy as sa
from msgspec import Struct

from table_controller.adapters.mqtt_names import TableId
from table_controller.engine.messages import Phrase
from table_controller.floor import sanitising
from table_controller.floor.schema import deliveries, notices, tables
from table_controller.floor.store import Store
from table_controller.words import text

#: An alert by its table and its id there.
Key = tuple[TableId, str]


class FloorAlert(Struct, kw_only=True):
    """An alert in the database. Times are in ms since 1970.

    `told` are the pairs of person and rule for which a message was sent.
    """

    id: int
    at: TableId
    own: bool
    alert: str
    code: str
    severity: str
    what: Phrase
    remedy: Phrase
    began_ms: int
    seen_ms: int | None = None
    seen_by: str = ""
    over_ms: int | None = None
    told: frozenset[tuple[str, str]] = frozenset()
    failed: str = ""


def alike(one: FloorAlert) -> tuple[TableId, str]:
    """What the alerts have in common that a page shows as one, and of which people are told once.

    A table's own alerts name different devices, so each of them is alike to itself only.
    """
    return one.at, one.code if one.own else f"{one.code} {one.alert}"


def sentence(kept: FloorAlert, game: str) -> str:
    """An alert in one line: the table, the severity, what happened, and the remedy.

    The line is in English, in the words of the table's `game`.
    """
    what = sanitising.shown(text(kept.what, "en", game) or kept.code)
    remedy = sanitising.shown(text(kept.remedy, "en", game))
    return f"{kept.at.site}/{kept.at.table}, {kept.severity}: {what} {remedy}".strip()


def kept_in(store: Store) -> dict[Key, FloorAlert]:
    """The alerts that were open when the floor last ended, from the database."""
    said = sa.select(notices, tables.c.site, tables.c.name).join(tables)
    told = defaultdict[int, set[tuple[str, str]]](set)
    with store.read() as db:
        rows = db.execute(said.where(notices.c.over_ms.is_(None))).mappings().all()
        left = sa.select(deliveries).join(notices).where(notices.c.over_ms.is_(None))
        for row in db.execute(left.where(deliveries.c.failed == "")).mappings():
            told[row["notice_id"]].add((row["person"], row["rule"]))
    found = [_alert_of(row, frozenset(told[row["id"]])) for row in rows]
    return {(one.at, one.alert): one for one in sorted(found, key=lambda one: one.began_ms)}


def _alert_of(row: sa.RowMapping, told: frozenset[tuple[str, str]] = frozenset()) -> FloorAlert:
    """Make an alert from its row, which is joined with the row of its table."""
    return FloorAlert(
        id=row["id"], at=TableId(row["site"], row["name"]), own=row["own"], alert=row["alert"],
        code=row["code"], severity=row["severity"],
        what=msgspec.json.decode(row["what"], type=Phrase),
        remedy=msgspec.json.decode(row["remedy"], type=Phrase), began_ms=row["began_ms"],
        seen_ms=row["seen_ms"], seen_by=row["seen_by"], over_ms=row["over_ms"], told=told,
    )  # fmt: skip
