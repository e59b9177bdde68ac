"""The Schlitten's life: mixed and loaded, closed and counted, or thrown away."""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.alerts import cleared
from table_controller.engine.chemin_de_fer.cards import WHITE_MISSED
from table_controller.engine.chemin_de_fer.events import BankPosted
from table_controller.engine.chemin_de_fer.facts import Bank, Totals
from table_controller.engine.chemin_de_fer.phases import (
    PREPARING,
    Auction,
    BankStakeDue,
    NoSchlitten,
    Phase,
    Settled,
    TakeOver,
)
from table_controller.engine.chemin_de_fer.settle import (
    annul,
    calmed,
    lacking,
    onward,
)
from table_controller.engine.chemin_de_fer.state import Awaited, Step, Table, at, on_felt
from table_controller.engine.messages import AgainstRules, Event, OutOfTurn, phrase
from table_controller.engine.shoe import Shoe, remaining
from table_controller.engine.table.devices import cut_calmed
from table_controller.engine.table.events import SchlittenCounted, SchlittenReady
from table_controller.engine.table.felt import aside, occupied_from
from table_controller.engine.table.inputs import (
    Prepared,
    SchlittenClosed,
    SchlittenLoaded,
    ThrownAway,
)
from table_controller.engine.table.promises import opened
from table_controller.rules.money import Chips


def prepared(table: Table, phase: NoSchlitten, _said: Prepared) -> Step:
    """One step of mixing, cutting and loading is done; the next is asked for (ZP-4)."""
    if phase.done == len(PREPARING):
        raise OutOfTurn(
            phrase("The cards are mixed and cut."), phrase("Load the Schlitten."), "ZP-4"
        )
    return at(table, NoSchlitten(phase.done + 1)), ()


def schlitten_loaded(table: Table, _phase: NoSchlitten, said: SchlittenLoaded) -> Step:
    """A full Schlitten stands ready; the pot of a won bank goes over to it (ZP-4, Z-25, R-7)."""
    shoe = Shoe(said.shoe, table.house.packs)
    table = replace(
        table,
        place=next(iter(occupied_from(table.felt, table.place)), table.place),
        bank=_carried(table.bank),
        totals=(Totals(), table.totals[1]),
        felt=replace(
            table.felt,
            shoe=shoe,
            number=table.felt.number + 1,
            last_coup=0,
            first_coup=table.felt.coups + 1,
        ),
    )
    ready = SchlittenReady(
        shoe=said.shoe, number=table.felt.number, cards=shoe.cards, white_at=table.house.white_at
    )
    told: tuple[Event, ...] = (ready,)
    if table.bank and not table.coup:
        told = (ready, BankPosted(seat=table.bank.seat, pot=table.bank.pot))
    return at(table, onward(table)), told


def _carried(bank: Bank | None) -> Bank | None:
    """The first pot of a new Schlitten is what the bank won in the last deal; the rest waits."""
    if bank is None or not bank.won or bank.whole:
        return bank
    return replace(bank, pot=bank.won, aside=Chips(bank.aside + bank.pot - bank.won))


def schlitten_closed(table: Table, _phase: Phase, _said: SchlittenClosed) -> Step:
    """Emptied and counted: cards that stayed closed are revealed (R-35)."""
    shoe = table.felt.shoe
    if shoe is None:
        raise OutOfTurn(
            phrase("No Schlitten is loaded."), phrase("Load one; there is nothing to close.")
        )
    revealed = opened(table.felt, 0, (*table.felt.hidden, *table.felt.kept))
    counted = SchlittenCounted(
        shoe=shoe.id,
        coups=table.felt.coups - table.felt.first_coup + 1,
        remaining={card.value: count for card, count in remaining(shoe).items()},
    )
    alerts, told = cleared(table.felt.alerts, WHITE_MISSED)
    alerts, more = cut_calmed(alerts)
    felt = replace(table.felt, shoe=None, hidden=(), kept=(), alerts=alerts)
    table = at(table, NoSchlitten(), felt=felt, undo=None)
    return table, (*revealed, *told, *more, counted)


def closed_for_replay(table: Table, phase: Phase, said: SchlittenClosed) -> Step:
    """Too few cards are left to replay a tie: the replay comes from the next Schlitten (R-30)."""
    if not (table.coup and table.coup.tie and lacking(table)):
        raise AgainstRules(
            phrase("Stakes lie against this bank."),
            phrase("They are taken back first, or the coup is played."),
            "R-5",
        )
    if isinstance(phase, BankStakeDue):  # the open bank has not staked yet: closed anew (Z-5)
        table = replace(table, coup=replace(table.coup, closed=False))
    return schlitten_closed(table, phase, said)


def thrown_away(table: Table, _phase: Awaited, said: ThrownAway) -> Step:
    """The mass of cards was mixed up: the coup is annulled, the Schlitten closed (N-9)."""
    if isinstance(table.phase, Settled):
        raise AgainstRules(
            phrase("A coup is announced and not yet paid."),
            phrase("Pay it first; then close the Schlitten."),
            "N-9",
        )
    if isinstance(table.phase, Auction | TakeOver):
        raise AgainstRules(
            phrase("The bank is being sold."),
            phrase("Say what the card was and sell the bank; then throw the cards away."),
            "N-9",
        )
    told: tuple[Event, ...] = ()
    if table.coup:
        table, told = annul(table, said.reason)
    else:  # no coup, so none is annulled; what lay aside is out of play
        alerts, told = calmed(table.felt.alerts)
        hidden = (*table.felt.hidden, *aside(table.felt))
        table = on_felt(table, alerts=alerts, hidden=hidden, stops=())
    table, more = schlitten_closed(table, table.phase, SchlittenClosed())
    return table, (*told, *more)
