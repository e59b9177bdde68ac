"""Records a camera's frames while somebody has switched recording on.

The module knows no camera and no card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from vision.frame import Frame
from vision.live import Closable
from vision.recording import FilmError, Writer


@dataclass(slots=True)
class Tap:
    """Frames on their way to the reader, copied to a recording while that is switched on.

    A page shows `path`, so that everybody knows that frames are being stored.
    """

    frames: Iterable[Frame]
    path: Path | None = None
    _writer: Writer | None = field(default=None, init=False)
    _lock: Lock = field(default_factory=Lock, init=False)

    def on(self, path: Path) -> None:
        """Start recording to a new file. Raises FilmError; the frames go on anyway."""
        self.off()
        writer = Writer(path)
        with self._lock:
            self._writer, self.path = writer, path

    def off(self) -> None:
        """End the recording, if one is on."""
        with self._lock:
            writer, self._writer, self.path = self._writer, None, None
        if writer:
            writer.finish()

    def close(self) -> None:
        """End the recording and the frames."""
        self.off()
        if isinstance(self.frames, Closable):
            self.frames.close()

    def __iter__(self) -> Iterator[Frame]:
        """Yield the frames, unchanged. A full disk ends the recording, and is reported once."""
        for frame in self.frames:
            yield frame
            with self._lock:
                writer = self._writer
                if writer is None:
                    continue
                fault = _kept(writer, frame)
                if fault:
                    self._writer = self.path = None
            if fault:
                yield Frame(frame.t_ms, None, fault)


def _kept(writer: Writer, frame: Frame) -> str:
    """Store a frame. Return what went wrong; empty if nothing did."""
    try:
        writer.add(frame)
    except FilmError as error:
        writer.abandon()
        return str(error)
    return ""
