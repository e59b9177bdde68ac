"""A practice table, without stakes: both hands are open at the first distribution (EDE-19).

This module does nothing unless the house file says `practice`.
"""

from __future__ import annotations

from table_controller.engine.ecarte.inputs import Discards
from table_controller.engine.ecarte.phases import ElderToSpeak
from table_controller.engine.ecarte.state import (
    Step,
    Table,
    for_side,
    hand_open,
    known,
    on_deal,
    seat_of,
    side_of,
)
from table_controller.engine.messages import Event, Input, phrase
from table_controller.engine.pieces import Note
from table_controller.engine.table.promises import opened
from table_controller.rules.ecarte.regle import is_regle

#: Cards in a hand.
HAND = 5


def laid_open(table: Table, said: Input) -> Step:
    """The table after both hands were opened at the turn-up, and the events.

    A player who discards takes his hand up, so that it is closed again.
    """
    deal = table.deal
    if not table.house.practice or deal is None or deal.turned is None:
        return table, ()
    if isinstance(said, Discards):
        return for_side(table, side_of(table, said.seat), shown=()), ()
    first = isinstance(table.phase, ElderToSpeak) and not deal.bought and deal.first_lead
    if not first or any(deal.shown):
        return table, ()
    left, right = (tuple(dealt.card for dealt in cards) for cards in deal.taken)
    told: tuple[Event, ...] = ()
    for side in (0, 1):
        told = (*told, *opened(table.felt, seat_of(table, side), deal.taken[side]))
    return on_deal(table, shown=(left, right)), told


def regle(table: Table) -> tuple[Note, ...]:
    """Notes on whether each fully open hand is strong enough to play or to refuse (EDE-19)."""
    deal = table.deal
    if not table.house.practice or deal is None or deal.turned is None or not deal.first_lead:
        return ()
    told = []
    for side in (0, 1):
        if hand_open(deal, side) and deal.held[side] == HAND:
            text = (
                phrase("Seat {seat} has a jeu de règle.", seat=seat_of(table, side))
                if is_regle(known(deal, side), deal.trump)
                else phrase("Seat {seat} has no jeu de règle.", seat=seat_of(table, side))
            )
            told.append(Note(text, "EDE-19"))
    return tuple(told)
