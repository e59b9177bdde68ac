"""The order of players at écarté: drawn, lost, renounced, joined, retired."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_controller.rules.cards import hand
from table_controller.rules.ecarte import order as o
from table_controller.rules.ecarte.house import House
from table_controller.rules.ecarte.order import Order

E07 = House(id="e07", title="E07", unit="K", seats=12)
E00 = House(id="e00", title="E00", unit="K", seats=12, renounced="out")
EDE = House(id="ede", title="EDE", unit="K", seats=12, cut_for_deal="higher")


def test_the_lowest_card_begins_and_the_ace_is_the_lowest():
    """E07-9, E00-9: ace, seven … king; ER-36: at EDE downwards, by the rank of play."""
    draws = {1: hand("Kh"), 2: hand("7c"), 3: hand("Ad"), 4: hand("Ts"), 5: hand("Jc")}

    assert o.drawn(E07, draws) == ((3,), (2,), (4,), (5,), (1,))
    assert o.drawn(EDE, draws) == ((1,), (5,), (3,), (4,), (2,))


def test_of_several_cards_drawn_the_highest_counts():
    """E07-9, E00-9: the ace that he drew too does not help him."""
    assert o.drawn(E07, {1: hand("Ah 9c"), 2: hand("8c")}) == ((2,), (1,))


def test_who_drew_alike_draw_again():
    """E07-9, ER-12: they stand together, in no order."""
    assert o.drawn(E07, {1: hand("9h"), 2: hand("9c"), 3: hand("7c")}) == ((3,), (1, 2))


def test_newcomers_stand_before_the_player_they_staked_on():
    """E07-3, E00-3: X24, two of them, and then the loser behind both."""
    order = o.joins(o.joins(o.ordered((1, 2, 3, 4)), 5, on=1), 6, on=1)

    assert order.players == (1, 2, 3, 4, 5, 6)
    assert o.lost(order).players == (2, 3, 4, 5, 6, 1)


def test_newcomers_on_a_waiting_player_stand_before_him():
    """E07-3, E00-3: in the order in which they came forward."""
    order = o.joins(o.joins(o.ordered((1, 2, 3)), 7, on=3), 8, on=3)

    assert order.players == (1, 2, 7, 8, 3)


def test_the_winner_stays():
    """E07-3: only who lost hands the cards on."""
    assert o.won(o.ordered((1, 2, 3))).players == (1, 2, 3)


def test_who_renounces_at_e07_keeps_his_place():
    """E07-4, ER-18: he is the next to play, whoever wins or loses before."""
    order = o.renounces(E07, o.ordered((2, 3, 4)))

    assert (order.hand, order.waiting) == (3, (2, 4))
    assert o.lost(order).players == (2, 4, 3)
    assert o.won(order) == Order(3, (2, 4))


def test_two_renounce_at_e07_one_after_the_other():
    """E07-4, ER-18: both keep their places, in their order."""
    order = o.renounces(E07, o.renounces(E07, o.ordered((2, 3, 4))))

    assert (order.hand, order.waiting) == (4, (2, 3))
    assert o.lost(order).players == (2, 3, 4)


def test_who_renounces_at_e00_is_out_until_his_turn_comes_round():
    """E00-4: he goes behind everybody else."""
    order = o.renounces(E00, o.ordered((2, 3, 4)))

    assert order.players == (3, 4, 2)
    assert o.lost(order).players == (4, 2, 3)


@pytest.mark.parametrize("house", [E07, E00])
def test_nobody_plays_when_everybody_has_renounced(house):
    """E07-4, E00-4: the right is everybody's; a partie later they may again."""
    order = o.renounces(house, o.renounces(house, o.ordered((2, 3))))

    assert order.hand is None
    assert sorted(order.players) == [2, 3]
    with pytest.raises(ValueError, match="nobody has the hand"):
        o.renounces(house, order)


def test_the_retired_giver_stands_behind_who_beat_him():
    """E07-6: the winner stays, then the giver and his partner, who played last first."""
    assert o.retired(o.ordered((4, 5)), (2, 1), won=False).players == (4, 2, 1, 5)


def test_the_retired_giver_takes_the_place_of_who_lost():
    """E07-6: the last player lost and went to the end; the giver stands where he stood."""
    assert o.retired(o.lost(o.ordered((4, 5))), (1,), won=True).players == (1, 5, 4)


def test_a_small_sharer_goes_to_the_end():
    """E07-4: who left the chouette with less than a half."""
    assert o.to_the_end(o.ordered((4, 5)), 3).players == (4, 5, 3)


def test_who_leaves_is_struck_out():
    """E07-3: the next has the hand if it was his."""
    assert o.leaves(o.ordered((4, 5, 6)), 4).players == (5, 6)
    assert o.leaves(o.ordered((4, 5, 6)), 6).players == (4, 5)


@given(
    st.sampled_from([E07, E00]),
    st.lists(st.sampled_from(["lost", "won", "renounces", "joins", "leaves"]), max_size=30),
    st.randoms(use_true_random=False),
)
def test_nobody_is_lost_or_doubled(house, happenings, luck):
    """E07-3, E07-4, E00-4: whatever happens, everybody stands in the order once."""
    order, there, newcomer = o.ordered((1, 2, 3)), {1, 2, 3}, 4
    for what in happenings:
        if what == "joins":
            order = o.joins(order, newcomer, on=luck.choice([*order.players, 99]))
            there.add(newcomer)
            newcomer += 1
        elif what == "leaves" and there:
            gone = luck.choice(sorted(there))
            order, there = o.leaves(order, gone), there - {gone}
        elif what == "won":
            order = o.won(order)
        elif order.hand is not None and what in ("lost", "renounces"):
            order = o.lost(order) if what == "lost" else o.renounces(house, order)

        assert sorted(order.players) == sorted(there)
        assert order.hand is not None or set(order.renounced) >= there
