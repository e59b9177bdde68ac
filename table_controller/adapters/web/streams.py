"""Streams of changes to browsers: one page's, or those of several pages in one connection.

A browser opens six connections to one host. If each page had one of its own, a press on the seventh
would wait for ever. So the pages of one browser share a connection (`static/feeds.js`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing
from typing import Final, cast

from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Match, Route

from table_controller.adapters.web import assets

#: Seconds between the beats by which a page knows that the connection stands.
BEAT_S: Final = 4
#: A browser that takes nothing for so many seconds is left.
SEND_TIMEOUT_S: Final = 10
#: How many streams one connection may have.
MOST_FEEDS: Final = 24
#: The end of the address of every stream.
_LIVE: Final = "/live"


def event_stream(events: AsyncIterator[bytes]) -> Response:
    """Answer with server-sent events, and a beat now and then."""
    return EventSourceResponse(
        events,
        ping=BEAT_S,
        ping_message_factory=lambda: ServerSentEvent(event="beat", data="1"),
        send_timeout=SEND_TIMEOUT_S,
    )


def no_place() -> Response:
    """Tell the browser to come again, since all places for screens are taken."""
    return PlainTextResponse("", 503, {"Retry-After": str(BEAT_S)})


async def streamed(parts: AsyncIterator[bytes], may: Callable[[], bool]) -> AsyncIterator[bytes]:
    """Yield server-sent events as bytes. All screens get the same bytes.

    The first event names the version of the page that this program serves; then an older page
    reloads itself. The stream ends once `may` returns False, for example when the session is over.
    """
    yield b"event: version\r\ndata: " + assets.page_version().encode() + b"\r\n\r\n"
    async for changed in parts:
        if not may():
            return
        yield b"event: parts\r\ndata: " + changed + b"\r\nretry: 1000\r\n\r\n"


async def feeds(request: Request) -> Response:
    """Answer with several streams in one. Each `of` in the address is the address of one.

    Their events are named by the stream's number, as `0.parts`. A stream that ends, or that this
    visitor may not have, is told as `0.over`.
    """
    asked = request.query_params.getlist("of")
    if not 0 < len(asked) <= MOST_FEEDS:
        return PlainTextResponse(f"Ask for one to {MOST_FEEDS} streams: /feeds?of=/live", 400)
    return event_stream(_merged([await _opened(request, one) for one in asked]))


async def _opened(request: Request, address: str) -> AsyncIterator[bytes] | None:
    """The events of the stream at this address, by this visitor's rights; None if there is none."""
    path, _, query = address.partition("?")
    raw = {"path": path, "raw_path": path.encode(), "query_string": query.encode()}
    scope = {**request.scope, **raw}
    for route in request.app.routes:
        match, child = route.matches(scope)
        if match is Match.FULL and isinstance(route, Route) and path.endswith(_LIVE):
            answer = await route.endpoint(Request({**scope, **child}, request.receive))
            if isinstance(answer, EventSourceResponse):
                return cast("AsyncIterator[bytes]", answer.body_iterator)
    return None


async def _merged(streams: Sequence[AsyncIterator[bytes] | None]) -> AsyncIterator[bytes]:
    """Yield the events of all streams as they come, until all are over."""
    came: asyncio.Queue[tuple[int, bytes]] = asyncio.Queue(1)

    async def pass_on(number: int, stream: AsyncIterator[bytes] | None) -> None:
        try:
            if stream:
                async with aclosing(stream):  # type: ignore[type-var]  # an async generator
                    async for event in stream:
                        await came.put((number, event))
        finally:
            await came.put((number, b""))

    tasks = [asyncio.create_task(pass_on(*one), name="feeds") for one in enumerate(streams)]
    left = len(streams)
    try:
        while left:
            number, event = await came.get()
            left -= not event
            event = event or b"event: over\r\ndata: 1\r\n\r\n"
            yield event.replace(b"event: ", b"event: %d." % number, 1)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
