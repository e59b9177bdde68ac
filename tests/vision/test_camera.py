import itertools
import sys
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from vision import camera
from vision.camera import Camera, CameraError, Playback, Settings
from vision.frame import Frame

SMALL = Settings(width=64, height=48, fps=100)


class _Twin:
    """A camera that gives numbered pictures, and is lost after some."""

    def __init__(self, pictures, times=None):
        self.left, self.released = list(range(pictures)), False
        self._times = times

    def grab(self):
        assert not self.released
        if not self.left:
            raise CameraError("camera twin is lost")
        number = self.left.pop(0)
        taken = self._times[number] if self._times else None
        return taken, np.full((48, 64), number, np.uint8)

    def release(self):
        self.released = True


def _clock(step=10.0):
    ticks = itertools.count(1000.0, step)
    return lambda: next(ticks)


def _camera(connections, *, settings=SMALL, waits=None, clock=None):
    """A camera whose connections are these: a source, or an error."""
    queue = iter(connections)

    def connect():
        found = next(queue)
        if isinstance(found, Exception):
            raise found
        return found

    waited = waits if waits is not None else []
    return Camera("twin", connect, settings, clock_ms=clock or _clock(), wait=waited.append)


def test_a_lost_camera_says_so_once_and_comes_back_by_itself():
    """Two pictures, lost, not there for three tries, then two more."""
    away = [CameraError("camera twin does not open")] * 3
    first, second = _Twin(2), _Twin(2)
    waits = []
    frames = list(itertools.islice(_camera([first, *away, second], waits=waits), 6))

    assert [frame.fault for frame in frames] == [
        "", "", "camera twin is lost", "camera twin does not open", "", "",
    ]  # fmt: skip
    assert first.released
    assert waits == [camera.RETRY_S] * 4


def test_closing_ends_the_frames():
    """From any thread, at the next frame."""
    lip = _camera([_Twin(100)])
    taken = []
    for frame in lip:
        taken.append(frame)
        if len(taken) == 3:
            lip.close()

    assert len(taken) == 3


def test_times_are_the_cameras_where_they_can_be():
    """Its own time if it is of this clock and the last second; never going back."""
    twin = _Twin(4, times=[995.0, 5.0, 1015.0, 1012.0])
    times = [frame.t_ms for frame in itertools.islice(_camera([twin]), 4)]

    assert times == [995.0, 1010.0, 1015.0, 1015.0]


def test_region_and_rotation_are_applied_to_every_picture():
    """First cut, then turned clockwise."""
    picture = np.arange(48 * 64, dtype=np.uint32).reshape(48, 64).astype(np.uint8)
    cut = Settings(width=64, height=48, region=(10, 20, 30, 8))
    turned = Settings(width=64, height=48, region=(10, 20, 30, 8), rotation=90)

    assert np.array_equal(cut.cut(picture), picture[20:28, 10:40])
    assert np.array_equal(turned.cut(picture), np.rot90(picture[20:28, 10:40], -1))
    assert np.array_equal(Settings(rotation=180).cut(picture), picture[::-1, ::-1])


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"rotation": 45}, "rotation 45: a camera is turned by 0, 90, 180 or 270"),
        ({"region": (600, 0, 100, 10)}, r"region \(600, 0, 100, 10\) is not inside"),
        ({"region": (0, 0, 0, 10)}, "is not inside the picture of 640 x 480"),
    ],
)
def test_settings_that_cannot_be_are_refused(wrong, sentence):
    """With the value and what is allowed."""
    with pytest.raises(ValueError, match=sentence):
        Settings(**wrong)


@pytest.fixture
def film(tmp_path):
    """A film that OpenCV's capture opens like a camera: 5 grey pictures, then it is lost."""
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 25, (64, 48))
    for level in (50, 80, 110, 140, 170):
        writer.write(np.full((48, 64, 3), level, np.uint8))
    writer.release()
    return str(path)


def test_opencvs_capture_is_read_grey_and_reopened_when_lost(film):
    """The same code that reads a V4L2 camera, on a film."""
    lip = camera.v4l2(film, SMALL, cv2.CAP_ANY)
    lip._wait = lambda _s: False
    frames = list(itertools.islice(lip, 8))

    levels = [None if frame.picture is None else int(frame.picture.mean()) for frame in frames]
    assert levels == pytest.approx([50, 80, 110, 140, 170, None, 50, 80], abs=3, nan_ok=True)
    assert f"camera {film} is lost" in frames[5].fault
    assert frames[0].picture.shape == (48, 64)


def test_a_camera_that_gives_another_size_is_named(film):
    """And how to see which sizes it has."""
    lip = camera.v4l2(film, Settings(width=640, height=480), cv2.CAP_ANY)

    fault = next(iter(lip)).fault
    assert "gives 64 x 48, not 640 x 480" in fault
    assert "v4l2-ctl" in fault


def test_a_path_that_is_not_there_is_named():
    """Its cable, most often."""
    fault = next(iter(camera.v4l2("/dev/v4l/by-id/none", SMALL))).fault

    assert fault == "camera /dev/v4l/by-id/none is not there: check its cable and the path"


