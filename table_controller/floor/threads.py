"""The floor's threads: each kind of work has its own, so that none waits behind another.

A manager who opens many reports must not delay the rows of the tables, their alerts, a sign-in or a
page. Reports take turns, and only a few may wait.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from math import ceil
from typing import Any, Final, TypeVar, cast

T = TypeVar("T")

#: Reports that may wait for the one that is being made. A further one is asked to come again.
MOST_WAITING: Final = 2
#: Sign-ins that are checked at the same time. Each takes 19 MiB.
_SIGN_INS: Final = 2
#: How long the first report may take, in seconds. After that it is as long as the last one took.
REPORT_S: Final = 2.0


class TooBusy(Exception):
    """So many wait already that one more would wait too long. `again_s` says when to come again."""

    def __init__(self, again_s: int) -> None:
        super().__init__(f"again in {again_s} s")
        self.again_s = again_s


class Lane:
    """Threads for one kind of work: `await lane(work, ...)` returns what `work` returns."""

    def __init__(self, name: str, threads: int = 1) -> None:
        self._pool = ThreadPoolExecutor(threads, name)

    async def __call__(self, work: Callable[..., T], *args: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, partial(work, *args))

    def close(self) -> None:
        """End the threads. What has begun is finished, what waits is dropped."""
        self._pool.shutdown(wait=False, cancel_futures=True)


class Reports(Lane):
    """A lane in which only a few may wait. A call raises TooBusy if too many wait already."""

    def __init__(self) -> None:
        super().__init__("reports")
        self._asked, self._took_s = 0, REPORT_S
        self._making: dict[Hashable, asyncio.Task[Any]] = {}

    async def shared(self, name: Hashable, work: Callable[..., T], *args: object) -> T:
        """Do some work, or wait for the same work if it is being done. Raises TooBusy.

        `name` says which work is the same. So many people who read one report wait once.
        """
        if name not in self._making:
            self._making[name] = asyncio.create_task(self(work, *args))
            self._making[name].add_done_callback(lambda _: self._making.pop(name))
        return cast("T", await asyncio.shield(self._making[name]))

    async def __call__(self, work: Callable[..., T], *args: object) -> T:
        if self._asked > MOST_WAITING:
            raise TooBusy(ceil(self._took_s * self._asked))
        self._asked += 1
        try:
            return await super().__call__(self._timed, work, *args)
        finally:
            self._asked -= 1

    def _timed(self, work: Callable[..., T], *args: object) -> T:
        began = time.monotonic()
        try:
            return work(*args)
        finally:
            self._took_s = max(time.monotonic() - began, 1.0)


class Threads:
    """The lanes of a floor, until `close`.

    Attributes:
        ingest: stores what the tables sent.
        watch: looks at the tables for alerts.
        keep: looks who leads, and who is admitted.
        sign_in: checks PINs.
        report: makes reports, one after the other.
        count: counts what reports add up.
    """

    def __init__(self) -> None:
        self.ingest, self.watch, self.keep = Lane("ingest"), Lane("watch"), Lane("keep")
        self.sign_in, self.report = Lane("sign-in", _SIGN_INS), Reports()
        self.count = Lane("count")

    def close(self) -> None:
        """End all threads."""
        for lane in (self.ingest, self.watch, self.keep, self.sign_in, self.report, self.count):
            lane.close()
