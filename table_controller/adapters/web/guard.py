"""Guards the web server: checks host names and the form of a press, and sets security headers.

The module knows HTTP and addresses, but no table. `gate.py` knows who sent a request.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from table_controller.adapters.addresses import counted_as, is_loopback, is_same
from table_controller.adapters.limits import MOST_PRESS_BYTES, MOST_PRESS_ID
from table_controller.adapters.web.hub import Press, Said
from table_controller.words import LOCALES

#: Names the person who sent a request, as an input's actor, or None for a stranger.
Who = Callable[[Request], str | None]

#: A browser keeps the language that somebody chose for a year.
LANGUAGE_S = 365 * 24 * 3600
SECURITY = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


#: For the overlay, into which a program for streams writes its user's own style.
STREAMED = {
    "Content-Security-Policy": SECURITY["Content-Security-Policy"].replace(
        "style-src 'self'", "style-src 'self' 'unsafe-inline'"
    )
}


class NotSaid(ValueError):
    """A press that cannot be read. `status` is the HTTP status, and the text is for people."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


def croupier(_request: Request) -> str | None:
    """Return the croupier as every request's actor, at a page that only this machine can open."""
    return "croupier"


class Guard:
    """ASGI middleware: refuses unknown host names, and adds the security headers to every answer.

    A website could make its own name point to this machine (DNS rebinding), and then read the page
    through a browser. So a request must name a known host or the address that it was sent to.
    `localhost` is accepted only if the connection is local.
    """

    def __init__(self, app: ASGIApp, names: frozenset[str]) -> None:
        self._app, self._names = app, names

    def _served_as(self, name: str) -> bool:
        return any(is_same(name.strip("[]"), one) for one in self._names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        host = Headers(scope=scope).get("host", "")
        name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
        if not self._served_as(name) and not _own(name, scope):
            text = f"This table is not served as {name[:80]!r}. Open it by its own address."
            await PlainTextResponse(text, 421)(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                secure(MutableHeaders(scope=message))
            await send(message)

        with suppress(ClientDisconnect):  # nobody is left to answer
            await self._app(scope, receive, guarded)


def secure(headers: MutableHeaders) -> None:
    """Give an answer the headers that every answer has."""
    for name, value in {**SECURITY, "Cache-Control": "no-store"}.items():
        headers.setdefault(name, value)


def _own(name: str, scope: Scope) -> bool:
    """Whether the host name is the address to which the connection was made."""
    address: str = (scope.get("server") or ("",))[0]
    return is_loopback(name) if is_loopback(address) else is_same(name, address)


def address_of(request: Request) -> str:
    """Return the address under which a request is counted.

    Behind a proxy that the settings name it is the address that the proxy reports (`serve.py`).
    Nobody else's forwarding headers are trusted.
    """
    return counted_as(request.client.host if request.client else "")


def locale(request: Request, default: str) -> str:
    """Return the language in the URL, else the language that this browser chose, else `default`."""
    wishes = request.query_params.get("lang"), request.cookies.get("language")
    return next((wish for wish in wishes if wish in LOCALES), default)


def remember_language(answer: Response, request: Request, default: str) -> None:
    """If the URL names a language, store that language in the browser."""
    if "lang" in request.query_params:
        chosen = locale(request, default)
        answer.set_cookie("language", chosen, LANGUAGE_S, samesite="strict")


def check_origin(request: Request) -> None:
    """Refuse a press that another site's page sent. Raises NotSaid."""
    own = f"{request.url.scheme}://{request.headers.get('host', '')}"
    site = request.headers.get("sec-fetch-site", "same-origin")
    if request.headers.get("origin") != own or site != "same-origin":
        raise NotSaid(403, "A press must come from this table's own page. Open it and press there.")
    kind = request.headers.get("content-type", "").partition(";")[0].strip()
    if kind != "application/json":
        raise NotSaid(415, "A press is JSON. Open the table's page and press there.")


async def _read_body(request: Request) -> bytes:
    """Read the bytes of a press. Raises NotSaid if the press is too long."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_PRESS_BYTES:
            raise NotSaid(413, f"A press is at most {MOST_PRESS_BYTES} bytes. Reload the page.")
    return body


async def read_as(request: Request, kind: Any) -> Any:
    """Decode a press as `kind`; return None if it is no `kind`.

    Raises NotSaid if the press is too long.
    """
    body = await _read_body(request)
    try:
        return msgspec.json.decode(body, type=kind)
    except (ValueError, RecursionError):  # invalid UTF-8 is a ValueError too
        return None


async def read_sign_in(request: Request) -> tuple[str, str]:
    """Read a name and a PIN. Raises NotSaid, whose text never contains name or PIN."""
    said: dict[str, str] = await read_as(request, dict[str, str]) or {}
    if not {"name", "pin"} <= said.keys():
        raise NotSaid(400, "To sign in takes a name and a PIN. Reload the page.")
    return said["name"], said["pin"]


async def read_said(request: Request) -> tuple[Said, Press]:
    """Read an input and its press. Raises NotSaid.

    The error's text never contains a value of the press, since the value may be a card.
    """
    said: Said = await read_as(request, Said) or {}
    prompt = said.get("prompt")
    if not isinstance(said.get("type"), str) or type(prompt) is not int or "actor" in said:
        raise NotSaid(
            400, "A press has a type and the prompt it answers, and no actor. Reload the page."
        )
    id_, seen = said.pop("press", ""), said.pop("seen", None)
    if not (isinstance(id_, str) and len(id_) <= MOST_PRESS_ID and type(seen) in (int, type(None))):
        raise NotSaid(400, f"A press has an id of up to {MOST_PRESS_ID} signs. Reload the page.")
    return said, Press(id_, seen)  # type: ignore[arg-type]  # its type was just checked
