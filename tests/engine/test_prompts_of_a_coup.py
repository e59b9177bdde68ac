"""What the table says it waits for during a coup and after it, whole.

Written out by hand from the rules, a moment of every kind; no word of it can change unseen.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from table_controller.engine.messages import OutOfTurn
from tests.engine.asked import dealt, pot, prompt
from tests.engine.playing import MODERN, NEMZETI, deal, play, table


def test_four_cards_are_dealt():
    """ZP-6: to whom the next one goes, and how many are still to come."""
    now = pot("seat 2 banco solo")
    mine, his = ("Two cards each, closed; this one is the banker's own.",
                 "Two cards each, closed; this one is the pointeur's.")  # fmt: skip
    for left, why in ((4, his), (3, mine), (2, his), (1, mine)):
        assert prompt(now) == ["", f"Seat 1 deals: {left} more", why, "ZP-6 [1] deal"]
        now = play(now, "card 2h")


def test_a_tie_is_dealt_again():
    """R-4: it is said so until the first card lies."""
    now = dealt("7h Kc", "7d Ks", "seat 2 reste", "seat 1 opens", "seat 1 stands")
    now = play(now, "seat 2 opens", "paid")

    assert prompt(now) == [
        "En carte: the stakes stand, a new deal.",
        "Seat 1 deals: 4 more",
        "Two cards each, closed; this one is the pointeur's.",
        "R-4 [1] deal",
    ]
    assert prompt(play(now, "card 3c"))[0] == ""
    assert prompt(play(now, "card 3c"))[3] == "ZP-6 [1] deal"


def test_the_pointeur_says_his_word():
    """ZP-12, R-34, Z-8: with closed cards, with his own open, with all four open."""
    now = dealt("2h Kc", "3d Ks")
    ask = "Seat 2: carte or reste?"
    assert prompt(now) == [
        "Four cards lie.",
        ask,
        "Or he shows a Schlag: 8 or 9 with two cards.",
        "ZP-12 [2] the word",
    ]
    assert prompt(play(now, "seat 2 schlag")) == [
        "Seat 2 opened, and it is no Schlag.",
        ask,
        "His cards stay open; he must still say a word.",
        "R-34 [2] the word",
    ]
    assert prompt(play(now, "seat 1 exposed"))[0] == "Four cards lie."
    assert prompt(play(now, "seat 1 exposed", "seat 2 exposed")) == [
        "All four cards lie open.",
        ask,
        "He says his word all the same; the banker plays by the custom.",
        "Z-8 [2] the word",
    ]


@pytest.mark.parametrize(
    ("word", "news"), [("carte", 'Seat 2: "carte".'), ("reste", 'Seat 2: "reste".')]
)
def test_the_banker_opens_after_the_word(word, news):
    """ZP-12."""
    assert prompt(dealt("2h Kc", "3d Ks", f"seat 2 {word}")) == [
        news,
        "Seat 1 opens the bank's cards",
        "The banker opens first, as soon as the pointeur has spoken.",
        "ZP-12 [1] bank opens",
    ]


def test_the_banker_opens_against_a_schlag():
    """ZP-7."""
    assert prompt(dealt("9h Kc", "3d Ks", "seat 2 schlag")) == [
        "Seat 2 shows 9.",
        "Seat 1 opens the bank's cards",
        "After a Schlag the banker opens his.",
        "ZP-7 [1] bank opens",
    ]


def test_a_card_is_given():
    """ZP-8."""
    assert prompt(dealt("2h Kc", "3d Ks", "seat 2 carte", "seat 1 opens")) == [
        "Seat 1 opened 3.",
        "Seat 1 gives seat 2 a card, open",
        "The pointeur asked for it, and the banker has no Schlag.",
        "ZP-8 [1] card given",
    ]


@pytest.mark.parametrize(
    ("banker", "third", "why"),
    [
        ("3d Ks", "4c", "The custom draws."),
        ("7d Ks", "4c", "The custom stands."),
        ("5d Ks", "4c", "The custom leaves this one to him."),
    ],
)
def test_the_banker_chooses_and_the_custom_is_told(banker, third, why):
    """ZX-2: what was opened, what was given, what the wall says."""
    now = dealt("2h Kc", banker, "seat 2 carte", "seat 1 opens", f"card {third}")

    assert prompt(now) == [
        f"Seat 1 opened {banker[0]}; seat 2 took 4c.",
        "Seat 1: card or stay?",
        why,
        "ZX-2 [1] banker draws?",
    ]


@pytest.mark.parametrize(
    ("banker", "why"),
    [
        ("3d Ks", "The custom draws, and it binds him."),
        ("7d Ks", "The custom stands, and it binds him."),
    ],
)
def test_a_banker_by_the_schlitten_is_told_that_he_is_bound(banker, why):
    """Z-21, R-18."""
    now = play(table(), "seat 1 by the schlitten", "seat 1 banks 100", "seat 2 banco solo")
    now = play(now, *deal("2h Kc", banker), "seat 2 carte", "seat 1 opens", "card 4c")

    assert prompt(now)[2:] == [why, "Z-21 [1] banker draws?"]


def test_for_a_card_that_was_not_given_there_is_no_information():
    """Z-20, R-2: where the pointeur stays; today's wall has a column for it."""
    stays = ("seat 2 reste", "seat 1 opens")
    assert prompt(dealt("6h Kc", "3d Ks", *stays)) == [
        "Seat 1 opened 3; seat 2 stays.",
        "Seat 1: card or stay?",
        "No card was given: he is free.",
        "R-2 [1] banker draws?",
    ]
    now = pot("seat 2 banco solo", *deal("6h Kc", "3d Ks"), *stays, house=MODERN)
    assert prompt(now)[2:] == ["The custom draws.", "ZX-2 [1] banker draws?"]


