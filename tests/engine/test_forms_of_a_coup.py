"""Every button of a coup, of people and of a supervisor, word for word.

They are written out by hand from the rules, one moment after the other. So no bound of a sum, no
place of a list and no word of a form can change unseen. `!` means that the button must be held
down.
"""

from __future__ import annotations

import pytest

from tests.engine.offered import PLAY, forms, four, shown
from tests.engine.playing import deal, play


def test_the_words_of_a_coup():
    """ZP-8, ZP-10, ZP-12: one after the other; an opening is held."""
    dealt = play(four(), "seat 1 banks 20", "seat 2 banco solo", *deal("2h Kc", "3d Ks"))
    assert shown(dealt, *PLAY, "mistake") == [
        "main: reste = spoke seat=2 word=reste",
        "main: carte = spoke seat=2 word=carte",
        "main!: opens: Schlag = spoke seat=2 word=schlag",
        "mistake!: the pointeur's card was laid open = exposed seat=2",
        "mistake!: the bank's cards were laid open = exposed seat=1",
        "mistake!: seat 2 threw his cards away = throws seat=2",
        "mistake!: seat 1 threw his cards away = throws seat=1",
        "mistake!: the last card lay face up in the pack = stray_ruled ruling=face_up",
        "mistake: dealt wrongly = misdealt",
    ]
    said = play(dealt, "seat 2 reste")
    assert shown(said, *PLAY, "mistake") == [
        "main!: bank opened = opened seat=1",
        "mistake!: seat 2 threw his cards away = throws seat=2",
        "mistake!: seat 1 threw his cards away = throws seat=1",
        "mistake: dealt wrongly = misdealt",
    ]
    opened = play(said, "seat 1 opens")
    assert shown(opened, *PLAY, "mistake") == [
        "main: stays = spoke seat=1 word=stands",
        "main: takes a card = spoke seat=1 word=draws",
        "more: Was macht der Schlitten? = asks_schlitten seat=1",
        "mistake!: seat 2 threw his cards away = throws seat=2",
        "mistake!: seat 1 threw his cards away = throws seat=1",
        "mistake: dealt wrongly = misdealt",
    ]
    stood = play(opened, "seat 1 stands")
    assert shown(stood, *PLAY, "mistake") == [
        "main!: pointeur opened = opened seat=2",
        "mistake!: seat 2 threw his cards away = throws seat=2",
        "mistake!: seat 1 threw his cards away = throws seat=1",
        "mistake: dealt wrongly = misdealt",
    ]
    assert shown(play(stood, "seat 2 opens"), *PLAY, "mistake", "payment") == [
        "main!: all paid = paid",
        "payment: line 1 paid = ticked line=0",
        "payment: line 2 paid = ticked line=1",
    ]


@pytest.mark.parametrize(
    ("word", "label", "other"),
    [("carte", "reste", "reste"), ("reste", "carte", "carte")],
)
def test_who_plays_by_the_schlitten_may_correct_his_word(word, label, other):
    """R-18, Z-17: until the banker opens; and a banker by the Schlitten has one answer."""
    now = play(four(), "seat 2 by the schlitten", "seat 1 banks 20", "seat 2 banco solo")
    now = play(now, *deal("5h Kc", "3d Ks"), f"seat 2 {word}")

    assert f"mistake: corrects himself: {label} = spoke seat=2 word={other}" in forms(
        now, "mistake"
    )
    free = play(four(), "seat 1 banks 20", "seat 2 banco solo")
    free = play(free, *deal("5h Kc", "3d Ks"), f"seat 2 {word}")
    assert not [one for one in forms(free, "mistake") if "corrects" in one]


@pytest.mark.parametrize(
    ("banker", "offered"),
    [
        ("3d Ks", ["main: takes a card = spoke seat=1 word=draws"]),
        ("7d Ks", ["main: stays = spoke seat=1 word=stands"]),
    ],
)
def test_a_banker_by_the_schlitten_has_one_answer(banker, offered):
    """Z-19, ZX-2: three draws against a four that was given, seven stays."""
    now = play(four(), "seat 1 by the schlitten", "seat 1 banks 20", "seat 2 banco solo")
    now = play(now, *deal("2h Kc", banker), "seat 2 carte", "seat 1 opens", "card 4c")

    assert shown(now, "main") == offered


