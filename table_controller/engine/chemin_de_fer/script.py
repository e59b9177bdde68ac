"""How chemin de fer is written, line by line (`engine/table/script.py`), and its events read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from table_controller.engine.chemin_de_fer import events as ev
from table_controller.engine.chemin_de_fer import inputs as i
from table_controller.engine.chemin_de_fer.state import Table, begin
from table_controller.engine.chemin_de_fer.step import step
from table_controller.engine.commitments import Secret
from table_controller.engine.messages import Event
from table_controller.engine.table import inputs as ti
from table_controller.engine.table import script
from table_controller.engine.table.script import Line, Question, short
from table_controller.rules.cards import show as codes
from table_controller.rules.chemin_de_fer.house import House
from table_controller.rules.chemin_de_fer.tableau import Duty
from table_controller.rules.money import Chips

__all__ = ["ADVICE", "Question", "lines", "parse", "read", "short", "show", "table", "write"]

_LINES: tuple[Line, ...] = (
    (i.Declares, "seat {seat} by the schlitten", {}),
    (i.Declares, "seat {seat} plays free", {"by_schlitten": False}),
    (i.Banks, "seat {seat} banks {chips}", {}),
    (i.OpensBank, "seat {seat} banks open", {}),
    (i.Passes, "seat {seat} passes", {}),
    (i.Raises, "seat {seat} raises {chips}", {}),
    (i.DrawsIn, "seat {seat} draws in", {}),
    (i.Halves, "seat {seat} halves", {}),
    (i.Joins, "seat {seat} joins the bank {chips}", {}),
    (i.Suite, "seat {seat} suite", {}),
    (i.Bids, "seat {seat} bids {chips}", {}),
    (i.Sold, "sold", {}),
    (i.TakesOver, "seat {seat} takes over", {}),
    (i.Banco, "seat {seat} banco solo", {}),
    (i.BancoWithPartner, "seat {seat} banco {chips} with seat {partner}", {}),
    (i.BancoWithTable, "seat {seat} banco {chips} with the table", {}),
    (i.OpenGame, "all may stake", {}),
    (i.Stakes, "seat {seat} stakes {chips}", {}),
    (i.Stakes, "seat {seat} stakes {chips} with consent", {"consent": True}),
    (i.StakesAgain, "the same stakes again", {}),
    (i.Closes, "nichts geht mehr", {}),
    (i.Declines, "seat {seat} declines", {}),
    (i.TakesUp, "seat {seat} takes up", {}),
    (i.Opened, "seat {seat} opens", {}),
    (i.Spoke, "seat {seat} {word}", {}),
    (i.AsksSchlitten, "seat {seat} asks the schlitten", {}),
    (i.Waited, "waited", {}),
    (i.Exposed, "seat {seat} exposed", {}),
    (i.Throws, "seat {seat} throws", {}),
    (i.Misdealt, "misdealt", {}),
    (i.PutRight, "put right", {}),
    (i.BankLoses, "bank loses", {}),
    (i.AdmitsFaux, "seat {seat} admits faux tirage", {}),
    (i.LetStand, "let stand {reason}", {}),
    (i.Ticked, "tick {line}", {}),
    (i.Paid, "paid", {}),
)

_NOTATION = script.Notation(_LINES, {"partner": r"\d+", "word": "|".join(i.Word)})
parse, write = _NOTATION.parse, _NOTATION.write
read, lines = _NOTATION.read, _NOTATION.lines


def table(house: House, *, chips: int = 1000) -> Table:
    """Where a script begins: a player with `chips` at every seat, a Schlitten ready at seat 1."""
    now = begin(house, Secret(b"script"))
    for seat in range(1, house.seats + 1):
        now, _ = step(now, ti.Sits(seat=seat, name=f"player {seat}", chips=Chips(chips)))
    now, _ = step(now, ti.SchlittenLoaded(shoe="script"))
    return now


def show(events: Iterable[Event]) -> str:
    """What came of an input, as the croupier would say it; parts divided by `; `."""
    told = list(events)
    by_hand = {(e.seat, code) for e in told if isinstance(e, ev.HandOpened) for code in e.cards}
    return script.show(told, _SHOW, by_hand=by_hand)


ADVICE = {
    Duty.DRAW: "he draws",
    Duty.STAND: "he stands",
    Duty.CHOOSE: "as he chooses",
    Duty.NO_INFORMATION: "no information",
}


def _settled(event: ev.CoupSettled) -> str:
    match event.winner:
        case None:
            return "en carte"
        case ev.Side.POINTEUR if event.forfeit:
            return f"seat {event.pointeur_seat} wins {event.staked} by {event.forfeit}"
        case ev.Side.POINTEUR:
            return f"seat {event.pointeur_seat} wins {event.staked}"
        case ev.Side.BANK:
            return (
                f"seat {event.banker_seat} wins {event.staked}, "
                f"cagnotte {event.cagnotte}, pot {event.pot_after}"
            )


_SHOW: dict[type, Callable[[Any], str]] = {
    **script.SHOWN,
    ev.BankPosted: lambda e: f"seat {e.seat}: {e.pot} banco",
    ev.SchlittenPassed: lambda e: f"Schlitten passes to seat {e.to}",
    ev.BankOpened: lambda e: f"seat {e.seat}: open bank",
    ev.PotChanged: lambda e: f"pot {e.pot}, aside {e.aside}",
    ev.PartnerJoined: lambda e: f"seat {e.seat} joins, pot {e.pot}",
    ev.AuctionBegun: lambda e: f"seat {e.seat} gives up {e.pot}",
    ev.BidMade: lambda e: f"seat {e.seat} bids {e.chips}",
    ev.BankSold: lambda e: f"seat {e.to} has the bank of seat {e.seat}",
    ev.GameOpened: lambda _e: "all may stake",
    ev.StakeLaid: lambda e: f"seat {e.seat} has {e.chips}",
    ev.StakesClosed: lambda e: f"{e.staked} staked, {e.covered} covered",
    ev.PartOffered: lambda e: f"seat {e.seat} is offered {e.chips}",
    ev.Answered: lambda e: f"answer: {ADVICE[e.duty]}{', binding' if e.binds else ''}",
    ev.HandThrown: lambda e: f"seat {e.seat} has thrown",
    ev.FauxTirage: lambda e: f"faux tirage of seat {e.seat}",
    ev.ClaimFailed: lambda e: f"claim of seat {e.seat} fails",
    ev.Misdeal: lambda _e: "misdeal",
    ev.MisdealMended: lambda _e: "put right",
    ev.PaymentMade: lambda e: f"line {e.line} paid",
    ev.PointeurNamed: lambda e: f"seat {e.seat} plays {e.stake}",
    ev.HandOpened: lambda e: f"seat {e.seat} opens {codes(e.cards)}, {e.points} points",
    ev.Advised: lambda e: f"advice: {ADVICE[e.duty]}",
    ev.CoupSettled: _settled,
}
