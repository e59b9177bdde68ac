"""Every refusal of people, bank and stakes, word for word.

Next to each refusal is the least change with which the table accepts the input. A refusal names the
reason, the remedy and the rule. All are written out by hand from the rules.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.engine.playing import NEMZETI, ZOPPOT, deal
from tests.engine.refusing import (
    BANK,
    OPEN_BANK,
    OPEN_GAME,
    SHARED,
    SOLO,
    STAKED,
    WON,
    WON_N,
    expected,
    judged,
)

LIMITED = replace(ZOPPOT, most_pot=150)
#: House, what was said before, what is refused, how, and what would have been taken.
PEOPLE = [
    (ZOPPOT, (), "seat 2 sits 5 Eva", "Seat 2 is taken. Choose a free seat. (N-1)", ()),
    (ZOPPOT, (), "seat 10 sits 5 Eva",
     "There is no seat 10. Seats 1 to 9 can be taken. (ZP-3)", ()),
    (ZOPPOT, (), "seat 0 sits 5 Eva",
     "There is no seat 0. Seats 1 to 9 can be taken. (ZP-3)", ()),
    (ZOPPOT, ("seat 9 leaves", "seat 1 leaves"), "seat 8 sits 5 Eva",
     "Seat 8 is taken. Choose a free seat. (N-1)", ("seat 9 sits 0 Eva", "seat 1 sits 1 Eva")),
    (ZOPPOT, (), "standing 0 Eva",
     "0 is no sum to bring to the table or to take from it. Name 1 or more. (R-16)",
     ("standing 1 Eva",)),
    (ZOPPOT, (), "seat 2 buys in 0",
     "0 is no sum to bring to the table or to take from it. Name 1 or more. (R-16)",
     ("seat 2 buys in 1",)),
    (ZOPPOT, (), "seat 101 buys in 1",
     "Nobody is at place 101. Name an occupied seat, or a standing player's place from 101 on.",
     ()),
    (ZOPPOT, (), "seat 2 cashes out 0",
     "0 is no sum to bring to the table or to take from it. Name 1 or more. (R-16)",
     ("seat 2 cashes out 1", "seat 2 cashes out 1000")),
    (ZOPPOT, (), "seat 2 cashes out 1001",
     "Seat 2 has 1000 G, not 1001. Called stakes are not accepted: he buys in first. (Z-3)", ()),
    (ZOPPOT, (), "seat 2 tips 0",
     "0 is no sum to bring to the table or to take from it. Name 1 or more. (R-16)",
     ("seat 2 tips 1", "seat 2 tips 1000")),
    (ZOPPOT, (), "seat 2 tips 1001",
     "Seat 2 has 1000 G, not 1001. Called stakes are not accepted: he buys in first. (Z-3)", ()),
    (ZOPPOT, SOLO, "seat 1 leaves",
     ("Seat 1 has money in play. He can leave or move when the coup is settled and his bank is"
     " over."), ("seat 3 leaves",)),
    (ZOPPOT, SOLO, "seat 2 leaves",
     ("Seat 2 has money in play. He can leave or move when the coup is settled and his bank is"
     " over."), ()),
    (ZOPPOT, (*BANK, "seat 3 joins the bank 10"), "seat 3 leaves",
     ("Seat 3 has money in play. He can leave or move when the coup is settled and his bank is"
     " over."), ("seat 2 leaves",)),
    (ZOPPOT, (*BANK, "seat 2 banco 60 with the table", "nichts geht mehr"), "seat 3 leaves",
     ("Seat 3 has money in play. He can leave or move when the coup is settled and his bank is"
     " over."), ("seat 5 leaves",)),
    (ZOPPOT, (*WON, "seat 1 suite", "seat 3 bids 20"), "seat 3 leaves",
     ("Seat 3 has money in play. He can leave or move when the coup is settled and his bank is"
     " over."), ("seat 4 leaves",)),
    (ZOPPOT, (*WON, "seat 1 suite"), "seat 1 leaves",
     ("Seat 1 has money in play. He can leave or move when the coup is settled and his bank is"
     " over."), ("seat 2 leaves",)),
    (NEMZETI, (*WON_N, "seat 1 passes"), "seat 1 leaves",
     ("Seat 1 has money in play. He can leave or move when the coup is settled and his bank is"
     " over."), ("seat 2 leaves",)),
    (ZOPPOT, ("seat 9 leaves",), "seat 2 moves to 3",
     "Seat 3 is taken. Choose a free seat. (N-1)", ("seat 2 moves to 9",)),
    (ZOPPOT, ("seat 9 leaves", *SOLO, "card 2h"), "seat 3 moves to 9",
     "The coup has begun. Seats are changed before its first card, or once it is settled. (R-5)",
     ()),
    (ZOPPOT, (*SOLO, "card 2h"), "seat 3 moves to 4",
     "The coup has begun. Seats are changed before its first card, or once it is settled. (R-5)",
     ()),
    (ZOPPOT, ("seat 9 leaves", *SOLO), "seat 2 moves to 9",
     ("Seat 2 has money in play. He can leave or move when the coup is settled and his bank is"
     " over."), ("seat 3 moves to 9",)),
    (ZOPPOT, (), "seat 2 swaps with 2",
     "Only two different seats can be swapped. Name two seated players who agree. (N-1)",
     ("seat 2 swaps with 3",)),
    (ZOPPOT, ("standing 50 Eva",), "seat 101 swaps with 2",
     "Only two different seats can be swapped. Name two seated players who agree. (N-1)", ()),
    (ZOPPOT, ("standing 50 Eva",), "seat 2 swaps with 101",
     "Only two different seats can be swapped. Name two seated players who agree. (N-1)", ()),
    (ZOPPOT, SOLO, "seat 3 swaps with 2",
     ("Seat 2 has money in play. He can leave or move when the coup is settled and his bank is"
     " over."), ("seat 3 swaps with 4",)),
    (ZOPPOT, SOLO, "seat 2 swaps with 3",
     ("Seat 2 has money in play. He can leave or move when the coup is settled and his bank is"
     " over."), ()),
    (ZOPPOT, (*SOLO, "card 2h"), "seat 3 swaps with 4",
     "The coup has begun. Seats are changed before its first card, or once it is settled. (R-5)",
     ()),
    (ZOPPOT, (*SOLO, "card 2h"), "seat 3 by the schlitten",
     "The coup has begun. He declares it before the first card of the next one. (R-25)", ()),
    (ZOPPOT, ("seat 3 leaves",), "seat 3 by the schlitten",
     "Nobody is at place 3. Name an occupied seat, or a standing player's place from 101 on.",
     ("seat 2 by the schlitten",)),
]  # fmt: skip

THE_BANK = [
    (ZOPPOT, (), "seat 2 banks 10",
     "The Schlitten does not stand at seat 2. Seat 1 puts up the pot or lets it pass. (ZP-19)",
     ("seat 1 banks 10", "seat 1 banks 1000")),
    (ZOPPOT, (), "seat 2 banks open",
     "The Schlitten does not stand at seat 2. Seat 1 puts up the pot or lets it pass. (ZP-19)",
     ("seat 1 banks open",)),
    (ZOPPOT, (), "seat 2 passes",
     "The Schlitten does not stand at seat 2. Only the player who has it can let it pass. (ZP-19)",
     ("seat 1 passes",)),
    (ZOPPOT, (), "seat 1 banks 9", "A pot of 9 G is too small. The least is 10 G. (ZP-5)", ()),
    (ZOPPOT, (), "seat 1 banks 1001",
     "Seat 1 has 1000 G, not 1001. Called stakes are not accepted: he buys in first. (Z-3)", ()),
    (LIMITED, (), "seat 1 banks 151",
     "A pot of 151 G is too great. The most is 150 G. (R-12)", ("seat 1 banks 150",)),
    (LIMITED, BANK, "seat 1 raises 51",
     "A pot of 151 G is too great. The most is 150 G. (R-12)", ("seat 1 raises 50",)),
    (LIMITED, BANK, "seat 3 joins the bank 51",
     "A pot of 151 G is too great. The most is 150 G. (R-12)", ("seat 3 joins the bank 50",)),
    (ZOPPOT, BANK, "seat 1 raises 0", "0 raises nothing. Name 1 or more. (R-16)",
     ("seat 1 raises 1", "seat 1 raises 900")),
    (ZOPPOT, BANK, "seat 1 raises 901",
     "Seat 1 has 900 G, not 901. Called stakes are not accepted: he buys in first. (Z-3)", ()),
    (ZOPPOT, BANK, "seat 2 raises 10",
     "Seat 2 does not hold the bank. Only the banker can do that.", ()),
    (ZOPPOT, BANK, "seat 2 passes",
     "The Schlitten does not stand at seat 2. Only the player who has it can let it pass. (ZP-19)",
     ("seat 1 passes",)),
    (ZOPPOT, BANK, "seat 1 draws in",
     "Nothing lies aside. With Suite he draws in the pot. (R-7)", ()),
    (ZOPPOT, BANK, "seat 1 halves",
     ("The bank cannot be halved now. Once, before the cards of a coup, where the house allows it."
     " (N-5)"), ()),
    (NEMZETI, (*BANK, "seat 1 halves"), "seat 1 halves",
     ("This bank was halved, or taken over. Once, before the cards of a coup, where the house"
     " allows it. (N-5)"), ()),
    (NEMZETI, (*STAKED, "card 2h"), "seat 1 halves",
     ("The bank cannot be halved now. Once, before the cards of a coup, where the house allows it."
     " (N-5)"), ()),
    (NEMZETI, BANK, "seat 2 halves",
     "Seat 2 does not hold the bank. Only the banker can do that.", ("seat 1 halves",)),
    (replace(NEMZETI, least_pot=1), ("seat 1 banks 1",), "seat 1 halves",
     ("The bank cannot be halved now. Once, before the cards of a coup, where the house allows it."
     " (N-5)"), ()),
    (replace(NEMZETI, least_pot=1), ("seat 1 banks 2",), "seat 2 halves",
     "Seat 2 does not hold the bank. Only the banker can do that.", ("seat 1 halves",)),
    (ZOPPOT, BANK, "seat 1 joins the bank 10",
     "Seat 1 cannot be a partner with 10. Another player joins the bank with 1 or more. (Z-4)",
     ("seat 3 joins the bank 1", "seat 3 joins the bank 1000")),
    (ZOPPOT, BANK, "seat 3 joins the bank 0",
     "Seat 3 cannot be a partner with 0. Another player joins the bank with 1 or more. (Z-4)", ()),
    (ZOPPOT, BANK, "seat 3 joins the bank 1001",
     "Seat 3 has 1000 G, not 1001. Called stakes are not accepted: he buys in first. (Z-3)", ()),
    (ZOPPOT, ("seat 1 banks open",), "seat 3 joins the bank 10",
     "The banker has not put up the least pot himself. He puts up 10 first. (Z-4)", ()),
    (ZOPPOT, BANK, "seat 1 suite",
     "Suite is for a banker who has just won. He plays on, or lets the Schlitten pass. (ZP-18)",
     ()),
    (ZOPPOT, WON, "seat 2 suite",
     "Seat 2 does not hold the bank. Only the banker can do that.", ("seat 1 suite",)),
    (ZOPPOT, (*WON, "seat 1 suite"), "seat 1 bids 20",
     "Seat 1 sells this bank. Others bid for it. (ZP-18)",
     ("seat 2 bids 10", "seat 2 bids 900", "seat 3 bids 1000")),
    (ZOPPOT, (*WON, "seat 1 suite"), "seat 2 bids 901",
     "Seat 2 has 900 G, not 901. Called stakes are not accepted: he buys in first. (Z-3)", ()),
    (ZOPPOT, (*WON, "seat 1 suite"), "seat 2 bids 9",
     "A pot of 9 G is too small. The least is 10 G. (ZP-5)", ()),
    (ZOPPOT, (*WON, "seat 1 suite", "seat 3 bids 50"), "seat 2 bids 49",
     "A pot of 49 G is too small. The least is 50 G. (R-41)", ("seat 2 bids 50",)),
    (NEMZETI, (*WON_N, "seat 1 passes"), "seat 1 takes over",
     ("Seat 1 cannot take this bank over. Another player, with no stake against it, takes it."
     " (N-7)"), ("seat 2 takes over", "seat 3 takes over")),
    (NEMZETI, (*WON_N, "seat 1 passes", "seat 3 cashes out 872"), "seat 3 takes over",
     "Seat 3 has 128 K, not 129. Called stakes are not accepted: he buys in first. (Z-3)", ()),
    (NEMZETI, (*WON_N, "seat 1 passes", "seat 3 cashes out 871"), "seat 1 takes over",
     ("Seat 1 cannot take this bank over. Another player, with no stake against it, takes it."
     " (N-7)"), ("seat 3 takes over",)),
    (NEMZETI, ("seat 12 leaves", "seat 1 moves to 12", "seat 2 passes"), "seat 12 banks 10",
     "The Schlitten does not stand at seat 12. Seat 3 puts up the pot or lets it pass. (ZP-19)",
     ()),
    (ZOPPOT, OPEN_BANK, "seat 1 banks 29",
     "29 does not cover what was staked. An open bank puts up 30 at least. (Z-5)",
     ("seat 1 banks 30", "seat 1 banks 1000")),
    (ZOPPOT, OPEN_BANK, "seat 2 banks 30",
     "Seat 2 does not hold the bank. Only the banker can do that.", ()),
    (ZOPPOT, OPEN_BANK, "seat 1 banks 1001",
     "Seat 1 has 1000 G, not 1001. Called stakes are not accepted: he buys in first. (Z-3)", ()),
    (ZOPPOT, OPEN_GAME, "seat 1 passes",
     "Stakes lie against this bank. They are taken back first, or the coup is played. (R-5)", ()),
]  # fmt: skip

STAKES = [
    (ZOPPOT, BANK, "seat 1 banco solo",
     "Seat 1 is in the bank. Others play against it. (ZP-6)", ("seat 2 banco solo",)),
    (ZOPPOT, (*BANK, "seat 2 cashes out 901"), "seat 2 banco solo",
     "Seat 2 has 99 G, not 100. Called stakes are not accepted: he buys in first. (Z-3)", ()),
    (ZOPPOT, (*BANK, "seat 2 cashes out 900"), "seat 1 banco solo",
     "Seat 1 is in the bank. Others play against it. (ZP-6)", ("seat 2 banco solo",)),
    (ZOPPOT, BANK, "seat 2 banco 50 with seat 2",
     "A partner is another player. Name one, or play Banco solo. (ZP-15)",
     ("seat 2 banco 2 with seat 3", "seat 2 banco 98 with seat 3")),
    (ZOPPOT, BANK, "seat 2 banco 1 with seat 3",
     "1 is too small a stake. The least is 2. (ZP-16)", ()),
    (ZOPPOT, BANK, "seat 2 banco 99 with seat 3",
     "1 is too small a stake. The least is 2. (ZP-16)", ()),
    (ZOPPOT, BANK, "seat 2 banco 50 with seat 1",
     "Seat 1 is in the bank. Others play against it. (ZP-6)", ()),
    (ZOPPOT, BANK, "seat 2 banco 49 with the table",
     "49 is not at least half of the pot. With the table he stakes 50 at least. (ZP-15)",
     ("seat 2 banco 50 with the table", "seat 2 banco 99 with the table")),
    (ZOPPOT, BANK, "seat 2 banco 100 with the table",
     "100 is not at least half of the pot. With the table he stakes 50 at least. (ZP-15)", ()),
    (ZOPPOT, ("seat 1 banks 101",), "seat 2 banco 50 with the table",
     "50 is not at least half of the pot. With the table he stakes 51 at least. (ZP-15)",
     ("seat 2 banco 51 with the table",)),
    (NEMZETI, BANK, "seat 2 banco solo",
     ("Banco is not played against this bank. All are asked to stake; the highest holds the cards."
     " (R-33)"), ()),
    (ZOPPOT, ("seat 1 banks open",), "seat 2 banco solo",
     ("Banco is not played against this bank. All are asked to stake; the highest holds the cards."
     " (R-32)"), ()),
    (ZOPPOT, BANK, "seat 2 stakes 20",
     ("The pointeur has not said which game he plays. Ask for Banco first; nobody wants it, then"
     " all may stake. (ZP-15)"), ("all may stake",)),
    (ZOPPOT, (*BANK, "seat 3 banco solo"), "seat 4 banco solo",
     ("Seat 4 has no better right than seat 3. Suivi goes first, then the prime, then the lower"
     " game from the prime on. (R-9)"), ("seat 2 banco solo",)),
    (ZOPPOT, (*BANK, "seat 3 banco solo"), "seat 3 banco solo",
     ("Seat 3 has no better right than seat 3. Suivi goes first, then the prime, then the lower"
     " game from the prime on. (R-9)"), ()),
    (ZOPPOT, (*BANK, "seat 3 banco solo", *deal("2h Kc", "3d Ks")), "seat 2 banco solo",
     "Nobody else may act as pointeur now. The pointeur keeps his cards. (Z-7)", ()),
    (ZOPPOT, (*BANK, "seat 3 banco solo", *deal("2h Kc", "3d Ks")[:2]), "seat 4 banco solo",
     ("Seat 4 has no better right than seat 3. Suivi goes first, then the prime, then the lower"
     " game from the prime on. (R-9)"), ("seat 2 banco solo",)),
    (ZOPPOT, (*BANK, "seat 3 banco solo", *deal("2h Kc", "3d Ks")[:3]), "seat 2 banco solo",
     "Nobody else may act as pointeur now. The pointeur keeps his cards. (Z-7)", ()),
    (ZOPPOT, (*OPEN_GAME, "nichts geht mehr"), "seat 2 banco solo",
     "Nobody else may act as pointeur now. The pointeur keeps his cards. (R-43)", ()),
    (ZOPPOT, OPEN_GAME, "seat 3 stakes 1",
     "1 is too small a stake. The least is 2. (ZP-16)",
     ("seat 3 stakes 2", "seat 3 stakes 1000", "seat 2 stakes 0", "seat 2 stakes 1000")),
    (ZOPPOT, OPEN_GAME, "seat 3 stakes 1001",
     "Seat 3 has 1000 G, not 1001. Called stakes are not accepted: he buys in first. (Z-3)", ()),
    (ZOPPOT, OPEN_GAME, "seat 2 stakes 1001",
     "Seat 2 has 970 G, not 971. Called stakes are not accepted: he buys in first. (Z-3)", ()),
    (ZOPPOT, OPEN_GAME, "seat 1 stakes 10",
     "Seat 1 is in the bank. Others play against it. (ZP-6)", ()),
    (ZOPPOT, (*BANK, "seat 2 banco 60 with the table"), "seat 2 stakes 70",
     "The pointeur has named his stake. The others stake the rest of the pot. (ZP-15)",
     ("seat 3 stakes 40",)),
    (ZOPPOT, (*OPEN_GAME, "nichts geht mehr"), "seat 3 stakes 10",
     "No more may be staked. The stakes stand until the next coup. (ZP-16)", ()),
    (ZOPPOT, (*OPEN_GAME, "nichts geht mehr"), "nichts geht mehr",
     "The stakes are closed already. The cards are due. (ZP-16)", ()),
    (NEMZETI, (*STAKED, "nichts geht mehr"), "seat 3 stakes 10",
     "No more may be staked. Only with the banker's consent, or when he halves his bank. (N-3)",
     ("seat 3 stakes 10 with consent",)),
    (NEMZETI, (*STAKED, *deal("2h Kc", "3d Ks"), "nichts geht mehr"), "nichts geht mehr",
     "The stakes are closed already. The cards are due. (ZP-16)", ()),
    (NEMZETI, (*STAKED, "card 2h"), "seat 2 stakes 29",
     ("A stake is not withdrawn while the cards lie. It may be raised until the cards are taken up."
     " (N-3)"), ("seat 2 stakes 30", "seat 2 stakes 31", "seat 3 stakes 2")),
    (NEMZETI, (*STAKED, "card 2h"), "seat 2 stakes 0",
     "Nothing would lie against the bank. A supervisor annuls the coup. (N-3)", ()),
    (NEMZETI, (*STAKED, *deal("2h Kc", "3d Ks"), "seat 2 takes up"), "seat 3 stakes 10",
     "No more may be staked. The stakes stand until the next coup. (N-3)", ()),
    (NEMZETI, (*STAKED, *deal("2h Kc", "3d Ks"), "seat 2 takes up"),
     "seat 3 stakes 10 with consent",
     "No more may be staked. The stakes stand until the next coup. (N-3)", ()),
    (NEMZETI, (*STAKED, *deal("2h Kc", "3d Ks")), "seat 3 takes up",
     "Seat 3 has no cards to take up. The highest stake takes them up, once. (N-3)",
     ("seat 2 takes up",)),
    (NEMZETI, (*STAKED, *deal("2h Kc", "3d Ks"), "seat 2 takes up"), "seat 2 takes up",
     "Seat 2 has no cards to take up. The highest stake takes them up, once. (N-3)", ()),
    (ZOPPOT, SHARED, "seat 5 stakes 10",
     "Seat 5 is not asked now. The part is offered to seat 3 first. (R-21)",
     ("seat 3 stakes 1", "seat 3 stakes 30", "seat 3 declines")),
    (ZOPPOT, SHARED, "seat 5 declines",
     "Seat 5 is not asked now. The part is offered to seat 3 first. (R-21)", ()),
    (ZOPPOT, SHARED, "seat 3 stakes 31",
     "31 is no part of 30. He takes up to what is missing, or declines. (R-21)", ()),
    (ZOPPOT, SHARED, "seat 3 stakes 0",
     "0 is no part of 30. He takes up to what is missing, or declines. (R-21)", ()),
    (ZOPPOT, (*SHARED, "seat 3 cashes out 985"), "seat 3 stakes 6",
     "Seat 3 has 5 G, not 6. Called stakes are not accepted: he buys in first. (Z-3)",
     ("seat 3 stakes 5",)),
    (NEMZETI, BANK, "the same stakes again",
     "None of the last stakes can be laid again now. Name each stake with its seat.", ()),
]  # fmt: skip


@pytest.mark.parametrize("case", PEOPLE, ids=lambda case: f"{case[0].id}: {case[2]}")
def test_people_are_refused_so(case):
    """R-5, R-16, R-25, N-1, ZP-3, ZP-17, Z-3."""
    assert judged(*case) == expected(*case)


@pytest.mark.parametrize("case", THE_BANK, ids=lambda case: f"{case[0].id}: {case[2]}")
def test_a_bank_is_refused_so(case):
    """ZP-5, ZP-18, ZP-19, Z-4, Z-5, N-5, N-7, R-5, R-7, R-12, R-41."""
    assert judged(*case) == expected(*case)


@pytest.mark.parametrize("case", STAKES, ids=lambda case: f"{case[0].id}: {case[2]}")
def test_a_stake_is_refused_so(case):
    """ZP-6, ZP-15, ZP-16, N-3, Z-3, Z-7, R-9, R-21, R-32, R-33, R-43."""
    assert judged(*case) == expected(*case)
