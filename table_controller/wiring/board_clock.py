"""Converts a board's times to this machine's time. Knows times only.

A report takes some milliseconds to arrive, and never less than none: the fastest of the recent ones
shows how far apart the two clocks are. Old ones are forgotten before the board's quartz drifts.
"""

from __future__ import annotations

from collections import deque
from typing import Final

#: How many reports are compared; the board reports once a second.
_KEPT: Final = 16


class BoardClock:
    """Hears the time of every report, and returns it by the clock of `now_ms`."""

    def __init__(self) -> None:
        self._apart: deque[float] = deque(maxlen=_KEPT)
        self._last_us = 0

    def heard(self, time_us: int, now_ms: float) -> float:
        """Return in our time when a report of the board's `time_us`, come at `now_ms`, was made."""
        if time_us < self._last_us:  # the board restarted
            self._apart.clear()
        self._last_us = time_us
        self._apart.append(now_ms - time_us / 1000)
        return time_us / 1000 + min(self._apart)
