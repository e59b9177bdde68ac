"""The embedded broker: amqtt in this process, on loopback, for the demo and a first evening.

Knows accounts and a port; no table, no event. amqtt stands behind a door of our own
(`broker_door`), since its defaults admit anybody, and is loaded only when it is wanted.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING

from table_controller.adapters.addresses import CannotServe, is_loopback, listening
from table_controller.adapters.broker_rules import Account

if TYPE_CHECKING:
    from table_controller.adapters.broker_door import Door

#: So often it is looked whether it listens still: nothing tells when a listener ends.
LOOK_S = 1.0


class EmbeddedBroker:
    """A broker in this process. `start` and `stop` once each."""

    def __init__(
        self, accounts: Iterable[Account], *, host: str = "127.0.0.1", port: int = 1883
    ) -> None:
        """Port 0 takes any free one. Raises CannotServe for an address beyond this machine."""
        if not is_loopback(host):
            raise CannotServe(
                f"The embedded broker serves this machine only, not {host!r}: want 127.0.0.1 "
                "or ::1. For a network, install Mosquitto with TLS (systemd/mosquitto/README.md)."
            )
        self.host, self.port = host, port
        self._accounts = tuple(accounts)
        self._door: Door | None = None
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Serve. Raises CannotServe, naming the port and the remedy, if it is taken."""
        from table_controller.adapters.broker_door import Door  # noqa: PLC0415 # heavy: amqtt

        logging.getLogger("amqtt").setLevel(logging.ERROR)  # below, it logs whole payloads
        logging.getLogger("transitions").setLevel(logging.WARNING)
        door = Door(self._accounts)
        place = listening(self.host, self.port)
        self._server = await asyncio.start_server(door.admit, sock=place)
        self.port = self._server.sockets[0].getsockname()[1]
        await door.open()
        self._door = door

    async def ended(self) -> None:
        """Wait until it serves no more; raises what ended it, if it said so."""
        while self._door and self._server and self._server.is_serving():
            try:
                async with asyncio.timeout(LOOK_S):
                    fault = await self._door.ended()
            except TimeoutError:
                continue
            if fault:
                raise fault
            return

    async def stop(self) -> None:
        """Let all connections go and free the port. Nothing if it does not serve."""
        if self._server is not None:
            self._server.close()
        if self._door is not None:
            await self._door.close()
        self._door = self._server = None
