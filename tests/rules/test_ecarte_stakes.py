"""Stakes at écarté: two equal sides, stakes that a bank covers, who is let in, stakes outside."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_controller.rules.ecarte import stakes as s
from table_controller.rules.ecarte.stakes import Beside, Covered, Stake

SUMS = st.integers(1, 500)
STAKES = st.dictionaries(st.integers(1, 20), SUMS, max_size=9).map(
    lambda laid: tuple(Stake(place, chips) for place, chips in laid.items())
)


def stakes(**laid):
    return tuple(Stake(int(place[1:]), chips) for place, chips in laid.items())


def test_a_second_stake_is_added_where_the_first_lies():
    """E07-60: one person, one sum, in the order laid."""
    assert s.lays(stakes(p1=20, p2=30), 1, 5) == stakes(p1=25, p2=30)
    assert s.draws_back(stakes(p1=20, p2=30), 1) == stakes(p2=30)
    with pytest.raises(ValueError, match="more than nothing"):
        s.lays((), 1, 0)


def test_both_sides_are_added_up():
    """E07-60, E00-58: X22, 60 against 60; and 10 are missing of 60."""
    left, right = stakes(p1=30, p2=20, p3=10), stakes(p4=40, p5=20)

    assert s.short(left, right)[1] == 0
    assert s.short(left[:2], right) == (0, 10)
    assert s.short(right, left[:2]) == (1, 10)


def test_the_last_stakes_are_cut():
    """ER-27: down to what the other side has."""
    assert s.cut_down(stakes(p4=40, p5=20), 50) == stakes(p4=40, p5=10)
    assert s.cut_down(stakes(p4=40, p5=20), 40) == stakes(p4=40)


@given(STAKES, STAKES)
def test_sides_are_equal_after_the_rest_or_the_cut(left, right):
    """E07-60, E00-58, ER-27: either way the sums are the same, and no stake grows."""
    side, missing = s.short(left, right)
    sides = [left, right]

    cut = s.cut_down(sides[1 - side], s.total(sides[side]))
    assert s.total(cut) == s.total(sides[side])
    assert all(0 < stake.chips <= s.laid(sides[1 - side], stake.place) for stake in cut)

    held = s.lays(sides[side], 30, missing) if missing else sides[side]
    assert s.total(held) == s.total(sides[1 - side])


def test_a_bank_covers_in_the_order_laid():
    """E07-61, EDE-0, ER-28: X23, a bank of 100 against 60, 30, 30 and 20."""
    found = s.covered(stakes(p1=60, p2=30, p3=30, p4=20), 100)

    assert found.standing == stakes(p1=60, p2=30, p3=10)
    assert found.left_out == stakes(p3=20, p4=20)


def test_a_staker_lets_in_who_was_left_out_in_order():
    """E07-61: X23, the first of them, and only then the second."""
    found = s.covered(stakes(p1=60, p2=30, p3=30, p4=20), 100)

    found = s.lets_in(found, 1, 20)
    assert found == Covered(stakes(p1=40, p2=30, p3=30), stakes(p4=20))
    assert s.lets_in(found, 1, 5) == Covered(stakes(p1=35, p2=30, p3=30, p4=5), stakes(p4=15))


def test_who_wants_no_share_makes_way():
    """E07-61: then it is the next one's turn."""
    found = s.covered(stakes(p1=60, p3=30, p4=20), 60)

    assert s.stays_out(found).left_out == stakes(p4=20)


def test_nobody_is_let_into_his_own_stake_or_beyond():
    """E07-61: no more than the host has, nor than was left out."""
    found = s.covered(stakes(p1=60, p3=30), 70)

    assert s.most_let_in(found, 1) == 20
    assert s.most_let_in(found, 3) == 0
    for host, chips in ((1, 21), (1, 0), (3, 5), (9, 1)):
        with pytest.raises(ValueError, match="may let"):
            s.lets_in(found, host, chips)
    with pytest.raises(ValueError, match="left out"):
        s.lets_in(Covered((), ()), 1, 1)


@given(STAKES, st.data())
def test_a_bank_covers_what_it_holds_and_nothing_else(laid, data):
    """E07-61, EDE-0: covered and left out are all that was laid, whoever is let in."""
    bank = data.draw(st.integers(0, s.total(laid) + 50))
    found = s.covered(laid, bank)
    assert s.total(found.standing) == min(bank, s.total(laid))
    assert s.total(found.standing + found.left_out) == s.total(laid)

    if not (found.left_out and found.standing):
        return
    host = data.draw(st.sampled_from(found.standing)).place
    most = s.most_let_in(found, host)
    if not most:
        return
    after = s.lets_in(found, host, data.draw(st.integers(1, most)))
    assert s.total(after.standing) == s.total(found.standing)
    assert s.laid(after.standing, host) < s.laid(found.standing, host)
    assert s.total(after.left_out) < s.total(found.left_out)


def test_nobody_holds_his_own_stake_outside_the_bank():
    """E07-62: it needs two."""
    assert s.beside((), Beside(2, 1, 50, on_giver=False)) == (Beside(2, 1, 50, on_giver=False),)
    for wrong in (Beside(2, 2, 50, on_giver=True), Beside(2, 1, 0, on_giver=True)):
        with pytest.raises(ValueError, match="cannot hold"):
            s.beside((), wrong)
