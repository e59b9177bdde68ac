"""A pot's least and most, whatever its origin, and the house's share of it (R-8, R-12)."""

from dataclasses import replace

import pytest

from tests.engine import script
from tests.engine.playing import ZOPPOT, deal, play, table, told

#: What leads there, the sum that is just allowed, and the word with the sum left out.
WAYS = {
    "put up": ((), 100, "seat 1 banks {}"),
    "raised": (("seat 1 banks 40",), 60, "seat 1 raises {}"),
    "joined": (("seat 1 banks 40",), 60, "seat 3 joins the bank {}"),
    "bought": (
        (
            *("seat 1 banks 40", "seat 2 banco solo", *deal("2h Kc", "9d Ks"), "seat 2 reste"),
            *("seat 1 opens", "seat 2 opens", "paid", "seat 1 suite"),
        ),
        100,
        "seat 5 bids {}",
    ),
}


@pytest.mark.parametrize(("before", "most", "word"), WAYS.values(), ids=WAYS)
def test_no_pot_is_greater_than_the_house_allows(before, most, word):
    """R-12: the most of 100 itself is allowed, one more is not; and without a most it is."""
    here = play(table(house=replace(ZOPPOT, most_pot=100)), *before)

    assert told(here, script.parse(word.format(most + 1)))[1] == "refused (R-12)"
    assert not told(here, script.parse(word.format(most)))[1].startswith("refused")
    anywhere = play(table(), *before)
    assert not told(anywhere, script.parse(word.format(most + 1)))[1].startswith("refused")


@pytest.mark.parametrize("way", ["put up", "bought"])
def test_no_pot_is_smaller_than_the_house_allows(way):
    """R-12, ZP-5: ten itself is allowed, nine are not."""
    before, _, word = WAYS[way]
    now = play(table(), *before)

    assert told(now, script.parse(word.format(9)))[1] == "refused (ZP-5)"
    assert not told(now, script.parse(word.format(10)))[1].startswith("refused")


@pytest.mark.parametrize(("rate_bp", "share"), [(0, 0), (250, 1), (500, 2), (1000, 4)])
def test_the_house_has_its_share_of_what_was_won_at_its_own_rate(rate_bp, share):
    """R-8, R-23: of the 40 that were staked, not of the pot of 100; rounded down."""
    here = table(house=replace(ZOPPOT, cagnotte_bp=rate_bp))
    words = ("seat 1 banks 100", "all may stake", "seat 2 stakes 40", "nichts geht mehr")
    now = play(here, *words, *deal("2h Kc", "9d Ks"), "seat 2 reste", "seat 1 opens")

    said = told(now, script.parse("seat 2 opens"))[1]
    assert said.endswith(f"seat 1 wins 40, cagnotte {share}, pot {140 - share}")
