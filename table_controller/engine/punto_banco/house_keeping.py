"""Inputs that every table has, as punto banco handles them: cards, people, money, Schlitten.

The module knows no rule of draws.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from table_controller.engine.messages import (
    AgainstRules,
    CardNamed,
    CardSeen,
    Event,
    Input,
    OutOfTurn,
    Restored,
    Told,
    phrase,
)
from table_controller.engine.punto_banco import mishaps
from table_controller.engine.punto_banco.bets import at_risk, free_money, reseated
from table_controller.engine.punto_banco.play import annul, burn, lay, one_more, voided
from table_controller.engine.punto_banco.settle import all_paid, collected
from table_controller.engine.punto_banco.state import (
    Awaited,
    Betting,
    Burning,
    Done,
    Over,
    Paying,
    Step,
    Table,
    at,
    closed_of,
    under_way,
)
from table_controller.engine.punto_banco.words import awaited
from table_controller.engine.table import cards, common, repairs, schlitten
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.felt import Felt, Unread, WhiteDisputed
from table_controller.engine.table.inputs import Paid
from table_controller.engine.table.schlitten import NoSchlitten

#: The steps of mixing and cutting, in order (PB-2, PB-3).
PREPARING = ("mixed", "cut", "cut_card")


def busy(table: Table, seat: int) -> bool:
    """Whether the place has stakes on the table, or lines of the settlement that are not done."""
    lines = table.phase.payments if isinstance(table.phase, Paying) else ()
    lies = any(bet.seat == seat for bet in table.bets)
    return lies or any(line.seat == seat and not line.done for line in lines)


def answered(table: Table, said: Input) -> Step | None:
    """The table after an input that is the same at every table, or None if it is another input.

    The game itself handles the closing of the Schlitten.
    """
    if isinstance(said, ti.SchlittenClosed):
        return None
    return common.answered(
        table, said, lay, closed_of, coup=under_way(table), busy=lambda seat: busy(table, seat)
    )


# Cards


def _in_coup(table: Table) -> bool | None:
    """Whether the coup under way becomes the last one if the cut card comes out now.

    None means that this depends on how many cards are left after the coup. False means that no
    coup is under way. Source: PB-38.
    """
    return None if under_way(table) and one_more(table) else under_way(table)


def card_seen(table: Table, _phase: Awaited, said: CardSeen) -> Step:
    """Something passed the lip. If it is the cut card, one more coup may follow (PB-3)."""
    now, told = cards.card_seen(table, said, lay, closed_of, coup=said.white and _in_coup(table))
    if now.felt.stops is not table.felt.stops:
        now = mishaps.alien(table, now)
    return now, told


def card_named(table: Table, phase: Awaited, said: CardNamed) -> Step:
    """One of two people typed the unread card."""
    if not isinstance(phase, Unread):
        raise common.not_due(awaited(table).ask)
    now, told = cards.card_named(table, phase, said, lay, closed_of)
    return mishaps.alien(table, now), told


def white_ruled(table: Table, stop: WhiteDisputed, said: ti.WhiteRuled) -> Step:
    """The croupier rules on the cut card (R-6, PB-3)."""
    if said.ruling is ti.WhiteRuling.ANNUL:
        return mishaps.white_annuls(table, stop, said)
    felt, told = schlitten.white_ruled(table.felt, stop, said, coup=_in_coup(table))
    return common.anew(table, felt), told


# People and their money


def takes_away(table: Table, _phase: Awaited, said: ti.CashesOut | ti.Tips) -> Step:
    """A player takes chips away. The commission in his box stays, as it is the house's (PB-10).

    Raises AgainstRules if he asks for some of it.
    """
    now = answered(table, said)
    if said.chips > free_money(table, said.seat):
        raise AgainstRules(
            phrase("So much of it is commission that he owes."),
            phrase("Collect his box first."),
            "PB-10",
        )
    assert now is not None
    return now


def leaves(table: Table, _phase: Awaited, said: ti.Leaves) -> Step:
    """A player leaves. The commission in his box is collected (PB-10).

    If the result of his last coup changes later, nobody pays for his stakes (PB-26).
    """
    seat = said.seat
    table, told = collected(table, seat)
    now = answered(table, said)
    assert now is not None
    done = _reseated(table.done, {seat: -seat})
    previous = tuple(bet for bet in table.previous if bet.seat != seat)
    return replace(now[0], done=done, previous=previous), (*told, *now[1])


def moves(table: Table, _phase: Awaited, said: ti.Moves | ti.Swaps) -> Step:
    """A player changes seats, and takes his box and last stakes with him (PB-10, PB-13, PB-26)."""
    now = answered(table, said)
    assert now is not None
    other = said.to if isinstance(said, ti.Moves) else said.other
    seats = {said.seat: other, other: said.seat}
    owed = tuple(sorted((seats.get(seat, seat), chips) for seat, chips in table.owed))
    previous, done = reseated(table.previous, seats), _reseated(table.done, seats)
    return replace(now[0], owed=owed, previous=previous, done=done), now[1]


def _reseated(done: Done | None, seats: Mapping[int, int]) -> Done | None:
    """The last coup after its players changed seats; `seats` says the new seat for each old seat.

    A negative seat means that the player has left (PB-35).
    """
    if done is None:
        return None
    lines = tuple(replace(one, seat=seats.get(one.seat, one.seat)) for one in done.payments)
    return replace(done, bets=reseated(done.bets, seats), payments=lines)


def transfers(table: Table, _phase: Awaited, said: ti.Transfers) -> Step:
    """A supervisor moves chips between two places; 0 is the tray (PB-13).

    Raises AgainstRules if the tray could then no longer pay the stakes.
    """
    now, told = repairs.transfers(table.felt, said)
    after = replace(table, felt=now)
    if now.cagnotte < at_risk(after):
        raise AgainstRules(
            phrase("The tray could not pay what lies on the table."),
            phrase("Take less from it."),
            "PB-13",
        )
    return after, told


# The Schlitten


def prepared(table: Table, phase: NoSchlitten, _said: ti.Prepared) -> Step:
    """One step of mixing, cutting and loading is done, and the next is due (PB-2)."""
    if phase.done == len(PREPARING):
        raise OutOfTurn(
            phrase("The cards are mixed and cut."), phrase("Load the Schlitten."), "PB-2"
        )
    return at(table, NoSchlitten(phase.done + 1)), ()


def loaded(table: Table, _phase: NoSchlitten, said: ti.SchlittenLoaded) -> Step:
    """A Schlitten was loaded. Its first card must be turned up, or cards must be burned (PB-2)."""
    felt, told = schlitten.loaded(table.felt, said)
    phase, more = burn(table)
    fresh = {
        "past": (),
        "before": table.past,
        "withdraw": False,
        "free": 0,
        "order": (),
        "over": (),
        "cut": 0,
    }
    now = at(table, phase, felt=felt, **fresh)
    return now, (*told, *more)


def closed(table: Table, _phase: Awaited, said: ti.SchlittenClosed) -> Step:
    """The Schlitten was emptied and counted, and the commission was collected (PB-10, R-35)."""
    return _emptied(table, *schlitten.closed(table.felt, said))


def closed_over(table: Table, _phase: Awaited, said: ti.SchlittenClosed) -> Step:
    """The Schlitten is closed although a card still waits for a ruling.

    Cards that were laid aside are counted (N-9).
    """
    if not may_close_over(table):
        raise common.not_due(awaited(table).ask)
    felt, calm = schlitten.gathered(table.felt)
    table, told = closed(replace(table, felt=felt), table.phase, said)
    return table, (*calm, *told)


def may_close_over(table: Table) -> bool:
    """Whether the Schlitten may be closed while a card waits for a ruling (N-9).

    It may if no coup is under way.
    """
    return isinstance(table.phase, Burning | Betting | Over)


def _emptied(table: Table, felt: Felt, told: Told) -> Step:
    """The table without a Schlitten, with this felt.

    The commission in the boxes is collected (PB-10).
    """
    table, boxes = replace(table, felt=felt), tuple[Event, ...]()
    for seat, _ in table.owed:
        table, more = collected(table, seat)
        boxes += more
    return at(table, NoSchlitten(), withdraw=False, undo=None), (*boxes, *told)


def restored(table: Table, phase: Awaited, _said: Restored) -> Step:
    """A backup was restored, so the Schlitten goes out of play.

    A coup on whose result the table has not agreed is void (R-54).
    """
    told: Told = ()
    if isinstance(table.phase, Paying):
        table, told = all_paid(table, table.phase, Paid())
    table, more = annul(table, schlitten.RESTORED) if under_way(table) else voided(table)
    told = (*told, *more)
    felt, gone = schlitten.withdrawn(table.felt)
    if isinstance(phase, NoSchlitten):
        return replace(table, felt=felt), (*told, *gone)
    table, more = _emptied(table, felt, gone)
    return table, (*told, *more)


def thrown_away(table: Table, phase: Awaited, said: ti.ThrownAway) -> Step:
    """The cards got mixed up, so the coup is void and the Schlitten is closed (N-9)."""
    if not under_way(table):
        raise OutOfTurn(
            phrase("No coup is under way that could be annulled."),
            phrase("Close it and load the next one.")
            if may_close_over(table)
            else mishaps.due_instead(phase),
            "N-9",
        )
    table, told = annul(table, said.reason)
    table, more = closed(table, table.phase, ti.SchlittenClosed())
    return table, (*told, *more)


# Taking back
