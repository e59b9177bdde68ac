"""A USB camera: the kernel's numbers against its header, modes, controls; a film for pictures."""

import ctypes
import itertools
import shutil
import struct
import subprocess

import cv2
import numpy as np
import pytest

from vision import v4l2
from vision.camera import Camera, CameraError, Settings
from vision.v4l2 import Capture, Driver, PictureMode, chosen, path_of

SMALL = Settings(width=64, height=48, fps=100)
HEADER = r"""
#include <linux/videodev2.h>
#include <stddef.h>
#include <stdio.h>
#define SAY(x) printf("%ld ", (long)(x))
int main(void) {
    SAY(VIDIOC_ENUM_FMT); SAY(VIDIOC_ENUM_FRAMEINTERVALS); SAY(VIDIOC_G_CTRL); SAY(VIDIOC_S_CTRL);
    SAY(sizeof(struct v4l2_fmtdesc)); SAY(sizeof(struct v4l2_frmivalenum));
    SAY(sizeof(struct v4l2_control)); SAY(offsetof(struct v4l2_fmtdesc, pixelformat));
    SAY(offsetof(struct v4l2_frmivalenum, discrete));
    SAY(V4L2_CID_EXPOSURE_AUTO); SAY(V4L2_CID_EXPOSURE_ABSOLUTE);
    SAY(V4L2_CID_EXPOSURE_AUTO_PRIORITY); SAY(V4L2_CID_AUTOGAIN); SAY(V4L2_CID_GAIN);
    SAY(V4L2_CID_POWER_LINE_FREQUENCY); SAY(V4L2_CID_FOCUS_ABSOLUTE); SAY(V4L2_CID_FOCUS_AUTO);
    SAY(V4L2_EXPOSURE_MANUAL); SAY(V4L2_EXPOSURE_APERTURE_PRIORITY);
    SAY(V4L2_CID_POWER_LINE_FREQUENCY_50HZ); SAY(V4L2_CID_POWER_LINE_FREQUENCY_60HZ);
}
"""


def test_the_numbers_are_those_of_the_kernels_header(tmp_path):
    """Compiled from linux/videodev2.h as it is here."""
    if not shutil.which("cc"):
        pytest.skip("no C compiler here")
    (tmp_path / "say.c").write_text(HEADER)
    subprocess.run(["cc", "say.c", "-o", "say"], cwd=tmp_path, check=True)
    said = subprocess.run([tmp_path / "say"], capture_output=True, text=True, check=True).stdout

    assert [int(number) for number in said.split()] == [
        *(v4l2.ENUM_FMT, v4l2.ENUM_FRAMEINTERVALS, v4l2.G_CTRL, v4l2.S_CTRL),
        *(v4l2.FORMAT.size, v4l2.INTERVAL.size, v4l2.CONTROL.size),
        *(struct.calcsize("<3I32s"), struct.calcsize("<5I")),
        *v4l2.CONTROLS.values(),
        *(1, 3, 1, 2),
    ]


class Kernel:
    """A camera's driver: modes of 640 x 480, and controls with their limits."""

    def __init__(self, modes=(), **controls):
        self.modes, self.controls, self.limits = dict(modes), controls, {}

    def __call__(self, _handle, request, buffer):
        if request in (v4l2.G_CTRL, v4l2.S_CTRL):
            self._control(request, (ctypes.c_uint32 * 2).from_buffer(buffer))
            return
        words = (ctypes.c_uint32 * (len(buffer) // 4)).from_buffer(buffer)
        try:
            if request == v4l2.ENUM_FMT:
                assert words[1] == 1  # V4L2_BUF_TYPE_VIDEO_CAPTURE
                code = list(self.modes)[words[0]]
                words[11] = int.from_bytes(code.encode(), "little")
            else:
                code = int(words[1]).to_bytes(4, "little").decode()
                assert (words[2], words[3]) == (640, 480)
                words[4], words[5], words[6] = 1, 1, self.modes[code][words[0]]
        except IndexError:
            raise OSError(22, "Invalid argument") from None

    def _control(self, request, words):
        name = next(one for one, number in v4l2.CONTROLS.items() if number == words[0])
        if name not in self.controls:
            raise OSError(22, "Invalid argument")
        if request == v4l2.S_CTRL:
            least, most = self.limits.get(name, (0, 1 << 30))
            self.controls[name] = min(max(words[1], least), most)
        words[1] = self.controls[name]

    def driver(self):
        return Driver("/dev/video0", 0, self)


def test_a_camera_s_modes_are_asked_of_its_driver():
    """Each format with each rate that it has in this size."""
    kernel = Kernel({"YUYV": [30], "MJPG": [120, 60]})

    assert list(kernel.driver().modes(640, 480)) == [
        PictureMode("YUYV", 30), PictureMode("MJPG", 120), PictureMode("MJPG", 60),
    ]  # fmt: skip


def test_the_format_that_has_the_rate_is_chosen():
    """YUYV comes first and is too slow; where both can, the cheaper one."""
    modes = [
        PictureMode("YUYV", 30),
        PictureMode("MJPG", 30),
        PictureMode("MJPG", 120),
        PictureMode("H264", 240),
    ]

    assert chosen("x", modes, Settings(fps=120)) == PictureMode("MJPG", 120)
    assert chosen("x", modes, Settings(fps=30)) == PictureMode("YUYV", 30)
    assert chosen("x", modes, Settings(fps=0)) == PictureMode("MJPG", 120)


def test_a_rate_that_the_camera_has_not_is_refused_with_those_it_has():
    """Never a slower one in silence."""
    with pytest.raises(CameraError, match="no mode of 640 x 480 with 120 pictures a second") as no:
        chosen("/dev/video0", [PictureMode("YUYV", 30), PictureMode("MJPG", 60)], Settings())

    assert "(there are: MJPG 60/s, YUYV 30/s)" in str(no.value)


def test_exposure_gain_focus_and_mains_are_set_and_given_back():
    """By hand where a value is set; 0 and none restore what a camera does by itself."""
    kernel = Kernel(exposure_auto=3, exposure=156, exposure_may_slow=1, autogain=1, gain=64,
                    mains=2, focus=0, autofocus=1)  # fmt: skip
    kernel.driver().prepare(Settings(exposure_us=500, gain=20, focus=110))
    by_hand = dict(kernel.controls)
    kernel.driver().prepare(Settings(exposure_us=0, mains_hz=50))

    assert by_hand | {"exposure_may_slow": 1, "mains": 2} == by_hand
    assert (by_hand["exposure_auto"], by_hand["exposure"]) == (1, 5)  # 100 us
    assert (by_hand["autogain"], by_hand["gain"]) == (0, 20)
    assert (by_hand["autofocus"], by_hand["focus"]) == (0, 110)
    assert kernel.controls == by_hand | {
        "exposure_auto": 3, "exposure_may_slow": 0, "autogain": 1, "autofocus": 1, "mains": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            Settings(exposure_us=10_000, focus=100),
            "does not take focus = 100 (it has no such control)",
        ),
        (Settings(exposure_us=500), "does not take exposure = 5 (it keeps 50)"),
        (Settings(exposure_us=10_000, gain=300), "does not take gain = 300 (it keeps 128)"),
    ],
)
def test_what_the_camera_cannot_is_refused(settings, said):
    """With what it has, and how to see it."""
    kernel = Kernel(exposure_auto=1, exposure=100, gain=0)
    kernel.limits = {"exposure": (50, 5000), "gain": (0, 128)}
    with pytest.raises(CameraError) as no:
        kernel.driver().prepare(settings)

    assert said in str(no.value)
    assert "v4l2-ctl -d /dev/video0 -L" in str(no.value)


