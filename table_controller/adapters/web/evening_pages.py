"""The pages about the past: all evenings, an evening's record, a coup step by step, statistics.

The module knows the data that `Chronicle` returns, and HTTP, but no game and no journal. The staff
also sees the speakers, refusals and rulings. Nobody sees closed cards (R-13, R-35).
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Awaitable, Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import cache, partial
from itertools import accumulate
from typing import Final, Protocol, TypeVar

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from table_controller.adapters.web import charts
from table_controller.adapters.web.entrance import theme
from table_controller.adapters.web.error_pages import TOO_MANY, refused
from table_controller.adapters.web.guard import locale, remember_language
from table_controller.adapters.web.screens import Renderer
from table_controller.engine.messages import phrase
from table_controller.engine.table.evening import RULINGS
from table_controller.rules.cards import Card
from table_controller.service.errors import ServiceError
from table_controller.service.evenings import Evening, EveningRecord, Ruling, Timed, paces
from table_controller.service.incident import Incident
from table_controller.service.paper import WRITERS, NoParquet, kinds
from table_controller.service.playback import OtherRules, PastMoment
from table_controller.service.statistics import Compared
from table_controller.words import card_words, text

#: Returns the answer to a request that may not see the staff's pages; None if it may see them.
Closed = Callable[[Request], Response | None]
Answering = Callable[[Request], Awaitable[Response]]
T = TypeVar("T")
#: The most guests' requests that may wait for an answer. Further guests are asked to try again
#: later.
MOST_GUESTS: Final = 4

NO_PARQUET: Final = phrase("This machine cannot write Parquet: take CSV or JSON.")


class Chronicle(Protocol):
    """Answers the pages' questions about the past.

    Each call may take a while, and may raise ServiceError.
    """

    @property
    def title(self) -> str:
        """The title of the table's house, for the pages' headings."""

    def evenings(self) -> tuple[Evening, ...]:
        """Return all evenings, in order. The last one may still be under way."""

    def record(self, number: int, /) -> EveningRecord | None:
        """Return the record of an evening; None if no evening has that number."""

    def moments(self, timed: Timed, /) -> tuple[PastMoment, ...]:
        """Return the moments of a coup.

        Raises OtherRules if today's rules decide the coup differently.
        """

    def incident(self, coups: int, until: int | None, /) -> Incident:
        """Return the last `coups` coups up to input `until` as an incident.

        Also raises IncidentError.
        """

    def compared(self) -> tuple[Compared, ...]:
        """Return the results of all evenings, each compared with fair cards."""


class EveningPages:
    """The pages about one table's past. `closed` returns the sign-in page for strangers."""

    def __init__(
        self,
        past: Chronicle,
        renderers: Mapping[str, Renderer],
        language: str,
        closed: Closed,
        *,
        taped: bool = False,
    ) -> None:
        """`taped` says whether there is a page about tapes."""
        self._taped = taped
        self._past, self._renderers = past, renderers
        self._language, self._closed = language, closed
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="evenings")
        self._guests = 0

    def routes(self) -> list[Route]:
        """Return the routes of these pages."""
        staff: dict[str, Answering] = {
            "/evenings": self._list,
            "/evenings/statistics": self._statistics,
            "/evenings/{number:int}": self._evening,
            "/evenings/{number:int}/coups/{coup:int}": partial(self._coup, staff=True),
            "/evenings/{number:int}/coups.{kind}": self._paper,
        }
        public: dict[str, Answering] = {
            "/public/evening": self._tonight,
            "/public/evening/coups/{coup:int}": partial(self._coup, staff=False),
        }
        return [
            *(Route(path, self._kept(page)) for path, page in staff.items()),
            *(Route(path, self._bounded(self._told(page))) for path, page in public.items()),
        ]

    def _kept(self, page: Answering) -> Answering:
        """Return the page for people who may see the staff's pages. Others get the sign-in page."""
        told = self._told(page)

        async def answered(request: Request) -> Response:
            return self._closed(request) or await told(request)

        return answered

    def _bounded(self, page: Answering) -> Answering:
        """Limit a public page that takes long to make: only a few people may wait for it."""

        async def answered(request: Request) -> Response:
            if self._guests >= MOST_GUESTS:
                return refused(self._renderer(request), TOO_MANY, 503, Retry_After="2")
            self._guests += 1
            try:
                return await page(request)
            finally:
                self._guests -= 1

        return answered

    async def _aside(self, work: Callable[..., T], *args: object) -> T:
        """Run the work in the one thread for such work. Sign-ins and other pages do not wait."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, partial(work, *args))

    def _told(self, page: Answering) -> Answering:
        """Make a page. If there is an error, the page is a sentence about it."""

        async def answered(request: Request) -> Response:
            try:
                return await page(request)
            except ServiceError:  # its text names files, which a visitor must not see
                why = phrase("The journal cannot be read now: call the technician.")
                return refused(self._renderer(request), why, 503)

        return answered

    def _renderer(self, request: Request) -> Renderer:
        return self._renderers[locale(request, self._language)]

    async def _page(self, request: Request, template: str, **seen: object) -> Response:
        """Render a page in a thread, since an evening of 300 coups takes long to render."""
        common: dict[str, object] = {
            "theme": theme(request),
            "clock": _clock,
            "day": _day,
            "named": partial(_named, locale=locale(request, self._language)),
            "place": self._past.title,
        }
        render = partial(self._renderer(request).render_beside, template, **common, **seen)
        answer = await self._packed(request, HTMLResponse(await self._aside(render)))
        remember_language(answer, request, self._language)
        return answer

    async def _packed(self, request: Request, answer: Response) -> Response:
        """Compress an answer in the one thread for such work.

        In the event loop a large answer would delay the table.
        """
        if "gzip" in request.headers.get("accept-encoding", ""):
            answer.body = await self._aside(gzip.compress, answer.body, 6)
            answer.headers["Content-Encoding"] = "gzip"
            answer.headers["Content-Length"] = str(len(answer.body))
            answer.headers["Vary"] = "Accept-Encoding"
        return answer

    def _missing(self, request: Request) -> Response:
        why = phrase("There is no such evening or coup: choose one from the list.")
        return refused(self._renderer(request), why, 404)

    async def _list(self, request: Request) -> Response:
        found = await self._aside(self._past.evenings)
        return await self._page(request, "evenings.html", evenings=found[::-1], taped=self._taped)

    async def _statistics(self, request: Request) -> Response:
        found = await self._aside(self._past.compared)
        return await self._page(request, "statistics.html", compared=found)

    async def _evening(self, request: Request) -> Response:
        record = await self._aside(self._past.record, request.path_params["number"])
        if record is None:
            return self._missing(request)
        return await self._page(
            request,
            "evening.html",
            record=record,
            staff=True,
            at=f"/evenings/{record.evening.number}",
            ruled=[
                (ruling, RULINGS[ruling.type].label, detail(ruling)) for ruling in record.rulings
            ],
            kinds=kinds(),
            **charts_of(record),
        )

    async def _tonight(self, request: Request) -> Response:
        record = await self._last()
        if record is None:
            why = phrase("No card was drawn at this table yet.")
            return refused(self._renderer(request), why, 404)
        return await self._page(
            request, "evening.html", record=record, staff=False, at="/public/evening"
        )

    async def _last(self) -> EveningRecord | None:
        found = await self._aside(self._past.evenings)
        return await self._aside(self._past.record, len(found)) if found else None

    async def _coup(self, request: Request, *, staff: bool) -> Response:
        number: int = request.path_params.get("number", 0)
        record = await (self._aside(self._past.record, number) if staff else self._last())
        at = request.path_params["coup"]
        if record is None or not 0 < at <= len(record.coups):
            return self._missing(request)
        timed = record.coups[at - 1]
        try:
            moments = await self._aside(self._past.moments, timed)
        except OtherRules:
            moments = ()
        home = f"/evenings/{number}" if staff else "/public/evening"
        return await self._page(
            request,
            "coup.html",
            record=record,
            timed=timed,
            moments=_shown(moments, staff=staff),
            staff=staff,
            home=home,
            at=at,
            last=len(record.coups),
        )

    async def _paper(self, request: Request) -> Response:
        number, kind = request.path_params["number"], request.path_params["kind"]
        record = await self._aside(self._past.record, number)
        if record is None or kind not in WRITERS:
            return self._missing(request)
        write, media = WRITERS[kind]
        try:
            content = await self._aside(write, record)
        except NoParquet:
            return refused(self._renderer(request), NO_PARQUET, 501)
        name = f"evening-{_day(record.evening.began_ms)}-{number}.{kind}"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return await self._packed(request, Response(content, headers=headers, media_type=media))


def _shown(moments: Iterable[PastMoment], *, staff: bool) -> list[PastMoment]:
    """Return the moments that changed the picture. For the staff, add all moments with an input."""
    shown: list[PastMoment] = []
    for moment in moments:
        same = shown and shown[-1].picture == moment.picture
        if not same or (staff and moment.said.line):
            shown.append(moment)
    return shown


def charts_of(record: EveningRecord) -> dict[str, charts.Chart | None]:
    """Return the charts of an evening: its coups per hour, their steps, and what the house took."""
    coups = record.coups
    pace = paces(record)
    numbers = [str(timed.coup.number) for timed in coups]
    steps = [(timed.stakes_s or 0, timed.cards_s or 0) for timed in coups]
    took = [_house(timed) for timed in coups]
    return {
        "pace": charts.bars([(many,) for _, many in pace], [_clock(at) for at, _ in pace]),
        "steps": charts.bars(steps, numbers),
        "house": charts.line([*accumulate(took)], numbers) if any(took) else None,
    }


def _house(timed: Timed) -> int:
    return next((one.value for one in timed.coup.figures if one.name == "house"), 0)


def detail(ruling: Ruling) -> str:
    """Return a ruling's details in words, field by field."""
    told = {name: value for name, value in ruling.fields.items() if value not in ("", None)}
    reason = told.pop("reason", "")
    fields = ", ".join(f"{name} {value}" for name, value in told.items() if name != "nonce")
    return ": ".join(filter(None, (fields, str(reason))))


@cache
def _named(card: Card, locale: str) -> str:
    """Return a card's name. It is cached, since an evening shows some cards thirty times."""
    return text(card_words(card), locale)


def _clock(t_ms: int) -> str:
    """Return the time of day, in this machine's time zone."""
    return f"{datetime.fromtimestamp(t_ms / 1000).astimezone():%H:%M}"


def _day(t_ms: int) -> str:
    return f"{datetime.fromtimestamp(t_ms / 1000).astimezone():%Y-%m-%d}"
