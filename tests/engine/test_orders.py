"""The order in collecting and paying, cover and shares, as readable lists."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_controller.engine.chemin_de_fer.state import passes_due
from table_controller.engine.chemin_de_fer.view import snapshot
from table_controller.engine.messages import Audience, Refusal
from tests import oracle
from tests.engine import pictured
from tests.engine.playing import MODERN, NEMZETI, ZOPPOT, deal, play, table

POINTEUR_WINS, BANK_WINS = deal("9h Kc", "2d Ks"), deal("2h Kc", "9d Ks")
TIE = deal("7h Kc", "7d Ks")


def decided(now, pointeur, banker, *, bank):
    """The coup played to its settlement."""
    if bank:
        lines = (*BANK_WINS, f"seat {pointeur} reste")
        return play(now, *lines, f"seat {banker} opens", f"seat {pointeur} opens")
    return play(now, *POINTEUR_WINS, f"seat {pointeur} schlag", f"seat {banker} opens")


def tied(now, pointeur, banker):
    """Seven to seven."""
    lines = (*TIE, f"seat {pointeur} reste", f"seat {banker} opens", f"seat {banker} stands")
    return play(now, *lines, f"seat {pointeur} opens", "paid")


def payments(now):
    return [(line.seat, line.chips) for line in snapshot(now, Audience.CROUPIER).payments]


def balances(now, *seats):
    found = pictured.balances(snapshot(now, Audience.CROUPIER))
    return [found[seat] for seat in seats]


def first_banker(now, seat):
    """The Schlitten passed on to that seat."""
    return play(now, *(f"seat {before} passes" for before in range(1, seat)))


@pytest.mark.parametrize("bank", [True, False])
def test_the_croupier_goes_round_from_the_highest_stake_and_the_prime(bank):
    """Z-26, ZP-14, ZP-17: then round the table; of the standing the smallest stake first."""
    now = first_banker(play(table(), "standing 500 Anna", "standing 500 Berta"), 3)
    now = play(now, "seat 3 banks 100", "all may stake", "seat 9 stakes 20", "seat 101 stakes 12")
    now = play(now, "seat 102 stakes 11", "seat 1 stakes 5", "seat 4 stakes 6", "seat 2 stakes 4")
    now = decided(play(now, "nichts geht mehr"), 9, 3, bank=bank)

    order = [(9, 20), (4, 6), (1, 5), (2, 4), (102, 11), (101, 12)]
    assert payments(now) == [*order, *([(0, 2)] if bank else [])]


@pytest.mark.parametrize("bank", [True, False])
def test_what_the_pot_does_not_reach_is_never_at_risk(bank):
    """R-23, R-22: pointeur, seated, standing from the smallest up; the rest goes back whole."""
    now = play(table(), "standing 500 Anna", "standing 500 Berta", "seat 1 banks 50")
    now = play(now, "all may stake", "seat 101 stakes 30", "seat 102 stakes 12", "seat 5 stakes 10")
    now = decided(play(now, "nichts geht mehr"), 101, 1, bank=bank)

    assert payments(now) == [(101, 30), (5, 10), (102, 10), *([(0, 2)] if bank else [])]
    change = -1 if bank else 1
    assert balances(now, 101, 5, 102) == [500 + 30 * change, 1000 + 10 * change, 500 + 10 * change]
    assert balances(now, 1) == [950]


def test_in_a_bank_that_was_sold_the_latest_banker_comes_last():
    """Z-26, R-29, R-11: the order counts from the first seller, the last seller is paid last."""
    now = decided(play(table(), "seat 1 banks 10", "seat 4 banco solo"), 4, 1, bank=True)
    now = play(now, "paid", "seat 1 suite", "seat 5 bids 10", "sold")
    now = decided(play(now, "seat 2 banco solo"), 2, 5, bank=True)
    now = play(now, "paid", "seat 5 suite", "seat 7 bids 10", "sold")
    now = decided(play(now, "seat 4 banco solo"), 4, 7, bank=True)
    now = play(
        now, "paid", "all may stake", "seat 5 stakes 3", "seat 6 stakes 4", "seat 1 stakes 2"
    )
    now = play(now, "seat 8 stakes 5", "seat 2 stakes 3", "nichts geht mehr")
    now = decided(now, 8, 7, bank=False)

    assert payments(now) == [(8, 5), (2, 3), (6, 4), (1, 2), (5, 3)]


@pytest.mark.parametrize("bank", [True, False])
def test_of_two_equal_highest_stakes_the_pointeurs_is_first(bank):
    """Z-26, R-47: in game II also before his partner, the prime; a higher one of his goes first."""
    now = play(table(), "seat 1 banks 100")
    equal = decided(play(now, "seat 4 banco 50 with seat 2"), 4, 1, bank=bank)
    partner = decided(play(now, "seat 4 banco 49 with seat 7"), 4, 1, bank=bank)
    house = [(0, 5)] if bank else []

    assert payments(equal) == [(4, 50), (2, 50), *house]
    assert payments(partner) == [(7, 51), (4, 49), *house]


def test_the_highest_stake_is_told_by_what_lies_not_by_what_is_covered():
    """R-47, R-23: the pot covers 10 of the 70 that lie highest; collecting begins there."""
    now = play(table(), "seat 1 banks 100", "seat 3 banco 60 with the table", "seat 2 stakes 30")
    now = play(now, "seat 9 stakes 70", "nichts geht mehr")

    assert payments(decided(now, 3, 1, bank=False)) == [(9, 10), (2, 30), (3, 60)]


def sold_and_raised():
    """Seat 1's bank, sold to seat 5 for 10, who raises it to 20; all may stake."""
    now = decided(play(table(), "seat 1 banks 10", "seat 4 banco solo"), 4, 1, bank=True)
    now = play(now, "paid", "seat 1 suite", "seat 5 bids 10", "sold", "seat 5 raises 10")
    return play(now, "all may stake")


