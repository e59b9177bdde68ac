"""The journal's pen: the one thread that waits for the disk, and the one place where both meet.

Knows threads and the event loop; knows no row and no table. What is asked of it is done one after
the other, in the order in which it was asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


class Pen:
    """Writes in a thread of its own, or at once where nothing is flushed and so nothing waits."""

    def __init__(self, *, aside: bool) -> None:
        """`aside`: whether there is a thread; it begins with the first thing to do."""
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="journal") if aside else None

    def start(self, work: Callable[[], T]) -> Future[T]:
        """Have `work` done; its end is in the future that is returned."""
        if self._thread:
            return self._thread.submit(work)
        done: Future[T] = Future()
        try:
            done.set_result(work())
        except Exception as error:  # noqa: BLE001 - as a thread's: whoever asks for it meets it
            done.set_exception(error)
        return done

    def close(self) -> None:
        """Wait until everything that was asked is done."""
        if self._thread:
            self._thread.shutdown()


async def ended(work: Future[T]) -> None:
    """Wait, while the loop goes on, until `work` has come to an end, good or bad.

    Who is cancelled meanwhile leaves the work as it is: what was begun is written.
    """
    if work.done():
        return
    seen = asyncio.wrap_future(work)
    seen.add_done_callback(lambda end: end.cancelled() or end.exception())  # its asker meets it
    await asyncio.wait([seen])
