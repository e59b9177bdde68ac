"""Repairs: inputs taken back, cards corrected, a supervisor's repairs (R-20, Z-27)."""

import dataclasses
from typing import get_args

import pytest
from msgspec.structs import replace

from table_controller.engine.chemin_de_fer import inputs as i
from table_controller.engine.chemin_de_fer import step as chemin_de_fer
from table_controller.engine.chemin_de_fer.evening import sums
from table_controller.engine.chemin_de_fer.step import step
from table_controller.engine.chemin_de_fer.view import snapshot
from table_controller.engine.ecarte import inputs as ei
from table_controller.engine.ecarte import step as ecarte
from table_controller.engine.messages import (
    AlertCleared,
    Audience,
    CardNamed,
    Phrase,
    Refusal,
    Restored,
)
from table_controller.engine.punto_banco import inputs as pi
from table_controller.engine.punto_banco import step as punto_banco
from table_controller.engine.table import events as te
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.undo import BESIDE
from table_controller.rules.cards import Card
from tests.engine.pictured import balances, figure
from tests.engine.playing import (
    MODERN,
    NEMZETI,
    ZOPPOT,
    deal,
    events,
    play,
    same_undo,
    table,
    total,
)
from tests.every_game import GAMES

BANCO = ("seat 1 banks 100", "seat 2 banco solo")
BANK_WINS = (*deal("2h Kc", "9d Ks"), "seat 2 reste", "seat 1 opens", "seat 2 opens")


def picture(now):
    return snapshot(now, Audience.CROUPIER)


def balance(now, seat):
    return balances(picture(now))[seat]


@pytest.mark.parametrize("count", range(1, 9))
def test_words_are_taken_back_one_by_one_in_any_number(count):
    """R-20: the last first, and then the table is as if nothing had been said."""
    lines = ("seat 1 banks 50", "all may stake", "seat 2 stakes 10", "seat 3 stakes 20")
    lines += ("seat 2 stakes 0", "seat 4 stakes 30", "nichts geht mehr", "seat 9 by the schlitten")
    begun = table()
    before = play(begun, *lines[: len(lines) - count])

    after = play(before, *lines[len(lines) - count :], *["take back"] * count)

    now = replace(after, prompt=before.prompt, felt=replace(after.felt, withdrawn=None))
    assert same_undo(now, before) == before
    assert after.prompt > before.prompt


@pytest.mark.parametrize("line", ["seat 3 buys in 5", "seat 3 leaves", "standing 10 Anna"])
def test_money_that_came_ends_what_can_be_taken_back(line):
    """R-20: nothing is lost by taking back."""
    with pytest.raises(Refusal) as no:
        play(table(), *BANCO, line, "take back")

    assert no.value.rule == "R-20"


@pytest.mark.parametrize("name", GAMES)
def test_of_every_input_it_is_said_whether_it_can_be_taken_back(name):
    """R-20, R-46, ER-38: undone by its name, or final, or standing beside that; no fourth."""
    undone, idle, final = SORTED[name]
    beside = BESIDE | idle

    assert not beside & set(undone)
    assert set(get_args(GAMES[name].inputs)) - set(undone) - beside == final | FINAL_ANYWHERE
    assert beside <= set(get_args(GAMES[name].inputs))


@pytest.mark.parametrize("name", GAMES)
def test_what_can_be_taken_back_has_its_label(name):
    """R-20: one for each word that is neither final nor stands beside the others."""
    labels, idle, final = SORTED[name]
    undone = {*get_args(GAMES[name].inputs)} - BESIDE - idle - final - FINAL_ANYWHERE

    assert {kind.__name__ for kind in undone if not labels.get(kind, Phrase("")).text} == set()


#: What at no table can be taken back, nor anything before it.
FINAL_ANYWHERE = {
    ti.Annulled, ti.StrayRuled, ti.UnreadRuled, ti.SchlittenClosed, ti.SchlittenLoaded,
    ti.ThrownAway, ti.Corrects, ti.Transfers, ti.Sits, ti.Stands, ti.BuysIn, ti.CashesOut, ti.Tips,
    ti.Leaves, ti.Moves, ti.Swaps, CardNamed, Restored,
}  # fmt: skip
#: Of each game: what can be taken back, what stands beside it, and what is final in that game.
SORTED = {
    "chemin-de-fer": (
        chemin_de_fer.TAKEN_BACK,
        chemin_de_fer.IDLE,
        {
            i.Opened, i.Exposed, i.Throws, i.BankLoses, i.AsksSchlitten, i.AdmitsFaux, i.LetStand,
            i.CardCounts, ti.Prepared, ti.Paid, ti.WhiteRuled, ti.UnreadBurned,
        },
    ),
    "ecarte": (
        ecarte.TAKEN_BACK,
        ecarte.IDLE,
        {ei.Chooses, ei.PlaysOn, ei.ThrowsAway, ei.Onward},
    ),
    "punto-banco": (
        punto_banco.TAKEN_BACK,
        frozenset(),
        {
            pi.BetsOpenAgain, pi.Collects, pi.Opened, pi.PastRuled, pi.PutRight, pi.Reopens,
            pi.ResultRuled,
            ti.Misdealt, ti.Prepared, ti.Paid, ti.WhiteRuled, ti.UnreadBurned,
        },
    ),
}  # fmt: skip


