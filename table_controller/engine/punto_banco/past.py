"""Rulings on the winner of a past coup: its record and every road change.

For the last coup, money moves too. Source: PB-26, PB-35, PR-2.
"""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.messages import AgainstRules, Event, Told, phrase
from table_controller.engine.punto_banco.bets import given_back
from table_controller.engine.punto_banco.deal import Dealing, finished
from table_controller.engine.punto_banco.events import NotMoved, ResultChanged
from table_controller.engine.punto_banco.inputs import PastRuled
from table_controller.engine.punto_banco.onward import onward
from table_controller.engine.punto_banco.settle import boxes_of, lines, may_reopen, ruling
from table_controller.engine.punto_banco.state import (
    Awaited,
    Betting,
    Done,
    Paying,
    Record,
    Step,
    Table,
    at,
    pay,
)
from table_controller.engine.table.events import CoupPaid, Moved
from table_controller.engine.table.felt import balance, player
from table_controller.engine.table.repairs import with_reason
from table_controller.rules.money import NONE, Chips
from table_controller.rules.punto_banco.coup import Winner


def rulable(table: Table) -> tuple[int, ...]:
    """The numbers of the coups whose winner a supervisor may still change.

    A coup that can be reopened is not among them. The last coup is among them until the next
    Schlitten's first card, unless it can be reopened (PB-35).
    """
    last = table.done.deal.number if table.done else 0
    if last and last < table.felt.first_coup:
        return (last,)
    return tuple(
        record.coup for record in table.past if record.coup != last or not may_reopen(table)
    )


def past_ruled(table: Table, _phase: Awaited, said: PastRuled) -> Step:
    """A supervisor names another winner of an earlier coup; its record and the roads change.

    For the last coup, money moves too. Source: PB-26, PR-2.
    """
    with_reason(said.reason)
    if said.coup not in rulable(table):
        raise AgainstRules(
            phrase("Coup {coup} was not dealt from this Schlitten.", coup=said.coup),
            phrase("Name one that was settled; the last one is taken back first."),
            "PB-26",
        )
    done, last = table.done, table.done is not None and table.done.deal.number == said.coup
    told: Told = (
        ResultChanged(coup=said.coup, winner=said.winner),
        ruling(table, "PB-35" if last else "PB-26", said.actor, said.reason),
    )
    past, before = (
        tuple(_counts(record, said) for record in records) for records in (table.past, table.before)
    )
    table = replace(table, past=past, before=before)
    if done is None or not last:
        return table, told
    table, moved = _moved(table, done, said)
    table, more = _on(replace(table, done=None))
    return table, (*told, *moved, *more)


def _counts(record: Record, said: PastRuled) -> Record:
    return replace(record, winner=said.winner) if record.coup == said.coup else record


def _on(table: Table) -> Step:
    """The table after the ruling. Open lines of this coup's settlement need not be paid any more.

    If the next coup's bets were closed, they are open again, because its stakes were given back.
    """
    match table.phase:
        case Paying(deal=deal):
            table, told = onward(table)
            return table, (CoupPaid(coup=deal.number), *told)
        case Dealing():
            return at(table, Betting(), over=()), ()
    return replace(table, prompt=table.prompt + 1), ()


def _moved(table: Table, done: Done, said: PastRuled) -> Step:
    """Move the coup's money to the new winners, as far as players and tray have it (PB-35)."""
    table = given_back(table)
    change, boxes = _changes(table, done, said.winner)
    table, told = replace(table, owed=boxes_of(boxes)), tuple[Event, ...]()
    for seat, chips in sorted(change.items(), key=lambda one: one[1]):  # first taken, then paid
        due, taken = abs(chips), chips < 0
        there = player(table.felt, seat) is not None
        has = balance(table.felt, seat) if taken else table.felt.cagnotte
        moved = min(due, has) if there else 0
        way = {"seat": abs(seat), "to": 0} if taken else {"seat": 0, "to": abs(seat)}
        if moved:
            table = pay(table, seat, -moved if taken else moved)
            told += (Moved(**way, chips=Chips(moved), reason=said.reason),)
        if due > moved:
            told += (NotMoved(**way, coup=said.coup, chips=Chips(due - moved)),)
    return table, told


def _changes(table: Table, done: Done, winner: Winner) -> tuple[dict[int, int], dict[int, Chips]]:
    """What a new `winner` changes: the sum that each seat gets or gives, and the boxes (PB-10).

    The second mapping is the commission that is then in each seat's box.
    """
    now = lines(table.house, finished(replace(done.deal, winner=winner)), done.bets)
    change: dict[int, int] = {}
    boxes = dict(table.owed)
    for sign, payments in ((-1, done.payments), (1, now)):
        for line in payments:
            change[line.seat] = change.get(line.seat, 0) + sign * line.chips
            boxes[line.seat] = Chips(boxes.get(line.seat, NONE) + sign * line.owed)
    for seat, chips in boxes.items():
        if chips < 0 or player(table.felt, seat) is None:  # it was collected, and comes back
            change[seat] = change.get(seat, 0) - chips
            boxes[seat] = NONE
    return {seat: chips for seat, chips in change.items() if chips}, boxes
