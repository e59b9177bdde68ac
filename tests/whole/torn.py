"""A real browser at a real `schlitten run`, and between them a line that is cut.

A finger lays chips and takes back, also on two screens simultaneously. It leaves the page before
the answer comes: by a reload, by a link and back, by back and forward. Before, during or after its
press the process is killed with `kill -9`, the line is cut, or the browser goes offline. Another
process follows at the same port. The chips in each box must be those acknowledged, chip by chip.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import signal
import socket
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from playwright.async_api import async_playwright

from table_controller.service.archive import Archive
from table_controller.service.sealing import load_keys, make_key
from tests.adapters.web.served import CHROMIUM, FLAGS
from tests.limits import PATIENCE_MS, PATIENCE_S
from tests.whole.commands import Running
from tests.whole.croupier import SETTINGS, say
from tests.whole.torn_line import CUTS, FINE, KILLS, Line

#: What a finger does, and how often.
LAYS, BACK, BOTH = "lays", "takes back", "both"
RELOADS, LINK, FORWARD = AWAY = ("reload", "link and back", "back and forward")
OFTEN = {LAYS: 6, BACK: 2, BOTH: 1, RELOADS: 0.4, LINK: 0.4, FORWARD: 0.4}
#: One press in so many is torn.
TORN = 3
#: So long is waited for the press of whoever left the page at once.
LEFT_S = 2.0
SEATS, SPOTS, BROUGHT, CHIP = (1, 2, 3), ("player", "banker", "tie"), 900_000, 10
BEGUN = (
    *({"type": "sits", "seat": seat, "name": f"N{seat}", "chips": BROUGHT} for seat in SEATS),
    *({"type": "prepared"},) * 3,
    {"type": "schlitten_loaded", "shoe": "schlitten-1"},
    *({"type": "card_seen", "card": card} for card in ("As", "7d")),  # PB-2: one is burned
)
BOXES = """() => Object.fromEntries([...document.querySelectorAll('.box')]
  .filter(box => box.textContent.trim())
  .map(box => [`${box.dataset.seat} ${box.dataset.spot}`, parseInt(box.textContent)]))"""


class Table:
    """The process: killed, and begun again at the same port."""

    def __init__(self, folder: Path, luck: random.Random) -> None:
        self.folder, self.luck, self.died = folder, luck, False
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        make_key(folder / "table.key")
        settings = SETTINGS.format(game="punto-banco", house="punto-banco", folder=folder)
        text = settings.replace("port = 0", f"port = {self.port}")
        (folder / "table.toml").write_text(text)

    async def begin(self) -> None:
        """Serve, in a process of its own."""
        self._running = Running("run", "--config", self.folder / "table.toml")
        await asyncio.to_thread(self._running.__enter__)
        await asyncio.to_thread(self._running.says, r"(http://127\.0\.0\.1:\d+)/\n")
        self.died = False

    def kill(self) -> None:
        """Without a goodbye."""
        os.kill(self._running.process.pid, signal.SIGKILL)
        self.died = True

    async def end(self) -> None:
        """Be gone."""
        await asyncio.to_thread(self._running.__exit__, None, None, None)

    def booked(self) -> Counter[str]:
        """How many inputs of each kind the journal holds as taken."""
        archive = Archive.read(self.folder / "table.db", load_keys(self.folder / "table.key", {}))
        with contextlib.closing(archive):
            rows = [row for row in archive.inputs() if row.outcome == 0]
            return Counter(json.loads(archive.body(row))["type"] for row in rows)


class Screen:
    """A page that a finger touches."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self._taken = page.locator("#taken")

    async def chip(self) -> None:
        """Take the chip into the hand, if it is not there."""
        chip = self.page.locator(f".rack [data-chip='{CHIP}']")
        if await chip.get_attribute("aria-pressed") == "false":
            await chip.tap()

    async def touch(self, box: str) -> None:
        seat, spot = box.split()
        await self.page.locator(f".box[data-seat='{seat}'][data-spot='{spot}']").tap()

    async def forget(self) -> None:
        """Nothing is answered yet of what comes now; an older refusal is none of it."""
        close = self.page.locator(".place.refused [data-close]")
        if await close.count():
            await close.tap()
        await self._taken.evaluate("e => { e.textContent = ''; }")

    async def answer(self) -> bool:
        """Wait until the table answers; whether it took it."""
        await self.page.wait_for_function(
            """() => document.getElementById('taken').textContent
              || document.querySelector('.place.refused #answer .still')"""
        )
        return (await self._taken.text_content()).startswith("Done")

    def leaving(self, way: str, link: str) -> tuple[Any, Any]:
        """How the page is left, and how the browser comes back to it."""
        page = self.page
        return {
            RELOADS: (page.reload, page.reload),
            LINK: (partial(page.goto, link), page.go_back),
            FORWARD: (page.go_back, page.go_forward),
        }[way]

    async def lies(self, boxes: dict[str, int]) -> None:
        """Wait until the page shows exactly that."""
        wanted = {box: chips for box, chips in boxes.items() if chips}
        try:
            await self.page.wait_for_function(
                f"boxes => JSON.stringify(Object.entries(({BOXES})()).sort()) === boxes",
                arg=json.dumps(sorted(map(list, wanted.items())), separators=(",", ":")),
            )
        except Exception as late:
            raise AssertionError(f"{await self.page.evaluate(BOXES)} lies, not {wanted}") from late


