"""A Pi's camera made of picamera2's source. Queue, event loop, stop and close are the real ones.

libcamera and the sensor are replaced, since they need a Pi. `scripts/test` fetches the source
(picamera2.lock) to a folder next to the environment, so that a Pi's own copy is still the one used.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from unittest.mock import MagicMock

import numpy as np

SOURCE = Path(sys.prefix) / "picamera2"
_ON_A_PI = {
    *("libcamera", "pykms", "kms", "prctl", "av", "simplejpeg", "videodev2", "pidng", "piexif"),
    *("OpenEXR", "Imath", "jsonschema", "tqdm", "libarchive", "PyQt5", "PyQt6", "OpenGL"),
}


class _Rectangle:
    """A type of libcamera's."""


class _Size:
    """Another."""


class _Names:
    """libcamera's controls, each its own name."""

    def __getattr__(self, name: str) -> str:
        if name.startswith("_"):
            raise AttributeError(name)
        return name


class _StandIns(MetaPathFinder, Loader):
    """Whatever needs a Pi can be imported, and does nothing."""

    def find_spec(self, name, *_where):
        own = name.partition(".")[0] in _ON_A_PI
        return ModuleSpec(name, self, is_package=True) if own else None

    def create_module(self, spec):
        module = MagicMock(name=spec.name)
        module.__path__, module.__spec__ = [], spec
        module.Rectangle, module.Size, module.controls = _Rectangle, _Size, _Names()
        return module

    def exec_module(self, module):
        """Nothing is in it."""


@contextmanager
def own_source():
    """The package's class, imported from its source; nothing of it is left in `sys` after."""
    before, finder = set(sys.modules), _StandIns()
    hidden = {name: sys.modules.pop(name) for name in list(sys.modules) if _is_its(name)}
    sys.meta_path.insert(0, finder)
    sys.path.insert(0, str(SOURCE))
    try:
        module = importlib.import_module("picamera2.picamera2")
        vars(module)["DmaAllocator"] = SimpleNamespace  # needs memory that only a Pi has
        yield module.Picamera2
    finally:
        sys.path.remove(str(SOURCE))
        sys.meta_path.remove(finder)
        for name in set(sys.modules) - before:
            if _is_its(name):
                del sys.modules[name]
        sys.modules.update(hidden)


def _is_its(name: str) -> bool:
    return name.partition(".")[0] in _ON_A_PI | {"picamera2"}


class Sensor:
    """What is plugged in: how many pictures it still has, and what was asked of it."""

    def __init__(self, pictures: int) -> None:
        self.pictures, self.opened, self.closed = pictures, 0, 0
        self.set: dict[str, object] = {}
        self.modes: list[dict[str, object]] = [
            {"size": (1456, 1088), "fps": 60.38, "bit_depth": 10}
        ]


class _Picture:
    """A completed request of the sensor: grey, of the size that was asked for."""

    def __init__(self, camera) -> None:
        good = sys.modules["libcamera"].FrameMetadata.Status.Success
        buffer = SimpleNamespace(metadata=SimpleNamespace(status=good))
        self.request = SimpleNamespace(buffers={"main": buffer})
        self.display, self.configure_count = True, camera.configure_count
        self.config = {"display": None}

    def acquire(self) -> None:
        """Counted by libcamera only."""

    release = acquire

    def make_array(self, _name: str):
        return np.full((72, 64), 7, np.uint8)

    def get_metadata(self) -> dict[str, object]:
        return {"SensorTimestamp": 1_005_000_000}


def plugged(sensor: Sensor, picamera2: type) -> ModuleType:
    """The module as `vision.picam` imports it, with this sensor at its end."""
    module = ModuleType("picamera2")

    class Plugged(picamera2):
        _cm = SimpleNamespace(handle_request=lambda _number: None, cleanup=lambda _number: None)

        def __init__(self, number: int = 0) -> None:
            sensor.opened += 1
            self.notifyme_r, self.notifyme_w = os.pipe2(os.O_NONBLOCK)
            self.notifymeread = os.fdopen(self.notifyme_r, "rb")
            self._preview, self.is_open, self.camera_idx = None, True, number
            self._requestslock, self._requests = threading.Lock(), []
            self._reset_flags()
            self.camera, self.allocator = MagicMock(), SimpleNamespace()
            self._max_queue_len = 1
            names = ("FrameDurationLimits", "ExposureTime", "AeEnable", "AnalogueGain")
            self.camera_ctrl_info = {name: (_Control(name), _Range) for name in names}

        @property
        def sensor_modes(self):
            return sensor.modes

        def create_video_configuration(self, **asked):
            return asked

        def configure(self, asked):
            self.camera_config = asked
            self.set_controls(asked["controls"])

        def _make_requests(self):
            return []

        def start_(self):
            super().start_()
            (given,), _ = self.camera.start.call_args
            sensor.set = {str(name): value for name, value in given.items()}

        def capture_request(self, **asked):
            if sensor.pictures:
                sensor.pictures -= 1
                with self._requestslock:
                    self._requests.append(_Picture(self))
                os.write(self.notifyme_w, b"\x00")
            return super().capture_request(**asked)

        def close(self):
            sensor.closed += self.is_open
            super().close()

    vars(module)["Picamera2"] = Plugged
    return module


class _Control(str):
    """A control of libcamera's, by its name."""

    type = "number"


_Range = SimpleNamespace(min=0, max=1e6, default=0)
