"""The buttons about the bank: put it up, raise, share, halve, sell, take over or pass it on."""

from __future__ import annotations

from table_controller.engine.chemin_de_fer import facts as f
from table_controller.engine.chemin_de_fer import inputs as i
from table_controller.engine.chemin_de_fer import ledger
from table_controller.engine.chemin_de_fer import phases as p
from table_controller.engine.chemin_de_fer import state as s
from table_controller.engine.chemin_de_fer.bank import first_pot, may_sell, standing_bids
from table_controller.engine.messages import phrase
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.felt import balance, places, player
from table_controller.engine.table.offers import (
    MOST_BROUGHT,
    Offers,
    amount,
    annulling,
    holding,
    offer,
    one_of,
)

#: Up to this many offers of a kind get a big button each.
BIG = 2


def bank_due(table: s.Table) -> Offers:
    """The offers to put up a pot, or to let the Schlitten pass."""
    house, seat = table.house, table.place
    who = player(table.felt, seat)
    balance = who.balance if who else 0
    passing = offer(i.Passes, phrase("seat {seat} passes", seat=seat), seat=seat)
    if who is None or s.passes_due(table, seat):
        return passing
    most = min(balance, house.most_pot) if house.most_pot else balance
    return (
        *offer(
            i.Banks,
            phrase("seat {seat} banks", seat=seat),
            amount(house.least_pot, most),
            seat=seat,
        ),
        *passing,
        *offer(i.OpensBank, phrase("open bank"), group="more", seat=seat),
    )


def between(table: s.Table, bank: f.Bank) -> Offers:
    """The banker's offers before anybody plays against him."""
    passing = offer(i.Passes, phrase("the banker passes"), group="more", seat=bank.seat)
    return (*suite(table), *own_bank(table, bank), *_joining(table, bank), *passing)


def going_home(table: s.Table) -> Offers:
    """The offers to end the evening between two Schlitten (R-57).

    The croupier can annul a tie that was not replayed, or the banker can go home.
    """
    if table.coup:
        return annulling("more")
    if table.bank is None:
        return ()
    seat = table.bank.seat
    return offer(i.Passes, phrase("the banker passes"), group="more", seat=seat)


def suite(table: s.Table) -> Offers:
    """The offer to say "Suite", until the first card of the next coup (ZP-18, R-39).

    The offer is there even while the cards are mixed.
    """
    bank = table.bank
    if bank is None or not may_sell(table, bank):
        return ()
    return offer(i.Suite, phrase("Suite"), group="more", seat=bank.seat)


def own_bank(table: s.Table, bank: f.Bank) -> Offers:
    """The banker's offers about his own bank between coups."""
    if first_pot(table, bank) or bank.open:
        return halving(table, bank)
    house = table.house
    most = bank.aside + balance(table.felt, bank.seat)
    if house.most_pot:
        most = min(most, house.most_pot - bank.pot)
    offered = offer(
        i.Raises, phrase("raise the pot"), amount(1, most), group="more", seat=bank.seat
    )
    if bank.aside:
        drawn = phrase("draw in what lies aside")
        offered += offer(i.DrawsIn, drawn, group="more", seat=bank.seat)
    return (*offered, *halving(table, bank))


def halving(table: s.Table, bank: f.Bank) -> Offers:
    """The offer to halve the bank, once, before the first card (N-3, N-5, R-44).

    There is none if the house does not allow halving.
    """
    if not table.house.halving or bank.halved or bank.pot < 2 or s.deal_of(table.phase):
        return ()
    return offer(i.Halves, phrase("halve the bank"), group="more", seat=bank.seat)


def _joining(table: s.Table, bank: f.Bank) -> Offers:
    """The offer for a player to join the bank as a partner (Z-4, N-2)."""
    house = table.house
    if bank.open or first_pot(table, bank) or ledger.valued(bank).own < house.least_pot:
        return ()
    others = holding(table.felt, (place for place in places(table.felt) if place != bank.seat))
    most = max((most or 0 for _, most in others.values()), default=0)
    if house.most_pot:
        most = min(most, house.most_pot - bank.pot)
    return offer(
        i.Joins,
        phrase("a partner joins the bank"),
        one_of(table.felt, others),
        amount(1, most, house.least_pot),
        group="more",
    )


def stake_due(table: s.Table, bank: f.Bank, least: int) -> Offers:
    """The offer to put up the open bank's stake (Z-5).

    A banker without enough chips buys in first (Z-3).
    """
    missing = least - balance(table.felt, bank.seat)
    if missing > 0:
        buys = phrase("seat {seat} buys in", seat=bank.seat)
        brought = amount(min(missing, MOST_BROUGHT), MOST_BROUGHT)  # again, if that is not enough
        return offer(ti.BuysIn, buys, brought, seat=bank.seat)
    most = balance(table.felt, bank.seat)
    return offer(i.Banks, phrase("the bank's stake"), amount(least, most), seat=bank.seat)


def auction(table: s.Table, phase: p.Auction) -> Offers:
    """The offers to bid for the bank, and to end the auction (ZP-18)."""
    house = table.house
    best = max((bid.chips for bid in standing_bids(table, phase)), default=0)
    offered = offer(i.Sold, phrase("sold"), hold=True)
    for seat in places(table.felt):
        most = balance(table.felt, seat)
        if house.most_pot:
            most = min(most, house.most_pot)
        if seat != phase.seller:
            label = phrase("seat {seat} bids", seat=seat)
            bid = amount(max(best, house.least_pot), most, best + house.least_pot)
            offered += offer(i.Bids, label, bid, group="more", seat=seat)
    return offered


def take_over(table: s.Table, phase: p.TakeOver) -> Offers:
    """The offer to take over the bank, for everybody with enough chips for its pot (N-7)."""
    coup = table.coup
    takers = [
        seat
        for seat in places(table.felt)
        if seat != phase.giver
        and ledger.able(table, seat, phase.pot)
        and not (coup and coup.stake_of(seat))
    ]
    offered: Offers = ()
    for index, seat in enumerate(takers):
        label = phrase("seat {seat} takes over", seat=seat)
        group = "main" if index < BIG else "more"
        offered += offer(i.TakesOver, label, group=group, seat=seat)
    return (*offered, *offer(i.Sold, phrase("nobody"), hold=True))
