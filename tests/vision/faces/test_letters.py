"""Decks whose courts have other letters than A K Q J.

Each letter is read as itself, never a neighbour.
"""

import cv2
import numpy as np
import pytest

from table_controller.rules.cards import Card
from table_controller.service.errors import ConfigError
from table_controller.wiring.config import ShoeSettings
from table_controller.wiring.shoe import eyes
from tests.vision.faces.drawn import At, corners, picture, whole
from vision.faces import enrol, enrolled, letters
from vision.faces.letters import HOUSES, USUAL, parse
from vision.faces.passage import faces
from vision.faces.read import NET, CornerReader, Looked, Reason, corner, judge
from vision.faces.recognise import recognise

GERMAN, FRENCH, SWEDISH, HUNGARIAN, RUSSIAN = HOUSES


def logits(bears, suit="h", sure=9.0):
    """What the net would give for an index with this letter, figure or (None) nothing."""
    given = np.zeros(len(letters.GLYPHS) + 1 + 5)
    given[len(letters.GLYPHS) if bears is None else letters.GLYPHS.index(bears)] = sure
    given[len(letters.GLYPHS) + 1 + (4 if bears is None else "cdhs".index(suit))] = sure
    return given


@pytest.mark.parametrize(
    ("alphabet", "bears", "card"),
    [
        (USUAL, "A", "Ah"),
        (USUAL, "10", "Th"),
        (GERMAN, "B", "Jh"),
        (GERMAN, "D", "Qh"),
        (FRENCH, "1", "Ah"),
        (FRENCH, "R", "Kh"),
        (FRENCH, "V", "Jh"),
        (SWEDISH, "E", "Ah"),
        (SWEDISH, "Kn", "Jh"),
        (HUNGARIAN, "Á", "Ah"),
        (RUSSIAN, "T", "Ah"),  # not the ten, which bears 10
        (RUSSIAN, "K", "Kh"),
        (RUSSIAN, "Д", "Qh"),
        (RUSSIAN, "B", "Jh"),
        (RUSSIAN, "10", "Th"),
    ],
)
def test_a_letter_means_what_the_deck_says(alphabet, bears, card):
    """The same in two corners: the card is answered."""
    seen = [corner(logits(bears), alphabet)] * 2

    assert judge(seen).card == card


@pytest.mark.parametrize(
    ("alphabet", "bears"),
    [(USUAL, "B"), (USUAL, "Kn"), (USUAL, "1"), (GERMAN, "Q"), (FRENCH, "K"), (SWEDISH, "A")],
)
def test_a_letter_that_the_deck_has_not_is_no_card(alphabet, bears):
    """It is named for whoever sets up the deck; one corner that shows it stops another's answer."""
    strange = corner(logits(bears), alphabet)
    told = judge([strange, strange])

    assert (told.card, told.reason, told.letter) == (None, Reason.STRANGE, bears)
    assert judge([strange, corner(logits("7"), alphabet)]).card is None


@pytest.mark.parametrize(
    ("alphabet", "bears", "from_afar", "card"),
    [
        (HUNGARIAN, "Á", "A", "Ah"),  # the whole card shows no accent
        (HUNGARIAN, "Á", "Á", "Ah"),
        (USUAL, "A", "Á", "Ah"),
        (HUNGARIAN, "Á", "K", None),
        (HUNGARIAN, "A", "A", None),  # corners tell: it is another deck's
        (USUAL, "Á", "Á", None),
        (SWEDISH, "E", "A", None),
        (parse("Á A K B"), "Á", "A", None),  # its A is another card
    ],
)
def test_an_accent_is_seen_in_the_corners_and_not_from_afar(alphabet, bears, from_afar, card):
    """To the whole card A and Á are the letter that the deck has; corners must bear it."""
    looked = Looked([logits(bears)] * 2, [logits(from_afar)])

    assert looked.read(alphabet).card == card


@pytest.mark.parametrize("suit", "cdhs")
def test_an_ace_with_an_accent_is_read_as_a_card_in_the_lip_shows_it(suit):
    """2.7 px/mm and grey, where the whole of it shows hardly more than an A."""
    at = At("A" + suit, 320, 240, 170)
    seen = picture(at, size=(480, 640), ground=(20, 20, 20), letters=HUNGARIAN.letters, rank_h=7.0)
    grey = cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY)
    (told,) = faces(CornerReader(alphabet=HUNGARIAN), [corners(at)])(grey)

    assert told.card == "A" + suit


def test_no_index_is_no_letter():
    """A corner without an index says nothing of the deck."""
    assert judge([corner(logits(None), GERMAN)] * 2).letter is None


def test_a_letter_is_never_told_with_a_reading():
    """A court of a live card would be named: neither in its text, nor by the passage's witness."""
    told = judge([corner(logits("B"))] * 2)

    assert "B" not in repr(told).replace("NO_INDEX", "")
    assert "B" not in repr(corner(logits("B")))


