"""The journal's pen: the one thread that waits for the disk, and how the event loop waits for it.

Knows threads and the event loop; knows no row and no table. It does one piece of work at a time, in
the order of the requests.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


class Pen:
    """Runs work in a thread of its own; or at once, if nothing is flushed and so nothing waits."""

    def __init__(self, *, aside: bool) -> None:
        """`aside`: whether there is a thread; it starts with the first piece of work."""
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="journal") if aside else None

    def start(self, work: Callable[[], T]) -> Future[T]:
        """Queue `work`; return the future of its result."""
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
    """Wait, without blocking the loop, until `work` has succeeded or failed.

    Cancelling the wait does not cancel the work: what was begun will be written.
    """
    if work.done():
        return
    seen = asyncio.wrap_future(work)
    seen.add_done_callback(lambda end: end.cancelled() or end.exception())  # the asker gets it
    await asyncio.wait([seen])
