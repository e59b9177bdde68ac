"""The web application: two pages, their event streams, the presses, and the rules.

The module knows the `Hub` and HTTP, but no game. The wiring is in table_controller/wiring/app.py.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from table_controller.adapters.web import assets, layout, overlay
from table_controller.adapters.web.entrance import Entrance, theme
from table_controller.adapters.web.error_pages import OF_A_TABLE, ErrorPages, refused
from table_controller.adapters.web.evening_pages import Chronicle, EveningPages
from table_controller.adapters.web.gate import NotLetIn, SignIn
from table_controller.adapters.web.guard import (
    STREAMED,
    Guard,
    NotSaid,
    Who,
    address_of,
    check_origin,
    croupier,
    locale,
    read_said,
    remember_language,
)
from table_controller.adapters.web.hub import Answer, Hub
from table_controller.adapters.web.look import HouseLook
from table_controller.adapters.web.machine import Machine, MachinePages
from table_controller.adapters.web.picture import ANSWERED
from table_controller.adapters.web.scanned import Labels, named, no_labels
from table_controller.adapters.web.screens import Renderer, Screens, renderers
from table_controller.adapters.web.streams import event_stream, feeds, no_place, streamed
from table_controller.adapters.web.tape_pages import TapePages, TapeRecorder
from table_controller.engine.messages import Audience, phrase
from table_controller.engine.table.roles import Person
from table_controller.engine.views import Snapshot
from table_controller.words.glossary import terms_of


def app(
    hub: Hub[Any],
    *,
    who: Who = croupier,
    gate: SignIn[Person] | None = None,
    names: frozenset[str] = frozenset(),
    language: str = "en",
    absent: frozenset[str] = frozenset(),
    failing: Callable[[bool], None] = lambda _: None,
    past: Chronicle | None = None,
    tapes: TapeRecorder | None = None,
    machine: Machine | None = None,
    overlay_delay_s: float = 0,
    look: HouseLook | None = None,
    colours: str = "auto",
    labels: Labels = no_labels,
) -> Starlette:
    """Make the web application of a table.

    `gate` lets people sign in, and then names the actor of a request. Without `gate`, `who` names
    the actor. `names` are further host names under which the page may be opened. `language` is the
    page's language for people who have chosen none. `absent` are the devices of `picture.DEVICES`
    that are not set up. `failing` is called with True when a picture cannot be rendered, and with
    False once it can again. `past` supplies the evenings of the journal, if there is one. `tapes`
    records the table, and `machine` describes devices and queues. `overlay_delay_s` is the least
    delay of a stream's overlay. `look` is the house's own look, and `colours` the theme for people
    who have chosen none. `labels` looks up what a scanner typed.
    """
    game = hub.snapshot(Audience.PUBLIC).game
    screens = Screens(hub, renderers(absent, look, colours, game=game), failing)
    pages = _Pages(
        hub,
        screens,
        gate.who if gate else who,
        language=language,
        gate=gate,
        past=past is not None,
        overlay_delay_s=overlay_delay_s,
        labels=labels,
    )
    made = Starlette(
        routes=[
            *pages.routes(),
            *assets.routes(),
            *(look.routes() if look else ()),
            *_evenings(pages, past, tapes, gate, hub.again),
            *_machine(pages, machine, partial(hub.snapshot, Audience.CROUPIER)),
        ],
        middleware=[
            Middleware(ErrorPages, renderers=screens.renderers, language=language, ways=OF_A_TABLE),
            Middleware(Guard, names=names),
            Middleware(GZipMiddleware, compresslevel=6),
        ],
    )
    made.state.prepare, made.state.close = pages.prepare, pages.screens.close
    return made


def _evenings(
    pages: _Pages,
    past: Chronicle | None,
    tapes: TapeRecorder | None,
    gate: SignIn[Person] | None,
    shown: Callable[[], None],
) -> list[Route]:
    """The pages of past evenings and of tapes."""
    found, renderers_, closed = list[Route](), pages.screens.renderers, pages.closed
    if past:
        evenings = EveningPages(past, renderers_, pages.language, closed, taped=tapes is not None)
        found += evenings.routes()
    taped = TapePages(
        tapes, past, renderers_, language=pages.language, closed=closed, gate=gate, shown=shown
    )
    return [*found, *taped.routes()]


def _machine(pages: _Pages, machine: Machine | None, staff: Callable[[], Snapshot]) -> list[Route]:
    """The technician's page of the machine, if there is a machine."""
    if machine is None:
        return []
    return MachinePages(
        machine, staff, pages.screens.renderers, pages.language, pages.closed
    ).routes()


