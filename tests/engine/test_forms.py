"""Every button of bank and stakes, word for word.

They are written out by hand from the rules, one moment after the other. So no bound of a sum, no
place of a list and no word of a form can change unseen. `!` means that the button must be held
down.
"""

from __future__ import annotations

from dataclasses import replace

from tests.engine.offered import PLAY, four, nine, shown
from tests.engine.playing import ZOPPOT, deal, play


def test_a_bank_is_put_up_or_passed_on():
    """ZP-5, Z-5: with what its player has, from the house's least."""
    assert shown(four(), *PLAY) == [
        "main: seat 1 banks = banks seat=1 | chips 10..100 from 10",
        "main: seat 1 passes = passes seat=1",
        "more: open bank = opens_bank seat=1",
    ]
    poor = play(four(), "seat 1 cashes out 91")
    assert shown(poor, *PLAY) == [
        "main: seat 1 passes = passes seat=1",
        "more: open bank = opens_bank seat=1",
    ]
    most = four(house=replace(ZOPPOT, most_pot=60))
    assert shown(most, *PLAY)[0] == "main: seat 1 banks = banks seat=1 | chips 10..60 from 10"


def test_the_four_games_against_a_pot():
    """ZP-15: two big buttons, the best right first; what one has not is his partner's to lay."""
    now = play(four(), "seat 4 cashes out 70", "seat 1 banks 41")

    assert shown(now, *PLAY) == [
        "main: seat 2: Banco solo = banco seat=2",
        "main: seat 3: Banco solo = banco seat=3",
        (
            "more: Banco with a partner = banco_with_partner"
            " | seat 2(..100) 3(..100) 4(..30) | partner 3(-59..) 4(11..) 2(-59..)"
            " | chips 2..39 from 21"
        ),
        (
            "more: Banco with the table = banco_with_table"
            " | seat 2(..100) 3(..100) 4(..30) | chips 21..40 from 21"
        ),
        "main: all may stake = open_game",
        "more: raise the pot = raises seat=1 | chips 1..59 from 1",
        (
            "more: a partner joins the bank = joins"
            " | seat 2(..100) 3(..100) 4(..30) | chips 1..100 from 10"
        ),
        "more: the banker passes = passes seat=1",
    ]


def test_a_pot_that_may_not_grow_is_neither_raised_nor_joined_beyond_its_limit():
    """R-12: what is left up to the house's greatest pot."""
    now = play(four(house=replace(ZOPPOT, most_pot=50)), "seat 1 banks 41")
    assert shown(now, "more")[-3:] == [
        "more: raise the pot = raises seat=1 | chips 1..9 from 1",
        (
            "more: a partner joins the bank = joins | seat 2(..100) 3(..100) 4(..100)"
            " | chips 1..9 from 9"
        ),
        "more: the banker passes = passes seat=1",
    ]
    full = play(four(house=replace(ZOPPOT, most_pot=41)), "seat 1 banks 41")
    assert shown(full, "more")[-1:] == ["more: the banker passes = passes seat=1"]
    assert not [one for one in shown(full, "more") if "raise" in one or "joins" in one]


def test_a_third_who_can_play_alone_has_a_small_button():
    """ZP-13, R-9: from the prime on."""
    lines = shown(play(four(), "seat 1 banks 20"), *PLAY)

    assert lines[:3] == [
        "main: seat 2: Banco solo = banco seat=2",
        "main: seat 3: Banco solo = banco seat=3",
        "more: seat 4: Banco solo = banco seat=4",
    ]


def test_the_least_game_of_all():
    """ZP-15, R-12: a pot of the least stake has no room for a partner, nor half for the table."""
    small = four(house=replace(ZOPPOT, least_pot=2))
    assert [one for one in shown(play(small, "seat 1 banks 2"), *PLAY) if "Banco with" in one] == []
    assert [one for one in shown(play(small, "seat 1 banks 3"), *PLAY) if "Banco with" in one] == [
        (
            "more: Banco with the table = banco_with_table"
            " | seat 2(..100) 3(..100) 4(..100) | chips 2..2 from 2"
        ),
    ]
    assert [one for one in shown(play(small, "seat 1 banks 4"), *PLAY) if "Banco with" in one] == [
        (
            "more: Banco with a partner = banco_with_partner"
            " | seat 2(..100) 3(..100) 4(..100) | partner 3(-96..) 4(-96..) 2(-96..)"
            " | chips 2..2 from 2"
        ),
        (
            "more: Banco with the table = banco_with_table"
            " | seat 2(..100) 3(..100) 4(..100) | chips 2..3 from 2"
        ),
    ]


