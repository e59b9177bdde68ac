"""Things that an input must not change: at other houses, after a change of seats, in a prompt."""

from __future__ import annotations

from typing import Any

import pytest

from table_controller.engine.chemin_de_fer.state import Table, passes_due
from table_controller.engine.chemin_de_fer.view import snapshot
from table_controller.engine.messages import Audience
from table_controller.engine.table import felt
from tests.engine.playing import NEMZETI, deal, play, table
from tests.engine.telling import BANK, FOUR, SOLO, STAKED, WON, told


def player(now: Table, place: int) -> Any:
    """Who is at that place."""
    return felt.player(now.felt, place)


def test_the_other_house_tells_its_own():
    """N-3, N-5, N-7: taken up, halved, what stands of a tie, taken over."""
    now = play(table(house=NEMZETI), *STAKED)
    assert told(now, "seat 1 halves") == ["pot_changed seat=1 pot=50 aside=0"]
    four = play(now, *deal("7h Kc", "7d Ks"))
    assert told(four, "seat 2 takes up") == ["cards_taken_up seat=2"]
    assert told(four, "nichts geht mehr") == ["stakes_closed staked=50 covered=50"]
    tie = play(four, "seat 2 reste", "seat 1 opens", "seat 1 stands", "seat 2 opens")
    assert told(tie, "paid") == ["coup_paid coup=1", "pot_changed seat=1 pot=50 aside=50"]
    paid = play(tie, "paid")
    assert told(paid, "seat 1 draws in") == ["pot_changed seat=1 pot=50 aside=0"]
    assert told(paid, "seat 1 raises 20") == ["pot_changed seat=1 pot=70 aside=30"]
    assert told(paid, "seat 1 raises 60") == ["pot_changed seat=1 pot=110 aside=0"]
    assert told(paid, "seat 1 passes") == ["auction_begun seat=1 pot=50"]
    over = play(paid, "seat 1 passes")
    assert told(over, "seat 4 takes over") == [
        "bank_sold seat=1 to=4 pot=50",
        "bank_posted seat=4 pot=50",
    ]
    assert told(over, "sold") == ["schlitten_passed seat=1 to=2"]


def test_two_who_swap_or_one_who_moves_must_pass_where_the_house_says_so():
    """N-1, R-40: both of two, none who stood before; each passing counts once."""
    nemzeti, zoppot = table(house=NEMZETI), table()
    swapped = play(nemzeti, "seat 2 swaps with 3")
    assert [passes_due(swapped, seat) for seat in (1, 2, 3)] == [0, 2, 2]
    assert [player(swapped, seat).name for seat in (2, 3)] == ["player 3", "player 2"]
    moved = play(nemzeti, "seat 9 leaves", "seat 1 moves to 9", "standing 40 Eva", "seat 2 passes")
    assert passes_due(moved, 9) == 2
    seated = play(moved, "seat 101 moves to 1")
    assert (passes_due(seated, 1), player(seated, 1).name) == (0, "Eva")
    assert passes_due(play(zoppot, "seat 2 swaps with 3"), 2) == 0
    turn = play(swapped, "seat 1 passes", "seat 2 passes")
    assert [passes_due(turn, seat) for seat in (2, 3)] == [1, 2]
    banked = play(table(house=NEMZETI), "seat 1 banks 10", "seat 1 passes")
    assert passes_due(banked, 1) == 0


def test_suivi_and_the_last_stakes_follow_who_moves():
    """ZP-13: the player, not the place."""
    lost = play(table(), *WON, "seat 9 leaves")
    assert (lost.suivi, [one.seat for one in lost.previous]) == (2, [2])
    moved = play(lost, "seat 2 moves to 9")
    assert (moved.suivi, [one.seat for one in moved.previous]) == (9, [9])
    swapped = play(lost, "seat 2 swaps with 3")
    assert (swapped.suivi, [one.seat for one in swapped.previous]) == (3, [3])
    gone = play(lost, "seat 2 leaves")
    assert (gone.suivi, [one.seat for one in gone.previous]) == (0, [0])
    other = play(lost, "seat 3 leaves")
    assert (other.suivi, [one.seat for one in other.previous]) == (2, [2])


def test_forty_may_stand_and_the_first_free_place_is_taken():
    """ZP-17."""
    now = play(table(), *["standing 5 Eva"] * 40)
    assert snapshot(now, Audience.CROUPIER).seats[-1].seat == 140
    with pytest.raises(Exception, match="40 players stand already"):
        play(now, "standing 5 Eva")
    again = play(now, "seat 103 leaves", "standing 6 Adam")
    assert (player(again, 103).name, player(again, 103).balance) == ("Adam", 6)


@pytest.mark.parametrize(
    ("lines", "said", "anew"),
    [
        ((), "seat 2 buys in 5", False),
        ((), "seat 2 by the schlitten", False),
        ((), "croupier Anna", False),
        ((), "seat 2 leaves", False),
        ((), "seat 1 leaves", True),  # the Schlitten stands at another seat now
        ((), "seat 1 banks 100", True),
        (BANK, "seat 1 raises 5", True),
        (BANK, "seat 3 joins the bank 5", True),
        (BANK, "all may stake", True),
        ((*BANK, "all may stake"), "seat 3 stakes 20", True),  # he holds the cards now
        ((*BANK, "all may stake", "seat 3 stakes 20"), "seat 4 stakes 10", False),
        ((*BANK, "all may stake", "seat 3 stakes 20"), "seat 4 stakes 30", True),
        ((*BANK, "all may stake", "seat 3 stakes 20"), "seat 3 stakes 30", False),
        ((*BANK, "all may stake", "seat 3 stakes 20"), "nichts geht mehr", True),
        ((*BANK, "seat 2 banco 60 with the table"), "seat 3 stakes 10", False),
        (SOLO, "card 2h", True),
        (FOUR, "seat 2 carte", True),
        (FOUR, "waited", False),
        (FOUR, "ruled why", False),
        (WON[:-1], "tick 0", False),
        ((*WON[:-1], "tick 0"), "tick 1", True),
        ((*WON, "seat 1 suite"), "seat 3 bids 20", True),
    ],
)
def test_a_question_is_a_new_one_only_where_something_else_is_asked(lines, said, anew):
    """What a person was about to press still counts while the table waits for the same."""
    now = play(table(), *lines)
    after = play(now, said)

    assert (after.prompt != now.prompt) is anew
    assert after.prompt >= now.prompt
