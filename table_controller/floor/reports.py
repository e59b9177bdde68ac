"""Makes reports from the records, and lists them. The same events always make the same report."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, Literal

import msgspec
import numpy as np
import sqlalchemy as sa
from msgspec import Struct

from table_controller.adapters.mqtt_names import TableId
from table_controller.engine.messages import Phrase
from table_controller.floor import projections as p
from table_controller.floor.figures import (
    HOUR_MS,
    SUMS,
    TIMES,
    Figures,
    LedHour,
    Times,
    answers,
    count,
    counted,
    stored,
)
from table_controller.floor.figures import read as times
from table_controller.floor.past import FloorPast, Reads
from table_controller.floor.removed import last_removed
from table_controller.floor.schema import (
    PROJECTED,
    cursors,
    events,
    faults,
    figures,
    of_one,
    outcomes,
    removed,
    tables,
    to_compare,
)
from table_controller.floor.store import Store
from table_controller.floor.web.view import Known
from table_controller.service.statistics import added, compared

# ---- Makes reports from the records

By = Literal["table", "croupier", "hour"]


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
    """What is stored of a table: rows, void rows, streams of its journal, and faults.

    `removed` is the number of the last row that was removed.
    """

    of: str
    audience: str
    rows: int
    void: int
    removed: int
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


def report(store: Store, by: By = "table", period: Period = ALWAYS) -> list[ReportLine]:
    """Make the report of figures, one line for each table, croupier or hour (`by`), in order.

    It adds up what `figures.count` has counted.
    """
    with store.read() as db:
        names = _names(db, period)
        found = [_line(of, sums) for of, sums in _summed(db, by, names, period).items()]
    return sorted(found, key=lambda line: line.of)


def _names(db: sa.Connection, period: Period) -> dict[int, str]:
    rows = db.execute(sa.select(tables))
    return {row.id: f"{row.site}/{row.name}" for row in rows if period.site in ("", row.site)}


class _Sums:
    """The sums of a report's line, and its times as texts that the database keeps."""

    def __init__(self) -> None:
        self.of = dict.fromkeys(SUMS, 0)
        self._texts = defaultdict[str, list[str]](list)

    def add(self, row: Any) -> None:
        for name in SUMS:
            self.of[name] += int(row[name])
        for name in TIMES:
            self._texts[name].append(row[name] or "")

    def spread(self, name: str) -> tuple[float | None, float | None]:
        """The median and the 90th percentile of these times, in seconds."""
        return _quantiles(times(name, "".join(self._texts[name])), 100)


