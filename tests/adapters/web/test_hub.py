"""The hub: the newest picture for whoever looks, and no work if nobody looks."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from table_controller.adapters.web.hub import Answer, Hub
from table_controller.adapters.web.screens import Screens
from table_controller.engine.messages import Audience
from tests.limits import PATIENCE_S

CROUPIER, PUBLIC = Audience.CROUPIER, Audience.PUBLIC


def hub(computed):
    """A hub whose pictures are words, noting each that was computed."""

    def project(state, audience):
        computed.append((state, audience))
        return f"{state} for {audience}"

    async def say(said, actor, _press):
        return Answer()

    return Hub("first", project, say, {"Z-1": "text"}.get)


async def take(pictures, count):
    return [await anext(pictures) for _ in range(count)]


def test_nothing_is_computed_while_nobody_looks():
    computed = []
    table = hub(computed)
    table.tell("second")
    table.tell("third")

    assert computed == []


def test_a_picture_is_computed_once_however_many_look():
    computed = []
    table = hub(computed)

    assert {table.snapshot(PUBLIC) for _ in range(20)} == {"first for public"}
    assert computed == [("first", PUBLIC)]


def test_audiences_have_their_own_pictures():
    table = hub([])

    assert table.snapshot(PUBLIC) != table.snapshot(CROUPIER)


def test_who_is_slow_gets_the_newest_picture():
    """Latest wins: what came between is skipped, and nobody waits for him."""

    async def evening():
        table = hub([])
        slow = table.subscribe(CROUPIER)
        first = await take(slow, 1)
        for state in ("second", "third", "fourth"):
            table.tell(state)
        return first + await take(slow, 1)

    assert asyncio.run(evening()) == ["first for croupier", "fourth for croupier"]


def test_who_waits_gets_what_is_told_next():
    """However long he has waited; nothing else wakes him."""

    async def evening():
        table = hub([])
        looks = table.subscribe(CROUPIER)
        first = await take(looks, 1)
        waiting = asyncio.create_task(take(looks, 1))
        for _ in range(5):
            await asyncio.sleep(0)
        assert not waiting.done()
        table.tell("second")
        async with asyncio.timeout(PATIENCE_S):
            return first + await waiting

    assert asyncio.run(evening()) == ["first for croupier", "second for croupier"]


def test_a_closed_hub_ends_every_subscription():
    async def evening():
        table = hub([])

        async def look():
            return [picture async for picture in table.subscribe(PUBLIC)]

        looking = [asyncio.create_task(look()) for _ in range(3)]
        await asyncio.sleep(0)
        table.close()
        return await asyncio.gather(*looking)

    assert asyncio.run(evening()) == [["first for public"]] * 3


class Renderer:
    """Counts renderings; the picture's words are the parts."""

    def __init__(self):
        self.rendered = []

    def parts(self, snapshot, _audience):
        self.rendered.append(snapshot)
        return {"always": "the same", "changing": snapshot}


def test_screens_share_a_rendering_and_get_only_what_changed():
    async def evening():
        table, renderer = hub([]), Renderer()
        screens = Screens(table, {"en": renderer})
        watching: list[Any] = [screens.watch(CROUPIER) for _ in range(3)]
        first = await asyncio.gather(*map(anext, watching))
        table.tell("second")
        second = await asyncio.gather(*map(anext, watching))
        for watch in watching:
            await watch.aclose()
        return first, second, renderer.rendered

    first, second, rendered = asyncio.run(evening())

    assert first == [b'{"always":"the same","changing":"first for croupier","seen":"0"}'] * 3
    assert second == [b'{"changing":"second for croupier","seen":"1"}'] * 3
    assert all(one is second[0] for one in second)  # made once, whoever looks
    assert rendered == ["first for croupier", "second for croupier"]


def test_a_slow_screen_is_sent_what_it_missed():
    """However the others stand: bytes are shared by screens that saw the same, and no others."""

    class Drawn(Renderer):
        def parts(self, snapshot, _audience):
            return {"middle": snapshot, "foot": snapshot[:4]}

    async def evening():
        table = hub([])
        screens = Screens(table, {"en": Drawn()})
        quick: Any = screens.watch(PUBLIC)
        slow: Any = screens.watch(PUBLIC)
        late: Any = screens.watch(PUBLIC)
        await asyncio.gather(*map(anext, (quick, slow)))
        table.tell("then")
        seen = [await anext(quick)]
        table.tell("now")
        seen += [await anext(quick), await anext(slow), await anext(late)]
        for watch in (quick, slow, late):
            await watch.aclose()
        return [json.loads(parts) for parts in seen]

    assert asyncio.run(evening()) == [
        {"middle": "then for public", "foot": "then"},
        {"middle": "now for public", "foot": "now "},
        {"middle": "now for public", "foot": "now "},
        {"middle": "now for public", "foot": "now "},
    ]


def test_nothing_is_rendered_after_the_last_screen_left():
    async def evening():
        table, renderer = hub([]), Renderer()
        screens = Screens(table, {"en": renderer})
        watch: Any = screens.watch(CROUPIER)
        await anext(watch)
        await watch.aclose()
        table.tell("unseen")
        again: Any = screens.watch(CROUPIER)
        table.tell("newest")
        await anext(again)
        await again.aclose()
        return renderer.rendered

    assert asyncio.run(evening()) == ["first for croupier", "newest for croupier"]


def test_closed_screens_end_every_stream():
    """The sentinel that lets the server stop with pages open."""

    async def evening():
        screens = Screens(hub([]), {"en": Renderer()})
        watching = [screens.watch(PUBLIC) for _ in range(3)]
        await asyncio.gather(*map(anext, watching))
        waiting = [asyncio.create_task(anext(watch, "ended")) for watch in watching]
        screens.close()
        return await asyncio.gather(*waiting)

    assert asyncio.run(evening()) == ["ended"] * 3


def test_a_picture_that_cannot_be_rendered_ends_the_streams():
    """The browsers say so and come back; no screen is left with an old picture."""

    class Broken(Renderer):
        def parts(self, _snapshot, audience):
            raise KeyError(audience)

    async def evening():
        screens = Screens(hub([]), {"en": Broken()})
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda *_: None)
        return [parts async for parts in screens.watch(PUBLIC)]

    assert asyncio.run(evening()) == []
