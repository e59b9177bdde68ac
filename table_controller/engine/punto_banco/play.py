"""The coup at the table: burning, closing the bets, dealing, opening hands, voiding a coup.

The deal (`deal.py`) says which card is due. This module says where the card comes from, who may see
the card, and whose stakes count.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from table_controller.engine.alerts import Alerts
from table_controller.engine.messages import AgainstRules, OutOfTurn, phrase
from table_controller.engine.punto_banco import bets
from table_controller.engine.punto_banco import deal as d
from table_controller.engine.punto_banco.deal import LAY
from table_controller.engine.punto_banco.events import PLACES, BurnDue, CoupBegun
from table_controller.engine.punto_banco.inputs import BetsOpenAgain, FreeCoup, Opened, Side
from table_controller.engine.punto_banco.onward import MOST, onward
from table_controller.engine.punto_banco.state import (
    Betting,
    Burning,
    Phase,
    Step,
    Table,
    at,
    closed_of,
    on_felt,
    staked,
    under_way,
)
from table_controller.engine.shoe import Dealt
from table_controller.engine.table.cards import stray
from table_controller.engine.table.devices import failing, not_begun, stopped, waiting
from table_controller.engine.table.events import CoupAnnulled
from table_controller.engine.table.felt import Felt, Told, after
from table_controller.engine.table.inputs import Closes
from table_controller.engine.table.promises import drawn, laid_open, opened
from table_controller.engine.table.schlitten import gathered, in_box, since
from table_controller.rules.points import PIPS

_FIRST = d.Dealing(0)
_PLAYER, _BANKER = PLACES[Side.PLAYER], PLACES[Side.BANKER]


# Cards


def lay(table: Table, dealt: Dealt, alerts: Alerts) -> Step:
    """Put a known card where it belongs: in a hand, on the burned cards, or aside (R-19, PR-3).

    `alerts` were open when the card left.
    """
    felt, phase = table.felt, table.phase
    if card_due(table, alerts):
        return _joined(table, dealt, alerts)
    if not felt.stops and not stopped(alerts):
        if type(phase) is Burning:
            return _burned(table, phase, dealt)
        begins = type(phase) is Betting and may_begin(table, alerts, drawn_=since(felt, dealt))
        if begins and not waiting(alerts):
            return _joined(replace(table, phase=_FIRST), dealt, alerts)
    felt, told = stray(felt, dealt)
    return after(table, felt), told


def _joined(table: Table, dealt: Dealt, alerts: Alerts) -> Step:
    """Deal the card where it was due, after any kept cards (PB-20, PB-21)."""
    table, told = from_kept(table, alerts)
    if type(table.phase) not in LAY:  # the kept cards sufficed, so this is a card too many
        felt, more = stray(table.felt, dealt)
        return after(table, felt), told + more
    table, more = to_hand(table, table.phase, table.felt, dealt)
    return table, told + more


def card_due(table: Table, alerts: Alerts) -> bool:
    """Whether a card that leaves while these alerts are open belongs to a hand.

    The first card of a coup may have to wait for the mains or the lid (R-53, R-56).
    """
    felt, phase = table.felt, table.phase
    if felt.stops or type(phase) not in LAY:
        return False
    if not alerts:
        return True
    return not stopped(alerts) and bool(phase.number or not waiting(alerts))  # type: ignore[union-attr]


def from_kept(table: Table, alerts: Alerts) -> Step:
    """Deal as many kept cards as are due with these alerts, in the order in which they left.

    Source: PB-39, R-58.

    `step` does this after every input, so that no prompt asks for a card that is already there.
    """
    told: Told = ()
    while table.felt.kept and card_due(table, alerts):
        first, *rest = table.felt.kept
        felt = replace(table.felt, kept=tuple(rest))
        table, more = to_hand(table, table.phase, felt, first, known=True)
        told += more
    return table, told


def to_hand(table: Table, phase: Any, felt: Felt, dealt: Dealt, known: bool = False) -> Step:
    """Deal one card to a hand: promised, and also opened if the house deals open cards (PR-3).

    A coup's first card closes the bets and makes the previous coup final (PB-4, PB-26). `felt` is
    the felt after the card left the Schlitten, or after it was taken from the kept cards. `known`
    says that the card was promised earlier.
    """
    begun: Told = ()
    if not phase.number:
        number = felt.coups + 1
        if table.house.differential:
            table, begun = bets.closed(replace(table, felt=felt))
            felt = table.felt
        begun += (CoupBegun(coup=number, staked=staked(table.bets)),)
        table, felt = replace(table, done=None, undo=None), replace(felt, coups=number)
        phase = d.Dealing(number)
    closed = table.house.dealing == "squeezed"
    now, told = LAY[type(phase)](phase, dealt, closed)
    place = _BANKER if now.player is phase.player else _PLAYER
    if closed:
        lies = drawn(felt, place, dealt)
    else:
        lies = opened(felt, place, (dealt,)) if known else laid_open(felt, place, dealt)
    return replace(table, phase=now, felt=felt, prompt=table.prompt + 1), begun + lies + told


def _burned(table: Table, phase: Burning, dealt: Dealt) -> Step:
    """The Schlitten's first card is turned, or one card is burned face down (PB-2).

    As many cards are burned as the first card is worth.
    """
    told = drawn(table.felt, 0, dealt)
    if phase.left is None:
        cards = PIPS[dealt.card] or 10
        told += opened(table.felt, 0, (dealt,))
        return at(table, Burning(cards), done=None), (*told, BurnDue(cards=cards))
    table = on_felt(table, hidden=(*table.felt.hidden, dealt))
    return at(table, burned_one(phase), done=None), told


def burned_one(phase: Burning) -> Burning | Betting:
    """The phase after one card was burned: the next card is burned, or the bets are open (PB-2)."""
    left = (phase.left or 0) - 1
    return Burning(left) if left > 0 else Betting()


def burn(table: Table) -> tuple[Phase, Told]:
    """The phase in which a Schlitten's burn begins, and the events (PB-2).

    As many cards are burned as the first card is worth, or a number that the house fixes; it may be
    0.
    """
    house = table.house
    if house.burn == "value":
        return Burning(), ()
    if not house.burn_cards:
        return Betting(), ()
    return Burning(house.burn_cards), (BurnDue(cards=house.burn_cards),)


# Before the first card


def may_begin(table: Table, alerts: Alerts, *, drawn_: int = 0) -> bool:
    """Whether a card that leaves while these alerts are open may begin a coup.

    There must be enough cards, the mains and the journal must work, and somebody must have staked,
    unless the house takes no bets. A Schlitten that is to be withdrawn begins no coup. `drawn_`
    cards of the coup have already left. Source: PB-4, PB-16, PB-25, R-53.
    """
    felt = table.felt
    if in_box(felt) + drawn_ < MOST or (alerts and failing(alerts)):
        return False
    return not table.withdraw and staked_on(table)


def staked_on(table: Table) -> bool:
    """Whether somebody has staked, or this house takes no bets and only announces results."""
    return bool(table.bets) or not table.house.bets


def closes(table: Table, _phase: Betting, _said: Closes) -> Step:
    """The croupier accepts no more bets, and the first card is due (PB-4)."""
    _can_begin(table)
    if not staked_on(table):
        raise AgainstRules(
            phrase("Nobody has laid a stake."),
            phrase("Wait for one, or deal a free coup."),
            "PB-16",
        )
    table, told = bets.closed(table)
    return at(table, _FIRST), told


def free_coup(table: Table, _phase: Betting, _said: FreeCoup) -> Step:
    """The croupier deals a coup without stakes, as often in a row as the house allows (PB-16)."""
    _can_begin(table)
    if table.bets or not may_be_free(table):
        raise AgainstRules(
            phrase("No free coup is dealt now."),
            phrase("After {n} in a row somebody stakes.", n=table.house.free_coups),
            "PB-16",
        )
    return at(table, _FIRST), ()


def may_be_free(table: Table) -> bool:
    """Whether one more coup without stakes may be dealt in a row (PB-16)."""
    return table.house.bets and table.free < table.house.free_coups


def _can_begin(table: Table) -> None:
    if failing(table.felt.alerts):
        raise not_begun(table.felt.alerts)
    if in_box(table.felt) < MOST:
        raise AgainstRules(
            phrase("The Schlitten holds fewer than {least} cards.", least=MOST),
            phrase("Close it and load the next one."),
            "PB-25",
        )


def bets_open_again(table: Table, phase: d.Dealing, _said: BetsOpenAgain) -> Step:
    """The bets, which were closed too early, are open again until the first card (PB-40)."""
    if phase.number:
        raise AgainstRules(
            phrase("The first card of the coup lies."),
            phrase("The bets are open again after this coup."),
            "PB-40",
        )
    return at(table, Betting(), over=()), ()


# Hands shown to the table


def opens(table: Table, phase: d.Deal, said: Opened) -> Step:
    """A side's closed cards were opened for the table. From now on they count (PB-15, PR-3)."""
    found = d.opened(phase, said.side)
    if found is None:
        raise OutOfTurn(
            phrase("That side has no closed cards to show."),
            phrase("Look which hand is still closed."),
            "PB-15",
        )
    cards, (now, told) = found
    return at(table, now), (*opened(table.felt, PLACES[said.side], cards), *told)


# A void coup


def annul(table: Table, reason: str, *, but: str = "") -> Step:
    """Annul the coup: the stakes are given back, and the roads do not show the coup (PB-25, PR-2).

    `but` is the id of an alert that stays open, because its cause remains.
    """
    table, told = voided(table, but=but)
    table, more = onward(table)
    number = table.felt.coups
    return table, (CoupAnnulled(coup=number, reason=reason), *told, *more)


def voided(table: Table, *, but: str = "") -> Step:
    """The table after the coup was dropped and the stakes given back. Closed cards become `hidden`.

    All stops end, and their alerts are cleared except the alert `but`.
    """
    felt = replace(table.felt, hidden=(*table.felt.hidden, *closed_of(table)))
    felt, told = gathered(felt, but=but)
    if under_way(table):
        table = bets.given_back(replace(table, felt=felt))
        return replace(table, undo=None), told
    return replace(table, felt=felt, undo=None), told


def lacking(table: Table) -> bool:
    """Whether a card is due and none is left.

    The coup is then void, and the Schlitten over (PB-25).
    """
    felt = table.felt
    none = felt.shoe is not None and in_box(felt) == 0 and not felt.stops
    return none and type(table.phase) in LAY
