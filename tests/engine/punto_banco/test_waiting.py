"""What a refusal names instead, while a card waits and no coup is under way."""

from __future__ import annotations

import pytest

from table_controller.engine.messages import Refusal
from tests.engine.punto_banco.playing import game, played, step, table

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
