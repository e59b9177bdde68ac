"""When a board says that something happened, in this machine's time. Knows times only.

A report takes some milliseconds to come, never fewer than none: the quickest of the last ones tells
how far the two clocks are apart, and a board's quartz is forgotten soon enough to drift.
"""

from __future__ import annotations

from collections import deque
from typing import Final

#: So many reports are compared; the board says something once a second.
_KEPT: Final = 16


class BoardClock:
    """Hear every report's time; `at_ms` is that time by the clock that `now_ms` is of."""

    def __init__(self) -> None:
        self._apart: deque[float] = deque(maxlen=_KEPT)
        self._last_us = 0

    def heard(self, time_us: int, now_ms: float) -> float:
        """A report of the board's `time_us` came at `now_ms`: when it was, in our time."""
        if time_us < self._last_us:  # it started anew
            self._apart.clear()
        self._last_us = time_us
        self._apart.append(now_ms - time_us / 1000)
        return time_us / 1000 + min(self._apart)
