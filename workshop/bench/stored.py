"""What an event costs a floor: to read it, to chain it, to store it, by CPU time.

A thousand tables tell real evenings, message by message as they come live: after each event a
picture, which names the end of the table's chain. The same messages then come a second time, as a
cluster sends again what was not acknowledged in time.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import psutil
from msgspec import json, structs

from table_controller.adapters.mqtt_messages import event
from table_controller.adapters.mqtt_names import TableId
from table_controller.commands.floor.trial import HOUSES, Memory, SimulatedTable
from table_controller.floor.inbox import told
from table_controller.floor.leader_election import lead_of
from table_controller.floor.listen import MOST_AT_ONCE
from table_controller.floor.store import End, Ledger, News, Store
from table_controller.service.rows import FIRST_LINK
from table_controller.wiring import config
from tests.databases import Postgres

TABLES: Final = 1000
#: Events of each table that are stored at first, and those that are measured.
BEFORE: Final = 4
EACH: Final = 20

Told = tuple[TableId, bytes, End]


def rows() -> list[tuple[str, float, str, str]]:
    """Name, value, unit, budget or peer."""
    messages = list(_told())
    with TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{Path(folder) / 'floor.db'}")
        figures = _stored("SQLite", store, messages, ())
    server = Postgres(durable=True)
    try:
        figures += _stored("PostgreSQL", Store(server.url()), messages, (server.pid,))
    finally:
        server.stop()
    return figures


def _told() -> Iterator[Told]:
    """What a thousand tables tell, in turns: each event's bytes, and the end after it."""
    played = [_played(house, number) for number, house in enumerate(HOUSES)]
    tables = [
        (TableId("hall", f"table-{number:04d}"), played[number % len(played)])
        for number in range(1, TABLES + 1)
    ]
    heads = {at: FIRST_LINK for at, _ in tables}
    for number in range(BEFORE + EACH):
        for at, table in tables:
            row = structs.replace(table.rows["public"][number], source=at.source)
            said = json.encode(event(row, at))
            heads[at] = told(said, at.source).linked(heads[at])
            yield at, said, End("public", row.seq, table.boot.stream, heads[at].hex())


def _played(house: str, seed: int) -> Memory:
    """The rows of an evening's beginning."""
    table = SimulatedTable(TableId("hall", "any"), config.house(house), seed + 1)
    moments = iter(table._evening)
    while len(table.memory.rows["public"]) < BEFORE + EACH:
        table._take(next(moments))
    return table.memory


def _stored(
    name: str, store: Store, messages: list[Told], servers: tuple[int, ...]
) -> list[tuple[str, float, str, str]]:
    """Take them, and take the last ones again."""
    lead = lead_of(store)
    assert lead.take()
    ledger = Ledger(store, lambda: 0, lead.begin)
    first = TABLES * BEFORE
    _take(ledger, messages[:first], ())
    figures = []
    for what, count in (("stored", len(messages) - first), ("come again", 2 * TABLES)):
        wall, own, servers_own = _take(ledger, messages[-count:], servers)
        figures += [
            (f"{name}: events {what} a second of CPU", count / (own + servers_own), "1/s", ""),
            (f"{name}: ... the floor's CPU for each", own / count * 1e6, "us", ""),
            (f"{name}: ... events a second", count / wall, "1/s", ""),
        ]
        if servers:
            cost = servers_own / count * 1e6
            figures.append((f"{name}: ... the database's CPU for each", cost, "us", ""))
    lead.give_up()
    store.close()
    return figures


def _take(
    ledger: Ledger, messages: list[Told], servers: tuple[int, ...]
) -> tuple[float, float, float]:
    """Seconds that it took: by the clock, and of CPU, of the floor and of the database."""
    began, own, others = time.monotonic(), time.process_time(), _spent(servers)
    most = MOST_AT_ONCE // 2
    for at in range(0, len(messages), most):
        ledger.take([one for message in messages[at : at + most] for one in _news(message)])
    return time.monotonic() - began, time.process_time() - own, _spent(servers) - others


def _news(message: Told) -> Iterator[tuple[TableId, News]]:
    at, said, end = message
    yield at, told(said, at.source)
    yield at, end


def _spent(servers: tuple[int, ...]) -> float:
    """Seconds of CPU that these processes and their children have had."""
    found = 0.0
    for pid in servers:
        server = psutil.Process(pid)
        for one in (server, *server.children(recursive=True)):
            found += sum(one.cpu_times()[:2])
    return found
