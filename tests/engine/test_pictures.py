"""A screen's display of seats, money, the Schlitten and results, figure by figure.

It is written out by hand from the rules.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from table_controller.engine.chemin_de_fer import game
from table_controller.engine.chemin_de_fer.state import Table
from table_controller.engine.chemin_de_fer.view import snapshot
from table_controller.engine.messages import AgainstRules, Audience
from table_controller.engine.table.felt import player
from table_controller.engine.views import SeatView
from tests.engine import script
from tests.engine.answers import answer
from tests.engine.pictured import values
from tests.engine.playing import MODERN, NEMZETI, ZOPPOT, deal, play, table

BANK = ("seat 1 banks 100",)
SOLO = (*BANK, "seat 2 banco solo")
WON = (*SOLO, *deal("2h Kc", "9d Ks"), "seat 2 carte", "seat 1 opens", "seat 2 opens", "paid")

OPENED, STAYED = ("seat 2 carte", "seat 1 opens"), ("seat 2 reste", "seat 1 opens")


def balances(now: Table, *places: int) -> list[int]:
    found = [player(now.felt, place) for place in places]
    return [who.balance if who else -1 for who in found]


def test_what_was_laid_before_is_suggested_again():
    """ZP-16: to who staked; the least to everybody else."""
    now = play(table(), *BANK, "all may stake", "seat 3 stakes 30", "nichts geht mehr")
    now = play(now, *deal("2h Kc", "9d Ks"), "seat 3 carte", "seat 1 opens", "seat 3 opens", "paid")
    now = play(now, "all may stake")
    offers = snapshot(now, Audience.CROUPIER).offers
    suggested = {
        one.input["seat"]: one.fields[0].suggested
        for one in offers
        if one.input["type"] == "stakes"
    }

    assert suggested == {seat: 30 if seat == 3 else 2 for seat in range(2, 10)}


def test_partners_share_by_their_parts_and_the_rest_is_the_bankers():
    """Z-4, R-16: 100 of the banker, 50 of one, 33 of another; 174 of the coup lost and won."""
    now = play(table(), *BANK, "seat 3 joins the bank 50", "seat 4 joins the bank 33")
    assert balances(now, 1, 3, 4) == [900, 950, 967]
    assert balances(play(now, "seat 1 passes"), 1, 3, 4) == [1000, 1000, 1000]
    won = play(now, "seat 2 banco solo", *deal("2h Kc", "9d Ks"), "seat 2 carte", "seat 1 opens")
    won = play(won, "seat 2 opens", "paid")  # 183 and 183, 9 for the house: 357
    assert won.bank.pot == 357
    # 357 * 50 // 183 = 97, 357 * 33 // 183 = 64, the rest 196
    assert balances(play(won, "seat 1 passes"), 1, 3, 4) == [1096, 1047, 1031]


def test_a_seat_as_the_staff_see_it():
    """R-13, ZP-13: role, cards, marks, what became of it."""
    now = play(table(), "seat 3 by the schlitten", *BANK, "seat 4 joins the bank 50")
    now = play(now, "seat 2 banco solo", *deal("2h Kc", "9d Ks"))
    assert answer(now, "seat 1") == "900, banker, -- --"
    assert answer(now, "seat 2") == "850, stake 150, pointeur, -- --, prime"
    assert answer(now, "seat 3") == "1000, by_schlitten"
    assert answer(now, "seat 4") == "950, partner"
    done = play(now, "seat 2 carte", "seat 1 opens", "seat 2 opens")
    assert answer(done, "seat 1") == "900, banker, 9d Ks, 9 points, won"
    assert answer(done, "seat 2") == "850, pointeur, 2h Kc, 2 points, prime, suivi, lost"
    assert answer(done, "payments") == "2:-150, house:7"
    assert answer(done, "pot") == "293 against 150"
    for each in (now, done):
        seats = snapshot(each, Audience.CROUPIER).seats
        assert [seat.seat for seat in seats if seat.host] == [1]
    moved = play(table(house=NEMZETI), "seat 12 leaves", "seat 2 moves to 12")
    assert answer(moved, "seat 12") == "1000, must_pass"


def test_the_public_picture_holds_no_name_and_no_money_of_a_player():
    """R-13: what only the staff may see is not in it at all."""
    now = play(table(), *SOLO, "seat 3 tips 5", "croupier Anna", "card unread no_read")
    public, staff = snapshot(now, Audience.PUBLIC), snapshot(now, Audience.CROUPIER)

    assert (public.people, public.offers, public.totals) == ((), (), ())
    assert (public.till, public.croupier) == ((), None)
    assert {(alert.what, alert.remedy) for alert in public.alerts} == {(None, None)}
    assert (values(staff.till), staff.croupier) == ({"cagnotte": 0, "tips": 5}, "Anna")
    assert [(one.seat, one.name, one.balance) for one in staff.people[:3]] == [
        (1, "player 1", 900), (2, "player 2", 900), (3, "player 3", 995)
    ]  # fmt: skip
    assert staff.alerts[0].what is not None


def test_the_pictures_head():
    """What hangs over the table, and the Schlitten's gauge."""
    now = play(table(), *SOLO, "card 2h")
    picture = snapshot(now, Audience.PUBLIC)

    assert (picture.house, picture.title, picture.game) == (
        "zoppot-1934", "Zoppot 1934", "chemin-de-fer"
    )  # fmt: skip
    assert (picture.unit, picture.coup, str(picture.play)) == ("G", 1, "Banco solo")
    shoe = picture.shoe
    assert (shoe.id, shoe.number, shoe.cards, shoe.left) == ("script", 1, 312, 311)
    assert (shoe.white_at, shoe.white_out, shoe.last_coup, shoe.kept) == (7, False, False, 0)
    kept = play(table(), "card 2h", "stray kept", "white card", "white last_coup")
    gauge = snapshot(kept, Audience.PUBLIC).shoe
    assert (gauge.white_out, gauge.last_coup, gauge.kept) == (True, True, 1)
    assert str(snapshot(play(now, "annul why"), Audience.PUBLIC).play) == ""


