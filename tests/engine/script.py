"""Chemin de fer's coup scripts: their lines, how events are written, and the first table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from table_controller.engine.chemin_de_fer import events as ev
from table_controller.engine.chemin_de_fer import game
from table_controller.engine.chemin_de_fer.state import Table, at, begin
from table_controller.engine.chemin_de_fer.step import step
from table_controller.engine.messages import Event, Input
from table_controller.engine.promises import SecretKey
from table_controller.engine.table import events as te
from table_controller.engine.table import inputs as ti
from table_controller.rules.cards import show as codes
from table_controller.rules.chemin_de_fer.house import House
from table_controller.rules.chemin_de_fer.tableau import Duty
from table_controller.rules.money import Chips
from tests import scripting
from tests.scripting import Button, Question, Shown

parse, write = game.read, game.write


def read(text: str) -> Iterator[tuple[Input | Question | Button, str | None]]:
    """Lines of a script, each with what is expected of it (None: nothing in particular)."""
    return scripting.read(game, text)


def lines(text: str) -> Iterator[tuple[Input, str | None]]:
    """What a script says to the table, its questions left out.

    A button says what is offered when it is pressed: `scripting.played` knows.
    """
    for said, expected in read(text):
        if isinstance(said, Button):
            raise TypeError(f"a script with the button {said.name!r} is played, not listed")
        if isinstance(said, Input):
            yield said, expected


def table(house: House, *, chips: int = 1000) -> Table:
    """Where a script begins: a player with `chips` at every seat, a Schlitten ready at seat 1."""
    now = begin(house, SecretKey(b"script"))
    for seat in range(1, house.seats + 1):
        now, _ = step(now, ti.Sits(seat=seat, name=f"player {seat}", chips=Chips(chips)))
    now, _ = step(now, ti.SchlittenLoaded(shoe="script"))
    return now


def short(table: Table, left: int) -> Table:
    """The same table with only `left` cards in its Schlitten, as if the others had been dealt."""
    if table.felt.shoe is None:
        return table
    out = table.felt.shoe.cards - left
    return at(
        table,
        table.phase,
        felt=replace(table.felt, shoe=replace(table.felt.shoe, out=out, ordinal=out)),
    )


def show(events: Iterable[Event]) -> str:
    """What came of an input, as the croupier would say it; parts divided by `; `."""
    told = list(events)
    by_hand = {(e.seat, code) for e in told if isinstance(e, ev.HandOpened) for code in e.cards}
    bare = {e.ordinal for e in told if isinstance(e, te.CardOpened)}
    return scripting.show(
        (
            event
            for event in told
            # told with its hand, or with its face
            if not (isinstance(event, te.CardOpened) and (event.seat, event.card) in by_hand)
            and not (isinstance(event, te.CardDrawn) and event.ordinal in bare)
        ),
        _SHOWN,
    )


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


_SHOWN: Shown = {
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
    te.Misdeal: lambda _e: "misdeal",
    te.MisdealMended: lambda _e: "put right",
    te.PaymentMade: lambda e: f"line {e.line} paid",
    ev.PointeurNamed: lambda e: f"seat {e.seat} plays {e.stake}",
    ev.HandOpened: lambda e: f"seat {e.seat} opens {codes(e.cards)}, {e.points} points",
    ev.Advised: lambda e: f"advice: {ADVICE[e.duty]}",
    ev.CoupSettled: _settled,
}
