import itertools
import json
import re
import resource

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision import recording
from vision.frame import Frame
from vision.generator import schlitten
from vision.recording import FilmError


@pytest.fixture(scope="module")
def frames(shoe):
    return list(itertools.islice(schlitten(shoe, 1), 6))


@pytest.fixture
def path(tmp_path, frames):
    """A recording of six frames."""
    recording.write(tmp_path / "shoe.rec", frames)
    return tmp_path / "shoe.rec"


def _lines(path):
    return path.read_bytes().splitlines(keepends=True)


def test_what_is_written_is_read(tmp_path, frames):
    """Losslessly as PNG; closely as JPEG; times exactly."""
    count = recording.write(tmp_path / "a", frames, lossless=True)
    recording.write(tmp_path / "b", frames)
    exact, close = list(recording.read(tmp_path / "a")), list(recording.read(tmp_path / "b"))

    assert count == 6
    assert [frame.t_ms for frame in exact] == [frame.t_ms for frame in frames]
    assert all(np.array_equal(a.picture, b.picture) for a, b in zip(exact, frames, strict=True))
    errors = [
        np.abs(a.picture.astype(int) - b.picture).mean() for a, b in zip(close, frames, strict=True)
    ]
    assert max(errors) < 4


def test_a_recording_is_for_the_owner_alone_and_never_overwritten(path, frames):
    """It shows cards that may still be closed."""
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(FilmError, match=r"shoe\.rec exists: a recording is never overwritten"):
        recording.write(path, frames)


def test_a_broken_line_costs_one_frame_and_is_named(path):
    """The file, the line, the frame, and what becomes of it."""
    lines = _lines(path)
    lines[3] = lines[3][:100] + b"\n"
    path.write_bytes(b"".join(lines))

    read = list(recording.read(path))

    assert [frame.picture is None for frame in read] == [False] * 2 + [True] + [False] * 3 + [True]
    assert f"{path} line 4 (frame 3) is broken" in read[2].fault
    assert "left out, the others are used" in read[2].fault
    assert "the digest is wrong" in read[-1].fault


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"picture": ""}, "has no picture"),
        ({"picture": "?!"}, "has no picture"),
        ({"picture": "/9j/4AAQ"}, r"picture is cut or changed \(6 bytes\)"),
        ({"t_ms": -5.0}, "time -5.0 ms is not after"),
        ({"picture": "AAAA", "crc": 4282505490}, "is no JPEG or PNG"),
    ],
)
def test_a_picture_that_is_missing_or_cut_is_named(path, change, sentence):
    """The frame becomes unreadable, the next ones are as they were."""
    lines = _lines(path)
    lines[2] = json.dumps(json.loads(lines[2]) | change).encode() + b"\n"
    path.write_bytes(b"".join(lines))

    read = list(recording.read(path))

    assert read[1].picture is None
    assert re.search(rf"line 3 \(frame 2\).*{sentence}", read[1].fault)
    assert all(read[number].picture is not None for number in (0, 2, 3, 4, 5))


def test_a_cut_end_is_seen(path):
    """Without its closing line a recording says where it ends, after all its frames."""
    path.write_bytes(b"".join(_lines(path)[:-2]))

    read = list(recording.read(path))

    assert sum(frame.picture is not None for frame in read) == 5
    assert f"{path} ends after line 6 without its closing line" in read[-1].fault
    assert "Take another copy" in read[-1].fault


def test_a_lost_line_is_seen(path):
    """The closing line counts the frames."""
    lines = _lines(path)
    path.write_bytes(b"".join(lines[:2] + lines[3:]))

    assert "5 frames are here, 6 were recorded" in list(recording.read(path))[-1].fault


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is empty"),
        (b"\x89PNG....", "does not begin with a recording's header"),
        (b'{"format":"schlitten-camera/9"}\n', "this program reads 'schlitten-camera/1'"),
    ],
)
def test_a_foreign_file_is_no_recording(tmp_path, content, sentence):
    """Said at once, before any frame is asked for."""
    (tmp_path / "x").write_bytes(content)

    with pytest.raises(FilmError, match=sentence):
        recording.read(tmp_path / "x")


def test_a_missing_file_is_named(tmp_path):
    """The path and the system's reason."""
    with pytest.raises(FilmError, match="nowhere: No such file"):
        recording.read(tmp_path / "nowhere")


def test_a_disk_that_takes_no_more_is_said_and_what_is_there_can_be_read(tmp_path, frames):
    """The system's limit on a file's size stands for a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, before[1]))
    try:
        with pytest.raises(FilmError, match=r"cannot go on writing .* after frame \d: File too"):
            recording.write(tmp_path / "a", frames)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)

    read = list(recording.read(tmp_path / "a"))
    assert read[0].picture is not None
    assert "without its closing line" in read[-1].fault


def test_unreadable_frames_are_left_out_of_a_recording(tmp_path, frames):
    """There is nothing to keep."""
    count = recording.write(tmp_path / "a", [frames[0], Frame(9.0, None, "lost"), frames[1]])

    assert count == 2
    assert len(list(recording.read(tmp_path / "a"))) == 2


@settings(max_examples=60)
@given(st.data())
def test_no_damage_stops_the_reading(shoe, tmp_path_factory, data):
    """Any bytes changed after the header: every frame comes, readable or named."""
    path = tmp_path_factory.mktemp("damage") / "r"
    tiny = [Frame(float(n), np.full((8, 8), n * 9, np.uint8)) for n in range(5)]
    recording.write(path, tiny)
    raw = bytearray(path.read_bytes())
    start = raw.index(b"\n") + 1
    for _ in range(data.draw(st.integers(1, 6))):
        raw[data.draw(st.integers(start, len(raw) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(raw[: data.draw(st.integers(start, len(raw)))])

    read = list(recording.read(path))

    assert all(frame.picture is not None or str(path) in frame.fault for frame in read)
    times = [frame.t_ms for frame in read]
    assert times == sorted(times)


def _with_a_byte_that_is_no_text(path, line):
    recording.write(path, [Frame(1.0, np.zeros((8, 8), np.uint8))])
    lines = path.read_bytes().splitlines(keepends=True)
    at = lines[line].rindex(b'"') - 1
    lines[line] = lines[line][:at] + b"\x80" + lines[line][at + 1 :]
    path.write_bytes(b"".join(lines))


def test_a_first_line_that_is_no_text_is_named(tmp_path):
    """Within a text such a byte is another error to the decoder than broken JSON."""
    _with_a_byte_that_is_no_text(tmp_path / "r", 0)

    with pytest.raises(recording.FilmError, match=str(tmp_path / "r")):
        list(recording.read(tmp_path / "r"))


def test_a_last_line_that_is_no_text_is_named_after_the_pictures(tmp_path):
    _with_a_byte_that_is_no_text(tmp_path / "r", -1)

    first, *others = recording.read(tmp_path / "r")

    assert first.picture is not None
    assert others
    assert all(str(tmp_path / "r") in frame.fault for frame in others)
