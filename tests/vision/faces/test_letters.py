"""Decks whose courts bear other letters than the net knows: unread, never a neighbour."""

import cv2
import pytest

from table_controller.rules.cards import Rank
from table_controller.service.errors import ConfigError
from table_controller.wiring import eyes
from table_controller.wiring.config import ShoeSettings
from tests.vision.faces.drawn import At, corners, picture
from vision.faces import letters
from vision.faces.passage import faces

LETTERED = {Rank(1), Rank(11), Rank(12), Rank(13)}


@pytest.mark.parametrize(
    ("text", "enrolled", "unread"),
    [
        ("A K Q J", False, set()),
        ("A K D B", False, LETTERED | {Rank(8)}),  # its B is read as a K or an 8, so no K is sure
        ("1 R D V", False, LETTERED | {Rank(10)}),
        ("Á K D B", False, LETTERED | {Rank(8)}),
        ("E K D Kn", False, LETTERED),
        ("Т К Д В", False, LETTERED | {Rank(8)}),
        ("A K D B", True, set()),
        ("A Q K J", False, LETTERED),
    ],
)
def test_a_deck_with_strange_letters_has_its_lettered_cards_unread(text, enrolled, unread):
    """All four: whichever is strange is read as one of the others. Enrolled, the net knows them."""
    assert letters.unread(letters.parse(text), enrolled=enrolled) == unread


@pytest.mark.parametrize("text", ["", "A K Q", "A K Q J B", "A K K J"])
def test_an_alphabet_is_four_letters(text):
    """Different ones."""
    with pytest.raises(ValueError, match="want four different ones"):
        letters.parse(text)


def test_a_court_is_no_reading_and_a_pip_card_is_one(reader):
    """In its calibrated place, and sought in the whole picture."""
    for card, read in (("Jc", 0), ("Kh", 0), ("7h", 1)):
        at = At(card, 320, 240, 210)
        coloured = picture(at, size=(480, 640), ground=(20, 20, 20))
        seen = cv2.cvtColor(coloured, cv2.COLOR_BGR2GRAY)

        assert len(list(faces(reader, unread=LETTERED)(seen))) == read
        assert len(list(faces(reader, [corners(at)], unread=LETTERED)(seen))) == read
        assert len(list(faces(reader, [corners(at)])(seen))) == 1


def test_what_is_set_wrongly_is_named():
    """With what is wanted."""
    with pytest.raises(ConfigError, match=r"\[shoe\] letters: 'A K' are not the letters"):
        eyes.sight(ShoeSettings(faces=True, letters="A K"))
