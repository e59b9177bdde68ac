"""The result of a coup, where the money goes, and what the table waits for after it."""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.alerts import Alerts, Told, cleared
from table_controller.engine.chemin_de_fer.messages import (
    Annulled,
    CoupAnnulled,
    CoupPaid,
    CoupSettled,
    Paid,
    SchlittenOver,
    SchlittenPassed,
    Side,
)
from table_controller.engine.chemin_de_fer.state import (
    REMEMBERED,
    Bank,
    BankDue,
    Coup,
    CoupRecord,
    Deal,
    Dealing,
    NoSchlitten,
    Over,
    Phase,
    PlayersDue,
    Settled,
    StakesDue,
    Step,
    Stray,
    Table,
    Unread,
    WhiteDisputed,
    at,
    deal_of,
    next_seat,
    occupied_from,
    pay,
    value,
)
from table_controller.engine.messages import Event, Severity
from table_controller.engine.shoe import Dealt
from table_controller.rules.money import NONE, Chips, cagnotte


def settle(table: Table, deal: Deal) -> Step:
    """Both hands lie open: announce, and move the money in the books. Source: ZP-9, R-3, R-4."""
    bank, coup = table.bank, table.coup
    if bank is None or coup is None:
        raise ValueError("a coup without a bank or a pointeur cannot be settled")
    banker, pointeur = value(deal.banker), value(deal.pointeur)
    winner = _winner(banker, pointeur)
    house = Chips(0)
    pot_after = bank.pot
    if winner is Side.BANK:
        house = cagnotte(coup.stake, rate_bp=table.house.cagnotte_bp)
        pot_after = Chips(bank.pot + coup.stake - house)
    elif winner is Side.POINTEUR:
        pot_after = Chips(bank.pot - coup.stake)
    record = CoupRecord(
        deal.number,
        winner,
        bank.seat,
        coup.pointeur,
        banker,
        pointeur,
        bank.pot,
        coup.stake,
        house,
        pot_after,
    )
    table, payments = _move(table, bank, coup, record)
    told = CoupSettled(
        coup=deal.number,
        winner=winner,
        banker_seat=bank.seat,
        pointeur_seat=coup.pointeur,
        banker=banker,
        pointeur=pointeur,
        pot=bank.pot,
        staked=coup.stake,
        cagnotte=house,
        pot_after=pot_after,
    )
    last = (*table.last[-REMEMBERED + 1 :], record)
    return at(table, Settled(deal, record, payments), last=last), (told,)


def _winner(banker: int, pointeur: int) -> Side | None:
    """The higher points; equal ones replay. A Schlag needs no rule of its own: ZP-7, R-3, R-26."""
    if banker == pointeur:
        return None
    return Side.BANK if banker > pointeur else Side.POINTEUR


def _move(
    table: Table, bank: Bank, coup: Coup, record: CoupRecord
) -> tuple[Table, tuple[tuple[int, int], ...]]:
    """The books after the coup, and the payments: (seat, chips), seat 0 is the house (R-7, R-8)."""
    match record.winner:
        case None:
            again = replace(coup, tied=True)
            return replace(table, bank=replace(bank, won=NONE), coup=again), ()
        case Side.BANK:
            won = Chips(coup.stake - record.cagnotte)
            richer = replace(bank, pot=record.pot_after, won=won)
            payments = ((coup.pointeur, -coup.stake), (0, int(record.cagnotte)))
            house = Chips(table.cagnotte + record.cagnotte)
            return replace(table, bank=richer, coup=None, cagnotte=house), payments
        case Side.POINTEUR:
            # The stake goes back with as much again; what the pot still holds is the banker's.
            seats = pay(table, coup.pointeur, 2 * coup.stake)
            seats = pay(replace(table, seats=seats), bank.seat, record.pot_after + bank.aside)
            return replace(table, seats=seats, bank=None, coup=None), (
                (coup.pointeur, int(coup.stake)),
            )


