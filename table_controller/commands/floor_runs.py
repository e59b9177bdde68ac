"""What the commands of `schlitten floor` do; they print through functions passed in."""

from __future__ import annotations

import asyncio
import resource
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from table_controller.adapters.web.serve import Server
from table_controller.engine.messages import Audience
from table_controller.engine.promises import SecretKey
from table_controller.engine.views import Snapshot
from table_controller.floor.database import StoreError
from table_controller.floor.floor import Floor
from table_controller.floor.lead import Led
from table_controller.floor.reports import known
from table_controller.floor.store import Store
from table_controller.floor.web.app import FloorPages
from table_controller.floor.web.view import Known
from table_controller.service.errors import ConfigError
from table_controller.wiring import config
from table_controller.wiring.floor_settings import FloorSettings
from table_controller.wiring.games import game

#: Of a floor and its broker, which has one for each table.
MOST_FILES = 8192
#: How long a database that was there is left alone.
AGAIN_S = 1.0
#: The houses of the simulated tables, one of each game.
HOUSES = ("zoppot-1934", "punto-banco", "ecarte-nemzeti-1907")


@cache
def frame(house: str) -> Snapshot | None:
    """The picture of an empty table of a shipped house; None for another."""
    try:
        found = config.house(house)
    except ConfigError:
        return None
    played = game(found.game)
    return played.snapshot(played.begin(found, SecretKey(bytes(32))), Audience.PUBLIC)


class LastKnown:
    """What the database adds to the page; while it does not answer, what it said last."""

    def __init__(self, store: Store) -> None:
        self._store, self._last = store, dict[str, Known]()

    def __call__(self) -> dict[str, Known]:
        with suppress(SQLAlchemyError):
            self._last = known(self._store, time.time)
        return self._last


@asynccontextmanager
async def paged(floor: Floor, port: int) -> AsyncIterator[str]:
    """Serve the page of a floor on this machine; yield its address. Raises CannotServe."""
    pages = FloorPages(floor.live, LastKnown(floor.store), frame)
    server = Server(pages.app(), "127.0.0.1", port)
    await server.start()
    watching = asyncio.create_task(pages.watch())
    try:
        yield server.url
    finally:
        watching.cancel()
        await server.stop()


async def serve(
    folder: Path,
    settings: FloorSettings,
    *,
    port: int,
    page_port: int,
    say: Callable[[str], None],
    line: Callable[[object], None] | None,
) -> None:
    """Serve a floor until cancelled; say where, and what is amiss. Stands by while another leads.

    Raises CannotServe and ConfigError, and StoreError if the database cannot be opened at first.
    """
    more_files(MOST_FILES)
    cluster = settings.cluster()
    last: list[str | None] = [None]

    def trouble(sentence: str | None) -> None:
        if sentence != last[0]:
            last[0] = sentence
            say(sentence or "Broker and database are there.")

    def standby() -> None:
        say("Another floor leads here. This one stands by, and takes over when that one ends.")

    served = False
    while True:
        floor = Floor(
            folder, url=settings.database.url, cluster=cluster, port=port, trouble=trouble,
            standby=standby,
        )  # fmt: skip
        try:
            async with floor, paged(floor, page_port) as url:
                broker = f"127.0.0.1:{floor.broker.port}" if floor.broker else str(cluster)
                if line:
                    line({"page": f"{url}/", "broker": broker, "folder": str(folder)})
                say(
                    f"The floor is served; Ctrl-C ends it.\n  all tables  {url}/\n"
                    f"  broker      {broker}\n  database    {floor.store.where}\n"
                    "`schlitten floor add SITE TABLE` admits a table."
                )
                await floor.ended()
        except Led as led:
            say(str(led))
            served = True
        except StoreError as error:
            if not served:
                raise
            trouble(str(error))
            await asyncio.sleep(AGAIN_S)


def more_files(count: int) -> None:
    """Allow so many open files, as far as this machine lets us: a connection is one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < count:
        wanted = count if hard == resource.RLIM_INFINITY else min(count, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
