"""The events of each input, with every field, and who may see each.

They are written out by hand. Promises and proofs of cards have separate tests.
"""

from __future__ import annotations

import pytest

from tests.engine.playing import deal, play, table
from tests.engine.telling import BANK, FOUR, SOLO, WON, told


@pytest.mark.parametrize(
    ("lines", "said", "events"),
    [
        (
            ("seat 2 leaves",),
            "seat 2 sits 5 Eva",
            ["player_sat seat=2", "! balance_changed seat=2 name=Eva chips=5 balance=5"],
        ),
        (
            ("standing 7 Adam",),
            "standing 5 Eva",
            ["player_sat seat=102", "! balance_changed seat=102 name=Eva chips=5 balance=5"],
        ),
        (
            (),
            "seat 2 buys in 5",
            ["! balance_changed seat=2 name=player 2 chips=5 balance=1005"],
        ),
        (
            (),
            "seat 2 cashes out 5",
            ["! balance_changed seat=2 name=player 2 chips=-5 balance=995"],
        ),
        ((), "seat 2 tips 5", ["! balance_changed seat=2 name=player 2 chips=-5 balance=995"]),
        (
            (),
            "seat 2 leaves",
            ["player_left seat=2", "! balance_changed seat=2 name=player 2 chips=-1000 balance=0"],
        ),
        (("seat 9 leaves",), "seat 2 moves to 9", ["seat_changed seat=2 to=9 swap=False"]),
        ((), "seat 2 swaps with 3", ["seat_changed seat=2 to=3 swap=True"]),
        ((), "seat 2 by the schlitten", ["declared seat=2 by_schlitten=True"]),
        ((), "seat 2 plays free", ["declared seat=2 by_schlitten=False"]),
        ((), "croupier Anna", ["! staff_changed name=Anna"]),
    ],
)
def test_people(lines, said, events):
    """R-5, R-25, N-1, ZP-17: money is for the staff."""
    assert told(play(table(), *lines), said) == events


