"""Frames that wait to be decoded: in order, or the newest first once they grow old.

It sits between two threads. Knows frames and a clock; no card.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from threading import Condition
from typing import Final

from vision.frame import Frame

#: A verdict is given so long after its passage: a frame that has waited longer may be too late,
#: and the newest of those waiting is the likeliest to be of use.
OLD_MS: Final = 80.0


class FrameQueue:
    """A queue of at most `most` frames; the oldest gives way.

    Args:
        most: how many.
        clock_ms: the clock of the frames' times.
    """

    def __init__(self, most: int, clock_ms: Callable[[], float]) -> None:
        self._most, self._clock_ms = most, clock_ms
        self._frames: deque[Frame] = deque()
        self._change, self._ended = Condition(), False

    def put(self, frame: Frame) -> Frame | None:
        """Add a frame; return the one that gave way to it, if any."""
        with self._change:
            given_up = self._frames.popleft() if len(self._frames) == self._most else None
            self._frames.append(frame)
            self._change.notify()
        return given_up

    def end(self) -> None:
        """There will be no more."""
        with self._change:
            self._ended = True
            self._change.notify_all()

    def get(self) -> Frame | None:
        """The next to decode, waiting for one; None when there will be no more."""
        with self._change:
            self._change.wait_for(lambda: self._frames or self._ended)
            if not self._frames:
                return None
            old = self._clock_ms() - self._frames[0].t_ms > OLD_MS
            return self._frames.pop() if old else self._frames.popleft()
