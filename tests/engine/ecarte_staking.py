"""Tables of écarté with money for tests: four players, and parties that end at once."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from table_controller.engine.ecarte import inputs as i
from table_controller.engine.ecarte import state as p
from table_controller.engine.ecarte.state import Due, Table, begin
from table_controller.engine.ecarte.step import step
from table_controller.engine.messages import Event, Input
from table_controller.engine.promises import SecretKey
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.felt import balance
from table_controller.rules.cards import Card
from table_controller.rules.ecarte.house import House
from table_controller.rules.ecarte.marks import PARTIE
from table_controller.rules.money import Chips
from tests.engine import ecarte_playing

E07 = ecarte_playing.E07
E00 = replace(
    ecarte_playing.E00, chouette="one_kind", freezes="tenu", succession="list",
    retired="newcomer", renounced="out", side_bets=False, winner_doubles=False, shares=False,
)  # fmt: skip
EDE = replace(
    ecarte_playing.EDE, chouette="bank", two_sides=False, freezes="cut", succession="anyone",
    retired="newcomer", side_bets=False, winner_doubles=False, shares=False, most_renewals=0,
    most_halvings=0,
)  # fmt: skip
PLAYERS = (1, 2, 3, 4, 5, 6)


def table(house: House, *, chips: int = 1000) -> Table:
    """Six players, each with as much."""
    now = begin(house, SecretKey(b"stakes"))
    for seat in PLAYERS:
        now, _ = step(now, ti.Sits(seat=seat, name=f"player {seat}", chips=Chips(chips)))
    return now


def said(now: Table, *words: Input) -> Table:
    """The table after these words, all of which are taken."""
    for word in words:
        now, _ = step(now, word)
    return now


def told(now: Table, word: Input) -> tuple[Event, ...]:
    """What a word makes the table tell."""
    return step(now, word)[1]


def laid(seat: int, chips: int, side: int = 1) -> i.Stakes:
    """A stake, against the giver where there is one."""
    return i.Stakes(seat=seat, side=side, chips=Chips(chips))


def over(now: Table, loser: int | None, *, held: bool = True) -> Table:
    """The partie is held, and at once lost by that side; None: it is void."""
    now = said(now, i.PartieHeld()) if held else now
    assert now.partie
    left, right = now.partie.seats
    if isinstance(now.phase, p.CutDue):
        now = said(
            now,
            i.CutsForDeal(seat=left, card=Card("7h")),
            i.CutsForDeal(seat=right, card=Card("Kh")),
        )
    if loser is None:
        return said(now, i.FalseCards(), i.Chooses(seat=0, option=i.Option.VOID))
    if now.house.leaving == "ruled":  # nobody loses by leaving (ER-47), so five marks are due
        due = Due(1 - loser, PARTIE, i.Why.TRICKS, "EDE-17")
        marked = msgspec.structs.replace(now.partie, due=(due,))
        now = msgspec.structs.replace(now, partie=marked)
        return said(now, i.Marks(seat=(right, left)[loser], points=PARTIE, why=i.Why.TRICKS))
    gone = i.Quits(seat=(left, right)[loser])
    return said(now, gone, i.Chooses(seat=0, option=i.Option.LOSES))


def balances(now: Table) -> tuple[int, ...]:
    """What lies before each player."""
    return tuple(balance(now.felt, seat) for seat in PLAYERS)


def changes(now: Table, chips: int = 1000) -> tuple[int, ...]:
    """What each has won or lost."""
    return tuple(held - chips for held in balances(now))