class _Pages:
    def __init__(
        self,
        hub: Hub[Any],
        screens: Screens,
        who: Who,
        *,
        language: str,
        gate: SignIn[Person] | None,
        past: bool = False,
        overlay_delay_s: float = 0,
        labels: Labels = no_labels,
    ) -> None:
        self._hub, self._who, self._past = hub, who, past
        self._delay_s, self._labels = overlay_delay_s, labels
        self.screens, self._renderers = screens, screens.renderers
        self.language, self._gate = language, gate
        self._entrance = (
            Entrance(gate, screens.renderers, language, self._title, public=True) if gate else None
        )

    def routes(self) -> list[Route]:
        """Return the routes of these pages."""
        return [
            Route("/", self.croupier),
            Route("/public", self.public),
            Route("/wall", self.wall),
            Route("/live", self.live_croupier),
            Route("/public/live", self.live_public),
            Route("/overlay", self.overlay),
            Route("/overlay/live", self.live_overlay),
            Route("/feeds", feeds),
            Route("/say", self.say, methods=["POST"]),
            Route("/sign-in", self.sign_in, methods=["POST"]),
            Route("/sign-out", self.sign_out, methods=["POST"]),
            Route("/rule/{rule_id}", self.rule),
            Route("/glossary", self.glossary),
            Route("/healthz", self.healthz),
            Route(assets.OFFLINE, self.offline),
        ]

    def prepare(self) -> None:
        """Load the templates, so that the first visitor and the event loop do not wait for them."""
        self._renderers[self.language].prepare()

    def _renderer(self, request: Request) -> Renderer:
        return self._renderers[locale(request, self.language)]

    async def croupier(self, request: Request) -> Response:
        return self._page(request, Audience.CROUPIER)

    async def public(self, request: Request) -> Response:
        return self._page(request, Audience.PUBLIC)

    async def wall(self, request: Request) -> Response:
        """Show the guests' page without anything to press, for a screen that nobody touches."""
        return self._page(request, Audience.PUBLIC, wall=True)

    def _page(self, request: Request, audience: Audience, *, wall: bool = False) -> Response:
        closed = self.closed(request) if audience is Audience.CROUPIER else None
        if closed:
            return closed
        snapshot = self._hub.snapshot(audience)
        person = self._gate.person(request) if self._gate else None
        open_to = self._gate is not None and self._gate.open_to(request)
        answer = HTMLResponse(
            self._renderer(request).page(
                snapshot,
                audience,
                theme(request),
                person=person,
                open_to=open_to,
                seen=self._hub.turn,
                past=self._past,
                wall=wall,
            )
        )
        remember_language(answer, request, self.language)
        return answer

    def closed(self, request: Request) -> Response | None:
        """Return the sign-in page if a stranger asks for a page of the staff; else None."""
        if self._who(request) is not None:
            return None
        return self._entrance.page(request) if self._entrance else self._stranger(request)

    def _title(self) -> str:
        return self._hub.snapshot(Audience.PUBLIC).title

    def _stranger(self, request: Request) -> Response:
        sentence = phrase("Sign in first: this page is for the house's staff.")
        return refused(self._renderer(request), sentence, 401)

    async def live_croupier(self, request: Request) -> Response:
        if self._who(request) is None:
            return self._stranger(request)
        return self._live(request, Audience.CROUPIER)

    async def live_public(self, request: Request) -> Response:
        return self._live(request, Audience.PUBLIC)

    async def overlay(self, request: Request) -> Response:
        renderer, snapshot = self._renderer(request), self._hub.snapshot(Audience.PUBLIC)
        wrong = overlay.wrong(request)
        if wrong:
            return refused(renderer, wrong, 400)
        page = renderer.render(
            "overlay.html",
            title=snapshot.title,
            kind=layout.kind(snapshot),
            wanted=overlay.chosen(request),
            delay=round(overlay.delay_s(request, self._delay_s)),
            theme="dark",
        )
        return HTMLResponse(page, headers=STREAMED)

    async def live_overlay(self, request: Request) -> Response:
        return self._live(request, Audience.PUBLIC, overlay.delay_s(request, self._delay_s))

    def _live(self, request: Request, audience: Audience, delay_s: float = 0) -> Response:
        address = address_of(request)
        if not self.screens.places[audience].open_to(address):
            return no_place()
        parts = self.screens.watch(audience, locale(request, self.language), address)
        return event_stream(
            streamed(
                overlay.later(parts, delay_s) if delay_s else parts,
                lambda: audience is Audience.PUBLIC or self._who(request) is not None,
            )
        )

    async def say(self, request: Request) -> Response:
        actor = self._who(request)
        if actor is None:
            return self._stranger(request)
        try:
            check_origin(request)
            said, press = await read_said(request)
            said = named(said, self._labels)
            second = await self._gate.second(request, said) if self._gate else None
        except NotLetIn as no:
            return self._answer(request, Answer(ok=False, why=no.why, remedy=no.remedy))
        except NotSaid as not_said:
            answer = Answer(ok=False, why=phrase("{text}", text=str(not_said)))
            return self._answer(request, answer, not_said.status)
        return self._answer(
            request, await self._hub.say(said, second.actor if second else actor, press)
        )

    async def sign_in(self, request: Request) -> Response:
        if self._entrance is None:
            return self._stranger(request)
        return await self._entrance.sign_in(request)

    async def sign_out(self, request: Request) -> Response:
        if self._entrance is None:
            return self._stranger(request)
        return await self._entrance.sign_out(request)

    def _answer(self, request: Request, answer: Answer, status: int = 200) -> Response:
        told: dict[str, str | bool | int] = {"ok": answer.ok, "seen": self._hub.turn}
        renderer = self._renderer(request)
        text = renderer.text
        if answer.ok:
            told["told"] = text(ANSWERED[answer.changed])
        else:
            told |= {"why": text(answer.why), "remedy": text(answer.remedy), "rule": answer.rule}
            snapshot = self._hub.snapshot(Audience.CROUPIER)
            told["html"] = renderer.render("parts/answer.html", answer=answer, snap=snapshot)
        return Response(msgspec.json.encode(told), status, media_type="application/json")

    async def rule(self, request: Request) -> Response:
        rule_id = request.path_params["rule_id"]
        text = self._hub.rule(rule_id)
        if text is None:
            sentence = phrase("No rule has that id; ids look like Z-24.")
            return refused(self._renderer(request), sentence, 404)
        render = self._renderer(request).render
        return HTMLResponse(render("rule.html", id=rule_id, text=text, theme=theme(request)))

    async def glossary(self, request: Request) -> Response:
        back = "/public" if "public" in request.query_params else "/"
        terms = terms_of(self._hub.snapshot(Audience.PUBLIC).game)
        page = self._renderer(request).render(
            "glossary.html", terms=terms, theme=theme(request), back=back
        )
        return HTMLResponse(page)

    async def offline(self, request: Request) -> Response:
        """Return the page that a browser shows while the table does not answer.

        It has no table's data.
        """
        page = self._renderer(request).render("offline.html", theme=theme(request))
        return HTMLResponse(page)

    async def healthz(self, _request: Request) -> Response:
        return PlainTextResponse("ok")
