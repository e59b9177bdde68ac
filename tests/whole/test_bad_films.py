"""A film that is torn, cut or none at all. The rest of it is dealt, or a sentence says why not."""

from __future__ import annotations

import base64
import json

import cv2
import numpy as np
import pytest

from tests.limits import LONG_S
from tests.whole.commands import schlitten

#: Whole evenings, programs and films: minutes, on a machine that is busy.
pytestmark = pytest.mark.timeout(LONG_S)

ANY_PORTS = ("--page-port", 0, "--broker-port", 0)


def _frames(film):
    return film.read_bytes().splitlines()


def _cut_picture(line: bytes) -> bytes:
    """The frame with half its picture, as a camera or a disk may leave it."""
    frame = json.loads(line)
    frame["picture"] = base64.b64encode(base64.b64decode(frame["picture"])[:2000]).decode()
    return json.dumps(frame).encode()


def test_a_film_with_damaged_frames_is_dealt_from_the_others(film, tmp_path):
    """A cut picture, a broken line, a lost end: each is named; the cards are the same."""
    lines = _frames(film)
    lines[40], lines[100] = _cut_picture(lines[40]), lines[100][:50]
    bad = tmp_path / "bad.film"
    bad.write_bytes(b"\n".join(lines[:-1]) + b"\n")
    words = ("demo", "--once", "--speed", "max", "--json", *ANY_PORTS, "--film")
    good, got = schlitten(*words, film), schlitten(*words, bad)
    cards = [
        [line["event"]["card"] for line in said.lines if line.get("event", {}).get("card")]
        for said in (good, got)
    ]

    assert (good.code, got.code) == (0, 0)
    assert cards[0] == cards[1] != []
    assert f"{bad} line 41 (frame 40): its picture is cut or changed" in got.errors
    assert f"{bad} line 101 (frame 100) is broken" in got.errors
    assert "without its closing line" in got.errors
    assert good.errors.count("\n") == 6  # where to look, and nothing else


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "cannot read the recording"),
        (b"", "is empty"),
        (b'{"schlitten":"recording"}\n', "does not begin with a recording's header"),
        (b"\x89PNG\r\n", "does not begin with a recording's header"),
    ],
    ids=["missing", "empty", "of the other kind", "a picture"],
)
def test_what_is_no_film_is_refused_before_anything_starts(tmp_path, content, said):
    film = tmp_path / "some.film"
    if content is not None:
        film.write_bytes(content)
    got = schlitten("demo", "--once", *ANY_PORTS, "--film", film)

    assert got.code == 2
    assert str(film) in got.sentence
    assert said in got.sentence
    assert "The table is served" not in got.out


def test_a_truncated_picture_is_named(tmp_path):
    """`recognise` goes on with the next picture, and ends with 1."""
    whole, cut = tmp_path / "whole.png", tmp_path / "cut.png"
    cv2.imwrite(str(whole), np.random.default_rng(1).integers(0, 255, (200, 200), np.uint8))
    cut.write_bytes(whole.read_bytes()[:5000])
    got = schlitten("recognise", cut, whole, "--json")

    assert got.code == 1
    assert "Traceback" not in got.errors
    assert [line["file"] for line in got.lines] == [str(cut), str(whole)]
    assert got.lines[0]["error"] == f"{cut}: the picture is cut short. Copy the file again."
    assert got.lines[1]["cards"] == []