class Evening:
    """Presses, one after another, and what must lie there by what was answered."""

    def __init__(
        self, table: Table, line: Line, screens: list[Screen], luck: random.Random
    ) -> None:
        self._table, self._line, self._screens, self._luck = table, line, screens, luck
        self.boxes, self.found = Counter[str](), Counter[str]()
        self.taken, self._last = Counter[str](), ""

    async def press(self, fate: str, act: str) -> None:
        """One press, or one on each of two screens, whatever becomes of it."""
        self._fate = self._line.fate = fate
        self._torn_within_s = PATIENCE_S
        one, other = self._screens
        if act in AWAY:
            await self._away(one, act)
        else:
            await {LAYS: self._lay, BACK: self._back, BOTH: self._both}[act](one, other)
        self._line.fate = FINE
        self.found[fate] += 1
        for screen in self._screens:
            await screen.lies(self.boxes)

    async def _answers(self, *screens: Screen) -> list[bool]:
        """What each is answered, once table and line are there again."""
        mending = asyncio.create_task(self._mend())
        answers = await asyncio.gather(*(screen.answer() for screen in screens))
        await mending
        return answers

    async def _mend(self) -> None:
        """Once the press was torn: the process begins again, or the line is there again."""
        if not self._fate:
            return
        with contextlib.suppress(TimeoutError):  # whoever left the page may not have said it
            async with asyncio.timeout(self._torn_within_s):
                while not (self._table.died or self._line.cut):
                    await asyncio.sleep(0.01)
        self._line.fate = FINE
        if self._table.died:
            await self._table.end()
            await self._table.begin()
        if self._line.cut:
            await self._line.offline(False)

    async def _lay(self, one: Screen, _other: Screen) -> None:
        """A chip on a box."""
        box = f"{self._luck.choice(SEATS)} {self._luck.choice(SPOTS)}"
        await one.chip()
        await one.forget()
        await one.touch(box)
        (taken,) = await self._answers(one)
        self._note(box, CHIP, taken)

    async def _both(self, one: Screen, other: Screen) -> None:
        """The same chip on the same box, said on two screens at once."""
        box = f"{self._luck.choice(SEATS)} {self._luck.choice(SPOTS)}"
        for screen in (one, other):
            await screen.chip()
            await screen.forget()
        await asyncio.gather(one.touch(box), other.touch(box))
        for taken in await self._answers(one, other):
            self._note(box, CHIP, taken)
        self.found["on two screens"] += 1

    async def _back(self, one: Screen, other: Screen) -> None:
        """Take back the last chip."""
        if not self._last:
            await self._lay(one, other)
            return
        await one.forget()
        await one.page.locator("#foot .back button").tap()
        (taken,) = await self._answers(one)
        box, self._last = self._last, ""
        if taken:
            self.boxes[box] -= CHIP
            self.taken["takes_back"] += 1
        self.found["taken back"] += 1

    async def _away(self, one: Screen, way: str) -> None:
        """Lay a chip, leave the page before its answer, and come back: it lies there, or not."""
        box = f"{self._luck.choice(SEATS)} {self._luck.choice(SPOTS)}"
        if way == FORWARD:
            await one.page.goto(f"{self._line.url}glossary")
            await one.page.goto(self._line.url)
        await one.chip()
        await one.touch(box)
        away, here = one.leaving(way, f"{self._line.url}glossary")
        with contextlib.suppress(Exception):
            await away(wait_until="commit")
        self._torn_within_s = LEFT_S
        await self._mend()
        with contextlib.suppress(Exception):
            await here(wait_until="commit")
        if not await one.page.locator(".rack").count():
            await one.page.goto(self._line.url)
        await one.page.locator(".rack").wait_for()
        last = await self._fence(one, box)  # laid after it
        lies = (await one.page.evaluate(BOXES)).get(box, 0)
        assert lies in (self.boxes[box], self.boxes[box] + CHIP), f"{box}: {lies}"
        self._note(box, CHIP, lies > self.boxes[box])
        self._last = last or self._last
        self.found[way] += 1

    async def _fence(self, one: Screen, box: str) -> str:
        """A chip on another box: what was said before it was heard by then, or never will be."""
        other = next(spot for spot in SPOTS if spot != box.split()[1])
        self._fate = FINE
        await one.chip()
        await one.forget()
        await one.touch(f"{SEATS[0]} {other}")
        (taken,) = await self._answers(one)
        self._note(f"{SEATS[0]} {other}", CHIP, taken)
        wanted = self.boxes[f"{SEATS[0]} {other}"]
        await one.page.wait_for_function(
            f"([box, chips]) => (({BOXES})()[box] ?? 0) === chips",
            arg=[f"{SEATS[0]} {other}", wanted],
        )
        return f"{SEATS[0]} {other}" if taken else ""

    def _note(self, box: str, chips: int, taken: bool) -> None:
        if taken:
            self.boxes[box] += chips
            self.taken["bets"] += 1
            self._last = box
        else:
            self.found["refused"] += 1