def test_the_last_two_words_of_a_coup():
    """Z-9, ZP-12: the banker's card, open; then the pointeur opens."""
    now = dealt("2h Kc", "3d Ks", "seat 2 carte", "seat 1 opens", "card 4c", "seat 1 draws")
    assert prompt(now) == [
        "Seat 1 draws.",
        "Seat 1: the banker's card, open",
        "A third card always lies face up.",
        "Z-9 [1] banker draws?",
    ]
    assert prompt(play(now, "card 2c")) == [
        "The bank has 5.",
        "Seat 2 opens the pointeur's cards",
        "Then it shows who has won.",
        "ZP-12 [2] pointeur opens",
    ]


def test_what_a_coup_came_to():
    """R-4, ZP-19, ZP-20: who won how much, and what becomes of the pot."""
    tie = dealt("7h Kc", "7d Ks", "seat 2 reste", "seat 1 opens", "seat 1 stands", "seat 2 opens")
    assert prompt(tie) == [
        "En carte: 7 to 7.",
        "A tie: the coup is played again",
        "The stakes stand, the same pointeur, a new deal; no cagnotte.",
        "R-4 [] settle",
    ]
    bank = dealt("2h Kc", "9d Ks", "seat 2 carte", "seat 1 opens", "seat 2 opens")
    assert prompt(bank) == [
        "Bank 9, pointeur 2.",
        "Seat 1 wins 100 G: collect",
        "The pot is 195 G after a cagnotte of 5.",
        "ZP-20 [1] settle",
    ]
    pointeur = dealt("9h Kc", "2d Ks", "seat 2 schlag", "seat 1 opens")
    assert prompt(pointeur) == [
        "Pointeur 9, bank 2.",
        "Seat 2 wins 100 G: pay",
        "The bank has lost 100 of 100: the Schlitten passes on.",
        "ZP-19 [2] settle",
    ]
    others = pot("all may stake", "seat 3 stakes 30", "seat 4 stakes 20", "nichts geht mehr")
    others = play(others, *deal("9h Kc", "2d Ks"), "seat 3 schlag", "seat 1 opens")
    assert prompt(others)[1:3] == [
        "Seat 3 wins 30, the others 20 G: pay",
        "The bank has lost 50 of 100: the Schlitten passes on.",
    ]


