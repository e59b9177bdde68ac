"""A whole Schlitten from a camera recording, dealt at a whole table with a browser in front."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from table_controller.commands import demo
from table_controller.commands.players import seeded as simulated
from table_controller.engine.chemin_de_fer import game
from table_controller.engine.chemin_de_fer import state as s
from table_controller.engine.messages import CardSeen
from table_controller.rules.cards import Card
from table_controller.wiring import config
from tests.adapters.web.served import CHROMIUM
from tests.whole import evening
from tests.whole.browser import ARTEFACTS, chromium
from tests.whole.kept import Kept
from vision import generator, manifest

ZOPPOT = config.house("zoppot-1934")

__all__ = ["CHROMIUM", "Played", "cards", "play"]


@dataclass
class Played:
    """The evening, the cards as they lay in the box, and what the reader made of them."""

    kept: Kept
    order: list[str]
    read: list[CardSeen]
    complaints: list[str]
    screenshots: list[Path]


def cards(played: Played) -> list[Card]:
    """The cards in the box, without the white one."""
    return [Card(code) for code in played.order]


def order(seed: int) -> list[str]:
    """How the generator mixed the box."""
    box = manifest.make(demo.SHOE, demo.SECRET)
    return [entry.card.value for entry in generator.mixed(box, seed + 1) if entry.card]


def _film(folder: Path, seed: int) -> Path:
    """Write the recording, some 300 MB."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "schlitten.film"
    assert sum(1 for _ in demo.film(file, ZOPPOT, seed)) > 5000
    return file


async def play(
    folder: Path, port: int, seed: int, *, name: str = "one", every: int = 5, pages_from: int = 1
) -> Played:
    """Film the Schlitten, deal it from the film, look at everything.

    The browser's pages follow from coup `pages_from` on, and are read at one coup in `every`.
    """
    film = await asyncio.to_thread(_film, folder, seed)
    reader, people, read = demo.Cards(ZOPPOT, seed, film), simulated(game, seed), list[CardSeen]()

    async def card(table: s.Table) -> CardSeen | None:
        seen = await asyncio.to_thread(reader.next, table.felt.number)
        if seen:
            read.append(seen)
        return seen

    async with chromium() as browser:
        kept = await evening.play(
            folder,
            port,
            card,
            lambda table: evening.steady(people.say(table), table),
            name=name,
            chromium=browser,
            every=every,
            pages_from=pages_from,
        )
        complaints = browser.complaints if browser else []
    while seen := await asyncio.to_thread(reader.next, 1):  # what the last coup left in the box
        read.append(seen)
    film.unlink()
    return Played(kept, order(seed), read, complaints, sorted(ARTEFACTS.glob("schlitten-*.png")))
