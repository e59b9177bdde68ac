"""The floor's own broker on a single machine: Debian's Mosquitto as a child process.

The broker has one account for each table. The floor's own account reads every table and may send
requests to each. `TableBroker` serves enrolled tables over TLS; `FloorBroker` serves the tables of
this machine without TLS.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from firmware_bridge.trouble import Trouble
from table_controller.adapters import mosquitto
from table_controller.adapters.addresses import CannotServe
from table_controller.adapters.broker import EmbeddedBroker
from table_controller.adapters.broker_rules import (
    FLOOR,
    FOR_STAFF,
    PUBLIC,
    BrokerAccount,
    BrokerRole,
    User,
    table_user,
)
from table_controller.adapters.children import Child
from table_controller.adapters.mqtt_names import VERSION, TableId
from table_controller.floor import table_port

EVERY: Final = f"schlitten/{VERSION}/+/+"
#: Messages of one table that may be on their way to the floor, and further messages that wait
#: behind these at the broker. The floor asks the table later for the events beyond.
_MOST_UNDER_WAY: Final = 100
_MOST_WAITING: Final = 500
#: Enrolled tables that are signed in. A floor has up to 1,000 tables, and a lost connection may be
#: open for a while next to its successor.
MOST_TABLES: Final = 1500
#: Bytes of all data that the broker keeps: room for all tables, each with 600 messages of 1 kB that
#: wait. It is the last wall: what a table may write, the floor hears and counts.
MAX_MEMORY: Final = 1024 * 1024 * 1024
#: The socket at which Mosquitto hears the port of the enrolled tables.
_TABLES_SOCKET: Final = "tables.sock"


def account(at: TableId, secret: str) -> BrokerAccount:
    """A table's account at the floor's broker."""
    return BrokerAccount(User(table_user(at), BrokerRole.OF_FLOOR, at), secret)


def floor_acl() -> str:
    """Return the broker's access list for the floor: what it may read and write at every table.

    It writes where a table does, to remove what the broker retains of a table that is shut out.
    """
    heard = (*PUBLIC, *FOR_STAFF, f"response/{FLOOR}/+")
    lines = [f"# the floor\nuser {FLOOR}"]
    lines += [f"topic readwrite {EVERY}/{pattern}" for pattern in heard]
    lines.append(f"topic write {EVERY}/request/{FLOOR}/+")
    return "\n".join(lines) + "\n"


class FloorBroker(EmbeddedBroker):
    """The embedded broker, with room for many tables."""

    def __init__(
        self, tables: Iterable[BrokerAccount], secret: str, *, host: str, port: int
    ) -> None:
        """Prepare a broker for these tables. `secret` is the password of the floor's own account.

        Raises CannotServe if `host` is an address beyond this machine.
        """
        super().__init__(tables, host=host, port=port)
        self._secret = secret

    def admit(self, tables: Iterable[BrokerAccount]) -> None:
        """Admit these tables and no others. A connection without an account is closed.

        Raises OSError if the broker's files cannot be written.
        """
        self._accounts = tuple(tables)
        if self.pid and self.socket:
            for name, text in self._texts(self.socket.parent).items():
                (self.socket.parent / name).write_text(text)
            os.kill(self.pid, signal.SIGHUP)

    def _texts(self, folder: Path) -> dict[str, str]:
        proof = mosquitto.proof(self._secret)
        acl = mosquitto.acl(account.user for account in self._accounts)
        return {
            "passwords": f"{FLOOR}:{proof}\n{mosquitto.passwords(self._accounts)}",
            "acl": f"{floor_acl()}\n{acl}",
            "mosquitto.conf": settings(folder, self._for_tables(folder)),
        }

    def _for_tables(self, folder: Path) -> str:  # noqa: ARG002 - a subclass has a socket there
        """Return where Mosquitto listens for tables."""
        return f"{self.port} {self.host}"


class TableBroker(FloorBroker):
    """The embedded broker over TLS, for the house's enrolled tables.

    `served` is the file with certificate and key, as PEM. Each table has a password, which the
    floor can withdraw without disturbing other tables: Mosquitto reads passwords and access list
    again on SIGHUP, and closes the connections that no longer have an account. Tables reach
    Mosquitto through `table_port.py`, another child, which begins and ends with Mosquitto.
    """

    TLS = True

    def __init__(
        self,
        tables: Iterable[BrokerAccount],
        secret: str,
        *,
        host: str,
        port: int,
        served: Path,
    ) -> None:
        super().__init__(tables, secret, host=host, port=port)
        self._served = served
        self._port: Child | None = None

    async def ended(self) -> None:
        """Wait until Mosquitto or the port has ended, then raise CannotServe with the reason."""
        parts = [asyncio.create_task(super().ended()), asyncio.create_task(self._port_ended())]
        try:
            done, _ = await asyncio.wait(parts, return_when=asyncio.FIRST_COMPLETED)
            for part in done:
                part.result()
        finally:
            for part in parts:
                part.cancel()
            await asyncio.gather(*parts, return_exceptions=True)
            await self._end()

    async def _port_ended(self) -> None:
        if self._port:
            why = await self._port.ended()
            raise CannotServe(
                Trouble("The tables' port ended ({error}). It begins again.", error=why)
            )

    async def _begin(self, name: str, folder: Path) -> None:
        """Start Mosquitto, then the port. Raises CannotServe, OSError."""
        (folder / _TABLES_SOCKET).unlink(missing_ok=True)
        await super()._begin(name, folder)
        place = (self.host, str(self.port), str(self._served), str(folder / _TABLES_SOCKET))
        port = self._port = await Child.begin(
            *(sys.executable, "-I", "-m", table_port.__name__, *place), as_us=True, tells=True
        )
        if await port.line() != table_port.READY:
            why = await port.ended()
            raise CannotServe(Trouble("The tables' port cannot be served: {error}.", error=why))

    async def _end(self) -> None:
        if self._port:
            await self._port.end()
        self._port = None
        await super()._end()

    def _for_tables(self, folder: Path) -> str:
        return f"0 {folder / _TABLES_SOCKET}\nmax_connections {MOST_TABLES}"


def settings(folder: Path, tables: str) -> str:
    """Return Mosquitto's settings. Nothing is kept on disk.

    `tables` is where it listens for tables. If Mosquitto is killed, it loses messages, but the
    tables still have them. A table's user name is also its client id, so that no table can take
    over another table's connection. The floor alone uses the other socket, with a session and so
    with a client id for each table.
    """
    door = "allow_anonymous false\nmax_qos 1\n"
    return (
        f"listener {tables}\n{door}use_username_as_clientid true\n"
        f"listener 0 {folder}/table.sock\n{door}"
        f"password_file {folder}/passwords\n"
        f"acl_file {folder}/acl\n"
        "set_tcp_nodelay true\n"
        "max_packet_size 262144\n"
        f"max_inflight_messages {_MOST_UNDER_WAY}\n"
        f"max_queued_messages {_MOST_WAITING}\n"
        f"memory_limit {MAX_MEMORY}\n"
        "persistence false\n"
        "sys_interval 0\n"
        "connection_messages false\n"
        "log_dest stderr\n"
        "log_type error\n"
    )
