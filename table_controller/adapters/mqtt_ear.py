"""Whose requests are heard now: a flood of them is not heard for a while.

Knows a clock and what a request's topic looks like; no client. What waits at the broker for a table
that reads too slowly stands before the acknowledgements of its events, so that one who floods it
would delay them. Guests may ask for `replay` alone: while that is not heard, commands still are.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

#: Requests within a second that could not even wait: more than any honest client sends.
MOST_DROPPED: Final = 100
#: How long nothing is heard then, twice as long each time, up to the most; after as long a calm it
#: begins anew.
DEAF_S: Final = 5.0
MOST_DEAF_S: Final = 60.0


class Ear:
    """Open, or closed to all but the staff's commands."""

    def __init__(self, commands: frozenset[str], now: Callable[[], float] = time.monotonic) -> None:
        self._commands, self._now = tuple(sorted(commands)), now
        self._second, self._dropped = now(), 0
        self._closed_until, self._pause_s = 0.0, DEAF_S

    def dropped(self, weight: int = 1) -> None:
        """One more request found no place; too many of them within a second close the ear.

        `weight`: of so many honest ones.
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
        """What to subscribe to now, below the table's root."""
        if self.open:
            return ("request/+/+",)
        return tuple(f"request/+/{command}" for command in self._commands)