def test_a_bank_that_lost_by_a_rule():
    """Z-11: the cards do not count."""
    assert prompt(dealt("2h Kc", "9d Ks", "seat 1 throws")) == [
        "The bank has lost by rule Z-11.",
        "Seat 2 wins 100 G: pay",
        "The cards do not count.",
        "Z-11 [2] settle",
    ]


def test_what_stands_still_says_why():
    """R-13, Z-13, R-6: a card that nobody could read, one that was not due, a white one."""
    unread = pot("seat 2 banco solo", "card unread no_read")
    assert prompt(unread) == [
        "A card left and could not be read for certain.",
        "Show the card to the lip again",
        "Or two people each enter it, without seeing the other's entry.",
        "R-13 [] deal",
    ]
    once = play(unread, "named 2h")
    assert prompt(once) == [
        "A card left and could not be read for certain.",
        "A second person enters the card, unseen",
        "The two entries are compared and never shown.",
        "R-13 [] deal",
    ]
    assert prompt(pot("card 2h")) == [
        "A card left the Schlitten and none was due.",
        "Is the card still closed?",
        "Closed, it is the next deal's first card; uncovered, it is burned.",
        "Z-13 [] stakes",
    ]
    white = pot("seat 2 banco solo", "white card")
    assert prompt(white) == [
        "The white card came out.",
        "Last coup, play on, or annul?",
        "By the count 312 cards are left; the white card lies before 7.",
        "R-6 [] deal",
    ]


def test_entries_that_differ_begin_again():
    """R-13: each is named by another person."""
    unread = pot("seat 2 banco solo", "card unread no_read")
    now = play(unread, "named 2h [anna]", "named 3h [berta]")

    assert prompt(now)[:2] == [
        "The two entries differ: both begin again.",
        "Show the card to the lip again",
    ]


def test_a_misdeal_is_put_right_or_lost():
    """Z-12, N-4, R-15: without protest, until when the house says so."""
    late = "It is too late to put it right: the banker loses the coup."
    mends = "Without protest the croupier puts it right; else the banker loses."
    words = ["A misdeal.", "Put it right, or is the coup lost?"]

    assert prompt(dealt("2h Kc", "3d Ks", "misdealt")) == [*words, mends, "Z-12 [] the word"]
    nemzeti = pot("seat 2 stakes 20", *deal("2h Kc", "3d Ks"), house=NEMZETI)
    assert prompt(play(nemzeti, "misdealt")) == [*words, mends, "N-4 [] the word"]
    third = play(nemzeti, "seat 2 carte", "seat 1 opens", "card 4c", "misdealt")
    assert prompt(third) == [*words, late, "N-4 [] banker draws?"]
    dealt_out = replace(NEMZETI, retablir="third_dealt")
    four = pot("seat 2 stakes 20", *deal("2h Kc", "3d Ks"), house=dealt_out)
    assert prompt(play(four, "misdealt"))[2] == late
    three = pot("seat 2 stakes 20", *deal("2h Kc", "3d Ks")[:3], house=dealt_out)
    assert prompt(play(three, "misdealt"))[2] == mends


def test_what_was_taken_back_is_news():
    """R-20: in words, until somebody says something."""
    now = dealt("2h Kc", "3d Ks", "seat 2 reste", "take back")

    assert prompt(now)[0] == "Taken back: seat 2, reste."
    assert prompt(play(now, "seat 2 carte"))[0] == 'Seat 2: "carte".'


def test_a_hand_that_was_laid_open_is_answered_by_the_bank():
    """Z-8: without a word."""
    assert prompt(dealt("2h Kc", "3d Ks", "seat 2 exposed")) == [
        "The pointeur's cards lie open, or were thrown.",
        "Seat 1 opens the bank's cards",
        "The banker opens first, as soon as the pointeur has spoken.",
        "ZP-12 [1] bank opens",
    ]


