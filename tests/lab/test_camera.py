"""Cameras by the kernel's own test driver (vivid): modes, controls, and the ways a camera fails."""

import contextlib
import itertools
import re

import pytest

from tests.lab.machine import run, until
from vision import v4l2
from vision.camera import CameraError, Settings

NAME = "vivid-000-vid-cap"
#: The most pictures a second that it has in this size; exposure is not among its controls.
SETTINGS = Settings(width=640, height=360, fps=0, exposure_us=0, mains_hz=0)


@pytest.fixture
def vivid(module):
    """The driver with one webcam."""
    return module("vivid", "n_devs=1", "node_types=0x1", "num_inputs=1", "input_types=0x0")


@pytest.fixture
def path(vivid):
    """Where it is."""
    return until(where, "vivid's device")


def where():
    """The path of vivid's camera, if it is there."""
    with contextlib.suppress(CameraError):
        return v4l2.path_of(NAME)


@contextlib.contextmanager
def pictures(settings=SETTINGS):
    """The camera's frames, and the camera given back at the end."""
    camera = v4l2.usb(NAME, settings)
    frames = iter(camera)
    try:
        yield frames
    finally:
        camera.close()
        list(frames)  # to its end, where the device is given back


def control(path, name, value):
    """Set a control by another program, as somebody at the machine would."""
    run("v4l2-ctl", "-d", path, "-c", f"{name}={value}")


def good(frames, count):
    """The next frames until so many are pictures; all of them."""
    seen, pictures = [], 0
    for frame in itertools.islice(frames, 50 * count):
        seen.append(frame)
        pictures += frame.picture is not None
        if pictures == count:
            return seen
    raise AssertionError([frame.fault for frame in seen])


def test_the_modes_are_those_that_another_program_lists(path):
    """By v4l2-ctl of Video4Linux: sizes in steps, each with its rates."""
    with v4l2.driver(path) as driver:
        modes = list(driver.modes(640, 360))
    listed = run(
        "v4l2-ctl", "-d", path, "--list-frameintervals", "width=640,height=360,pixelformat=GREY"
    )

    rates = [f"({mode.fps:.3f} fps)" for mode in modes if mode.format == "GREY"]
    assert rates
    assert rates == [f"({line.split('(')[1]}" for line in listed.splitlines() if "fps)" in line]


def test_pictures_come_in_the_size_that_was_asked_for(path):
    """Thirty, each later than the one before."""
    with pictures() as frames:
        seen = good(frames, 30)

    assert {frame.picture.shape for frame in seen} == {(360, 640)}
    assert all(one.t_ms < other.t_ms for one, other in itertools.pairwise(seen))


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"width": 648}, r"no mode of 648 x 360 .*set \[shoe\] fps"),
        ({"fps": 97}, r"no mode of 640 x 360 with 97 pictures"),
        ({"exposure_us": 500}, r"does not take exposure_auto = 1 \(it has no such control\)"),
    ],
)
def test_what_it_cannot_do_is_refused_with_what_it_can(path, settings, says):
    """Told as an unreadable frame; the camera is tried again."""
    wanted = {"width": 640, "height": 360, "fps": 0, "exposure_us": 0, "mains_hz": 0}
    with pictures(Settings(**wanted | settings)) as frames:
        (told,) = itertools.islice(frames, 1)

    assert told.picture is None
    assert re.search(says, told.fault), told.fault


def test_a_gain_is_set_and_its_automatic_is_off(path):
    """Read back by another program."""
    with pictures(Settings(width=640, height=360, fps=0, exposure_us=0, mains_hz=0, gain=77)) as it:
        good(it, 1)
        said = run("v4l2-ctl", "-d", path, "-C", "gain,gain_automatic")

    assert said.split() == ["gain:", "77", "gain_automatic:", "0"]


def test_three_of_five_pictures_lost_are_gaps_and_no_fault(path):
    """The bus drops 60 %: those that come are whole, and none is called unreadable."""
    with pictures() as frames:
        whole = good(frames, 40)
        control(path, "percentage_of_dropped_buffers", 60)
        torn = good(frames, 40)

    assert not [frame.fault for frame in torn if frame.fault]
    gaps = [other.t_ms - one.t_ms for one, other in itertools.pairwise(torn)]
    usual = sorted(b.t_ms - a.t_ms for a, b in itertools.pairwise(whole))[len(whole) // 2]
    assert sum(gap > 1.5 * usual for gap in gaps) >= 8


def test_a_buffer_marked_as_faulty_does_not_end_the_pictures(path):
    """One picture may be unreadable, and says so; then they go on."""
    with pictures() as frames:
        good(frames, 5)
        control(path, "inject_v4l2_buf_flag_error", 1)
        seen = good(frames, 10)

    assert sum(frame.picture is None for frame in seen) <= 1


def test_a_fatal_error_of_the_stream_is_told_and_the_camera_opened_again(path):
    with pictures() as frames:
        good(frames, 5)
        control(path, "inject_fatal_streaming_error", 1)
        seen = good(frames, 10)
        told = [frame.fault for frame in seen if frame.fault] or [
            frame.fault for frame in good(frames, 40) if frame.fault
        ]

    assert len(told) == 1
    assert "is lost, and the program looks for it: check its cable" in told[0]


def test_a_camera_that_is_unplugged_comes_back_by_its_name(vivid, path):
    """Gone from the kernel altogether, then there again: as if somebody had moved the plug."""
    with pictures() as frames:
        good(frames, 5)
        control(path, "disconnect", 1)
        lost = next(frame for frame in frames if frame.picture is None)
        vivid.unload()
        gone = next(frames)
        vivid.load()
        back = good(frames, 10)

    assert "is lost" in lost.fault
    assert gone.picture is None
    assert NAME in gone.fault
    assert back[-1].picture.shape == (360, 640)
