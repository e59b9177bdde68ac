"""One card that seems to pass twice, because its label or its face comes again so soon."""

import pytest

from table_controller.engine.seen import Unknown
from table_controller.rules.cards import Card
from tests.vision.passing import CLEAR, code, verdicts
from vision.gate import View
from vision.passage import Passages
from vision.witness import Reading, Witness

PERIOD = 1000 / 120
COMES = View(False, 320, 320, behind_px=60)
ENTERS = View(True, 0, 360, tail_cut=True)
WHOLE = View(True, 72, 576)
PASSES = View(True, 200, 640, lead_cut=True)
GOES = View(False, 320, 320, ahead_px=200)


class Film:
    """Views at 120 a second, the same read in each that has paper in the gate."""

    def __init__(self, passages):
        self.passages, self.t_ms = passages, 0.0
        self.show(CLEAR, 8)

    def show(self, view, count=1, reading=None):
        for _ in range(count):
            self.passages.view(self.t_ms, view)
            self.passages.read(self.t_ms, [reading] if reading and view.blocked else [])
            self.t_ms += PERIOD

    def card(self, reading, *, comes=True):
        self.show(COMES if comes else CLEAR)
        if comes:
            self.show(ENTERS, 2, reading)
        self.show(WHOLE, 1, reading)
        self.show(PASSES, 3, reading)
        self.show(GOES)


def face(card):
    return Reading(Witness.FACE, card=Card(card))


@pytest.mark.parametrize(("clear", "cards"), [(3, 1), (30, 1), (42, 2)])
def test_one_label_within_300_ms_that_nobody_saw_come_is_one_card(shoe, clear, cards):
    """It came to light again; later it is a second card, for the table to judge."""
    film = Film(Passages(shoe.lookup))
    film.card(code(shoe.cards[0]))
    film.show(CLEAR, clear)
    film.card(code(shoe.cards[0]), comes=False)

    assert [seen.card for seen in verdicts(film.passages)] == [shoe.cards[0].card] * cards


def test_one_label_that_was_seen_to_come_twice_is_two_cards(shoe):
    """A copy of it, close behind: the table knows that there is one such card."""
    film = Film(Passages(shoe.lookup))
    film.card(code(shoe.cards[0]))
    film.show(CLEAR, 3)
    film.card(code(shoe.cards[0]))

    assert [seen.card for seen in verdicts(film.passages)] == [shoe.cards[0].card] * 2


def test_another_label_so_soon_is_its_own_card(shoe):
    """Whether it was seen to come or not."""
    film = Film(Passages(shoe.lookup))
    film.card(code(shoe.cards[0]))
    film.show(CLEAR, 3)
    film.card(code(shoe.cards[1]), comes=False)

    assert [seen.card for seen in verdicts(film.passages)] == [one.card for one in shoe.cards[:2]]


@pytest.mark.parametrize(
    ("comes", "clear", "card", "unknown"),
    [
        (False, 3, "7h", Unknown.UNSURE),
        (False, 30, "7h", Unknown.UNSURE),
        (False, 42, "7h", None),
        (False, 3, "7d", None),
        (True, 3, "7h", None),  # two sevens of hearts may follow each other
    ],
)
def test_one_face_again_so_soon_is_unsure_where_nobody_saw_it_come(comes, clear, card, unknown):
    """It may be the card that passed, or another of the same face."""
    film = Film(Passages(None))
    film.card(face("7h"))
    film.show(CLEAR, clear)
    film.card(face(card), comes=comes)

    assert [seen.unknown for seen in verdicts(film.passages)] == [None, unknown]


def test_a_card_that_a_hand_shows_again_is_told_however_soon(shoe):
    """The table asked for it."""
    film = Film(Passages(shoe.lookup))
    film.card(code(shoe.cards[0]))
    film.passages.again = True
    film.card(code(shoe.cards[0]), comes=False)

    assert len(verdicts(film.passages)) == 2