def test_a_file_that_is_no_camera_does_not_open(tmp_path):
    """With what else may be wrong."""
    (tmp_path / "x").write_text("x")
    fault = next(iter(camera.v4l2(str(tmp_path / "x"), SMALL))).fault

    assert "does not open" in fault
    assert "group 'video'" in fault


def test_a_camera_is_found_by_a_part_of_its_name(tmp_path):
    """By name where one matches; a camera has several devices, the first is its picture."""
    for device, name in (("video0", "OV9281: lip"), ("video10", "Web"), ("video1", "OV9281: lip")):
        (tmp_path / device).mkdir()
        (tmp_path / device / "name").write_text(name + "\n")

    assert camera._path_of("ov9281", tmp_path) == "/dev/video0"
    with pytest.raises(CameraError, match=r"no camera is named 'x' \(there are: 'OV9281: lip', 'W"):
        camera._path_of("x", tmp_path)
    (tmp_path / "video2").mkdir()
    (tmp_path / "video2" / "name").write_text("OV9281: other")
    with pytest.raises(CameraError, match="more than one camera is named 'ov9281'"):
        camera._path_of("ov9281", tmp_path)


def test_without_picamera2_the_package_is_named():
    """It comes from Raspberry Pi OS, not from PyPI."""
    pytest.importorskip("numpy")
    try:
        import picamera2  # noqa: F401
    except ImportError:
        fault = next(iter(camera.pi(0, SMALL))).fault
        assert "apt install python3-picamera2" in fault
    else:
        pytest.skip("picamera2 is here")


def test_a_folder_of_pictures_is_a_camera(tmp_path):
    """In the order of their names; a torn one is left out and named."""
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((48, 64), number * 50, np.uint8))
    (tmp_path / "1.png").write_bytes(b"\x89PNG torn")
    (tmp_path / "notes.txt").write_text("not a picture")
    cv2.imwrite(str(tmp_path / "3.png"), np.zeros((10, 10), np.uint8))

    frames = list(camera.folder(tmp_path, SMALL))

    assert [frame.t_ms for frame in frames] == [0, 10, 20, 30]
    assert [frame.picture is None for frame in frames] == [False, True, False, True]
    assert frames[2].picture[0, 0] == 100
    assert "1.png is no whole picture" in frames[1].fault
    assert "3.png is 10 x 10, not 64 x 48" in frames[3].fault


def test_a_folder_without_pictures_is_refused(tmp_path):
    """At once, with what was looked for."""
    with pytest.raises(CameraError, match=r"holds no picture \(looked for .*\.png"):
        camera.folder(tmp_path, SMALL)
    with pytest.raises(CameraError, match="is no folder"):
        camera.folder(tmp_path / "none", SMALL)


def test_playback_gives_each_frame_at_its_time():
    """Twice as fast, restamped to the clock of now; closing ends it."""
    frames = [Frame(t, np.zeros((2, 2), np.uint8)) for t in (500.0, 520.0, 560.0, 600.0)]
    now, waited = [1000.0], []

    def wait(seconds):
        waited.append(round(seconds, 6))
        now[0] += seconds * 1000
        return False

    playback = Playback(frames, speed=2, clock_ms=lambda: now[0], wait=wait)
    times = [frame.t_ms for frame in itertools.islice(playback, 3)]

    assert times == [1000, 1010, 1030]
    assert waited == [0.01, 0.02]
    playback.close()
    assert list(playback) == []


class _Picamera2:
    """The calls of picamera2 as they are published: other keywords are a TypeError there too."""

    def __init__(self):
        self.waits, self.stopped, self.left = [], 0, 2

    def create_video_configuration(self, *, main, controls, buffer_count):
        assert buffer_count > 1
        return {"main": main, "controls": controls}

    def configure(self, camera_config):
        self.wide, self.high = camera_config["main"]["size"]

    def start(self):
        pass

    def capture_request(self, wait=None, signal_function=None, flush=None):  # noqa: ARG002
        self.waits.append(wait)
        if not self.left:
            raise TimeoutError
        self.left -= 1
        return self

    def make_array(self, name):
        assert name == "main"
        return np.full((self.high * 3 // 2, self.wide), 7, np.uint8)  # Y, then U and V

    def get_metadata(self):
        return {"SensorTimestamp": 1_005_000_000}

    def release(self):
        pass

    def stop(self):
        self.stopped += 1

    def close(self):
        self.stopped += 1


def test_the_pis_camera_is_asked_as_picamera2_is_published(monkeypatch):
    """Two pictures, then none within the time limit: it says so, and is given back."""
    opened = []

    def open_(_camera_num):
        opened.append(_Picamera2())
        return opened[-1]

    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=open_))
    pi = camera.pi(0, SMALL)
    pi._wait = lambda _s: pi.close()
    frames = list(pi)

    assert [frame.fault for frame in frames] == [
        "", "", "the Pi's camera is lost (no picture came in 2 s): check its cable",
    ]  # fmt: skip
    assert frames[0].picture.shape == (48, 64)
    (one,) = opened
    assert one.waits == [2.0, 2.0, 2.0]
    assert one.stopped == 2
