"""Limits on a client's use of the page's server: connections, idle time, unread data.

The module knows uvicorn's protocol and the event loop's clock, but no page and no table.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

from uvicorn.protocols.http.h11_impl import H11Protocol

from table_controller.adapters.handshake_limits import Knocking
from table_controller.adapters.limits import MOST_CONNECTIONS, SILENT_S, UNREAD_S


class Bounded(H11Protocol):
    """A connection that is closed when it exceeds the limits of `limits.py`."""

    _since = 0.0
    _silence: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def __init__(self, *args: Any, knocking: Knocking, **kwargs: Any) -> None:
        """`knocking` counts the connection until the server accepts it.

        The other arguments are uvicorn's.
        """
        super().__init__(*args, **kwargs)
        self._knocking = knocking

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's
        """Accept the connection.

        If there are too many, close the one that has been idle for longest.
        """
        super().connection_made(transport)
        self._knocking.entered(transport.get_extra_info("peername"))
        self._listen()
        if len(self.connections) > MOST_CONNECTIONS:
            open_now = cast("set[Bounded]", self.connections)
            idle = [one for one in open_now if one.idle]
            min(idle, key=lambda one: one._since).transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the connection's timers."""
        super().connection_lost(exc)
        for timer in (self._silence, self._unread):
            if timer:
                timer.cancel()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        super().on_response_complete()
        self._listen()

    def pause_writing(self) -> None:
        """Close the connection if the client does not read for `UNREAD_S` seconds."""
        super().pause_writing()
        self._unread = self.loop.call_later(UNREAD_S, self.transport.abort)

    def resume_writing(self) -> None:
        """The client reads again: do not close the connection."""
        super().resume_writing()
        if self._unread:
            self._unread.cancel()

    @property
    def idle(self) -> bool:
        """Whether the connection waits for a request, or for the rest of a request."""
        return self.cycle is None or self.cycle.more_body or self.cycle.response_complete

    def _listen(self) -> None:
        self._since = self.loop.time()
        if self._silence:
            self._silence.cancel()
        self._silence = self.loop.call_later(SILENT_S, self._silent)

    def _silent(self) -> None:
        if self.idle:
            self.transport.close()
