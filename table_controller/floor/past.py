"""The past of all tables, from their events: evenings coup by coup, and a search.

A closed card is in no event, so no closed card is found here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any, Final, NamedTuple

import msgspec
import sqlalchemy as sa
from msgspec import Struct, structs

from table_controller.adapters.mqtt_names import TableId
from table_controller.engine.table.evening import RULINGS
from table_controller.floor import projections as p
from table_controller.floor.figures import HOUR_MS, MOST_AT_ONCE, count, leading_at, leads, led_by
from table_controller.floor.removed import last_removed
from table_controller.floor.schema import PROJECTED, events, figures, houses, of_one, tables
from table_controller.floor.store import Store
from table_controller.service.evenings import (
    BREAK_MS,
    Evening,
    EveningRecord,
    Ruling,
    Timed,
    told,
)
from table_controller.service.passages import COUNTED, CardsOut, Passed
from table_controller.service.rows import EventRow

#: How many results one page shows. A search finds the newest.
MOST_FOUND: Final = 200
#: Among so few tables a search looks at one after the other; among more, at all of them in time.
_FEW_TABLES: Final = 20


class Reads(NamedTuple):
    """How to read a house's events. `coups` is a function that finds the coups.

    `expected` has the chances of the results (`Expected`).
    """

    title: str
    coups: Callable[[Iterable[dict[str, Any]]], Iterable[Any]]
    expected: tuple[Any, ...]


#: The reader of a house and its game, by their ids; None for an unknown house.
Readers = Callable[[str, str], Reads | None]


class ToldLine(Struct, frozen=True):
    """An event of a coup, as the floor's page shows it. `said` are the event's fields."""

    t_ms: int
    audience: str
    kind: str
    said: dict[str, Any]


class Wanted(Struct, frozen=True, kw_only=True):
    """What to search for. An empty text allows anything. Times are in ms since 1970."""

    table: str = ""
    since_ms: int | None = None
    until_ms: int | None = None
    game: str = ""
    winner: str = ""
    person: str = ""
    ruling: str = ""
    alert: str = ""


class PastFind(Struct, frozen=True, kw_only=True):
    """A result of a search: a coup, a ruling or an alert (`kind`)."""

    kind: str
    at: TableId
    t_ms: int
    game: str
    what: str
    more: str
    staked: int | None
    croupier: str


class NoEvents(Exception):
    """The events of this evening were removed. Its coups are known only to reports and search."""


class FloorPast:
    """Reads the past of any table. `readers` gives, for each game, the reader of its events."""

    def __init__(self, store: Store, readers: Readers) -> None:
        self._store, self._readers = store, readers

    def reads(self, at: TableId) -> Reads | None:
        """How to read this table's events; None if it is not known what the table plays."""
        house = self._house(at)
        return house[1] if house else None

    def _house(self, at: TableId) -> tuple[str, Reads] | None:
        """The game of this table and how to read its events; None if they are not known."""
        said = sa.select(houses.c.house, houses.c.game).join(tables)
        with self._store.read() as db:
            row = db.execute(said.where(*_named(at))).one_or_none()
        reads = self._readers(row.house, row.game) if row else None
        return (row.game, reads) if row and reads else None

    def evenings(self, at: TableId) -> tuple[Evening, ...]:
        """The evenings of a table, from its decided coups. The present evening is the last."""
        coups = PROJECTED[p.DecidedCoup]
        said = sa.select(coups.c.seq, coups.c.dealt_ms, coups.c.settled_ms, coups.c.cards)
        with self._store.read() as db:
            rows = db.execute(said.join(tables).where(*_named(at)).order_by(coups.c.seq)).all()
        found: list[list[Any]] = []
        for row in rows:
            if not found or row.dealt_ms - found[-1][-1].settled_ms >= BREAK_MS:
                found.append([])
            found[-1].append(row)
        firsts = [1, *(some[-1].seq + 1 for some in found)]
        return tuple(
            Evening(
                number=number, first=firsts[number - 1], last=some[-1].seq,
                began_ms=some[0].dealt_ms, ended_ms=some[-1].settled_ms,
                cards=sum(row.cards for row in some),
            )
            for number, some in enumerate(found, 1)
        )  # fmt: skip

    def record(self, at: TableId, number: int) -> tuple[str, EveningRecord] | None:
        """The game and the record of an evening.

        None if there is no such evening, or if it is not known what the table plays. Raises
        NoEvents.
        """
        house, found = self._house(at), self.evenings(at)
        if house is None or not 0 < number <= len(found):
            return None
        game, reads = house
        evening = found[number - 1]
        until = found[number].last if number < len(found) else 2**62
        half = BREAK_MS // 2
        around = evening.began_ms - half, evening.ended_ms + half
        with self._store.read() as db:
            id_ = db.scalar(sa.select(tables.c.id).where(*_named(at))) or 0
            if _first_coup(db, id_, evening) <= last_removed(db, id_, "public").seq:
                raise NoEvents
            rows = [
                _event(row)
                for row in _rows(db, id_, "public", evening.first, until)
                if around[0] <= row["t_ms"] <= around[1]
            ]
            ruled = tuple(_rulings(db, id_, around))
            last = rows[-1].seq if rows else 0
            mine = (*of_one(events, id_, "public"), ~events.c.void)
            link = db.scalar(sa.select(events.c.link).where(*mine, events.c.seq == last))
        return game, told(
            rows, reads.coups, evening, rulings=ruled, drawn=_left(rows), public_rows=last,
            chain=(link or b"").hex(), over=number < len(found),
        )  # fmt: skip

    def lines(self, at: TableId, timed: Timed) -> list[ToldLine]:
        """All events of a coup in the order of their times, including those for the staff."""
        with self._store.read() as db:
            id_ = db.scalar(sa.select(tables.c.id).where(*_named(at))) or 0
            public = _rows(db, id_, "public", timed.first, timed.last)
            if not public:
                return []
            around = public[0]["t_ms"], public[-1]["t_ms"]
            mine = (*of_one(events, id_, "croupier"), ~events.c.void)
            said = sa.select(events).where(*mine, events.c.t_ms.between(*around))
            staff = db.execute(said.order_by(events.c.seq)).mappings().all()
        rows = sorted([*public, *staff], key=lambda row: row["t_ms"])
        return [ToldLine(row["t_ms"], row["audience"], row["kind"], _said(row)) for row in rows]

    def search(self, wanted: Wanted) -> list[PastFind]:
        """The results of a search, the newest first, at most `MOST_FOUND`."""
        if wanted.person:
            count(self._store, MOST_AT_ONCE)
        with self._store.read() as db:
            at = _tables(db, wanted)
            if wanted.person:
                found = _of_person(db, wanted, at)
            else:
                rows = _found(db, wanted, at)
                found = [(row, led_by(db, row.table_id, row.t_ms)) for row in rows]
        return [_find(row, croupier, *at[row.table_id]) for row, croupier in found]


