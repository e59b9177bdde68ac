"""A page that cannot begin, and the state after the last screen is gone."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any

import pytest

from table_controller.adapters.web.app import app
from table_controller.adapters.web.hub import Answer, Hub
from table_controller.adapters.web.screens import Screens, renderers
from table_controller.adapters.web.serve import Server, _Quiet
from table_controller.engine.messages import Audience
from tests.adapters.web import samples


def table():
    async def say(said, actor, _press):
        return Answer()

    return Hub(samples.ADVICE_LIT, samples.project, say, samples.RULES.get)


def test_a_server_that_fails_as_it_begins_says_so(monkeypatch):
    """Not a page that waits for ever."""

    async def fails(_server, sockets=None):
        raise RuntimeError("it cannot begin")

    monkeypatch.setattr(_Quiet, "startup", fails)
    with pytest.raises(RuntimeError, match="it cannot begin"):
        asyncio.run(Server(app(table()), port=0).start())


def test_nothing_is_drawn_any_more_when_the_last_screen_is_gone():
    """With the first one that looks the drawing begins, for all of that page."""

    async def look():
        screens = Screens(table(), renderers())

        def drawing():
            return [one for one in asyncio.all_tasks() if one.get_name() == "screens"]

        async with contextlib.AsyncExitStack() as last, contextlib.AsyncExitStack() as first:
            for stack in (first, last):
                watched: Any = screens.watch(Audience.CROUPIER)
                await stack.enter_async_context(contextlib.aclosing(watched))
                assert "ask" in json.loads(await anext(watched))
            counts = [len(drawing())]
            await first.aclose()
            await asyncio.sleep(0)
            counts.append(len(drawing()))
        for _ in range(3):
            await asyncio.sleep(0)
        return [*counts, len(drawing())]

    assert asyncio.run(look()) == [1, 1, 0]