def test_the_row_of_the_last_coups_holds_nine():
    """Whatever came of each, the newest last."""
    now = play(table(), *SOLO)
    for number in range(10):
        suit = "cdhs"[number % 4]
        now = play(now, *deal(f"7{suit} K{suit}", f"7{suit} Q{suit}"), "seat 2 reste")
        now = play(now, "seat 1 opens", "seat 1 stands", "seat 2 opens", "paid")
    last = snapshot(now, Audience.PUBLIC).last

    assert [one.coup for one in last] == list(range(2, 11))
    assert {(one.name, one.count, str(one.text), str(one.winner), one.paid) for one in last} == {
        ("tie", 7, "En carte 7 : 7", "", None)
    }
    assert [values(one.figures) for one in last] == [{"pot": 100}] * 9
    staff = snapshot(now, Audience.CROUPIER).last
    assert [values(one.figures) for one in staff] == [{"pot": 100}] * 9
    assert {
        (one.banker, one.pointeur, one.banker_seat, one.pointeur_seat, one.cagnotte)
        for one in now.last
    } == {(7, 7, 1, 2, 0)}
    assert answer(now, "totals evening") == (
        "10 coups: bank 0, pointeur 0, en carte 10; staked 1000, cagnotte 0"
    )


def test_a_new_schlitten_counts_anew_and_the_evening_goes_on():
    """Each total for itself: a coup won by the bank before, one by the pointeur now."""
    now = play(table(), *WON, "seat 1 passes", "schlitten closed", "schlitten second")
    assert answer(now, "totals schlitten") == (
        "0 coups: bank 0, pointeur 0, en carte 0; staked 0, cagnotte 0"
    )
    now = play(now, "seat 2 banks 20", "seat 3 banco solo", *deal("9h Kc", "2d Ks"))
    now = play(now, "seat 3 schlag", "seat 2 opens", "paid")

    assert answer(now, "totals coup") == (
        "1 coups: bank 0, pointeur 1, en carte 0; staked 20, cagnotte 0"
    )
    assert answer(now, "totals schlitten") == (
        "1 coups: bank 0, pointeur 1, en carte 0; staked 20, cagnotte 0"
    )
    assert answer(now, "totals evening") == (
        "2 coups: bank 1, pointeur 1, en carte 0; staked 120, cagnotte 5"
    )


def test_the_house_takes_its_share_of_what_the_bank_won():
    """ZP-20, R-8: rounded down, in each house's measure."""
    for rate, share in ((0, 0), (99, 0), (100, 1), (500, 5), (10_000, 100)):
        now = play(table(house=replace(ZOPPOT, cagnotte_bp=rate)), *WON)
        assert (now.felt.cagnotte, now.bank.pot) == (share, 200 - share)


