"""Counts the records of each hour, so that a report adds up hours instead of coups.

For each table, hour and croupier there is one row of sums. Triggers of the database note the hours
whose records changed, whoever wrote them; these are counted again from the records, by any process
and at any time. Times are kept in hundredths of a second, one after the other, so that a report
has exact medians of them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
import sqlalchemy as sa
from msgspec import Struct, field

from table_controller.floor import projections as p
from table_controller.floor.schema import PROJECTED, figures, to_count
from table_controller.floor.store import Store
from table_controller.service.evenings import BREAK_MS

Times = npt.NDArray[np.unsignedinteger[Any]]

HOUR_MS: Final = 3_600_000
#: A pause at least this long is idle time. A shorter pause is part of the game.
IDLE_MS: Final = 600_000
#: Rulings by which something was corrected.
CORRECTIONS: Final = frozenset(
    {"card_corrected", "withdrawn", "result_changed", "result_reopened", "moved"}
)
#: The kept times, and how many hexadecimal digits each of them has.
TIMES: Final = {"stakes": 4, "play": 4, "pay": 4, "answered": 8}
#: How many hours of tables are counted in one transaction.
AT_ONCE: Final = 300
#: How many are counted before a page is shown. A floor counts the others meanwhile.
MOST_AT_ONCE: Final = 100


class Figures(Struct):
    """The sums of some coups and of what happened beside them.

    `stakes`, `play`, `pay` and `answered` are times in ms, each as long as `ReportLine` says.
    """

    coups: int = 0
    annulled: int = 0
    open_ms: int = 0
    idle_ms: int = 0
    staked: int = 0
    taken: int = 0
    cards: int = 0
    misreads: int = 0
    corrections: int = 0
    rulings: int = 0
    refusals: int = 0
    alerts: int = 0
    stakes: list[int] = field(default_factory=list)
    play: list[int] = field(default_factory=list)
    pay: list[int] = field(default_factory=list)
    answered: list[int] = field(default_factory=list)


#: The names of the sums.
SUMS: Final = tuple(name for name in Figures.__struct_fields__ if name not in TIMES)


class LedHour(NamedTuple):
    """What figures are for: a table's number, an hour since 1970, and who led the table."""

    table_id: int
    hour: int
    croupier: str


def written(name: str, times_ms: Iterable[int]) -> str:
    """Write times as the database keeps them. Those that are too long become the longest."""
    digits = TIMES[name]
    most = 16**digits - 1
    return "".join(f"{min(max(0, round(ms / 10)), most):0{digits}x}" for ms in times_ms)


def stored(sums: Figures) -> dict[str, Any]:
    """The sums and times as the database keeps them."""
    texts = {name: written(name, getattr(sums, name)) for name in TIMES}
    return msgspec.structs.asdict(sums) | texts


def fault(db: sa.Connection, id_: int) -> str:
    """Describe the first hour of a table whose figures are wrong; "" if all are right.

    Hours that are still to be counted are left out.
    """
    pending = {*db.scalars(sa.select(to_count.c.hour).where(to_count.c.table_id == id_))}
    wanted = {
        led[1:]: led._asdict() | stored(sums)
        for led, sums in counted(db, -(2**62), 2**62, {id_}).items()
        if led.hour not in pending
    }
    said = sa.select(figures).where(figures.c.table_id == id_, figures.c.hour.not_in(pending))
    for row in db.execute(said).mappings():
        if wanted.pop((row["hour"], row["croupier"]), None) != dict(row):
            return f"the figures of hour {row['hour']} are not what the records come to"
    return f"the figures of hour {min(wanted)[0]} are missing" if wanted else ""


def read(name: str, text: str) -> Times:
    """The times of `written`, in hundredths of a second."""
    return np.frombuffer(bytes.fromhex(text), ">u2" if TIMES[name] == 4 else ">u4")