def test_an_open_game_is_staked_by_who_can():
    """ZP-16, R-43: the least first; Banco still goes before; the banker passes."""
    now = play(four(), "seat 3 cashes out 99", "seat 1 banks 40", "all may stake")

    assert shown(now, *PLAY) == [
        "main: nobody stakes = closes",
        "more: seat 2: Banco solo = banco seat=2",
        "more: seat 4: Banco solo = banco seat=4",
        (
            "more: Banco with a partner = banco_with_partner"
            " | seat 2(..100) 4(..100) | partner 4(-60..) 2(-60..) | chips 2..38 from 20"
        ),
        (
            "more: Banco with the table = banco_with_table"
            " | seat 2(..100) 4(..100) | chips 20..39 from 20"
        ),
        "more: seat 2 stakes = stakes seat=2 | chips 2..100 from 2",
        "more: seat 4 stakes = stakes seat=4 | chips 2..100 from 2",
        "more: the banker passes = passes seat=1",
    ]


def test_stakes_that_lie_may_be_changed_and_taken_back():
    """ZP-16: up to all that he has, beginning with what lies."""
    now = play(four(), "seat 1 banks 40", "all may stake", "seat 3 stakes 7")

    assert [one for one in shown(now, *PLAY) if "banco" not in one] == [
        "main: nichts geht mehr, ab dafür = closes",
        "more: seat 2 stakes = stakes seat=2 | chips 2..100 from 2",
        "more: seat 3 stakes = stakes seat=3 | chips 2..100 from 7",
        "more: seat 4 stakes = stakes seat=4 | chips 2..100 from 2",
        "more: takes his stake back = stakes chips=0 | seat 3",
    ]


def test_a_game_with_the_table_is_filled_by_the_others():
    """ZP-15 III, R-21: the pointeur has named his stake; then each is asked for what is left."""
    now = play(four(), "seat 1 banks 60", "seat 2 banco 31 with the table")
    assert shown(now, *PLAY) == [
        "main: nichts geht mehr, ab dafür = closes",
        "more: seat 3 stakes = stakes seat=3 | chips 2..100 from 2",
        "more: seat 4 stakes = stakes seat=4 | chips 2..100 from 2",
    ]

    asked = play(now, "seat 3 stakes 4", "nichts geht mehr")
    assert shown(asked, *PLAY) == [
        "main: seat 3 takes = stakes seat=3 | chips 1..25 from 25",
        "main: seat 3 declines = declines seat=3",
    ]
    poor = play(now, "seat 3 stakes 4", "seat 3 cashes out 87", "nichts geht mehr")
    assert shown(poor, "main")[0] == "main: seat 3 takes = stakes seat=3 | chips 1..9 from 9"


def test_who_has_a_better_right_may_take_the_place_until_cards_lie():
    """R-9, R-24: by a lower game, or by sitting nearer; the prime by any."""
    now = play(four(), "seat 1 banks 60", "seat 3 banco 31 with the table")
    assert shown(now, *PLAY) == [
        "main: nichts geht mehr, ab dafür = closes",
        "more: seat 2 stakes = stakes seat=2 | chips 2..100 from 2",
        "more: seat 4 stakes = stakes seat=4 | chips 2..100 from 2",
        "more: better right: seat 2, Banco solo = banco seat=2",
        "more: better right: seat 3, Banco solo = banco seat=3",
        "more: better right: seat 4, Banco solo = banco seat=4",
        (
            "more: better right: Banco with a partner = banco_with_partner"
            " | seat 2(..100) 3(..100) 4(..100) | partner 3(-40..) 4(-40..) 2(-40..)"
            " | chips 2..58 from 30"
        ),
        (
            "more: better right: Banco with the table = banco_with_table | seat 2(..100)"
            " | chips 30..59 from 30"
        ),
    ]
    solo = play(four(), "seat 1 banks 60", "seat 4 banco solo")
    assert shown(solo, *PLAY) == [
        "more: better right: seat 2, Banco solo = banco seat=2",
        "more: better right: seat 3, Banco solo = banco seat=3",
        (
            "more: better right: Banco with a partner = banco_with_partner"
            " | seat 2(..100) | partner 3(-40..) 4(-40..) | chips 2..58 from 30"
        ),
        (
            "more: better right: Banco with the table = banco_with_table"
            " | seat 2(..100) | chips 30..59 from 30"
        ),
    ]
    assert shown(play(solo, "card 2h"), *PLAY) == [
        "more: better right: seat 2 = banco seat=2",
        "more: better right: seat 3 = banco seat=3",
    ]
    assert shown(play(solo, *deal("2h Kc", "3d Ks")), "more") == []


