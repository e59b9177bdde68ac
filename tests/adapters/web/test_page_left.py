"""A page that a browser keeps while it is left, and shows again on "back", in Debian's Chromium.

The table forbids browsers to keep its pages (`no-store`), and not every browser obeys. Here the
header is taken away, and Chromium keeps the page.
"""

from __future__ import annotations

import asyncio
import threading

import pytest

from table_controller.adapters.web.app import app
from tests.adapters.web.samples import ADVICE_LIT, TO_SPEAK
from tests.adapters.web.served import DESKTOP, Served, chromium, show, words
from tests.limits import PATIENCE_MS, PATIENCE_S


class Kept:
    """The application of a table whose pages may be kept, and whose answers wait for `answer`."""

    def __init__(self, hub):
        self._app, self.answer = app(hub), threading.Event()
        self.state = self._app.state

    async def __call__(self, scope, receive, send):
        async def changed(message):
            if message["type"] == "http.response.start":
                kept = [one for one in message["headers"] if one[0] != b"cache-control"]
                message = {**message, "headers": kept}
                if scope["path"] == "/say":
                    await asyncio.to_thread(self.answer.wait, PATIENCE_S)
            await send(message)

        await self._app(scope, receive, changed)


@pytest.fixture
def kept():
    made = []
    table = Served(ADVICE_LIT, site=lambda hub: made.append(Kept(hub)) or made[0])
    yield table, made[0].answer
    table.stop()


def test_a_page_that_comes_back_shows_the_present_and_hears_its_answer(kept):
    """Its stream is a new one; the press that was in flight is said under the same name."""
    if not DESKTOP.exists():
        pytest.skip(f"no Chromium at {DESKTOP}: apt install chromium")
    table, answer = kept
    with chromium(DESKTOP, ignore_default_args=["--disable-back-forward-cache"]) as browser:
        page, sent = browser.new_page(viewport={"width": 1280, "height": 800}), []
        page.set_default_timeout(PATIENCE_MS)
        page.on("request", lambda one: sent.append(one.post_data_json) if "/say" in one.url else 0)
        page.goto(table.url)
        page.evaluate("addEventListener('pageshow', event => { window.back = event.persisted; })")
        page.get_by_role("button", name="stays").click()
        table.said.get(timeout=PATIENCE_S)
        page.goto(f"{table.url}/glossary")
        table.tell(TO_SPEAK)
        answer.set()
        page.go_back(wait_until="commit")
        page.locator("#ask h1", has_text="Schlag").wait_for()
        page.locator("#taken", has_text="Done").wait_for()

        assert page.evaluate("window.back")
        assert page.locator("[aria-busy]").count() == 0
        assert words(page, "#taken") == "Done: stays"
        assert {one["press"] for one in sent} == {sent[0]["press"]}
        show(page, table, ADVICE_LIT, 1)
