"""Compares the Schlitten of all tables, to find results that are unlikely by chance.

Anybody who compares many results finds one that is far off. So the judgement of each result allows
for the number of results that were compared at all tables.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from msgspec import Struct

from table_controller.adapters.mqtt_names import TableId
from table_controller.engine.messages import Phrase
from table_controller.floor.past import FloorPast
from table_controller.floor.reports import ALWAYS, Period
from table_controller.floor.schema import events, tables
from table_controller.floor.store import Store
from table_controller.service.statistics import Compared, added, compared

#: How many lines there are at most; the rarest come first.
MOST_LINES: Final = 100


class SchlittenLine(Struct, frozen=True, kw_only=True):
    """A result of one Schlitten, compared with chance.

    `rare` is the probability that at least one of all `compared` results is as far off as this one.
    """

    of: str
    shoe: str
    t_ms: int
    what: Phrase
    came: int
    among: int
    awaited: float
    rare: float
    once_in: int
    compared: int


def unlikely(store: Store, past: FloorPast, period: Period = ALWAYS) -> list[SchlittenLine]:
    """The rarest results of all Schlitten, the rarest first."""
    found = [
        (at, shoe, t_ms, one)
        for at, shoe, t_ms, several in _compared(store, past, period)
        for one in several
    ]
    lines = [_line(at, shoe, t_ms, one, len(found)) for at, shoe, t_ms, one in found]
    return sorted(lines, key=lambda line: (line.rare, line.of, line.shoe))[:MOST_LINES]


def _line(at: TableId, shoe: str, t_ms: int, one: Compared, among: int) -> SchlittenLine:
    """Make a line from `one`, which was judged among the results of its own Schlitten.

    The line instead judges it among the results of all Schlitten, which are `among` in number.
    """
    rare = min(1.0, one.alone * among)
    return SchlittenLine(
        of=f"{at.site}/{at.table}", shoe=shoe, t_ms=t_ms, what=one.label, came=one.hits,
        among=one.trials, awaited=round(one.awaited, 1), rare=rare,
        once_in=round(1 / rare) if rare > 1e-9 else 1_000_000_000, compared=among,
    )  # fmt: skip


def _compared(
    store: Store, past: FloorPast, period: Period
) -> Iterator[tuple[TableId, str, int, tuple[Compared, ...]]]:
    with store.read() as db:
        ids = db.execute(sa.select(tables).order_by(tables.c.site, tables.c.name)).all()
    for row in ids:
        at = TableId(row.site, row.name)
        if period.site not in ("", row.site) or (reads := past.reads(at)) is None:
            continue
        for shoe, t_ms, heard in _schlitten(store, row.id, period):
            try:
                saw = added(coup.saw for coup in reads.coups(heard))
            except (LookupError, TypeError, ValueError, AttributeError):
                continue  # a table that sends nonsense has no chances
            yield at, shoe, t_ms, compared(saw, reads.expected)


def _schlitten(
    store: Store, id_: int, period: Period
) -> Iterator[tuple[str, int, list[dict[str, Any]]]]:
    """Yield each Schlitten of a table: its id, when it was begun, and its public events.

    `id_` is the table's number in the database.
    """
    mine = (events.c.table_id == id_, events.c.audience == "public", ~events.c.void)
    said = sa.select(events.c.kind, events.c.t_ms, events.c.body).where(
        *mine, events.c.t_ms >= period.since_ms, events.c.t_ms < period.until_ms
    )
    some = defaultdict[tuple[str, int], list[dict[str, Any]]](list)
    now = ("", 0)
    with store.read() as db:
        for row in db.execute(said.order_by(events.c.seq).execution_options(yield_per=1000)):
            try:
                fields = msgspec.json.decode(row.body, type=dict[str, Any])
            except (ValueError, RecursionError):
                continue
            if row.kind == "schlitten_ready":
                if some[now]:
                    yield *now, some.pop(now)
                now = str(fields.get("shoe", ""))[:60], row.t_ms
            some[now].append(fields)
    if some[now]:
        yield *now, some[now]
