"""A card that waits: what a refusal names meanwhile, and where the card then belongs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table_controller.engine.messages import Refusal
from table_controller.engine.table.felt import aside
from tests.engine.punto_banco.playing import game, house, played, step, table

BET = "seat 1 bets 10 on player"
UNREAD, CLOSED = (BET, "card unread no_read"), (BET, "no more bets", "card unread no_read")
STRAY = (BET, "lid opens", "card 2h")


@pytest.mark.parametrize(
    ("lines", "said", "remedy", "taken"),
    [
        ((BET, "no more bets"), "annul x", "Deal the first card.", "card 2h"),
        (UNREAD, "annul x", "Show the card again, have two people enter it, or say that none left.",
         "no card left"),
        (CLOSED, "thrown away x",
         "Show the card again, have two people enter it, or say that none left.", "card 2h"),
        (UNREAD, "thrown away x", "Close it and load the next one.", "schlitten closed"),
        (STRAY, "annul x", "Say whether it is closed or uncovered.", "stray burned because seen"),
    ],
)  # fmt: skip
def test_annulling_without_a_coup_names_what_is_due_and_that_is_taken(lines, said, remedy, taken):
    """PB-25, N-9, R-59: a card that waits is settled first; it is no first card yet."""
    now = played(table(), *lines)
    with pytest.raises(Refusal) as no:
        step(now, game.read(said))

    assert str(no.value.remedy) == remedy
    played(now, taken)


def test_a_kept_card_comes_first_once_the_mains_are_back():
    """PB-20, R-53: kept while nothing went on, it is Player's third card; the next one is a stray.

    Player holds 5 and Banker 2, both closed when the fifth card leaves.
    """
    squeezed = replace(house(), bets=False, dealing="squeezed")
    cards = ("card 2c", "card Kh", "card 3c", "card 2d", "card 4d")
    waits = ("power fails", "stray kept because unseen", "player opened", "banker opened")

    now = played(table(squeezed), *cards, *waits, "power back", "card 6h")

    assert [dealt.card for dealt in now.phase.player] == ["2c", "3c", "4d"]
    assert [dealt.card for dealt in now.phase.banker] == ["Kh", "2d"]
    assert [dealt.card for dealt in aside(now.felt)] == ["6h"]
