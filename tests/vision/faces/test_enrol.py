"""A deck with faces of its own: enrolled from pictures, kept in a file, read by it."""

import json
import shutil

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from table_controller.commands.cli import app
from table_controller.rules.cards import PACK, Card
from table_controller.service.errors import ConfigError
from table_controller.wiring import config
from table_controller.wiring.shoe import eyes
from tests.vision.decks import clutter
from tests.vision.faces.drawn import At, picture, whole
from vision.faces import enrol, enrolled
from vision.faces.read import NET, CornerReader
from vision.faces.recognise import recognise

#: Letters narrower and far bolder than any that training drew.
UNUSUAL = {"weight": 22, "stretch": 0.5}
LOOKS = 3


def taken(at, seed):
    """A picture of a card of the unusual deck, more or less sharp."""
    image = picture(at, size=(360, 480), ground=(20, 25, 20), seed=seed, **UNUSUAL)
    return cv2.GaussianBlur(image, (0, 0), 1.0 + 0.2 * (seed % 3))


def laid(code, n):
    """Where the card lies at its n-th look."""
    return At(code, 230 + 7 * n, 180 - 5 * n, 150 + 6 * n, turned=4 * n - 10)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Three looks at each card, one in a folder of its code, and a picture of nothing."""
    path = tmp_path_factory.mktemp("pictures")
    for code in PACK:
        for n in range(LOOKS):
            cv2.imwrite(str(path / f"{code}-{n}.png"), taken(laid(code, n), n))
    (path / "As").mkdir()
    (path / "As-0.png").rename(path / "As" / "first.png")
    cv2.imwrite(str(path / "7h-9.png"), np.full((360, 480, 3), 20, np.uint8))
    (path / "8h-9.png").write_bytes(b"torn")
    return path


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture(scope="module")
def seen():
    """What the command saw in each picture, by the picture's name."""
    return {}


@pytest.fixture(scope="module")
def told(folder, seen, tmp_path_factory):
    """What the command says, and the file that it writes."""
    file = tmp_path_factory.mktemp("deck") / "unusual.deck"
    really = enrol.looks

    def looks(path, card, image, reader):
        seen[path.name] = list(really(path, card, image, reader))
        return seen[path.name]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(enrol, "looks", looks)
        done = run("enrol", "unusual", folder, "--out", file, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout), file


@pytest.fixture(scope="module")
def with_deck(told):
    return CornerReader(deck=enrolled.load(told[1], NET))


def test_an_unusual_deck_is_read_better_when_it_is_enrolled(told):
    """By looks kept aside, and none wrongly; a picture of nothing is named and left out."""
    said, _ = told

    assert said["before"]["right"] < said["after"]["right"]
    assert said["after"]["right"] > 52 * 2 * 0.8
    assert (said["after"]["wrong"], said["misread"], said["written"]) == (0, [], True)
    assert said["taught"] == 2 * 52 * 2  # two pictures of three, in colours and in grey
    assert sum(said["after"].values()) == 52 * 2
    assert [name[-8:] for name in said["left_out"]] == ["7h-9.png", "8h-9.png"]


def test_a_reader_with_the_deck_reads_other_pictures_of_it(with_deck, reader):
    """In places and a light of their own: at least as many, though a corner alone answers none."""
    right = {reader: 0, with_deck: 0}

    for code in PACK[::3]:
        at = At(code, 260, 170, 165, turned=190)
        image = taken(at, 7)
        for one in right:
            said = one.read(image, whole(at)).card
            right[one] += said == Card(code)
            assert said in {None, Card(code)}
    assert right[with_deck] > len(PACK[::3]) * 0.7  # no corner answers alone
    assert right[reader] <= right[with_deck]


def test_a_reader_with_a_deck_names_no_card_where_none_is(with_deck):
    """Cloth, wood, hands, print, codes, dice; and bare paper."""
    rng = np.random.default_rng(11)
    white = np.full((360, 480, 3), 240, np.uint8)
    for _ in range(12):
        found = recognise(clutter.anything(rng, (360, 480)), with_deck)
        assert [one.card for one in found if one.card is not None] == []
    assert with_deck.read(white, whole(At("As", 240, 180))).card is None


def test_the_file_holds_what_was_fitted(tmp_path):
    """What is loaded is what was saved."""
    heads = np.random.default_rng(1).normal(size=enrolled.SHAPE)
    enrolled.save(enrolled.Deck("red", enrolled.digest(NET), heads), tmp_path / "red.deck")

    deck = enrolled.load(tmp_path / "red.deck", NET)

    assert (deck.name, deck.net) == ("red", enrolled.digest(NET))
    assert np.array_equal(deck.heads, heads)


def _torn(path):
    path.write_bytes(path.read_bytes()[:-900])


def _spoilt(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def _written(**changes):
    def write(path):
        kept = {"version": enrolled.VERSION, "name": "red", "net": enrolled.digest(NET)}
        kept |= {"heads": np.zeros(enrolled.SHAPE), "letters": "A K Q J"}
        with path.open("wb") as file:
            np.savez(file, **(kept | changes))

    return write


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_torn, "torn"),
        (_spoilt, "torn"),
        (lambda path: path.write_text("[shoe]"), "no deck's file"),
        (lambda path: path.write_bytes(b""), "no deck's file"),
        (lambda path: np.save(path.open("wb"), np.zeros(enrolled.SHAPE)), "no deck's file"),
        (_written(heads=np.zeros((2, 2))), "no deck's file"),
        (_written(heads=np.full(enrolled.SHAPE, np.nan)), "no deck's file"),
        (_written(heads=np.array([{}])), "no deck's file"),
        (_written(net="another"), "enrol it again"),
        (_written(letters="A K"), "no deck's file"),
        (_written(version=1, net="of before", heads=np.zeros((19, 257))), "enrol it again"),
        (lambda path: path.unlink(), "Name a deck's file that exists"),
    ],
)
def test_a_file_that_is_no_deck_for_this_net_is_refused_with_a_remedy(tmp_path, spoil, said):
    """By the loader, hence by every command that reads one."""
    path = tmp_path / "red.deck"
    enrolled.save(enrolled.Deck("red", enrolled.digest(NET), np.zeros(enrolled.SHAPE)), path)
    spoil(path)

    with pytest.raises(enrolled.DeckError, match=said) as caught:
        enrolled.load(path, NET)
    assert str(path) in str(caught.value)


