"""Reports, made of what events come to: the same events always make the same report.

Times are in seconds, money in smallest chips. There is no hold: drop, fills and credits are in no
event.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from statistics import median
from typing import Any, Final, Literal

import sqlalchemy as sa
from msgspec import Struct

from table_controller.adapters.mqtt_names import TableId
from table_controller.floor import projections as p
from table_controller.floor.schema import PROJECTED, tables
from table_controller.floor.store import Store
from table_controller.floor.web.view import Known

By = Literal["table", "croupier", "hour"]
#: A table where nothing was decided for so long was idle meanwhile.
IDLE_S: Final = 600


class ReportLine(Struct, frozen=True, kw_only=True):
    """One line of the report.

    Attributes:
        of: the table, the croupier, or the hour of the day in UTC.
        hours: in which coups were played, without pauses of ten minutes or more.
        stakes_s, play_s, pay_s: median and 90th percentile of each phase; None: never seen.
        misreads: passages without a sure reading, and per 10,000 cards.
        alerts_s: median until an alert was acknowledged or gone.
    """

    of: str
    coups: int
    annulled: int
    hours: float
    coups_an_hour: float | None
    stakes_s: tuple[float, float] | None
    play_s: tuple[float, float] | None
    pay_s: tuple[float, float] | None
    staked: int
    taken: int
    cards: int
    misreads: int
    misreads_of_10_000: float | None
    rulings: int
    refusals: int
    alerts: int
    alerts_s: float | None


def known(store: Store, now: Callable[[], float]) -> dict[str, Known]:
    """Who leads each table, and its coups of the last hour, by the table's source."""
    coups, staffing = PROJECTED[p.DecidedCoup], PROJECTED[p.Staffed]
    since = int((now() - 3600) * 1000)
    hour = (
        sa.select(coups.c.table_id, sa.func.count())
        .where(coups.c.settled_ms >= since, ~coups.c.annulled)
        .group_by(coups.c.table_id)
    )
    last = sa.select(staffing.c.table_id, sa.func.max(staffing.c.seq).label("seq"))
    last_of = last.group_by(staffing.c.table_id).subquery()
    on = (staffing.c.table_id == last_of.c.table_id) & (staffing.c.seq == last_of.c.seq)
    leads = sa.select(staffing.c.table_id, staffing.c.name).join(last_of, on)
    with store.read() as db:
        paces = {row[0]: row[1] for row in db.execute(hour)}
        names = {row[0]: row[1] for row in db.execute(leads)}
        return {
            TableId(row.site, row.name).source: Known(names.get(row.id, ""), paces.get(row.id, 0))
            for row in db.execute(sa.select(tables))
        }


class _Group:
    def __init__(self) -> None:
        self.rows = defaultdict[str, list[Any]](list)


def report(store: Store, by: By = "table") -> list[ReportLine]:
    """Make the report, its lines in order of what they are of."""
    with store.read() as db:
        names = {row.id: f"{row.site}/{row.name}" for row in db.execute(sa.select(tables))}
        led = _led(db) if by == "croupier" else {}
        groups = defaultdict[str, _Group](_Group)
        for kind, table in PROJECTED.items():
            if kind in (p.Staffed, p.Read):
                continue
            said = sa.select(table).order_by(table.c.table_id, table.c.seq)
            for row in db.execute(said).mappings():
                groups[_key(by, row, names, led)].rows[table.name].append(row)
    return [_line(of, groups[of].rows) for of in sorted(groups)]


def _led(db: sa.Connection) -> dict[int, list[tuple[int, str]]]:
    """Who led each table from when on."""
    staffing = PROJECTED[p.Staffed]
    found = defaultdict[int, list[tuple[int, str]]](list)
    for row in db.execute(sa.select(staffing).order_by(staffing.c.table_id, staffing.c.seq)):
        found[row.table_id].append((row.t_ms, row.name))
    return found


def _key(by: By, row: Any, names: dict[int, str], led: dict[int, list[tuple[int, str]]]) -> str:
    at_ms = row["settled_ms"] if "settled_ms" in row else row["t_ms"]
    match by:
        case "table":
            return names[row["table_id"]]
        case "hour":
            return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%H:00")
    changes = led.get(row["table_id"], [])
    found = bisect_right(changes, (at_ms, "\uffff"))
    return changes[found - 1][1] if found else ""


def _line(of: str, rows: dict[str, list[Any]]) -> ReportLine:
    coups = rows.get("coups", [])
    played = [one for one in coups if not one["annulled"]]
    cards = sum(one["cards"] for one in coups)
    misreads, alerts = rows.get("misreads", []), rows.get("alerts", [])
    hours = round(sum(map(_busy_s, played)) / 3600, 3)
    return ReportLine(
        of=of,
        coups=len(played),
        annulled=len(coups) - len(played),
        hours=hours,
        coups_an_hour=round(len(played) / hours, 1) if hours else None,
        stakes_s=_spread(played, lambda one: one["dealt_ms"] - one["began_ms"]),
        play_s=_spread(played, lambda one: one["settled_ms"] - one["dealt_ms"]),
        pay_s=_spread(
            [one for one in played if one["paid_ms"] is not None],
            lambda one: one["paid_ms"] - one["settled_ms"],
        ),
        staked=sum(one["staked"] for one in played),
        taken=sum(one["taken"] for one in played),
        cards=cards,
        misreads=len(misreads),
        misreads_of_10_000=round(10_000 * len(misreads) / cards, 1) if cards else None,
        rulings=len(rows.get("rulings", [])),
        refusals=len(rows.get("refusals", [])),
        alerts=len(alerts),
        alerts_s=_response(alerts),
    )


def _busy_s(coup: Any) -> float:
    """How long a coup took, with its stakes and payment; a long pause before it is none of it."""
    end = coup["paid_ms"] or coup["settled_ms"]
    begun = coup["began_ms"] if coup["dealt_ms"] - coup["began_ms"] < IDLE_S * 1000 else 0
    return float(end - (begun or coup["dealt_ms"])) / 1000


def _spread(rows: Sequence[Any], ms: Callable[[Any], int]) -> tuple[float, float] | None:
    found = sorted(value / 1000 for row in rows if 0 <= (value := ms(row)) < IDLE_S * 1000)
    if not found:
        return None
    return round(median(found), 1), round(found[int(0.9 * (len(found) - 1))], 1)


def _response(alerts: Sequence[Any]) -> float | None:
    ends = (min(filter(None, (one["seen_ms"], one["cleared_ms"])), default=None) for one in alerts)
    found = [end - one["t_ms"] for one, end in zip(alerts, ends, strict=True) if end is not None]
    return round(median(found) / 1000, 1) if found else None
