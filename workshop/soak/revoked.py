"""A table whose account a NATS cluster takes away, and one that speaks in another one's name.

On one box the floor does this itself, with Mosquitto: tests/floor/test_enrol.py.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from msgspec.structs import replace

from table_controller.adapters.broker_rules import BrokerAccount
from table_controller.adapters.mqtt_link import Link, LinkLost, connect
from table_controller.adapters.mqtt_messages import (
    Info,
    Message,
    TableState,
    current,
    state_message,
)
from table_controller.adapters.mqtt_names import TableId
from table_controller.floor.engine import account
from table_controller.floor.floor import Floor
from tests.limits import LONG_PATIENCE_S
from workshop.nats import Cluster

ONE, TWO = TableId("casino", "one"), TableId("casino", "two")
TABLES: Final = tuple(account(at, f"secret of {at.table}") for at in (ONE, TWO))
#: How long a node may take to throw a table out.
OUT_S: Final = 5.0


def run(_share: float) -> list[tuple[str, str]]:
    """What each was told, and how soon. Raises AssertionError."""
    with TemporaryDirectory(prefix="soak-revoked-", ignore_cleanup_errors=True) as folder:
        cluster = Cluster(Path(folder) / "nats", TABLES, "secret")
        try:
            return asyncio.run(_evening(Path(folder), cluster))
        finally:
            cluster.stop()


async def _evening(folder: Path, cluster: Cluster) -> list[tuple[str, str]]:
    async with Floor(folder, cluster=cluster.address) as floor:
        one, two = [await _link(cluster, guest) for guest in TABLES]
        for at, link in ((ONE, one), (TWO, two)):
            link.publish(state_message(TableState.READY, "b1", at))  # so the floor finds the table
        await _until(lambda: floor.live.there() == {ONE, TWO})
        lie = Message(f"{TWO.root}/info", _info(TWO).payload, retain=True)
        one.publish(lie)
        one.publish(_info(ONE))
        await _until(lambda: floor.live.tables[ONE].info is not None)
        assert not floor.live.tables[TWO].info
        two.publish(_info(TWO))
        await _until(lambda: floor.live.tables[TWO].info is not None)
        began = time.monotonic()
        cluster.admit(TABLES[1:])
        async with asyncio.timeout(LONG_PATIENCE_S):
            await asyncio.shield(one.lost)
        took = time.monotonic() - began
        refused = await _refused(cluster)
        assert took < OUT_S, took
        assert not two.lost.done()
        two.publish(state_message(TableState.ALERT, "b1", TWO))
        await _until(lambda: floor.live.tables[TWO].state is TableState.ALERT)
        two.close()
    return [
        ("one in the name of another table", "changes nothing"),
        ("a table whose account is gone is out after", f"{took * 1000:.0f} ms"),
        ("... and comes again", refused),
        ("... its neighbour and the floor", "stay connected"),
    ]


async def _link(cluster: Cluster, guest: BrokerAccount) -> Link:
    address = cluster.tables.nodes()[TABLES.index(guest)]
    mine = {"username": guest.user.name, "password": guest.secret}
    return await connect(replace(address, **mine), guest.user.name, None, _nothing, lambda _: None)


async def _refused(cluster: Cluster) -> str:
    """How the node answers somebody without an account. Raises AssertionError if it lets him in."""
    try:
        link = await _link(cluster, TABLES[0])
    except LinkLost as lost:
        return f"never: {lost}"
    link.close()
    raise AssertionError("a table whose account is gone was let in")


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(LONG_PATIENCE_S):
        while not holds():
            await asyncio.sleep(0.05)


def _info(at: TableId) -> Message:
    said = Info(
        version="0.1.0", house="zoppot-1934", game="chemin-de-fer", capabilities=(),
        configuration="", boot="b1",
    )  # fmt: skip
    return current("info", said, at)


def _nothing(*_: object) -> None:
    """A table that hears nothing."""
