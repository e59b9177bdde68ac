"""The technician's page: the lip's live frame, its region, and how each witness reads the frame.

The page names cards. So it is served only in a service mode in which no table runs (`technician.py`
of the wiring ensures that), and only to this machine. If people have roles, only technicians and
supervisors may see it. The module knows the `Bench` protocol and HTTP, but no camera.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Annotated, Protocol

import msgspec
from msgspec import Meta, Struct
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from table_controller.adapters.mqtt_messages import ReadingQuality
from table_controller.adapters.web import assets
from table_controller.adapters.web.entrance import Entrance
from table_controller.adapters.web.error_pages import ALONE, ErrorPages
from table_controller.adapters.web.gate import SignIn
from table_controller.adapters.web.guard import Guard, NotSaid, check_origin, locale, read_as
from table_controller.adapters.web.screens import renderers
from table_controller.engine.messages import Role
from table_controller.engine.table.roles import Person

Point = tuple[float, float]
_PIXEL = Annotated[float, Meta(ge=0, le=10_000)]
Answering = Callable[[Request], Awaitable[Response]]
#: The roles that may look at the lip if people have roles, since the page names cards.
MAY_LOOK = frozenset({Role.TECHNICIAN, Role.SUPERVISOR})
_KEPT = 8  # frames that a browser may still ask for


class LipView(Struct, frozen=True, kw_only=True):
    """The present state at the lip.

    Attributes:
        jpeg: the frame with region and gate; empty if there is none, and then `fault` says why.
        light: exposure, brightness and sharpness, a sentence each.
        said: one line per witness; `corners`: the corners marked so far, clockwise, at most four.
        settings: lines for `[shoe]`, measured from the corners; `advice`: sentences about the lip.
        recording: the file in which frames are being stored, or "".
        kept: figures of the Schlitten that were closed last, the newest first.
    """

    jpeg: bytes = b""
    width: int
    height: int
    fault: str = ""
    paper: bool = False
    said: tuple[str, ...] = ()
    light: tuple[str, ...] = ()
    corners: tuple[Point, ...] = ()
    settings: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()
    recording: str = ""
    kept: tuple[ReadingQuality, ...] = ()


class MarkCorner(Struct, frozen=True, tag="mark", forbid_unknown_fields=True):
    """The technician pointed at a corner. It is a new one, or the new place of the nearest one."""

    x: _PIXEL
    y: _PIXEL


class Find(Struct, frozen=True, tag="find", forbid_unknown_fields=True):
    """The program should find the card's corners."""


class Clear(Struct, frozen=True, tag="clear", forbid_unknown_fields=True):
    """The program should remove all marked corners."""


class RecordFrames(Struct, frozen=True, tag="record", forbid_unknown_fields=True):
    """The program should begin to store frames (`on`), or stop."""

    on: bool


Pressed = MarkCorner | Find | Clear | RecordFrames


class Bench(Protocol):
    """The lip in the service mode. Both methods may take some hundred milliseconds."""

    def look(self) -> LipView:
        """Return the present state at the lip."""

    def press(self, pressed: Pressed) -> str:
        """Do what the technician pressed. Return a sentence that says why this failed, or ""."""


def app(
    bench: Bench, *, language: str = "en", game: str = "", gate: SignIn[Person] | None = None
) -> Starlette:
    """Make the web application of the service mode, in the words of the table's `game`.

    People sign in at `gate`, if there is one.
    """
    page = _Page(bench, language, game, gate)
    made = Starlette(
        routes=[
            Route("/", page.kept(page.whole)),
            Route("/look", page.kept(page.look)),
            Route("/picture/{n:int}", page.kept(page.picture)),
            Route("/press", page.kept(page.press), methods=["POST"]),
            *page.doors(),
            *assets.routes(),
        ],
        middleware=[
            Middleware(ErrorPages, renderers=page.renderers, language=language, ways=ALONE),
            Middleware(Guard, names=frozenset()),
        ],
    )
    made.state.prepare = made.state.close = lambda: None  # no table waits and no stream is open
    return made


class _Page:
    def __init__(self, bench: Bench, language: str, game: str, gate: SignIn[Person] | None) -> None:
        self._bench, self._language, self._gate = bench, language, gate
        self.renderers = renderers(game=game)
        self._entrance = (
            Entrance(gate, self.renderers, language, lambda: "Schlitten", public=False)
            if gate
            else None
        )
        self._pictures: deque[tuple[int, bytes]] = deque(maxlen=_KEPT)
        self._count = 0

    def doors(self) -> list[Route]:
        """Return the routes for signing in and out."""
        if self._entrance is None:
            return []
        presses = {"/sign-in": self._entrance.sign_in, "/sign-out": self._entrance.sign_out}
        return [Route(path, press, methods=["POST"]) for path, press in presses.items()]

    def kept(self, answer: Answering) -> Answering:
        """Return an answer only to people who may see it. Others get the sign-in page."""

        async def answered(request: Request) -> Response:
            gate, entrance = self._gate, self._entrance
            if gate is None or entrance is None or gate.open_to(request):
                return await answer(request)
            person = gate.person(request)
            if person is None or person.role not in MAY_LOOK:
                return entrance.page(request, 403 if person else 401)
            return await answer(request)

        return answered

    async def whole(self, request: Request) -> Response:
        renderer = self.renderers[locale(request, self._language)]
        answer = HTMLResponse(renderer.render("technician.html", theme="auto"))
        if "lang" in request.query_params:
            answer.set_cookie("language", locale(request, self._language), samesite="strict")
        return answer

    async def look(self, request: Request) -> Response:
        view = await asyncio.to_thread(self._bench.look)
        if view.jpeg:
            self._count += 1
            self._pictures.append((self._count, view.jpeg))
        shown = {
            "n": self._count if view.jpeg else 0,
            "width": view.width,
            "height": view.height,
            "corners": view.corners,
            "html": self.renderers[locale(request, self._language)].render(
                "parts/lip.html", view=view
            ),
        }
        return Response(msgspec.json.encode(shown), media_type="application/json")

    async def picture(self, request: Request) -> Response:
        for n, jpeg in self._pictures:
            if n == request.path_params["n"]:
                return Response(jpeg, media_type="image/jpeg")
        return PlainTextResponse("This picture is gone: the page asks for the next one.", 404)

    async def press(self, request: Request) -> Response:
        try:
            check_origin(request)
            pressed = await _read(request)
        except NotSaid as not_said:
            return PlainTextResponse(str(not_said), not_said.status)
        why = await asyncio.to_thread(self._bench.press, pressed)
        return Response(msgspec.json.encode({"why": why}), media_type="application/json")


async def _read(request: Request) -> Pressed:
    """Read a press. Raises NotSaid."""
    pressed: Pressed | None = await read_as(request, Pressed)
    if pressed is None:
        raise NotSaid(400, "This is no press of the technician's page. Reload it.")
    return pressed
