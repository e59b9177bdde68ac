"""Compares the Schlitten of all tables, to find results that are unlikely by chance.

Anybody who compares many results finds one that is far off. So the judgement of each result allows
for the number of results that were compared at all tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from msgspec import Struct

from table_controller.adapters.mqtt_names import TableId
from table_controller.engine.messages import Phrase
from table_controller.floor.past import FloorPast, Reads
from table_controller.floor.removed import last_removed
from table_controller.floor.reports import ALWAYS, Period
from table_controller.floor.schema import events, of_one, outcomes, tables, to_compare
from table_controller.floor.store import Store
from table_controller.service.statistics import added, compared

#: The events after which a Schlitten has ended; the next `schlitten_ready` ends it too.
ENDS: Final = frozenset({"schlitten_counted", "schlitten_withdrawn"})
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


def unlikely(store: Store, period: Period = ALWAYS) -> list[SchlittenLine]:
    """The rarest results of all Schlitten that were begun in a period, the rarest first.

    They were compared by `compare`.
    """
    within = outcomes.c.t_ms >= period.since_ms, outcomes.c.t_ms < period.until_ms
    at = [tables.c.site == period.site] if period.site else []
    mine = sa.select(outcomes, tables.c.site, tables.c.name).join(tables).where(*within, *at)
    many = sa.select(sa.func.count()).select_from(outcomes).join(tables).where(*within, *at)
    order = outcomes.c.alone, tables.c.site, tables.c.name, outcomes.c.shoe
    with store.read() as db:
        among = db.scalar(many) or 0
        rows = db.execute(mine.order_by(*order).limit(MOST_LINES)).all()
    return [_line(row, among) for row in rows]


def _line(row: Any, among: int) -> SchlittenLine:
    """Make a line of a result, which is judged among the results of all Schlitten (`among`)."""
    rare = min(1.0, row.alone * among)
    return SchlittenLine(
        of=f"{row.site}/{row.name}", shoe=row.shoe, t_ms=row.t_ms,
        what=msgspec.json.decode(row.what, type=Phrase), came=row.came, among=row.among,
        awaited=round(row.awaited, 1), rare=rare,
        once_in=round(1 / rare) if rare > 1e-9 else 1_000_000_000, compared=among,
    )  # fmt: skip


def compare(store: Store, past: FloorPast) -> None:
    """Compare the Schlitten that have ended since, at tables of which it is known what they play.

    Any process may do it at any time. Raises sqlalchemy.exc.SQLAlchemyError.
    """
    with store.read() as db:
        marked = db.execute(sa.select(to_compare, tables.c.site, tables.c.name).join(tables)).all()
    for row in marked:
        if reads := past.reads(TableId(row.site, row.name)):
            _compare(store, row, reads)


def _compare(store: Store, marked: Any, reads: Reads) -> None:
    """Compare a table's Schlitten from the one before the event at which something changed."""
    id_ = marked.table_id
    with store.read() as db:
        begun = sa.select(sa.func.max(events.c.seq)).where(
            *_public(id_), events.c.kind == "schlitten_ready", events.c.seq < marked.seq
        )
        first = db.scalar(begun) or last_removed(db, id_, "public").seq + 1
        rows = [one for some in _schlitten(db, id_, first) for one in _results(id_, *some, reads)]
    mine = to_compare.c.table_id == id_, to_compare.c.mark == marked.mark
    with store.engine.begin() as db:
        free = sa.select(to_compare.c.mark).where(*mine).with_for_update(skip_locked=True)
        if db.scalar(free) is None or not db.execute(to_compare.delete().where(*mine)).rowcount:
            return  # it is compared once more, or somebody else is comparing it
        gone = outcomes.c.table_id == id_, outcomes.c.seq >= first
        db.execute(outcomes.delete().where(*gone))
        if rows:
            db.execute(outcomes.insert(), rows)


def _results(
    id_: int, begun: Any, heard: list[dict[str, Any]], reads: Reads
) -> Iterator[dict[str, Any]]:
    """The rows of a Schlitten's results. `begun` is its first event, `heard` are all of them."""
    try:
        saw = added(coup.saw for coup in reads.coups(heard))
    except (LookupError, TypeError, ValueError, AttributeError):
        return  # a table that sends nonsense has no chances
    for number, one in enumerate(compared(saw, reads.expected)):
        yield {
            "table_id": id_, "seq": begun.seq, "number": number, "t_ms": begun.t_ms,
            "shoe": str(heard[0].get("shoe", ""))[:60],
            "what": msgspec.json.encode(one.label).decode(), "came": one.hits,
            "among": one.trials, "awaited": one.awaited, "alone": one.alone,
        }  # fmt: skip


def _public(id_: int) -> tuple[Any, ...]:
    return (*of_one(events, id_, "public"), ~events.c.void)


def _schlitten(
    db: sa.Connection, id_: int, first: int
) -> Iterator[tuple[Any, list[dict[str, Any]]]]:
    """Yield each ended Schlitten of a table from the event `first` on: its first event, and all."""
    said = sa.select(events.c.seq, events.c.kind, events.c.t_ms, events.c.body)
    said = said.where(*_public(id_), events.c.seq >= first).order_by(events.c.seq)
    begun, over, heard = None, False, list[dict[str, Any]]()
    for row in db.execute(said.execution_options(yield_per=1000)):
        if row.kind == "schlitten_ready":
            if begun:
                yield begun, heard
            begun, over, heard = row, False, []
        try:
            heard.append(msgspec.json.decode(row.body, type=dict[str, Any]))
        except (ValueError, RecursionError):
            continue
        over = over or row.kind in ENDS
    if begun and over:
        yield begun, heard