@pytest.mark.parametrize(
    ("lines", "said", "events"),
    [
        ((), "seat 1 banks 100", ["bank_posted seat=1 pot=100"]),
        ((), "seat 1 banks open", ["bank_opened seat=1"]),
        ((), "seat 1 passes", ["schlitten_passed seat=1 to=2"]),
        (BANK, "seat 1 passes", ["schlitten_passed seat=1 to=2"]),
        (BANK, "seat 1 raises 5", ["pot_changed seat=1 pot=105 aside=0"]),
        (BANK, "seat 3 joins the bank 50", ["partner_joined seat=3 chips=50 pot=150"]),
        (WON, "seat 1 suite", ["auction_begun seat=1 pot=195"]),
        ((*WON, "seat 1 suite"), "seat 3 bids 20", ["bid_made seat=3 chips=20"]),
        (
            (*WON, "seat 1 suite", "seat 3 bids 20", "seat 4 bids 20"),
            "sold",
            ["bank_sold seat=1 to=3 pot=20", "bank_posted seat=3 pot=20"],
        ),
        ((*WON, "seat 1 suite"), "sold", ["schlitten_passed seat=1 to=2"]),
        (BANK, "all may stake", ["game_opened play=open"]),
        (("seat 1 banks open",), "all may stake", ["game_opened play=open_bank"]),
        (
            (*BANK, "all may stake"),
            "seat 3 stakes 20",
            ["stake_laid seat=3 chips=20", "pointeur_named seat=3 play=open stake=20"],
        ),
        (
            (*BANK, "all may stake", "seat 3 stakes 20"),
            "seat 4 stakes 10",
            ["stake_laid seat=4 chips=10"],
        ),
        (
            (*BANK, "all may stake", "seat 3 stakes 20", "seat 4 stakes 10"),
            "seat 3 stakes 0",
            ["stake_laid seat=3 chips=0", "pointeur_named seat=4 play=open stake=10"],
        ),
        (
            (*BANK, "all may stake", "seat 3 stakes 20"),
            "seat 3 stakes 0",
            ["stake_laid seat=3 chips=0"],
        ),
        (BANK, "seat 2 banco solo", ["pointeur_named seat=2 play=banco_solo stake=100"]),
        (
            BANK,
            "seat 2 banco 30 with seat 4",
            ["pointeur_named seat=2 play=banco_partner stake=30", "stake_laid seat=4 chips=70"],
        ),
        (
            BANK,
            "seat 2 banco 60 with the table",
            ["pointeur_named seat=2 play=banco_table stake=60"],
        ),
        (
            (*BANK, "seat 3 banco solo", "card 2h"),
            "seat 2 banco solo",
            ["pointeur_named seat=2 play=banco_solo stake=100"],
        ),
        (
            (*BANK, "all may stake", "seat 3 stakes 120", "seat 4 stakes 10"),
            "nichts geht mehr",
            ["stakes_closed staked=130 covered=100"],
        ),
        ((*BANK, "all may stake"), "nichts geht mehr", ["stakes_closed staked=0 covered=0"]),
        (
            (*BANK, "seat 2 banco 60 with the table", "seat 4 stakes 10"),
            "nichts geht mehr",
            ["stakes_closed staked=70 covered=70", "part_offered seat=3 chips=30"],
        ),
        (
            (*BANK, "seat 2 banco 60 with the table", "seat 4 stakes 10", "nichts geht mehr"),
            "seat 3 stakes 5",
            ["stake_laid seat=3 chips=5", "part_offered seat=4 chips=25"],
        ),
        (
            (*BANK, "seat 2 banco 60 with the table", "seat 4 stakes 10", "nichts geht mehr"),
            "seat 3 declines",
            ["part_offered seat=4 chips=30"],
        ),
        (
            ("seat 1 banks open", "all may stake", "seat 2 stakes 30", "nichts geht mehr"),
            "seat 1 banks 40",
            ["bank_posted seat=1 pot=40"],
        ),
    ],
)
def test_bank_and_stakes(lines, said, events):
    """ZP-5, ZP-15 to ZP-19, Z-4, Z-5, R-21 to R-24."""
    assert told(play(table(), *lines), said) == events


