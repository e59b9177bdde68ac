"""What the table says it waits for between two deals, whole.

Written out by hand from the rules, a moment of every kind; no word of it can change unseen.
"""

from __future__ import annotations

import pytest

from tests.engine.asked import dealt, pot, prompt
from tests.engine.playing import NEMZETI, deal, play, table


def test_a_bank_is_due():
    """ZP-5: with the house's least and unit."""
    assert prompt(table()) == [
        "",
        "Seat 1: how much in the bank?",
        "The Schlitten stands here. The least is 10 G.",
        "ZP-5 [1] bank",
    ]


def test_a_bank_that_was_lost_is_news_where_the_schlitten_came_from_it():
    """ZP-19: and not once it was passed on further."""
    lost = dealt("9h Kc", "2d Ks", "seat 2 schlag", "seat 1 opens", "paid")
    assert prompt(lost)[:2] == ["Seat 1 lost its bank.", "Seat 2: how much in the bank?"]
    assert prompt(play(lost, "seat 2 passes"))[0] == ""
    won = dealt("2h Kc", "9d Ks", "seat 2 carte", "seat 1 opens", "seat 2 opens", "paid")
    assert prompt(play(won, "seat 1 passes"))[0] == ""


def test_two_players_are_wanted():
    """ZP-3."""
    now = play(table(), *(f"seat {seat} leaves" for seat in range(2, 10)))

    assert prompt(now) == [
        "",
        "Players, please",
        "Two are needed: one for the bank, one against it.",
        "ZP-3 [] between",
    ]


@pytest.mark.parametrize(
    ("steps", "ask"),
    [
        (0, "Mix all the cards, face up"),
        (1, "Now face down: mach Salat"),
        (2, '"Carte passe": the players mix once more'),
        (3, "Mix again, then hand the cards to the cutter"),
        (4, "The cutter parts them with the white card"),
        (5, "Lift off, count seven from the bottom, put in the white card"),
        (6, "Load the Schlitten"),
    ],
)
def test_the_cards_are_prepared_step_by_step(steps, ask):
    """ZP-4: the call, and how many coups the one before gave while nothing is done yet."""
    now = dealt("9h Kc", "2d Ks", "seat 2 schlag", "seat 1 opens", "paid", "schlitten closed")
    news = "" if steps else "Schlitten 1 is closed and counted. Coups: 1."

    assert prompt(play(now, *["prepared"] * steps)) == [
        news,
        ask,
        "Mixed and cut, the white card 7 from the end.",
        "ZP-4 [] between",
    ]


def test_a_pot_is_called_as_the_house_calls_it():
    """ZP-15, N-3, Z-5."""
    assert prompt(pot()) == [
        "The bank stands at 100 G.",
        "100 G, banco! Who plays?",
        "Solo, with a partner or with the table; nobody, and all may stake.",
        "ZP-15 [] stakes",
    ]
    assert prompt(pot(house=NEMZETI)) == [
        "The bank stands at 100 K.",
        "100 K in the bank: your stakes, please",
        "The highest stake holds the cards.",
        "N-3 [] stakes",
    ]
    assert prompt(play(table(), "seat 1 banks open")) == [
        "Seat 1 opens the bank.",
        "Bitte das Spiel zu machen zur offenen Bank",
        "All may stake; the highest stake holds the cards.",
        "Z-5 [] stakes",
    ]


def test_stakes_are_asked_for():
    """ZP-15 III, ZP-16, N-3: who holds the cards so far."""
    assert prompt(pot("seat 3 banco 60 with the table")) == [
        "60 lie against 100.",
        "Banco with the table: your stakes, please",
        "Seat 3 holds the cards; the table stakes the rest.",
        "ZP-15 [] stakes",
    ]
    assert prompt(pot("all may stake")) == [
        "0 lie against 100.",
        "Your stakes, please",
        "The highest stake holds the cards.",
        "ZP-16 [] stakes",
    ]
    assert prompt(pot("all may stake", "seat 3 stakes 20"))[2:] == [
        "Seat 3 holds the cards so far.",
        "ZP-16 [] stakes",
    ]
    assert prompt(pot("seat 3 stakes 20", house=NEMZETI))[3] == "N-3 [] stakes"


def test_what_the_table_lacks_is_offered_round():
    """R-21."""
    now = pot("seat 3 banco 60 with the table", "seat 4 stakes 5", "nichts geht mehr")

    assert prompt(now) == [
        "The table has not staked the rest of the pot.",
        "Seat 2: a part of 35?",
        "Offered round the table from the prime on; what nobody takes is not played for.",
        "R-21 [2] stakes",
    ]


def test_an_open_bank_puts_its_money_up_before_it_deals():
    """Z-5."""
    now = play(table(), "seat 1 banks open", "all may stake", "seat 2 stakes 30")

    assert prompt(play(now, "nichts geht mehr")) == [
        "The stakes are closed.",
        "Seat 1: the bank's stake, please",
        "30 at least; only then may he deal.",
        "Z-5 [1] stakes",
    ]


def test_a_bank_is_for_sale():
    """ZP-18: the best bid so far."""
    now = dealt("2h Kc", "9d Ks", "seat 2 carte", "seat 1 opens", "seat 2 opens", "paid")
    now = play(now, "seat 1 suite")
    words = ["Seat 1: Suite.", "The bank is for sale: who offers more?"]

    assert prompt(now) == [
        *words, "The highest pot holds the bank; so far 0 G.", "ZP-18 [] between"
    ]  # fmt: skip
    assert prompt(play(now, "seat 3 bids 30", "seat 4 bids 45")) == [
        *words, "The highest pot holds the bank; so far 45 G.", "ZP-18 [] between"
    ]  # fmt: skip


def test_a_bank_is_taken_over_at_its_height():
    """N-7."""
    now = pot("seat 2 stakes 20", *deal("2h Kc", "9d Ks"), "seat 2 carte", house=NEMZETI)
    now = play(now, "seat 1 opens", "seat 2 opens", "paid", "seat 1 passes")

    assert prompt(now) == [
        "Seat 1 gives up the bank.",
        "Who takes the bank over at 119 K?",
        "At its height, and it may not be halved.",
        "N-7 [] between",
    ]


def test_too_few_cards_for_what_was_called():
    """R-6, R-37, Z-24: by the count."""
    last = table(left=10)
    now = play(last, "seat 1 banks 100", "seat 2 banco solo", *deal("2h Kc", "9d Ks"))
    now = play(now, "seat 2 carte", "seat 1 opens", "seat 2 opens", "paid")
    assert prompt(now) == [
        "The Schlitten is over. Coups: 1.",
        "Close and count the Schlitten",
        "By the count 6 cards are left; a coup needs 7.",
        "R-6 [] between",
    ]
    called = play(table(left=7), "seat 1 banks 100", "all may stake", "seat 2 stakes 30")
    assert prompt(called)[0] == "30 lie against 100."
    burned = play(called, "card 2h", "stray burned")
    assert prompt(burned) == [
        "The Schlitten is over. Coups: 0.",
        "Annul the coup: too few cards are left",
        "By the count 6 cards are left; a coup needs 7.",
        "R-37 [] stakes",
    ]