def test_the_latest_banker_is_last_also_with_the_highest_stake():
    """Z-26, R-47: last of all; then the list begins with the prime."""
    now = play(sold_and_raised(), "seat 1 stakes 9", "seat 3 stakes 4", "seat 2 stakes 3")
    now = decided(play(now, "nichts geht mehr"), 1, 5, bank=False)

    assert payments(now) == [(2, 3), (3, 4), (1, 9)]


def test_the_latest_banker_is_covered_last():
    """Z-26, R-23: 20 cover who holds the cards, then 6 of the prime's, then 2 of his 6."""
    now = play(sold_and_raised(), "seat 1 stakes 6", "seat 3 stakes 12", "seat 2 stakes 6")
    now = decided(play(now, "nichts geht mehr"), 3, 5, bank=False)

    assert payments(now) == [(3, 12), (2, 6), (1, 2)]


def test_in_a_bank_that_was_taken_over_the_giver_is_counted_from():
    """N-7, R-33: from the seat of the one who gave it up, also the second time."""
    now = play(table(house=NEMZETI), "seat 1 banks 50", "seat 3 stakes 50")
    now = play(decided(now, 3, 1, bank=True), "paid", "seat 1 passes", "seat 6 takes over")
    now = play(now, "seat 3 stakes 9", "seat 7 stakes 2", "seat 2 stakes 3", "seat 1 stakes 4")
    first = decided(play(now, "nichts geht mehr"), 3, 6, bank=True)
    now = play(first, "paid", "seat 6 passes", "seat 9 takes over", "seat 3 stakes 9")
    now = play(now, "seat 7 stakes 2", "seat 2 stakes 3", "seat 1 stakes 4", "nichts geht mehr")
    second = decided(now, 3, 9, bank=False)

    assert payments(first) == [(3, 9), (2, 3), (7, 2), (1, 4)]
    assert payments(second) == [(3, 9), (7, 2), (1, 4), (2, 3)]


