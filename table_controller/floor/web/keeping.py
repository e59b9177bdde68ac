"""The page that shows the audit, and the web addresses at which tables join.

It knows the database.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from math import ceil
from pathlib import Path
from time import monotonic
from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from table_controller.adapters.enrolling import (
    ARRIVED_AT,
    ENROL_AT,
    ROOT_AT,
    EnrolmentAsked,
    EnrolmentRefused,
    HasArrived,
)
from table_controller.adapters.web.gate import Guesses
from table_controller.adapters.web.guard import NotSaid, address_of, read_as
from table_controller.engine.messages import Phrase, phrase
from table_controller.floor import enrol, people
from table_controller.floor.people import PAGE_ROWS, Did, Roll
from table_controller.floor.roles import Right
from table_controller.floor.store import Store
from table_controller.floor.web.sheets import Sheets

#: What somebody did, for people.
DONE: Final[dict[str, Phrase]] = {
    Did.SIGNED_IN: phrase("signed in"),
    Did.REFUSED: phrase("a wrong PIN was refused"),
    Did.PERSON_ADDED: phrase("gave somebody a role"),
    Did.PERSON_REMOVED: phrase("took somebody's role"),
    Did.CODE_MADE: phrase("made a code for a table"),
    Did.CODE_REFUSED: phrase("a code was refused"),
    Did.ENROLLED: phrase("joined by its code"),
    Did.ARRIVED: phrase("heard the table for the first time"),
    Did.TABLE_REMOVED: phrase("removed a table"),
}
_CLOSED: Final = (
    "No code like this works: it was used, it is older than 15 minutes, or it was mistyped. Make "
    "another at the floor: `schlitten floor add SITE TABLE`."
)


class KeepingPages:
    """The page of the audit."""

    def __init__(self, sheets: Sheets, store: Store) -> None:
        self._sheets, self._store = sheets, store

    def routes(self) -> list[Route]:
        """Return the routes of these pages."""
        return [Route("/audit", self._sheets.door.behind(Right.AUDIT, self._audit))]

    async def _audit(self, request: Request) -> Response:
        said = request.query_params.get("before", "")
        before = int(said) if said.isdecimal() and len(said) < 16 else 0
        rows = await asyncio.to_thread(people.noted, self._store, before)
        return await self._sheets.page(
            request,
            "audit.html",
            rows=[(_when(row.t_ms), row, DONE.get(row.did, Phrase(""))) for row in rows],
            before=rows[-1].id if len(rows) == PAGE_ROWS else 0,
        )


class EnrolmentDesk:
    """Answers the requests of tables that join.

    `look` lets the broker admit the tables that were added. `port` is the broker's port for tables.
    """

    def __init__(
        self,
        store: Store,
        roll: Roll,
        root: Path,
        port: int,
        look: Callable[[], Awaitable[None]],
    ) -> None:
        self._store, self._roll, self._root, self._port = store, roll, root, port
        self._look, self._guesses = look, Guesses(monotonic)

    def routes(self) -> list[Route]:
        """The routes that tables use. They need no sign-in."""
        return [
            Route(ROOT_AT, self._authority),
            Route(ENROL_AT, self._enrol, methods=["POST"]),
            Route(ARRIVED_AT, self._arrived, methods=["POST"]),
        ]

    async def _authority(self, _request: Request) -> Response:
        return Response(self._root.read_bytes(), media_type="application/x-pem-file")

    async def _enrol(self, request: Request) -> Response:
        """Admit a table, once for each code.

        After too many wrong codes, an address must wait.
        """
        whose = "", address_of(request), False
        wait_s = ceil(self._guesses.wait_s(whose))
        if wait_s:
            return _no(f"Too many wrong codes came from there: wait {wait_s} s.", 429)
        asked = await _asked(request)
        if asked is None:
            return _no("To enrol takes a code's secret, as JSON.", 400)
        joined = await asyncio.to_thread(
            enrol.use, self._store, asked.secret, self._port, people.now_ms()
        )
        if joined is None:
            self._guesses.wrong(whose)
            self._roll.note("page", Did.CODE_REFUSED, address_of(request))
            return _no(_CLOSED, 403)
        self._guesses.right(whose)
        await self._look()  # so that the table is let in before it knows its password
        return Response(msgspec.json.encode(joined), media_type="application/json")

    async def _arrived(self, request: Request) -> Response:
        asked = await _asked(request)
        if asked is None:
            return _no("To ask takes a code's secret, as JSON.", 400)
        found = await asyncio.to_thread(enrol.has_arrived, self._store, asked.secret)
        return Response(msgspec.json.encode(HasArrived(found)), media_type="application/json")


async def _asked(request: Request) -> EnrolmentAsked | None:
    """Read a table's request; None if it cannot be read.

    A request must be JSON, because another site's page cannot send JSON here.
    """
    if request.headers.get("content-type", "") != "application/json":
        return None
    try:
        said: EnrolmentAsked | None = await read_as(request, EnrolmentAsked)
    except NotSaid:
        return None
    return said


def _no(why: str, status: int) -> Response:
    return Response(
        msgspec.json.encode(EnrolmentRefused(why)), status, media_type="application/json"
    )


def _when(t_ms: int) -> str:
    """The time of a row, by this machine's clock."""
    return f"{datetime.fromtimestamp(t_ms / 1000, UTC).astimezone():%Y-%m-%d %H:%M:%S}"
