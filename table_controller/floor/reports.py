"""Makes reports from the records. The same events always make the same report.

Times are in seconds, money in smallest chips. No report has the hold (the casino's net win),
because the drop, fills and credits are in no event.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from statistics import median
from typing import Any, Final, Literal

import sqlalchemy as sa
from msgspec import Struct

from table_controller.adapters.mqtt_names import TableId
from table_controller.floor import projections as p
from table_controller.floor.past import leaders, leading_at
from table_controller.floor.schema import PROJECTED, cursors, events, faults, tables
from table_controller.floor.store import Store
from table_controller.floor.web.view import Known
from table_controller.service.evenings import BREAK_MS

By = Literal["table", "croupier", "hour"]
#: A pause at least this long is idle time. A shorter pause is part of the game.
IDLE_S: Final = 600
#: Rulings by which something was corrected.
CORRECTIONS: Final = frozenset(
    {"card_corrected", "withdrawn", "result_changed", "result_reopened", "moved"}
)


class Period(Struct, frozen=True, kw_only=True):
    """The rows that a report counts: from `since_ms` on, before `until_ms`, of tables of `site`."""

    since_ms: int = 0
    until_ms: int = 2**62
    site: str = ""


ALWAYS: Final = Period()


class ReportLine(Struct, frozen=True, kw_only=True):
    """One line of the report of figures.

    Attributes:
        of: the table, the croupier, or the hour of the day in UTC.
        open_hours: the hours from an evening's first card to the end of its last coup.
        idle_hours: the pauses of ten minutes or more within these hours.
        coups_an_hour: the coups per open hour, without the idle time.
        stakes: the time from the end of a coup to the first card of the next. This time and the
            next two are medians and 90th percentiles; None means that the time is not known.
        play: the time from a coup's first card to its result.
        pay: the time from the result to the end of the payment.
        misreads: the number of passages without a sure reading, and that number per 10,000 cards.
        alerts_p50_s: the median time until an alert was acknowledged or over.
    """

    of: str
    coups: int
    annulled: int
    open_hours: float
    idle_hours: float
    coups_an_hour: float | None
    stakes_p50_s: float | None
    stakes_p90_s: float | None
    play_p50_s: float | None
    play_p90_s: float | None
    pay_p50_s: float | None
    pay_p90_s: float | None
    staked: int
    taken: int
    cards: int
    misreads: int
    misreads_of_10_000: float | None
    corrections: int
    rulings: int
    refusals: int
    alerts: int
    alerts_p50_s: float | None


class CountLine(Struct, frozen=True, kw_only=True):
    """How often something happened at a table.

    `kind` is `misread`, `ruling` or `refusal`. `what` is the misread's reason, the ruling's kind,
    or the refused input's type. `why` is the ruling's reason or the rule's id. For misreads,
    `of_10_000` is the number per 10,000 cards.
    """

    of: str
    kind: str
    what: str
    why: str
    times: int
    of_10_000: float | None


class ResponseLine(Struct, frozen=True, kw_only=True):
    """How alerts of one code were answered at a table.

    Times are the seconds until an alert was seen or was over.
    """

    of: str
    code: str
    severity: str
    alerts: int
    seen: int
    still_open: int
    p50_s: float | None
    p90_s: float | None
    longest_s: float | None


class IntegrityLine(Struct, frozen=True, kw_only=True):
    """What is stored of a table: rows, void rows, streams of its journal, and faults."""

    of: str
    audience: str
    rows: int
    void: int
    streams: int
    faults: int
    head: str


def known(store: Store, now: Callable[[], float]) -> dict[str, Known]:
    """Return who leads each table, and how many coups it had in the last hour.

    The key is the table's name in its events. `now` returns the time in seconds.
    """
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


class _Coup(Struct):
    """A coup's record, and the times of its table around the coup, in seconds."""

    row: Any
    open_s: float
    idle_s: float


