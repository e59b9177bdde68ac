"""Whose requests are heard now. After a flood, guests' requests are ignored for a while.

The module knows a clock and the form of a request's topic, but no client. Requests that wait at the
broker for a slow table are queued before the acknowledgements of its events, so a flood would delay
those. Guests may only ask for `replay`. While that is ignored, commands are still heard.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

#: Requests within a second that find the queue full: more than any legitimate client sends.
MOST_DROPPED: Final = 100
#: Seconds for which guests are then ignored. The time doubles each time, up to the most. After a
#: calm of equal length it starts again with the first.
DEAF_S: Final = 5.0
MOST_DEAF_S: Final = 60.0


class Ear:
    """Open to everybody, or closed except to the staff's commands."""

    def __init__(self, commands: frozenset[str], now: Callable[[], float] = time.monotonic) -> None:
        self._commands, self._now = tuple(sorted(commands)), now
        self._second, self._dropped = now(), 0
        self._closed_until, self._pause_s = 0.0, DEAF_S

    def dropped(self, weight: int = 1) -> None:
        """Count a request that found the queue full. Too many within a second close the ear.

        `weight` is the number of ordinary requests for which it counts.
        """
        now = self._now()
        if now - self._second >= 1:
            self._second, self._dropped = now, 0
        self._dropped += weight
        if self._dropped < MOST_DROPPED or not self.open:
            return
        if now - self._closed_until > MOST_DEAF_S:
            self._pause_s = DEAF_S
        self._closed_until = now + self._pause_s
        self._pause_s = min(2 * self._pause_s, MOST_DEAF_S)
        self._dropped = 0

    @property
    def open(self) -> bool:
        """Whether everybody is heard."""
        return self._now() >= self._closed_until

    def patterns(self) -> tuple[str, ...]:
        """The topic filters to subscribe to now, below the table's root."""
        if self.open:
            return ("request/+/+",)
        return tuple(f"request/+/{command}" for command in self._commands)
