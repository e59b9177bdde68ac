"""Tricks of écarté, recited from the books (E07-12, E07-30, E07-44, EDE-26)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_controller.rules.cards import PACK_32, SUITS, Card, Suit, hand
from table_controller.rules.ecarte.tricks import (
    drawn_height,
    height,
    is_renonce,
    legal,
    proven,
    takes,
)

HANDS = st.lists(st.sampled_from(PACK_32), min_size=1, max_size=5, unique=True)


def test_order_of_the_cards():
    """E07-12, E00-12, EDE-2: king, queen, knave, ace, ten, nine, eight, seven."""
    falling = sorted(hand("7h 8h 9h Th Jh Qh Kh Ah"), key=height, reverse=True)

    assert falling == list(hand("Kh Qh Jh Ah Th 9h 8h 7h"))


def test_ace_is_lowest_in_drawing():
    """E07-9, E00-9: in drawing the ace counts as the lowest card."""
    rising = sorted(hand("7h 8h 9h Th Jh Qh Kh Ah"), key=drawn_height)

    assert rising == list(hand("Ah 7h 8h 9h Th Jh Qh Kh"))


@pytest.mark.parametrize(
    ("reply", "led", "wins"),
    [
        ("Kh", "Qh", True),
        ("Ah", "Jh", False),
        ("Ah", "Th", True),
        ("7s", "Kh", True),
        ("Kd", "7h", False),
        ("8s", "7s", True),
        ("Qh", "Qh", False),
    ],
)
def test_who_takes_the_trick(reply, led, wins):
    """E07-12, E07-30, E00-30, EDE-15: trumps (spades) beat the rest; ER-18: twins."""
    assert takes(Card(reply), Card(led), Suit.SPADES) is wins


@pytest.mark.parametrize(
    ("held", "led", "may"),
    [
        ("Jh 9h Kc 7s Jd", "Qh", "Jh 9h"),
        ("Qh Jh Ks Qd Ac", "Jd", "Qd"),
        ("Qs Ts 9s", "Js", "Qs"),
        ("Jh Kc Jd", "As", "Jh"),
        ("Kc Jd", "As", "Kc Jd"),
        ("Qh Jh 7c", "Th", "Qh Jh"),
    ],
)
def test_legal_cards(held, led, may):
    """E07-44, E00-44, EDE-14: follow and take, else follow, else trump (hearts), else any."""
    assert legal(hand(held), Card(led), Suit.HEARTS) == hand(may)


@given(HANDS, st.sampled_from(PACK_32), st.sampled_from(list(Suit)))
def test_something_is_always_legal(held, led, trump):
    """E07-44: a duty never leaves a player without a card."""
    may = legal(held, led, trump)

    assert may
    assert set(may) <= set(held)


@pytest.mark.parametrize(
    ("reply", "held", "renonce"),
    [
        ("Td", "Th Td", True),  # does not follow
        ("9h", "9h Th", False),  # follows and does not beat: the croupier rules
        ("Qc", "Qc 9s", True),  # could trump
        ("9s", "9s 7h", True),  # trumps, and has the suit
        ("Qc", "Qc 9c", False),
        ("9s", "9s Qc", False),
    ],
)
def test_renonce_at_ede(reply, held, renonce):
    """EDE-26a, EDE-26b, EDE-26c, ER-1; hearts are led, spades are trumps."""
    assert is_renonce(Card(reply), hand(held), Card("8h"), Suit.SPADES) is renonce


def test_later_cards_prove_a_breach():
    """E07-44: who laid a diamond on a heart and shows a heart later, has revoked."""
    tricks = [(Card("Kh"), Card("Td")), (Card("9h"), Card("Th"))]

    assert proven(tricks, Suit.SPADES) == 0
    assert proven(tricks[:1], Suit.SPADES) is None


@given(st.permutations(PACK_32), st.sampled_from(list(SUITS)))
def test_nobody_is_accused_falsely(pack, trump):
    """E07-44: who always plays what he may is never proven to have revoked, at no trick."""
    held, leads = list(pack[:5]), pack[5:10]
    played = []
    for led in leads:
        own = legal(held, led, Suit(trump))[0]
        held.remove(own)
        played.append((led, own))

        assert proven(played, Suit(trump)) is None
