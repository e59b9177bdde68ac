"""Punto banco's coup scripts: how events are written, and the table with which they begin."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from table_controller.engine.messages import Event, Input
from table_controller.engine.promises import SecretKey
from table_controller.engine.punto_banco import events as ev
from table_controller.engine.punto_banco.state import Betting, Table, at, begin
from table_controller.engine.punto_banco.step import step
from table_controller.engine.table import events as te
from table_controller.engine.table import inputs as ti
from table_controller.rules.money import Chips
from table_controller.rules.punto_banco.house import House
from tests import scripting
from tests.scripting import Shown


def table(house: House, *, chips: int = 1000) -> Table:
    """Where a script begins: a player with `chips` at every seat, the first cards burned."""
    now = begin(house, SecretKey(b"script"))
    words: list[Input] = [
        ti.Sits(seat=seat, name=f"player {seat}", chips=Chips(chips))
        for seat in range(1, house.seats + 1)
    ]
    for said in (*words, ti.SchlittenLoaded(shoe="script")):
        now, _ = step(now, said)
    return at(now, Betting())


def short(table: Table, left: int) -> Table:
    """The same table with only `left` cards in its Schlitten, as if the others had been dealt."""
    shoe = table.felt.shoe
    out = shoe.cards - left
    felt = replace(table.felt, shoe=replace(shoe, out=out, ordinal=out))
    return at(table, table.phase, felt=felt)


def show(events: Iterable[Event]) -> str:
    """What came of an input, as the dealer would say it; parts divided by `; `."""
    told = list(events)
    bare = {e.ordinal for e in told if isinstance(e, te.CardOpened)}
    return scripting.show(
        (e for e in told if not (isinstance(e, te.CardDrawn) and e.ordinal in bare)), _SHOWN
    )


_AT = {place: side.value for side, place in ev.PLACES.items()}
_NAMES = {"P": "Player", "B": "Banker", "T": "tie"}


def _place(seat: int) -> str:
    return _AT.get(seat) or scripting.place(seat)


def _settled(event: ev.CoupSettled) -> str:
    told = f"coup {event.coup}: {_NAMES[event.winner]} {event.player} : {event.banker}"
    if not event.staked:
        return told
    stays = f", stays {event.stays}" if event.stays else ""
    took = f", commission {event.commission}" if event.commission else ""
    return f"{told}, lost {event.lost}, back {event.back}, paid {event.paid}{stays}{took}"


_SHOWN: Shown = {
    te.CardDrawn: lambda e: f"{_place(e.seat)} closed card",
    te.CardOpened: lambda e: f"{_place(e.seat)} open card {e.card}",
    te.CardMoved: lambda e: f"card {e.ordinal} to {_place(e.seat)}",
    ev.BurnDue: lambda e: f"burn {e.cards}",
    ev.BetLaid: lambda e: f"seat {e.seat} has {e.chips} on {e.spot}",
    ev.OverDifferential: lambda e: f"seat {e.seat} takes back {e.chips} from {e.spot}",
    ev.CoupBegun: lambda e: f"coup {e.coup} begins{f', {e.staked} staked' if e.staked else ''}",
    ev.PointsTold: lambda e: f"{e.player} : {e.banker}",
    ev.ThirdCardDue: lambda e: f"{e.side} draws",
    ev.CoupAnnounced: lambda e: f"announced: {_NAMES[e.winner]} {e.player} : {e.banker}",
    ev.ReadingDiffers: lambda e: f"a reading says {_NAMES[e.winner]}",
    ev.CoupSettled: _settled,
    te.PaymentMade: lambda e: f"line {e.line} paid",
    te.CoupPaid: lambda e: f"coup {e.coup} paid",
    ev.CommissionCollected: lambda e: f"seat {e.seat} pays {e.chips} commission",
    te.Misdeal: lambda _e: "wrong hand",
    te.MisdealMended: lambda _e: "put right",
    ev.MishapRuled: lambda e: f"{e.rule} by {e.by}: {e.reason}",
    te.Moved: lambda e: f"{e.chips} from {e.seat} to {e.to}",
    ev.NotMoved: lambda e: f"{e.chips} from {e.seat} to {e.to} not moved",
    ev.ResultReopened: lambda e: f"coup {e.coup} reopened",
    ev.ResultChanged: lambda e: f"coup {e.coup} is {_NAMES[e.winner]}",
}
