"""How what comes and goes is told at a rate that a journal can bear.

That a thing is amiss is told at once, always. That it is well again is told at once too, unless
it was so often of late: then once it has rested. Knows no device and no clock of its own.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict, deque
from collections.abc import Callable
from functools import partial
from typing import Any, Final, Protocol

#: So often within so many seconds is well told at once; after that when it has rested so long.
OFTEN: Final = 3
WITHIN_S: Final = 60.0
REST_S: Final = 10.0


class Timer(Protocol):
    """What waits, and may be told not to."""

    def cancel(self) -> None:
        """Wait no longer."""


def _later(seconds: float, call: Callable[[], Any]) -> Timer:
    return asyncio.get_running_loop().call_later(seconds, call)


class Flaps:
    """Things by their names. `clock` gives seconds, `later` calls after some."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        later: Callable[[float, Callable[[], Any]], Timer] = _later,
    ) -> None:
        self._clock, self._later = clock, later
        self._told: dict[str, deque[float]] = defaultdict(deque)
        self._waiting: dict[str, Timer] = {}

    def often(self, name: str) -> bool:
        """Whether it was told to be well so often of late that it is not believed at once."""
        told = self._told[name]
        while told and told[0] <= self._clock() - WITHIN_S:
            told.popleft()
        return len(told) >= OFTEN

    def amiss(self, name: str) -> None:
        """It is amiss (again): what waited to be told is not so."""
        waiting = self._waiting.pop(name, None)
        if waiting:
            waiting.cancel()

    def well(self, name: str, tell: Callable[[], None]) -> None:
        """It is well; `tell` it now, or once it has rested."""
        if name in self._waiting:
            return
        if self.often(name):
            self._waiting[name] = self._later(REST_S, partial(self._say, name, tell))
        else:
            self._say(name, tell)

    def _say(self, name: str, tell: Callable[[], None]) -> None:
        self._waiting.pop(name, None)
        self._told[name].append(self._clock())
        tell()

    def close(self) -> None:
        """Tell nothing more."""
        for waiting in self._waiting.values():
            waiting.cancel()
        self._waiting.clear()