def test_a_spoilt_byte_is_refused_or_does_not_matter(tmp_path):
    """Whichever it is: no other error, and never another layer."""
    path, heads = tmp_path / "red.deck", np.ones(enrolled.SHAPE)
    enrolled.save(enrolled.Deck("red", enrolled.digest(NET), heads), path)
    whole_file, refused = path.read_bytes(), 0

    for at in [*range(0, 1400, 4), *range(len(whole_file) - 500, len(whole_file), 3)]:
        data = bytearray(whole_file)
        data[at] ^= 1 << at % 8
        path.write_bytes(data)
        try:
            assert np.array_equal(enrolled.load(path, NET).heads, heads)
        except enrolled.DeckError:
            refused += 1
    assert refused > 300


def test_cards_without_looks_are_named(folder, tmp_path):
    """All that lack, with how many are wanted; nothing is written."""
    for file in folder.glob("7h-*.png"):
        shutil.copy(file, tmp_path)

    done = run("enrol", "red", tmp_path, "--out", tmp_path / "red.deck")

    assert done.exit_code == 2
    assert "2 of each card" in done.stderr
    assert "6h 8h" in done.stderr
    assert "7h" not in done.stderr.split("of Ac")[1].split("take")[0]
    assert not (tmp_path / "red.deck").exists()


def test_a_file_that_is_named_by_no_card_is_named(tmp_path):
    """Before any picture is looked at."""
    cv2.imwrite(str(tmp_path / "7x-1.png"), np.zeros((9, 9, 3), np.uint8))

    done = run("enrol", "red", tmp_path)

    assert done.exit_code == 2
    assert "7x-1.png: '7x' is no card" in done.stderr


@pytest.mark.usefixtures("told")
def test_pictures_whose_names_are_exchanged_are_named(folder, seen, tmp_path, monkeypatch):
    """A kept look that is read as another card: no deck is written, and the end is 1."""
    swapped = {"7h-1.png": "2s-1.png", "2s-1.png": "7h-1.png"}

    def looks(path, card, *_):
        shown = seen.get(swapped.get(path.name, path.name), [])
        return [one._replace(file=path, card=card) for one in shown]

    monkeypatch.setattr(enrol, "looks", looks)
    done = run("enrol", "red", folder, "--out", tmp_path / "red.deck")

    assert done.exit_code == 1
    assert "7h-1.png" in done.stderr or "2s-1.png" in done.stderr
    assert "7h-0.png" not in done.stderr
    assert not (tmp_path / "red.deck").exists()


@pytest.mark.usefixtures("told")
def test_a_deck_that_is_read_worse_than_before_is_not_written(folder, seen, tmp_path, monkeypatch):
    """Though nothing is read wrongly."""
    monkeypatch.setattr(enrol, "looks", lambda path, *_: seen.get(path.name, []))
    monkeypatch.setattr(enrol, "fit", lambda heads, *_: heads * 0.5)

    done = run("enrol", "red", folder, "--out", tmp_path / "red.deck")

    assert (done.exit_code, "read worse" in done.stderr) == (1, True)
    assert not (tmp_path / "red.deck").exists()


def test_the_settings_name_the_deck(told, tmp_path):
    """`check-config` reads its file, the table's reader has it, and it is for faces only."""
    file = tmp_path / "table.toml"
    file.write_text(f'[shoe]\nreader = "camera"\nfaces = true\ndeck = "{told[1]}"\n')
    sound, missing = run("check-config", file), tmp_path / "none.deck"
    assert sound.exit_code == 0
    assert eyes.deck(config.load(file).shoe.deck).name == "unusual"

    file.write_text(f'[shoe]\nreader = "camera"\nfaces = true\ndeck = "{missing}"\n')
    with pytest.raises(ConfigError, match=r"none\.deck"):
        eyes.sight(config.load(file).shoe)
    assert isinstance(run("check-config", file).exception, ConfigError)
    file.write_text(f'[shoe]\nreader = "camera"\ndeck = "{missing}"\n')
    with pytest.raises(ConfigError, match=r"shoe\.faces = true"):
        config.load(file)


def test_pictures_are_read_with_a_deck_on_demand(tmp_path):
    """`recognise --deck`: one of which nothing was learnt reads nothing; a wrong file is told."""
    image, blank = tmp_path / "one.png", tmp_path / "blank.deck"
    cv2.imwrite(str(image), picture(At("Kd", 640, 480)))
    nothing = enrolled.Deck("blank", enrolled.digest(NET), np.zeros(enrolled.SHAPE))
    enrolled.save(nothing, blank)

    plain = run("recognise", image, "--json")
    unread = run("recognise", image, "--deck", blank, "--json")
    wrong = run("recognise", image, "--deck", image)

    assert [card["card"] for card in json.loads(plain.stdout)["cards"]] == ["Kd"]
    assert {card["card"] for card in json.loads(unread.stdout)["cards"]} <= {None}
    assert (wrong.exit_code, "no deck's file" in wrong.stderr) == (2, True)
