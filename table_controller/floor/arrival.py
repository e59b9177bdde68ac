"""When a message arrived, for comparing the tables' clocks with the floor's.

If the program stood still, what came meanwhile is read late, and nobody knows when it came. Then
no clock is judged.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

#: How often the event loop shows that it goes on, and the pause after which it stood still.
BEAT_S: Final = 0.5
STOOD_S: Final = 2.0
#: For so long after a pause, messages may be read that came during it.
DRAINED_S: Final = 10.0


class Arrivals:
    """Tells when a message is taken from its socket. `run` beats until cancelled."""

    def __init__(
        self,
        clock_s: Callable[[], float] = time.time,
        now: Callable[[], float] = time.monotonic,
        stood: Callable[[float], None] = lambda _: None,
    ) -> None:
        """Begin to beat. `stood` is told for how many seconds the program stood still."""
        self._clock, self._now, self._stood = clock_s, now, stood
        self._beat, self._unsure_until = now(), 0.0

    def came_s(self) -> float | None:
        """The time (in seconds since 1970) of a message that is read now; None if it is unsure."""
        self.beat()
        return None if self._now() < self._unsure_until else self._clock()

    def beat(self) -> None:
        """Note that the event loop goes on."""
        now = self._now()
        if now - self._beat > STOOD_S:
            self._unsure_until = now + DRAINED_S
            self._stood(now - self._beat)
        self._beat = now

    async def run(self) -> None:
        """Beat until cancelled."""
        while True:
            await asyncio.sleep(BEAT_S)
            self.beat()
