"""The table's questions between two deals: cards, players, bank and stakes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from table_controller.engine.chemin_de_fer import ledger
from table_controller.engine.chemin_de_fer import phases as p
from table_controller.engine.chemin_de_fer.bank import standing_bids
from table_controller.engine.chemin_de_fer.events import Side
from table_controller.engine.chemin_de_fer.facts import Coup
from table_controller.engine.chemin_de_fer.inputs import Play
from table_controller.engine.chemin_de_fer.settle import lacking
from table_controller.engine.chemin_de_fer.state import Table, foremost
from table_controller.engine.messages import Phrase, phrase
from table_controller.engine.table.felt import next_seat
from table_controller.engine.table.schlitten import NoSchlitten, short
from table_controller.engine.table.words import SILENT, Asked, no_schlitten, over


def _no_schlitten(table: Table, phase: NoSchlitten) -> Asked:
    return no_schlitten(table.felt, phase)


def _over(table: Table, _phase: p.Over) -> Asked:
    return over(table.felt)


def _players_due(_table: Table, _phase: p.PlayersDue) -> Asked:
    return (
        SILENT,
        phrase("Players, please"),
        phrase("Two are needed: one for the bank, one against it."),
        "ZP-3",
        (),
    )


def _bank_due(table: Table, _phase: p.BankDue) -> Asked:
    last = table.last[-1] if table.last else None
    news = SILENT
    if (
        last
        and last.winner is Side.POINTEUR
        and next_seat(table.felt, last.banker_seat) == table.place
    ):
        news = phrase("Seat {seat} lost its bank.", seat=last.banker_seat)
    return (
        news,
        phrase("Seat {seat}: how much in the bank?", seat=table.place),
        phrase(
            "The Schlitten is at this seat. The least is {least} {unit}.",
            least=table.house.least_pot,
            unit=table.house.unit,
        ),
        "ZP-5",
        (table.place,),
    )


def _stakes_due(table: Table, _phase: p.StakesDue) -> Asked:
    bank, unit = table.bank, table.house.unit
    pot = bank.pot if bank else 0
    if short(table.felt):
        return over(table.felt)
    if bank and bank.open:
        return (
            phrase("Seat {seat} opens the bank.", seat=bank.seat),
            phrase("Bitte das Spiel zu machen zur offenen Bank"),
            phrase("All may stake; the highest stake holds the cards."),
            "Z-5",
            (),
        )
    highest = table.house.stakes == "highest"
    return (
        phrase("The bank stands at {pot} {unit}.", pot=pot, unit=unit),
        phrase("{pot} {unit} in the bank: your stakes, please", pot=pot, unit=unit)
        if highest
        else phrase("{pot} {unit}, banco! Who plays?", pot=pot, unit=unit),
        phrase("The highest stake holds the cards.")
        if highest
        else phrase("Solo, with a partner, or with the table. If nobody does, all may stake."),
        "N-3" if highest else "ZP-15",
        (),
    )


def _over_the_pot(table: Table, coup: Coup, pot: int) -> Phrase:
    """Who gets how much back of the stakes that the pot does not cover (R-23, R-47)."""
    covered = {stake.seat: stake.chips for stake in ledger.cover(table)}
    back = [(one.seat, one.chips - covered.get(one.seat, 0)) for one in coup.stakes]
    parts = [f"{seat}: {chips}" for seat, chips in sorted(back) if chips > 0]
    return phrase(
        "The pot covers {pot} of {staked}; what goes back, by seat: {back}.",
        pot=pot, staked=coup.staked, back=", ".join(parts),
    )  # fmt: skip


def _staking(table: Table, _phase: p.Staking) -> Asked:
    coup, bank = table.coup, table.bank
    pot, staked = bank.pot if bank else 0, coup.staked if coup else 0
    holder = coup.pointeur if coup else 0
    news = phrase("{staked} staked against {pot}.", staked=staked, pot=pot)
    if bank and bank.open:  # its money comes later (Z-5)
        news = phrase("{staked} staked.", staked=staked)
    elif coup and bank and staked > pot:
        news = _over_the_pot(table, coup, pot)
    if coup and coup.play is Play.BANCO_TABLE:
        return (
            news,
            phrase("Banco with the table: your stakes, please"),
            phrase("Seat {seat} holds the cards; the table stakes the rest.", seat=holder),
            "ZP-15",
            (),
        )
    return (
        news,
        phrase("Your stakes, please"),
        phrase("Seat {seat} holds the cards so far.", seat=holder)
        if holder
        else phrase("The highest stake holds the cards."),
        "N-3" if table.house.stakes == "highest" else "ZP-16",
        (),
    )


def _sharing(_table: Table, phase: p.Sharing) -> Asked:
    return (
        phrase("The table has not staked the rest of the pot."),
        phrase("Seat {seat}: a part of {missing}?", seat=phase.seats[0], missing=phase.missing),
        phrase("Offered round the table from the prime on; what nobody takes is not played for."),
        "R-21",
        (phase.seats[0],),
    )


def _bank_stake_due(table: Table, phase: p.BankStakeDue) -> Asked:
    seat = table.banker
    return (
        phrase("The stakes are closed."),
        phrase("Seat {seat}: the bank's stake, please", seat=seat),
        phrase("{least} at least; only then may he deal.", least=phase.least),
        "Z-5",
        (seat,),
    )


def _auction(table: Table, phase: p.Auction) -> Asked:
    news = phrase("Seat {seat}: Suite.", seat=phase.seller)
    ask = phrase("The bank is for sale: who offers?")
    if bids := standing_bids(table, phase):
        best, unit = max(bids, key=lambda bid: bid.chips), table.house.unit
        chips = best.chips
        news = phrase("Seat {seat} offers {chips} {unit}.", seat=best.seat, chips=chips, unit=unit)
        ask = phrase(
            "The bank is for sale at {best} {unit}: who offers more?", best=chips, unit=unit
        )
    return (
        news,
        ask,
        phrase("The highest pot holds the bank. Touch the seat that bids."),
        "ZP-18",
        (),
    )


def _take_over(table: Table, phase: p.TakeOver) -> Asked:
    return (
        phrase("Seat {seat} gives up the bank.", seat=phase.giver),
        phrase("Who takes the bank over at {pot} {unit}?", pot=phase.pot, unit=table.house.unit),
        phrase("At its present size; it may not be halved. Touch the seat that takes it."),
        "N-7",
        (),
    )


def too_few(table: Table) -> Asked | None:
    """The prompt if stakes are laid, but too few cards are left for the coup; otherwise None.

    If the coup replays a tie, it is played with the next Schlitten (R-37).
    """
    if not isinstance(foremost(table), p.Staking | p.Sharing | p.BankStakeDue | p.Dealing):
        return None
    if not lacking(table):
        return None
    news, close, why, rule, nobody = over(table.felt)
    if table.coup and table.coup.tie:
        return news, close, why, rule, nobody
    return news, phrase("Annul the coup: too few cards are left"), why, "R-37", nobody


BETWEEN: dict[type, Callable[[Table, Any], Asked]] = {
    NoSchlitten: _no_schlitten,
    p.PlayersDue: _players_due,
    p.BankDue: _bank_due,
    p.StakesDue: _stakes_due,
    p.Staking: _staking,
    p.Sharing: _sharing,
    p.BankStakeDue: _bank_stake_due,
    p.Auction: _auction,
    p.TakeOver: _take_over,
    p.Over: _over,
}
