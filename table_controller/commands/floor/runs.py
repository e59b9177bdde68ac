"""Serves a floor, for `schlitten floor run`. It prints through functions that are passed in."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Callable
from pathlib import Path

from table_controller.commands.floor.alert_settings import settings_in
from table_controller.commands.floor.page import ShownAt, paged
from table_controller.floor.certificates import ready
from table_controller.floor.database import StoreError
from table_controller.floor.enrol import ServedAt
from table_controller.floor.floor import Floor
from table_controller.floor.leader_election import Led
from table_controller.wiring.floor_settings import FloorSettings

#: Open files of a floor and its broker, which has one for each table.
MOST_FILES = 8192
#: Seconds before a database that was there is tried again.
AGAIN_S = 1.0


async def serve(
    folder: Path,
    settings: FloorSettings,
    *,
    host: str,
    names: tuple[str, ...],
    port: int,
    page_port: int,
    keep_days: int,
    say: Callable[[str], None],
    line: Callable[[object], None] | None,
) -> None:
    """Serve a floor until cancelled. Report its addresses and its faults through `say`.

    Events are removed after `keep_days`; 0 keeps them for ever. If another process leads the
    floor, wait until that process ends. Raises CannotServe and
    ServiceError, and StoreError if the database cannot be opened at first.
    """
    more_files(MOST_FILES)
    alerts, certificates = settings_in(folder), ready(folder, (host, *names))
    shown = ShownAt(host, names, certificates)
    last: list[str | None] = [None]
    served = False

    def trouble(sentence: str | None) -> None:
        if sentence != last[0]:
            last[0] = sentence
            say(sentence or "Broker and database are there.")

    def standby() -> None:
        nonlocal served
        served = True
        say("Another floor leads here. This floor stands by, and takes over when the other ends.")

    while True:
        floor = Floor(
            folder, url=settings.database.url, cluster=settings.cluster(), standby=standby,
            host=host, port=port, served=certificates.served, trouble=trouble,
        )  # fmt: skip
        try:
            pages = paged(floor, page_port, alerts, shown, keep_days=keep_days)
            async with floor, pages as url:
                _tell(floor, shown, url, say=say, line=line)
                await floor.ended()
        except Led as led:
            say(str(led))
            served = True
        except StoreError as error:
            if not served:
                raise
            trouble(str(error))
            await asyncio.sleep(AGAIN_S)


def _tell(
    floor: Floor,
    shown: ShownAt,
    url: str,
    *,
    say: Callable[[str], None],
    line: Callable[[object], None] | None,
) -> None:
    """Report the addresses of a floor, and what somebody must do first."""
    folder, tables = floor.folder, "the broker that floor.toml names"
    if floor.broker:
        at = ServedAt(shown.host, int(url.rpartition(":")[2]), floor.broker.port)
        at.write(folder)
        tables = f"{shown.host}:{at.port}"
    if line:
        line({"page": f"{url}/", "tables": tables, "folder": str(folder)})
    say(
        f"The floor is served; Ctrl-C ends it.\n  all tables  {url}/\n"
        f"  for tables  {tables} (MQTT over TLS)\n  database    {floor.store.where}"
    )
    if shown.open and not floor.roll:
        say(
            "Nobody has a role yet, so nobody can open the page: "
            f"`schlitten floor people add NAME --role admin --folder {folder}`."
        )
    if floor.broker:
        say(f"`schlitten floor add SITE TABLE --folder {folder}` makes a code for a table.")


def more_files(count: int) -> None:
    """Allow `count` open files, or as many as this machine permits."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < count:
        wanted = count if hard == resource.RLIM_INFINITY else min(count, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