def count(store: Store, most: int | None = None) -> int:
    """Count again the hours whose records changed, the newest first. Return how many are left.

    `most` limits how many hours of tables are counted. Raises sqlalchemy.exc.SQLAlchemyError.
    """
    tried = 0
    while most is None or tried < most:
        some = AT_ONCE if most is None else min(AT_ONCE, most - tried)
        with store.read() as db:
            said = sa.select(to_count).order_by(to_count.c.hour.desc(), to_count.c.table_id)
            marked = db.execute(said.limit(some)).all()
            made = _counted(db, {(row.table_id, row.hour) for row in marked})
        if not marked:
            return 0
        _keep(store, marked, made)
        tried += len(marked)
        if len(marked) < some:
            break
    with store.read() as db:
        return db.scalar(sa.select(sa.func.count()).select_from(to_count)) or 0


def _keep(store: Store, marked: Iterable[Any], made: dict[LedHour, Figures]) -> None:
    """Store the figures of those hours that have not changed again meanwhile."""
    rows = defaultdict[tuple[int, int], list[dict[str, Any]]](list)
    for led, sums in made.items():
        rows[led[:2]].append(led._asdict() | stored(sums))
    with store.engine.begin() as db:
        for row in marked:
            mine = to_count.c.table_id == row.table_id, to_count.c.hour == row.hour
            same = *mine, to_count.c.mark == row.mark
            free = sa.select(to_count.c.mark).where(*same).with_for_update(skip_locked=True)
            if db.scalar(free) is None or not db.execute(to_count.delete().where(*same)).rowcount:
                continue  # it is counted once more, or somebody else is counting it
            gone = figures.c.table_id == row.table_id, figures.c.hour == row.hour
            db.execute(figures.delete().where(*gone))
            if new := rows.get((row.table_id, row.hour)):
                db.execute(figures.insert(), new)


def _counted(db: sa.Connection, wanted: set[tuple[int, int]]) -> dict[LedHour, Figures]:
    """The figures of these hours of tables, from the records."""
    found: dict[LedHour, Figures] = {}
    for hour in {hour for _, hour in wanted}:
        ids = {id_ for id_, one in wanted if one == hour}
        since = hour * HOUR_MS if hour else -(2**62)
        found |= counted(db, since, (hour + 1) * HOUR_MS, ids)
    return found


