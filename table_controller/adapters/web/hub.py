"""Between the table and the screens: the newest picture for whoever looks, words back.

Knows audiences and how to wait; knows no game, no HTML and no network.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Generic, TypeVar

from msgspec import Struct

from table_controller.engine.messages import Audience, Phrase
from table_controller.engine.views import Snapshot

S = TypeVar("S")

#: What the page says: an offer's input with `prompt`, and what the person filled in.
Said = dict[str, str | int | bool | None]


class Answer(Struct, frozen=True, kw_only=True):
    """What the table answered. Where it is not `ok`: why, and what to do, without a card.

    `changed`: whether anything is other than before, where it is `ok`.
    """

    ok: bool = True
    changed: bool = True
    why: Phrase = Phrase("")
    remedy: Phrase = Phrase("")
    rule: str = ""


class Hub(Generic[S]):
    """What the wiring feeds and the page asks: `tell` only notes, whoever looks computes.

    A screen that is slow misses pictures, never the newest one, and delays nobody.
    Lives on one event loop; `tell` must be called there.
    """

    def __init__(
        self,
        state: S,
        project: Callable[[S, Audience], Snapshot],
        say: Callable[[Said, str], Awaitable[Answer]],
        rule: Callable[[str], str | None],
    ) -> None:
        self._state = state
        self._project, self._say, self._rule = project, say, rule
        self._pictures: dict[Audience, Snapshot] = {}
        self._turn = 0
        self._news = asyncio.Event()
        self._closed = False

    def tell(self, state: S) -> None:
        """Note the newest state. Costs nothing until somebody looks."""
        self._state = state
        self._pictures.clear()
        self._turn += 1
        self._wake()

    def close(self) -> None:
        """End every subscription."""
        self._closed = True
        self._wake()

    def snapshot(self, audience: Audience) -> Snapshot:
        """Return the picture of now, computed once however many look."""
        if audience not in self._pictures:
            self._pictures[audience] = self._project(self._state, audience)
        return self._pictures[audience]

    async def subscribe(self, audience: Audience) -> AsyncIterator[Snapshot]:
        """Yield the picture of now, then each newest one, until `close`."""
        seen = -1
        while not self._closed:
            if seen == self._turn:
                await self._news.wait()
                continue
            seen = self._turn
            yield self.snapshot(audience)

    async def say(self, said: Said, actor: str) -> Answer:
        """Hand an input to the table and wait for its answer."""
        return await self._say(said, actor)

    def rule(self, rule_id: str) -> str | None:
        """Return the rule in our words, or None where there is none of that id."""
        return self._rule(rule_id)

    def _wake(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()
