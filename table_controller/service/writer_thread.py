"""The journal's pen: the one thread that waits for the disk.

So the event loop never waits for the disk itself. The module knows threads and the event loop, but
no row and no table. The pen does one piece of work at a time, in the order of the requests.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


class Pen:
    """Runs work in a separate thread, or directly if nothing is flushed and so nothing waits."""

    def __init__(self, *, aside: bool) -> None:
        """`aside` says whether there is a thread.

        The thread starts with the first piece of work.
        """
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="journal") if aside else None

    def start(self, work: Callable[[], T]) -> Future[T]:
        """Queue `work`. Return the future of its result."""
        if self._thread:
            return self._thread.submit(work)
        done: Future[T] = Future()
        try:
            done.set_result(work())
        except Exception as error:  # noqa: BLE001 - as in a thread: the result raises it
            done.set_exception(error)
        return done

    def close(self) -> None:
        """Wait until all queued work is done."""
        if self._thread:
            self._thread.shutdown()


async def ended(work: Future[T]) -> None:
    """Wait until `work` has succeeded or failed, without blocking the event loop.

    Cancelling this wait does not cancel the work. Work that has begun is finished.
    """
    if work.done():
        return
    seen = asyncio.wrap_future(work)
    seen.add_done_callback(lambda end: end.cancelled() or end.exception())  # the caller gets it
    await asyncio.wait([seen])
