"""The golden figures of the tableau, found by playing the engine. scripts/soak finds all."""

import pytest

from workshop.soak import rules


@pytest.mark.parametrize(("point", "given"), [("6", "5"), ("5", "none")])
def test_a_square_has_the_exact_expectation(point, given):
    """ZX-1, ZX-2, R-1: who wins how often, drawing and standing, to the last fraction."""
    (row,) = [
        row
        for row in rules.squares()
        if (row["banker_total"], row["player_third"]) == (point, given)
    ]

    assert rules.compared(row) == ""


def test_a_figure_that_is_off_is_named():
    """The comparison can fail."""
    row = rules.squares()[0] | {"diff_p0_exact": "1/2"}

    assert "0 against 0" in rules.compared(row)
