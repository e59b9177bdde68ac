"""Runs a reader on a live camera, with three threads and a clock. It knows no image and no table.

The first thread looks for paper in the gate in every frame, the second decodes frames, and the
third gives the verdicts when they are due. The queue between the first two is limited. If decoding
is slow, frames are dropped (and counted), but no verdict is late, and no passage is missed. If a
frame has waited too long, the newest frame is decoded first.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Generator
from typing import Protocol, runtime_checkable

from table_controller.engine.seen import Seen
from vision.reader import Reader
from vision.waiting import FrameQueue

QUEUE_FRAMES = 32  # about a quarter of a second at 120 frames/s
_IDLE_S = 0.25  # the time in which the verdict thread notices that it should stop


def monotonic_ms() -> float:
    """The clock of cameras and verdicts."""
    return time.monotonic() * 1000


@runtime_checkable
class Closable(Protocol):
    """A camera that another thread can close."""

    def close(self) -> None:
        """End the camera's frames."""


class Live:
    """Runs a reader until its frames end or `stop` is called.

    Args:
        reader: the reader. The times of its frames must be by `clock_ms`.
        on_seen: called with each verdict, and the time when it was due, by the third thread. It
            must not block.
        on_end: called once when everything is over, with the error that ended it, if any.
    """

    def __init__(
        self,
        reader: Reader,
        on_seen: Callable[[int, Seen], None],
        on_end: Callable[[BaseException | None], None] = lambda _error: None,
        *,
        clock_ms: Callable[[], float] = monotonic_ms,
        queue_frames: int = QUEUE_FRAMES,
    ) -> None:
        self._reader, self._on_seen, self._on_end = reader, on_seen, on_end
        self._clock_ms = clock_ms
        self._frames = FrameQueue(queue_frames, clock_ms)
        self._stop, self._decoded = threading.Event(), threading.Event()
        self._wake = threading.Condition()
        self._error: BaseException | None = None
        self._threads = [
            threading.Thread(target=work, name=f"lip {work.__name__.strip('_')}", daemon=True)
            for work in (self._watching, self._decoding, self._telling)
        ]

    def start(self) -> None:
        """Start the threads. Returns immediately."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Stop within the time of one frame. Verdicts that are already due are still given."""
        self._stop.set()
        frames = self._reader.frames
        if isinstance(frames, Closable) and not isinstance(frames, Generator):
            frames.close()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join()

    def _watching(self) -> None:
        try:
            for frame in self._reader.frames:
                if self._stop.is_set():
                    break
                given_up = self._frames.put(frame) if self._reader.watch(frame) else None
                if given_up:
                    self._reader.dropped(overrun=self._reader.wanted(given_up.t_ms))
                self._rouse()
        except Exception as error:  # noqa: BLE001 - the thread's edge: told to on_end
            self._error = error
        finally:
            self._frames.end()

    def _decoding(self) -> None:
        try:
            while frame := self._frames.get():
                if self._reader.wanted(frame.t_ms):
                    self._reader.decode(frame)
                else:
                    self._reader.dropped()
        except Exception as error:  # noqa: BLE001 - the thread's edge: told to on_end
            self._error = error
            self._stop.set()
            while self._frames.get():
                pass
        finally:
            self._decoded.set()
            self._rouse()

    def _telling(self) -> None:
        try:
            while not self._decoded.is_set():
                self._tell(self._reader.due(self._clock_ms()))
                self._sleep_until_due()
            self._tell(self._reader.end())
        except Exception as error:  # noqa: BLE001 - the thread's edge: told to on_end
            self._error = error
            self._stop.set()
        finally:
            self._on_end(self._error)

    def _tell(self, verdicts: list[tuple[int, Seen]]) -> None:
        for due_ms, seen in verdicts:
            self._on_seen(due_ms, seen)

    def _sleep_until_due(self) -> None:
        """Wait until the next verdict is due, or a passage may have closed."""
        due_ms = self._reader.next_due_ms
        left_s = _IDLE_S if due_ms is None else (due_ms - self._clock_ms()) / 1000
        with self._wake:
            if left_s > 0 and not self._decoded.is_set():
                self._wake.wait(min(left_s, _IDLE_S))

    def _rouse(self) -> None:
        with self._wake:
            self._wake.notify()


async def follow(
    reader: Reader,
    *,
    clock_ms: Callable[[], float] = monotonic_ms,
    queue_frames: int = QUEUE_FRAMES,
) -> AsyncIterator[tuple[int, Seen]]:
    """Yield each passage's verdict when it is due, from a live camera, on the caller's event loop.

    Each item is the time (ms) when the verdict was due, and the verdict. The generator ends when
    the frames end. If an error ended a thread, the generator raises that error.
    """
    loop = asyncio.get_running_loop()
    told: asyncio.Queue[tuple[int, Seen] | None] = asyncio.Queue()
    ended: list[BaseException | None] = []

    def tell(item: tuple[int, Seen] | None) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(told.put_nowait, item)

    def end(error: BaseException | None) -> None:
        ended.append(error)
        tell(None)

    live = Live(
        reader,
        lambda due_ms, seen: tell((due_ms, seen)),
        end,
        clock_ms=clock_ms,
        queue_frames=queue_frames,
    )
    live.start()
    try:
        while (item := await told.get()) is not None:
            yield item
    finally:
        await asyncio.to_thread(live.stop)
    if ended and ended[0]:
        raise ended[0]
