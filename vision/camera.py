"""Cameras behind one interface: iterate to get frames, close to end. It knows no card and no table.

A camera yields grey frames with times of `time.monotonic`. When a camera is lost, it yields one
unreadable frame that says so. Then the camera is tried again every few seconds, and its frames go
on once it is back. Nothing in this module stores a frame: `vision.tap` records when somebody
switches recording on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import Protocol

import cv2
import numpy as np

from firmware_bridge.trouble import Trouble, TroubleError
from vision.frame import Frame, Pixels

RETRY_S = 2.0
_PICTURES = {".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff"}
_FOLDER_FPS = 120.0


class CameraError(TroubleError, OSError):
    """A camera that is not available now. The reason names the camera."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """A camera's settings.

    Each setting is sent to the camera and read back. A different value is an error.

    Attributes:
        width, height: the size of the camera's frames.
        fps: frames a second; 0 means the most that the camera offers at this size.
        exposure_us: 500 is short enough for a metre a second; 0 means automatic.
        gain: in the camera's own units; 0 means automatic.
        focus: in the camera's own units; None means automatic if the camera can do that.
        mains_hz: 50 or 60, so that automatic exposure is whole periods of mains light; 0: no limit.
        region: x, y, width, height of the part that is cut out of the frame before anything else,
            or None.
        mirrored: whether the camera looks into a mirror, as in a folded lip, so that left and right
            are swapped.
        rotation: degrees clockwise (0, 90, 180 or 270) that make cards slide from left to right.
    """

    width: int = 640
    height: int = 480
    fps: float = 120.0
    exposure_us: int = 500
    gain: float = 0.0
    focus: float | None = None
    mains_hz: int = 50
    region: tuple[int, int, int, int] | None = None
    mirrored: bool = False
    rotation: int = 0

    def __post_init__(self) -> None:
        if self.rotation not in _TURNS:
            raise ValueError(f"rotation {self.rotation}: a camera is turned by 0, 90, 180 or 270")
        x, y, wide, high = self.region or (0, 0, self.width, self.height)
        if min(x, y) < 0 or min(wide, high) < 1 or x + wide > self.width or y + high > self.height:
            raise ValueError(
                f"region {self.region} is not inside the picture of {self.width} x {self.height}: "
                "want x, y, width, height in pixels"
            )

    def cut(self, picture: Pixels) -> Pixels:
        """Cut the region out of a frame, undo the mirror, and rotate the result."""
        if self.region:
            x, y, wide, high = self.region
            picture = picture[y : y + high, x : x + wide]
        if self.mirrored:
            picture = picture[:, ::-1]
        turn = _TURNS[self.rotation]
        return np.ascontiguousarray(
            picture if turn is None else cv2.rotate(np.ascontiguousarray(picture), turn)
        )


_TURNS = {
    0: None,
    90: cv2.ROTATE_90_CLOCKWISE,
    180: cv2.ROTATE_180,
    270: cv2.ROTATE_90_COUNTERCLOCKWISE,
}


class Source(Protocol):
    """One opened camera."""

    def grab(self) -> tuple[float | None, Pixels]:
        """Return the frame's time in ms (None if the camera gives none) and the frame.

        Raises CameraError.
        """

    def release(self) -> None:
        """Release the camera."""


class Camera:
    """A camera that reconnects by itself.

    Args:
        name: the camera's name in messages.
        connect: opens the camera, or raises CameraError.
        settings: the settings; the camera applies region and rotation to each frame.
        clock_ms: returns the time in ms.
        wait: waits for a number of seconds. It returns early, with True, when the camera is closed.
    """

    def __init__(
        self,
        name: str,
        connect: Callable[[], Source],
        settings: Settings,
        *,
        clock_ms: Callable[[], float] = lambda: time.monotonic() * 1000,
        wait: Callable[[float], bool] | None = None,
    ) -> None:
        self._name, self._connect, self._settings = name, connect, settings
        self._clock_ms, self._closed = clock_ms, Event()
        self._wait = wait or self._closed.wait

    def close(self) -> None:
        """End the frames. Any thread may call this."""
        self._closed.set()

    def __iter__(self) -> Iterator[Frame]:
        """Yield frames until the camera is closed.

        Each loss of the camera gives one unreadable frame.
        """
        told = ""
        while not self._closed.is_set():
            try:
                source = self._connect()
                told = ""
                try:
                    yield from self._frames(source)
                finally:
                    source.release()
            except Exception as error:  # noqa: BLE001 - the camera's edge: everything else goes on
                fault = self._fault(error)
                if fault != told:
                    told = fault
                    yield Frame(self._clock_ms(), None, fault)
                self._wait(RETRY_S)

    def _fault(self, error: Exception) -> str:
        if isinstance(error, CameraError):
            return error.why
        return Trouble(
            "camera {camera} fails by {kind} ({error}): it is opened again; report this with its "
            "model",
            camera=self._name,
            kind=type(error).__name__,
            error=str(error),
        )

    def _frames(self, source: Source) -> Iterator[Frame]:
        last_ms = 0.0
        while not self._closed.is_set():
            taken_ms, picture = source.grab()
            now_ms = self._clock_ms()
            if taken_ms is not None and now_ms - 1000 < taken_ms <= now_ms:
                arrived = False
            else:
                taken_ms, arrived = now_ms, True  # the camera uses another clock
            last_ms = max(last_ms, taken_ms)
            yield Frame(last_ms, self._settings.cut(picture), arrived=arrived)


#: Seconds between two frames of a film that is paused at its first frame.
_STILL_MS = 20.0


class Playback:
    """A recording's frames in real time. It is the twin of a live camera, with the same interface.

    Args:
        frames: the frames of a recording or of the generator.
        speed: 2 is twice as fast.
        clock_ms, wait: as for `Camera`.
    """

    def __init__(
        self,
        frames: Iterable[Frame],
        *,
        speed: float = 1.0,
        clock_ms: Callable[[], float] = lambda: time.monotonic() * 1000,
        wait: Callable[[float], bool] | None = None,
    ) -> None:
        #: Asked after every frame. While it returns True, the film is paused, and shows that
        #: frame.
        self.held: Callable[[], bool] = lambda: False
        self._frames, self._speed, self._clock_ms = frames, speed, clock_ms
        self._closed = Event()
        self._wait = wait or self._closed.wait

    def close(self) -> None:
        """End the frames. Any thread may call this."""
        self._closed.set()

    def __iter__(self) -> Iterator[Frame]:
        """Yield each frame when it is due. Its time becomes the present time of `clock_ms`."""
        due_ms = self._clock_ms()
        before_ms: float | None = None
        step_ms = 0.0
        for frame in self._frames:
            step_ms = 0.0 if before_ms is None else (frame.t_ms - before_ms) / self._speed
            before_ms = frame.t_ms
            due_ms += step_ms
            self._rest(due_ms)
            while not self._closed.is_set():
                yield replace(frame, t_ms=due_ms)
                if not self.held():
                    break
                due_ms += step_ms or _STILL_MS
                self._rest(due_ms)
            if self._closed.is_set():
                return

    def _rest(self, until_ms: float) -> None:
        if (left_s := (until_ms - self._clock_ms()) / 1000) > 0:
            self._wait(left_s)


def folder(path: Path, settings: Settings) -> Iterator[Frame]:
    """Yield the images of a folder as frames, in the order of their names, 1/fps seconds apart.

    A damaged image gives an unreadable frame. Raises CameraError immediately if the folder has no
    image.
    """
    if not path.is_dir():
        raise CameraError(Trouble("{path} is no folder of pictures", path=str(path)))
    names = sorted(name for name in path.iterdir() if name.suffix.lower() in _PICTURES)
    if not names:
        wanted = ", ".join(sorted(_PICTURES))
        raise CameraError(
            Trouble("{path} holds no picture (looked for {kinds})", path=str(path), kinds=wanted)
        )
    return (
        _picture(name, number * 1000 / (settings.fps or _FOLDER_FPS), settings)
        for number, name in enumerate(names)
    )


def _picture(path: Path, t_ms: float, settings: Settings) -> Frame:
    picture = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
    if picture is None:
        fault = Trouble("{path} is no whole picture: it is left out", path=str(path))
        return Frame(t_ms, None, fault)
    high, wide = picture.shape
    if (wide, high) != (settings.width, settings.height):
        fault = Trouble(
            "{path} is {wide} x {high}, not {width} x {height} as set: it is left out",
            path=str(path),
            wide=wide,
            high=high,
            width=settings.width,
            height=settings.height,
        )
        return Frame(t_ms, None, fault)
    return Frame(t_ms, settings.cut(np.asarray(picture, dtype=np.uint8)))
