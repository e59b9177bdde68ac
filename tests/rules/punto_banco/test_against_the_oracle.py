"""The game's rules compared with an independent reading of their text, over random cards."""

from hypothesis import given
from hypothesis import strategies as st

from table_controller.rules.cards import PACK
from table_controller.rules.punto_banco.coup import dealt
from table_controller.rules.punto_banco.money import commission, odds, payout
from table_controller.rules.punto_banco.results import result
from table_controller.rules.punto_banco.side_bets import SIDE_BETS
from tests import punto_oracle as oracle

SIX = st.lists(st.sampled_from(PACK), min_size=6, max_size=6)
SIDE = {
    "player_pair": "11:1",
    "banker_pair": "11:1",
    "either_pair": "5:1",
    "perfect_pair": "25:1 200:1",
    "dragon_7": "40:1",
    "panda_8": "25:1",
    "super_6": "12:1",
    "lucky_6": "12:1 20:1",
    "big": "0.54:1",
    "small": "1.5:1",
}


@given(SIX)
def test_a_coup_is_dealt_and_won_alike(cards):
    """PB-4 to PB-8: the same hands, the same winner."""
    read = oracle.deal([card.value for card in cards])

    coup = dealt(cards)
    assert [list(coup.player), list(coup.banker)] == [read.player, read.banker]
    assert (coup.winner, coup.player_points, coup.banker_points, coup.length) == (
        read.won_by,
        oracle.total(read.player),
        oracle.total(read.banker),
        read.used,
    )
    assert result(coup).natural == read.natural


@given(SIX, st.integers(1, 10**6), st.sampled_from((1, 5, 25)))
def test_side_bets_are_paid_alike(cards, stake, chip):
    """PB-10, PB-12: won or lost, by which odds, down to the smallest chip."""
    coup, read = dealt(cards), oracle.deal([card.value for card in cards])
    for name, text in SIDE.items():
        step = SIDE_BETS[name].won(coup)
        paid = payout(stake, odds(text)[step - 1], chip=chip) if step else None

        wanted = oracle.outcome(read, name, stake, oracle.House(chip=chip, side=SIDE))
        assert (wanted.how, wanted.comes) == (("won", paid) if step else ("lost", 0))


@given(st.integers(0, 10**6), st.sampled_from((0, 400, 500, 10_000)), st.sampled_from((1, 5, 25)))
def test_commission_is_taken_alike(stake, rate, chip):
    """PB-9, PB-10: up to the smallest chip, never more than was won."""
    seven_over_six = oracle.Coup(["6h", "Kh"], ["7h", "Kd"])
    paid = oracle.outcome(
        seven_over_six, "banker", stake, oracle.House(commission_bp=rate, chip=chip)
    )

    assert commission(paid.comes, rate_bp=rate, chip=chip) == paid.commission
