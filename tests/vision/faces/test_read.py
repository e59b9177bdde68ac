import cv2
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from table_controller.rules.cards import PACK, Card
from tests.vision.faces.drawn import JUMBO, At, picture, whole
from vision.faces.read import AGREE, ALONE, DISSENT, Corner, Reason, judge

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
    """As sure as the less sure of them."""
    reading = judge([Corner(Card.As, 0.999), Corner(Card.As, AGREE), Corner(Card.Kd, 0.1)])

    assert (reading.card, reading.confidence, reading.votes) == (Card.As, AGREE, 2)


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


@given(st.lists(SOME, max_size=4))
def test_never_a_guess(said):
    """A card is named by two corners that agree or one beyond doubt, and none against it."""
    reading = judge(said)

    assert (reading.card is None) == (reading.reason is not None)
    if reading.card is not None:
        named = [corner.sure for corner in said if corner.card == reading.card]
        against = [corner.sure for corner in said if corner.card != reading.card]
        assert max(against, default=0) < DISSENT
        assert max(named) >= ALONE or sorted(named)[-2] >= AGREE
