"""A slow disk. A commit is flushed only when the test lets it."""

import threading

from tests.limits import PATIENCE_S


class SlowDisk:
    """Holds every commit of `journal` from now on until `release`."""

    def __init__(self, journal):
        self._write, self._reached, self._free = (
            journal._write,
            threading.Event(),
            threading.Event(),
        )
        journal._write = self._held

    def _held(self, batch):
        self._reached.set()
        assert self._free.wait(PATIENCE_S), "nobody released the disk: does the loop wait for it?"
        self._write(batch)

    def reached(self):
        """Wait in a thread until a commit is held."""
        assert self._reached.wait(PATIENCE_S)

    def release(self):
        """Let it write, and all that comes."""
        self._free.set()
