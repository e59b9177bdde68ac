"""The overlay for a video stream: the guests' view, delayed, on a transparent background.

The module knows screens and time, but no game. The page itself contains no data of the table. All
data comes by server-sent events, which are delayed by the table's delay or a longer one.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing

from starlette.requests import Request

from table_controller.engine.messages import Phrase, phrase

#: The longest delay, in seconds, and the most pictures by which one screen may be behind.
MOST_DELAY_S = 600
MOST_BEHIND = 20_000
#: This many letters of a wrong address are repeated in the answer.
MOST_SAID = 40
#: What the address may say: `?parts=hands&lang=de`.
SAYS = ("parts", "delay", "lang")
#: The names that the address may ask for, and the parts of a page for each name.
PARTS = {"hands": ("trays", "middle"), "result": ("result",), "history": ("roads", "foot")}


def wrong(request: Request) -> Phrase | None:
    """Return a sentence about the first word, part or delay in the address that there is not."""
    for word in request.query_params:
        if word not in SAYS:
            return phrase(
                "The overlay's address does not take {word}. It takes: {words}.",
                word=word[:MOST_SAID],
                words=", ".join(SAYS),
            )
    for part in _asked(request):
        if part not in PARTS:
            return phrase(
                "The overlay has no part {part}. Its parts are: {parts}.",
                part=part[:MOST_SAID],
                parts=", ".join(PARTS),
            )
    delay = request.query_params.get("delay", "0")
    if not (_seconds(delay) and int(delay[:6]) <= MOST_DELAY_S):
        return phrase(
            "{delay} is no delay. Give whole seconds, at most {most}.",
            delay=delay[:MOST_SAID] or "delay=",
            most=MOST_DELAY_S,
        )
    return None


def _asked(request: Request) -> list[str]:
    parts = request.query_params.get("parts", "").split(",")
    return [part.strip() for part in parts if part.strip()]


def _seconds(delay: str) -> bool:
    return delay.isascii() and delay.isdigit()


def chosen(request: Request) -> set[str]:
    """Return the names of the parts that the address asks for; all parts if it names none."""
    names = PARTS.keys() & _asked(request) or PARTS.keys()
    return {part for name in names for part in PARTS[name]}


def delay_s(request: Request, least: float) -> float:
    """Return the delay in seconds: the table's `least`, or a longer one that the address names."""
    asked = request.query_params.get("delay", "")
    if not _seconds(asked):
        return least
    return max(least, min(int(asked[:6]), MOST_DELAY_S))


async def later(
    parts: AsyncIterator[bytes],
    delay: float,
    *,
    now: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> AsyncIterator[bytes]:
    """Yield all events in order, each `delay` seconds after it arrived.

    If too many events wait, the stream ends. The browser then connects again.
    """
    waiting: asyncio.Queue[tuple[float, bytes] | None] = asyncio.Queue(MOST_BEHIND)

    async def take() -> None:
        async with aclosing(parts) as came:  # type: ignore[type-var]  # an async generator
            async for one in came:
                if waiting.full():
                    break
                waiting.put_nowait((now() + delay, one))
        await waiting.put(None)

    taking = asyncio.create_task(take(), name="overlay")
    try:
        while (one := await waiting.get()) is not None:
            due, made = one
            await sleep(max(0.0, due - now()))
            yield made
    finally:
        taking.cancel()
