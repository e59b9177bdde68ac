"""The Pi's camera against picamera2 as it is published: its signatures, recorded from the wheel."""

import importlib
import importlib.util
import inspect
import itertools
import json
import sys
from contextlib import nullcontext
from inspect import Parameter, Signature
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tests.vision.pi_queue import own_source
from vision.camera import Settings
from vision.picam import pi

RECORDED = json.loads(Path(__file__).with_name("picamera2.json").read_text())["signatures"]
SMALL = Settings(width=64, height=48, fps=60)
IMX296 = [{"size": (1456, 1088), "bit_depth": 10, "fps": 60.38}]
OV9281 = [
    {"size": (640, 400), "bit_depth": 8, "fps": 309.79},
    {"size": (1280, 800), "bit_depth": 8, "fps": 171.79},
]
ALWAYS = {"ExposureTime": 0, "AeEnable": 0, "AnalogueGain": 0, "FrameDurationLimits": 0}


def as_published(name, does):
    """A method that takes what the package's own takes, and nothing else."""
    said = RECORDED[name]
    kind = Parameter.POSITIONAL_OR_KEYWORD
    needs = [Parameter(one, kind) for one in said["needs"]]
    takes = [Parameter(one, kind, default=None) for one in said["takes"]]
    signature = Signature([*needs, *takes])

    def method(self, *values, **named):
        return does(self, signature.bind(*values, **named).arguments)

    return method


class Sensor:
    """What the twin's sensor is and does; and what was asked of it."""

    def __init__(self, modes=OV9281, has=(), pictures=2, **told):
        self.sensor_modes, self.camera_controls = modes, dict(ALWAYS) | dict.fromkeys(has)
        self.left, self.told = pictures, {"SensorTimestamp": 1_005_000_000} | told
        self.asked, self.waits, self.ended = {}, [], 0


def _capture(sensor, asked):
    sensor.waits.append(asked.get("wait"))
    if not sensor.left:
        raise TimeoutError
    sensor.left -= 1
    return sensor