def _summed(db: sa.Connection, by: By, names: dict[int, str], period: Period) -> dict[str, _Sums]:
    """The sums of each line: from whole hours, and from records where only a part is asked for."""
    first, last = -(-period.since_ms // HOUR_MS), period.until_ms // HOUR_MS
    key = {"table": figures.c.table_id, "croupier": figures.c.croupier, "hour": figures.c.hour % 24}
    said = sa.select(
        key[by].label("of"), *(sa.func.sum(figures.c[name]).label(name) for name in SUMS),
        *(sa.func.aggregate_strings(figures.c[name], "").label(name) for name in TIMES),
    )  # fmt: skip
    where = [figures.c.hour >= first, figures.c.hour < last]
    where += [figures.c.table_id.in_(names)] if period.site else []
    found = defaultdict[str, _Sums](_Sums)
    for row in db.execute(said.where(*where).group_by(key[by])).mappings():
        found[_title(by, row["of"], names)].add(row)
    for led, part in _parts(db, names, period).items():
        of = {"table": led.table_id, "croupier": led.croupier, "hour": led.hour % 24}[by]
        found[_title(by, of, names)].add(stored(part))
    return found


def _parts(db: sa.Connection, names: dict[int, str], period: Period) -> dict[LedHour, Figures]:
    """The figures of the hours of which the period has only a part: its first and its last."""
    found: dict[LedHour, Figures] = {}
    since, until = period.since_ms, period.until_ms
    first, last = -(-since // HOUR_MS) * HOUR_MS, until // HOUR_MS * HOUR_MS
    for begin, end in ((since, min(first, until)), (max(last, first), until)):
        if begin < end:
            found |= counted(db, begin, end, {*names})
    return found


def _title(by: By, of: Any, names: dict[int, str]) -> str:
    match by:
        case "table":
            return names[of]
        case "hour":
            return f"{of:02d}:00"
    return str(of)


def _line(of: str, sums: _Sums) -> ReportLine:
    found = sums.of
    busy_ms = found["open_ms"] - found["idle_ms"]
    stakes, play, pay = (sums.spread(name) for name in ("stakes", "play", "pay"))
    return ReportLine(
        of=of,
        coups=found["coups"],
        annulled=found["annulled"],
        open_hours=round(found["open_ms"] / HOUR_MS, 3),
        idle_hours=round(found["idle_ms"] / HOUR_MS, 3),
        coups_an_hour=round(found["coups"] * HOUR_MS / busy_ms, 1) if busy_ms else None,
        stakes_p50_s=stakes[0], stakes_p90_s=stakes[1],
        play_p50_s=play[0], play_p90_s=play[1],
        pay_p50_s=pay[0], pay_p90_s=pay[1],
        staked=found["staked"],
        taken=found["taken"],
        cards=found["cards"],
        misreads=found["misreads"],
        misreads_of_10_000=_share(found["misreads"], found["cards"]),
        corrections=found["corrections"],
        rulings=found["rulings"],
        refusals=found["refusals"],
        alerts=found["alerts"],
        alerts_p50_s=sums.spread("answered")[0],
    )  # fmt: skip


def _share(many: int, cards: int) -> float | None:
    return round(10_000 * many / cards, 1) if cards else None


def _quantiles(found: Times, per_s: int) -> tuple[float | None, float | None]:
    """The median and the 90th percentile in seconds, rounded to tenths; None if there is none.

    `found` has the times in any order, and `per_s` is how many of its units are a second.
    """
    if not (many := len(found)):
        return None, None
    places = (many - 1) // 2, many // 2, int(0.9 * (many - 1))
    ordered = np.partition(found, places)
    low, high, ninth = (int(ordered[place]) for place in places)
    return round((low + high) / 2 / per_s, 1), round(ninth / per_s, 1)


def counts(store: Store, period: Period = ALWAYS) -> list[CountLine]:
    """Count misreads by reason, rulings with reasons, refusals by rule; the most frequent first."""
    kinds: tuple[tuple[str, type, str, str], ...] = (
        ("misread", p.Misread, "reason", ""), ("ruling", p.RulingRecord, "kind", "reason"),
        ("refusal", p.RefusedRecord, "said", "rule"),
    )  # fmt: skip
    with store.read() as db:
        names = _names(db, period)
        cards = {of: sums.of["cards"] for of, sums in _summed(db, "table", names, period).items()}
        found = []
        for kind, of, what, why in kinds:
            table = PROJECTED[of]
            because = table.c[why] if why else sa.literal("")
            said = sa.select(table.c.table_id, table.c[what], because, sa.func.count())
            said = said.where(table.c.t_ms >= period.since_ms, table.c.t_ms < period.until_ms)
            found += [
                CountLine(
                    of=names[row[0]], kind=kind, what=row[1], why=row[2], times=row[3],
                    of_10_000=_share(row[3], cards.get(names[row[0]], 0))
                    if kind == "misread" else None,
                )
                for row in db.execute(said.group_by(*said.selected_columns[:3]))
                if row[0] in names
            ]  # fmt: skip
    return sorted(found, key=lambda one: (one.kind, -one.times, one.of, one.what, one.why))


def responses(store: Store, period: Period = ALWAYS) -> list[ResponseLine]:
    """Make the report of how soon the alerts of each code were answered at each table."""
    raised = PROJECTED[p.Raised]
    within = raised.c.t_ms >= period.since_ms, raised.c.t_ms < period.until_ms
    of = raised.c.table_id, raised.c.code, raised.c.severity
    said = sa.select(*of, raised.c.t_ms, raised.c.seen_ms, raised.c.cleared_ms).where(*within)
    found = []
    with store.read() as db:
        names = _names(db, period)
        alerts = db.execute(said.order_by(*of)).mappings()
        for (id_, code, severity), several in groupby(alerts, itemgetter(*(c.name for c in of))):
            if id_ not in names:
                continue
            rows = list(several)
            took = np.fromiter(answers(rows), np.uint64)
            p50, p90 = _quantiles(took, 1000)
            found.append(
                ResponseLine(
                    of=names[id_], code=code, severity=severity, alerts=len(rows),
                    seen=sum(one["seen_ms"] is not None for one in rows),
                    still_open=sum(one["cleared_ms"] is None for one in rows),
                    p50_s=p50, p90_s=p90,
                    longest_s=round(int(took.max()) / 1000, 1) if len(took) else None,
                )
            )  # fmt: skip
    return sorted(found, key=lambda line: (line.of, line.code, line.severity))


def integrity(store: Store, period: Period = ALWAYS) -> list[IntegrityLine]:
    """Make the report of what is stored of each table, and which faults it had.

    `floor verify` computes the chains; this report does not.
    """
    with store.read() as db:
        names = _names(db, period)
        said = sa.select(faults.c.table_id, sa.func.count()).group_by(faults.c.table_id)
        wrong = {row[0]: row[1] for row in db.execute(said)}
        places = db.execute(sa.select(cursors)).mappings().all()
        gone = {
            (row.table_id, row.audience): row.seq
            for row in db.execute(sa.select(removed).where(~removed.c.void))
        }
    lines = [
        IntegrityLine(
            of=names[row["table_id"]], audience=row["audience"],
            rows=row["seq"] + row["void"] - gone.get((row["table_id"], row["audience"]), 0),
            void=row["void"], removed=gone.get((row["table_id"], row["audience"]), 0),
            streams=len(row["past"].split()) + 1, faults=wrong.get(row["table_id"], 0),
            head=row["head"].hex(),
        )
        for row in places
        if row["table_id"] in names
    ]  # fmt: skip
    return sorted(lines, key=lambda line: (line.of, line.audience))


# ---- Compares the Schlitten of all tables, to find results that are unlikely by chance

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
    return [_schlitten_line(row, among) for row in rows]


def _schlitten_line(row: Any, among: int) -> SchlittenLine:
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


# ---- All reports by their names, for the page, the command line and files

#: Each report's name.
REPORTS: Final = ("figures", "counts", "responses", "integrity", "schlitten")


def ready(store: Store, past: FloorPast) -> None:
    """Count what changed since, and compare the Schlitten that have ended since."""
    count(store)
    compare(store, past)


def made(name: str, store: Store, by: By, period: Period) -> list[Any]:
    """Make the lines of the report called `name`, one of `REPORTS`, of what has been counted."""
    match name:
        case "figures":
            return report(store, by, period)
        case "counts":
            return counts(store, period)
        case "responses":
            return responses(store, period)
        case "integrity":
            return integrity(store, period)
    return unlikely(store, period)
