"""`schlitten replay` of a film, a video and a folder of pictures: the reader's readings of them."""

import cv2
import pytest

from table_controller.commands import demo
from table_controller.commands.hil import films
from table_controller.service.errors import ConfigError
from table_controller.wiring import config
from tests.whole.commands import schlitten
from vision import generator, manifest, recording

ZOPPOT = config.house("zoppot-1934")


@pytest.fixture(scope="module")
def filmed(tmp_path_factory):
    """Three cards passing a lip, as our film, as a folder and as a video; settings; the cards."""
    folder = tmp_path_factory.mktemp("films")
    cards = demo.labelled(ZOPPOT)
    manifest.save(cards, folder / "demo.manifest")
    settings = folder / "table.toml"
    settings.write_text(
        f'[shoe]\nreader = "recording"\ncamera = "any"\nheight = 192\nfps = 120.0\n'
        f'manifests = ["{folder}/demo.manifest"]\n'
    )
    order = generator.mixed(cards, 5)[:3]
    frames = list(generator.film(generator.plan(order, 5)))
    recording.write(folder / "lip.film", frames)
    (folder / "lip").mkdir()
    high, wide = frames[0].picture.shape
    video = cv2.VideoWriter(
        str(folder / "lip.mp4"), cv2.VideoWriter.fourcc(*"mp4v"), 120.0, (wide, high)
    )
    for number, frame in enumerate(frames):
        cv2.imwrite(str(folder / "lip" / f"{number:04}.png"), frame.picture)
        video.write(cv2.cvtColor(frame.picture, cv2.COLOR_GRAY2BGR))
    video.release()
    return folder, config.load(settings), [str(entry.card) for entry in order]


@pytest.mark.parametrize("name", ["lip.film", "lip", "lip.mp4"])
def test_the_cards_in_a_film_are_those_that_are_listed(filmed, name):
    """Our film, a folder of pictures and an mp4."""
    folder, settings, order = filmed
    listed = folder / "cards.txt"
    listed.write_text(", ".join(order) + "  # as dealt\n")

    played = films.play(folder / name, settings, listed)

    assert played.holds, str(played)
    assert played.cards == order


def test_another_card_another_count_and_no_list_are_no_verdict(filmed):
    """Each is said, with its place in the film; a word that is no card, with its line."""
    folder, settings, order = filmed
    other, more, torn = (folder / name for name in ("other.txt", "more.txt", "torn.txt"))
    wrong = next(card for card in ("7h", "2c") if card != order[0])
    other.write_text(f"{wrong}\n")
    more.write_text("\n".join([*order, "white"]))
    torn.write_text("7h\nsieben\n")
    film = folder / "lip.film"

    bare = films.play(film, settings, None)
    differs = films.play(film, settings, other)
    fewer = films.play(film, settings, more)

    assert not bare.holds
    assert "Nothing was compared" in str(bare)
    assert differs.difference == f"Passage 1 is read as {order[0]}, but the list has {wrong}."
    assert fewer.difference == "3 passages were seen, but the list has 4."
    with pytest.raises(ConfigError, match=r"torn\.txt, line 2: not a card code: 'sieben'"):
        films.play(film, settings, torn)


def test_what_cannot_be_played_is_named_and_never_shown(tmp_path):
    """A journal, a key: it says what it is, or nothing of what is in it."""
    key, journal = tmp_path / "table.key", tmp_path / "table.db"
    key.write_text("ab" * 32 + "\n")
    journal.write_bytes(b"SQLite format 3\0" + bytes(100))

    of_key, of_journal = schlitten("replay", key), schlitten("replay", journal)

    assert (of_key.code, of_journal.code) == (2, 2)
    assert "neither a recording, a scenario, a tape nor a film" in of_key.sentence
    assert "abab" not in of_key.sentence
    assert "is a journal: `schlitten incident`" in of_journal.sentence