stakes_laid = st.lists(
    st.tuples(st.sampled_from([2, 3, 4, 7, 12, 101, 102]), st.sampled_from([0, 2, 5, 20, 30, 50])),
    min_size=1,
    max_size=8,
)


@given(before=stakes_laid, after=stakes_laid, ties=st.integers(0, 2), halves=st.booleans())
def test_cover_and_payment_are_what_the_oracle_says(before, after, ties, halves):
    """R-36, R-47, R-22, R-23, N-5: however often it tied, and whatever was laid or taken since."""
    now = play(table(house=NEMZETI), "standing 500 Anna", "standing 500 Berta", "seat 1 banks 60")
    now, stand = play(now, "all may stake"), {}
    for round_ in range(ties + 1):
        for seat, chips in after if round_ else before:
            now = play(now, f"seat {seat} stakes {chips}")
            stand = {at: min(old, chips) if at == seat else old for at, old in stand.items()}
        if round_ == 1 and halves and now.bank.pot > 1:
            now = play(now, "seat 1 halves")
        if not now.coup.stakes:
            return
        if round_ < ties:
            now = tied(now, now.coup.pointeur, 1)
            stand = {stake.seat: stake.chips for stake in now.coup.stakes}
    stakes = {stake.seat: stake.chips for stake in now.coup.stakes}
    holder, pot = now.coup.pointeur, now.bank.pot
    now = decided(play(now, "nichts geht mehr"), holder, 1, bank=False)

    around = range(2, 13)
    wanted = oracle.settlement(pot, stakes, holder=holder, around=around, tied=stand)
    assert payments(now) == wanted


def test_eighty_of_a_hundred_tied_and_halved():
    """R-33, N-5: the 80 may all stand and are covered in the order of payment, now up to 40."""
    now = play(table(house=NEMZETI), "seat 1 banks 100", "seat 5 stakes 30", "seat 3 stakes 50")
    now = play(tied(now, 3, 1), "seat 1 halves")
    now = decided(now, 3, 1, bank=False)

    assert payments(now) == [(3, 40)]
    assert balances(now, 1, 3, 5) == [1000 - 40, 1040, 1000]


def test_partners_share_by_their_parts():
    """Z-4, R-16: what the bank holds in the end, in whole chips; the odd chip is the banker's."""
    now = play(table(), "seat 1 banks 20", "seat 3 joins the bank 10", "seat 2 banco solo")
    now = play(decided(now, 2, 1, bank=True), "paid", "seat 1 passes")

    assert balances(now, 1, 2, 3) == [1000 - 20 + 40, 970, 1000 - 10 + 19]


def test_who_adds_to_a_bank_that_has_won_does_not_take_his_partners_share():
    """Z-4: parts count at what they are worth when something is added."""
    now = play(table(), "seat 1 banks 20", "seat 3 joins the bank 20", "seat 2 banco solo")
    now = play(decided(now, 2, 1, bank=True), "paid", "seat 1 raises 78", "seat 1 passes")

    assert balances(now, 1, 3) == [1000 - 20 + 39, 1000 - 20 + 39]


def test_who_joins_a_bank_that_has_won_has_no_part_in_what_it_won_before():
    """Z-4, R-8: the banker's 20 are 39 when as much is added, and half of the bank is his."""
    now = decided(play(table(), "seat 1 banks 20", "seat 2 banco solo"), 2, 1, bank=True)
    now = play(now, "paid", "seat 3 joins the bank 39", "seat 1 passes")

    assert balances(now, 1, 3) == [1000 - 20 + 39, 1000]


def test_a_bank_that_lost_leaves_its_partner_his_part_of_the_rest():
    """Z-4, R-23: what was not staked against is not lost."""
    now = play(table(), "seat 1 banks 20", "seat 3 joins the bank 20", "all may stake")
    now = decided(play(now, "seat 2 stakes 10", "nichts geht mehr"), 2, 1, bank=False)

    assert balances(now, 1, 2, 3) == [995, 1010, 995]