def test_a_step_of_the_mixing_ends_what_can_be_taken_back():
    """R-46, ZP-4: taking back a declaration does not put the cards back before they were mixed."""
    now = play(table(), "schlitten closed", "seat 2 by the schlitten", "prepared")

    with pytest.raises(Refusal) as no:
        play(now, "take back")
    assert no.value.rule == "R-20"
    assert "Now face down" in str(picture(now).prompt.ask)


def test_an_opening_ends_what_can_be_taken_back():
    """R-20: also a Schlag, which is said and shown in one."""
    now = play(table(), *BANCO, *deal("9h Kc", "2d Ks"), "seat 2 schlag")

    with pytest.raises(Refusal):
        play(now, "take back")


def test_what_is_taken_back_is_told_and_not_offered_for_ever():
    """R-20: what was published stays; `withdrawn` names it."""
    now = play(table(), *BANCO)
    told = events(now, "take back")

    assert [event.said for event in told if isinstance(event, te.Withdrawn)] == ["banco"]
    offered = [offer.input["type"] for offer in picture(table()).offers]
    assert "takes_back" not in offered


@pytest.mark.parametrize("kind", [ti.Ruled, ti.Corrects, ti.Transfers])
def test_a_supervisor_gives_his_reason(kind):
    """R-20, Z-27: without one nothing is moved, corrected or noted."""
    now = play(table(), *BANCO, "card 2h")
    known = {"ordinal": 1, "card": Card("9h"), "seat": 2, "to": 3, "chips": 5, "reason": " "}
    fields = {name: known[name] for name in kind.__struct_fields__ if name in known}

    with pytest.raises(Refusal) as no:
        step(now, kind(**fields))
    assert no.value.rule == "R-20"
    step(now, kind(**fields | {"reason": "as seen"}))


def test_a_ruling_is_noted_for_the_staff():
    """Z-27, N-8: with its reason, and nothing else changes."""
    now = play(table(), *BANCO)
    after, told = step(now, ti.Ruled(reason="by majority"))

    assert after == now
    assert told == (te.RulingNoted(reason="by majority"),)
    assert told[0].audience is Audience.CROUPIER


def test_a_supervisor_moves_money_and_makes_none():
    """Z-27, R-16, R-20: from a place to another, and the cagnotte is one of them."""
    now = play(table(), *BANCO, *BANK_WINS, "paid")
    after = play(
        now, "transfer 5 from 0 to 2 wrongly taken", "transfer 50 from 3 to 4 wrongly paid"
    )

    assert [balance(after, seat) for seat in (2, 3, 4)] == [905, 950, 1050]
    assert figure(picture(after), "cagnotte") == 0
    assert total(after) == total(now)
    with pytest.raises(Refusal):
        play(after, "transfer 1 from 0 to 2 again")
    assert balance(play(after, "transfer 1 from 4 to 0 his tip"), 4) == 1049


def test_a_coup_that_is_voided_leaves_what_came_in_since():
    """R-20, R-16: stakes, cagnotte and balances as before; a buy-in of the meantime stays."""
    now = play(table(), "standing 70 Anna", *BANCO, *BANK_WINS)
    after = play(now, "seat 2 buys in 50", "seat 101 buys in 5", "annul dealt twice")

    assert [balance(after, seat) for seat in (1, 2, 101)] == [900, 1050, 75]
    assert [figure(picture(after), name) for name in ("pot", "cagnotte")] == [100, 0]
    assert not [offer for offer in picture(after).offers if offer.input["type"] == "suite"]


def test_a_card_of_a_coup_that_is_being_paid_stays():
    """R-20: once money has moved a reading is not corrected; a supervisor moves the money."""
    now = play(table(), *BANCO, *BANK_WINS)
    play(now, "correct 1 9h misread")

    with pytest.raises(Refusal) as no:
        play(now, "tick 0", "correct 1 9h misread")
    assert no.value.rule == "R-20"
    assert "played by" in str(no.value.why)


def test_who_plays_in_a_coup_stays_until_it_is_paid():
    """R-20, ZP-14: announced is not yet paid."""
    now = play(table(), *BANCO, *BANK_WINS)

    with pytest.raises(Refusal):
        play(now, "seat 2 leaves")
    play(now, "paid", "seat 2 leaves")


def test_winnings_that_have_left_cannot_be_voided():
    """R-20: a supervisor moves money back; no balance goes below nothing."""
    won = (*deal("9h Kc", "2d Ks"), "seat 2 schlag", "seat 1 opens")
    now = play(table(), *BANCO, *won, "seat 2 cashes out 1100")

    with pytest.raises(Refusal) as no:
        play(now, "annul dealt twice")
    assert no.value.rule == "R-20"
    assert "annulled" not in {offer.input["type"] for offer in picture(now).offers}