#: The tables among which a search looks, by their numbers, each with the game that it plays.
_Tables = dict[int, tuple[TableId, str]]


def _tables(db: sa.Connection, wanted: Wanted) -> _Tables:
    said = sa.select(tables.c.id, tables.c.site, tables.c.name, houses.c.game).outerjoin(houses)
    where = [_holds(tables.c.site + "/" + tables.c.name, wanted.table)] if wanted.table else []
    where += [_holds(houses.c.game, wanted.game)] if wanted.game else []
    rows = db.execute(said.where(*where))
    return {row.id: (TableId(row.site, row.name), row.game or "") for row in rows}


def _find(row: Any, croupier: str, at: TableId, game: str) -> PastFind:
    return PastFind(
        kind=row.of, at=at, t_ms=row.t_ms, game=game, what=row.what, more=row.more,
        staked=row.staked, croupier=croupier,
    )  # fmt: skip


def _of_person(db: sa.Connection, wanted: Wanted, at: _Tables) -> list[tuple[Any, str]]:
    """The newest rows of croupiers, each with his name. The figures say who led in which hour."""
    names = [
        name for name in _different(db, figures.c.croupier)
        if wanted.person.casefold() in name.casefold()
    ]  # fmt: skip
    since, until = wanted.since_ms or 0, 2**62 if wanted.until_ms is None else wanted.until_ms
    said = sa.select(figures.c.hour, figures.c.table_id).where(
        figures.c.croupier.in_(names), figures.c.table_id.in_(at),
        figures.c.hour.between(since // HOUR_MS, until // HOUR_MS),
    )  # fmt: skip
    found: list[tuple[Any, str]] = []
    hours = db.execute(said.order_by(figures.c.hour.desc()).execution_options(yield_per=100))
    for hour, several in groupby(hours, lambda row: row.hour):
        ids = {row.table_id for row in several}
        first, last = max(since, hour * HOUR_MS), min(until, (hour + 1) * HOUR_MS)
        within = structs.replace(wanted, since_ms=first, until_ms=last)
        rows = _found(db, within, {id_: at[id_] for id_ in ids}, most=None)
        led = leads(db, first, last, {row.table_id for row in rows}) if rows else {}
        for row in rows:
            croupier = leading_at(led[row.table_id], row.t_ms)
            if croupier in names:
                found.append((row, croupier))
        if len(found) >= MOST_FOUND:
            break
    return found[:MOST_FOUND]


def _found(
    db: sa.Connection, wanted: Wanted, at: _Tables, most: int | None = MOST_FOUND
) -> list[Any]:
    """The newest rulings or alerts if these are wanted, otherwise coups, of the tables `at`."""
    said = _looked(wanted)
    if not wanted.ruling and not wanted.alert and wanted.winner:
        winner = PROJECTED[p.DecidedCoup].c.winner
        known = [one for one in _different(db, winner) if one.lower() == wanted.winner.lower()]
        said = said.where(winner.in_(known))
    of = said.selected_columns.table_id
    if len(at) > _FEW_TABLES:
        return list(db.execute(said.where(of.in_(at)).limit(most)))
    rows = [row for id_ in at for row in db.execute(said.where(of == id_).limit(most))]
    return sorted(rows, key=lambda row: -row.t_ms)[:most]


def _looked(wanted: Wanted) -> sa.Select[Any]:
    """The statement that finds rulings or alerts, if these are wanted, otherwise coups."""
    if wanted.ruling:
        name, of, what, more = "ruling", PROJECTED[p.RulingRecord], "kind", "reason"
    elif wanted.alert:
        name, of, what, more = "alert", PROJECTED[p.Raised], "code", "severity"
    else:
        name, of, what, more = "coup", PROJECTED[p.DecidedCoup], "number", "winner"
    coups = name == "coup"
    t_ms = of.c.settled_ms if coups else of.c.t_ms
    said = sa.select(
        sa.literal(name).label("of"), of.c.table_id, t_ms.label("t_ms"),
        sa.cast(of.c[what], sa.Text).label("what"), of.c[more].label("more"),
        (of.c.staked if coups else sa.null()).label("staked"),
    )  # fmt: skip
    where = [t_ms >= wanted.since_ms] if wanted.since_ms is not None else []
    where += [t_ms < wanted.until_ms] if wanted.until_ms is not None else []
    text = wanted.ruling or wanted.alert
    where += [_holds(of.c[what] + " " + of.c[more], text)] if text not in ("", "*") else []
    return said.where(*where).order_by(t_ms.desc())


def _different(db: sa.Connection, column: Any) -> list[str]:
    """The different texts of a column with an index, without reading every row."""
    one = sa.select(sa.func.min(column).label("text")).cte("different", recursive=True)
    further = sa.select(sa.func.min(column)).where(column > one.c.text).scalar_subquery()
    one = one.union_all(sa.select(further).where(one.c.text.is_not(None)))
    return list(db.scalars(sa.select(one.c.text).where(one.c.text.is_not(None))))


def _holds(column: Any, text: str) -> Any:
    return sa.func.lower(column).contains(text.lower(), autoescape=True)


def _left(rows: list[EventRow]) -> int:
    """How many cards left during these public rows. The Schlitten may be in use before them."""
    counted = [
        (row.type, msgspec.json.decode(row.body or b"{}", type=Passed))
        for row in rows
        if row.type in COUNTED
    ]
    first = next((said.ordinal for _, said in counted if said.ordinal), 1)
    passages = CardsOut(first - 1)
    return sum(passages.read(kind, said)[0] for kind, said in counted)


def _first_coup(db: sa.Connection, id_: int, evening: Evening) -> int:
    """The number of the event that decided an evening's first coup."""
    coups = PROJECTED[p.DecidedCoup]
    mine = coups.c.table_id == id_, coups.c.seq >= evening.first
    return int(db.scalar(sa.select(sa.func.min(coups.c.seq)).where(*mine)) or 0)


def _named(at: TableId) -> tuple[Any, Any]:
    return tables.c.site == at.site, tables.c.name == at.table


def _rows(db: sa.Connection, id_: int, audience: str, first: int, last: int) -> Any:
    mine = (*of_one(events, id_, audience), ~events.c.void)
    said = sa.select(events).where(*mine, events.c.seq.between(first, last))
    return db.execute(said.order_by(events.c.seq)).mappings().all()


def _event(row: Any) -> EventRow:
    """A public row as an event.

    Since the row does not name its input, the row's own number stands for the input's number.
    """
    return EventRow(
        row["seq"], row["seq"], row["t_ms"], row["audience"], row["seq"], row["kind"], row["body"],
        None, row["link"],
    )  # fmt: skip


def _rulings(db: sa.Connection, id_: int, around: tuple[int, int]) -> Iterator[Ruling]:
    mine = (events.c.table_id == id_, ~events.c.void, events.c.kind.in_(RULINGS))
    said = sa.select(events).where(*mine, events.c.t_ms.between(*around)).order_by(events.c.t_ms)
    for row in db.execute(said).mappings():
        fields = _said(row)
        yield Ruling(
            t_ms=row["t_ms"], type=row["kind"], by=str(fields.pop("by", "")), fields=fields
        )


def _said(row: Any) -> dict[str, Any]:
    """An event's fields without its type; an empty dictionary if the event cannot be read."""
    try:
        fields: dict[str, Any] = msgspec.json.decode(row["body"], type=dict[str, Any])
    except (ValueError, RecursionError):
        return {}
    fields.pop("type", None)
    return fields
