"""A page served from samples in a separate thread, and the Chromium that looks at it."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from functools import partial
from pathlib import Path

import msgspec

from table_controller.adapters.web.app import app
from table_controller.adapters.web.hub import Answer, Hub
from table_controller.adapters.web.serve import Server
from tests.adapters.web import samples

#: Chromium's engine without windows takes half the processor time. It lays a page out as the whole
#: Chromium does (tests/adapters/web/test_browsers.py).
CHROMIUM = Path("/usr/bin/chromium-headless-shell")
#: The whole Chromium, for what a person's own browser keeps or paints.
DESKTOP = Path("/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class Served:
    """The page of a table whose pictures and answers the test decides."""

    def __init__(
        self, snapshot=samples.ADVICE_LIT, port=0, project=samples.project, gate=None, site=None
    ):
        """`site` makes another application of the hub."""
        self._project, self._site = project, site or partial(app, gate=gate)
        self.said = queue.Queue()
        self.answer = Answer()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.begin(snapshot, port)

    def begin(self, snapshot, port=0):
        self._run(self._start(snapshot, port))

    def halt(self):
        self._run(self.server.stop())

    async def _start(self, snapshot, port):
        async def say(said, actor, _press):
            self.said.put((said, actor))
            return self.answer

        self.hub = Hub(snapshot, self._project, say, samples.RULES.get)
        self.server = Server(self._site(self.hub), port=port)
        await self.server.start()

    @property
    def url(self):
        return self.server.url

    def tell(self, snapshot):
        self._loop.call_soon_threadsafe(self.hub.tell, snapshot)

    def stop(self):
        self.halt()
        self._run(finish())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(30)


async def finish():
    """End what libraries left running on this loop, as asyncio.run does."""
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)


@contextlib.contextmanager
def chromium(path=CHROMIUM, **launched):
    """Debian's Chromium by its path, with a new profile, never the user's.

    `launched`: further options of Playwright's `launch`.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=str(path), args=FLAGS, headless=True, **launched
        )
        yield browser
        browser.close()


def with_prompt(snapshot, number):
    return msgspec.structs.replace(
        snapshot, prompt=msgspec.structs.replace(snapshot.prompt, id=number)
    )


def show(page, served, snapshot, number):
    """Let the page follow to another picture; its coup's number tells when it is there."""
    served.tell(msgspec.structs.replace(snapshot, coup=900 + number))
    page.locator("#title span", has_text=f"Coup {900 + number}").wait_for()


def words(page, selector):
    return page.locator(selector).text_content().replace("\u00a0", " ")


def drawn(page):
    """The words on the felt, those of each element and of what is in it."""
    texts = page.locator("#table .felt :not(svg, svg *)").all_text_contents()
    return [" ".join(text.split()) for text in texts]
