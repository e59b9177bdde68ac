import itertools

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


class _Broken(_Twin):
    """A driver that changed under us."""

    why = "grab() got an unexpected keyword argument 'timeout'"

    def grab(self):
        raise TypeError(self.why)


def test_any_failure_of_a_camera_is_its_fault_and_it_is_opened_again():
    """Whatever a driver raises, opening, asking or giving back: the next picture comes."""
    broken = _Broken(1)
    lip = _camera([ValueError("no such node"), broken, _Twin(1)])
    faults = [frame.fault for frame in itertools.islice(lip, 3)]

    again = "it is opened again; report this with its model"
    assert faults == [
        f"camera twin fails by ValueError (no such node): {again}",
        f"camera twin fails by TypeError ({broken.why}): {again}",
        "",
    ]
    assert broken.released


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


def test_a_picture_from_a_mirror_is_swapped_back_before_it_is_turned():
    """As in a folded lip: a mirrored label is read by no decoder for certain."""
    picture = np.arange(48 * 64, dtype=np.uint32).reshape(48, 64).astype(np.uint8)
    folded = Settings(width=64, height=48, region=(10, 20, 30, 8), mirrored=True, rotation=90)

    assert np.array_equal(Settings(mirrored=True).cut(picture), picture[:, ::-1])
    assert np.array_equal(folded.cut(picture), np.rot90(picture[20:28, 10:40][:, ::-1], -1))


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