def report(store: Store, by: By = "table", period: Period = ALWAYS) -> list[ReportLine]:
    """Make the report of figures, one line for each table, croupier or hour (`by`), in order."""
    with store.read() as db:
        names = _names(db, period)
        led = leaders(db) if by == "croupier" else defaultdict[int, list[tuple[int, str]]](list)
        groups = defaultdict[str, dict[str, list[Any]]](lambda: defaultdict(list))
        for kind, table in PROJECTED.items():
            if kind in (p.Staffed, p.Read):
                continue
            rows: Iterable[Any] = _of(db, table, names, period)
            if kind is p.DecidedCoup:
                rows = _timed(rows)
            for row in rows:
                of = row.row if isinstance(row, _Coup) else row
                groups[_key(by, of, names, led)][table.name].append(row)
    return [_line(of, groups[of]) for of in sorted(groups)]


def _names(db: sa.Connection, period: Period) -> dict[int, str]:
    rows = db.execute(sa.select(tables))
    return {row.id: f"{row.site}/{row.name}" for row in rows if period.site in ("", row.site)}


def _of(
    db: sa.Connection, table: sa.Table, names: dict[int, str], period: Period
) -> Iterator[sa.RowMapping]:
    t_ms = table.c.settled_ms if "settled_ms" in table.c else table.c.t_ms
    where = t_ms >= period.since_ms, t_ms < period.until_ms
    said = sa.select(table).where(*where).order_by(table.c.table_id, table.c.seq)
    for row in db.execute(said).mappings():
        if row["table_id"] in names:
            yield row


def _timed(rows: Iterable[Any]) -> Iterator[_Coup]:
    """Yield each coup with the time since the coup before at its table.

    An evening's first coup is counted from its own first card.
    """
    before: dict[int, int] = {}
    for row in rows:
        id_, end = row["table_id"], row["paid_ms"] or row["settled_ms"]
        last = before.get(id_)
        pause = row["dealt_ms"] - last if last is not None else BREAK_MS
        before[id_] = end
        pause = 0 if pause >= BREAK_MS else max(0, pause)
        idle = pause / 1000 if pause >= IDLE_S * 1000 else 0.0
        yield _Coup(row, (pause + max(0, end - row["dealt_ms"])) / 1000, idle)


def _key(by: By, row: Any, names: dict[int, str], led: dict[int, list[tuple[int, str]]]) -> str:
    at_ms = row["settled_ms"] if "settled_ms" in row else row["t_ms"]
    match by:
        case "table":
            return names[row["table_id"]]
        case "hour":
            return datetime.fromtimestamp(max(0, at_ms) / 1000 % 86_400, UTC).strftime("%H:00")
    return leading_at(led[row["table_id"]], at_ms)


def _line(of: str, rows: dict[str, list[Any]]) -> ReportLine:
    timed: list[_Coup] = rows.get("coups", [])
    coups = [one.row for one in timed]
    played = [one for one in coups if not one["annulled"]]
    cards = sum(one["cards"] for one in coups)
    misreads, alerts, rulings = (rows.get(name, []) for name in ("misreads", "alerts", "rulings"))
    open_s, idle_s = (sum(one.open_s for one in timed), sum(one.idle_s for one in timed))
    busy = open_s - idle_s
    stakes = _spread(played, lambda one: one["dealt_ms"] - one["began_ms"])
    play = _spread(played, lambda one: one["settled_ms"] - one["dealt_ms"])
    paid = [one for one in played if one["paid_ms"] is not None]
    pay = _spread(paid, lambda one: one["paid_ms"] - one["settled_ms"])
    return ReportLine(
        of=of,
        coups=len(played),
        annulled=len(coups) - len(played),
        open_hours=round(open_s / 3600, 3),
        idle_hours=round(idle_s / 3600, 3),
        coups_an_hour=round(len(played) * 3600 / busy, 1) if busy else None,
        stakes_p50_s=stakes[0], stakes_p90_s=stakes[1],
        play_p50_s=play[0], play_p90_s=play[1],
        pay_p50_s=pay[0], pay_p90_s=pay[1],
        staked=sum(one["staked"] for one in played),
        taken=sum(one["taken"] for one in played),
        cards=cards,
        misreads=len(misreads),
        misreads_of_10_000=_share(len(misreads), cards),
        corrections=sum(one["kind"] in CORRECTIONS for one in rulings),
        rulings=len(rulings),
        refusals=len(rows.get("refusals", [])),
        alerts=len(alerts),
        alerts_p50_s=_quantiles(list(_responses(alerts)))[0],
    )  # fmt: skip


def _share(many: int, cards: int) -> float | None:
    return round(10_000 * many / cards, 1) if cards else None


