"""The page of a table's first start. Only this machine can open it, with a code from the console.

The module knows HTTP and the questions. The wiring (`first_start.py`) handles the answers.
"""

from __future__ import annotations

import asyncio
import hmac
import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import segno
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from table_controller.adapters.web import assets
from table_controller.adapters.web.entrance import theme
from table_controller.adapters.web.error_pages import ALONE, ErrorPages
from table_controller.adapters.web.guard import (
    Guard,
    NotSaid,
    check_origin,
    locale,
    read_as,
    remember_language,
)
from table_controller.adapters.web.screens import renderers
from table_controller.engine.messages import Phrase, phrase
from table_controller.service.pins import RULE as PIN_RULE

#: After this many wrong codes the page ends. Guessing a code of six digits succeeds once in 200,000
#: times.
MOST_WRONG: Final = 5

#: Takes the answers as they were typed, and returns facts to show. Raises NotBegun with a sentence.
Begin = Callable[[Mapping[str, Any]], Mapping[str, Any]]


class NotBegun(Exception):
    """An answer on the page cannot be accepted. `why` is a sentence. Nothing has changed."""

    def __init__(self, why: Phrase) -> None:
        super().__init__(str(why))
        self.why = why


class Beginning:
    """The page of the first start.

    `over` is set once the table is set up, or after many wrong codes.
    """

    def __init__(
        self, code: str, choices: Mapping[str, Sequence[Any]], begin: Begin, known: object
    ) -> None:
        """`choices` are the houses, cameras and boards to choose from, and addresses to offer.

        `begin` handles the answers. `known` has the answers that the page shows at first.
        """
        self._code, self._choices, self._begin = code, choices, begin
        self._known = known
        self._renderers, self._wrong = renderers(), 0
        self.over = asyncio.Event()

    def app(self) -> Starlette:
        """Return the web application."""
        made = Starlette(
            routes=[
                Route("/", self._page),
                Route("/begin", self._answer, methods=["POST"]),
                *assets.routes(),
            ],
            middleware=[
                Middleware(ErrorPages, renderers=self._renderers, language="en", ways=ALONE),
                Middleware(Guard, names=frozenset()),
            ],
        )
        made.state.prepare = made.state.close = lambda: None
        return made

    async def _page(self, request: Request) -> Response:
        renderer = self._renderers[locale(request, "en")]
        page = renderer.render(
            "begin.html", theme=theme(request), choices=self._choices, known=self._known,
            pin_rule=renderer.text(PIN_RULE),
        )  # fmt: skip
        answer = HTMLResponse(page)
        remember_language(answer, request, "en")
        return answer

    async def _answer(self, request: Request) -> Response:
        renderer = self._renderers[locale(request, "en")]
        try:
            check_origin(request)
        except NotSaid as not_said:
            return JSONResponse({"why": str(not_said)}, not_said.status)
        said: dict[str, Any] = await read_as(request, dict[str, Any]) or {}
        if self.over.is_set() or not hmac.compare_digest(str(said.get("code")), self._code):
            self._wrong += 1
            if self._wrong >= MOST_WRONG:
                self.over.set()
            why = phrase("This is not the code that the console shows.")
            return JSONResponse({"why": renderer.text(why)}, 403)
        try:
            facts = await asyncio.to_thread(self._begin, said)
        except NotBegun as no:
            return JSONResponse({"why": renderer.text(no.why)}, 422)
        self.over.set()
        html = renderer.render("parts/_begun.html", facts=facts, qr=_qr(facts))
        return JSONResponse({"html": html})


def _qr(facts: Mapping[str, Any]) -> Markup:
    """Return a QR code of the table's address and of its certificate's fingerprint."""
    drawn = io.BytesIO()
    told = f"{facts['url']}#{facts.get('fingerprint', '')}".rstrip("#")
    segno.make(told).save(drawn, kind="svg", xmldecl=False, svgns=True, scale=5, border=4)
    return Markup(drawn.getvalue().decode())  # noqa: S704 - drawn here
