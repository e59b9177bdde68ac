"""The bank of a chouette: how it is auctioned, laid, raised, halved and put up again."""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.ecarte import purse, stakes
from table_controller.engine.ecarte.betting import Before, Bets, Mode
from table_controller.engine.ecarte.betting_events import AuctionCalled, BettingBegun, BidMade
from table_controller.engine.ecarte.betting_inputs import (
    BidsFor,
    CallsAuction,
    HalvesBank,
    KnockedDown,
    LaysBank,
    RaisesBank,
    RenewsBank,
)
from table_controller.engine.ecarte.chouette import drawn_order, lays_first
from table_controller.engine.ecarte.phases import Auction, PlayersDue, StakesDue, Succession
from table_controller.engine.ecarte.state import Step, Table, at, book_rule
from table_controller.engine.messages import AgainstRules, phrase
from table_controller.engine.table.felt import balance
from table_controller.engine.table.seating import money_lies, present
from table_controller.rules.ecarte import bank as b
from table_controller.rules.ecarte import chouette as c
from table_controller.rules.ecarte import order as orders
from table_controller.rules.ecarte.bank import Bank, Bid
from table_controller.rules.ecarte.order import Order
from table_controller.rules.money import NONE, Chips


def calls_auction(table: Table, _phase: PlayersDue, _said: CallsAuction) -> Step:
    """The right to give a chouette is auctioned (E07-8)."""
    purse.for_money(table)
    if table.house.chouette != "open_and_auctioned":
        raise purse.not_played()
    return at(table, Auction()), (AuctionCalled(),)


def bids(table: Table, _phase: Auction, said: BidsFor) -> Step:
    """A player bids. His later bid replaces an earlier one (E07-8, ER-40)."""
    if said.together:
        _at_once(table, said)
    elif said.chips < (least := least_bid(table)):
        raise AgainstRules(
            phrase("{chips} is too small a stake.", chips=said.chips),
            phrase("The least is {least}.", least=least),
            "ER-40" if bids_that_stand(table) else "E07-8",
        )
    bid = Bid(said.seat, said.chips)
    money_lies(table.felt, said.seat, owed(table, bid))
    others = tuple(other for other in table.before.bids if other.place != said.seat)
    told = BidMade(seat=said.seat, chips=said.chips)
    return replace(table, before=replace(table.before, bids=(*others, bid))), (told,)


def least_bid(table: Table) -> int:
    """The least bid that is allowed. It must be higher than every bid before it (E07-8, ER-40)."""
    return max(table.house.least_bank, most_bid(table) + 1)


def most_bid(table: Table) -> int:
    """The highest bid that counts, or 0 if there is none."""
    return max((bid.chips for bid in bids_that_stand(table)), default=NONE)


def _at_once(table: Table, said: BidsFor) -> None:
    """Raise AgainstRules unless the bid equals the highest bid of another player (ER-40)."""
    first = b.highest(bids_that_stand(table))
    if said.chips != most_bid(table) or said.seat in first or not first:
        raise AgainstRules(
            phrase("Nobody else has offered just {chips}.", chips=said.chips),
            phrase("Two offers are made together where both are the highest."),
            "ER-40",
        )


def bids_that_stand(table: Table) -> tuple[Bid, ...]:
    """The bids that count: those of players who still have the money for them (Z-3)."""
    return tuple(
        bid for bid in table.before.bids if balance(table.felt, bid.place) >= owed(table, bid)
    )


def owed(table: Table, bid: Bid) -> Chips:
    """The sum that a player with this bid must lay as his bank (E07-8).

    It is double the bid if he has just given up a chouette after he won his last partie.
    """
    return b.owed(table.house, bid, table.before.retired or None)


def knocked_down(table: Table, _phase: Auction, said: KnockedDown) -> Step:
    """The highest bidder gets the chouette; the lot decides between equal bids (E07-8).

    If he has just given up a chouette after he won his last partie, he must lay double.
    """
    bids = bids_that_stand(table)
    if said.seat not in b.highest(bids):
        raise AgainstRules(
            phrase("Seat {seat} has not offered most.", seat=said.seat),
            phrase("The highest has it; equal offers draw lots."),
            "E07-8",
        )
    bid = next(bid for bid in bids if bid.place == said.seat)
    return _laid(table, said.seat, owed(table, bid))