def test_a_faux_tirage_is_offered_to_the_banker_and_its_claim_may_be_disputed():
    """Z-21, R-38."""
    begun = play(table(), "seat 2 by the schlitten", "seat 1 banks 100", "seat 2 banco solo")
    found = play(begun, *deal("7h Kc", "4d Ks"), "seat 2 carte", "seat 1 opens", "card 4h")
    assert prompt(play(found, "seat 1 stands", "seat 2 opens")) == [
        "Faux tirage: the pointeur's third card is given back.",
        "Seat 1: this card, or stay?",
        "The other side may have it as its third card; else it is burned.",
        "Z-21 [1] pointeur opens",
    ]
    claimed = play(begun, *deal("3h Kc", "4d Ks"), "seat 2 carte", "seat 1 opens", "card 5h")
    claimed = play(claimed, "seat 2 admits faux tirage")
    assert prompt(claimed)[0] == "Seat 2 admits a faux tirage: his hand must be opened."
    proven = play(found, "seat 2 admits faux tirage", "seat 2 opens")
    assert prompt(proven)[0] == "Faux tirage: the pointeur's third card is given back."
    claimed = play(claimed, "seat 1 draws", "seat 2 opens")
    assert prompt(claimed) == [
        "The custom did not forbid that card.",
        "A supervisor: the card counts, let it stand, or annul?",
        "The banker has drawn or burned it since.",
        "R-55 [] pointeur opens",
    ]


def test_a_lid_that_was_opened_during_a_coup_waits_for_a_supervisor():
    """R-51: whatever else is due, until he has ruled."""
    now = pot("seat 2 banco solo", "card 2h", "lid opens")
    asked = [
        "The lid was opened during the coup.",
        "A supervisor: annul, or let it stand?",
        "Cards may have been seen or moved.",
        "R-51 [] deal",
    ]
    assert prompt(now) == asked
    assert prompt(play(now, "lid closes", "card 3h")) == asked
    assert prompt(play(now, "lid ruled nobody"))[1:] == [
        "Seat 1 deals: 3 more",
        "Two cards each, closed; this one is the banker's own.",
        "ZP-6 [1] deal",
    ]


def test_no_coup_begins_while_the_lid_is_open():
    """R-56: the question says so where a first card could come; R-53 is asked once it is closed."""
    close = ["The lid is open.", "Close the lid", ""]
    assert prompt(pot("lid opens")) == [*close, "R-56 [] stakes"]
    assert prompt(pot("seat 2 banco solo", "lid opens")) == [*close, "R-56 [] deal"]
    assert prompt(pot("power fails", "lid opens")) == [*close, "R-56 [] stakes"]
    assert prompt(pot("lid opens", "power fails", "lid closes"))[3] == "R-53 [] stakes"
    assert prompt(pot("lid opens", "lid closes"))[3] == "ZP-15 [] stakes"
    assert prompt(play(table(), "lid opens"))[3] == "ZP-5 [1] bank"
    with pytest.raises(OutOfTurn) as no:
        pot("lid opens", "power fails", "seat 2 banco solo")
    assert (str(no.value.why), no.value.rule) == ("The mains are gone.", "R-53")


def test_no_coup_begins_on_the_battery():
    """R-53: nothing is asked for that would begin one; what is under way is played on."""
    waits = ["The mains are gone.", "No coup begins before the mains are back.", ""]
    assert prompt(pot("power fails")) == [*waits, "R-53 [] stakes"]
    assert prompt(pot("seat 2 banco solo", "power fails")) == [*waits, "R-53 [] deal"]
    assert prompt(pot("power fails", "power back"))[3] == "ZP-15 [] stakes"
    assert prompt(pot("seat 2 banco solo", "card 2h", "power fails"))[3] == "ZP-6 [1] deal"
    assert prompt(play(table(), "power fails"))[3] == "ZP-5 [1] bank"
