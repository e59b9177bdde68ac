"""A USB camera: modes and controls by its kernel driver, frames through OpenCV.

Everything is set by name and read back. If the camera cannot do what was set, the error says what
the camera can do. The module knows no card and no table.
"""

from __future__ import annotations

import fcntl
import os
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import cv2
import numpy as np

from firmware_bridge.trouble import Trouble
from vision.camera import Camera, CameraError, Settings
from vision.frame import Pixels

_BY_NAME = Path("/sys/class/video4linux")

#: From `linux/videodev2.h`. A test compares them with the header.
ENUM_FMT: Final = 0xC0405602
ENUM_FRAMEINTERVALS: Final = 0xC034564B
G_CTRL, S_CTRL = 0xC008561B, 0xC008561C
FORMAT: Final = struct.Struct("<3I32s5I")  # index, type, flags, description, pixel format, …
INTERVAL: Final = struct.Struct("<5I6I2I")  # index, format, width, height, type, fractions, …
CONTROL: Final = struct.Struct("<Ii")
_CAPTURE: Final = 1  # the buffer type for capturing frames
CONTROLS: Final = {
    "exposure_auto": 0x009A0901,
    "exposure": 0x009A0902,
    "exposure_may_slow": 0x009A0903,
    "autogain": 0x00980912,
    "gain": 0x00980913,
    "mains": 0x00980918,
    "focus": 0x009A090A,
    "autofocus": 0x009A090C,
}
_MANUAL, _AUTOMATIC = 1, (3, 0)  # webcams have "aperture priority" (3), others "automatic" (0)
_MAINS: Final = {0: 0, 50: 1, 60: 2}
#: The formats that we accept. The cheapest to unpack is first.
FORMATS: Final = ("GREY", "Y800", "NV12", "YUYV", "UYVY", "MJPG")
_NEAR = 0.1  # relative; a camera rounds by less

Call = Callable[[int, int, bytearray], object]


class PictureMode(NamedTuple):
    """A frame format, and the number of frames a second that the camera gives in it."""

    format: str
    fps: float


class Driver:
    """The kernel driver of one camera, which is opened as the file `handle`."""

    def __init__(self, path: str, handle: int, call: Call = fcntl.ioctl) -> None:
        self._path, self._handle, self._call = path, handle, call

    def modes(self, width: int, height: int) -> Iterator[PictureMode]:
        """Yield the modes that the camera offers in this size."""
        for index in range(64):
            said = self._ask(ENUM_FMT, FORMAT, index, _CAPTURE, 0, b"", *[0] * 5)
            if said is None:
                return
            code = int(said[4])
            name = code.to_bytes(4, "little").decode("latin-1")
            for number in range(64):
                wanted = (number, code, width, height, 0, *[0] * 8)
                rate = self._ask(ENUM_FRAMEINTERVALS, INTERVAL, *wanted)
                if rate is None:
                    break
                if rate[5]:  # the shortest interval, a fraction of a second
                    yield PictureMode(name, rate[6] / rate[5])

    def _ask(self, request: int, form: struct.Struct, *values: object) -> tuple[int, ...] | None:
        asked = bytearray(form.pack(*values))
        try:
            self._call(self._handle, request, asked)
        except OSError:  # there are no more modes, or none at all
            return None
        return form.unpack(asked)

    def control(self, name: str) -> int | None:
        """A control's value; None if the camera has no control of that name."""
        said = self._ask(G_CTRL, CONTROL, CONTROLS[name], 0)
        return None if said is None else said[1]

    def set(self, name: str, value: int) -> bool:
        """Set a control. Return whether the camera took exactly that value."""
        self._ask(S_CTRL, CONTROL, CONTROLS[name], value)
        return self.control(name) == value

    def prepare(self, settings: Settings) -> None:
        """Set exposure, gain, focus and mains. A control whose setting is 0 or None is left alone.

        Raises CameraError.
        """
        if settings.exposure_us:
            self._need("exposure_auto", _MANUAL, "exposure_us = 0")
            self._need("exposure", max(1, round(settings.exposure_us / 100)), "exposure_us = 0")
        elif self.control("exposure_auto") is not None:
            if not any(self.set("exposure_auto", way) for way in _AUTOMATIC):
                self._refuse("exposure_auto", _AUTOMATIC[0], "exposure_us to microseconds")
            self.set("exposure_may_slow", 0)
            self._mains(settings.mains_hz)
        for name, automatic, value in (
            ("gain", "autogain", settings.gain or None),
            ("focus", "autofocus", settings.focus),
        ):
            if self.control(automatic) is not None:
                self._need(automatic, int(value is None), f"{name} otherwise")
            if value is not None:
                self._need(name, round(value), f"{name} otherwise")

    def _mains(self, hertz: int) -> None:
        """Restrict automatic exposure to whole periods of mains light of `hertz`."""
        if self.control("mains") is not None:
            self._need("mains", _MAINS[hertz], "mains_hz = 0")

    def _need(self, name: str, value: int, instead: str) -> None:
        if not self.set(name, value) and not self._nearly(name, value):
            self._refuse(name, value, instead)

    def _nearly(self, name: str, value: int) -> bool:
        given = self.control(name)
        return name == "exposure" and given is not None and abs(given - value) <= value * _NEAR

    def _refuse(self, name: str, value: int, instead: str) -> None:
        given = self.control(name)
        keeps = Trouble("it keeps {given}", given=given or 0)
        raise CameraError(
            Trouble(
                "camera {camera} does not take {name} = {value} ({because}): see "
                "`v4l2-ctl -d {camera} -L`, and set [shoe] {instead}",
                camera=self._path,
                name=name,
                value=value,
                because=Trouble("it has no such control") if given is None else keeps,
                instead=instead,
            )
        )