@pytest.mark.parametrize(("text", "rank", "glyph"), [("Т К Д В", "A", "T"), ("Т К Д В", "J", "B")])
def test_cyrillic_letters_are_what_they_look_like(text, rank, glyph):
    """В and B are one class of the net."""
    assert parse(text).glyph(rank) == glyph
    assert str(parse(text)) == text


@pytest.mark.parametrize("text", ["", "A K Q", "A K Q J B", "A K K J", "A K К J", "8 K Q J"])
def test_an_alphabet_is_four_letters(text):
    """Different ones, Cyrillic К and K being the same, and no figures."""
    with pytest.raises(ValueError, match="want four different ones"):
        parse(text)


def test_a_letter_that_no_class_knows_is_unread_until_it_is_enrolled():
    """A deck of one's own learns it in a class that none of its letters takes."""
    dutch = parse("A H V B")

    assert dutch.glyph("K") is None
    assert "K" not in dutch.ranks.values()
    assert dutch.enrolled().letters == ("A", "K", "V", "B")
    assert parse("K H V B").enrolled().letters == ("K", "A", "V", "B")


def test_a_deck_of_ones_own_learns_by_its_letters():
    """A jack that bears B is taught as B; the shipped letters' class is left alone."""
    rows = np.eye(enrolled.SHAPE[1])[:3]
    taught = [
        enrolled.Taught(Card(code), row[None], [True])
        for code, row in zip(("Jh", "Qh", "8h"), rows, strict=True)
    ]

    heads = enrolled.fit(np.zeros(enrolled.SHAPE), taught, GERMAN)

    best = [letters.GLYPHS[(heads @ row)[: len(letters.GLYPHS)].argmax()] for row in rows]
    assert best == ["B", "D", "8"]
    assert [corner(heads @ row, GERMAN).card for row in rows] == ["Jh", "Qh", "8h"]


@pytest.mark.parametrize(
    ("said", "bears", "told"),
    [
        ("A K Q J", {"A": "A", "K": "K", "Q": "D", "J": "B"}, "A K D B"),
        ("A K D B", {"A": "A", "K": "K", "Q": "D", "J": "B"}, None),
        ("Т К Д В", {"A": "T", "K": "K", "Q": "Д", "J": "B"}, None),
        ("A H V B", {"A": "A", "K": "K", "Q": "V", "J": "B"}, None),  # no class knows its H
    ],
)
def test_letters_that_the_pictures_do_not_bear_are_told(said, bears, told):
    """Enrolling under the wrong letters."""
    deck = enrolled.Deck("red", "", np.zeros(enrolled.SHAPE), parse(said))
    score = enrol.Score(1, 0, 0)
    done = enrol.Enrolment(deck, 1, score, score, [], bears)

    assert (done.strange and str(done.strange)) == told


@pytest.mark.parametrize(("card", "bears"), [("Jc", "B"), ("Qh", "D"), ("Kh", "K"), ("8d", "8")])
def test_a_german_deck_is_read_by_its_letters_and_told_under_others(card, bears):
    """In a whole picture: `recognise` names the letter, the passage's witness tells nothing."""
    at = At(card, 320, 240, 210)
    seen = picture(at, size=(480, 640), ground=(20, 20, 20), letters=GERMAN.letters)
    own, usual = CornerReader(alphabet=GERMAN), CornerReader()
    grey = cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY)

    assert [one.card for one in recognise(seen, own)] == [card]
    (told,) = recognise(seen, usual)
    assert (told.card, told.letter) == ((None, bears) if bears in "BD" else (card, None))
    live = [*faces(usual)(grey), *faces(usual, [corners(at)])(grey)]
    assert len(live) == (0 if bears in "BD" else 2)
    assert whole(at).fit == 1.0


def test_what_is_set_wrongly_is_named(tmp_path):
    """With what is wanted; and a deck that was enrolled with other letters."""
    with pytest.raises(ConfigError, match=r"\[shoe\] letters: 'A K' are not the letters"):
        eyes.sight(ShoeSettings(faces=True, letters="A K"))
    file = tmp_path / "red.deck"
    heads = np.zeros(enrolled.SHAPE)
    enrolled.save(enrolled.Deck("red", enrolled.digest(NET), heads, GERMAN), file)
    assert enrolled.load(file, NET).alphabet == GERMAN
    with pytest.raises(ConfigError, match="'red' was enrolled with A K D B"):
        eyes.sight(ShoeSettings(faces=True, deck=file))


def test_the_technician_is_told_a_letter_that_the_deck_has_not():
    """Of the card that lies calibrated in the gate, with no game on."""
    at = At("Jc", 320, 240, 210)
    seen = picture(at, size=(480, 640), ground=(20, 20, 20), letters=GERMAN.letters)
    grey = cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY)
    marked = tuple((float(x), float(y)) for x, y in corners(at))
    settings = ShoeSettings(faces=True, corners=marked)

    assert eyes.strange_letter(settings, grey) == "B"
    assert (
        eyes.strange_letter(ShoeSettings(faces=True, corners=marked, letters="A K D B"), grey)
        is None
    )
