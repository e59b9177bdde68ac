"""Counts and limits the connections that the server has not accepted yet.

An unfinished TLS handshake uses a file handle that uvicorn never sees. The module knows sockets,
but no HTTP.
"""

from __future__ import annotations

import errno
import socket
import time
from collections import Counter
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

_NO_HANDLE = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}


class Knocking:
    """The connections that are not accepted yet.

    If there are too many, the oldest connection of the address with the most connections is closed.
    """

    def __init__(self) -> None:
        self._open: dict[Address, socket.socket] = {}
        self._left: dict[str, tuple[float, float]] = {}  # knocks still allowed, and since when

    def admits(self, address: Address, now: float) -> bool:
        """Whether a connection from this address is admitted at the time `now` (in seconds).

        An address may open some connections together, then a fixed number per second.
        """
        whose = counted_as(address[0])
        left, since = self._left.pop(whose, (MOST_KNOCKS, now))
        left = min(MOST_KNOCKS, left + (now - since) * KNOCKS_A_SECOND)
        heard = left >= 1
        self._left[whose] = (left - heard, now)
        if len(self._left) > MOST_COUNTED:  # forget the address that has been silent for longest
            del self._left[next(iter(self._left))]
        return heard

    def came(self, one: socket.socket, address: Address) -> None:
        """Note a new connection. If there are too many, close another one (`push_out`)."""
        if len(self._open) >= MOST_KNOCKING:
            self._open = {at: one for at, one in self._open.items() if one.fileno() >= 0}
        if len(self._open) >= MOST_KNOCKING:
            self.push_out()
        self._open[address] = one

    def entered(self, address: Address) -> None:
        """Note that the server has accepted the connection. From here on `bounds.py` limits it."""
        self._open.pop(address, None)

    def push_out(self) -> bool:
        """Close the oldest connection of the address that has the most connections.

        Return whether there was a connection.
        """
        counts = Counter(counted_as(at[0]) for at in self._open)
        if not counts:
            return False
        whose, _ = counts.most_common(1)[0]
        oldest = next(at for at in self._open if counted_as(at[0]) == whose)
        with suppress(OSError):  # it has closed by itself
            self._open.pop(oldest).shutdown(socket.SHUT_RDWR)
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
