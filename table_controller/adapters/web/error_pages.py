"""The page that a browser shows for an error: a sentence, and where to go on.

Programs get the same error as plain text. The module knows HTTP and templates, but no table.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from typing import Final, NamedTuple

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from table_controller.adapters.web import assets
from table_controller.adapters.web.entrance import theme
from table_controller.adapters.web.guard import locale, secure
from table_controller.adapters.web.screens import Renderer
from table_controller.engine.messages import Phrase, phrase

#: Where a page leads on: addresses, each with what is there.
Ways = tuple[tuple[str, Phrase], ...]
OF_A_TABLE: Final[Ways] = (
    ("/public", phrase("public page")),
    ("/", phrase("the croupiers' page")),
)
ALONE: Final[Ways] = (("/", phrase("back to the start")),)
#: The status of a name that is not the table's.
MISDIRECTED: Final = 421
TOO_MANY: Final = phrase("Too many ask for this at once: look again in a moment.")
_HEADS: Final = {
    401: phrase("Sign in first"),
    403: phrase("This page is not open to you"),
    404: phrase("There is nothing here"),
    405: phrase("This address is not a page"),
    MISDIRECTED: phrase("This table is not served under this name"),
    503: phrase("Not at the moment"),
}
_FAILED: Final = phrase("This page cannot be shown")
#: The sentence for an error that came without one.
_WHY: Final = {
    404: phrase("There is no such page. The address may be misspelt, or the page may be gone."),
    405: phrase("Only a page's own buttons use this address. It cannot be opened."),
    MISDIRECTED: phrase(
        "Open the page by the address of its machine. Or ask the technician to add this name to "
        "the settings."
    ),
    500: phrase("The table plays on. Open the page again. If this stays, call the technician."),
    503: TOO_MANY,
}


def refused(renderer: Renderer, why: Phrase, status: int, **headers: str) -> Response:
    """Return an error with a sentence in the visitor's language. A browser shows it as a page."""
    told = {name.replace("_", "-"): value for name, value in headers.items()}
    told["Content-Language"] = renderer.locale
    return PlainTextResponse(renderer.text(why), status, told)


class _Error(NamedTuple):
    status: int
    headers: Headers


class ErrorPages:
    """ASGI middleware: makes a page of an error's plain text if a person has opened the address.

    The sentence is the one that `refused` wrote. Any other text is for programs, and may be in
    English, so the page has the status's own sentence instead.
    """

    def __init__(
        self,
        app: ASGIApp,
        renderers: Mapping[str, Renderer],
        language: str,
        ways: Ways,
        closed: Ways = (),
    ) -> None:
        """`ways` are the links of every page, and `closed` those of a closed page besides."""
        self._app, self._renderers = app, renderers
        self._language, self._ways, self._closed = language, ways, closed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not _opened(scope):
            await self._app(scope, receive, send)
            return
        error: _Error | None = None
        said, began = b"", False

        async def heard(message: Message) -> None:
            nonlocal error, said, began
            if message["type"] == "http.response.start" and _is_plain_error(message):
                error = _Error(message["status"], Headers(raw=message["headers"]))
                return
            began = True
            if error is None:
                await send(message)
                return
            said += message.get("body", b"")
            if not message.get("more_body"):
                await self._page(Request(scope), error, said)(scope, receive, send)

        try:
            await self._app(scope, receive, heard)
        except Exception:
            if not began:
                failed = _Error(500, Headers())
                await self._page(Request(scope), failed, b"")(scope, receive, send)
            raise  # the server notes it

    def _page(self, request: Request, error: _Error, said: bytes) -> Response:
        renderer = self._renderers[locale(request, self._language)]
        status, headers = error
        head = renderer.text(_HEADS.get(status, _FAILED))
        if "content-language" in headers:
            why = said.decode()
        else:
            why = renderer.text(_WHY[status]) if status in _WHY else ""
        if status == MISDIRECTED:
            return _alone(renderer, head, why)
        ways = self._ways + (self._closed if status == 403 else ())
        page = renderer.render("error.html", head=head, why=why, ways=ways, theme=theme(request))
        answer = HTMLResponse(page, status)
        for name, value in headers.items():
            answer.headers.setdefault(name, value)
        secure(answer.headers)
        return answer


def _opened(scope: Scope) -> bool:
    """Whether a person has opened this address in a browser, rather than a program or a script."""
    if scope["type"] != "http" or scope["method"] != "GET":
        return False
    return "text/html" in Headers(scope=scope).get("accept", "")


def _is_plain_error(message: Message) -> bool:
    headers = Headers(raw=message["headers"])
    plain = headers.get("content-type", "").startswith("text/plain")
    return message["status"] >= 400 and plain and "content-encoding" not in headers


def _alone(renderer: Renderer, head: str, why: str) -> Response:
    """Return a page that has its style within itself, since its address serves nothing else."""
    style = assets.content("alone.css")
    answer = HTMLResponse(
        renderer.render("alone.html", head=head, why=why, style=style.decode()), MISDIRECTED
    )
    secure(answer.headers)
    digest = base64.b64encode(hashlib.sha256(style).digest()).decode()
    answer.headers["Content-Security-Policy"] = f"default-src 'none'; style-src 'sha256-{digest}'"
    return answer
