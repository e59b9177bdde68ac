"""A deck with faces of its own: enrolled from pictures, kept in a file, read by it."""

import json

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from table_controller import config, eyes
from table_controller.cli import app
from table_controller.rules.cards import PACK, Card
from tests.vision.faces.drawn import At, picture, whole
from vision.faces import enrol, enrolled
from vision.faces.read import NET, CornerReader
from vision.faces.training import glyphs, proof

#: Letters that training never saw, thin and wide, in one grey ink: the net alone reads few of them.
UNUSUAL = {}
AT = At("As", 240, 180, 190)


def taken(code, n):
    """The n-th picture of a card of the unusual deck."""
    at = At(code, 230 + 7 * n, 180 - 5 * n, 150 + 6 * n, turned=4 * n - 10)
    image = picture(at, size=(360, 480), ground=(20, 25, 20), seed=n, **UNUSUAL)
    return cv2.GaussianBlur(image, (0, 0), 1.0 + 0.3 * (n % 3))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Four looks at each card, one of which shows none."""
    path = tmp_path_factory.mktemp("pictures")
    for code in PACK:
        for n in range(4):
            cv2.imwrite(str(path / f"{code}-{n}.png"), taken(code, n))
    cv2.imwrite(str(path / "7h-9.png"), np.full((360, 480, 3), 20, np.uint8))
    return path


@pytest.fixture(scope="module")
def told(folder, tmp_path_factory):
    """What the command says, and the file that it writes."""
    file = tmp_path_factory.mktemp("deck") / "unusual.deck"
    done = CliRunner().invoke(app, ["enrol", "unusual", str(folder), "--out", str(file), "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout), file


def test_an_unusual_deck_is_read_better_when_it_is_enrolled(told):
    """By looks kept aside, and none wrongly."""
    said, _ = told

    print(said)
    assert said["before"]["right"] < said["after"]["right"]
    assert (said["after"]["wrong"], said["misread"], said["written"]) == (0, [], True)
    assert said["taught"] == sum(said["after"].values()) == 104
    assert [name[-8:] for name in said["left_out"]] == ["7h-9.png"]


def test_a_reader_with_the_deck_reads_its_cards(told, reader):
    """From the file, in new pictures."""
    enrolled_reader = CornerReader(deck=enrolled.load(told[1], NET))
    right = dict.fromkeys((reader, enrolled_reader), 0)

    for code in PACK[::3]:
        at = At(code, 260, 170, 165, turned=7)
        image = picture(at, size=(360, 480), ground=(20, 25, 20), seed=7, **UNUSUAL)
        for one in right:
            said = one.read(image, whole(at)).card
            right[one] += said == Card(code)
            assert said in {None, Card(code)}
    print(right.values())
    assert right[enrolled_reader] > right[reader]