def test_a_partner_who_draws_in_and_a_bank_that_is_sold():
    """ZP-18, Z-22: after a bank that won, Suite; then bids from the highest on."""
    won = play(
        four(),
        *("seat 1 banks 20", "seat 2 banco solo", *deal("2h Kc", "9d Ks")),
        *("seat 2 carte", "seat 1 opens", "seat 2 opens", "paid"),
    )
    assert [one for one in shown(won, "more") if "Banco" not in one] == [
        "more: Suite = suite seat=1",
        "more: raise the pot = raises seat=1 | chips 1..80 from 1",
        (
            "more: a partner joins the bank = joins | seat 2(..80) 3(..100) 4(..100)"
            " | chips 1..100 from 10"
        ),
        "more: the banker passes = passes seat=1",
    ]
    sale = play(won, "seat 1 suite")
    assert shown(sale, *PLAY) == [
        "main!: sold = sold",
        "more: seat 2 bids = bids seat=2 | chips 10..80 from 10",
        "more: seat 3 bids = bids seat=3 | chips 10..100 from 10",
        "more: seat 4 bids = bids seat=4 | chips 10..100 from 10",
    ]
    bid = play(sale, "seat 3 bids 30")
    assert shown(bid, *PLAY) == [
        "main!: sold = sold",
        "more: seat 2 bids = bids seat=2 | chips 30..80 from 40",
        "more: seat 3 bids = bids seat=3 | chips 30..100 from 40",
        "more: seat 4 bids = bids seat=4 | chips 30..100 from 40",
    ]


def test_an_open_bank_asks_for_its_stake():
    """Z-5, Z-3: what is staked against it, or what its banker lacks for that first."""
    now = play(four(), "seat 1 banks open", "all may stake", "seat 2 stakes 30", "nichts geht mehr")
    assert shown(now, *PLAY) == ["main: the bank's stake = banks seat=1 | chips 30..100 from 30"]

    poor = play(four(), "seat 1 cashes out 80", "seat 1 banks open", "all may stake")
    poor = play(poor, "seat 2 stakes 30", "nichts geht mehr")
    assert shown(poor, *PLAY) == [
        "main: seat 1 buys in = buys_in seat=1 | chips 10..1000000 from 10"
    ]
    rich = play(four(), "seat 2 buys in 1000000", "seat 2 buys in 1000000", "seat 1 banks open")
    rich = play(rich, "all may stake", "seat 2 stakes 2000000", "nichts geht mehr")
    assert shown(rich, *PLAY) == [  # more than can be brought at a time: again
        "main: seat 1 buys in = buys_in seat=1 | chips 1000000..1000000 from 1000000"
    ]


def test_stakes_at_the_other_house():
    """N-3, R-33: all may stake at once; what changes after the cards is said."""
    now = play(nine(), *(f"seat {seat} leaves" for seat in range(4, 13)), "seat 1 banks 40")
    assert shown(now, *PLAY) == [
        "main: all may stake = open_game",
        "more: seat 2 stakes = stakes seat=2 | chips 2..100 from 2",
        "more: seat 3 stakes = stakes seat=3 | chips 2..100 from 2",
        "more: raise the pot = raises seat=1 | chips 1..60 from 1",
        "more: halve the bank = halves seat=1",
        "more: a partner joins the bank = joins | seat 2(..100) 3(..100) | chips 1..100 from 10",
        "more: the banker passes = passes seat=1",
    ]
    staked = play(now, "seat 2 stakes 20")
    assert shown(staked, *PLAY) == [
        "main: rien ne va plus = closes",
        "more: seat 2 stakes = stakes seat=2 | chips 2..100 from 20",
        "more: seat 3 stakes = stakes seat=3 | chips 2..100 from 2",
        "more: takes his stake back = stakes chips=0 | seat 2",
        "more: halve the bank = halves seat=1",
        "more: the banker passes = passes seat=1",
    ]
    dealt = play(staked, *deal("2h Kc", "3d Ks"))
    assert shown(dealt, *PLAY) == [
        "main: reste = spoke seat=2 word=reste",
        "main: carte = spoke seat=2 word=carte",
        "main!: opens: Schlag = spoke seat=2 word=schlag",
        "more: seat 2 takes up its cards = takes_up seat=2",
        "more: rien ne va plus = closes",
        "more: seat 2 stakes = stakes seat=2 | chips 20..100 from 20",
        "more: seat 3 stakes = stakes seat=3 | chips 2..100 from 2",
    ]
    closed = play(dealt, "nichts geht mehr")
    assert shown(closed, "more") == [
        "more: seat 2 takes up its cards = takes_up seat=2",
        (
            "more: a stake with the banker's consent = stakes consent=True"
            " | seat 2(..100) 3(..100) | chips 2..100 from 2"
        ),
    ]


def test_a_bank_that_is_taken_over():
    """N-7: by whoever can; two big buttons, the others small ones."""
    now = play(nine(), *(f"seat {seat} leaves" for seat in range(6, 13)), "seat 1 banks 40")
    now = play(now, "seat 2 stakes 20", *deal("2h Kc", "9d Ks"), "seat 2 carte")
    now = play(now, "seat 1 opens", "seat 2 opens", "paid", "seat 1 passes")

    assert shown(now, *PLAY) == [
        "main: seat 2 takes over = takes_over seat=2",
        "main: seat 3 takes over = takes_over seat=3",
        "more: seat 4 takes over = takes_over seat=4",
        "more: seat 5 takes over = takes_over seat=5",
        "main!: nobody = sold",
    ]
