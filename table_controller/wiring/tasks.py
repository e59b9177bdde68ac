"""The tasks of a service: started, cancelled together, and missed when one ends by itself.

Knows asyncio and the log; knows nothing of a table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from table_controller.service import logs


class Tasks:
    """Tasks that are to go on until they are stopped.

    Args:
        missed: told the part whose task ended by itself, or failed; what failed is in the log.
    """

    def __init__(self, missed: Callable[[str], None]) -> None:
        self._missed, self._tasks = missed, list[asyncio.Task[Any]]()

    def start(
        self, part: str, work: Coroutine[Any, Any, Any], *, ends: bool = False
    ) -> asyncio.Task[Any]:
        """Start the work of `part`. Where it `ends` when it is done, it is missed if it fails."""
        task = asyncio.create_task(work, name=part)
        task.add_done_callback(partial(self._ended, part, ends))
        self._tasks.append(task)
        return task

    async def stop(self) -> None:
        """Cancel them all, the last first, and wait for their ends."""
        for task in reversed(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _ended(self, part: str, ends: bool, task: asyncio.Task[Any]) -> None:
        if task.cancelled():
            return
        failure = task.exception()
        if failure:
            logs.fault("a part failed", failure, part=part)
        if failure or not ends:
            self._missed(part)