def test_the_very_last_card_of_a_schlitten_is_a_card():
    """R-6: by the count one is left, and it may leave; after it none."""
    two = play(table(left=2), "card 2h", "stray kept")
    last = play(two, "card 3h", "stray burned")
    assert (two.felt.shoe.left, last.felt.shoe.left) == (1, 0)
    with pytest.raises(AgainstRules, match="by the count none is left"):
        play(last, "card 4h")
    both = play(table(left=2), "card unread two_cards")
    assert both.felt.shoe.left == 0
    with pytest.raises(AgainstRules, match="by the count none is left"):
        play(two, "card unread two_cards")


@pytest.mark.parametrize(
    ("house", "banker", "lines", "advice"),
    [
        (ZOPPOT, "3d Ks", (*OPENED, "card 4c"), ("3", "4", "draw", "The custom draws.", "ZX-2")),
        (ZOPPOT, "4d Ks", (*OPENED, "card Ac"), ("4", "A", "stand", "The custom stands.", "ZX-2")),
        (ZOPPOT, "3d Ks", (*OPENED, "card Qc"), ("3", "10", "draw", "The custom draws.", "ZX-2")),
        (
            *(ZOPPOT, "3d Ks", STAYED),
            *(("", "", "no_information", "Für eine nicht gezogene Karte keine Auskunft.", "Z-20"),),
        ),
        (MODERN, "3d Ks", STAYED, ("3", "", "draw", "The custom draws.", "ZX-2")),
        (ZOPPOT, "3d Ks", OPENED, None),
        (ZOPPOT, "3d Ks", (*OPENED, "card 4c", "seat 1 draws"), None),
    ],
)
def test_the_wall_is_lit_while_the_banker_chooses(house, banker, lines, advice):
    """ZX-2, Z-20: his point, what was given, what the custom says."""
    now = play(table(house=house), *SOLO, *deal("2h Kc", banker), *lines)
    lit = snapshot(now, Audience.PUBLIC).advice

    assert (lit and (lit.row, lit.column, lit.name, str(lit.text), lit.rule)) == advice


def waited(now: Table) -> Any:
    """In the clock's own name."""
    return msgspec.structs.replace(script.parse("waited [clock]"), prompt=now.prompt)


def test_the_clock_says_once_that_somebody_looks_for_long():
    """Z-16: after the house's seconds, in the clock's own name, to this very question."""
    now = play(table(), *SOLO, *deal("2h Kc", "3d Ks"))

    assert game.deadline(now) == (20, waited(now))
    assert game.deadline(play(now, "seat 2 carte")) is None
    hurried = play(table(house=replace(ZOPPOT, slow_look_s=5)), *SOLO, *deal("2h Kc", "3d Ks"))
    patient = play(table(house=replace(ZOPPOT, slow_look_s=0)), *SOLO, *deal("2h Kc", "3d Ks"))
    assert game.deadline(hurried) == (5, waited(hurried))
    assert game.deadline(patient) is None


def test_where_the_money_lies_is_told_place_by_place():
    """R-16: so that a replay comes to the same."""
    now = play(table(), *SOLO, "seat 3 tips 5", "standing 7 Eva", "seat 4 leaves")
    told = game.money(now)

    assert (told["seat 1"], told["seat 2"], told["seat 3"], told["seat 101"]) == (900, 900, 995, 7)
    assert "seat 4" not in told
    assert told["bank"] == 100
    assert sum(told.values()) == 8007


def test_an_empty_seat_is_bare():
    """Nothing lies there, nobody acts, and no lamp of it is lit."""
    now = snapshot(play(table(), "seat 3 leaves"), Audience.CROUPIER)
    [seat] = [seat for seat in now.seats if seat.seat == 3]

    assert (seat.taken, seat.marks, seat.host) == (False, (), False)
    assert seat == SeatView(seat=3, taken=False)
    held = [one.seat for one in now.people] + [one.seat for one in now.hands]
    assert 3 not in held + [one.seat for one in now.stakes]
    assert 3 not in now.prompt.seats


def test_everybody_sees_what_plays_of_the_stakes():
    """R-23: while the pot does not cover all; only then is there such a figure."""
    staked = ("all may stake", "seat 2 stakes 60", "seat 3 stakes 50")
    now = play(table(), "seat 1 banks 100", *staked)
    staff, public = snapshot(now, Audience.CROUPIER), snapshot(now, Audience.PUBLIC)

    beside = [(one.name, one.seat, one.value) for one in public.figures if one.seat]
    assert beside == [("plays", 2, 60), ("plays", 3, 40)]
    assert (public.till, public.figures) == ((), staff.figures)
    enough = play(table(), "seat 1 banks 110", *staked)
    assert not [one for one in snapshot(enough, Audience.PUBLIC).figures if one.seat]