def _plane(sensor, _asked):
    wide, high = sensor.asked["main"]["size"]
    return np.full((high * 3 // 2, wide), 7, np.uint8)  # Y, then U and V


def _end(sensor, _asked):
    sensor.ended += 1


VERBS = {
    "Picamera2.create_video_configuration": lambda sensor, asked: sensor.asked.update(asked),
    "Picamera2.configure": lambda _sensor, _asked: None,
    "Picamera2.start": lambda _sensor, _asked: None,
    "Picamera2.capture_request": _capture,
    "Picamera2.cancel_all_and_flush": lambda _sensor, _asked: None,
    "Picamera2.close": _end,
    "CompletedRequest.make_array": _plane,
    "CompletedRequest.get_metadata": lambda sensor, _asked: sensor.told,
    "CompletedRequest.release": lambda _sensor, _asked: None,
}
for _name, _does in VERBS.items():
    setattr(Sensor, _name.rpartition(".")[2], as_published(_name, _does))


def faults(monkeypatch, sensor, settings=SMALL, count=99):
    """What each frame of that sensor says, until it fails."""
    opened = SimpleNamespace(Picamera2=lambda _number: sensor)
    monkeypatch.setitem(sys.modules, "picamera2", opened)
    camera = pi(0, settings)
    camera._wait = lambda _s: camera.close()
    return [frame.fault for frame in itertools.islice(camera, count)]


def _differing():
    """The recorded names whose method takes something else in the package that is imported now."""
    for name, said in RECORDED.items():
        kind, method = name.split(".")
        module = "picamera2.request" if kind == "CompletedRequest" else "picamera2.picamera2"
        found = getattr(getattr(importlib.import_module(module), kind), method)
        if not said.get("property"):
            takes = list(inspect.signature(found).parameters)[1:]
            if takes != [*said["needs"], *said["takes"]]:
                yield name, takes


#: Its own source, with stand-ins for what needs a Pi; and a Pi's own, which may have changed since.
PACKAGES = {"published": own_source}
if importlib.util.find_spec("picamera2"):
    PACKAGES["of this Pi"] = nullcontext


@pytest.mark.parametrize("package", PACKAGES)
def test_the_recorded_signatures_are_those_of_the_package(package):
    with PACKAGES[package]():
        assert list(_differing()) == []


def test_pictures_come_until_none_comes_in_time(monkeypatch):
    """Two, then none within the time limit: it says so, and is given back."""
    sensor = Sensor()

    assert faults(monkeypatch, sensor) == [
        "", "", "the Pi's camera is lost (no picture came in 2 s): check its cable",
    ]  # fmt: skip
    assert sensor.waits == [2.0, 2.0, 2.0]
    assert sensor.ended == 1


def test_the_smallest_mode_that_is_quick_enough_is_asked_for(monkeypatch):
    """By the sensor's own list; 0 is the quickest that shows the size."""
    small, large = Sensor(), Sensor()
    faults(monkeypatch, small, Settings(width=640, height=400, fps=120), 1)
    faults(monkeypatch, large, Settings(width=640, height=480, fps=0), 1)

    assert small.asked["sensor"] == {"output_size": (640, 400), "bit_depth": 8}
    assert large.asked["sensor"] == {"output_size": (1280, 800), "bit_depth": 8}
    assert (small.asked["controls"]["FrameRate"], large.asked["controls"]["FrameRate"]) == (
        120, 171.79,
    )  # fmt: skip


def test_a_rate_that_the_sensor_has_not_is_refused_with_those_it_has(monkeypatch):
    """IMX296 gives 60, the default is 120."""
    (fault,) = faults(monkeypatch, Sensor(IMX296), Settings(width=640, height=480))

    assert "no mode of 640 x 480 with 120 pictures a second" in fault
    assert "(there are: 1456 x 1088 60.38/s)" in fault


def test_what_is_not_set_is_given_back_to_the_camera(monkeypatch):
    """0 is automatic again, in whole periods of a light of 50 Hz: 10 ms."""
    sensor = Sensor(has=("AfMode", "AeFlickerMode", "AeFlickerPeriod"))
    faults(monkeypatch, sensor, Settings(width=64, height=48, fps=60, exposure_us=0), 1)

    assert sensor.asked["controls"] == {
        "FrameRate": 60, "AeEnable": True, "AeFlickerMode": 1, "AeFlickerPeriod": 10_000,
        "AfMode": 2,
    }  # fmt: skip


def test_what_is_set_is_asked_for_and_refused_where_there_is_none_of_it(monkeypatch):
    """Gain by any; focus only by a lens that moves."""
    settings = Settings(width=64, height=48, fps=60, gain=4.0, focus=12.0)
    moved = Sensor(has=("AfMode", "LensPosition"))
    faults(monkeypatch, moved, settings, 1)

    assert moved.asked["controls"] == {
        "FrameRate": 60, "ExposureTime": 500, "AnalogueGain": 4.0,
        "AfMode": 0, "LensPosition": 12.0,
    }  # fmt: skip
    (fault,) = faults(monkeypatch, Sensor(), settings)
    assert fault == "the Pi's camera 0 has no AfMode, LensPosition: take that out of [shoe]"


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"FrameDuration": 33_333}, "gives 30.0003 for [shoe] fps = 60"),
        ({"ExposureTime": 2000}, "gives 2000 for [shoe] exposure_us = 500"),
    ],
)
def test_what_the_pictures_say_is_read_back(monkeypatch, told, said):
    """Once what was taken before is through: the tenth picture."""
    given = faults(monkeypatch, Sensor(pictures=20, **told))

    assert given[:-1] == [""] * 9
    assert said in given[-1]


def test_without_picamera2_the_package_is_named(monkeypatch):
    """It comes from Raspberry Pi OS, not from PyPI."""
    monkeypatch.setitem(sys.modules, "picamera2", None)

    assert "apt install python3-picamera2" in next(iter(pi(0, SMALL))).fault
