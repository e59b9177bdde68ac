"""Results: from a coup, written and read, counted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_controller.rules.cards import hand
from table_controller.rules.punto_banco.coup import Winner, dealt
from table_controller.rules.punto_banco.results import (
    Counters,
    Result,
    counters,
    read,
    result,
    show,
)

RESULTS = st.lists(
    st.builds(Result, st.sampled_from(Winner), st.booleans(), st.booleans(), st.booleans())
)


@pytest.mark.parametrize(
    ("cards", "written"),
    [
        ("9h 2c Ts 5d", "Pn"),  # a natural nine against seven
        ("2h 3c 2s 3d As Ks", "Bpb"),  # both pairs; five against six
        ("Kh Ts Qh Td 7h 7d", "Tb"),  # king and queen are no pair; the third cards make none
        ("4h 4s 4d 4c", "Tpbn"),
    ],
)
def test_what_stands_of_a_coup(cards, written):
    """PB-5, PB-12: winner, pairs of the first two cards, natural."""
    assert str(result(dealt(hand(cards)))) == written


@given(RESULTS)
def test_what_is_printed_is_read_again(results):
    """The notation parses what it prints."""
    assert list(read(show(results))) == results


@pytest.mark.parametrize("text", ["X", "Bnp", "BB b", "p", "bP"])
def test_what_is_no_result_is_refused(text):
    """The error shows a good one; `BB b` reads as `BBb`."""
    if text == "BB b":
        assert show(read(text)) == "BBb"
        return
    with pytest.raises(ValueError, match="want P, B or T"):
        read(text)


def test_counters_of_a_schlitten():
    """How often each came, counted by hand."""
    assert counters(read("BBbPnTpbTPpn")) == Counters(
        coups=6, player=2, banker=2, ties=2, player_pairs=2, banker_pairs=2, naturals=2
    )
    assert counters(()) == Counters(0, 0, 0, 0, 0, 0, 0)
