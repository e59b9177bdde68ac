"""Reports to systemd that a table is ready, that its loops run, and that it stops.

The module knows systemd's notify socket and its watchdog, and when each loop of the table last
completed a round. Without such a socket the module does nothing.
"""

from __future__ import annotations

import asyncio
import os
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Final

from table_controller.service import logs
from table_controller.wiring.app import Service

#: A loop hangs if it has not completed a round for this long, unless it waits for something slow.
STUCK_S: Final = 5.0


class Notify:
    """systemd's notify socket.

    It is opened at the start, since later no file handle may be free.
    """

    def __init__(self, address: str) -> None:
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        self._line.connect("\0" + address[1:] if address.startswith("@") else address)

    def __call__(self, word: str) -> None:
        """Send a word to systemd. A failure is ignored."""
        with suppress(OSError):
            self._line.send(word.encode())

    def close(self) -> None:
        """Close the socket."""
        self._line.close()


@asynccontextmanager
async def supervised(service: Service) -> AsyncIterator[None]:
    """Report that the table is ready, feed the watchdog in this block, and report the end."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        yield
        return
    tell = Notify(address)
    every_s = int(os.environ.get("WATCHDOG_USEC") or 0) / 1e6 / 3
    if every_s:
        service.start("watchdog", partial(_feed, service, tell, every_s))
    tell("READY=1")
    try:
        yield
    finally:
        tell("STOPPING=1")
        tell.close()


async def _feed(service: Service, tell: Notify, every_s: float) -> None:
    """Feed the watchdog as long as every loop runs. Log once which loop hangs."""
    told: list[str] = []
    while True:
        now = time.monotonic()
        stuck = [part for part, turned in service.turned() if now - turned > STUCK_S]
        if not stuck:
            tell("WATCHDOG=1")
        elif stuck != told:
            logs.error("a loop hangs: the watchdog is not fed", parts=stuck)
        told = stuck
        await asyncio.sleep(every_s)
