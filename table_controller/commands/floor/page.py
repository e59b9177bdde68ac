"""Serves the pages of a running floor, and watches its tables meanwhile."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import cache, partial
from typing import Final

import msgspec
from msgspec import Struct
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from table_controller.adapters.addresses import is_loopback
from table_controller.adapters.metrics import exposition
from table_controller.adapters.web.serve import Server
from table_controller.engine.messages import Audience
from table_controller.engine.promises import SecretKey
from table_controller.engine.views import Snapshot
from table_controller.floor.alerts import AlertSettings
from table_controller.floor.certificates import Certificates
from table_controller.floor.floor import A_DAY_S, Floor
from table_controller.floor.metrics import measured
from table_controller.floor.past import FloorPast, Reads
from table_controller.floor.reports import known, ready
from table_controller.floor.retention import DAY_MS, remove_old
from table_controller.floor.roles import Right
from table_controller.floor.store import Store
from table_controller.floor.watch import Lookout
from table_controller.floor.web.alert_pages import AlertPages
from table_controller.floor.web.app import FloorPages
from table_controller.floor.web.door import FloorDoor, Page
from table_controller.floor.web.keeping import EnrolmentDesk, KeepingPages
from table_controller.floor.web.past_pages import PastPages
from table_controller.floor.web.report_pages import ReportPages
from table_controller.floor.web.sheets import Sheets
from table_controller.floor.web.view import Known
from table_controller.service import logs
from table_controller.wiring import config
from table_controller.wiring.games import DOORS, game
from table_controller.wiring.plan import now_ms
from table_controller.wiring.tasks import Tasks

#: How often what reports add up is counted, in seconds. A page counts what is new since.
COUNT_S: Final = 20.0

_shipped = cache(config.houses)


def frame(house: str) -> Snapshot | None:
    """Return the picture of an empty table in a shipped house; None for another house.

    The name comes from a table, which must not make the floor read a file.
    """
    return _frame(house) if house in _shipped() else None


@cache
def _frame(house: str) -> Snapshot:
    found = config.house(house)
    played = game(found.game)
    return played.snapshot(played.begin(found, SecretKey(bytes(32))), Audience.PUBLIC)


def reader(house: str, its_game: str) -> Reads | None:
    """Return how to find coups in the events of a table of this house; None for an unknown game.

    If the house is not shipped, only its game is known. Then the coups are found by the settings of
    a shipped house of the same game, and the chances of their outcomes are unknown.
    """
    if house in _shipped():
        return _reads(house, True)
    if its_game not in DOORS:
        return None
    like = next((one for one in _shipped() if config.house(one).game == its_game), None)
    return _reads(like, False) if like else None


@cache
def _reads(house: str, its_own: bool) -> Reads:
    found = config.house(house)
    played = game(found.game)
    expected = tuple(played.expected(found)) if its_own else ()
    return Reads(found.title, lambda events: played.coups(events, found), expected)


class ShownAt(Struct, frozen=True):
    """The address at which a floor's page is served, its other host names, and its certificates."""

    host: str
    names: tuple[str, ...] = ()
    certificates: Certificates | None = None

    @property
    def open(self) -> bool:
        """Whether other machines can reach the page."""
        return not is_loopback(self.host)


SHOWN_HERE = ShownAt("127.0.0.1")


@asynccontextmanager
async def paged(
    floor: Floor,
    port: int,
    settings: AlertSettings | None = None,
    shown: ShownAt = SHOWN_HERE,
    *,
    keep_days: int = 0,
) -> AsyncIterator[str]:
    """Serve a floor's pages and watch its tables. Yield the pages' address. Raises CannotServe.

    Events are removed after `keep_days`; 0 keeps them for ever.
    """
    sheets = Sheets(floor.roll.gate())
    watch = Lookout(
        floor.store, floor.live, floor.ledger.behind, settings or AlertSettings(),
        clock_ms=now_ms, now=time.monotonic, threads=floor.threads,
        beat=floor.listener.beat,
    )  # fmt: skip

    last: dict[str, Known] = {}

    def told() -> dict[str, Known]:
        nonlocal last
        with suppress(SQLAlchemyError):  # the page shows what the database said last
            last = known(floor.store, time.time)
        own, found = watch.own(), dict(last)
        for at, note in own.items():
            found[at.source] = msgspec.structs.replace(found.get(at.source, Known()), own=note)
        return found

    pages = FloorPages(
        floor.live, told, frame, sheets=sheets, names=frozenset(shown.names),
        late_s=floor.listener.late_s,
    )  # fmt: skip
    app = pages.app(*_beside(floor, sheets, watch, shown))
    pem = shown.certificates.served if shown.certificates and shown.open else None
    server = Server(app, shown.host, port, certificate=pem, key=pem)
    await server.start()
    watch.page = f"{server.url}/alerts"
    tasks = Tasks(lambda _part, _why: None, lambda _part: None)  # it logs what ends
    tasks.start("pages", pages.watch)
    tasks.start("alerts", watch.run)
    tasks.start("figures", partial(_count, floor, keep_days))
    try:
        yield server.url
    finally:
        await tasks.stop()
        await server.stop()


async def _count(floor: Floor, keep_days: int) -> None:
    """Count again and again what reports add up, so that none waits for it.

    Remove what is old at the start and once a day. What is removed has been counted before.
    """
    past, tidied = FloorPast(floor.store, reader), -A_DAY_S
    while True:
        try:
            await floor.threads.count(ready, floor.store, past)
            if keep_days and time.monotonic() - tidied >= A_DAY_S:
                tidied = time.monotonic()
                await floor.threads.count(_tidy, floor.store, keep_days)
        except SQLAlchemyError as error:
            logs.error("the figures are not counted", why=error.__class__.__name__)
        await asyncio.sleep(COUNT_S)


def _tidy(store: Store, keep_days: int) -> None:
    for why in remove_old(store, now_ms() - keep_days * DAY_MS):
        logs.error("old events are not removed", why=why)


def _beside(floor: Floor, sheets: Sheets, watch: Lookout, shown: ShownAt) -> list[Route]:
    """Return the routes of all pages except those of the tables."""
    past = FloorPast(floor.store, reader)
    alerts = AlertPages(sheets, watch, floor.listener.asking, floor.live, now_ms)
    routes = [
        *alerts.routes(), *PastPages(sheets, past).routes(),
        *ReportPages(sheets, floor.store, floor.threads).routes(),
        *KeepingPages(sheets, floor.store).routes(),
        Route("/metrics", _metrics(floor, watch, sheets.door)),
    ]  # fmt: skip
    if shown.certificates and floor.broker:
        root = shown.certificates.root
        desk = EnrolmentDesk(floor.store, floor.roll, root, floor.broker.port, floor.look)
        routes += desk.routes()
    return routes


def _metrics(floor: Floor, watch: Lookout, door: FloorDoor) -> Page:
    async def answered(_request: Request) -> Response:
        meters = measured(
            floor.live, watch, floor.listener, floor.ledger.behind(), time.monotonic()
        )
        return PlainTextResponse(exposition(meters), media_type="text/plain; version=0.0.4")

    return door.near_or_behind(Right.LOOK, answered)
