import json
import random
from typing import Any

import cv2
import numpy as np
import pytest

from table_controller.rules.cards import Card
from tests.vision.faces.drawn import At, box, iou, picture
from vision.faces.recognise import BadPicture, exit_code, lines, load, recognise

LAID = [At("5h", 240, 250, 180, 12), At("Kc", 640, 300, 180, -35), At("9s", 1000, 600, 180, 80)]


@pytest.fixture
def photo(tmp_path):
    """A whole JPEG of three cards."""
    path = tmp_path / "three.jpg"
    cv2.imwrite(str(path), picture(*LAID))
    return path


def test_all_cards_of_a_picture_are_named_in_their_places(reader):
    """Several and tilted."""
    seen = recognise(picture(*LAID), reader)

    assert {one.card for one in seen} == {Card(at.code) for at in LAID}
    for at in LAID:
        (one,) = [one for one in seen if one.card == at.code]
        assert iou(one.box, box(at)) > 0.8


def test_a_card_half_under_another_is_named_by_its_index(reader):
    """One card once, though two outlines may fit it."""
    under, over = At("8d", 560, 480, 220, 0), At("Js", 690, 560, 220, 8)

    seen = recognise(picture(under, over), reader)

    assert sorted(one.card for one in seen if one.card) == ["8d", "Js"]


def test_nothing_is_named_where_no_card_is(reader):
    """Blank and grainy pictures."""
    rng = np.random.default_rng(1)
    blank = np.full((480, 640, 3), 200, np.uint8)
    grain = rng.integers(0, 256, (480, 640, 3)).astype(np.uint8)

    assert [
        one.card for image in (blank, grain) for one in recognise(image, reader) if one.card
    ] == []


def test_a_line_keeps_the_contract(reader, photo):
    """Names and kinds of what `recognise --json` prints."""
    (line,) = lines([photo], reader)

    assert json.loads(json.dumps(line)) == line
    assert list(line) == ["file", "ms", "cards"]
    found: Any = line["cards"]
    for card in found:
        assert list(card) == ["card", "reason", "confidence", "box", "letter"]
        assert (card["card"] is None) == (card["reason"] is not None)
        assert 0 <= card["confidence"] <= 1
        x0, y0, x1, y1 = card["box"]
        assert 0 <= x0 < x1 <= 1280
        assert 0 <= y0 < y1 <= 960


def test_a_folder_stands_for_its_pictures_and_a_bad_file_stops_none(reader, photo):
    """The others go on; the exit code is 1."""
    (photo.parent / "bad.png").write_text("no picture")
    (photo.parent / "notes.txt").write_text("not asked for")

    told = list(lines([photo.parent, photo.parent / "gone.jpg"], reader))

    assert [("error" in line) for line in told] == [True, False, True]
    assert exit_code(told) == 1
    assert exit_code(told[1:2]) == 0


@pytest.mark.parametrize("suffix", [".jpg", ".png"])
def test_what_follows_a_picture_in_its_file_does_not_cut_it_short(tmp_path, suffix):
    """Phones put a film behind a photo; and a small picture may stand within a large one."""
    data = cv2.imencode(suffix, picture(LAID[0], size=(400, 500)))[1].tobytes()
    luck = random.Random(1)
    path = tmp_path / f"moving{suffix}"
    for _ in range(20):
        path.write_bytes(data + b"\0\0\0\x18ftypmp42" + luck.randbytes(100_000))
        assert load(path).shape == (400, 500, 3)
        path.write_bytes(data[:-200])
        with pytest.raises(BadPicture, match="cut short"):
            load(path)


def test_the_end_of_the_small_picture_within_a_photo_is_not_the_photos(tmp_path):
    whole = cv2.imencode(".jpg", picture(LAID[0], size=(400, 500)))[1].tobytes()
    small = cv2.imencode(".jpg", picture(LAID[0], size=(40, 50)))[1].tobytes()
    within = b"\xff\xe1" + (len(small) + 2).to_bytes(2, "big") + small
    path = tmp_path / "photo.jpg"
    path.write_bytes((whole[:2] + within + whole[2:])[:-500])

    with pytest.raises(BadPicture, match="cut short"):
        load(path)


@pytest.mark.parametrize("suffix", [".jpg", ".png"])
@pytest.mark.parametrize("share", [0.3, 0.97])
def test_a_picture_that_is_cut_short_is_refused(tmp_path, suffix, share):
    """A decoder would fill the rest with grey, or what it likes."""
    data = cv2.imencode(suffix, picture(LAID[0], size=(400, 500)))[1].tobytes()
    path = tmp_path / f"cut{suffix}"
    path.write_bytes(data[: int(len(data) * share)])

    with pytest.raises(BadPicture, match=r"cut.*cut short.*again"):
        load(path)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "empty"),
        (b"hello", "not a picture"),
        (b"\xff\xd8\xff\xd9", "not a picture"),
        (None, "path"),
    ],
)
def test_what_is_no_picture_is_named_with_a_remedy(tmp_path, data, says):
    """Also a file that is not there."""
    path = tmp_path / "some.jpg"
    if data is not None:
        path.write_bytes(data)

    with pytest.raises(BadPicture, match=rf"some\.jpg.*{says}"):
        load(path)


def test_a_picture_with_bytes_after_its_end_is_read(tmp_path, photo):
    """Telephones append things of their own."""
    path = tmp_path / "long.jpg"
    path.write_bytes(photo.read_bytes() + b"more\x00\x01")

    assert load(path).shape == (960, 1280, 3)
