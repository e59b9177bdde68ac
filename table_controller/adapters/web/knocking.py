"""Who has connected to the page and is not let in yet: counted from the first byte, and bounded.

A TLS handshake that nobody ends is a handle that uvicorn never sees. Knows sockets; no HTTP.
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
    """Those who knock. One more than may be pushes out the oldest of the address with most."""

    def __init__(self) -> None:
        self._open: dict[Address, socket.socket] = {}
        self._left: dict[str, tuple[float, float]] = {}  # knocks, and when they were so many

    def admits(self, address: Address, now: float) -> bool:
        """Whether one from there is heard at all: so many at once, then so many a second."""
        whose = counted_as(address[0])
        left, since = self._left.pop(whose, (MOST_KNOCKS, now))
        left = min(MOST_KNOCKS, left + (now - since) * KNOCKS_A_SECOND)
        heard = left >= 1
        self._left[whose] = (left - heard, now)
        if len(self._left) > MOST_COUNTED:  # whoever came last the longest ago has all again
            del self._left[next(iter(self._left))]
        return heard

    def came(self, one: socket.socket, address: Address) -> None:
        """Somebody knocks."""
        if len(self._open) >= MOST_KNOCKING:
            self._open = {at: one for at, one in self._open.items() if one.fileno() >= 0}
        if len(self._open) >= MOST_KNOCKING:
            self.push_out()
        self._open[address] = one

    def entered(self, address: Address) -> None:
        """Let in: from here on others bound it."""
        self._open.pop(address, None)

    def push_out(self) -> bool:
        """End the oldest of the address that has most of them; whether there was any."""
        counts = Counter(counted_as(at[0]) for at in self._open)
        if not counts:
            return False
        whose, _ = counts.most_common(1)[0]
        oldest = next(at for at in self._open if counted_as(at[0]) == whose)
        with suppress(OSError):  # it has gone by itself
            self._open.pop(oldest).shutdown(socket.SHUT_RDWR)
        return True


class Door(socket.socket):
    """A listening socket that notes who knocks."""

    def __init__(self, listening: socket.socket, knocking: Knocking) -> None:
        """Takes over `listening`."""
        super().__init__(fileno=listening.detach())
        self.setblocking(False)
        self._knocking = knocking

    def accept(self) -> tuple[socket.socket, Address]:
        """Take the next one that is heard; the others are closed before anything is laid aside.

        Without a free handle one who knocks makes room for it.
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
        raise BlockingIOError  # the loop asks again once it has turned
