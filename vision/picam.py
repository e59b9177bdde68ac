"""The Pi's own camera through picamera2, which comes with Raspberry Pi OS.

Settings are read back from the frames. If the camera cannot do what was set, the error says what
the camera can do. The module knows no card and no table.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from firmware_bridge.trouble import Trouble
from vision.camera import Camera, CameraError, Settings
from vision.frame import Pixels

#: The time to wait for a frame. picamera2 takes a number in `wait` as a time limit.
_WAIT_S: Final = 2.0
_SETTLED: Final = 10  # frames until those with the old settings have passed
_NEAR: Final = 0.1  # relative, as a sensor rounds by less
_MANUAL_FOCUS, _CONTINUOUS_FOCUS, _MANUAL_FLICKER = 0, 2, 1  # libcamera's numbers


def pi(number: int, settings: Settings) -> Camera:
    """The Pi's camera with this number (0 or 1)."""
    return Camera(f"Pi camera {number}", lambda: Capture(number, settings), settings)


class Capture:
    """The opened camera."""

    def __init__(self, number: int, settings: Settings) -> None:
        try:
            from picamera2 import Picamera2  # noqa: PLC0415 - only on a Pi
        except ImportError:
            raise CameraError(
                Trouble(
                    "the Pi's camera needs picamera2: `apt install python3-picamera2`, and a "
                    "Python environment that sees the system's packages"
                )
            ) from None
        self._number, self._settings, self._taken = number, settings, 0
        self._camera: Any = None
        try:
            self._camera = Picamera2(number)
            self._start()
        except KeyError as error:
            self.release()
            raise CameraError(
                Trouble(
                    "the Pi's camera {number} does not tell its modes (no {error}): if it is one "
                    "at USB, name its path in [shoe] camera (`ls /dev/v4l/by-id/`)",
                    number=number,
                    error=str(error),
                )
            ) from None
        except (RuntimeError, IndexError) as error:
            self.release()
            raise CameraError(
                Trouble(
                    "the Pi's camera {number} does not start ({error}): check its cable",
                    number=number,
                    error=str(error),
                )
            ) from None
        except BaseException:
            self.release()
            raise

    def _start(self) -> None:
        settings, camera = self._settings, self._camera
        size = (settings.width, settings.height)
        mode = self._mode(camera.sensor_modes)
        self._fps = settings.fps or mode["fps"]
        wanted = camera.create_video_configuration(
            main={"size": size, "format": "YUV420"},
            sensor={"output_size": mode["size"], "bit_depth": mode["bit_depth"]},
            controls=self._controls(camera.camera_controls),
            buffer_count=6,
        )
        camera.configure(wanted)
        camera.start()

    def _mode(self, modes: list[dict[str, Any]]) -> dict[str, Any]:
        """Choose the sensor's smallest mode that has the set size and rate, or more."""
        settings = self._settings
        large = [
            mode
            for mode in modes
            if mode["size"][0] >= settings.width and mode["size"][1] >= settings.height
        ]
        rate = settings.fps or max((mode["fps"] for mode in large), default=0.0)
        quick = [mode for mode in large if mode["fps"] >= rate * (1 - _NEAR)]
        if not quick:
            have = ", ".join(f"{w} x {h} {m['fps']:g}/s" for m in modes for w, h in [m["size"]])
            raise CameraError(
                Trouble(
                    "the Pi's camera {number} has no mode of {width} x {height} with {rate} "
                    "pictures a second (there are: {have}): set [shoe] fps to one of these, or "
                    "width and height to a smaller size",
                    number=self._number,
                    width=settings.width,
                    height=settings.height,
                    rate=f"{rate:g}",
                    have=have,
                )
            )
        return min(quick, key=lambda mode: (mode["size"], mode["bit_depth"]))

    def _controls(self, has: dict[str, Any]) -> dict[str, object]:
        """Return the controls to set. Controls without a setting are left to the camera.

        `has` are the controls that the camera offers. Raises CameraError.
        """
        settings = self._settings
        controls: dict[str, object] = {"FrameRate": self._fps}
        if settings.exposure_us:
            # No AeEnable here, as it would freeze both. With a gain of 0 the camera must choose the
            # gain.
            controls |= {"ExposureTime": settings.exposure_us, "AnalogueGain": settings.gain}
        else:
            controls["AeEnable"] = True
            if settings.mains_hz and "AeFlickerPeriod" in has:
                period_us = round(500_000 / settings.mains_hz)  # light peaks twice a period
                controls |= {"AeFlickerMode": _MANUAL_FLICKER, "AeFlickerPeriod": period_us}
            if settings.gain:
                controls["AnalogueGain"] = settings.gain
        if settings.focus is not None:
            controls |= {"AfMode": _MANUAL_FOCUS, "LensPosition": settings.focus}
        elif "AfMode" in has:
            controls["AfMode"] = _CONTINUOUS_FOCUS
        lacks = sorted(set(controls) - set(has) - {"FrameRate"})
        if lacks:
            raise CameraError(
                Trouble(
                    "the Pi's camera {number} has no {lacks}: take that out of [shoe]",
                    number=self._number,
                    lacks=", ".join(lacks),
                )
            )
        return controls

    def grab(self) -> tuple[float | None, Pixels]:
        try:
            request = self._camera.capture_request(wait=_WAIT_S)
        except (RuntimeError, TimeoutError) as error:
            why = str(error) or Trouble("no picture came in {s} s", s=f"{_WAIT_S:g}")
            raise CameraError(
                Trouble("the Pi's camera is lost ({error}): check its cable", error=why)
            ) from None
        try:
            planes = request.make_array("main")
            told = request.get_metadata()
        finally:
            request.release()
        self._taken += 1
        if self._taken == _SETTLED:
            self._read_back(told)
        taken_ms = told.get("SensorTimestamp", 0) / 1e6  # ns since boot
        wide, high = self._settings.width, self._settings.height
        return taken_ms or None, np.asarray(planes[:high, :wide], dtype=np.uint8)

    def _read_back(self, told: dict[str, Any]) -> None:
        """Compare a frame's metadata (`told`) with the settings.

        Raises CameraError if they differ.
        """
        settings = self._settings
        for setting, wanted, given in (
            ("fps", self._fps, 1e6 / (told.get("FrameDuration") or 1e6 / self._fps)),
            ("exposure_us", settings.exposure_us, told.get("ExposureTime")),
            ("gain", settings.gain, told.get("AnalogueGain")),
            ("focus", settings.focus, told.get("LensPosition")),
        ):
            if wanted and given is not None and abs(given - wanted) > wanted * _NEAR:
                raise CameraError(
                    Trouble(
                        "the Pi's camera {number} gives {given} for [shoe] {setting} = {wanted}: "
                        "set one that it can keep",
                        number=self._number,
                        given=f"{given:g}",
                        setting=setting,
                        wanted=f"{wanted:g}",
                    )
                )

    def release(self) -> None:
        """Release the camera, even if its frames have stopped.

        A frame that never came stays first in picamera2's queue, and `stop` would wait behind it.
        So `close` ends the queue's thread first, then stops the camera.
        """
        if self._camera:
            self._camera.cancel_all_and_flush()
            self._camera.close()
