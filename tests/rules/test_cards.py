import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_controller.rules.cards import PACK, PACK_32, PACKS, hand, parse, show, spelled

SIGNS = st.characters(codec="utf-8", exclude_characters=" \t\n")


def test_a_pack_has_each_rank_in_each_suit_once():
    """ZP-2: packs of 52 cards."""
    codes = [rank + suit for rank in "A23456789TJQK" for suit in "cdhs"]

    assert len(PACK) == 52
    assert sorted(PACK) == sorted(codes)


def test_a_pack_of_32_has_seven_to_ace_of_each_suit_once():
    """Écarté's pack (issue 10), in the order of the other."""
    assert " ".join(PACK_32) == (
        "Ac 7c 8c 9c Tc Jc Qc Kc Ad 7d 8d 9d Td Jd Qd Kd Ah 7h 8h 9h Th Jh Qh Kh "
        "As 7s 8s 9s Ts Js Qs Ks"
    )
    assert {52: PACK, 32: PACK_32} == PACKS


@pytest.mark.parametrize(
    ("written", "code"),
    [("7h", "7h"), ("7H", "7h"), ("10d", "Td"), ("td", "Td"), ("q♠", "Qs"), ("9♥\ufe0f", "9h")],
)
def test_a_card_is_read_as_people_write_it(written, code):
    assert spelled(written) == parse(code)


@pytest.mark.parametrize("written", ["", "h", "1h", "0d", "100d", "9x", "9hh", "♥9", "card"])
def test_what_is_no_card_is_not_made_one(written):
    with pytest.raises(ValueError, match="not a card code"):
        spelled(written)


@pytest.mark.parametrize(
    ("code", "rank", "suit"), [("As", 1, "s"), ("2h", 2, "h"), ("Tc", 10, "c"), ("Kd", 13, "d")]
)
def test_a_card_knows_its_rank_and_suit(code, rank, suit):
    """Ace is 1, king is 13; the suit is its first letter."""
    card = parse(code)

    assert (card.rank, card.suit) == (rank, suit)


@pytest.mark.parametrize("pack", PACKS.values(), ids=len)
@given(data=st.data())
def test_a_hand_reads_back_as_it_is_shown(pack, data):
    """Every notation parses what it prints."""
    cards = tuple(data.draw(st.lists(st.sampled_from(pack))))

    assert hand(show(cards)) == cards


@given(st.text(SIGNS, max_size=4).filter(lambda text: text not in list(PACK)))
def test_what_is_no_card_is_refused_by_name(text):
    """The error shows what was written and what a card looks like."""
    with pytest.raises(ValueError, match="not a card code") as error:
        parse(text)

    assert repr(text) in str(error.value)
    assert "7h" in str(error.value)
