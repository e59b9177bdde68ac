"""What is paid after a partie, one payment after the other: even money, nothing made or lost.

Knows who won and what lay; whose turn it is and what anybody holds, the table knows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from table_controller.rules.ecarte.chouette import Chouette, parted
from table_controller.rules.ecarte.stakes import Beside, Stakes, total
from table_controller.rules.money import NONE, Chips

#: Stands for the bank where it pays or is paid.
BANK: Final = 0


@dataclass(frozen=True, slots=True)
class Payment:
    """One sum from one person (or the bank) to another, beside the stakes handed back."""

    payer: int
    to: int
    chips: Chips


@dataclass(frozen=True, slots=True)
class TwoSidesShared:
    """Who pays the winners of a partie à deux côtés out of the lost stakes.

    Attributes:
        payer: the losing player, or who held the rest.
        payments: to each winner, in order, what he staked.
        adds: what the payer adds of his own, where too little lay.
        keeps: what he keeps, where too much lay.
    """

    payer: int
    payments: tuple[Payment, ...]
    adds: Chips = NONE
    keeps: Chips = NONE


def two_sides(
    winners: Stakes, losers: Stakes, player: int, rest: int | None = None
) -> TwoSidesShared:
    """Pay the winners one by one of the stakes that were lost.

    `losers` is what lay in the end, which may differ from what was added up: the payer makes
    up for a shortage and has a surplus. `player` held the losing cards; who held the rest,
    which is among the stakes, pays in his stead. Source: E07-60, E00-58.
    """
    payer = player if rest is None else rest
    over = total(losers) - total(winners)
    payments = tuple(Payment(payer, stake.place, stake.chips) for stake in winners)
    return TwoSidesShared(payer, payments, Chips(max(-over, 0)), Chips(max(over, 0)))


def against(chouette: Chouette, stakes: Stakes, *, giver_won: bool) -> tuple[Payment, ...]:
    """Settle an open chouette with every staker, down the list, and then within it.

    Partners bear and have their parts through the giver. Source: E07-5, E00-4, ER-26.
    """
    giver = chouette.giver
    parts = parted(chouette, total(stakes))
    within = ((place, chips) for place, chips in parts.items() if place != giver and chips)
    if giver_won:
        taken = (Payment(stake.place, giver, stake.chips) for stake in stakes)
        return (*taken, *(Payment(giver, place, chips) for place, chips in within))
    brought = (Payment(place, giver, chips) for place, chips in within)
    return (*brought, *(Payment(giver, stake.place, stake.chips) for stake in stakes))


def against_bank(stakes: Stakes, *, giver_won: bool) -> tuple[Payment, ...]:
    """Settle what the bank covered with every staker, in the order laid.

    Source: E07-8, EDE-0, ER-28.
    """
    return tuple(
        Payment(stake.place, BANK, stake.chips)
        if giver_won
        else Payment(BANK, stake.place, stake.chips)
        for stake in stakes
    )


def outside(bets: Iterable[Beside], *, giver_won: bool) -> tuple[Payment, ...]:
    """Settle the stakes outside the bank, apart from it. Source: E07-62."""
    return tuple(
        Payment(bet.holder, bet.place, bet.chips)
        if bet.on_giver is giver_won
        else Payment(bet.place, bet.holder, bet.chips)
        for bet in bets
    )


def net(payments: Iterable[Payment]) -> dict[int, int]:
    """What each has won (negative: lost) by these payments; together nothing."""
    changes: dict[int, int] = {}
    for payment in payments:
        changes[payment.payer] = changes.get(payment.payer, 0) - payment.chips
        changes[payment.to] = changes.get(payment.to, 0) + payment.chips
    return changes