def chosen(path: str, modes: list[PictureMode], settings: Settings) -> PictureMode:
    """Choose the mode with the rate in the settings or, if that is 0, with the highest rate.

    Raises CameraError.
    """
    known = [mode for mode in modes if mode.format in FORMATS]
    rate = settings.fps or max((mode.fps for mode in known), default=0.0)
    fit = [mode for mode in known if abs(mode.fps - rate) <= rate * _NEAR]
    if not fit:
        size = f"{settings.width} x {settings.height}"
        have = ", ".join(f"{mode.format} {mode.fps:g}/s" for mode in sorted(set(modes))) or "none"
        raise CameraError(
            Trouble(
                "camera {camera} has no mode of {size} with {rate} pictures a second (there are: "
                "{have}): set [shoe] fps to one of these, or width and height to a size that it "
                "has (v4l2-ctl -d {camera} --list-formats-ext)",
                camera=path,
                size=size,
                rate=f"{rate:g}",
                have=have,
            )
        )
    return min(fit, key=lambda mode: FORMATS.index(mode.format))


@contextmanager
def driver(path: str) -> Iterator[Driver]:
    """Open the driver of the camera at `path`, for a `with` block. Raises CameraError."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    except OSError as error:
        raise CameraError(
            Trouble(
                "camera {camera} does not open ({error}): is it plugged in, used by another "
                "program, and is this user in the group 'video'?",
                camera=path,
                error=str(error.strerror),
            )
        ) from None
    try:
        yield Driver(path, handle)
    finally:
        os.close(handle)


class Capture:
    """The camera at `path`, opened through OpenCV, in `mode` if the camera has modes."""

    def __init__(
        self, path: str, settings: Settings, mode: PictureMode | None, backend: int
    ) -> None:
        self._path = path
        self._device = cv2.VideoCapture(path, backend)
        if not self._device.isOpened():
            raise CameraError(
                Trouble(
                    "camera {camera} does not open: is it plugged in, used by another program, "
                    "and is this user in the group 'video'?",
                    camera=path,
                )
            )
        try:
            self._set(settings, mode)
        except CameraError:
            self._device.release()
            raise

    def _set(self, settings: Settings, mode: PictureMode | None) -> None:
        """Ask for the mode, then read the mode back, since cameras may ignore it.

        Raises CameraError.
        """
        device = self._device
        if mode:
            device.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*mode.format))
        device.set(cv2.CAP_PROP_FRAME_WIDTH, settings.width)
        device.set(cv2.CAP_PROP_FRAME_HEIGHT, settings.height)
        if mode:
            device.set(cv2.CAP_PROP_FPS, mode.fps)
        device.set(cv2.CAP_PROP_BUFFERSIZE, 4)
        wide, high = (
            int(device.get(prop)) for prop in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)
        )
        if (wide, high) != (settings.width, settings.height):
            raise CameraError(
                Trouble(
                    "camera {camera} gives {wide} x {high}, not {width} x {height}: set a size "
                    "that it has (v4l2-ctl --list-formats-ext)",
                    camera=self._path,
                    wide=wide,
                    high=high,
                    width=settings.width,
                    height=settings.height,
                )
            )
        if mode:
            self._hold_to(mode)

    def _hold_to(self, mode: PictureMode) -> None:
        code = int(self._device.get(cv2.CAP_PROP_FOURCC)).to_bytes(4, "little").decode("latin-1")
        rate = self._device.get(cv2.CAP_PROP_FPS)
        if code != mode.format or abs(rate - mode.fps) > mode.fps * _NEAR:
            raise CameraError(
                Trouble(
                    "camera {camera} gives {code} at {rate} pictures a second, not {format} at "
                    "{fps}: give it a USB port of its own, or set another [shoe] fps",
                    camera=self._path,
                    code=code,
                    rate=f"{rate:g}",
                    format=mode.format,
                    fps=f"{mode.fps:g}",
                )
            )

    def grab(self) -> tuple[float | None, Pixels]:
        done, picture = self._device.read()
        if not done or picture is None:
            raise CameraError(
                Trouble(
                    "camera {camera} is lost, and the program looks for it: check its cable",
                    camera=self._path,
                )
            )
        grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        return self._device.get(cv2.CAP_PROP_POS_MSEC) or None, np.asarray(grey, dtype=np.uint8)

    def release(self) -> None:
        self._device.release()


def usb(which: str, settings: Settings) -> Camera:
    """Return a USB camera, by its name (`OV9281`) or its path (`/dev/v4l/by-id/…`)."""

    def connect() -> Capture:
        path = path_of(which)
        with driver(path) as kernel:
            mode = chosen(path, list(kernel.modes(settings.width, settings.height)), settings)
            found = Capture(path, settings, mode, cv2.CAP_V4L2)
            try:
                kernel.prepare(settings)  # only now: a new mode may reset the controls
            except CameraError:
                found.release()
                raise
        return found

    return Camera(which, connect, settings)


def path_of(which: str, names: Path = _BY_NAME) -> str:
    """The device file for a camera's name or path.

    Raises CameraError, which lists the names of the cameras that exist.
    """
    if "/" in which:
        if not Path(which).exists():
            raise CameraError(
                Trouble("camera {camera} is not there: check its cable and the path", camera=which)
            )
        return which
    known: dict[str, str] = {}
    for entry in sorted(names.glob("video*/name"), key=lambda path: _number(path.parent.name)):
        known.setdefault(entry.read_text().strip(), f"/dev/{entry.parent.name}")
    found = sorted({path for name, path in known.items() if which.lower() in name.lower()})
    if len(found) == 1:
        return found[0]
    have = ", ".join(repr(name) for name in known) or "none"
    if found:
        raise CameraError(
            Trouble(
                "more than one camera is named {camera} (there are: {have}): give its path",
                camera=repr(which),
                have=have,
            )
        )
    raise CameraError(
        Trouble(
            "no camera is named {camera} (there are: {have}): plug it in, or give its path",
            camera=repr(which),
            have=have,
        )
    )


def _number(device: str) -> int:
    return int(device.removeprefix("video") or 0)
