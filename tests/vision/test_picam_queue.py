"""The Pi's camera when pictures stop coming, in picamera2's own job queue."""

import sys
import threading

import pytest

from tests.vision.pi_queue import SOURCE, Sensor, own_source, plugged
from vision import picam
from vision.camera import Settings

SMALL = Settings(width=64, height=48, fps=60)
LOST = "the Pi's camera is lost (no picture came in 0.3 s): check its cable"

pytestmark = pytest.mark.skipif(
    not SOURCE.is_dir(), reason="picamera2's source is not here: `scripts/test` fetches it"
)


@pytest.fixture
def picamera2(monkeypatch):
    monkeypatch.setattr(picam, "_WAIT_S", 0.3)
    with own_source() as own:
        yield own


def camera_of(sensor, picamera2, settings=SMALL):
    sys.modules["picamera2"] = plugged(sensor, picamera2)  # `own_source` takes it out again
    return picam.pi(0, settings)


def test_a_camera_whose_pictures_stop_is_told_and_comes_back(picamera2):
    """The picture that never came is first in its queue; nothing else may wait behind that."""
    sensor = Sensor(pictures=2)
    camera = camera_of(sensor, picamera2)
    given, waits = [], []

    def plug_in_again(_s):
        waits.append(1)
        sensor.pictures = 3
        if len(waits) > 3:
            camera.close()

    camera._wait = plug_in_again
    for frame in camera:
        given.append(frame.fault)
        if len(given) == 6:
            camera.close()

    assert given == ["", "", LOST, "", "", ""]
    assert (sensor.opened, sensor.closed) == (2, 2)


def test_a_camera_without_pictures_can_be_closed(picamera2):
    """From another thread, while it is waited for."""
    sensor = Sensor(pictures=1)
    camera = camera_of(sensor, picamera2)
    seen = threading.Event()

    def work():
        for _frame in camera:
            seen.set()

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    assert seen.wait(30)
    camera.close()
    thread.join(30)

    assert not thread.is_alive()
    assert sensor.closed == 1


def test_a_fixed_exposure_leaves_the_gain_to_the_camera(picamera2):
    """`gain = 0`: what libcamera is given says so, and freezes nothing."""
    sensor = Sensor(pictures=1)
    camera = camera_of(sensor, picamera2)
    next(iter(camera))

    assert sensor.set["ExposureTime"] == 500
    assert (sensor.set["ExposureTimeMode"], sensor.set["AnalogueGainMode"]) == (1, 0)
    assert sensor.set.get("AeEnable", True) is True


def test_a_camera_that_cannot_tell_its_modes_is_given_back(picamera2):
    """picamera2 names only the format of one that is no Pi camera: no size, no rate."""
    sensor = Sensor(pictures=1)
    sensor.modes = [{"format": "YUYV"}]
    frame = next(iter(camera_of(sensor, picamera2)))

    assert "the Pi's camera 0 does not tell its modes (no 'size')" in frame.fault
    assert "/dev/v4l/by-id/" in frame.fault
    assert sensor.closed == 1
