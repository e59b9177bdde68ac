"""The floor's threads: each kind of work has its own, so that none waits behind another.

A manager who opens many reports must not delay the rows of the tables, their alerts, a sign-in or a
page. Reports take turns, and only a few may wait.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from math import ceil
from typing import Final, TypeVar

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


class Threads:
    """The executors of a floor, until `close`."""

    def __init__(self) -> None:
        self._ingest = ThreadPoolExecutor(1, "ingest")
        self._watch = ThreadPoolExecutor(1, "watch")
        self._keep = ThreadPoolExecutor(1, "keep")
        self._sign_in = ThreadPoolExecutor(_SIGN_INS, "sign-in")
        self._reports = ThreadPoolExecutor(1, "reports")
        self._asked, self._took_s = 0, REPORT_S

    async def ingest(self, work: Callable[..., T], *args: object) -> T:
        """Store what the tables sent."""
        return await self._run(self._ingest, work, *args)

    async def watch(self, work: Callable[..., T], *args: object) -> T:
        """Look at the tables for alerts."""
        return await self._run(self._watch, work, *args)

    async def keep(self, work: Callable[..., T], *args: object) -> T:
        """Look who leads, and who is admitted."""
        return await self._run(self._keep, work, *args)

    async def sign_in(self, work: Callable[..., T], *args: object) -> T:
        """Check a PIN."""
        return await self._run(self._sign_in, work, *args)

    async def report(self, work: Callable[..., T], *args: object) -> T:
        """Make a report, after those asked for before. Raises TooBusy."""
        if self._asked > MOST_WAITING:
            raise TooBusy(ceil(self._took_s * self._asked))
        self._asked += 1
        try:
            return await self._run(self._reports, self._timed, work, *args)
        finally:
            self._asked -= 1

    def _timed(self, work: Callable[..., T], *args: object) -> T:
        began = time.monotonic()
        try:
            return work(*args)
        finally:
            self._took_s = max(time.monotonic() - began, 1.0)

    def close(self) -> None:
        """End the threads. What has begun is finished, what waits is dropped."""
        every = (self._ingest, self._watch, self._keep, self._sign_in, self._reports)
        for one in every:
            one.shutdown(wait=False, cancel_futures=True)

    async def _run(self, where: ThreadPoolExecutor, work: Callable[..., T], *args: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(where, partial(work, *args))
