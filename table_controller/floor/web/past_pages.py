"""The pages of the past: a table's evenings, an evening coup by coup, the search."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from table_controller.adapters.mqtt_names import TableId
from table_controller.adapters.web.evening_pages import NO_PARQUET, charts_of, detail
from table_controller.engine.messages import Phrase, phrase
from table_controller.engine.table.evening import RULINGS
from table_controller.floor import sanitising
from table_controller.floor.past import MOST_FOUND, FloorPast, NoEvents, ToldLine, Wanted
from table_controller.floor.roles import Right
from table_controller.floor.web.sheets import Sheets
from table_controller.service.errors import ServiceError
from table_controller.service.evenings import EveningRecord
from table_controller.service.paper import WRITERS, NoParquet, kinds

Answering = Callable[[Request, TableId], Awaitable[Response]]

NO_EVENING: Final = phrase("There is no such evening or coup: choose one from the list.")
REMOVED: Final = phrase(
    "The events of this evening are no longer kept here. The table has them: open its own page."
)
UNREADABLE: Final = phrase("This evening cannot be read: the table told nonsense.")
#: The errors of rows that do not fit each other or their game: the table told them, and nothing
#: here has judged them before.
UNREAD: Final = (
    ServiceError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError,
)  # fmt: skip
NO_DATE: Final = phrase("{what} is no date: write it as 2026-11-20.")
#: Letters of a coup's event on its page.
MOST_FIELD: Final = 160
#: The fields of the search, in the order of the page.
FIELDS: Final = ("table", "since", "until", "game", "winner", "person", "ruling", "alert")


class PastPages:
    """The pages of the past. `past` reads the data that they show."""

    def __init__(self, sheets: Sheets, past: FloorPast) -> None:
        self._sheets, self._past = sheets, past

    def routes(self) -> list[Route]:
        """Return the routes of these pages."""
        below = "/table/{site}/{table}"
        return [
            Route("/search", self._sheets.door.behind(Right.READ, self._search)),
            Route(f"{below}/evenings", self._of(self._list)),
            Route(f"{below}/at/{{t_ms:int}}", self._of(self._at)),
            Route(f"{below}/evenings/{{number:int}}", self._of(self._evening)),
            Route(f"{below}/evenings/{{number:int}}/coups.{{kind}}", self._of(self._paper)),
            Route(f"{below}/evenings/{{number:int}}/coups/{{coup:int}}", self._of(self._coup)),
        ]

    def _of(self, page: Answering) -> Callable[[Request], Awaitable[Response]]:
        """Make a page about one table. An error in reading becomes a sentence on the page."""

        async def answered(request: Request) -> Response:
            try:
                at = TableId(request.path_params["site"], request.path_params["table"])
            except ValueError:
                return self._missing(request)
            try:
                return await page(request, at)
            except NoEvents:
                return self._sheets.refused(request, REMOVED, 410)
            except NoParquet:
                return self._sheets.refused(request, NO_PARQUET, 501)
            except UNREAD:
                return self._sheets.refused(request, UNREADABLE, 500)

        return self._sheets.door.behind(Right.READ, answered)

    def _missing(self, request: Request) -> Response:
        return self._sheets.refused(request, NO_EVENING, 404)

    async def _list(self, request: Request, at: TableId) -> Response:
        found = await asyncio.to_thread(self._past.evenings, at)
        return await self._sheets.page(
            request, "floor_evenings.html", evenings=found[::-1], name=_name(at), home=_home(at)
        )

    async def _at(self, request: Request, at: TableId) -> Response:
        """Redirect to the evening at a given moment."""
        t_ms = request.path_params["t_ms"]
        for one in await asyncio.to_thread(self._past.evenings, at):
            if one.ended_ms >= t_ms:
                return RedirectResponse(f"{_home(at)}/evenings/{one.number}", 303)
        return self._missing(request)

    async def _record(self, request: Request, at: TableId) -> tuple[str, EveningRecord] | None:
        return await asyncio.to_thread(self._past.record, at, request.path_params["number"])

    async def _evening(self, request: Request, at: TableId) -> Response:
        found = await self._record(request, at)
        if found is None:
            return self._missing(request)
        game, record = found
        return await self._sheets.page(
            request,
            "floor_evening.html",
            game=game,
            record=record,
            staff=True,
            at=request.url.path,
            home=_home(at),
            place=_name(at),
            ruled=[
                (ruling, RULINGS[ruling.type].label, sanitising.shown(detail(ruling), MOST_FIELD))
                for ruling in record.rulings
            ],
            kinds=kinds(),
            **charts_of(record),
        )

    async def _coup(self, request: Request, at: TableId) -> Response:
        found, coup = await self._record(request, at), request.path_params["coup"]
        if found is None or not 0 < coup <= len(found[1].coups):
            return self._missing(request)
        game, record = found
        timed = record.coups[coup - 1]
        lines = await asyncio.to_thread(self._past.lines, at, timed)
        return await self._sheets.page(
            request,
            "floor_coup.html",
            game=game,
            timed=timed,
            lines=[(line, _fields(line)) for line in lines],
            at=coup,
            last=len(record.coups),
            home=f"{_home(at)}/evenings/{record.evening.number}",
            place=_name(at),
        )

    async def _paper(self, request: Request, at: TableId) -> Response:
        found, kind = await self._record(request, at), request.path_params["kind"]
        if found is None or kind not in WRITERS:
            return self._missing(request)
        (_, record), (write, media) = found, WRITERS[kind]
        content = await asyncio.to_thread(write, record)
        name = f"{at.site}-{at.table}-{record.evening.number}.{kind}"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(content, headers=headers, media_type=media)

    async def _search(self, request: Request) -> Response:
        said = {name: request.query_params.get(name, "") for name in FIELDS}
        asked = {name: text.replace("\0", "").strip()[:80] for name, text in said.items()}
        wrong: Phrase | None = None
        found = []
        if any(asked.values()):
            try:
                wanted = _wanted(asked)
            except NotADate as not_one:
                wrong = phrase(NO_DATE.text, what=sanitising.shown(str(not_one), 40))
            else:
                found = await asyncio.to_thread(self._past.search, wanted)
        return await self._sheets.page(
            request, "floor_search.html", asked=asked, found=found, wrong=wrong,
            searched=any(asked.values()) and not wrong, most=MOST_FOUND,
        )  # fmt: skip


class NotADate(ValueError):
    """A date is needed, but the text is no date."""


def _wanted(asked: dict[str, str]) -> Wanted:
    since, until = moment(asked["since"]), moment(asked["until"], days=1)
    rest = {name: asked[name] for name in FIELDS if name not in ("since", "until")}
    return Wanted(since_ms=since, until_ms=until, **rest)


def moment(text: str, *, days: int = 0) -> int | None:
    """The beginning of a day by the floor's local time, in ms since 1970. Raises NotADate.

    `days` are added to the day. The result is None if the text is empty.
    """
    if not text:
        return None
    try:
        day = datetime.strptime(text, "%Y-%m-%d").astimezone() + timedelta(days=days)
    except (ValueError, OverflowError):
        raise NotADate(text) from None
    return int(day.timestamp() * 1000)


def _fields(line: ToldLine) -> str:
    """An event's fields in one line, without the proofs, which nobody reads."""
    hidden = ("nonce", "commitment")
    told = (f"{name} {_short(value)}" for name, value in line.said.items() if name not in hidden)
    return sanitising.shown(", ".join(told), MOST_FIELD)


def _short(value: Any) -> str:
    if isinstance(value, dict) and "text" in value:  # a phrase
        return str(value["text"])
    return "–" if value is None else str(value)


def _name(at: TableId) -> str:
    return f"{at.site} / {at.table}"


def _home(at: TableId) -> str:
    return f"/table/{at.site}/{at.table}"
