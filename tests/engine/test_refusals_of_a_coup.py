"""Every refusal of a word, a mistake and a repair, word for word.

Next to each refusal is the least change with which the table accepts the input. A refusal names the
reason, the remedy and the rule. All are written out by hand from the rules.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from table_controller.engine.messages import AgainstRules, OutOfTurn
from tests.engine.playing import NEMZETI, ZOPPOT, deal, play, table
from tests.engine.refusing import (
    BANK,
    BOUND,
    CHOOSE,
    FOUR,
    LOST,
    SOLO,
    STAKED,
    WON,
    expected,
    judged,
    refused,
)

#: House, what was said before, what is refused, how, and what would have been taken.
THE_COUP = [
    (ZOPPOT, FOUR, "seat 3 carte",
     "Seat 3 is not the pointeur. It is for seat 2 to act.",
     ("seat 2 carte", "seat 2 reste", "seat 2 schlag")),
    (ZOPPOT, FOUR, "seat 2 draws",
     ("Only the banker draws or stands."
      ' The pointeur says "carte" or "reste", or shows a Schlag. (ZP-12)'), ()),
    (ZOPPOT, (*FOUR, "seat 2 schlag"), "seat 2 opens",
     'His cards lie open already and are no Schlag. He must still say "carte" or "reste". (R-34)',
     ("seat 2 carte",)),
    (ZOPPOT, (*FOUR, "seat 2 carte"), "seat 2 reste",
     "The first word binds. Only a player by the Schlitten may correct himself. (Z-17)", ()),
    (ZOPPOT, (*FOUR, "seat 2 carte"), "seat 3 reste",
     "Seat 3 is not the pointeur. It is for seat 2 to act.", ()),
    (ZOPPOT, (*FOUR, "seat 2 carte"), "seat 2 draws",
     ("Only the banker draws or stands."
      ' The pointeur says "carte" or "reste", or shows a Schlag. (ZP-12)'), ()),
    (ZOPPOT, (*FOUR, "seat 2 carte"), "seat 2 schlag",
     "It is for the banker to open now. A Schlag that was not shown counts its points. (R-26)",
     ()),
    (ZOPPOT, (*FOUR, "seat 2 carte"), "seat 2 opens",
     "Seat 2 is not the banker. It is for seat 1 to act.", ("seat 1 opens",)),
    (ZOPPOT, CHOOSE, "seat 2 draws", "Seat 2 is not the banker. It is for seat 1 to act.",
     ("seat 1 draws", "seat 1 stands")),
    (ZOPPOT, CHOOSE, "seat 2 asks the schlitten",
     "Seat 2 is not the banker. It is for seat 1 to act.", ("seat 1 asks the schlitten",)),
    (ZOPPOT, CHOOSE, "seat 1 carte",
     "Only the pointeur says that. The banker draws or stands. (ZP-9)", ()),
    (ZOPPOT, (BOUND, *CHOOSE), "seat 1 stands",
     "He plays by the custom, and it draws. No settlement until he has drawn. (R-18)",
     ("seat 1 draws",)),
    (ZOPPOT, (BOUND, *SOLO, *deal("2h Kc", "7d Ks"), "seat 2 carte", "seat 1 opens", "card 4c"),
     "seat 1 draws",
     "He plays by the custom, and it stands. A card drawn all the same is burned. (Z-21)",
     ("seat 1 stands",)),
    (ZOPPOT, (*CHOOSE, "seat 1 stands"), "seat 1 opens",
     "Seat 1 is not the pointeur. It is for seat 2 to act.", ("seat 2 opens",)),
    (ZOPPOT, LOST, "tick 1",
     "There is no open payment 2 in this list. Tick a line that is not ticked yet. (Z-26)",
     ("tick 0", "paid")),
    (ZOPPOT, (*WON[:-1], "tick 0"), "tick 0",
     "There is no open payment 1 in this list. Tick a line that is not ticked yet. (Z-26)",
     ("tick 1",)),
]  # fmt: skip

MISTAKES = [
    (ZOPPOT, (*SOLO, "card 2h"), "seat 1 exposed",
     "Seat 1 is not the pointeur. It is for seat 2 to act.", ("seat 2 exposed",)),
    (ZOPPOT, SOLO, "seat 2 exposed",
     "No closed card lies before seat 2. Press it when a card was laid open by mistake. (Z-6)",
     ()),
    (ZOPPOT, (*SOLO, "card 2h", "seat 2 exposed"), "seat 2 exposed",
     "No closed card lies before seat 2. Press it when a card was laid open by mistake. (Z-6)",
     ()),
    (ZOPPOT, (*FOUR, "seat 2 schlag"), "seat 2 exposed",
     "His cards lie open already. He says his word. (Z-8)", ("seat 1 exposed",)),
    (ZOPPOT, FOUR, "seat 3 exposed", "Seat 3 is not the pointeur. It is for seat 2 to act.",
     ("seat 2 exposed", "seat 1 exposed")),
    (ZOPPOT, FOUR, "seat 3 throws", "Seat 3 is not the pointeur. It is for seat 2 to act.",
     ("seat 2 throws", "seat 1 throws")),
    (ZOPPOT, SOLO, "misdealt", "No card has been dealt. Begin the deal. (Z-12)", ()),
    (NEMZETI, (*STAKED, *CHOOSE[2:], "misdealt"), "put right",
     "It is too late to put the deal right. The banker has lost this coup. (N-4)",
     ("bank loses",)),
    (ZOPPOT, CHOOSE, "seat 1 admits faux tirage",
     "Seat 1 is not the pointeur. It is for seat 2 to act.", ()),
    (ZOPPOT, CHOOSE, "seat 2 admits faux tirage",
     ("No card of his can be given back. It is for a pointeur by the Schlitten who asked for a"
     " card. (Z-21)"), ()),
    (ZOPPOT, CHOOSE, "seat 2 opens",
     "Nothing of the kind is due now. The banker draws or stands. (ZP-12)", ()),
    (ZOPPOT, (*FOUR, "seat 2 carte", "seat 1 opens"), "take back",
     ("There is nothing that can be taken back now. An opening, a card and moved money stand; a"
     " supervisor repairs them. (R-20)"), ()),
    (ZOPPOT, ("seat 3 by the schlitten", *SOLO[:1]), "transfer 0 from 1 to 2 why",
     "0 cannot be moved like that. Name 1 or more, and two places; 0 is the cagnotte. (R-16)",
     ("transfer 1 from 1 to 2 why", "transfer 900 from 1 to 2 why")),
    (ZOPPOT, BANK, "transfer 5 from 2 to 2 why",
     "5 cannot be moved like that. Name 1 or more, and two places; 0 is the cagnotte. (R-16)",
     ()),
    (ZOPPOT, BANK, "transfer 1 from 0 to 2 why",
     "The cagnotte holds 0. Name no more than that. (R-16)", ()),
    (ZOPPOT, WON, "transfer 6 from 0 to 2 why",
     "The cagnotte holds 5. Name no more than that. (R-16)", ("transfer 5 from 0 to 2 why",)),
    (ZOPPOT, BANK, "transfer 1001 from 2 to 3 why",
     "Seat 2 has 1000 G, not 1001. Called stakes are not accepted: he buys in first. (Z-3)", ()),
    (ZOPPOT, BANK, "transfer 1 from 2 to 101 why",
     "Nobody is at place 101. Name an occupied seat, or a standing player's place from 101 on.",
     ()),
    (ZOPPOT, FOUR, "correct 5 2h why",
     "Card 5 does not lie on the table. Name a card of the present coup by its number. (R-20)",
     ("correct 4 2h why", "correct 1 2d why")),
    (replace(ZOPPOT, packs=1), ("card 5c", "stray burned", *FOUR), "correct 2 5c why",
     "The Schlitten cannot have held one more of that card. Look at the card again. (R-20)",
     ("correct 2 2d why", "correct 2 2h why", "correct 2 3d why", "correct 3 3d why")),
    (ZOPPOT, (*FOUR, "seat 2 schlag"), "correct 1 2d why",
     ("An open card has been played by already. Annul the coup; what was paid is moved back."
     " (R-20)"), ("correct 2 2d why",)),
    (ZOPPOT, (*SOLO, "card unread no_read", "named 2h [anna]"), "named 2h [anna]",
     "You have entered this card already. A second person enters it, without seeing your entry.",
     ("named 2h [berta]",)),
    (ZOPPOT, ("card 2h",), "stray misdealt",
     "It was not dealt in a coup that is under way. Say whether it is closed or uncovered. (R-19)",
     ("stray kept", "stray burned", "stray back", "stray face_up")),
    (ZOPPOT, ("card 2h",), "annul why",
     "No coup is under way that could be annulled. Say whether it is closed or uncovered. (R-19)",
     ()),
    (ZOPPOT, ("white card",), "white annul",
     "No coup is under way that could be annulled. Decide between last coup and play on. (Z-24)",
     ("white last_coup", "white play_on")),
    (ZOPPOT, (*LOST, "tick 0", "schlitten closed"), "schlitten closed",
     "Nothing of the kind is due now. The table asks: Mix all the cards, face up", ("prepared",)),
    (ZOPPOT, (*LOST, "paid", "schlitten closed", *["prepared"] * 6), "prepared",
     "The cards are mixed and cut. Load the Schlitten. (ZP-4)", ("schlitten again",)),
    (ZOPPOT, (*LOST, "paid", "schlitten closed"), "card 2h",
     "A card passed the lip, and no Schlitten is loaded. Load the Schlitten first, then deal.",
     ()),
    (ZOPPOT, (*SOLO, "white card", "white last_coup"), "white card",
     ("A white card passed the lip, and it had come out before. Lay it aside; the count goes on."
     " (R-6)"), ()),
]  # fmt: skip

LID = "The lid was opened during the coup. A supervisor: annul, or let it stand? (R-51)"
RULED = "Nothing of the kind is due now. It was cleared already; nothing is to be done. (R-51)"
MAINS = "The mains are gone. No coup begins before the mains are back. (R-53)"
#: The same where a device stops the table.
DEVICES = [
    (ZOPPOT, (*FOUR, "lid opens"), "seat 2 carte", LID, ("lid ruled nobody", "annul why")),
    (ZOPPOT, (*FOUR, "lid opens", "lid closes"), "take back", LID, ("thrown away why",)),
    (ZOPPOT, FOUR, "lid ruled nobody", RULED, ("lid opens",)),
    (ZOPPOT, (*BANK, "lid opens"), "lid ruled nobody", RULED, ("seat 2 banco solo",)),
    (ZOPPOT, (*BANK, "power fails"), "seat 2 banco solo", MAINS, ("seat 1 passes", "power back")),
    (ZOPPOT, (*BANK, "power fails"), "all may stake", MAINS, ()),
    (NEMZETI, (*BANK, "power fails"), "seat 2 stakes 30", MAINS, ("seat 1 halves",)),
    (ZOPPOT, (*FOUR, "power fails"), "seat 3 carte",
     "Seat 3 is not the pointeur. It is for seat 2 to act.", ("seat 2 carte",)),
]  # fmt: skip


@pytest.mark.parametrize("case", THE_COUP, ids=lambda case: f"{case[0].id}: {case[2]}")
def test_a_word_is_refused_so(case):
    """ZP-9, ZP-12, Z-17, Z-21, Z-26, R-18, R-26, R-34."""
    assert judged(*case) == expected(*case)


@pytest.mark.parametrize("case", MISTAKES, ids=lambda case: f"{case[0].id}: {case[2]}")
def test_a_repair_is_refused_so(case):
    """Z-6, Z-8, Z-12, Z-21, N-4, R-6, R-13, R-16, R-19, R-20."""
    assert judged(*case) == expected(*case)


def test_what_is_not_due_is_out_of_turn_and_what_is_forbidden_against_the_rules():
    """Whoever listens tells a slip from a wrong wish."""
    now = play(table(), *FOUR)

    assert refused(now, "seat 3 carte")[1] is OutOfTurn
    assert refused(now, "seat 2 draws")[1] is AgainstRules
    assert refused(now, "seat 1 banks 10") == (
        "Nothing of the kind is due now. The table asks: Seat 2: carte or reste?",
        OutOfTurn,
    )


@pytest.mark.parametrize("case", DEVICES, ids=lambda case: f"{case[0].id}: {case[2]}")
def test_what_a_device_stops_is_refused_so(case):
    """R-51, R-53."""
    assert judged(*case) == expected(*case)
