"""A deal by the wrong player is void, set aside, or kept with dealer and elder exchanged."""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from table_controller.engine.ecarte.dealing import laid_again
from table_controller.engine.ecarte.ending import annul, emptied, finish, unmark
from table_controller.engine.ecarte.events import DealMended, DealSetAside
from table_controller.engine.ecarte.facts import Waiting, paired
from table_controller.engine.ecarte.inputs import DealtOutOfTurn
from table_controller.engine.ecarte.phases import (
    Buying,
    DealOver,
    Discarding,
    ElderToSpeak,
    LeadDue,
    NoSchlitten,
    ReplyDue,
)
from table_controller.engine.ecarte.revoking import unended
from table_controller.engine.ecarte.state import (
    Awaited,
    Step,
    Table,
    at,
    book_rule,
    on_deal,
    on_partie,
    played,
    seat_of,
    the_deal,
    the_partie,
)
from table_controller.engine.messages import Event, OutOfTurn, phrase
from table_controller.rules.ecarte.marks import KING

T = TypeVar("T")


def spoken(table: Table) -> bool:
    """Whether elder has proposed or a card was led, so that the deal counts (E00-18, ER-39)."""
    deal = the_deal(table)
    return deal.turned is not None and (
        bool(deal.bought) or not isinstance(table.phase, ElderToSpeak)
    )


def may_turn(table: Table) -> bool:
    """Whether a deal by the wrong player can still be reported (ER-39).

    It can until somebody marks for the tricks.
    """
    deal = table.deal
    if deal is None or deal.annulled or deal.thrown_in or any(deal.trick_marks):
        return False
    return deal.ended or not isinstance(table.phase, DealOver)


def out_of_turn(table: Table, _phase: Awaited, said: DealtOutOfTurn) -> Step:
    """The wrong player dealt. Before the turn-up the deal is void, later the house's rule decides.

    Once elder has spoken or a card is led, the deal counts, and the player who dealt is the dealer
    (ER-39). Source: E07-18, E00-18, EDE-20.
    """
    deal, by = the_deal(table), book_rule(table, "18", "18", "20")
    if not may_turn(table):
        raise OutOfTurn(
            phrase("The marks of the deal are set."), phrase("The next deal goes by turns."), by
        )
    late = said.proposed or spoken(table)
    if deal.turned is None or (table.house.out_of_turn == "passes" and not late):
        return annul(table, by, dealer=deal.dealer)
    table, told = _turned_round(table, by)
    if not late and table.house.out_of_turn == "set_aside":
        table, more = _set_aside(table)
        return table, (*told, *more)
    told = (*told, DealMended(rule=by))
    if not deal.ended:
        return _goes_on(table), told
    table, back = unended(table)
    table, more = finish(table)
    return table, (*told, *back, *more)


def _turned_round(table: Table, by: str) -> Step:
    """The table after dealer and elder exchanged their parts, because the other player dealt.

    Everything that depends on these parts is exchanged too. Cards that were played stay with their
    players, and so do reports that name a player.
    """
    table = _packets_round(table)
    deal = the_deal(table)
    gone = [len(played(deal, side)) for side in (0, 1)]
    held = [deal.held[1 - side] + gone[1 - side] - gone[side] for side in (0, 1)]
    first = deal.tricks[0].leader if deal.tricks else deal.leader if deal.led else -1
    told: tuple[Event, ...] = ()
    if deal.turned_marked:  # that player did not turn it up
        table, told = unmark(table, deal.dealer, KING, by)
    table = on_deal(
        table,
        dealer=deal.elder,
        taken=_swapped(deal.taken),
        looked=_swapped(deal.looked) if spoken(table) else deal.looked,  # a report names a player
        held=(held[0], held[1]),
        authority=first == deal.dealer and not deal.bought and not deal.refused,
        turned_marked=False,
    )
    if deal.turned_marked:
        less = deal.marks[deal.dealer] - KING
        table = on_deal(table, marks=paired(deal.marks, deal.dealer, less))
    return table, told


def _packets_round(table: Table) -> Table:
    """The table where the way of dealing is that of the player who dealt (E07-14, ER-21, ER-45).

    If it was said for this deal, he has it for the partie, and the other one none yet. Otherwise
    the cards lie by his own way, if he has one.
    """
    deal, partie = the_deal(table), the_partie(table)
    dealt = deal.elder
    if deal.chosen:
        packets = paired(paired(partie.packets, deal.dealer, 0), dealt, deal.first)
        return on_partie(table, packets=packets)
    own = partie.packets[dealt]
    if not own or own == deal.first or deal.bought:
        return table
    return laid_again(on_deal(table, first=own))


def _swapped(pair: tuple[T, T]) -> tuple[T, T]:
    return pair[1], pair[0]


def _goes_on(table: Table) -> Table:
    """The table once dealer and elder have exchanged their parts: the other player must act now.

    The first lead, if it was made, may have become a lead out of turn.
    """
    phase, deal = table.phase, the_deal(table)
    match phase:
        case Discarding() | Buying():
            return at(table, replace(phase, side=1 - phase.side))
        case LeadDue() if not deal.tricks:
            return at(on_deal(table, leader=deal.elder), phase)
        case ReplyDue() if not deal.tricks:
            silent = not (deal.refused or deal.bought)
            return at(table, ReplyDue(unspoken=silent and deal.leader != deal.elder))
        case _:
            return at(table, phase)


def _set_aside(table: Table) -> Step:
    """Set this deal aside, because the wrong player dealt it.

    The rightful dealer deals first, with the other pack. This deal is played next, just as it is
    (E00-18, ER-45).
    """
    deal, shoe = the_deal(table), table.felt.shoe
    told: tuple[Event, ...] = ()
    for side in (0, 1):  # a mark for a king waits with its deal
        if deal.marks[side]:
            table, more = unmark(table, side, deal.marks[side], "E00-18")
            told = (*told, *more)
    rightful = deal.elder
    table, counted = emptied(table)
    if shoe is not None:
        aside = (*the_partie(table).aside, Waiting(deal, shoe))
        table = on_partie(table, aside=aside, dealer=rightful)
    said = DealSetAside(dealer=seat_of(table, deal.dealer))
    return at(table, NoSchlitten(), asked=(), undo=None), (*told, said, *counted)
