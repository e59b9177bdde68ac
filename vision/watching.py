"""Keeps the newest frame of a camera, in a thread, for somebody who looks now and then.

The module knows frames, but no card and no table. Nothing is stored on disk unless a `Tap` is
switched on.
"""

from __future__ import annotations

import threading

from vision.frame import Frame
from vision.tap import Tap


class Watching:
    """Takes a camera's frames until stopped, or until they end. Only the last frame is kept."""

    def __init__(self, frames: Tap) -> None:
        self.frames = frames
        #: The camera's last frame; None before its first.
        self.newest: Frame | None = None
        self._taken, self._came = 0, threading.Condition()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="lip watching", daemon=True)

    def start(self) -> None:
        """Start taking frames. Returns immediately."""
        self._thread.start()

    def stop(self) -> None:
        """Stop within the time of one frame."""
        self._stop.set()
        self.frames.close()
        self._thread.join()

    def settled(self, count: int, most_s: float) -> Frame | None:
        """The frame after `count` frames, or one without a picture; None if it takes too long."""
        with self._came:
            self._came.wait_for(lambda: self._taken >= count or self._fault, most_s)
            return self.newest if self._taken >= count or self._fault else None

    @property
    def _fault(self) -> bool:
        return self.newest is not None and self.newest.picture is None

    def _watch(self) -> None:
        for frame in self.frames:
            with self._came:
                self.newest, self._taken = frame, self._taken + 1
                self._came.notify()
            if self._stop.is_set():
                return
