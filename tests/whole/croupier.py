"""A croupier at a page of a real process, who presses its buttons and reads what it draws."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from itertools import pairwise

import httpx
from playwright.async_api import async_playwright

from table_controller.service.sealing import make_key
from tests.adapters.web.served import CHROMIUM, FLAGS
from tests.limits import PATIENCE_MS
from tests.whole.commands import Running

SETTINGS = """
[table]
game = "{game}"
house = "{house}"
[journal]
path = "{folder}/table.db"
key = "{folder}/table.key"
[broker]
kind = "none"
[page]
port = 0
"""
#: Longer than a button that is held must be held.
HOLD_MS = 700
#: What a page offers and says, without what a person is filling in.
SHOWN = """() => JSON.stringify([
  [...document.querySelectorAll('#offers [data-input], #more [data-input]')]
    .map(button => button.dataset.input),
  document.getElementById('ask').dataset.prompt,
  ...['ask', 'told', 'sums', 'side', 'cells'].map(id => document.getElementById(id)?.textContent),
])"""


class Page:
    """What one croupier does at the page and sees of it; nothing but the page is asked."""

    def __init__(self, url, page):
        self.url, self.page = url.rstrip("/"), page

    async def press(self, label, **filled):
        """Press the button of that label, after its form is filled in as `filled` says.

        A sum is typed; of a choice the pick whose words begin so is taken.
        """
        button = self.page.locator("#offers button[data-input], #more button[data-input]")
        button = button.filter(has=self.page.get_by_text(label, exact=True)).first
        await button.wait_for(state="attached")
        await self._open(button)
        for name, value in filled.items():
            await self._fill(button, name, value)
        await self._click(button)

    async def touch(self, label, card):
        """Touch a card on the keys of that label."""
        keys = self.page.get_by_role("group", name=label, exact=True)
        button = keys.locator(f"button[data-input*='\"{card}\"']")
        await button.wait_for(state="attached")
        await self._open(button)
        await self._click(button)

    async def type(self, *cards):
        """Type cards that are drawn, unseen."""
        secret = self.page.locator("#offers [data-secret]")
        for card in cards:
            await secret.focus()
            await self.page.keyboard.type(card)
            async with self._changes():
                await self.page.keyboard.press("Enter")

    async def asks(self, sentence):
        """Wait until the table asks for that."""
        await self.page.locator("#ask h1", has_text=sentence).wait_for()

    async def asked(self):
        """All that stands where the table says what it waits for, and below it."""
        told = [await self.page.locator(one).inner_text() for one in ("#ask", "#side")]
        return " ".join(" ".join(told).split())

    async def offers(self):
        """The labels of all buttons, wherever they are."""
        found = await self.page.locator(
            "#offers button span, #more button span"
        ).all_text_contents()
        return {" ".join(text.split()) for text in found}

    async def told(self, seat):
        """What is read aloud of a seat."""
        words = await self.page.locator("#told li").all_text_contents()
        said = [" ".join(text.replace("\u00a0", " ").split()) for text in words]
        return next(text for text in said if re.match(rf"(Seat|Standing, place) {seat}\b", text))

    async def balance(self, seat):
        """What lies before a seat."""
        return int(re.search(r", (\d+) [KG]\b", await self.told(seat))[1])

    async def marks(self):
        """The counters of both by their seats, as they lie: moved ones `#`, the others `o`."""
        lie = await self.page.locator(".felt .counters").all()
        seats = {await one.get_attribute("data-key"): one for one in lie}
        return [await self._counters(seats[seat]) for seat in sorted(seats)]

    async def _counters(self, lie):
        where = "all => all.map(i => [i.getBoundingClientRect().x, i.classList.contains('moved')])"
        placed = await lie.locator("i").evaluate_all(where)
        at = sorted((x, "#" if moved else "o") for x, moved in placed)
        step = min(b - a for (a, _), (b, _) in pairwise(at))
        text = at[0][1]
        for (before, _), (x, sign) in pairwise(at):
            text += " " * (x - before > 1.5 * step) + sign
        return text

    async def rows(self):
        """The places on the list, row by row."""
        rows = await self.page.locator("#side .tableau tbody tr").all()
        cells = [await row.locator("td span[aria-hidden]").all_text_contents() for row in rows]
        return [" ".join(row) for row in cells]

    async def notes(self):
        """The sentences below what is asked, without the rules behind them."""
        told = self.page.locator("#ask [data-note], #side > .why")
        words = "notes => notes.map(n => n.firstChild.data)"
        return [" ".join(text.split()) for text in await told.evaluate_all(words)]

    async def last(self):
        """How the last one ended, in the rail and, in large, on the guests' page."""
        await self.page.locator(
            "#foot .last li[class='gold'], #foot .last li[class='grey']"
        ).first.wait_for()
        guests = await self.page.context.request.get(f"{self.url}/public")
        large = re.search(r"<h1[^>]*>([^<]*)</h1>", await guests.text())[1]
        below = await self.page.locator("#foot .last li:last-child .unseen").text_content()
        return below.partition(": ")[2].strip(), large

    async def payments(self):
        """The payments in their order: who, what, how much."""
        lines = await self.page.locator("#side .payments li").all()
        parts = [await line.locator(".who, .what, strong").all_text_contents() for line in lines]
        return [" ".join(" ".join(said).split()).rsplit(" ", 1)[0] for said in parts]

    async def _open(self, button):
        """Open the drawer and the fold that a button is in, and shut what lies over it."""
        drawer = button.locator("xpath=ancestor::details[contains(@class, 'drawer')]")
        if not await drawer.count():
            await self.page.keyboard.press("Escape")
        for at in await button.locator("xpath=ancestor::details").all():
            if await at.get_attribute("open") is None:
                await at.locator("> summary").click()

    async def _fill(self, button, name, value):
        form = button.locator("xpath=ancestor::form")
        field = form.locator(f"input[name={name}]")
        if await field.first.get_attribute("type") == "radio":
            pick = form.locator(f"label:has(input[name={name}])").filter(
                has_text=re.compile(rf"^{value}\b")
            )
            await pick.locator("input").check()
        elif await field.is_editable():
            await field.fill(str(value))
        else:  # only one sum is allowed, and it stands there
            assert await field.input_value() == str(value)

    async def _click(self, button):
        held = await button.get_attribute("data-hold") is not None
        async with self._changes():
            await button.click(delay=HOLD_MS if held else 0)

    @contextlib.asynccontextmanager
    async def _changes(self):
        """The table takes it, and the page shows what came of it."""
        before = await self.page.evaluate(SHOWN)
        async with self.page.expect_response("**/say*") as answering:
            yield
        answer = await (await answering.value).json()
        assert answer["ok"], answer
        await self.page.wait_for_function(f"before => ({SHOWN})() !== before", arg=before)


