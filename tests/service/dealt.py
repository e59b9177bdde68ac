"""A real table of chemin de fer over a separate journal, for parts that are wired to a table."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

from table_controller.engine.chemin_de_fer import game
from table_controller.service.table import Table
from tests.engine import playing, script
from tests.limits import PATIENCE_S
from tests.service import evenings

T = TypeVar("T")


def at_table(folder: Path, story: Callable[[Table[Any]], Awaitable[T]], *lines: str) -> T:
    """Play these lines, then serve the table as long as the story lasts; what it returns."""

    async def serve() -> T:
        path = folder / "table.db"
        with closing(evenings.open_journal(path, game=game.name, house="zoppot-1934")) as journal:
            table = Table(game, playing.table(), journal, clock=lambda: 0)
            for line in lines:
                table.take(script.parse(line), 0)
            serving = asyncio.create_task(table.run())
            try:
                return await asyncio.wait_for(story(table), PATIENCE_S)
            finally:
                serving.cancel()
                await asyncio.gather(serving, return_exceptions=True)

    return asyncio.run(serve())


async def heard(table: Table[Any]) -> None:
    """Wait until the table has taken all that was said to it."""
    await table.ask(script.parse("ruled go on"))
