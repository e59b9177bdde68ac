"""The tasks of a service: starts them, restarts a task that ends unexpectedly, stops all together.

The module knows asyncio and the log, but no table.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from firmware_bridge.trouble import TroubleError
from table_controller.service import logs

Work = Callable[[], Coroutine[Any, Any, Any]]

#: Seconds until a part that ended unexpectedly is restarted. They double each time that it ends
#: again, up to `MOST_S`.
AGAIN_S, MOST_S = 1.0, 30.0


class Tasks:
    """Tasks that should run until they are stopped. If one ends, it is reported and restarted.

    Args:
        missed: called with the part whose task ended unexpectedly, and with a sentence that says
            why. The sentence is "" for an error of another type than `cannot`, which is in the log.
        back: called with the part once it was restarted and has run for a while.
        cannot: the types of errors whose reason is the sentence for `missed`.
    """

    def __init__(
        self,
        missed: Callable[[str, str], None],
        back: Callable[[str], None],
        cannot: tuple[type[TroubleError], ...] = (),
    ) -> None:
        self._missed, self._back, self._cannot = missed, back, cannot
        self._tasks: list[asyncio.Task[Any]] = []
        #: The number of times each part ended unexpectedly.
        self.ended = Counter[str]()

    def start(
        self, part: str, work: Work, *, ends: bool = False, again: bool = True
    ) -> asyncio.Task[Any]:
        """Start the task of `part`.

        If `ends` is true, the task may end when it is done, and only a failure is reported. `again`
        says whether the task is restarted after a failure.
        """
        task = asyncio.create_task(self._keep(part, work, ends, again), name=part)
        self._tasks.append(task)
        task.add_done_callback(self._tasks.remove)
        return task

    async def stop(self) -> None:
        """Cancel all tasks, the last first, and wait until they have ended."""
        running = self._tasks[::-1]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def _keep(self, part: str, work: Work, ends: bool, again: bool) -> None:
        """Run the work of a part, and start it again each time it ends."""
        loop, pause_s = asyncio.get_running_loop(), AGAIN_S
        steady: asyncio.TimerHandle | None = None
        while True:
            why: str = ""
            try:
                await work()
            except asyncio.CancelledError:
                if _stopped():
                    raise
                logs.error("a part was cancelled by itself", part=part)
            except self._cannot as cannot:
                why = cannot.why
            except Exception as failure:  # noqa: BLE001 - the edge of every task
                logs.fault("a part failed", failure, part=part)
            else:
                if ends:
                    if steady:
                        self._back(part)
                    return
            finally:
                if steady:
                    steady.cancel()
            self.ended[part] += 1
            self._tell(partial(self._missed, part, why))
            if not again:
                return
            if steady and steady.when() <= loop.time():
                pause_s = AGAIN_S
            await asyncio.sleep(pause_s)
            steady = loop.call_later(pause_s, self._back, part)
            pause_s = min(2 * pause_s, MOST_S)

    def _tell(self, tell: Callable[[], None]) -> None:
        """Call `tell` to report an end. The part is restarted even if `tell` raises."""
        try:
            tell()
        except Exception as failure:  # noqa: BLE001 - as above
            logs.fault("the end of a part could not be told", failure)


def _stopped() -> bool:
    """Whether this task itself was cancelled, and not only a future for which the task waited."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
