import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_controller.rules.cards import PACK, hand
from table_controller.rules.points import PIPS, is_natural, points
from tests import oracle

HANDS = st.lists(st.sampled_from(PACK), max_size=3).map(tuple)


@pytest.mark.parametrize(
    ("cards", "worth"),
    [
        ("", 0),
        ("As", 1),
        ("2c", 2),
        ("3d", 3),
        ("4h", 4),
        ("5s", 5),
        ("6c", 6),
        ("7d", 7),
        ("8h", 8),
        ("9s", 9),
        ("Tc", 0),
        ("Jd", 0),
        ("Qh", 0),
        ("Ks", 0),
        ("5c 7d", 2),
        ("4c 9d", 3),
        ("5c 6d", 1),
        ("8c 8d", 6),
        ("8c 2d", 0),
        ("5c 5d", 0),
        ("3c 7d", 0),
        ("9c 9d 9h", 7),
        ("Kc Qd", 0),
        ("As 8c", 9),
    ],
)
def test_points(cards, worth):
    """ZX-1: every card's worth, and the sums that the print gives."""
    assert points(hand(cards)) == worth


@pytest.mark.parametrize("card", PACK)
def test_a_card_by_itself_is_worth_zero_to_nine(card):
    """ZX-1, ZX-2: the tableau's columns; a ten or a court card given is a zero."""
    assert PIPS[card] == points((card,)) == oracle.PIPS[card.value[0]]


@given(HANDS)
def test_points_as_a_second_reader_counts_them(cards):
    """ZX-1: any hand."""
    assert points(cards) == oracle.points(cards)


@pytest.mark.parametrize(
    ("cards", "natural"),
    [
        ("8c Kd", True),
        ("9c Kd", True),
        ("4c 5d", True),
        ("9s 9d", True),
        ("7c Kd", False),
        ("5c 5d", False),
        ("8c", False),
        ("2c 3d 4h", False),
    ],
)
def test_a_schlag_is_eight_or_nine_with_two_cards(cards, natural):
    """ZP-7: neither with one card nor with three."""
    assert is_natural(hand(cards)) is natural
