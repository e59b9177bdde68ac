"""The staff's pages that switch recording on and off, and make the last coups into a test.

The module knows a recorder, a journal's reader and HTTP, but no game. An incident names nobody and
no closed card (`service/incident.py`). The content of a tape is never shown. The page only says
that there is a tape.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Final, Protocol

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from table_controller.adapters.web.entrance import theme
from table_controller.adapters.web.error_pages import refused
from table_controller.adapters.web.evening_pages import Closed
from table_controller.adapters.web.gate import SignIn
from table_controller.adapters.web.guard import (
    NotSaid,
    check_origin,
    locale,
    read_as,
    remember_language,
)
from table_controller.adapters.web.screens import Renderer
from table_controller.engine.messages import Role, phrase
from table_controller.engine.table.roles import Person
from table_controller.service.errors import ServiceError
from table_controller.service.incident import Incident, IncidentError

#: The roles that may have frames and serial bytes recorded, if people have roles.
MAY_SWITCH: Final = frozenset({Role.TECHNICIAN, Role.SUPERVISOR})
#: The number of coups of an incident if nobody asks for more, and the most.
COUPS, MOST_COUPS = 3, 100
_REFUSED: Final = phrase("Only a supervisor or a technician switches this.")


class Taping(Protocol):
    """The present state of recording (`wiring/shoe/taping.py`)."""

    @property
    def full(self) -> bool:
        """Whether camera frames and serial bytes are recorded too."""


class TapeRecorder(Protocol):
    """Records the tapes of a table."""

    def status(self) -> Taping:
        """Return the present state of recording."""

    def switch(self, *, on: bool, full: bool, by: str) -> None:
        """Begin or end recording.

        `full` adds camera frames and serial bytes; `by` is who decided.
        """


class Incidents(Protocol):
    """Makes incidents, which may take seconds. Raises IncidentError, JournalError."""

    def incident(self, coups: int, until: int | None, /) -> Incident:
        """Return the incident of the last coups up to input `until` (None: the last input)."""


class Switched(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to switch recording."""

    on: bool
    full: bool


class TapePages:
    """The pages about tapes.

    `closed` returns the sign-in page; `shown` has all screens drawn again.
    """

    def __init__(
        self,
        tapes: TapeRecorder | None,
        incidents: Incidents | None,
        renderers: Mapping[str, Renderer],
        *,
        language: str,
        closed: Closed,
        gate: SignIn[Person] | None,
        shown: Callable[[], None],
    ) -> None:
        self._tapes, self._incidents, self._renderers = tapes, incidents, renderers
        self._language, self._closed, self._gate = language, closed, gate
        self._shown, self._one_by_one = shown, asyncio.Lock()

    def routes(self) -> list[Route]:
        """Return the routes of these pages."""
        found = []
        if self._incidents:
            found += [Route("/incident", self._incident), Route("/incident/file", self._file)]
        if self._tapes:
            found += [
                Route("/tape", self._tape),
                Route("/tape/switch", self._switch, methods=["POST"]),
            ]
        return found

    def _page(self, request: Request, template: str, **seen: object) -> Response:
        renderer = self._renderers[locale(request, self._language)]
        answer = HTMLResponse(renderer.render(template, theme=theme(request), **seen))
        remember_language(answer, request, self._language)
        return answer

    async def _incident(self, request: Request) -> Response:
        closed = self._closed(request)
        if closed:
            return closed
        made = await self._made(request)
        if isinstance(made, Response):
            return made
        return self._page(request, "incident.html", incident=made, most=MOST_COUPS)

    async def _file(self, request: Request) -> Response:
        closed = self._closed(request)
        made = closed or await self._made(request)
        if isinstance(made, Response):
            return made
        headers = {"Content-Disposition": f'attachment; filename="{made.name}.scenario"'}
        return Response(made.text, headers=headers, media_type="text/plain; charset=utf-8")

    async def _made(self, request: Request) -> Incident | Response:
        """Make the requested incident in a thread. Incidents are made one after the other.

        If it cannot be made, return the answer that says why.
        """
        assert self._incidents
        coups = min(max(_number(request, "coups"), 0) or COUPS, MOST_COUPS)
        until = _number(request, "until") or None
        try:
            async with self._one_by_one:
                return await asyncio.to_thread(self._incidents.incident, coups, until)
        except IncidentError:  # its text names files, which are nobody's business here
            why = phrase(
                "These coups cannot be told without their closed cards: ask again once the "
                "Schlitten is closed."
            )
        except ServiceError:
            why = phrase("The journal cannot be read now: call the technician.")
        return refused(self._renderers[locale(request, self._language)], why, 503)

    async def _tape(self, request: Request) -> Response:
        closed = self._closed(request)
        if closed or self._tapes is None:
            return closed or PlainTextResponse("", 404)
        status = self._tapes.status()
        may = self._who(request) is not None
        return self._page(request, "tape.html", status=status, may=may)

    def _who(self, request: Request) -> str | None:
        """Return the name of the person, if he may switch recording; else None."""
        if self._gate is None or self._gate.open_to(request):
            return "croupier"
        person = self._gate.person(request)
        return person.actor if person and person.role in MAY_SWITCH else None

    async def _switch(self, request: Request) -> Response:
        closed = self._closed(request)
        if closed or self._tapes is None:
            return closed or PlainTextResponse("", 404)
        try:
            check_origin(request)
            said: Switched | None = await read_as(request, Switched)
        except NotSaid as not_said:
            return PlainTextResponse(str(not_said), not_said.status)
        who, renderer = self._who(request), self._renderers[locale(request, self._language)]
        if who is None:
            return refused(renderer, _REFUSED, 403)
        if said is None:
            return refused(renderer, phrase("This is no press of this page. Reload it."), 400)
        self._tapes.switch(on=said.on, full=said.full, by=who)
        self._shown()
        return Response(msgspec.json.encode({"ok": True}), media_type="application/json")


def _number(request: Request, name: str) -> int:
    text = request.query_params.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 10 else 0
