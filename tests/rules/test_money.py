import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_controller.rules.money import cagnotte


@pytest.mark.parametrize(
    ("won", "share"),
    [(0, 0), (10, 0), (19, 0), (20, 1), (39, 1), (40, 2), (59, 2), (100, 5), (999, 49)],
)
def test_cagnotte_is_five_percent_rounded_down(won, share):
    """R-8: to the smallest chip, in the house's disfavour."""
    assert cagnotte(won) == share


@pytest.mark.parametrize(("rate", "share"), [(0, 0), (250, 2), (500, 5), (1000, 10), (10_000, 100)])
def test_the_house_sets_its_rate(rate, share):
    """R-8: a setting, in basis points."""
    assert cagnotte(100, rate_bp=rate) == share


@given(st.integers(0, 10**12), st.integers(0, 10_000))
def test_the_share_is_never_more_than_the_rate_and_less_by_under_a_chip(won, rate):
    """R-8, R-16: whole chips, exact for any sum."""
    share = cagnotte(won, rate_bp=rate)

    assert share * 10_000 <= won * rate < (share + 1) * 10_000


def test_a_negative_sum_is_named():
    """R-16: nobody wins less than nothing."""
    with pytest.raises(ValueError, match="-1"):
        cagnotte(-1)
