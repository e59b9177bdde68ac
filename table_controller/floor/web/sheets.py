"""The common parts of the floor's pages: the visitor's language and colours, streams of changes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache, partial
from typing import Final

import msgspec
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from table_controller.adapters.limits import MOST_FLOOR_SCREENS
from table_controller.adapters.web import pieces
from table_controller.adapters.web.entrance import theme
from table_controller.adapters.web.error_pages import refused
from table_controller.adapters.web.gate import SignIn
from table_controller.adapters.web.guard import address_of, locale, remember_language
from table_controller.adapters.web.places import Places
from table_controller.adapters.web.screens import Renderer, changed, renderers
from table_controller.adapters.web.streams import event_stream, no_place, streamed
from table_controller.engine.messages import Phrase
from table_controller.floor.roles import CALLED, FloorPerson, Right
from table_controller.floor.threads import Reports
from table_controller.floor.web.door import FloorDoor
from table_controller.rules.cards import Card
from table_controller.words import card_words, games_with_own_words, text

#: How often a page is drawn while somebody looks at it.
DRAW_S: Final = 1.0

#: Returns what a template shows.
Make = Callable[[], dict[str, object]]
#: Draws the parts of a page, by the id of their element.
Drawn = Callable[[Renderer], Awaitable[dict[str, str]]]


class Sheets:
    """Renders templates in every language, for people who have the right to see them."""

    def __init__(self, gate: SignIn[FloorPerson] | None = None, language: str = "en") -> None:
        """Prepare the templates. `gate` is the sign-in; None means that nobody has a role."""
        self.language, self.renderers = language, renderers()
        self._of = {game: renderers(game=game) for game in games_with_own_words()}
        self.door = FloorDoor(gate or SignIn(tuple, _nobody, _unsaid), self.renderers, language)
        self.places = Places(MOST_FLOOR_SCREENS)
        self._closed = asyncio.Event()

    def close(self) -> None:
        """End every stream of changes, since the server waits for them."""
        self._closed.set()

    def renderers_of(self, game: str) -> dict[str, Renderer]:
        """The renderer of each language, in the words of the game."""
        return self._of.get(game, self.renderers)

    def renderer(self, request: Request, game: str = "") -> Renderer:
        """The renderer of the visitor's language, and of the game if a page is of one table."""
        return self.renderers_of(game)[locale(request, self.language)]

    async def page(self, request: Request, template: str, **seen: object) -> Response:
        """Render a page; if `seen` has a table's `game`, in the words of that game.

        This happens in a thread, because a long list takes long to render.
        """
        renderer = self.renderer(request, str(seen.get("game", "")))
        render = partial(renderer.render_beside, template, **self._common(request), **seen)
        return self._answer(request, await asyncio.to_thread(render))

    async def shared(self, request: Request, lane: Reports, template: str, make: Make) -> Response:
        """Render a page of what `make` returns once for all who ask for the same at once.

        What differs between visitors is their language, their colours and their rights; the
        template may show nothing else of `person`. Raises TooBusy.
        """
        renderer, common = self.renderer(request), self._common(request)
        render = partial(renderer.render_beside, template, **common)
        name = str(request.url), id(renderer), common["theme"], common["rights"]
        return self._answer(request, await lane.shared(name, lambda: render(**make())))

    def _common(self, request: Request) -> dict[str, object]:
        person = self.door.person(request)
        return {
            "person": person, "role": CALLED[person.role] if person else None,
            "rights": frozenset(right for right in Right if self.door.may(request, right)),
            "theme": theme(request), "clock": clock, "day": day, "here": request.url.path,
            "named": partial(_named, locale=locale(request, self.language)),
        }  # fmt: skip

    def _answer(self, request: Request, html: str) -> Response:
        answer = HTMLResponse(html)
        remember_language(answer, request, self.language)
        return answer

    async def live(self, request: Request, template: str, drawn: Drawn) -> Response:
        """Render a page whose parts a stream changes afterwards."""
        made = await drawn(self.renderer(request))
        parts = {name: Markup(pieces.whole(html)) for name, html in made.items()}  # noqa: S704  # rendered with autoescape
        return await self.page(request, template, parts=parts)

    def stream(self, request: Request, drawn: Drawn) -> Response:
        """Stream the changes of a page that `live` rendered, once a second."""
        address = address_of(request)
        return self.streamed(request, self._changes(self.renderer(request), drawn, address))

    def streamed(self, request: Request, parts: AsyncIterator[bytes]) -> Response:
        """Stream the changes in `parts` as long as the visitor has the right to see the page.

        If other addresses have the screens' places (`places`), the browser must come again.
        """
        if not self.places.open_to(address_of(request)):
            return no_place()
        return event_stream(streamed(parts, lambda: self.door.may(request, Right.LOOK)))

    async def _changes(
        self, renderer: Renderer, drawn: Drawn, address: str
    ) -> AsyncIterator[bytes]:
        shown: dict[str, str] = {}
        with self.places.held(address, _unnoticed) as place:
            while not (self._closed.is_set() or place.lost):
                parts = await drawn(renderer)
                if news := changed(parts, shown):
                    yield msgspec.json.encode(news)
                shown = parts
                with suppress(TimeoutError):  # a stop must not wait for the next drawing
                    await asyncio.wait_for(self._closed.wait(), DRAW_S)

    def refused(self, request: Request, why: Phrase, status: int) -> Response:
        """Answer with a sentence instead of a page."""
        return refused(self.renderer(request), why, status)


async def _nobody(_pin: str, _proof: str) -> bool:
    return False


def _unnoticed() -> None:
    """Do nothing when a screen loses its place: its stream looks every second."""


def _unsaid(_said: object) -> None:
    """Ignore the news of a sign-in. While nobody has a role, nobody signs in."""


def clock(t_ms: int) -> str:
    """The time of day by the floor's local time."""
    return f"{_moment(t_ms):%H:%M}"


def day(t_ms: int) -> str:
    """The date by the floor's local time."""
    return f"{_moment(t_ms):%Y-%m-%d}"


def _moment(t_ms: int) -> datetime:
    """The moment as a date.

    If a wrong clock gave a moment beyond all dates, the result is the nearest date.
    """
    return datetime.fromtimestamp(max(0, min(t_ms, 4_000_000_000_000)) / 1000, UTC).astimezone()


@cache
def _named(card: Card, locale: str) -> str:
    return text(card_words(card), locale)