def test_a_corrected_card_has_a_promise_of_its_own():
    """R-20, R-13: the new reading is promised anew, and the card count follows it."""
    now = play(table(), *BANCO, "card 2h")
    told = events(now, "correct 1 9h misread")
    after = play(now, "correct 1 9h misread")
    promises = [
        e.commitment
        for e in (*events(table(), *BANCO, "card 2h"), *told)
        if hasattr(e, "commitment")
    ]

    assert len(set(promises)) == len(promises) == 2
    same = [
        e.commitment for e in events(after, "correct 1 2h was right") if hasattr(e, "commitment")
    ]
    assert not set(same) & set(promises)
    closed = events(play(after, "annul again"), "schlitten closed")[-1]
    assert isinstance(closed, te.SchlittenCounted)
    counted = closed.remaining
    assert (counted["2h"], counted["9h"]) == (6, 5)


@pytest.mark.parametrize(
    ("retablir", "dealt", "mends"),
    [
        ("third_card", ["card 2c"], True),
        ("third_card", ["card 2c", "card Kc"], True),
        ("third_dealt", ["card 2c"], True),
        ("third_dealt", ["card 2c", "card Kc"], False),
    ],
)
def test_which_third_card_ends_the_time_for_putting_right_is_a_setting(retablir, dealt, mends):
    """R-15, N-4: the first third card of the coup, or what follows the third of the deal (R-50)."""
    house = replace_house(NEMZETI, retablir=retablir)
    now = play(table(house=house), "seat 1 banks 100", "seat 2 stakes 50", "card 2h", "card 4d")
    play(now, "misdealt", "put right")
    now = play(now, *dealt, "misdealt")

    offered = {offer.input["type"] for offer in picture(now).offers}
    assert ("put_right" in offered) is mends


def replace_house(house, **settings):
    return dataclasses.replace(house, **settings)


@pytest.mark.parametrize("house", [ZOPPOT, NEMZETI, MODERN], ids=lambda house: house.id)
def test_the_public_sums_come_out_after_every_repair(house):
    """R-7, R-16: also where a coup was settled anew, voided, lost by rule or taken back."""
    now = table(house=house)
    claim = "seat 2 stakes 100" if house is NEMZETI else "seat 2 banco solo"
    lines = ["seat 1 banks 100", claim, *BANK_WINS, "correct 1 9h misread", "correct 1 2h no"]
    lines += ["annul again", "seat 1 raises 10", claim, *deal("2h Kc", "9d Ks"), "misdealt"]
    lines += ["bank loses", "paid", "seat 2 banks 50", "take back", "seat 2 banks 40"]
    lines += [claim.replace("2", "3", 1), *deal("2h Kc", "9d Ks"), "seat 2 throws"]
    told = [
        {"type": type(event).__struct_config__.tag}
        | {f: getattr(event, f) for f in event.__struct_fields__}
        for event in events(now, *lines)
        if event.audience is Audience.PUBLIC
    ]

    assert sums(told) is None
    assert sum(event["type"] == "coup_settled" for event in told) == 5
    settled = next(event for event in told if event["type"] == "coup_settled")
    settled["pot_after"] += 1
    assert sums(told)


def test_who_looks_for_long_is_reminded_until_he_speaks():
    """Z-16: a notice, gone with his word; it decides nothing."""
    now = play(table(), *BANCO, *deal("2h Kc", "9d Ks"))
    slow = play(now, "waited")

    assert [alert.code for alert in picture(slow).alerts] == ["slow_look"]
    assert slow.phase == now.phase
    assert not picture(play(slow, "seat 2 carte")).alerts
    assert any(isinstance(told, AlertCleared) for told in events(slow, "seat 2 carte"))
    assert not picture(play(slow, "seat 2 schlag")).alerts


def test_what_was_said_while_a_card_waited_does_not_bring_it_back():
    """R-20, R-6: the card is known by now; taking back must not ask for it a second time."""
    now = play(table(), *BANCO, "card unread no_read", "seat 5 by the schlitten", "card 2h")

    with pytest.raises(Refusal) as no:
        play(now, "take back")
    assert no.value.rule == "R-20"


def test_a_coup_that_is_settled_anew_stands_once_in_the_row_of_the_last_ones():
    """R-20: as it is now; and not at all once it is annulled."""
    settled = play(table(), *BANCO, *BANK_WINS)

    anew = play(settled, "correct 1 9h misread")
    assert [(coup.coup, coup.name) for coup in picture(anew).last] == [(1, "tie")]
    assert picture(play(anew, "annul dealt twice")).last == ()


def test_a_last_coup_that_was_called_stays_called_when_a_word_is_taken_back():
    """R-20, R-6: the white card lies outside, whatever is said."""
    now = play(table(left=7), *BANCO, "white card", "take back")

    assert picture(now).shoe.last_coup