def lays_bank(table: Table, _phase: PlayersDue | Succession, said: LaysBank) -> Step:
    """A player lays a bank and deals, which is allowed at EDE only (EDE-0, ER-36).

    If players drew cards, the player with the higher card may lay the bank first. After a bank was
    lost, anybody may lay one.
    """
    purse.for_money(table)
    if table.house.chouette != "bank":
        raise purse.not_played()
    present(table.felt, said.seat)
    if table.before.draws:
        lays_first(table, said.seat)
    _least(table, said.chips)
    return _laid(table, said.seat, said.chips)


def _laid(table: Table, seat: int, chips: Chips) -> Step:
    """Lay a new bank of `chips`, and publish who plays against it."""
    money_lies(table.felt, seat, chips)
    players = table.bets.orders[1] if table.bets else drawn_order(table, but=seat)
    players = orders.leaves(players, seat)
    bets = Bets(Mode.BANK, (Order(), players), chouette=c.given(seat), bank=b.laid(chips))
    table = replace(table, bets=None, before=Before())
    table = at(purse.funded(table, bets), StakesDue())
    told = (BettingBegun(mode=Mode.BANK, seat=seat), *purse.bank_told(bets))
    return table, (*told, purse.order_told(bets, 1)) if players.players else told


def raises(table: Table, _phase: StakesDue, said: RaisesBank) -> Step:
    """The giver raises his bank by any sum, at any time (E07-8).

    At EDE a bank has one height, and is laid anew only when it is lost (EDE-0).
    """
    bank = _own_bank(table)
    if table.house.chouette == "bank":
        raise AgainstRules(
            phrase("The bank has one height."),
            phrase("When it is lost, another is laid."),
            "EDE-0",
        )
    stakes.not_lost(table, purse.the_bets(table))
    if said.chips <= 0:
        raise AgainstRules(
            phrase("{chips} raises nothing.", chips=said.chips), phrase("Name 1 or more."), "E07-8"
        )
    return _changed(table, b.raised(bank, said.chips))


def halves(table: Table, _phase: StakesDue, _said: HalvesBank) -> Step:
    """The giver halves his bank, only once and not below its first sum (E07-8, ER-25)."""
    bank = _own_bank(table)
    if purse.the_bets(table).closed or not b.may_halve(table.house, bank):
        raise AgainstRules(
            phrase("The bank cannot be halved now."),
            phrase("Once, before the stakes are closed, and not below its first sum."),
            "E07-8",
        )
    return _changed(table, b.halved(table.house, bank))


def renews(table: Table, _phase: StakesDue, said: RenewsBank) -> Step:
    """The giver lays a fresh bank after he lost his. How often he may depends on the house.

    Source: E07-8, EDE-0.
    """
    bank = _own_bank(table)
    if not b.may_renew(table.house, bank):
        raise AgainstRules(
            phrase("The bank cannot be put up again."),
            phrase("It must be lost, and that {most} times at most.", most=most_renewals(table)),
            book_rule(table, "8", "4", "0"),
        )
    _least(table, said.chips)
    return _changed(table, b.renewed(table.house, bank, said.chips))


def most_renewals(table: Table) -> int:
    """How often a lost bank may be laid again in this house."""
    return table.house.most_renewals


def _own_bank(table: Table) -> Bank:
    bank = purse.the_bets(table).bank
    if bank is None:
        raise purse.not_played()
    return bank


def _least(table: Table, chips: Chips) -> None:
    if chips < table.house.least_bank:
        raise AgainstRules(
            phrase("{chips} is too small a stake.", chips=chips),
            phrase("The least is {least}.", least=table.house.least_bank),
            book_rule(table, "8", "4", "0"),
        )


def _changed(table: Table, bank: Bank) -> Step:
    bets = replace(purse.the_bets(table), bank=bank)
    return purse.funded(table, bets), purse.bank_told(bets)
