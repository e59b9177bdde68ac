"""Counts and limits the connections that a server has not accepted yet.

An unfinished TLS handshake uses a file handle and memory, but neither uvicorn nor Mosquitto counts
it. The module knows sockets, but no protocol. A page and a floor's port for tables use it.
"""

from __future__ import annotations

import errno
import socket
import time
from asyncio.sslproto import SSLProtocol
from contextlib import suppress
from typing import Any

from table_controller.adapters.addresses import counted_as
from table_controller.adapters.limits import (
    BACKLOG,
    KNOCKS_A_SECOND,
    MOST_COUNTED,
    MOST_KNOCKING,
    MOST_KNOCKS,
)

#: An address and port, as the kernel names the other side.
Address = tuple[Any, ...]

#: The buffer that asyncio allocates for each TLS connection, even one that never finishes its
#: handshake. By default it has 256 KiB, which only the garbage collector frees.
SSLProtocol.max_size = 4 * 1024

_NO_HANDLE = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}


class Knocking:
    """The connections that are not accepted yet.

    If there are too many, the oldest connection of the address with the most connections is closed.
    """

    def __init__(self, most: int = MOST_KNOCKING, knocks: float = MOST_KNOCKS) -> None:
        """`most` may be open together; `knocks` is how often an address may connect at first."""
        self._most, self._knocks = most, knocks
        self._open: dict[str, dict[Address, socket.socket]] = {}  # the oldest of an address first
        self._left: dict[str, tuple[float, float]] = {}  # knocks still allowed, and since when

    def admits(self, address: Address, now: float) -> bool:
        """Whether a connection from this address is admitted at the time `now` (in seconds).

        An address may open some connections together, then a fixed number per second.
        """
        whose = counted_as(address[0])
        left, since = self._left.pop(whose, (self._knocks, now))
        left = min(self._knocks, left + (now - since) * KNOCKS_A_SECOND)
        heard = left >= 1
        self._left[whose] = (left - heard, now)
        if len(self._left) > MOST_COUNTED:  # forget the address that has been silent for longest
            del self._left[next(iter(self._left))]
        return heard

    def came(self, one: socket.socket, address: Address) -> None:
        """Note a new connection. If there are too many, close another one (`push_out`)."""
        if sum(map(len, self._open.values())) >= self._most:
            self.push_out()
        self._open.setdefault(counted_as(address[0]), {})[address] = one

    def entered(self, address: Address) -> None:
        """Note that the server has accepted the connection, or that the connection has ended."""
        whose = counted_as(address[0])
        if mine := self._open.get(whose):
            mine.pop(address, None)
            if not mine:
                del self._open[whose]

    def push_out(self) -> bool:
        """Close the oldest connection of the address that has the most connections.

        If that connection has closed by itself, its place is free. Return whether there was one.
        """
        if not self._open:
            return False
        mine = max(self._open.values(), key=len)
        address, oldest = next(iter(mine.items()))
        with suppress(OSError):  # it has closed by itself
            oldest.shutdown(socket.SHUT_RDWR)
        self.entered(address)
        return True


class Door(socket.socket):
    """A listening socket that tells `Knocking` about each connection."""

    def __init__(self, listening: socket.socket, knocking: Knocking) -> None:
        """Take over the socket `listening`."""
        super().__init__(fileno=listening.detach())
        self.setblocking(False)
        self._knocking = knocking

    def accept(self) -> tuple[socket.socket, Address]:
        """Return the next connection that is admitted. Others are closed before they use memory.

        If no file handle is free, a connection that the server has not accepted yet is closed.
        """
        for _ in range(BACKLOG):
            try:
                one, address = super().accept()
            except OSError as error:
                if error.errno in _NO_HANDLE and self._knocking.push_out():
                    break
                raise
            if self._knocking.admits(address, time.monotonic()):
                self._knocking.came(one, address)
                return one, address
            one.close()
        raise BlockingIOError  # the loop asks again in its next round
