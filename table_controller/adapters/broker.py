"""The embedded broker: amqtt in this process, on loopback, for the demo and a first evening.

Knows accounts and a port; no table, no event. amqtt stands behind a door of our own
(`broker_door`), since its defaults admit anybody, and is loaded only when it is wanted.
"""

from __future__ import annotations

import asyncio
import errno
import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING

from table_controller.adapters.addresses import is_loopback
from table_controller.adapters.broker_rules import Account

if TYPE_CHECKING:
    from table_controller.adapters.broker_door import Door


class BrokerFailed(Exception):
    """The embedded broker cannot serve. The text says why and what to do."""


class EmbeddedBroker:
    """A broker in this process. `start` and `stop` once each."""

    def __init__(
        self, accounts: Iterable[Account], *, host: str = "127.0.0.1", port: int = 1883
    ) -> None:
        """Port 0 takes any free one. Raises BrokerFailed for an address beyond this machine."""
        if not is_loopback(host):
            raise BrokerFailed(
                f"The embedded broker serves this machine only, not {host!r}: want 127.0.0.1 "
                "or ::1. For a network, install Mosquitto with TLS (systemd/mosquitto/README.md)."
            )
        self.host, self.port = host, port
        self._accounts = tuple(accounts)
        self._door: Door | None = None
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Serve. Raises BrokerFailed, naming the port and the remedy, if it is taken."""
        from table_controller.adapters.broker_door import Door  # noqa: PLC0415 # heavy: amqtt

        logging.getLogger("amqtt").setLevel(logging.ERROR)  # below, it logs whole payloads
        logging.getLogger("transitions").setLevel(logging.WARNING)
        door = Door(self._accounts)
        try:
            self._server = await asyncio.start_server(door.admit, self.host, self.port)
        except OSError as error:
            raise BrokerFailed(_why(self.host, self.port, error)) from None
        self.port = self._server.sockets[0].getsockname()[1]
        await door.open()
        self._door = door

    async def stop(self) -> None:
        """Let all connections go and free the port. Nothing if it does not serve."""
        if self._server is not None:
            self._server.close()
        if self._door is not None:
            await self._door.close()
        self._door = self._server = None


def _why(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"The embedded broker cannot use port {port} on {host}: another program has it. "
            f"End that one (`ss -ltnp 'sport = :{port}'` shows it), set another port, or, if "
            "it is a Mosquitto, let the table use it."
        )
    if error.errno == errno.EACCES:
        return (
            f"The embedded broker may not use port {port} on {host}: ports below 1024 are "
            "root's. Set a higher one, as 1883."
        )
    return f"The embedded broker cannot listen on {host}:{port}: {error}."
