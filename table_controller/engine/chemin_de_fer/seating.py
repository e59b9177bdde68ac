"""People at the table: seats, standing players, their money, and their declarations."""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.chemin_de_fer import phases as p
from table_controller.engine.chemin_de_fer.cards import alike
from table_controller.engine.chemin_de_fer.events import Declared
from table_controller.engine.chemin_de_fer.facts import Bank, Seller
from table_controller.engine.chemin_de_fer.inputs import Declares
from table_controller.engine.chemin_de_fer.settle import onward
from table_controller.engine.chemin_de_fer.state import (
    Awaited,
    Step,
    Table,
    at,
    deal_of,
    due_to_pass,
    under_way,
)
from table_controller.engine.messages import AgainstRules, phrase
from table_controller.engine.table import inputs as ti
from table_controller.engine.table import seating
from table_controller.engine.table.felt import occupied_from
from table_controller.engine.views import STANDING


def sits(table: Table, phase: Awaited, said: ti.Sits) -> Step:
    """A player takes a free seat, which is allowed at any time (N-1)."""
    now, told = alike(table, phase, said)
    return reseated(now, phase), told


def leaves(table: Table, phase: Awaited, said: ti.Leaves) -> Step:
    """A player leaves with his chips. Nobody may leave with money in the coup or the bank."""
    now, told = alike(table, phase, said)
    return reseated(_renumbered(now, {said.seat: 0}), phase), told


def moves(table: Table, phase: Awaited, said: ti.Moves) -> Step:
    """A player moves to a free seat (N-1).

    He must then let the bank pass as often as the house says. Source: R-40.
    """
    seating.present(table.felt, said.seat)
    if under_way(table):  # this comes before any check of the seat that he asks for
        raise seating.coup_begun()
    table, told = alike(table, phase, said)
    table = _renumbered(table, {said.seat: said.to})
    if said.seat <= STANDING:  # a newcomer need not pass
        table = due_to_pass(table, said.to, table.house.passes_after_move)
    return reseated(table, phase), told


def swaps(table: Table, phase: Awaited, said: ti.Swaps) -> Step:
    """Two players change seats with each other (N-1).

    Both must then let the bank pass as often as the house says (R-40).
    """
    table, told = alike(table, phase, said)
    seats = {said.seat: said.other, said.other: said.seat}
    table = _renumbered(table, seats)
    for seat in seats:
        table = due_to_pass(table, seat, table.house.passes_after_move)
    return table, told


def declares(table: Table, _phase: Awaited, said: Declares) -> Step:
    """A player declares whether he plays by the Schlitten, before the first card (R-25, ZP-9)."""
    seating.present(table.felt, said.seat)
    if not may_declare(table.phase):
        raise AgainstRules(
            phrase("The coup has begun."),
            phrase("He declares it before the first card of the next one."),
            "R-25",
        )
    others = {*table.by_schlitten} - {said.seat}
    bound = tuple(sorted(others | {said.seat} if said.by_schlitten else others))
    told = Declared(seat=said.seat, by_schlitten=said.by_schlitten)
    return replace(table, by_schlitten=bound), (told,)


def may_declare(phase: p.Phase) -> bool:
    """Whether players may declare: no card of a coup is dealt, or the coup is already being paid.

    Source: R-25, ZP-9.
    """
    return deal_of(phase) is None or isinstance(phase, p.Settled)


def reseated(table: Table, phase: Awaited) -> Table:
    """The table after a change of seats, in the phase that fits the players who are there now.

    The change may bring the second player, or leave the seat empty where the Schlitten is.
    """
    if not isinstance(phase, p.PlayersDue | p.BankDue):
        return table
    place = next(iter(occupied_from(table.felt, table.place)), table.place)
    after = onward(table)
    if type(after) is type(phase) and place == table.place:
        return table
    return at(table, after, place=place)


def _renumbered(table: Table, seats: dict[int, int]) -> Table:
    """The table after players changed seats; `seats` says the new seat for each old seat.

    These things move with a player: his declaration, the passes that he owes, his suivi, his ban as
    a seller of the bank, and his stake. Source: R-25, N-1, ZP-13, Z-22.
    """

    def new(seat: int) -> int:
        return seats.get(seat, seat)

    bank = _resold(table.bank, seats)
    phase = _rebooked(table.phase, seats)
    previous = tuple(replace(stake, seat=new(stake.seat)) for stake in table.previous)
    bound = sorted(filter(None, map(new, table.by_schlitten)))
    due = sorted((new(seat), count) for seat, count in table.must_pass if new(seat))
    return replace(
        table,
        phase=phase,
        bank=bank,
        suivi=new(table.suivi),
        previous=previous,
        by_schlitten=tuple(bound),
        must_pass=tuple(due),
    )


def _rebooked(phase: p.Phase, seats: dict[int, int]) -> p.Phase:
    """The phase after players changed seats.

    If the coup is settled, the state before its settlement gets the new seats too. So the
    settlement can still be undone (R-20). While the bank is for sale, its earlier sellers, and the
    partners whom Suite paid out, may move or leave (Z-22).
    """
    match phase:
        case p.Settled(before=old):
            bank, suivi = _resold(old.bank, seats), seats.get(old.suivi, old.suivi)
            return replace(phase, before=replace(old, bank=bank, suivi=suivi))
        case p.Auction(partners=partners, sellers=sellers):
            now = tuple(seats.get(seat, seat) for seat in partners)
            return replace(phase, partners=now, sellers=_sellers(sellers, seats))
    return phase


def _resold(bank: Bank | None, seats: dict[int, int]) -> Bank | None:
    """The bank after its earlier sellers have changed seats (Z-22)."""
    if bank is None or not bank.sellers:
        return bank
    return replace(bank, sellers=_sellers(bank.sellers, seats))


def _sellers(sellers: tuple[Seller, ...], seats: dict[int, int]) -> tuple[Seller, ...]:
    return tuple(
        replace(
            one,
            seat=seats.get(one.seat, one.seat),
            partners=tuple(seats.get(seat, seat) for seat in one.partners),
        )
        for one in sellers
    )
