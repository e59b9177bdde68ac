"""Decides whose requests the table reads. After a flood it ignores guests' requests for a while.

The module knows a clock and the form of a request's topic, but no client. Requests that wait at the
broker come before the acknowledgements of the table's events, so a flood would delay the events.
Guests may only ask for `replay`. While `replay` is ignored, commands of the staff are still read.
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
    """Open to everybody, or closed to all requests except the staff's commands."""

    def __init__(self, commands: frozenset[str], now: Callable[[], float] = time.monotonic) -> None:
        self._commands, self._now = tuple(sorted(commands)), now
        self._second, self._dropped = now(), 0
        self._closed_until, self._pause_s = 0.0, DEAF_S

    def dropped(self, weight: int = 1) -> None:
        """Count a request that found the queue full.

        Too many of them within a second close the ear. `weight` is the number of ordinary requests
        for which this request counts.
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
        """Whether requests of everybody are read now."""
        return self._now() >= self._closed_until

    def patterns(self) -> tuple[str, ...]:
        """Return the topic filters to subscribe to now, below the table's root."""
        if self.open:
            return ("request/+/+",)
        return tuple(f"request/+/{command}" for command in self._commands)