@pytest.fixture
def film(tmp_path):
    """A film that OpenCV's capture opens like a camera: 5 grey pictures, then it is lost."""
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 25, (64, 48))
    for level in (50, 80, 110, 140, 170):
        writer.write(np.full((48, 64, 3), level, np.uint8))
    writer.release()
    return str(path)


def _filmed(film, settings=SMALL, mode=None):
    lip = Camera(film, lambda: Capture(film, settings, mode, cv2.CAP_ANY), settings)
    lip._wait = lambda _s: False
    return lip


def test_opencvs_capture_is_read_grey_and_reopened_when_lost(film):
    """The same code that reads a V4L2 camera, on a film."""
    frames = list(itertools.islice(_filmed(film), 8))

    levels = [None if frame.picture is None else int(frame.picture.mean()) for frame in frames]
    assert levels == pytest.approx([50, 80, 110, 140, 170, None, 50, 80], abs=3, nan_ok=True)
    assert f"camera {film} is lost" in frames[5].fault
    assert frames[0].picture.shape == (48, 64)


def test_a_camera_that_gives_another_size_is_named(film):
    """And how to see which sizes it has."""
    fault = next(iter(_filmed(film, Settings(width=640, height=480)))).fault

    assert "gives 64 x 48, not 640 x 480" in fault
    assert "v4l2-ctl" in fault


def test_a_camera_that_does_not_keep_to_the_mode_is_named(film):
    """The film has its 25 pictures a second in MJPG, whatever is asked of it."""
    fault = next(iter(_filmed(film, mode=PictureMode("MJPG", 100)))).fault

    assert "gives MJPG at 25 pictures a second, not MJPG at 100" in fault
    assert next(iter(_filmed(film, mode=PictureMode("MJPG", 25)))).fault == ""


def test_a_path_that_is_not_there_is_named():
    """Its cable, most often."""
    fault = next(iter(v4l2.usb("/dev/v4l/by-id/none", SMALL))).fault

    assert fault == "camera /dev/v4l/by-id/none is not there: check its cable and the path"


def test_a_file_that_is_no_camera_has_no_mode(tmp_path):
    """Its driver offers none."""
    (tmp_path / "x").write_text("x")
    fault = next(iter(v4l2.usb(str(tmp_path / "x"), SMALL))).fault

    assert "has no mode of 64 x 48 with 100 pictures a second (there are: none)" in fault


def test_a_camera_is_found_by_a_part_of_its_name(tmp_path):
    """By name where one matches; a camera has several devices, the first is its picture."""
    for device, name in (("video0", "OV9281: lip"), ("video10", "Web"), ("video1", "OV9281: lip")):
        (tmp_path / device).mkdir()
        (tmp_path / device / "name").write_text(name + "\n")

    assert path_of("ov9281", tmp_path) == "/dev/video0"
    with pytest.raises(CameraError, match=r"no camera is named 'x' \(there are: 'OV9281: lip', 'W"):
        path_of("x", tmp_path)
    (tmp_path / "video2").mkdir()
    (tmp_path / "video2" / "name").write_text("OV9281: other")
    with pytest.raises(CameraError, match="more than one camera is named 'ov9281'"):
        path_of("ov9281", tmp_path)
