"""Cameras, behind one interface: iterate for frames, close to end. Knows no card and no table.

A camera yields grey frames with the time of `time.monotonic`. A lost one yields one unreadable
frame that says so, is looked for again every few seconds, and goes on when it is back. Nothing
here stores a frame: see `vision.tap` for a recording somebody switched on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import Any, Protocol

import cv2
import numpy as np

from vision.frame import Frame, Picture
from vision.recording import read

RETRY_S = 2.0
_PICTURES = {".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff"}
_BY_NAME = Path("/sys/class/video4linux")
_MANUAL_EXPOSURE = 1  # V4L2's "manual mode"; 3 is automatic


class CameraError(OSError):
    """A camera that cannot be had now: names it, says why and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a camera is set.

    Attributes:
        width, height, fps: asked of the camera; it is an error if it gives another size.
        exposure_us: 500 is what a metre a second allows; 0 leaves it automatic.
        region: x, y, width, height cut out of the picture before anything else, or None.
        rotation: degrees clockwise, 0, 90, 180 or 270: cards must slide from left to right.
    """

    width: int = 640
    height: int = 480
    fps: float = 120.0
    exposure_us: int = 500
    region: tuple[int, int, int, int] | None = None
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

    def cut(self, picture: Picture) -> Picture:
        """The region of a picture, turned."""
        if self.region:
            x, y, wide, high = self.region
            picture = picture[y : y + high, x : x + wide]
        turn = _TURNS[self.rotation]
        return np.ascontiguousarray(picture if turn is None else cv2.rotate(picture, turn))


_TURNS = {
    0: None,
    90: cv2.ROTATE_90_CLOCKWISE,
    180: cv2.ROTATE_180,
    270: cv2.ROTATE_90_COUNTERCLOCKWISE,
}


class Source(Protocol):
    """One opened camera."""

    def grab(self) -> tuple[float | None, Picture]:
        """The next picture, and its time in ms if the camera tells it. Raises CameraError."""

    def release(self) -> None:
        """Give the camera back."""


class Camera:
    """A camera that comes back by itself.

    Args:
        name: for messages.
        connect: opens it, or raises CameraError.
        settings: region and rotation are applied here.
        clock_ms, wait: the time, and waiting (returns early and True when closed).
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
        """End the frames, from any thread."""
        self._closed.set()

    def __iter__(self) -> Iterator[Frame]:
        """Frames until closed; each loss of the camera is one unreadable frame."""
        told = ""
        while not self._closed.is_set():
            try:
                source = self._connect()
            except CameraError as error:
                if str(error) != told:
                    told = str(error)
                    yield Frame(self._clock_ms(), None, told)
                self._wait(RETRY_S)
                continue
            told = ""
            try:
                yield from self._frames(source)
            except CameraError as error:
                told = str(error)
                yield Frame(self._clock_ms(), None, told)
                self._wait(RETRY_S)
            finally:
                source.release()

    def _frames(self, source: Source) -> Iterator[Frame]:
        last_ms = 0.0
        while not self._closed.is_set():
            taken_ms, picture = source.grab()
            now_ms = self._clock_ms()
            if taken_ms is None or not now_ms - 1000 < taken_ms <= now_ms:
                taken_ms = now_ms  # the camera's own clock is another one
            last_ms = max(last_ms, taken_ms)
            yield Frame(last_ms, self._settings.cut(picture))


class _Capture:
    """A camera through OpenCV: V4L2 here; anything OpenCV opens in tests."""

    def __init__(self, path: str, settings: Settings, backend: int = cv2.CAP_V4L2) -> None:
        self._path = path
        self._device = cv2.VideoCapture(path, backend)
        if not self._device.isOpened():
            raise CameraError(
                f"camera {path} does not open: is it plugged in, used by another program, and is "
                "this user in the group 'video'?"
            )
        self._set(settings)

    def _set(self, settings: Settings) -> None:
        device = self._device
        device.set(cv2.CAP_PROP_FRAME_WIDTH, settings.width)
        device.set(cv2.CAP_PROP_FRAME_HEIGHT, settings.height)
        device.set(cv2.CAP_PROP_FPS, settings.fps)
        device.set(cv2.CAP_PROP_BUFFERSIZE, 4)
        if settings.exposure_us:
            device.set(cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL_EXPOSURE)
            device.set(cv2.CAP_PROP_EXPOSURE, settings.exposure_us / 100)  # V4L2 counts 100 us
        given = tuple(
            int(device.get(prop)) for prop in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)
        )
        if given != (settings.width, settings.height):
            device.release()
            raise CameraError(
                f"camera {self._path} gives {given[0]} x {given[1]}, not {settings.width} x "
                f"{settings.height}: set a size that it has (v4l2-ctl --list-formats-ext)"
            )

    def grab(self) -> tuple[float | None, Picture]:
        done, picture = self._device.read()
        if not done or picture is None:
            raise CameraError(f"camera {self._path} is lost: it is looked for; check its cable")
        grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        return self._device.get(cv2.CAP_PROP_POS_MSEC) or None, np.asarray(grey, dtype=np.uint8)

    def release(self) -> None:
        self._device.release()


def v4l2(which: str, settings: Settings, backend: int = cv2.CAP_V4L2) -> Camera:
    """A USB camera by its name (`OV9281`) or its path (`/dev/v4l/by-id/…`)."""
    return Camera(which, lambda: _Capture(_path_of(which), settings, backend), settings)


