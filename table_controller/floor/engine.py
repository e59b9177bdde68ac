"""The floor's own broker on a single machine: Debian's Mosquitto as a child process.

The broker has one account for each table. The floor's own account reads every table and may send
requests to each. `TableBroker` serves enrolled tables over TLS; `FloorBroker` serves the tables of
this machine without TLS.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from table_controller.adapters import mosquitto
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
from table_controller.adapters.mqtt_names import VERSION, TableId

EVERY: Final = f"schlitten/{VERSION}/+/+"
#: Messages of one table that may be on their way to the floor, and further messages that wait
#: behind these at the broker. The floor asks the table later for the events beyond.
_MOST_UNDER_WAY: Final = 100
_MOST_WAITING: Final = 500
#: Connections at the port of the enrolled tables. A floor has up to 1,000 tables, and a lost
#: connection may be open for a while next to its successor. The floor itself uses a socket.
MOST_TABLES: Final = 1500
#: Bytes of all data that the broker keeps: room for all tables, each with 600 messages of 1 kB that
#: wait. It is the last wall: what a table may write, the floor hears and counts.
MAX_MEMORY: Final = 1024 * 1024 * 1024
_SERVED: Final = "served.pem"


def account(at: TableId, secret: str) -> BrokerAccount:
    """A table's account at the floor's broker."""
    return BrokerAccount(User(table_user(at), BrokerRole.OF_FLOOR, at), secret)


def floor_acl() -> str:
    """Return the broker's access list for the floor: what it may read and write at every table."""
    lines = [f"# the floor\nuser {FLOOR}"]
    lines += [f"topic read {EVERY}/{pattern}" for pattern in (*PUBLIC, *FOR_STAFF)]
    lines += [
        f"topic read {EVERY}/response/{FLOOR}/+",
        f"topic write {EVERY}/request/{FLOOR}/+",
    ]
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
            "mosquitto.conf": settings(folder, self.host, self.port, self._more(folder)),
        }

    def _more(self, folder: Path) -> str:  # noqa: ARG002 - a subclass names files there
        """Return further settings for the port that the tables use."""
        return ""


class TableBroker(FloorBroker):
    """The embedded broker over TLS, for the house's enrolled tables.

    `served` is the file with certificate and key, as PEM. Each table has a password, which the
    floor can withdraw without disturbing other tables: Mosquitto reads passwords and access list
    again on SIGHUP, and closes the connections that no longer have an account.
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

    def _texts(self, folder: Path) -> dict[str, str]:
        return super()._texts(folder) | {_SERVED: self._served.read_text()}

    def _more(self, folder: Path) -> str:
        return (
            f"certfile {folder / _SERVED}\nkeyfile {folder / _SERVED}\ntls_version tlsv1.2\n"
            f"max_connections {MOST_TABLES}\n"
        )


def settings(folder: Path, host: str, port: int, more: str = "") -> str:
    """Return Mosquitto's settings. Nothing is kept on disk.

    `more` are settings for the tables' port. If Mosquitto is killed, it loses messages, but the
    tables still have them. A table's user name is also its client id, so that no table can take
    over another table's connection. The floor alone uses the socket, with a session and so with a
    client id for each table.
    """
    door = "allow_anonymous false\nmax_qos 1\n"
    return (
        f"listener {port} {host}\n{door}use_username_as_clientid true\n{more}"
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
