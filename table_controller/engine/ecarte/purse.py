"""The money of the betting: stakes, the bank and its owners, payments.

The module knows no phase.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from table_controller.engine.ecarte.betting import Bets, giver_holds
from table_controller.engine.ecarte.betting_events import (
    BankTold,
    OrderTold,
    SharesTold,
    StakePaid,
    StakeReturned,
)
from table_controller.engine.ecarte.state import Step, Table
from table_controller.engine.messages import AgainstRules, Event, OutOfTurn, phrase
from table_controller.engine.table import felt
from table_controller.engine.table.seating import money_lies
from table_controller.rules.ecarte.chouette import Chouette, parted, shared
from table_controller.rules.ecarte.settle import BANK, Payment
from table_controller.rules.money import Chips


def the_bets(table: Table) -> Bets:
    """The stakes and players of the partie. Raises OutOfTurn if there are none."""
    if table.bets is None:
        raise OutOfTurn(phrase("Nobody stakes yet."), phrase("Say first how it is played."))
    return table.bets


def the_chouette(table: Table) -> Chouette:
    """The present chouette. Raises AgainstRules if the players stake à deux côtés."""
    chouette = the_bets(table).chouette
    if chouette is None:
        raise not_played()
    return chouette


def not_played() -> AgainstRules:
    """The refusal of an input that this house, or this mode of betting, does not have."""
    return AgainstRules(
        phrase("It is not played so here."), phrase("Its rules say what is played.")
    )


def for_money(table: Table) -> None:
    """Raise AgainstRules on a practice table, where nobody stakes (EDE-19)."""
    if table.house.practice:
        raise not_played()


def paid(table: Table, place: int, chips: int) -> Table:
    """The table after the player at `place` got `chips`; a negative sum is taken from him."""
    return replace(table, felt=felt.pay(table.felt, place, chips))


def funded(table: Table, after: Bets) -> Table:
    """The table with these bets. A player whose part of the bank grows pays the difference.

    Raises AgainstRules if somebody does not have that much (Z-3).
    """
    was, now = _entitled(table.bets), _entitled(after)
    for place in sorted({*was, *now}):
        more = now.get(place, 0) - was.get(place, 0)
        if more > 0:
            money_lies(table.felt, place, more)
        if more:
            table = paid(table, place, -more)
    return replace(table, bets=after)


def _entitled(bets: Bets | None) -> dict[int, int]:
    """By place: how much of the money on the giver's side each sharer owns (ER-26)."""
    if bets is None or bets.chouette is None:
        return {}
    held = parted(bets.chouette, Chips(giver_holds(bets)))
    return {place: int(chips) for place, chips in held.items()}


def most_more(table: Table, least: int = 1) -> int:
    """The most that the giver's side can add to its bank, or 0 if it cannot add `least` (ER-26).

    It can add any sum from `least` to the result. Sometimes one sum cannot be added, but a larger
    one can, because the player of the cards pays the odd chips. Such larger sums are ignored.
    """
    bets, chouette = the_bets(table), the_chouette(table)
    holds, had = giver_holds(bets), _entitled(bets)
    whole = sum(share.parts for share in chouette.shares)
    odd, most = len(chouette.shares) - 1, holds + least - 1
    has = {place: chips + felt.balance(table.felt, place) for place, chips in had.items()}
    # Each part is rounded down. The player of the cards adds at most `odd` more.
    safe = min(max(0, has[share.place] - odd) * whole // share.parts for share in chouette.shares)
    most = max(most, safe)
    while all(chips <= has[at] for at, chips in parted(chouette, Chips(most + 1)).items()):
        most += 1
    return most - holds if most - holds >= least else 0


def parts_within(table: Table, place: int, least: int, most: int) -> tuple[int, int] | None:
    """The least and the most parts that the player at `place` could have (ER-26).

    With each number between them, everybody can pay his part of the bank. If several such ranges
    exist, this is the lowest; None if there is none.
    """
    chouette, bank = the_chouette(table), giver_holds(the_bets(table))
    had = _entitled(table.bets)
    places = {*chouette.places, place}
    has = {at: had.get(at, 0) + felt.balance(table.felt, at) for at in places}
    if all(chips >= bank for chips in has.values()):
        return least, most
    fits = [n for n in range(least, most + 1) if _fits(chouette, place, n, bank, has)]
    if not fits:
        return None
    row = next((at for at, n in enumerate(fits) if n != fits[0] + at), len(fits))
    return fits[0], fits[row - 1]


def _fits(chouette: Chouette, place: int, parts: int, bank: int, has: Mapping[int, int]) -> bool:
    """Whether everybody could pay his part of the bank if the player at `place` had `parts` parts.

    `has` are the chips that each player can spend.
    """
    each = {share.place: share.parts for share in chouette.shares} | {place: parts}
    divided = shared(chouette, {at: n for at, n in each.items() if n})
    return all(chips <= has[at] for at, chips in parted(divided, Chips(bank)).items())


def given_back(table: Table) -> Step:
    """Give the stakes back to the players who laid them, also those outside the bank."""
    bets, told = the_bets(table), list[Event]()
    for stake in (*bets.stakes[0], *bets.stakes[1]):
        table = paid(table, stake.place, stake.chips)
        told.append(StakeReturned(seat=stake.place, chips=stake.chips))
    for bet in bets.beside:
        table = paid(paid(table, bet.place, bet.chips), bet.holder, bet.chips)
    after = replace(bets, stakes=((), ()), rest=0, left_out=(), beside=(), closed=False, found=())
    return funded(table, after), tuple(told)


def settled(table: Table, payments: Iterable[Payment]) -> Step:
    """Make these payments one by one. The stakes were given back before."""
    told = []
    for payment in payments:
        if payment.payer == payment.to:
            continue
        for place, chips in ((payment.payer, -payment.chips), (payment.to, payment.chips)):
            if place != BANK:
                table = paid(table, place, chips)
        told.append(StakePaid(seat=payment.payer, to=payment.to, chips=payment.chips))
    return table, tuple(told)


def order_told(bets: Bets, side: int) -> OrderTold:
    """The event with the present order of players on a side."""
    order = bets.orders[side]
    return OrderTold(side=side, hand=order.hand or 0, waiting=order.waiting)


def shares_told(chouette: Chouette) -> SharesTold:
    """The event with the sharers of the chouette, and the player of its cards."""
    return SharesTold(
        seats=chouette.places,
        parts=tuple(share.parts for share in chouette.shares),
        hand=chouette.hand,
    )


def bank_told(bets: Bets) -> tuple[BankTold, ...]:
    """The event with the bank's sum; none if there is no bank."""
    bank = bets.bank
    if bank is None:
        return ()
    return (BankTold(chips=bank.holds, start=bank.start, renewed=bank.renewed, halved=bank.halved),)
