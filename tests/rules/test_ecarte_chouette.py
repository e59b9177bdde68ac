"""The giver's side of a chouette, the bank that is auctioned, and the payments at the end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_controller.rules.ecarte import bank as b
from table_controller.rules.ecarte import chouette as c
from table_controller.rules.ecarte import settle
from table_controller.rules.ecarte.bank import Bank, Bid
from table_controller.rules.ecarte.chouette import Chouette, Share
from table_controller.rules.ecarte.house import House
from table_controller.rules.ecarte.settle import BANK, Payment
from table_controller.rules.ecarte.stakes import Beside, Stake, total

E07 = House(id="e07", title="E07", unit="K", seats=12)
E00 = House(id="e00", title="E00", unit="K", seats=12, succession="list")
EDE = House(id="ede", title="EDE", unit="M", seats=12, chouette="bank", succession="anyone")
STAKES = st.dictionaries(st.integers(10, 20), st.integers(1, 500), min_size=1, max_size=9).map(
    lambda laid: tuple(Stake(place, chips) for place, chips in laid.items())
)
CHOUETTES = st.lists(st.integers(1, 9), min_size=1, max_size=4).flatmap(
    lambda parts: st.integers(1, len(parts)).map(
        lambda hand: Chouette(tuple(Share(at, part) for at, part in enumerate(parts, 1)), hand)
    )
)


def stakes(**laid):
    return tuple(Stake(int(place[1:]), chips) for place, chips in laid.items())


def test_only_who_has_a_half_may_hold_the_cards():
    """E07-4, E00-4: a third is too little, a half is enough."""
    thirds = c.shared(c.given(1), {1: 1, 2: 1, 3: 1})
    halves = c.shared(c.given(1), {1: 2, 2: 2})

    assert c.may_play(thirds) == (1,)
    assert c.small(thirds) == (2, 3)
    assert c.may_play(halves) == (1, 2)
    assert c.partners(halves) == (2,)


def test_the_cards_return_to_the_giver_when_his_partner_has_too_little():
    """E07-4: a partner who holds them and keeps a third only."""
    playing = Chouette((Share(1, 1), Share(2, 1)), hand=2)

    assert c.shared(playing, {1: 2, 2: 1}).hand == 1
    assert c.shared(playing, {1: 1, 2: 2}).hand == 2
    assert c.shared(playing, {1: 1, 3: 1}).hand == 1


@pytest.mark.parametrize("parts", [{2: 1}, {1: 0, 2: 1}, {1: 1, 2: 0}])
def test_the_giver_keeps_a_part_and_nobody_has_nothing(parts):
    """E07-4: it is his chouette."""
    with pytest.raises(ValueError, match="needs a part"):
        c.shared(c.given(1), parts)


def test_the_odd_unit_is_his_who_holds_the_cards():
    """ER-26: 100 in thirds are 33 and 33, and 34 for him."""
    assert c.parted(Chouette((Share(1, 1), Share(2, 1), Share(3, 1)), 2), 100) == {
        1: 33, 2: 34, 3: 33,
    }  # fmt: skip


@given(CHOUETTES, st.integers(0, 10_000))
def test_what_is_parted_is_all_there(chouette, chips):
    """ER-26: no chip made or lost, nobody is out by more than a chip but who plays."""
    parts = c.parted(chouette, chips)
    whole = sum(share.parts for share in chouette.shares)

    assert sum(parts.values()) == chips
    for share in chouette.shares:
        over = parts[share.place] * whole - chips * share.parts
        assert -whole < over <= 0 or share.place == chouette.hand


def test_the_half_share_partner_goes_on_first_and_then_lots_decide():
    """E07-6: a partner with less has no more right than another."""
    halves = c.shared(c.given(1), {1: 1, 2: 1})
    thirds = c.shared(c.given(1), {1: 2, 2: 1})

    assert c.successors(E07, halves, (4, 5), {2, 4}) == (2,)
    assert c.successors(E07, halves, (4, 5), {4, 5}) == (4, 5)
    assert c.successors(E07, thirds, (4, 5), {2, 4}) == (2, 4)
    assert c.successors(E07, thirds, (4, 5), {1}) == ()


def test_at_e00_the_sharers_go_on_and_then_the_list():
    """E00-5: any sharer, then the other side in its order."""
    thirds = c.shared(c.given(1), {1: 2, 2: 1})

    assert c.successors(E00, thirds, (4, 5), {4, 2}) == (2,)
    assert c.successors(E00, thirds, (5, 4), {4, 5}) == (5,)


def test_at_ede_anybody_takes_over():
    """EDE-0: another player takes over the bank."""
    assert c.successors(EDE, c.given(1), (4, 5), {5, 4}) == (4, 5)


def test_who_played_last_stands_before_his_partner():
    """E07-6: of the giver and his half-share partner."""
    assert c.left_with(Chouette((Share(1, 1), Share(2, 1)), 2)) == (2, 1)
    assert c.left_with(Chouette((Share(1, 2), Share(2, 1)), 1)) == (1,)


def test_the_highest_offer_has_the_chouette_and_equals_draw_lots():
    """E07-8: X23, two offer 100 at once."""
    assert b.highest([Bid(1, 100), Bid(2, 100), Bid(3, 80)]) == (1, 2)
    assert b.highest([Bid(1, 100), Bid(2, 110)]) == (2,)
    assert b.highest([]) == ()


def test_who_retired_as_a_winner_must_lay_double():
    """E07-8, ER-25: X23, 80 offered and 160 laid; anybody else lays what he offered."""
    assert b.owed(E07, Bid(1, 80), retired_winner=1) == 160
    assert b.owed(E07, Bid(1, 80), retired_winner=2) == 80
    assert b.owed(E07, Bid(1, 80), retired_winner=None) == 80


def test_a_bank_may_be_raised_by_any_sum():
    """E07-8: at any time."""
    assert b.raised(b.laid(100), 7) == Bank(100, 107)
    with pytest.raises(ValueError, match="more than nothing"):
        b.raised(b.laid(100), 0)


def test_a_lost_bank_is_renewed_twice_and_no_more():
    """E07-8: and only when it is lost; the starting bank stays the first sum (ER-25)."""
    bank = b.laid(100)
    assert not b.may_renew(E07, bank)

    for most in (60, 200):
        bank = b.renewed(E07, b.played(bank, -bank.holds), most)
        assert (bank.start, bank.holds) == (100, most)

    lost = b.played(bank, -200)
    assert not b.may_renew(E07, lost)
    with pytest.raises(ValueError, match="renewed 2 times"):
        b.renewed(E07, lost, 100)


def test_at_ede_a_lost_bank_is_laid_again_as_often_as_he_likes():
    """EDE-0: no number is printed."""
    bank = b.laid(100)
    for _ in range(12):
        bank = b.renewed(EDE, b.played(bank, -bank.holds), 100)

    assert bank.renewed == 12


def test_a_doubled_bank_is_not_halved_below_what_was_laid():
    """ER-25, E07-8: 80 offered and 160 laid by who just won: 160 is the starting bank."""
    bank = b.laid(b.owed(E07, Bid(1, 80), 1))

    assert not b.may_halve(E07, b.raised(bank, 158))
    assert b.may_halve(E07, b.raised(bank, 160))


def test_a_bank_is_halved_once_and_not_below_its_start():
    """E07-8: X23, 200 to 100, which is where it began; 199 is too little, the odd chip stays."""
    assert b.halved(E07, Bank(100, 200)).holds == 100
    assert b.halved(E07, Bank(100, 201)).holds == 101
    assert not b.may_halve(E07, Bank(100, 198))
    assert not b.may_halve(E07, Bank(100, 1000, halved=1))
    with pytest.raises(ValueError, match="not halved"):
        b.halved(E07, Bank(100, 190))


def test_a_partie_must_be_played_before_the_giver_may_stop():
    """E07-8: whoever has won the right carries through one."""
    assert not b.may_stop(b.laid(100))
    assert b.may_stop(b.played(b.laid(100), -40))
    with pytest.raises(ValueError, match="cannot lose 41"):
        b.played(Bank(100, 40), -41)


def test_the_loser_pays_the_winners_one_by_one():
    """E07-60, E00-58: X22, 40 to the one and 20 to the other."""
    told = settle.two_sides(stakes(p4=40, p5=20), stakes(p1=30, p2=20, p3=10), player=1)

    assert told.payments == (Payment(1, 4, 40), Payment(1, 5, 20))
    assert (told.adds, told.keeps) == (0, 0)


def test_the_loser_makes_up_a_shortage_and_has_a_surplus():
    """E07-60, E00-58: X22, 55 lay and he adds 5; 63 lay and he keeps 3."""
    winners = stakes(p4=40, p5=20)

    assert settle.two_sides(winners, stakes(p1=30, p2=25), player=1).adds == 5
    assert settle.two_sides(winners, stakes(p1=30, p2=33), player=1).keeps == 3


def test_who_held_the_rest_pays():
    """E07-60, E00-58: X22, the lost stakes are handed to him."""
    told = settle.two_sides(stakes(p4=40, p5=20), stakes(p1=30, p2=30), player=1, rest=2)

    assert told.payer == 2
    assert {payment.payer for payment in told.payments} == {2}


@given(STAKES, STAKES)
def test_two_sides_come_out(winners, losers):
    """E07-60, E00-58: what lay and what was added is what was paid and what was kept."""
    told = settle.two_sides(winners, losers, player=1)

    paid = sum(payment.chips for payment in told.payments)
    assert total(losers) + told.adds == paid + told.keeps
    assert not (told.adds and told.keeps)
    assert [(p.to, p.chips) for p in told.payments] == [(w.place, w.chips) for w in winners]


def test_the_giver_pays_down_the_list_and_his_partner_bears_his_part():
    """E07-5, E00-4, ER-26: 50 in halves; then the same the other way round."""
    both = c.shared(c.given(1), {1: 1, 2: 1})

    assert settle.against(both, stakes(p4=30, p5=20), giver_won=False) == (
        Payment(2, 1, 25), Payment(1, 4, 30), Payment(1, 5, 20),
    )  # fmt: skip
    assert settle.against(both, stakes(p4=30, p5=20), giver_won=True) == (
        Payment(4, 1, 30), Payment(5, 1, 20), Payment(1, 2, 25),
    )  # fmt: skip


@given(CHOUETTES, STAKES, st.booleans())
def test_a_chouette_pays_even_money_and_comes_out(chouette, laid, giver_won):
    """E07-5, ER-26: every staker wins or loses his stake, the givers share the other side of it."""
    changes = settle.net(settle.against(chouette, laid, giver_won=giver_won))
    sign = 1 if giver_won else -1

    assert sum(changes.values()) == 0
    assert all(changes[stake.place] == -sign * stake.chips for stake in laid)
    for place, part in c.parted(chouette, total(laid)).items():
        assert changes.get(place, 0) == sign * part


@given(STAKES, st.booleans())
def test_a_bank_pays_even_money_in_the_order_laid(laid, giver_won):
    """E07-8, EDE-0, ER-28: what the bank wins is what the stakers lose."""
    told = settle.against_bank(laid, giver_won=giver_won)

    changes = settle.net(told)
    assert changes[BANK] == (total(laid) if giver_won else -total(laid))
    assert sum(changes.values()) == 0
    assert [p.payer if giver_won else p.to for p in told] == [stake.place for stake in laid]


def test_stakes_outside_the_bank_are_settled_apart():
    """E07-62: X23, b has 50 with the giver; another player holds 30 on the giver."""
    bets = (Beside(2, 1, 50, on_giver=False), Beside(3, 4, 30, on_giver=True))

    assert settle.outside(bets, giver_won=True) == (Payment(2, 1, 50), Payment(4, 3, 30))
    assert settle.outside(bets, giver_won=False) == (Payment(1, 2, 50), Payment(3, 4, 30))
