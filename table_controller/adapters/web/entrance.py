"""Where people sign in and out: one page and two requests, the same for every page of the staff.

The module knows the gate (`SignIn`) and HTTP, but no table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from table_controller.adapters.web.gate import NotLetIn, SignIn, remember
from table_controller.adapters.web.guard import NotSaid, check_origin, locale, read_sign_in
from table_controller.adapters.web.screens import Renderer
from table_controller.engine.messages import Phrase, phrase

OF_A_TABLE: Final = phrase("This page is for the people of this table.")


class Entrance:
    """Signs people in.

    `title` is the page's heading, and `whose` says whose page it is. If `public` is true, the page
    has a link to the public page.
    """

    def __init__(
        self,
        gate: SignIn[Any],
        renderers: Mapping[str, Renderer],
        language: str,
        title: Callable[[], str],
        *,
        public: bool,
        whose: Phrase = OF_A_TABLE,
    ) -> None:
        self._gate, self._renderers, self._language = gate, renderers, language
        self._title, self._public, self._whose = title, public, whose

    def page(self, request: Request, status: int = 401) -> Response:
        """Return the sign-in page for anybody who opens a page of the staff without a session."""
        page = self._renderer(request).render(
            "sign_in.html",
            title=self._title(),
            theme=theme(request),
            public=self._public,
            whose=self._whose,
        )
        return HTMLResponse(page, status)

    async def sign_in(self, request: Request) -> Response:
        """Sign a person in, or return the page with the reason why not."""
        try:
            check_origin(request)
            name, pin = await read_sign_in(request)
            token = await self._gate.sign_in(request, name, pin)
        except NotSaid as not_said:
            told = {"ok": False, "why": str(not_said), "wait_s": 0}
            return JSONResponse(told, not_said.status)
        except NotLetIn as no:
            text = self._renderer(request).text
            why = f"{text(no.why)} {text(no.remedy)}"
            told = {"ok": False, "why": why, "wait_s": no.wait_s}
            return JSONResponse(told, 429 if no.wait_s else 401)
        answer = JSONResponse({"ok": True})
        remember(answer, request, token)
        return answer

    async def sign_out(self, request: Request) -> Response:
        """End the session of this request."""
        try:
            check_origin(request)
        except NotSaid as not_said:
            return JSONResponse({"ok": False, "why": str(not_said)}, not_said.status)
        answer = JSONResponse({"ok": True})
        await self._gate.sign_out(request)
        remember(answer, request, "")
        return answer

    def _renderer(self, request: Request) -> Renderer:
        return self._renderers[locale(request, self._language)]


def theme(request: Request) -> str:
    """Return the theme that this browser's user chose."""
    chosen = request.cookies.get("theme", "")
    return chosen if chosen in ("dark", "light") else "auto"