def test_people_at_the_table():
    """R-5, R-16, R-25, N-1, ZP-17: who is there, what he holds, where he may go."""
    now = play(four(), "standing 50 Eva", "seat 4 by the schlitten", "seat 3 cashes out 100")
    now = play(now, "seat 1 banks 20")

    assert shown(now, "people") == [
        "people: buys in = buys_in | seat 1 2 3 4 101 | chips 1..1000000 from 100",
        (
            "people: cashes out = cashes_out | seat 1(..80) 2(..100) 4(..100) 101(..50)"
            " | chips 1..100 from 1"
        ),
        "people: tips = tips | seat 1(..80) 2(..100) 4(..100) 101(..50) | chips 1..100 from 1",
        "people: takes a seat = sits | seat 5 6 7 8 9 | name: 40 signs | chips 0..1000000 from 100",
        "people: comes, standing = stands | name: 40 signs | chips 1..1000000 from 100",
        "people: changes the seat = moves | seat 2 3 4 101 | to seat=to 5 6 7 8 9",
        "people: two swap seats = swaps | seat 2 3 4 | with seat=other 2 3 4",
        "people: leaves = leaves | seat 2 3 4 101",
        "people: plays by the Schlitten = declares by_schlitten=True | seat 1 2 3 101",
        "people: plays free again = declares by_schlitten=False | seat 4",
        "people: change of croupier = croupier_changed | name: 40 signs",
    ]
    dealt = play(now, "seat 2 banco solo", "card 2h")
    assert [one for one in shown(dealt, "people") if " leaves " in one] == [
        "people: leaves = leaves | seat 3 4 101"
    ]
    assert not [one for one in shown(dealt, "people") if "moves" in one or "declares" in one]


def test_a_supervisors_word():
    """R-20, Z-27: with a reason for the record or for the staff; most of it held."""
    now = play(four(), "seat 1 banks 20", "seat 2 banco solo", *deal("2h Kc", "3d Ks"))
    public, staff = "reason, for the public record=reason", "reason, for the staff=reason"

    assert shown(now, "supervisor") == [
        f"supervisor!: throw all cards away = thrown_away | {public}: 120 signs",
        f"supervisor!: annul the coup = annulled | {public}: 120 signs",
        (
            "supervisor: correct a card = corrects | card=ordinal 1 3 2 4 | the card, unseen=card:"
            f" unseen | {staff}: 120 signs"
        ),
        (
            "supervisor: move chips = transfers | from=seat 1(..80) 2(..80) 3(..100) 4(..100)"
            f" | to 1 2 3 4 0 | chips 1..100 from 1 | {staff}: 120 signs"
        ),
        f"supervisor: note a ruling = ruled | {staff}: 120 signs",
    ]
    between = play(four(), "seat 1 banks 20")
    assert shown(between, "supervisor")[:1] == [
        "supervisor!: close the Schlitten = schlitten_closed"
    ]


def test_what_a_device_stops_has_no_button():
    """R-51, R-53: the lid leaves a supervisor's word only, the mains what begins no coup."""
    lid = play(four(), "seat 1 banks 20", "seat 2 banco solo", "card 2h", "lid opens")
    assert forms(lid, *PLAY, "mistake") == [
        "main!: let it stand = lid_ruled | reason, for the staff=reason: 120 signs",
        "main!: annul the coup = annulled | reason, for the public record=reason: 120 signs",
    ]
    battery = play(four(), "seat 1 banks 20", "power fails")
    assert shown(battery, *PLAY) == [
        "more: raise the pot = raises seat=1 | chips 1..80 from 1",
        (
            "more: a partner joins the bank = joins | seat 2(..100) 3(..100) 4(..100)"
            " | chips 1..100 from 10"
        ),
        "more: the banker passes = passes seat=1",
    ]
