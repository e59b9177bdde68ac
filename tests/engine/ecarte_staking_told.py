"""The events of betting at écarté, as a script writes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from table_controller.engine.ecarte import events as e


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
