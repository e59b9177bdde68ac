"""Watches every table: stores the alerts, sends messages by the rules, notes who has seen what.

Only the leader watches. The alerts are in the database, so after a crash the floor continues with
them. An alert keeps its age, and nobody gets the same message twice.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import RLock
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from msgspec import Struct

from table_controller.adapters.mqtt_names import TableId
from table_controller.engine.messages import Severity
from table_controller.floor import sanitising
from table_controller.floor.alerts import (
    MISSING_S,
    ODD,
    UNTIL_SEEN,
    AlertSettings,
    Concern,
    Lately,
    concerns,
    due,
)
from table_controller.floor.deliver import NotDelivered, deliver, letter
from table_controller.floor.floor_alert import FloorAlert, Key, alike, kept_in, sentence
from table_controller.floor.live import LiveTables
from table_controller.floor.recent_figures import lately
from table_controller.floor.schema import deliveries, houses, notices, tables
from table_controller.floor.store import Store
from table_controller.floor.threads import Threads
from table_controller.floor.web.view import OwnNote
from table_controller.service import logs

#: How often the tables are compared, and how often the database is asked for their last hours.
LOOK_S: Final = 1.0
LATELY_S: Final = 20.0
#: How long after a table's first message an alert that the table no longer has counts as over.
#: After a start, the table's retained messages come one by one.
SETTLED_S: Final = 5.0
#: The most open alerts of a table. A table that lies makes any number.
MOST_OPEN: Final = 300
#: How long to wait before a person's server that took nothing is tried again.
AGAIN_MS: Final = 60_000
#: How many people are told at the same time. A server that hangs keeps one thread busy.
MOST_SENDING: Final = 4

_WORST: Final = {"stop": 0, "warning": 1, "notice": 2}
#: Alerts that a tile already shows from the live picture.
_SHOWN: Final = frozenset({"table_lost", "table_silent", *ODD})
#: Alerts that say that a table's rows cannot be trusted.
_DOUBTS: Final = frozenset({"does_not_hold", "new_journal"})


class Letter(Struct, frozen=True):
    """A message to send to a person now: alerts by number, each with the rule that applies."""

    person: str
    notices: tuple[tuple[int, str], ...]
    subject: str
    body: str


class Lookout:
    """Watches the tables: `run` watches until cancelled.

    `open` are the present alerts. `lately` are the figures of each table's last hours, as last
    read.
    """

    def __init__(
        self,
        store: Store,
        live: LiveTables,
        behind: Callable[[], Mapping[tuple[TableId, Any], int]],
        settings: AlertSettings,
        *,
        clock_ms: Callable[[], int],
        now: Callable[[], float],
        page: str = "",
        threads: Threads | None = None,
        beat: Callable[[], None] = lambda: None,
    ) -> None:
        """Prepare to watch the tables in `live`.

        `behind` returns how many rows of each table are missing. `settings` are the rules.
        `clock_ms` returns ms since 1970, and `now` seconds. `page` is the address of the page of
        alerts. `beat` is called before each look, so that the tables are not judged by a time in
        which the floor stood still.
        """
        self._store, self._live, self._behind = store, live, behind
        self.settings, self._clock, self._now, self.page = settings, clock_ms, now, page
        self._threads, self._beat = threads or Threads(), beat
        self.lately: dict[TableId, Lately] = {}
        self._lately_at = -LATELY_S
        self._missing_since: dict[TableId, float] = {}
        self._houses: dict[TableId, tuple[str, str]] = {}
        self._first_heard: dict[TableId, float] = {}
        self._later: dict[str, int] = {}
        self._failed: dict[str, tuple[str, Letter]] = {}  # who was not told last, and why
        self._settled: set[Key] = set()
        self._one_by_one = RLock()
        self._busy: set[str] = set()
        self._sending: set[asyncio.Task[None]] = set()
        self.open: dict[Key, FloorAlert] = kept_in(store)
        self.counts = {"told": 0, "failed": 0}
        """How many messages were sent, and how many failed."""

    async def run(self) -> None:
        """Look at the tables once a second until cancelled."""
        # separate threads: a server that hangs must not delay the writing of events
        threads = ThreadPoolExecutor(MOST_SENDING, "letters")
        try:
            while True:
                await self._round(threads)
                await asyncio.sleep(LOOK_S)
        finally:
            threads.shutdown(wait=False, cancel_futures=True)

    async def _round(self, threads: ThreadPoolExecutor) -> None:
        """Look once, and begin to send the letters."""
        self._beat()
        try:
            letters = await self._threads.watch(self.look)
        except sa.exc.SQLAlchemyError as error:
            logs.error("the floor's alerts are not kept", why=error.__class__.__name__)
            letters = []
        for one in letters:
            self._busy.add(one.person)
            task = asyncio.create_task(self._send(one, threads))
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)

    async def _send(self, one: Letter, threads: ThreadPoolExecutor) -> None:
        try:
            await asyncio.get_running_loop().run_in_executor(threads, self.send, one)
        except Exception as error:  # noqa: BLE001 - the edge of every task
            self._later[one.person] = self._clock() + AGAIN_MS
            logs.fault("an alert could not be sent", error, person=one.person)
        finally:
            self._busy.discard(one.person)

    def look(self) -> list[Letter]:
        """Compare the tables with the stored alerts. Return the messages to send now.

        Raises SQLAlchemyError. The alerts are then as the database has them, and the call may be
        repeated.
        """
        with self._one_by_one:
            try:
                return self._look()
            except sa.exc.SQLAlchemyError:
                self.open = kept_in(self._store)
                self._houses.clear()
                raise

    def _look(self) -> list[Letter]:
        now, now_ms = self._now(), self._clock()
        if now - self._lately_at >= LATELY_S:
            self._lately_at, self.lately = now, lately(self._store, now_ms)
        found = {(one.at, one.alert): one for one in self._concerns(now)}
        with self._store.engine.begin() as db:
            self._keep_houses(db)
            for key, concern in found.items():
                kept = self.open.get(key)
                if kept is None:
                    self._begin(db, concern, now_ms)
                elif concern.seen and kept.seen_ms is None:
                    self._note(db, kept, seen_ms=now_ms)
            for key, kept in list(self.open.items()):
                heard = self._first_heard.get(key[0], now)
                gone = key not in found and now - heard >= SETTLED_S
                if gone and kept.code not in UNTIL_SEEN:
                    self._note(db, kept, over_ms=now_ms)
                    del self.open[key]
        return self._letters(now_ms)

    def seen(self, at: TableId, alert: str, by: str, up_to: int = 0) -> FloorAlert | None:
        """Note that the person `by` has seen an alert. Return the alert; None if it is not open.

        The floor's own alerts like it, with a number up to `up_to`, are seen with it.
        """
        with self._one_by_one:
            kept = self.open.get((at, alert))
            if kept:
                like = [one for one in self.open.values() if alike(one) == alike(kept)]
                self._seen(
                    [kept, *(one for one in like if one is not kept and one.id <= up_to)], by
                )
            return kept

    def _seen(self, several: list[FloorAlert], by: str) -> None:
        """Note that somebody has seen these alerts, which are alike."""
        now_ms, at, code = self._clock(), several[0].at, several[0].code
        with self._store.engine.begin() as db:
            for kept in several:
                over = {"over_ms": now_ms} if code in UNTIL_SEEN else {}
                self._note(db, kept, seen_ms=kept.seen_ms or now_ms, seen_by=by, **over)
        if code in UNTIL_SEEN:
            for kept in several:
                del self.open[at, kept.alert]
                self._settled.add((at, kept.alert))
            if not any(one.at == at and one.code == code for one in self.open.values()):
                self._live.forgive(at)

    def own(self) -> dict[TableId, OwnNote]:
        """Return, for each table, the worst unseen alert that the floor itself raised.

        Alerts that a tile shows anyway are left out.
        """
        found: dict[TableId, OwnNote] = {}
        for kept in sorted(
            self.open.values(), key=lambda one: (_WORST[one.severity], one.began_ms)
        ):
            if kept.own and kept.code not in _SHOWN and kept.seen_ms is None:
                age = (self._clock() - kept.began_ms) / 1000
                doubted = kept.code in _DOUBTS
                note = OwnNote(Severity(kept.severity), kept.what, age, doubted)
                found.setdefault(kept.at, note)
        return found

    def send(self, one: Letter) -> None:
        """Send a message to a person, and store whether that succeeded."""
        failed = ""
        try:
            deliver(self.settings.mail, self.settings.people[one.person], one.subject, one.body)
        except NotDelivered as error:
            failed = str(error)
            self._later[one.person] = self._clock() + AGAIN_MS
            logs.error("an alert reached nobody", person=one.person, why=failed)
        self.counts["failed" if failed else "told"] += 1
        with self._one_by_one:
            of = {kept.id: kept for kept in self.open.values()}
            for id_, rule in one.notices:
                if kept := of.get(id_):
                    kept.failed = failed
                    kept.told |= frozenset() if failed else {(one.person, rule)}
        self._keep_told(one, failed)

    def _keep_told(self, one: Letter, failed: str) -> None:
        """Store that a person was told or, if `failed` says why not, that he was not.

        The same failure is stored once. If the database cannot store this, the person gets no
        message again until some time has passed.
        """
        if failed and self._failed.get(one.person) == (failed, one):
            return
        rows = [
            {"notice_id": id_, "person": one.person, "rule": rule, "t_ms": self._clock(),
             "failed": failed}
            for id_, rule in one.notices
        ]  # fmt: skip
        try:
            with self._store.engine.begin() as db:
                db.execute(deliveries.insert(), rows)
            self._failed[one.person] = failed, one
        except sa.exc.SQLAlchemyError as error:
            self._later[one.person] = self._clock() + AGAIN_MS
            why = error.__class__.__name__
            logs.error("who was told of an alert is not kept", person=one.person, why=why)

    def _concerns(self, now: float) -> Iterable[Concern]:
        missing = defaultdict[TableId, int](int)
        for (at, _), rows in self._behind().items():
            missing[at] += rows
        for at in list(self._missing_since):
            if at not in missing:
                del self._missing_since[at]
        known = {(key[0], one.alert) for key, one in self.open.items()}
        for at, shown in list(self._live.tables.items()):
            self._first_heard.setdefault(at, now)
            since = self._missing_since.setdefault(at, now) if at in missing else now
            late = missing.get(at, 0) if now - since >= MISSING_S else 0
            told = self.lately.get(at, Lately())
            for one in concerns(shown, told, late, now, self.settings.own):
                if one.code not in UNTIL_SEEN or (at, one.alert) in known or self._fresh(one):
                    yield one

    def _fresh(self, one: Concern) -> bool:
        """Whether the database has never had this alert.

        An alert that ended is not raised again.
        """
        key = one.at, one.alert
        if key not in self._settled:
            where = (tables.c.site == one.at.site, tables.c.name == one.at.table)
            said = sa.select(notices.c.id).join(tables).where(*where, notices.c.alert == one.alert)
            with self._store.read() as db:
                if db.scalar(said) is None:
                    return True
            self._settled.add(key)
        return False

    def _begin(self, db: sa.Connection, one: Concern, now_ms: int) -> None:
        """Store a new alert, unless its table has too many or is not yet in the database.

        The ledger enters a table with the table's first row.
        """
        id_ = db.scalar(_numbered(one.at))
        if id_ is None or sum(kept.at == one.at for kept in self.open.values()) >= MOST_OPEN:
            return
        made = FloorAlert(
            id=0, at=one.at, own=one.own, alert=one.alert, code=one.code,
            severity=one.severity.value, what=sanitising.sentence(one.what),
            remedy=sanitising.sentence(one.remedy),
            began_ms=min(one.since_ms or now_ms, now_ms), seen_ms=now_ms if one.seen else None,
        )  # fmt: skip
        row = {
            "table_id": id_, "own": made.own, "alert": made.alert,
            "code": made.code, "severity": made.severity,
            "what": msgspec.json.encode(made.what).decode(),
            "remedy": msgspec.json.encode(made.remedy).decode(),
            "began_ms": made.began_ms, "seen_ms": made.seen_ms, "seen_by": "", "over_ms": None,
        }  # fmt: skip
        made.id = int(db.scalar(notices.insert().values(row).returning(notices.c.id)) or 0)
        self.open[one.at, one.alert] = made

    def _note(self, db: sa.Connection, kept: FloorAlert, **news: Any) -> None:
        for name, value in news.items():
            setattr(kept, name, value)
        db.execute(notices.update().where(notices.c.id == kept.id).values(**news))

    def _keep_houses(self, db: sa.Connection) -> None:
        """Store what each table plays, so that its evenings can be read while the table is away."""
        rows = []
        for at, shown in list(self._live.tables.items()):
            if shown.info and self._houses.get(at) != (shown.info.house, shown.info.game):
                id_ = db.scalar(_numbered(at))
                if id_ is None:
                    continue
                self._houses[at] = shown.info.house, shown.info.game
                rows.append({"table_id": id_, "house": shown.info.house, "game": shown.info.game})
        self._store.upsert(db, houses, rows)

    def _letters(self, now_ms: int) -> list[Letter]:
        """Make one message for each person who must be told something now."""
        of = defaultdict[str, list[tuple[FloorAlert, str]]](list)
        informed = {(alike(one), told) for one in self.open.values() for told in one.told}
        for kept in self.open.values():
            if kept.seen_ms is None:
                age = (now_ms - kept.began_ms) / 1000
                for person, rule in due(
                    self.settings, kept.at, kept.code, kept.severity, age_s=age, told=kept.told
                ):
                    if (alike(kept), (person, rule)) not in informed:
                        informed.add((alike(kept), (person, rule)))
                        of[person].append((kept, rule))
        free = {name: rows for name, rows in of.items() if name not in self._busy}
        return [
            self._letter(person, rows)
            for person, rows in free.items()
            if self._later.get(person, 0) <= now_ms
        ]

    def _letter(self, person: str, rows: list[tuple[FloorAlert, str]]) -> Letter:
        once = {kept.id: kept for kept, _ in rows}
        told = [sentence(kept, self._live.game(kept.at)) for kept in once.values()]
        subject, body = letter(told, self.page)
        return Letter(person, tuple((kept.id, rule) for kept, rule in rows), subject, body)


def _numbered(at: TableId) -> Any:
    return sa.select(tables.c.id).where(tables.c.site == at.site, tables.c.name == at.table)
