"""Reports of faults and recoveries, at a rate that a journal can bear.

A fault is always reported immediately. A recovery is reported immediately too, unless the same
thing recovered too often lately: then its recovery is reported only after a quiet time. The module
knows no device, and no clock except the one that it is given.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable
from functools import partial
from typing import Any, Final, Protocol

#: Recovery is reported immediately this often within this many seconds. After that it is reported
#: only after a quiet time this long.
OFTEN: Final = 3
WITHIN_S: Final = 60.0
REST_S: Final = 10.0


class Timer(Protocol):
    """A call that is due later and can be cancelled."""

    def cancel(self) -> None:
        """Do not make the call."""


def _now() -> float:
    return asyncio.get_running_loop().time()


#: Calls a function after some seconds.
Later = Callable[[float, Callable[[], Any]], Timer]


def later(seconds: float, call: Callable[[], Any]) -> Timer:
    """Call a function after some seconds, by the clock of the running event loop."""
    return asyncio.get_running_loop().call_later(seconds, call)


class Flaps:
    """Reports the recoveries of several things, each known by its name, at a bearable rate.

    `clock` gives seconds, and `later` calls a function after some seconds.
    """

    def __init__(
        self,
        clock: Callable[[], float] = _now,
        later: Later = later,
    ) -> None:
        self._clock, self._later = clock, later
        self._told: dict[str, deque[float]] = defaultdict(deque)
        self._waiting: dict[str, Timer] = {}

    def often(self, name: str) -> bool:
        """Whether the thing has recovered so often lately that its next recovery must wait."""
        told = self._told[name]
        while told and told[0] <= self._clock() - WITHIN_S:
            told.popleft()
        return len(told) >= OFTEN

    def amiss(self, name: str) -> None:
        """Note that the thing is faulty (again). A recovery that still waits is dropped."""
        waiting = self._waiting.pop(name, None)
        if waiting:
            waiting.cancel()

    def well(self, name: str, tell: Callable[[], None]) -> None:
        """Note that the thing works again.

        Call `tell` now; if the thing recovered often lately, call `tell` after a quiet time.
        """
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
        """Report no more recoveries."""
        for waiting in self._waiting.values():
            waiting.cancel()
        self._waiting.clear()
