"""The public record of a coup. Points or money that do not add up are reported."""

from __future__ import annotations

import msgspec
import pytest

from table_controller.engine.messages import Audience
from table_controller.engine.punto_banco import game
from tests.engine.punto_banco.playing import table

NATURAL = ("seat 1 bets 10 on player", "card 4h", "card Kd", "card 5s", "card Qd", "agreed", "paid")


def heard(*lines):
    """The public events of these lines, as a subscriber has them."""
    now, told = table(), []
    for line in lines:
        now, events = game.step(now, game.read(line))
        told += [msgspec.to_builtins(e) for e in events if e.audience is Audience.PUBLIC]
    return told


def test_a_true_record_comes_out():
    """R-16, PB-8: cards, points, winner and stakes agree."""
    assert game.sums(heard(*NATURAL)) is None


@pytest.mark.parametrize(
    ("kind", "change", "why"),
    [
        ("coup_announced", {"player": 8}, "the cards make 9 : 0, not 8 : 0"),
        ("coup_announced", {"winner": "B"}, "B cannot have won with 9 : 0"),
        ("coup_settled", {"banker": 1}, "the cards make 9 : 0, not 9 : 1"),
        ("coup_settled", {"winner": "T"}, "T cannot have won with 9 : 0"),
        ("coup_settled", {"lost": 10}, "10 staked, and 20 lost, back or left"),
        ("coup_settled", {"paid": -1}, "a sum below nothing"),
        ("coup_settled", {"paid": 11}, "paid 11, and by spots 10"),
        ("coup_settled", {"commission": 1}, "commission 1, and by spots 0"),
        (
            "coup_settled",
            {"won": [{"spot": "banker", "stake": 10, "paid": 10, "commission": 0}]},
            "banker is paid, and has not won",
        ),
        (
            "coup_settled",
            {"won": [{"spot": "player", "stake": 10, "paid": 11, "commission": 0}], "paid": 11},
            "player is paid 11 for 10",
        ),
    ],
)
def test_a_false_one_is_found(kind, change, why):
    """R-16, PB-8, PB-9: at the event that does not hold, and why."""
    told = heard(*NATURAL)
    at = next(n for n, event in enumerate(told) if event["type"] == kind)
    told[at] = told[at] | change

    assert game.sums(told) == (at, why)


def test_commission_is_added_up():
    """R-16, PB-10: two on Banker, 100 and 30, and one on a pair that won: 5 and 2 of commission."""
    stakes = ("1 bets 100 on banker", "2 bets 30 on banker", "2 bets 5 on banker_pair")
    told = heard(
        *(f"seat {stake}" for stake in stakes),
        "card 2h",
        "card 4d",
        "card 5s",
        "card 4c",
        "agreed",
        "paid",
    )
    settled = next(event for event in told if event["type"] == "coup_settled")

    assert list(settled["won"]) == [
        {"spot": "banker_pair", "stake": 5, "paid": 55, "commission": 0},
        {"spot": "banker", "stake": 130, "paid": 123, "commission": 7},
    ]
    assert game.sums(told) is None
    settled["commission"] = 6
    assert game.sums(told) == (told.index(settled), "commission 6, and by spots 7")


def test_a_ruling_counts_for_its_own_coup_only():
    """PB-26, PR-2: what an earlier coup was ruled to be says nothing of the present one."""
    lines = (*NATURAL, "free coup", "card Kh", "card 4d", "card Ks", "card 5d")
    ruled = "coup 1 result B because the camera shows it"

    assert game.sums(heard(*lines, ruled, "agreed")) is None
    assert game.sums(heard(*lines, "result T because so", "agreed")) is None
