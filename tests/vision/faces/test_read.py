import cv2
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from table_controller.rules.cards import PACK, Card
from tests.vision.faces.drawn import JUMBO, At, picture, whole
from vision.faces.quads import Quad
from vision.faces.read import (
    AGREE,
    ALONE,
    CONSENT,
    DISSENT,
    PARTLY,
    WHISPER,
    Corner,
    CornerReader,
    Reason,
    in_turn,
    judge,
    together,
)

SOME = st.builds(Corner, st.sampled_from(PACK), st.floats(0, 1))


def _at(code, **more):
    return At(code, 640, 480, 260, **more)


@pytest.mark.parametrize("changes", [{}, JUMBO, {"four": True}], ids=["usual", "jumbo", "four"])
@pytest.mark.parametrize(
    "code", ["Ac", "2d", "3h", "4s", "5c", "6d", "7h", "8s", "9c", "Td", "Jh", "Qs", "Kc"]
)
def test_every_rank_and_suit_is_read(reader, code, changes):
    """Usual, jumbo and four-index decks, in a face of letters the net may have met."""
    at = _at(code)

    reading = reader.read(picture(at, **changes), whole(at))

    assert reading.card == Card(code)
    assert reading.votes >= 2


@pytest.mark.parametrize("turned", [0, 90, 180, 313])
def test_a_card_is_read_whichever_way_it_lies(reader, turned):
    """The six and the nine keep apart."""
    for code in ("6d", "9d"):
        at = _at(code, turned=turned)
        assert reader.read(picture(at), whole(at)).card == Card(code)


def test_a_card_that_tilt_makes_seem_to_lie_is_read(reader):
    """Seen from low down the long side looks the shorter one."""
    at = _at("6c")
    low = cv2.resize(picture(at), None, fx=1, fy=0.55, interpolation=cv2.INTER_AREA)

    reading = reader.read(low, Quad(whole(at).corners * np.array([1, 0.55], np.float32), 1.0))

    assert reading.card == Card.C6c


@pytest.mark.parametrize("code", ["3c", "5s", "7h", "Td"])
def test_the_whole_card_seconds_an_index_that_is_alone(reader, code):
    """The other one is covered; by one corner alone no card of a table is named."""
    at = _at(code)
    image = picture(at)
    first = np.round(whole(at).corners[0]).astype(int)
    cv2.circle(image, first.tolist(), 75, (200, 200, 200), -1)

    reading = reader.read(image, whole(at))

    assert (reading.card, reading.votes) == (Card(code), 2)


def test_a_grey_picture_is_read_too(reader):
    """The lip's camera may see no colours."""
    at = _at("7h")
    grey = cv2.cvtColor(picture(at), cv2.COLOR_BGR2GRAY)

    reading = reader.read(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), whole(at))

    assert reading.card == Card.C7h


def test_bare_paper_has_no_index(reader):
    """A card face down shows nothing to read."""
    white = np.full((960, 1280, 3), 240, np.uint8)

    reading = reader.read(white, whole(_at("As")))

    assert (reading.card, reading.reason) == (None, Reason.NO_INDEX)


def test_two_sure_corners_name_the_card():
    """Together they are surer than the less sure one, and not as sure as the other."""
    reading = judge([Corner(Card.As, 0.99), Corner(Card.As, 0.95), Corner(Card.Kd, 0.1)])

    assert (reading.card, reading.votes) == (Card.As, 2)
    assert 0.9 < reading.confidence < 0.98


def test_two_corners_that_are_not_sure_together_name_nothing():
    """Legible, but not beyond doubt."""
    reading = judge([Corner(Card.As, 0.92), Corner(Card.As, 0.92)])

    assert (reading.card, reading.reason) == (None, Reason.UNSURE)


class _Sure(CornerReader):
    """A reader that takes each corner for the ace of spades, this sure."""

    def __init__(self, sure):
        super().__init__()
        self._sure = sure

    def corners(self, crops):
        return [Corner(Card.As, self._sure) for _ in crops]

    def whole(self, *_):
        return []


@pytest.mark.parametrize(
    ("sure", "whole_says", "partly_says"),
    [
        ((AGREE + PARTLY) / 2, Card.As, None),
        (PARTLY + 0.01, Card.As, Card.As),
    ],
)
def test_a_card_of_which_one_side_is_seen_must_be_surer(sure, whole_says, partly_says):
    """Its outline does not prove that it is a card at all."""
    at = whole(_at("As"))
    partly = Quad(at.corners, 0.2, spot=tuple(at.corners[0].tolist()))
    blank = np.zeros((960, 1280, 3), np.uint8)

    assert _Sure(sure).read(blank, at).card == whole_says
    assert _Sure(sure).read(blank, partly).card == partly_says


