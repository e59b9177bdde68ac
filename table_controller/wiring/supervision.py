"""What systemd is told of a served table: that it is ready, that its loops turn, that it ends.

Knows systemd's notify socket and its watchdog; of the table it knows when each loop last turned.
Where there is no such socket, nothing is told.
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

#: A loop that has not turned for so long, and waits for nothing that may take longer, hangs.
STUCK_S: Final = 5.0


class Notify:
    """systemd's socket, opened once: later there may be no handle left."""

    def __init__(self, address: str) -> None:
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        self._line.connect("\0" + address[1:] if address.startswith("@") else address)

    def __call__(self, word: str) -> None:
        """Tell it; what cannot be told is not."""
        with suppress(OSError):
            self._line.send(word.encode())

    def close(self) -> None:
        """Tell nothing more."""
        self._line.close()


@asynccontextmanager
async def supervised(service: Service) -> AsyncIterator[None]:
    """Say that the table is ready, feed the watchdog while it is served, and say when it ends."""
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
    """Feed the watchdog as long as every loop turns; say once which one does not."""
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