@pytest.mark.parametrize(
    ("lines", "said", "events"),
    [
        (
            SOLO,
            "card 2h",
            ["card_drawn seat=2 ordinal=1", "!! card_identified ordinal=1 card=2h attempt=0"],
        ),
        (
            (*SOLO, "card 2h"),
            "card Kc",
            ["card_drawn seat=1 ordinal=2", "!! card_identified ordinal=2 card=Kc attempt=0"],
        ),
        (FOUR, "seat 2 carte", ["said seat=2 word=carte"]),
        (
            FOUR,
            "seat 2 schlag",
            [
                "said seat=2 word=schlag",
                "card_opened seat=2 ordinal=1 card=2h",
                "card_opened seat=2 ordinal=3 card=Kc",
                "hand_opened seat=2 cards=('2h', 'Kc') points=2",
            ],
        ),
        (
            (*FOUR, "seat 2 carte"),
            "seat 1 opens",
            [
                "card_opened seat=1 ordinal=2 card=3d",
                "card_opened seat=1 ordinal=4 card=Ks",
                "hand_opened seat=1 cards=('3d', 'Ks') points=3",
            ],
        ),
        (
            (*FOUR, "seat 2 reste"),
            "seat 1 opens",
            [
                "card_opened seat=1 ordinal=2 card=3d",
                "card_opened seat=1 ordinal=4 card=Ks",
                "hand_opened seat=1 cards=('3d', 'Ks') points=3",
                "advised seat=1 point=3 given=None duty=no_information",
            ],
        ),
        (
            (*FOUR, "seat 2 carte", "seat 1 opens"),
            "card 4c",
            [
                "card_drawn seat=2 ordinal=5",
                "!! card_identified ordinal=5 card=4c attempt=0",
                "card_opened seat=2 ordinal=5 card=4c",
                "advised seat=1 point=3 given=4 duty=draw",
            ],
        ),
        (
            (*FOUR, "seat 2 carte", "seat 1 opens", "card 4c"),
            "seat 1 asks the schlitten",
            ["answered seat=1 duty=draw binds=True"],
        ),
        (
            (*FOUR, "seat 2 reste", "seat 1 opens"),
            "seat 1 asks the schlitten",
            ["answered seat=1 duty=no_information binds=False"],
        ),
        (
            (*FOUR, "seat 2 carte", "seat 1 opens", "card 4c"),
            "seat 1 draws",
            ["said seat=1 word=draws"],
        ),
        (
            (*FOUR, "seat 2 carte", "seat 1 opens", "card 4c"),
            "card 2c",
            [
                "said seat=1 word=draws",
                "card_drawn seat=1 ordinal=6",
                "!! card_identified ordinal=6 card=2c attempt=0",
                "card_opened seat=1 ordinal=6 card=2c",
            ],
        ),
        (
            (*FOUR, "seat 2 carte", "seat 1 opens", "card 4c", "seat 1 stands"),
            "seat 2 opens",
            [
                "card_opened seat=2 ordinal=1 card=2h",
                "card_opened seat=2 ordinal=3 card=Kc",
                "hand_opened seat=2 cards=('2h', 'Kc', '4c') points=6",
                (
                    "coup_settled coup=1 winner=pointeur banker_seat=1 pointeur_seat=2 banker=3"
                    " pointeur=6 pot=100 staked=100 cagnotte=0 pot_after=0 forfeit="
                ),
            ],
        ),
        (
            FOUR,
            "seat 1 throws",
            [
                "hand_thrown seat=1",
                (
                    "coup_settled coup=1 winner=pointeur banker_seat=1 pointeur_seat=2 banker=None"
                    " pointeur=None pot=100 staked=100 cagnotte=0 pot_after=0 forfeit=Z-11"
                ),
            ],
        ),
        (FOUR, "misdealt", ["misdeal"]),
        ((*FOUR, "misdealt"), "put right", ["misdeal_mended"]),
        (
            (*FOUR, "misdealt"),
            "bank loses",
            [
                (
                    "coup_settled coup=1 winner=pointeur banker_seat=1 pointeur_seat=2 banker=None"
                    " pointeur=None pot=100 staked=100 cagnotte=0 pot_after=0 forfeit=Z-12"
                ),
            ],
        ),
        ((*FOUR, "seat 2 carte"), "take back", ["withdrawn said=spoke ago=1 events=1"]),
        (WON[:-1], "tick 0", ["payment_made line=0"]),
        ((*WON[:-1], "tick 0"), "tick 1", ["payment_made line=1", "coup_paid coup=1"]),
        (
            (*SOLO, *deal("9h Kc", "2d Ks"), "seat 2 schlag", "seat 1 opens"),
            "paid",
            ["coup_paid coup=1", "schlitten_passed seat=1 to=2"],
        ),
        (FOUR, "annul why", ["coup_annulled coup=1 reason=why"]),
        (SOLO, "annul why", ["coup_annulled coup=1 reason=why"]),
        (BANK, "transfer 5 from 2 to 3 why", ["! moved seat=2 to=3 chips=5 reason=why"]),
        (BANK, "ruled why", ["! ruling_noted reason=why"]),
        (
            (*FOUR,),
            "correct 1 7h why",
            [
                "card_corrected ordinal=1 attempt=1",
                "card_drawn seat=2 ordinal=1",
                "!! card_identified ordinal=1 card=7h attempt=1",
            ],
        ),
    ],
)
def test_a_coup(lines, said, events):
    """ZP-6 to ZP-14, ZP-20, Z-9, Z-11, Z-12, Z-19, Z-26, R-13, R-20."""
    found = told(play(table(), *lines), said)

    assert [one for one in found if not one.startswith("alert")] == events