def paid(table: Table, phase: Settled, _said: Paid) -> Step:
    """Everything is collected and paid: the next coup, seat or Schlitten (ZP-19, R-6)."""
    table, told = go_on(table, lost=phase.record.winner is Side.POINTEUR)
    return table, (CoupPaid(coup=phase.record.number), *told)


def go_on(table: Table, *, lost: bool) -> Step:
    """From the end of a coup to what follows it; `lost` by the bank (ZP-19, R-30)."""
    told: tuple[Event, ...] = ()
    if lost:
        to = next_seat(table, table.place)
        told = (SchlittenPassed(seat=table.place, to=to),)
        table = replace(table, place=to)
    if table.shoe and ended(table):
        over = SchlittenOver(shoe=table.shoe.id, left=table.shoe.left)
        return at(table, Over()), (*told, over)
    return at(table, onward(table)), told


def ended(table: Table, *, drawn: int = 0) -> bool:
    """Whether the Schlitten admits no further coup once the present one is done (R-6).

    `drawn` cards have left the box already and would be the first of that further coup.
    """
    played = 0 < table.last_coup <= table.coups
    return played or in_box(table) + drawn < table.house.white_at


def in_box(table: Table) -> int:
    """Cards left for the next coup; those kept under Z-13 count as in the Schlitten (R-6)."""
    return (table.shoe.left if table.shoe else 0) + len(table.kept)


def onward(table: Table) -> Phase:
    """What the table waits for between coups, from what is there."""
    if table.shoe is None:
        return NoSchlitten()
    if table.coup:
        return Dealing()  # a tie is replayed, the stakes as they stand
    if table.bank:
        return StakesDue()
    if len(list(occupied_from(table, 1))) < 2:
        return PlayersDue()
    return BankDue()


def resumed(table: Table, phase: Phase) -> Table:
    """Back to `phase` after an interruption, in which players may have come and gone (R-10)."""
    if not isinstance(phase, PlayersDue | BankDue):
        return at(table, phase)
    table = replace(table, place=next(occupied_from(table, table.place), table.place))
    return at(table, onward(table))


def annul(table: Table, reason: str) -> Step:
    """The coup counts for nobody: stakes go back, the pot is as before. Source: Z-24, R-30."""
    deal = deal_of(table.phase)
    number = deal.number if deal else table.coups + 1
    coup = table.coup
    seats = pay(table, coup.pointeur, coup.stake) if coup else table.seats
    hidden = (*table.hidden, *_closed(deal), *_strays(table.phase))
    alerts, told = _calmed(table.alerts)
    # the pot stays as it was, also at a new Schlitten, so nothing counts as just won.
    bank = replace(table.bank, won=NONE) if table.bank else None
    table = replace(table, seats=seats, coup=None, bank=bank, hidden=hidden, alerts=alerts)
    table, more = go_on(table, lost=False)
    return table, (*told, CoupAnnulled(coup=number, reason=reason), *more)


def annulled(table: Table, _phase: Phase, said: Annulled) -> Step:
    """A person annuls the coup, with a reason (Z-24, Z-27)."""
    return annul(table, said.reason)


def _calmed(alerts: Alerts) -> tuple[Alerts, Told]:
    """Nothing stands still any more: clear what stopped the coup."""
    told: Told = ()
    for alert in alerts:
        if alert.severity is Severity.STOP:
            alerts, gone = cleared(alerts, alert.id)
            told += gone
    return alerts, told


def _strays(phase: Phase) -> tuple[Dealt, ...]:
    """Cards still laid aside for the croupier's word."""
    match phase:
        case Stray(dealt=dealt, resume=resume):
            return dealt, *_strays(resume)
        case Unread(resume=resume) | WhiteDisputed(resume=resume):
            return _strays(resume)
        case _:
            return ()


def _closed(deal: Deal | None) -> tuple[Dealt, ...]:
    """The cards of a broken-off coup that nobody opened."""
    closed: tuple[Dealt, ...] = ()
    if deal is None:
        return closed
    if not deal.pointeur_open:
        closed += deal.pointeur[:2]
    if not deal.banker_open:
        closed += deal.banker[:2]
    return closed