def counted(
    db: sa.Connection, since_ms: int, until_ms: int, ids: set[int]
) -> dict[LedHour, Figures]:
    """Count what happened at these tables in a time, hour by hour, from the records."""
    rows = [
        (kind, row)
        for kind in (p.DecidedCoup, p.Misread, p.RulingRecord, p.RefusedRecord, p.Raised)
        for row in _rows(db, kind, (since_ms, until_ms), ids)
    ]
    led = leads(db, since_ms, until_ms, {row["table_id"] for _, row in rows})
    before = _ends(db, [row for kind, row in rows if kind is p.DecidedCoup])
    found = defaultdict[LedHour, Figures](Figures)
    for kind, row in rows:
        id_, at_ms = row["table_id"], row["at_ms"]
        croupier = leading_at(led[id_], at_ms)
        _add(found[LedHour(id_, max(0, at_ms) // HOUR_MS, croupier)], kind, row, before)
    return dict(found)


def _rows(
    db: sa.Connection, kind: type, within: tuple[int, int], ids: set[int]
) -> Iterator[sa.RowMapping]:
    """The records of these tables in a time, in order. `at_ms` is when each happened."""
    table = PROJECTED[kind]
    t_ms = table.c.settled_ms if kind is p.DecidedCoup else table.c.t_ms
    said = sa.select(table, t_ms.label("at_ms")).where(t_ms >= within[0], t_ms < within[1])
    ordered = said.order_by(table.c.table_id, table.c.seq)
    for row in db.execute(_narrowed(ordered, table, ids)).mappings():
        if row["table_id"] in ids:
            yield row


def _narrowed(said: sa.Select[Any], table: sa.Table, ids: set[int]) -> sa.Select[Any]:
    """Ask for one table's rows alone. Rows of several are found in time, not table by table."""
    return said.where(table.c.table_id.in_(ids)) if len(ids) == 1 else said


def leads(
    db: sa.Connection, since_ms: int, until_ms: int, ids: set[int]
) -> defaultdict[int, list[tuple[int, str]]]:
    """For each table, who led it in this time: each with the time of beginning, in order."""
    staffing = PROJECTED[p.Staffed]
    found = defaultdict[int, list[tuple[int, str]]](list)
    for id_ in ids:
        found[id_].append((since_ms, led_by(db, id_, since_ms)))
    said = sa.select(staffing).where(staffing.c.t_ms > since_ms, staffing.c.t_ms < until_ms)
    ordered = said.order_by(staffing.c.t_ms, staffing.c.seq)
    for row in db.execute(_narrowed(ordered, staffing, ids)):
        found[row.table_id].append((row.t_ms, row.name))
    return found


def leading_at(changes: list[tuple[int, str]], t_ms: int) -> str:
    """The croupier who led a table at `t_ms`, by the changes in order; "" before the first."""
    found = bisect_right(changes, (t_ms, "\uffff"))
    return changes[found - 1][1] if found else ""


def led_by(db: sa.Connection, id_: int, t_ms: int) -> str:
    """The croupier who led the table with the number `id_` at `t_ms`; "" if nobody did."""
    staffing = PROJECTED[p.Staffed]
    mine = sa.select(staffing.c.name).where(staffing.c.table_id == id_, staffing.c.t_ms <= t_ms)
    newest = staffing.c.t_ms.desc(), staffing.c.seq.desc()
    return db.scalar(mine.order_by(*newest).limit(1)) or ""


def _ends(db: sa.Connection, rows: list[Any]) -> dict[int, int]:
    """For each table of these coups, when the coup before its first one was over."""
    coups, found = PROJECTED[p.DecidedCoup], dict[int, int]()
    firsts: dict[int, int] = {}
    for row in rows:
        firsts.setdefault(row["table_id"], row["seq"])
    for id_, first in firsts.items():
        said = sa.select(sa.func.coalesce(coups.c.paid_ms, 0), coups.c.settled_ms)
        mine = coups.c.table_id == id_, coups.c.seq < first
        row = db.execute(said.where(*mine).order_by(coups.c.seq.desc()).limit(1)).one_or_none()
        if row:
            found[id_] = row[0] or row[1]
    return found


def _add(sums: Figures, kind: type, row: Any, before: dict[int, int]) -> None:
    """Add a record. `before` says when each table's last coup was over."""
    if kind is p.DecidedCoup:
        _add_coup(sums, row, before)
    elif kind is p.Misread:
        sums.misreads += 1
    elif kind is p.RulingRecord:
        sums.rulings += 1
        sums.corrections += row["kind"] in CORRECTIONS
    elif kind is p.RefusedRecord:
        sums.refusals += 1
    else:
        sums.alerts += 1
        sums.answered += answers([row])


def _add_coup(sums: Figures, row: Any, before: dict[int, int]) -> None:
    """Add a coup. An evening's first coup is counted from its own first card."""
    id_, end = row["table_id"], row["paid_ms"] or row["settled_ms"]
    pause = row["dealt_ms"] - before[id_] if id_ in before else BREAK_MS
    before[id_] = end
    pause = 0 if pause >= BREAK_MS else max(0, pause)
    sums.open_ms += pause + max(0, end - row["dealt_ms"])
    sums.idle_ms += pause if pause >= IDLE_MS else 0
    sums.cards += row["cards"]
    if row["annulled"]:
        sums.annulled += 1
        return
    sums.coups += 1
    sums.staked += row["staked"]
    sums.taken += row["taken"]
    sums.stakes += _in_play(row["dealt_ms"] - row["began_ms"])
    sums.play += _in_play(row["settled_ms"] - row["dealt_ms"])
    if row["paid_ms"] is not None:
        sums.pay += _in_play(row["paid_ms"] - row["settled_ms"])


def _in_play(ms: int) -> list[int]:
    return [ms] if 0 <= ms < IDLE_MS else []


def answers(alerts: Iterable[Any]) -> Iterator[int]:
    """How long each of these alerts waited until it was seen or was over, in ms."""
    for one in alerts:
        ends = [end for end in (one["seen_ms"], one["cleared_ms"]) if end is not None]
        if ends:
            yield max(0, min(ends) - one["t_ms"])
