"""Kills the server of a table again and again, where it is told to: at a point, or at an instant.

Each life is a separate process. The product has no hook for this: the server wraps whatever is to
die, and calls `Passing` there.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from typing import NamedTuple


class Life(NamedTuple):
    """How one process is to end: the `count`-th time that `point` is passed, or after `instant_s`.

    With `instant_s`, `count` is how many inputs it may take until then.
    """

    point: str = ""
    count: int = 0
    instant_s: float | None = None


class Passing:
    """Counts the passes of one point, and dies at the last."""

    def __init__(self, life: Life) -> None:
        self._life, self._left = life, life.count

    def __call__(self, point: str) -> None:
        if point == self._life.point:
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


def live(serve: Callable[[Passing], None], life: Life) -> bool:
    """One life in a process of its own; whether it lived to the end. Raises ChildFailed."""
    child = os.fork()
    if not child:
        status = 1
        try:
            serve(Passing(life))
            status = 0
        except BaseException:  # noqa: BLE001 - the child must never go on as the parent
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(status)
    if life.instant_s is not None:
        time.sleep(life.instant_s)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return False
    if os.waitstatus_to_exitcode(status):
        raise ChildFailed("a life ended by a fault: see its traceback")
    return True


class ChildFailed(AssertionError):
    """What was served failed by itself."""


def lives(
    points: Sequence[str],
    *,
    each: int,
    at_random: int,
    seed: int,
    passes: int,
    within_s: tuple[float, float],
) -> list[Life]:
    """In which ways the processes of an evening die, in a seeded order."""
    luck = random.Random(seed)
    plan = [Life(point, luck.randint(1, passes)) for point in points for _ in range(each)]
    plan += [Life("", luck.randint(1, 10), luck.uniform(*within_s)) for _ in range(at_random)]
    luck.shuffle(plan)
    return plan
