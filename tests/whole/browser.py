"""Debian's Chromium in front of a served table: two pages, read as a person reads them."""

from __future__ import annotations

import contextlib
import re
from collections.abc import AsyncIterator
from pathlib import Path

from tests.adapters.web.served import CHROMIUM, FLAGS
from tests.limits import PATIENCE_MS

ARTEFACTS = Path(__file__).parents[2] / "artefacts"


class Chromium:
    """A browser with the croupier's and the public page open."""

    def __init__(self, browser) -> None:
        self._browser = browser
        self._pages = {}
        self.complaints: list[str] = []

    @property
    def opened(self) -> bool:
        """Whether they were opened."""
        return bool(self._pages)

    async def open(self, url: str) -> None:
        """Open both pages."""
        for name, path in (("croupier", "/"), ("public", "/public")):
            page = await self._browser.new_page(viewport={"width": 1280, "height": 800})
            page.set_default_timeout(PATIENCE_MS)
            page.on("pageerror", lambda error: self.complaints.append(str(error)))
            page.on("console", lambda said: self.complaints.append(said.text))
            async with page.expect_response("**/live?*"):
                await page.goto(url + path)
            self._pages[name] = page

    async def read(self, coup: int) -> dict[str, dict[str, str]]:
        """What the pages show once coup number `coup` is among the last ones there."""
        return {name: await self._read(page, coup) for name, page in self._pages.items()}

    async def _read(self, page, coup: int) -> dict[str, str]:
        result = page.locator(f"#foot [data-key=coup-{coup}]")
        await result.wait_for()
        return {
            "pot": digits(await page.locator("#middle .figures .sum").text_content()),
            "left": digits(await page.locator("#title .left").text_content()).partition(" · ")[0],
            "coup": digits(
                await page.locator(f"#foot [data-key=coup-{coup}] .unseen").inner_text()
            ),
            "last": digits(await page.locator("#foot .done").inner_text()),
        }

    async def picture(self, file: str) -> None:
        """Keep a screenshot of each page for people to look at."""
        ARTEFACTS.mkdir(exist_ok=True)
        for name, page in self._pages.items():
            await page.screenshot(path=ARTEFACTS / f"{file}-{name}.png")


def digits(text: str) -> str:
    """The figures of a text, without the printer's spaces between them."""
    return re.sub(r"(?<=\d)\s(?=\d)", "", text).replace("\u00a0", " ")


@contextlib.asynccontextmanager
async def chromium() -> AsyncIterator[Chromium | None]:
    """A Chromium with a new profile; None where the machine has none."""
    from playwright.async_api import async_playwright

    if not CHROMIUM.exists():
        yield None
        return
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=str(CHROMIUM), args=FLAGS, headless=True
        )
        yield Chromium(browser)
        await browser.close()
