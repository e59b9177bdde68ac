"""Frames that wait to be decoded.

They come in order, but the newest first if the oldest is too old. The queue is between two threads.
The module knows frames and a clock, but no card.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from threading import Condition
from typing import Final

from vision.frame import Frame

#: Milliseconds from a passage to its verdict. A frame that has waited longer may be too late, and
#: then the newest waiting frame is the likeliest to be useful.
OLD_MS: Final = 80.0


class FrameQueue:
    """A queue of at most `most` frames. If the queue is full, the oldest frame is dropped.

    Args:
        most: the greatest number of frames that wait.
        clock_ms: the clock of the frames' times.
    """

    def __init__(self, most: int, clock_ms: Callable[[], float]) -> None:
        self._most, self._clock_ms = most, clock_ms
        self._frames: deque[Frame] = deque()
        self._change, self._ended = Condition(), False

    def put(self, frame: Frame) -> Frame | None:
        """Add a frame. Return the frame that was dropped to make room, if any."""
        with self._change:
            given_up = self._frames.popleft() if len(self._frames) == self._most else None
            self._frames.append(frame)
            self._change.notify()
        return given_up

    def end(self) -> None:
        """Note that no more frames will come."""
        with self._change:
            self._ended = True
            self._change.notify_all()

    def get(self) -> Frame | None:
        """Wait for the next frame to decode. Returns None once no more will come."""
        with self._change:
            self._change.wait_for(lambda: self._frames or self._ended)
            if not self._frames:
                return None
            old = self._clock_ms() - self._frames[0].t_ms > OLD_MS
            return self._frames.pop() if old else self._frames.popleft()
