"""The tasks of a service: started, cancelled together, and missed when one ends by itself.

Knows asyncio and the log; knows nothing of a table.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from table_controller.service import logs

Work = Callable[[], Coroutine[Any, Any, Any]]

#: A part that ended by itself is begun anew after so long; one that ends again and again after
#: twice as long each time, up to the most.
AGAIN_S, MOST_S = 1.0, 30.0


class Tasks:
    """Tasks that are to go on until they are stopped: one that ends is missed, and begun anew.

    Args:
        missed: told the part whose task ended by itself, and why in a sentence where it knew one;
            what else failed is in the log.
        back: told it when that part, begun anew, has gone on for a while.
        cannot: the errors whose texts are such sentences.
    """

    def __init__(
        self,
        missed: Callable[[str, str], None],
        back: Callable[[str], None],
        cannot: tuple[type[Exception], ...] = (),
    ) -> None:
        self._missed, self._back, self._cannot = missed, back, cannot
        self._tasks: list[asyncio.Task[Any]] = []
        #: How often each part ended by itself.
        self.ended = Counter[str]()

    def start(
        self, part: str, work: Work, *, ends: bool = False, again: bool = True
    ) -> asyncio.Task[Any]:
        """Start the work of `part`.

        Where it `ends` when it is done, it is missed only if it fails; `again`: whether it is
        then begun anew.
        """
        task = asyncio.create_task(self._keep(part, work, ends, again), name=part)
        self._tasks.append(task)
        task.add_done_callback(self._tasks.remove)
        return task

    async def stop(self) -> None:
        """Cancel them all, the last first, and wait for their ends."""
        running = self._tasks[::-1]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def _keep(self, part: str, work: Work, ends: bool, again: bool) -> None:
        """Begin it anew as often as it ends."""
        loop, pause_s = asyncio.get_running_loop(), AGAIN_S
        steady: asyncio.TimerHandle | None = None
        while True:
            why = ""
            try:
                await work()
            except asyncio.CancelledError:
                if _stopped():
                    raise
                logs.error("a part was cancelled by itself", part=part)
            except self._cannot as cannot:
                why = str(cannot)
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
        """Whoever hears of an end may be broken too: the part is begun anew all the same."""
        try:
            tell()
        except Exception as failure:  # noqa: BLE001 - as above
            logs.fault("the end of a part could not be told", failure)


def _stopped() -> bool:
    """Whether somebody asked this task to end; a cancelled future within it asks nothing."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