def _spread(rows: Sequence[Any], ms: Callable[[Any], int]) -> tuple[float | None, float | None]:
    return _quantiles([value / 1000 for row in rows if 0 <= (value := ms(row)) < IDLE_S * 1000])


def _quantiles(found: list[float]) -> tuple[float | None, float | None]:
    """The median and the 90th percentile, rounded to tenths; None if there is no number."""
    if not found:
        return None, None
    found.sort()
    return round(median(found), 1), round(found[int(0.9 * (len(found) - 1))], 1)


def _responses(alerts: Iterable[Any]) -> Iterator[float]:
    for one in alerts:
        ends = [end for end in (one["seen_ms"], one["cleared_ms"]) if end is not None]
        if ends:
            yield max(0, min(ends) - one["t_ms"]) / 1000


def counts(store: Store, period: Period = ALWAYS) -> list[CountLine]:
    """Count misreads by reason, rulings with reasons, refusals by rule; the most frequent first."""
    kinds: tuple[tuple[str, type, str, str], ...] = (
        ("misread", p.Misread, "reason", ""), ("ruling", p.RulingRecord, "kind", "reason"),
        ("refusal", p.RefusedRecord, "said", "rule"),
    )  # fmt: skip
    with store.read() as db:
        names = _names(db, period)
        cards = Counter[str]()
        for row in _of(db, PROJECTED[p.DecidedCoup], names, period):
            cards[names[row["table_id"]]] += row["cards"]
        found = []
        for kind, of, what, why in kinds:
            times = Counter[tuple[str, str, str]]()
            for row in _of(db, PROJECTED[of], names, period):
                times[names[row["table_id"]], row[what], row[why] if why else ""] += 1
            found += [
                CountLine(
                    of=at, kind=kind, what=said, why=because, times=many,
                    of_10_000=_share(many, cards[at]) if kind == "misread" else None,
                )
                for (at, said, because), many in sorted(times.items())
            ]  # fmt: skip
    return sorted(found, key=lambda line: (line.kind, -line.times))


def responses(store: Store, period: Period = ALWAYS) -> list[ResponseLine]:
    """Make the report of how soon the alerts of each code were answered at each table."""
    with store.read() as db:
        names = _names(db, period)
        groups = defaultdict[tuple[str, str, str], list[Any]](list)
        for row in _of(db, PROJECTED[p.Raised], names, period):
            groups[names[row["table_id"]], row["code"], row["severity"]].append(row)
    found = []
    for (at, code, severity), rows in sorted(groups.items()):
        took = list(_responses(rows))
        p50, p90 = _quantiles(took)
        found.append(
            ResponseLine(
                of=at, code=code, severity=severity, alerts=len(rows),
                seen=sum(one["seen_ms"] is not None for one in rows),
                still_open=sum(one["cleared_ms"] is None for one in rows),
                p50_s=p50, p90_s=p90, longest_s=round(max(took), 1) if took else None,
            )
        )  # fmt: skip
    return found


def integrity(store: Store, period: Period = ALWAYS) -> list[IntegrityLine]:
    """Make the report of what is stored of each table, and which faults it had.

    `floor verify` computes the chains; this report does not.
    """
    with store.read() as db:
        names = _names(db, period)
        said = sa.select(
            events.c.table_id, events.c.audience, sa.func.count(),
            sa.func.sum(sa.cast(events.c.void, sa.Integer)),
        )  # fmt: skip
        kept = {row[:2]: row[2:] for row in db.execute(said.group_by(*said.selected_columns[:2]))}
        wrong = Counter[int](db.scalars(sa.select(faults.c.table_id)).all())
        places = db.execute(sa.select(cursors)).mappings().all()
    lines = [
        IntegrityLine(
            of=names[row["table_id"]], audience=row["audience"],
            rows=kept.get((row["table_id"], row["audience"]), (0, 0))[0],
            void=int(kept.get((row["table_id"], row["audience"]), (0, 0))[1] or 0),
            streams=len(row["past"].split()) + 1, faults=wrong[row["table_id"]],
            head=row["head"].hex(),
        )
        for row in places
        if row["table_id"] in names
    ]  # fmt: skip
    return sorted(lines, key=lambda line: (line.of, line.audience))