def test_a_seller_gets_nothing_from_the_bid():
    """R-28, ZP-18: he draws in his own; the bid is the buyer's pot."""
    now = decided(play(table(), "seat 1 banks 10", "seat 4 banco solo"), 4, 1, bank=True)
    now = play(now, "paid", "seat 1 suite", "seat 5 bids 100", "sold")

    assert balances(now, 1, 4, 5) == [1010, 990, 900]


def test_nobody_buys_with_money_that_he_has_taken_away():
    """Z-3, R-28: a bid whose money has left the table does not count at the hammer."""
    now = decided(play(table(), "seat 1 banks 10", "seat 4 banco solo"), 4, 1, bank=True)
    now = play(now, "paid", "seat 1 suite", "seat 6 bids 20", "seat 5 bids 100")
    now = play(now, "seat 5 cashes out 901", "sold")

    assert (now.bank.seat, now.bank.pot) == (6, 20)


def test_the_seller_who_changes_his_seat_stays_barred():
    """Z-22, N-1: the bar is the player's, not the seat's."""
    now = decided(play(table(), "seat 1 banks 10", "seat 4 banco solo"), 4, 1, bank=True)
    now = play(now, "paid", "seat 1 suite", "seat 5 bids 100", "sold", "seat 3 leaves")
    now = play(now, "seat 1 moves to 3")
    offered = {
        offer.input["seat"]
        for offer in snapshot(now, Audience.CROUPIER).offers
        if offer.input["type"] == "banco"
    }

    assert offered == {2, 4, 6, 7, 8, 9}


def test_after_a_change_of_seat_the_bank_passes_twice():
    """N-1: it cannot be waived; the third time he may hold it."""
    now = play(table(house=NEMZETI), "seat 2 leaves", "seat 1 moves to 2")
    for _ in range(2):
        with pytest.raises(Refusal) as no:
            play(now, "seat 2 banks 10")
        assert no.value.rule == "N-1"
        now = play(now, *(f"seat {seat} passes" for seat in range(2, 13)))

    play(now, "seat 2 banks 10")


def test_two_who_swap_take_their_chips_along():
    """N-1: each sits where the other sat, with what is his."""
    now = play(table(), "seat 3 tips 50", "seat 3 swaps with 4")

    assert balances(now, 3, 4) == [1000, 950]


@pytest.mark.parametrize("house", [ZOPPOT, MODERN], ids=lambda house: house.id)
def test_elsewhere_a_change_of_seat_costs_no_turn(house):
    """R-40: the two passes are Nemzeti's, also where two swap."""
    now = play(table(house=house), "seat 2 leaves", "seat 1 moves to 2", "seat 3 swaps with 4")

    now = play(now, "seat 2 banks 10", "seat 2 passes", "seat 3 banks 10", "seat 3 passes")
    assert now.place == 4
    play(now, "seat 4 banks 10")


@pytest.mark.parametrize(
    "house", [replace(ZOPPOT, passes_after_move=2), NEMZETI], ids=lambda house: house.id
)
def test_a_bank_that_another_gives_up_is_no_turn_of_who_changed_his_seat(house):
    """N-1, N-7, ZP-18: he may buy it or take it over; his own two turns must still go by."""
    now = play(table(house=house), "seat 4 leaves", "seat 5 moves to 4", "seat 1 banks 10")
    now = play(now, "seat 2 banco solo" if house.stakes == "games" else "seat 2 stakes 10")
    now = play(now, *deal("2h Kc", "9d Ks"), "seat 2 reste", "seat 1 opens", "seat 2 opens", "paid")
    sale = ("seat 1 suite", "seat 4 bids 50", "sold")
    now = play(now, *(sale if house.sale == "auction" else ("seat 1 passes", "seat 4 takes over")))

    assert now.bank.seat == 4
    assert passes_due(now, 4) == 2