@contextlib.asynccontextmanager
async def at_page(url, kind=Page, *, size=(1280, 800)):
    """A page of a table, in a browser of its own, led by that `kind` of croupier."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        page = await browser.new_page(viewport={"width": size[0], "height": size[1]})
        page.set_default_timeout(PATIENCE_MS)
        await page.goto(url)
        try:
            yield kind(url, page)
        finally:
            await browser.close()


def asked(text):
    """The number of the prompt that a page shows."""
    return int(re.search(r'id="ask"[^>]*data-prompt="(\d+)"', text)[1])


async def say(url, *said):
    """Tell a table what is not what a test is about, such as who comes."""
    async with httpx.AsyncClient(base_url=url, timeout=60) as client:
        for one in said:
            prompt = asked((await client.get("/")).text)
            body = json.dumps({**one, "prompt": prompt})
            headers = {"Origin": url.rstrip("/"), "Content-Type": "application/json"}
            answer = (await client.post("/say", content=body, headers=headers)).json()
            assert answer["ok"], answer


def served(folder, game, house, play):
    """Let `play(url)` happen at a process of its own, of that house, without a reader."""
    make_key(folder / "table.key")
    (folder / "table.toml").write_text(SETTINGS.format(game=game, house=house, folder=folder))
    with Running("run", "--config", folder / "table.toml") as table:
        url = table.says(r"(http://127\.0\.0\.1:\d+)/\n")[1]
        came = asyncio.run(play(url))
        table.process.terminate()
        table.process.wait(60)
    return came
