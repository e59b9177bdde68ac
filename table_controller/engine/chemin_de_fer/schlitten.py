"""How mixing, loading, closing and throwing away a Schlitten changes the bank and the coup."""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.chemin_de_fer import phases as p
from table_controller.engine.chemin_de_fer.events import BankPosted
from table_controller.engine.chemin_de_fer.facts import Bank, Totals
from table_controller.engine.chemin_de_fer.settle import annul, lacking, onward, paid
from table_controller.engine.chemin_de_fer.state import Awaited, Step, Table, at
from table_controller.engine.messages import AgainstRules, Event, Restored, Told, phrase
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.felt import occupied_from
from table_controller.engine.table.inputs import Paid
from table_controller.engine.table.schlitten import (
    RESTORED,
    NoSchlitten,
    closed,
    gathered,
    loaded,
    prepared,
    withdrawn,
)
from table_controller.rules.money import Chips


def mixed(table: Table, phase: NoSchlitten, said: ti.Prepared) -> Step:
    """One step of mixing, cutting and loading is done (ZP-4)."""
    return at(table, prepared(phase, said)), ()


def schlitten_loaded(table: Table, _phase: NoSchlitten, said: ti.SchlittenLoaded) -> Step:
    """A Schlitten was loaded and is in play.

    The pot of a bank that has won is carried over to the new Schlitten (ZP-4, Z-25, R-7).
    """
    felt, told = loaded(table.felt, said)
    table = replace(
        table,
        felt=felt,
        place=next(iter(occupied_from(felt, table.place)), table.place),
        bank=_carried(table.bank),
        totals=(Totals(), table.totals[1]),
    )
    if table.bank and not table.coup:
        told = (*told, BankPosted(seat=table.bank.seat, pot=table.bank.pot))
    return at(table, onward(table)), told


def _carried(bank: Bank | None) -> Bank | None:
    """The bank at the start of a new Schlitten: its pot is its win in the last coup.

    The rest of the bank's chips is set aside.
    """
    if bank is None or not bank.won or bank.whole:
        return bank
    return replace(bank, pot=bank.won, aside=Chips(bank.aside + bank.pot - bank.won))


def schlitten_closed(table: Table, _phase: Awaited, said: ti.SchlittenClosed) -> Step:
    """The Schlitten was emptied and counted.

    Its closed cards are revealed, and nothing before can be taken back (R-35).
    """
    felt, told = closed(table.felt, said)
    return at(table, NoSchlitten(), felt=felt, undo=None), told


def closed_for_replay(table: Table, phase: p.Phase, said: ti.SchlittenClosed) -> Step:
    """The Schlitten is closed because too few cards are left to replay a tie.

    The tie is replayed from the next Schlitten (R-30).
    """
    if not (table.coup and table.coup.tie and lacking(table)):
        raise AgainstRules(
            phrase("Stakes lie against this bank."),
            phrase("They are taken back first, or the coup is played."),
            "R-5",
        )
    if isinstance(phase, p.BankStakeDue):  # no stake of the bank yet: stakes are closed again (Z-5)
        table = replace(table, coup=replace(table.coup, closed=False))
    return schlitten_closed(table, phase, said)


def tie_annulled(table: Table, phase: NoSchlitten, said: ti.Annulled) -> Step:
    """A tie will not be replayed. Its stakes are given back, and everybody may leave (R-57)."""
    if table.coup is None:
        raise AgainstRules(
            phrase("No coup is under way that could be annulled."),
            phrase("Load the Schlitten."),
            "R-57",
        )
    table, told = annul(table, said.reason)
    return at(table, phase), told


def ends_by_croupier(table: Table) -> bool:
    """Whether a croupier may annul a coup that has no cards and cannot begin (R-57, Z-24, R-37)."""
    if isinstance(table.phase, NoSchlitten):
        return table.coup is not None
    return table.coup is not None and not table.coup.tie and lacking(table)


def restored(table: Table, _phase: Awaited, _said: Restored) -> Step:
    """A backup was restored, so the Schlitten goes out of play.

    A coup that is not decided is annulled (R-54).
    """
    phase, told = table.phase, tuple[Event, ...]()
    if isinstance(phase, p.Settled):
        table, told = paid(table, phase, Paid())
    elif table.felt.shoe and table.coup and not isinstance(phase, p.TakeOver):
        table, told = annul(table, RESTORED)
    felt, calm = gathered(table.felt)
    felt, gone = withdrawn(felt)
    table = replace(table, felt=felt, undo=None)
    told = (*told, *calm, *gone)
    match phase:
        case p.Auction():
            return at(table, replace(phase, after=NoSchlitten())), told
        case NoSchlitten() | p.TakeOver():
            return at(table, phase), told
    return at(table, NoSchlitten()), told


def thrown_away(table: Table, _phase: Awaited, said: ti.ThrownAway) -> Step:
    """The cards got mixed up, so the coup is annulled and the Schlitten is closed (N-9)."""
    if isinstance(table.phase, p.Settled):
        raise AgainstRules(
            phrase("A coup is announced and not yet paid."),
            phrase("Pay it first; then close the Schlitten."),
            "N-9",
        )
    if isinstance(table.phase, p.Auction | p.TakeOver):
        raise AgainstRules(
            phrase("The bank is being sold."),
            phrase("Say what the card was and sell the bank; then throw the cards away."),
            "N-9",
        )
    told: Told
    if table.coup:
        table, told = annul(table, said.reason)
    else:  # there is no coup to annul; cards laid aside are out of play
        felt, told = gathered(table.felt)
        table = replace(table, felt=felt)
    table, more = schlitten_closed(table, table.phase, ti.SchlittenClosed())
    return table, (*told, *more)
