"""The payments after a partie, one by one. Wins are paid one to one, and all payments sum to zero.

The module knows who won, and the stakes. Only the table knows whose turn it is and what each player
has.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from table_controller.rules.ecarte.chouette import Chouette, parted
from table_controller.rules.ecarte.stakes import Beside, Stakes, total
from table_controller.rules.money import NONE, Chips

#: The bank's number as payer or payee.
BANK: Final = 0


@dataclass(frozen=True, slots=True)
class Payment:
    """A sum that one player, or the bank, pays to another. Stakes that go back are no payments."""

    payer: int
    to: int
    chips: Chips


@dataclass(frozen=True, slots=True)
class TwoSidesShared:
    """The payments to the winners of a partie à deux côtés out of the lost stakes.

    Attributes:
        payer: the player who held the losing cards, or the one who covered the rest.
        payments: the payment to each winner, equal to his stake, in order.
        adds: the sum that the payer adds from his own money if the lost stakes are too little.
        keeps: the sum that the payer keeps if the lost stakes are more than the payments.
    """

    payer: int
    payments: tuple[Payment, ...]
    adds: Chips = NONE
    keeps: Chips = NONE


def two_sides(
    winners: Stakes, losers: Stakes, player: int, rest: int | None = None
) -> TwoSidesShared:
    """Pay the winners one by one out of the lost stakes.

    `losers` are the lost stakes as they were found, which may differ from the count. The payer adds
    what is missing, and keeps what is left. The payer is the `player` who held the losing cards, or
    the player who held the `rest`, which is one of the stakes. Source: E07-60, E00-58.
    """
    payer = player if rest is None else rest
    over = total(losers) - total(winners)
    payments = tuple(Payment(payer, stake.place, stake.chips) for stake in winners)
    return TwoSidesShared(payer, payments, Chips(max(-over, 0)), Chips(max(over, 0)))


def against(chouette: Chouette, stakes: Stakes, *, giver_won: bool) -> tuple[Payment, ...]:
    """The payments of an open chouette: with every staker in order, and among its sharers.

    Partners pay and receive their parts through the giver. Source: E07-5, E00-4, ER-26.
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
    """The payments between the bank and every staker, for the covered part of each stake, in order.

    Source: E07-8, EDE-0, ER-28.
    """
    return tuple(
        Payment(stake.place, BANK, stake.chips)
        if giver_won
        else Payment(BANK, stake.place, stake.chips)
        for stake in stakes
    )


def outside(bets: Iterable[Beside], *, giver_won: bool) -> tuple[Payment, ...]:
    """The payments for the stakes outside the bank, which are settled separately.

    Source: E07-62.
    """
    return tuple(
        Payment(bet.holder, bet.place, bet.chips)
        if bet.on_giver is giver_won
        else Payment(bet.place, bet.holder, bet.chips)
        for bet in bets
    )


def net(payments: Iterable[Payment]) -> dict[int, int]:
    """The net win of each player from these payments, negative for a loss. The sum is zero."""
    changes: dict[int, int] = {}
    for payment in payments:
        changes[payment.payer] = changes.get(payment.payer, 0) - payment.chips
        changes[payment.to] = changes.get(payment.to, 0) + payment.chips
    return changes
