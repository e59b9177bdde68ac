"""The work for a picture, in steps of the interpreter, as a clock would measure the machine.

Times are in `scripts/bench`.
"""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest
from msgspec.structs import replace

from table_controller.engine.messages import Audience
from table_controller.engine.punto_banco import game
from table_controller.engine.punto_banco.bets import spots
from table_controller.engine.punto_banco.state import Bet, Table
from table_controller.rules.money import Chips
from table_controller.rules.punto_banco.money import odds
from tests.engine.punto_banco.playing import house, table

SIDE = {
    "player_pair": "11:1",
    "banker_pair": "11:1",
    "either_pair": "5:1",
    "perfect_pair": "25:1 200:1",
    "dragon_7": "40:1",
    "panda_8": "25:1",
    "super_6": "12:1",
    "lucky_6": "12:1 20:1",
    "big": "0.54:1",
    "small": "1.5:1",
}


def laid(stakes: int) -> Table:
    """So many stakes, place by place, on all its spots."""
    begun = table(house(side_bets=SIDE, seats=12))
    places = range(1, begun.house.seats + 1)
    every = [Bet(seat, spot, Chips(10)) for seat in places for spot in spots(begun.house)]
    assert len(every) >= stakes
    return replace(begun, bets=tuple(every[:stakes]))


def steps(now: Table) -> int:
    """Of the interpreter, while the staff's picture is made."""
    counted = 0

    def trace(frame: FrameType, event: str, _arg: Any) -> Any:
        nonlocal counted
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        counted += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        game.snapshot(now, Audience.CROUPIER)
    finally:
        sys.settrace(before)
    return counted


@pytest.fixture(scope="module")
def one() -> int:
    steps(laid(1))  # what is computed once for a house is there
    return steps(laid(1))


def test_a_picture_grows_no_faster_than_its_stakes(one):
    """PB-13: twice as many stakes are twice the work that stakes make, and no more."""
    half, all_ = steps(laid(78)), steps(laid(156))

    assert all_ - one <= 2.1 * (half - one)


def test_a_full_table_is_under_five_times_one_stake(one):
    """PB-13: twelve places with a stake on every spot, and one lonely stake."""
    assert steps(laid(156)) < 5 * one


def test_odds_are_read_once():
    """PB-12: what a house pays is not read anew for each place, spot and picture."""
    now = laid(156)
    odds.cache_clear()
    game.snapshot(now, Audience.CROUPIER)

    assert odds.cache_info().misses == len({*SIDE.values(), now.house.tie_pays, "1:1"})
