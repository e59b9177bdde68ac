"""Recorded evenings, played again: inputs, the board's bytes, the lip's pictures.

Each evening is served with a board behind a pty and with cards read from pictures.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from msgspec.structs import replace as replaced

from table_controller.adapters.mqtt_names import TableId
from table_controller.commands import demo
from table_controller.commands.hil import tapes
from table_controller.commands.players import seeded
from table_controller.service.sealing import load_keys, make_key
from table_controller.wiring import config
from table_controller.wiring.app import Service
from table_controller.wiring.config import ShoeSettings
from table_controller.wiring.inputs import card_input
from table_controller.wiring.plan import Plan
from table_controller.wiring.shoe import eyes, taping
from table_controller.wiring.shoe.taped_reader import TapedReader
from tests import killer
from vision import manifest

HOUSES = ("zoppot-1934", "nemzeti-1907", "modern")
CARDS = 60


def recorded(
    seed: int, *, life: killer.Life | None = None, count: int = CARDS, board: str = "emulated"
) -> list[tapes.TapePlayed]:
    """Record an evening of `count` cards, and play its recordings again.

    With `life` the recorder is killed: at that instant, or once so many times a `card` was drawn.
    """
    with tempfile.TemporaryDirectory(prefix="schlitten-recorded-") as name:
        folder = Path(name)
        keys = make_key(folder / "table.key")
        if life:
            killer.live(lambda passing: serve(folder, seed, 10_000, passing), life)
        else:
            serve(folder, seed, count)
        return [tapes.play(one, keys, board=board) for one in sorted(folder.glob("tapes/*.tape"))]


def serve(
    folder: Path, seed: int, count: int, passing: Callable[[str], None] = lambda _: None
) -> None:
    """Serve and record an evening until `count` cards were drawn; tell `passing` of each."""
    asyncio.run(_evening(folder, seed, count, passing))


async def _evening(folder: Path, seed: int, count: int, passing: Callable[[str], None]) -> None:
    house = config.house(HOUSES[seed % len(HOUSES)])
    cards = demo.labelled(house)
    manifest.save(cards, folder / "demo.manifest")
    shoe = ShoeSettings(
        reader="recording", camera="film", manifests=(folder / "demo.manifest",), height=192
    )
    plan = Plan(
        table=TableId("soak", "recorded"),
        house=house,
        keys=load_keys(folder / "table.key", {}),
        journal=folder / "table.db",
        board="twin",
        tape=taping.TapePlan(
            folder=folder / "tapes",
            begins=True,
            about=taping.about(house, config.lamp_language(house), shoe),
        ),
    )
    async with Service(plan) as service:
        assert service.tapes
        service.tapes.switch(on=True, full=True, by="soak")
        film = demo.dealt(cards, house, seed)
        seen = TapedReader(film, eyes.sight(shoe, house), service.tapes).passages()
        await _played(service, seed, (card_input(one) for _, one in seen), count, passing)


async def _played(
    service: Service, seed: int, cards: Iterator, count: int, passing: Callable[[str], None]
) -> None:
    """Let simulated people play until `count` cards were drawn, one input after the other."""
    people, table = seeded(service.game, seed), service.table
    for said in people.arrive(table.state):
        await table.ask(said)
    while count:
        said = people.say(table.state)
        if said is None:
            said = await asyncio.to_thread(partial(next, cards))
            count -= 1
            passing("card")
        await table.ask(replaced(said, prompt=table.now.prompt))
