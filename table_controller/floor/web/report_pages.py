"""The pages of the reports, with charts, and the same reports as files."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from table_controller.adapters.web import charts
from table_controller.adapters.web.evening_pages import NO_PARQUET
from table_controller.engine.messages import Phrase, phrase
from table_controller.floor import sanitising
from table_controller.floor.figures import MOST_AT_ONCE, count
from table_controller.floor.files import SUFFIXES, written
from table_controller.floor.reports import REPORTS, By, Period, ReportLine, made
from table_controller.floor.roles import Right
from table_controller.floor.store import Store
from table_controller.floor.threads import Threads, TooBusy
from table_controller.floor.web.past_pages import NO_DATE, NotADate, moment
from table_controller.floor.web.sheets import Sheets
from table_controller.service.paper import NoParquet, kinds

#: How many lines a table on the page shows; a file has all of them.
MOST_LINES: Final = 200
#: How many bars a chart has at most.
MOST_BARS: Final = 40
BYS: Final[tuple[By, ...]] = ("table", "croupier", "hour")


class ReportPages:
    """The pages of the reports, from the database."""

    def __init__(self, sheets: Sheets, store: Store, threads: Threads | None = None) -> None:
        self._sheets, self._store, self._threads = sheets, store, threads or Threads()

    def routes(self) -> list[Route]:
        """Return the routes of these pages."""
        read = partial(self._sheets.door.behind, Right.READ)
        return [
            Route("/reports", read(self._page)),
            Route("/reports/{name}.{kind}", read(self._file)),
        ]

    async def _page(self, request: Request) -> Response:
        by, wrong = _by(request), None
        try:
            period = _period(request)
        except NotADate as not_one:
            period, wrong = Period(), phrase(NO_DATE.text, what=sanitising.shown(str(not_one), 40))
        seen = {
            "by": by, "bys": BYS, "wrong": wrong, "most": MOST_LINES,
            "asked": {name: request.query_params.get(name, "")[:40] for name in ASKED},
            "query": request.url.query[:300], "kinds": kinds(),
        }  # fmt: skip
        make = partial(self._all, seen, by, period)
        try:
            return await self._sheets.shared(
                request, self._threads.report, "floor_reports.html", make
            )
        except TooBusy as busy:
            return self._busy(request, busy)

    def _all(self, seen: dict[str, Any], by: By, period: Period) -> dict[str, Any]:
        left = count(self._store, MOST_AT_ONCE)
        found = {name: made(name, self._store, by, period) for name in REPORTS}
        return seen | found | _charts(found["figures"]) | {"left": left}

    def _lines(self, name: str, by: By, period: Period) -> list[Any]:
        count(self._store, MOST_AT_ONCE)
        return made(name, self._store, by, period)

    async def _file(self, request: Request) -> Response:
        name, kind = request.path_params["name"], request.path_params["kind"]
        if name not in REPORTS or kind not in SUFFIXES:
            return self._refused(request, phrase("There is no such report."), 404)
        try:
            period = _period(request)
            by = _by(request)
            lines = await self._threads.report(self._lines, name, by, period)
            content = await asyncio.to_thread(written, lines, kind)
        except TooBusy as busy:
            return self._busy(request, busy)
        except NotADate as not_one:
            what = phrase(NO_DATE.text, what=sanitising.shown(str(not_one), 40))
            return self._refused(request, what, 400)
        except NoParquet:
            return self._refused(request, NO_PARQUET, 501)
        headers = {"Content-Disposition": f'attachment; filename="{name}.{kind}"'}
        return Response(content, headers=headers, media_type=SUFFIXES[kind])

    def _busy(self, request: Request, busy: TooBusy) -> Response:
        """Several reports are being made: ask to come again, and say when."""
        why = phrase("Other reports are being made. Come again in {s} s.", s=busy.again_s)
        answer = self._refused(request, why, 503)
        answer.headers["Retry-After"] = str(busy.again_s)
        return answer

    def _refused(self, request: Request, why: Phrase, status: int) -> Response:
        return self._sheets.refused(request, why, status)


ASKED: Final = ("since", "until", "site")


def _by(request: Request) -> By:
    return next((one for one in BYS if one == request.query_params.get("by")), "table")


def _period(request: Request) -> Period:
    """The period that the request's address asks for. Raises NotADate."""
    since, until, site = (request.query_params.get(name, "").strip() for name in ASKED)
    first, last = moment(since), moment(until, days=1)
    return Period(
        since_ms=0 if first is None else first,
        until_ms=2**62 if last is None else last,
        site=site,
    )


def _charts(lines: list[ReportLine]) -> dict[str, charts.Chart]:
    """The charts of the pace, the phases' median times and the misreads; each line is a column."""
    some = lines[:MOST_BARS]
    names = [line.of.rpartition("/")[2][:14] or "–" for line in some]
    phases = [(one.stakes_p50_s or 0, one.play_p50_s or 0, one.pay_p50_s or 0) for one in some]
    return {
        "pace": charts.bars([(one.coups_an_hour or 0,) for one in some], names),
        "phases": charts.bars(phases, names),
        "unread": charts.bars([(one.misreads_of_10_000 or 0,) for one in some], names),
    }
