import itertools

import numpy as np
import pytest

from vision import recording
from vision.frame import Frame
from vision.recording import FilmError
from vision.tap import Tap


def _frames():
    for number in itertools.count():
        yield Frame(float(number), np.full((16, 16), number % 250, np.uint8))


def test_nothing_is_stored_until_recording_is_switched_on(tmp_path):
    """Then what passes is stored, until it is switched off; the page can tell."""
    tap = Tap(_frames())
    frames = iter(tap)
    path = tmp_path / "r"

    passed = [next(frames).t_ms, next(frames).t_ms]
    assert (tap.path, list(tmp_path.iterdir())) == (None, [])
    tap.on(path)
    assert tap.path == path
    passed += [next(frames).t_ms for _ in range(3)]
    tap.off()
    passed += [next(frames).t_ms]

    assert tap.path is None
    assert passed == [0, 1, 2, 3, 4, 5]
    stored = list(recording.read(path))
    assert [frame.t_ms for frame in stored] == [1, 2, 3]
    assert not any(frame.fault for frame in stored)


def test_a_recording_that_cannot_go_on_is_said_once_and_frames_go_on(tmp_path):
    """A full disk must not stop a table."""
    tap = Tap(_frames())
    frames = iter(tap)
    next(frames)
    tap.on(tmp_path / "r")
    tap._writer._file.close()
    tap._writer._file = open("/dev/full", "wb")  # noqa: PTH123, SIM115

    passed = [next(frames) for _ in range(5)]

    assert ["No space left" in frame.fault for frame in passed] == [True] + [False] * 4
    assert tap.path is None


def test_a_recording_that_cannot_begin_is_refused(tmp_path):
    """Never over another file; the frames are not touched."""
    (tmp_path / "r").write_text("mine")
    tap = Tap(_frames())

    with pytest.raises(FilmError, match="never overwritten"):
        tap.on(tmp_path / "r")

    assert next(iter(tap)).t_ms == 0
    assert tap.path is None
