"""Stakes, chouettes and banks of écarté as lines of a script, and what is told of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from table_controller.engine.ecarte import betting_events as e
from table_controller.engine.ecarte import betting_inputs as i
from table_controller.engine.table.script import Line

LINES: Final[tuple[Line, ...]] = (
    (i.Draws, "seat {seat} draws {card}", {}),
    (i.Draws, "seat {seat} draws {card} too", {"more": True}),
    (i.TwoSides, "seat {left} and seat {right} play a deux cotes", {}),
    (i.GivesChouette, "seat {seat} gives chouette", {}),
    (i.CallsAuction, "auction", {}),
    (i.BidsFor, "seat {seat} bids {chips}", {}),
    (i.KnockedDown, "knocked down to seat {seat}", {}),
    (i.LaysBank, "seat {seat} lays a bank of {chips}", {}),
    (i.Stakes, "seat {seat} stakes {chips} on side {side}", {}),
    (i.Stakes, "seat {seat} stakes {chips} on side {side} with leave", {"consent": True}),
    (i.StakeWithdrawn, "seat {seat} takes his stake back", {}),
    (i.StakeWithdrawn, "seat {seat} takes his stake back with leave", {"consent": True}),
    (i.HoldsRest, "seat {seat} holds the rest", {}),
    (i.CutsStakes, "the last stakes are cut", {}),
    (i.StakesOutside, "seat {seat} stakes {chips} with seat {holder}", {}),
    (i.StakesOutside, "seat {seat} backs the giver for {chips} with seat {holder}",
     {"on_giver": True}),
    (i.ClosesStakes, "rien ne va plus", {}),
    (i.LetsIn, "seat {seat} lets in {chips}", {}),
    (i.StaysOut, "stays out", {}),
    (i.Renounces, "seat {seat} renounces", {}),
    (i.PartieHeld, "le coup est tenu", {}),
    (i.PartieDeclined, "the giver withdraws", {}),
    (i.TakesShare, "seat {seat} has {parts} parts of it", {}),
    (i.HoldsCards, "seat {seat} holds the cards", {}),
    (i.RaisesBank, "the bank is raised by {chips}", {}),
    (i.HalvesBank, "the bank is halved", {}),
    (i.RenewsBank, "a fresh bank of {chips}", {}),
    (i.GivesUp, "given up", {}),
    (i.GoesOn, "seat {seat} goes on", {}),
    (i.WillNotGoOn, "seat {seat} will not go on", {}),
    (i.StakeFound, "seat {seat} had staked {chips}", {}),
)  # fmt: skip
PATTERNS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("left", "right", "holder", "parts"), r"\d+"),
    "side": "[01]",
}


def _who(place: int) -> str:
    """A place in a line: `seat 3`, `the bank`."""
    return f"seat {place}" if place else "the bank"


def _order(told: e.OrderTold) -> str:
    return f"side {told.side}: {' '.join(map(str, (told.hand, *told.waiting)))}"


def _shares(told: e.SharesTold) -> str:
    parts = (f"{seat}:{part}" for seat, part in zip(told.seats, told.parts, strict=True))
    return f"shares {' '.join(parts)}, seat {told.hand} plays"


def _begun(told: e.BettingBegun) -> str:
    return f"seat {told.seat} gives chouette" if told.seat else "a deux cotes"


def _bank(told: e.BankTold) -> str:
    used = f", renewed {told.renewed}" * bool(told.renewed) + ", halved" * bool(told.halved)
    return f"bank {told.chips} of {told.start}{used}"


#: What each event reads as.
SHOWN: Final[Mapping[type, Callable[[Any], str]]] = {
    e.CardDrawnForOrder: lambda t: f"seat {t.seat} drew {t.card}",
    e.BettingBegun: _begun,
    e.AuctionCalled: lambda _: "auction",
    e.BidMade: lambda t: f"seat {t.seat} bids {t.chips}",
    e.OrderTold: _order,
    e.SharesTold: _shares,
    e.BankTold: _bank,
    e.StakeLaid: lambda t: f"seat {t.seat} has {t.chips} on side {t.side}, of {t.total}",
    e.RestHeld: lambda t: f"seat {t.seat} holds the rest of {t.chips} on side {t.side}",
    e.StakesShut: lambda _: "stakes closed",
    e.LeftOut: lambda t: f"seat {t.seat} left out with {t.chips}",
    e.StakedOutside: lambda t: f"seat {t.seat} has {t.chips} with seat {t.holder}",
    e.HandRenounced: lambda t: f"seat {t.seat} renounced",
    e.PartieWithdrawn: lambda t: f"seat {t.seat} withdrew",
    e.ChouetteGivenUp: lambda t: f"seat {t.seat} gave it up",
    e.Surplus: lambda t: f"seat {t.seat} {'keeps' if t.chips > 0 else 'adds'} {abs(t.chips)}",
    e.StakePaid: lambda t: f"{_who(t.seat)} pays {_who(t.to)} {t.chips}",
    e.StakeReturned: lambda t: f"seat {t.seat} has {t.chips} back",
    e.BettingOver: lambda _: "nobody gives chouette",
}