def test_a_reading_never_shows_its_card():
    """It may be a closed card's, and a repr may get into a log."""
    corner = Corner(Card.As, 0.999)

    assert "As" not in repr((corner, judge([corner, corner])))


def test_two_corners_that_differ_name_nothing():
    """However sure one of them is."""
    reading = judge([Corner(Card.As, 1.0), Corner(Card.Ah, DISSENT)])

    assert (reading.card, reading.reason) == (None, Reason.DISAGREE)


@pytest.mark.parametrize(("sure", "card"), [(ALONE - 0.001, None), (ALONE, Card.Qc)])
def test_one_corner_alone_must_be_surer(sure, card):
    """Where the other corner is covered."""
    assert judge([Corner(Card.Qc, sure)]).card == card


@pytest.mark.parametrize(("other", "card"), [(WHISPER, None), (WHISPER - 0.01, Card.Qc)])
def test_one_corner_alone_is_not_believed_against_a_whisper(other, card):
    """An outline round two cards shows an index of each; one of them may be hard to read.

    Nor where another corner half shows a letter that the deck has not: an 8 may be half a B.
    """
    assert judge([Corner(Card.Qc, 1.0), Corner(Card.Kd, other)]).card == card
    strange = Corner(Card.Ks, 0.01, "B", other)
    assert judge([Corner(Card.C8s, 1.0), strange]).card == (card and Card.C8s)
    assert judge([Corner(Card.C8s, 1.0)] * 2 + [strange]).card == Card.C8s


@pytest.mark.parametrize("corners", [2, 3])
def test_two_corners_that_agree_are_believed_against_a_whisper(corners):
    """Two indices say more than what a third corner half shows."""
    said = [Corner(Card.Qc, 0.99), Corner(Card.Qc, 0.99), Corner(Card.Kd, DISSENT - 0.01)]

    assert judge(said[:corners]).card == Card.Qc


@pytest.mark.parametrize(
    ("says", "card"),
    [
        (Corner(Card.Qc, CONSENT), Card.Qc),
        (Corner(Card.Qc, CONSENT - 0.01), None),
        (Corner(Card.Kd, DISSENT - 0.01), None),
    ],
)
def test_what_the_whole_card_does_not_bear_out_is_not_named(says, card):
    """Two indices on blank paper, or on another card's, are no card."""
    assert judge([Corner(Card.Qc, 0.999)] * 2, says).card == card


def test_the_whole_card_answers_nothing_alone():
    """However sure: no index is in sight; it seconds one."""
    sure = Corner(Card.Qc, 1.0)

    assert judge([Corner(Card.Qc, DISSENT - 0.01)], sure).card is None
    assert judge([Corner(Card.Qc, DISSENT + 0.4)], sure).card == Card.Qc


def test_no_more_is_looked_at_than_settles_it():
    """One corner and the whole that agree; of two blank corners nothing but these."""
    asked = []

    def said(*corners):
        for corner in corners:
            asked.append("corner")
            yield corner

    def whole():
        asked.append("whole")
        return Corner(Card.Qc, 0.99)

    named, blank = Corner(Card.Qc, 0.99), Corner(Card.Qc, 0.01)
    assert in_turn(said(named, named), whole).card == Card.Qc
    assert in_turn(said(blank, blank, named), whole).card is None
    assert asked == ["corner", "whole", "corner", "corner"]
    assert in_turn(said(blank, named, named), whole).card == Card.Qc


@given(st.lists(SOME, max_size=4), st.none() | SOME)
def test_never_a_guess(corners, whole):
    """A card is named by two crops that agree or one corner beyond doubt, and none against it."""
    reading = judge(corners, whole)
    said = [*corners, *([] if whole is None else [whole])]

    assert (reading.card is None) == (reading.reason is not None)
    if reading.card is not None:
        assert any(corner.card == reading.card for corner in corners)
        assert whole is None or whole.card == reading.card
        named = [corner.sure for corner in said if corner.card == reading.card]
        against = [corner.sure for corner in said if corner.card != reading.card]
        alone = sum(sure >= DISSENT for sure in named) == 1
        assert max(against, default=0) < (WHISPER if alone else DISSENT)
        assert max(named) >= ALONE or together(*sorted(named)[-2:]) >= AGREE