async def _open(browser: Any, url: str) -> Screen:
    context = await browser.new_context(viewport={"width": 1280, "height": 800}, has_touch=True)
    page = await context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    await page.goto(url)
    await page.locator(".rack").wait_for()
    return Screen(page)


def fates(presses: int, seed: int) -> list[tuple[str, str]]:
    """What becomes of so many presses, and which they are.

    One of `TORN` is torn, in each way as often.
    """
    luck, ways = random.Random(seed), (*KILLS, *CUTS)
    drawn = [ways[n % len(ways)] if n < presses / TORN else FINE for n in range(presses)]
    luck.shuffle(drawn)
    return list(zip(drawn, luck.choices([*OFTEN], [*OFTEN.values()], k=presses), strict=True))


async def play(
    folder: Path, fates: Sequence[tuple[str, str]], seed: int
) -> tuple[Counter[str], Counter[str], bool]:
    """Press to these fates; what happened, what was acknowledged, whether that was booked once."""
    luck = random.Random(seed)
    table = Table(folder, luck)
    await table.begin()
    try:
        await say(f"http://127.0.0.1:{table.port}", *BEGUN)
        async with Line(table) as line, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
            line.browser = browser
            screens = [await _open(browser, line.url) for _ in range(2)]
            evening = Evening(table, line, screens, luck)
            for fate, act in fates:
                async with asyncio.timeout(2 * PATIENCE_S):
                    await evening.press(fate, act)
            await browser.close()
    finally:
        await table.end()
    booked = table.booked()
    same = all(booked[kind] == evening.taken[kind] for kind in ("bets", "takes_back"))
    return evening.found, evening.taken, same
