"""How punto banco is written, line by line (`engine/table/script.py`), and how its events read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from table_controller.engine.commitments import Secret
from table_controller.engine.messages import Event, Input
from table_controller.engine.punto_banco import events as ev
from table_controller.engine.punto_banco import inputs as i
from table_controller.engine.punto_banco.inputs import Side
from table_controller.engine.punto_banco.state import Betting, Table, at, begin
from table_controller.engine.punto_banco.step import step
from table_controller.engine.table import events as te
from table_controller.engine.table import inputs as ti
from table_controller.engine.table import script
from table_controller.engine.table.script import Line, Question, Shown, short
from table_controller.rules.money import Chips
from table_controller.rules.punto_banco.coup import Winner
from table_controller.rules.punto_banco.house import House

__all__ = ["Question", "lines", "parse", "read", "short", "show", "table", "write"]

_LINES: Final[tuple[Line, ...]] = (
    (i.Bets, "seat {seat} bets {chips} on {spot}", {}),
    (i.BetsAgain, "the same stakes again", {}),
    (i.TakesDown, "seat {seat} takes down {spot}", {}),
    (i.Closes, "no more bets", {}),
    (i.FreeCoup, "free coup", {}),
    (i.Opened, "{side} opened", {}),
    (i.Agrees, "agreed", {}),
    (i.Ticked, "tick {line}", {}),
    (i.Paid, "paid", {}),
    (i.Collects, "seat {seat} commission", {}),
    (i.Misdealt, "wrong hand", {}),
    (i.PutRight, "put right {reason}", {}),
    (i.Reopens, "reopened {reason}", {}),
    (i.ResultRuled, "result {winner} {reason}", {}),
    (i.PastRuled, "coup {coup} result {winner} {reason}", {}),
)
_NOTATION = script.Notation(
    _LINES,
    {
        "spot": r"[a-z0-9_]+",
        "side": "|".join(Side),
        "winner": "|".join(Winner),
        "coup": r"\d+",
    },
)
parse, write = _NOTATION.parse, _NOTATION.write
read, lines = _NOTATION.read, _NOTATION.lines


def table(house: House, *, chips: int = 1000) -> Table:
    """Where a script begins: a player with `chips` at every seat, the first cards burned."""
    now = begin(house, Secret(b"script"))
    words: list[Input] = [
        ti.Sits(seat=seat, name=f"player {seat}", chips=Chips(chips))
        for seat in range(1, house.seats + 1)
    ]
    for said in (*words, ti.SchlittenLoaded(shoe="script")):
        now, _ = step(now, said)
    return at(now, Betting())


def show(events: Iterable[Event]) -> str:
    """What came of an input, as the dealer would say it; parts divided by `; `."""
    return script.show(events, _SHOWN)


_AT: Final = {place: side.value for side, place in ev.PLACES.items()}
_NAMES: Final = {"P": "Player", "B": "Banker", "T": "tie"}


def _place(seat: int) -> str:
    return _AT.get(seat) or script.seat(seat)


def _settled(event: ev.CoupSettled) -> str:
    told = f"coup {event.coup}: {_NAMES[event.winner]} {event.player} : {event.banker}"
    if not event.staked:
        return told
    stays = f", stays {event.stays}" if event.stays else ""
    took = f", commission {event.commission}" if event.commission else ""
    return f"{told}, lost {event.lost}, back {event.back}, paid {event.paid}{stays}{took}"


_SHOWN: Final[dict[type, Shown]] = {
    **script.SHOWN,
    te.CardDrawn: lambda e: f"{_place(e.seat)} closed card",
    te.CardOpened: lambda e: f"{_place(e.seat)} open card {e.card}",
    ev.BurnDue: lambda e: f"burn {e.cards}",
    ev.BetLaid: lambda e: f"seat {e.seat} has {e.chips} on {e.spot}",
    ev.CoupBegun: lambda e: f"coup {e.coup} begins{f', {e.staked} staked' if e.staked else ''}",
    ev.PointsTold: lambda e: f"{e.player} : {e.banker}",
    ev.ThirdCardDue: lambda e: f"{e.side} draws",
    ev.CoupAnnounced: lambda e: f"announced: {_NAMES[e.winner]} {e.player} : {e.banker}",
    ev.CoupSettled: _settled,
    ev.PaymentMade: lambda e: f"line {e.line} paid",
    ev.CoupPaid: lambda e: f"coup {e.coup} paid",
    ev.CommissionCollected: lambda e: f"seat {e.seat} pays {e.chips} commission",
    ev.Misdeal: lambda _e: "wrong hand",
    ev.MisdealMended: lambda _e: "put right",
    ev.MishapRuled: lambda e: f"{e.rule} by {e.by}: {e.reason}",
    ev.ResultReopened: lambda e: f"coup {e.coup} reopened",
    ev.ResultChanged: lambda e: f"coup {e.coup} is {_NAMES[e.winner]}",
}