def _path_of(which: str, names: Path = _BY_NAME) -> str:
    """The device of a camera's name or path. Raises CameraError, with the names there are."""
    if "/" in which:
        if not Path(which).exists():
            raise CameraError(f"camera {which} is not there: check its cable and the path")
        return which
    known: dict[str, str] = {}
    for entry in sorted(names.glob("video*/name"), key=lambda path: _number(path.parent.name)):
        known.setdefault(entry.read_text().strip(), f"/dev/{entry.parent.name}")
    found = sorted({path for name, path in known.items() if which.lower() in name.lower()})
    if len(found) == 1:
        return found[0]
    have = ", ".join(repr(name) for name in known) or "none"
    why = "more than one camera is" if found else "no camera is"
    raise CameraError(f"{why} named {which!r} (there are: {have}): plug it in, or give its path")


def _number(device: str) -> int:
    return int(device.removeprefix("video") or 0)


#: How long to wait for a picture: a number in `wait` is picamera2's time limit.
_PI_WAIT_S = 2.0


class _PiCapture:
    """The Pi's own camera through picamera2, which comes with Raspberry Pi OS."""

    def __init__(self, number: int, settings: Settings) -> None:
        try:
            from picamera2 import Picamera2  # noqa: PLC0415 - only on a Pi
        except ImportError:
            raise CameraError(
                "the Pi's camera needs picamera2: `apt install python3-picamera2`, and a Python "
                "environment that sees the system's packages"
            ) from None
        try:
            self._camera: Any = Picamera2(number)
            controls: dict[str, object] = {"FrameRate": settings.fps}
            if settings.exposure_us:
                controls |= {"AeEnable": False, "ExposureTime": settings.exposure_us}
            size = (settings.width, settings.height)
            wanted = self._camera.create_video_configuration(
                main={"size": size, "format": "YUV420"}, controls=controls, buffer_count=6
            )
            self._camera.configure(wanted)
            self._camera.start()
        except (RuntimeError, IndexError) as error:
            raise CameraError(
                f"the Pi's camera {number} does not start ({error}): check its cable"
            ) from None
        self._size = size

    def grab(self) -> tuple[float | None, Picture]:
        try:
            request = self._camera.capture_request(wait=_PI_WAIT_S)
        except (RuntimeError, TimeoutError) as error:
            why = str(error) or f"no picture came in {_PI_WAIT_S:g} s"
            raise CameraError(f"the Pi's camera is lost ({why}): check its cable") from None
        try:
            planes = request.make_array("main")
            taken_ms = request.get_metadata().get("SensorTimestamp", 0) / 1e6  # ns since boot
        finally:
            request.release()
        wide, high = self._size
        return taken_ms or None, np.asarray(planes[:high, :wide], dtype=np.uint8)

    def release(self) -> None:
        self._camera.stop()
        self._camera.close()


def pi(number: int, settings: Settings) -> Camera:
    """The Pi's camera with this number (0 or 1)."""
    return Camera(f"Pi camera {number}", lambda: _PiCapture(number, settings), settings)


class Playback:
    """A recording's frames in real time: the twin of a live camera, and a camera's promise.

    Args:
        frames: of a recording or the generator.
        speed: 2 is twice as fast.
        clock_ms, wait: as a camera's.
    """

    def __init__(
        self,
        frames: Iterable[Frame],
        *,
        speed: float = 1.0,
        clock_ms: Callable[[], float] = lambda: time.monotonic() * 1000,
        wait: Callable[[float], bool] | None = None,
    ) -> None:
        self._frames, self._speed, self._clock_ms = frames, speed, clock_ms
        self._closed = Event()
        self._wait = wait or self._closed.wait

    def close(self) -> None:
        """End the frames, from any thread."""
        self._closed.set()

    def __iter__(self) -> Iterator[Frame]:
        """Each frame at its time, restamped to the clock of now."""
        start_ms = self._clock_ms()
        first_ms: float | None = None
        for frame in self._frames:
            first_ms = frame.t_ms if first_ms is None else first_ms
            due_ms = start_ms + (frame.t_ms - first_ms) / self._speed
            if (left_s := (due_ms - self._clock_ms()) / 1000) > 0:
                self._wait(left_s)
            if self._closed.is_set():
                return
            yield replace(frame, t_ms=due_ms)


def recorded(path: Path) -> Iterator[Frame]:
    """A recording's frames in the recording's own time. Raises RecordingError."""
    return read(path)


def folder(path: Path, settings: Settings) -> Iterator[Frame]:
    """The pictures of a folder by name, one each 1/fps; one that is torn is unreadable.

    Raises CameraError at once where there is none.
    """
    if not path.is_dir():
        raise CameraError(f"{path} is no folder of pictures")
    names = sorted(name for name in path.iterdir() if name.suffix.lower() in _PICTURES)
    if not names:
        wanted = ", ".join(sorted(_PICTURES))
        raise CameraError(f"{path} holds no picture (looked for {wanted})")
    return (
        _picture(name, number * 1000 / settings.fps, settings) for number, name in enumerate(names)
    )


def _picture(path: Path, t_ms: float, settings: Settings) -> Frame:
    picture = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
    if picture is None:
        return Frame(t_ms, None, f"{path} is no whole picture: it is left out")
    high, wide = picture.shape
    if (wide, high) != (settings.width, settings.height):
        fault = f"{path} is {wide} x {high}, not {settings.width} x {settings.height} as set"
        return Frame(t_ms, None, f"{fault}: it is left out")
    return Frame(t_ms, settings.cut(np.asarray(picture, dtype=np.uint8)))
