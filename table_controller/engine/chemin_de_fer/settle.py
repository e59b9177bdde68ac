"""A coup's result, the payments, and the phase that follows."""

from __future__ import annotations

from msgspec.structs import asdict, replace

from table_controller.engine.chemin_de_fer import events as ev
from table_controller.engine.chemin_de_fer import facts as f
from table_controller.engine.chemin_de_fer import ledger
from table_controller.engine.chemin_de_fer import phases as p
from table_controller.engine.chemin_de_fer.state import (
    REMEMBERED,
    Step,
    Table,
    at,
    deal_of,
    pay,
    value,
)
from table_controller.engine.messages import AgainstRules, Event, phrase
from table_controller.engine.shoe import Dealt
from table_controller.engine.table import events as te
from table_controller.engine.table import paying
from table_controller.engine.table.events import CoupAnnulled, SchlittenOver
from table_controller.engine.table.felt import (
    Felt,
    aside,
    balance,
    next_seat,
    occupied_from,
)
from table_controller.engine.table.inputs import Annulled, Paid, Ticked
from table_controller.engine.table.schlitten import NoSchlitten, ended, gathered, short
from table_controller.engine.table.stops import Stray
from table_controller.engine.table.white import white_first
from table_controller.engine.views import STANDING
from table_controller.rules.money import NONE, Chips, cagnotte


def settle(table: Table, deal: f.Deal, *, forfeit: str = "") -> Step:
    """Decide the coup and book the money. Source: ZP-9, R-3, R-4.

    `forfeit` is the rule by which the bank lost; the cards do not matter then. It is "" if the
    points decide.
    """
    bank, coup = table.bank, table.coup
    if bank is None or coup is None:
        raise ValueError("a coup without a bank or a pointeur cannot be settled")
    banker = None if forfeit else value(deal.banker)
    pointeur = None if forfeit else 0 if deal.thrown else value(deal.pointeur)
    winner = _winner(banker, pointeur)
    at_risk = ledger.paying(table, ledger.cover(table))
    staked = Chips(sum(stake.chips for stake in at_risk))
    house = cagnotte(staked, rate_bp=table.house.cagnotte_bp) if winner is ev.Side.BANK else NONE
    change = {ev.Side.BANK: staked - house, ev.Side.POINTEUR: -staked, None: 0}[winner]
    record = f.CoupRecord(
        number=deal.number,
        winner=winner,
        banker_seat=bank.seat,
        pointeur_seat=coup.pointeur,
        banker=banker,
        pointeur=pointeur,
        pot=bank.pot,
        staked=staked,
        cagnotte=house,
        pot_after=Chips(bank.pot + change),
        forfeit=forfeit,
    )
    hidden, old = (*table.felt.hidden, *closed(deal)), table
    table, payments = _move(table, bank, coup, record, at_risk)
    before = f.Books(_moved(old, table), bank, coup, old.suivi, old.totals)
    table = replace(
        table,
        totals=(counted(table.totals[0], record), counted(table.totals[1], record)),
        last=(*table.last[-REMEMBERED + 1 :], record),
        previous=coup.stakes,
        felt=replace(table.felt, hidden=hidden),
    )
    return at(table, p.Settled(deal, record, payments, before)), (_announced(record),)


def _announced(record: f.CoupRecord) -> ev.CoupSettled:
    known = asdict(record)
    return ev.CoupSettled(coup=known.pop("number"), **known)


def _moved(old: Table, now: Table) -> tuple[f.Payment, ...]:
    """By how much each player's chips changed from `old` to `now`, if they changed."""
    places = (
        *range(1, len(old.felt.seats) + 1),
        *range(STANDING + 1, STANDING + 1 + len(old.felt.standing)),
    )
    were, are = (*old.felt.seats, *old.felt.standing), (*now.felt.seats, *now.felt.standing)
    moved = [
        f.Payment(seat, after.balance - before.balance)
        for seat, before, after in zip(places, were, are, strict=True)
        if before is not after and before and after and before.balance != after.balance
    ]
    return tuple(moved)


def _winner(banker: int | None, pointeur: int | None) -> ev.Side | None:
    """The side with more points, or None for a tie, which is replayed.

    A Schlag needs no rule of its own: ZP-7, R-3, R-26. If both points are None, the bank lost by a
    rule.
    """
    if banker is None or pointeur is None:
        return ev.Side.POINTEUR
    if banker == pointeur:
        return None
    return ev.Side.BANK if banker > pointeur else ev.Side.POINTEUR


def _move(
    table: Table, bank: f.Bank, coup: f.Coup, record: f.CoupRecord, at_risk: tuple[f.Stake, ...]
) -> tuple[Table, tuple[f.Payment, ...]]:
    """The table after the coup's money moved, and the payments in order (R-7, R-8, R-23, Z-26)."""
    risks = {stake.seat: stake.chips for stake in at_risk}
    match record.winner:
        case None:
            return replace(table, bank=replace(bank, won=NONE)), ()
        case ev.Side.BANK:
            for stake in coup.stakes:
                uncovered = stake.chips - risks.get(stake.seat, 0)
                table = pay(table, stake.seat, uncovered) if uncovered else table
            won = Chips(record.staked - record.cagnotte)
            table = replace(
                table,
                bank=replace(bank, pot=record.pot_after, won=won, whole=False),
                coup=None,
                suivi=coup.pointeur,
                felt=replace(table.felt, cagnotte=Chips(table.felt.cagnotte + record.cagnotte)),
            )
            lost = tuple(f.Payment(stake.seat, -stake.chips) for stake in at_risk)
            house = (f.Payment(0, record.cagnotte),) if record.cagnotte else ()
            return table, (*lost, *house)
        case ev.Side.POINTEUR:
            # Every stake goes back, and the part at risk wins the same sum again. The rest is the
            # bank's.
            for stake in coup.stakes:
                table = pay(table, stake.seat, stake.chips + risks.get(stake.seat, 0))
            table = replace(table, coup=None, bank=replace(bank, pot=record.pot_after))
            table = replace(ledger.end_bank(table), suivi=0)
            return table, tuple(f.Payment(stake.seat, stake.chips) for stake in at_risk)


def counted(totals: f.Totals, record: f.CoupRecord) -> f.Totals:
    """These totals with one more coup."""
    return f.Totals(
        coups=totals.coups + 1,
        bank=totals.bank + (record.winner is ev.Side.BANK),
        pointeur=totals.pointeur + (record.winner is ev.Side.POINTEUR),
        ties=totals.ties + (record.winner is None),
        staked=Chips(totals.staked + record.staked),
        cagnotte=Chips(totals.cagnotte + record.cagnotte),
    )


def closed(deal: f.Deal) -> tuple[Dealt, ...]:
    """The cards of a coup that nobody opened."""
    cards = (*deal.pointeur[:2], *deal.banker[:2])
    return tuple(dealt for dealt in cards if dealt.ordinal not in deal.shown)


# Paying, and going on


def ticked(table: Table, phase: p.Settled, said: Ticked) -> Step:
    """One line of the settlement is done. After the last line, the table goes on (Z-26, ZP-14)."""
    lines, told = paying.ticked(phase.payments, said, "Z-26")
    if not all(line.done for line in lines):
        return replace(table, phase=replace(phase, payments=lines)), told
    table, more = paid(table, phase, Paid())
    return table, (*told, *more)


def paid(table: Table, phase: p.Settled, _said: Paid) -> Step:
    """All lines of the settlement are done.

    The next coup, seat or Schlitten follows (ZP-19, R-6).
    """
    told: tuple[Event, ...] = ()
    if phase.record.winner is None:
        table, told = stand(table)
    table, more = go_on(table, lost=phase.record.winner is ev.Side.POINTEUR)
    return table, (te.CoupPaid(coup=phase.record.number), *told, *more)


def stand(table: Table) -> Step:
    """After equal points all stakes stay, or only their covered parts (R-4, N-5, R-33)."""
    bank, coup = table.bank, table.coup
    if bank is None or coup is None:
        return table, ()
    table = replace(table, coup=replace(coup, tie=True))
    if table.house.tie != "staked":
        return table, ()
    staked = ledger.covered(table)
    aside = Chips(bank.aside + bank.pot - staked)
    table = replace(
        table,
        bank=replace(bank, pot=staked, aside=aside),
        coup=replace(
            coup,
            tie=True,
            closed=table.house.stakes == "games",
            taken_up=False,
            held=coup.stake_of(coup.pointeur),
            tied=coup.stakes,
            tie_pot=staked,
        ),
    )
    if not aside or staked == bank.pot:
        return table, ()
    return table, (ev.PotChanged(seat=bank.seat, pot=staked, aside=aside),)


def go_on(table: Table, *, lost: bool) -> Step:
    """The table after the end of a coup.

    `lost` says whether the bank lost it (ZP-19, R-11, R-30).
    """
    told: tuple[Event, ...] = ()
    if lost:
        to = next_seat(table.felt, table.place)
        told = (ev.SchlittenPassed(seat=table.place, to=to),)
        table = replace(table, place=to)
    if table.felt.shoe and ended(table.felt):
        over = SchlittenOver(shoe=table.felt.shoe.id, left=table.felt.shoe.left)
        return at(table, p.Over()), (*told, over)
    return at(table, onward(table)), told


def lacking(table: Table) -> bool:
    """Whether stakes are laid although too few cards are left to begin the coup (Z-24, R-37)."""
    phase = table.phase
    if not isinstance(phase, p.Staking | p.Sharing | p.BankStakeDue | p.Dealing) or deal_of(phase):
        return False
    return short(table.felt, drawn=len(aside(table.felt)))


def onward(table: Table) -> p.Phase:
    """The phase between two coups that fits the bank, the stakes and the players of this table."""
    if table.felt.shoe is None:
        return NoSchlitten()
    if table.coup:
        # A tie is replayed with the same stakes. At N they may still change (N-5).
        return p.Dealing() if table.coup.closed else p.Staking()
    if table.bank:
        return p.StakesDue()
    if len(occupied_from(table.felt, 1)) < 2:
        return p.PlayersDue()
    return p.BankDue()


def resumed(table: Table, felt: Felt) -> Table:
    """The table with this felt after an interruption. Players may have come and gone (R-10)."""
    if felt.stops or not isinstance(table.phase, p.PlayersDue | p.BankDue):
        return at(table, table.phase, felt=felt)
    place = next(iter(occupied_from(felt, table.place)), table.place)
    table = replace(table, felt=felt, place=place)
    return at(table, onward(table))


def annul(table: Table, reason: str) -> Step:
    """Annul the coup: the stakes are given back, and the pot is as before. Source: Z-24, R-30."""
    deal = deal_of(table.phase)
    number = deal.number if deal else table.felt.coups + 1
    hidden = (*table.felt.hidden, *(closed(deal) if deal else ()))
    felt, told = gathered(replace(table.felt, hidden=hidden))
    # the pot stays as it was, even in a new Schlitten. R-39: so does the right to sell the
    # bank.
    bank = replace(table.bank, whole=True) if table.bank and deal else table.bank
    table = ledger.give_back(replace(table, felt=felt, bank=bank))
    table, more = go_on(table, lost=False)
    return table, (*told, CoupAnnulled(coup=number, reason=reason), *more)


def annulled(table: Table, _phase: p.Phase, said: Annulled) -> Step:
    """A person annuls the coup, with a reason, even if it is settled but not yet paid (R-20)."""
    white_first(table.felt)
    if isinstance(table.phase, p.Settled):
        table = _unsettled(table, table.phase)
    return annul(table, said.reason)


def annulled_for_want(table: Table, _phase: Stray, said: Annulled) -> Step:
    """A person annuls a coup because its first card left when too few remained (Z-24, R-37)."""
    white_first(table.felt)
    if not lacking(table):
        raise AgainstRules(
            phrase("No coup is under way that could be annulled."),
            phrase("Say whether it is closed or uncovered."),
            "R-19",
        )
    return annul(table, said.reason)


def undoable(table: Table, phase: p.Settled) -> bool:
    """Whether the settlement can be undone, because none of the coup's money has moved (R-20)."""
    if any(line.done for line in phase.payments) or table.felt.cagnotte < phase.record.cagnotte:
        return False
    return all(balance(table.felt, one.seat) >= one.chips for one in phase.before.moved)


def _unsettled(table: Table, phase: p.Settled) -> Table:
    """The table as it was before the settlement.

    Raises AgainstRules if some winnings have already left the table.
    """
    old, house = phase.before, Chips(table.felt.cagnotte - phase.record.cagnotte)
    if not undoable(table, phase):
        raise AgainstRules(
            phrase("Money of this coup has moved already, or has left the table."),
            phrase("A supervisor moves it back, with a reason."),
            "R-20",
        )
    for one in old.moved:
        table = pay(table, one.seat, -one.chips)
    return replace(
        table,
        phase=p.Dealing(phase.deal),
        bank=old.bank,
        coup=old.coup,
        suivi=old.suivi,
        totals=old.totals,
        last=table.last[:-1],
        felt=replace(
            table.felt,
            hidden=tuple(card for card in table.felt.hidden if card not in closed(phase.deal)),
            cagnotte=house,
        ),
    )


def resettled(table: Table, phase: p.Settled, deal: f.Deal) -> Step:
    """Settle the coup again, with corrected cards.

    A coup that was lost by a rule stays lost (R-20).
    """
    return settle(_unsettled(table, phase), deal, forfeit=phase.record.forfeit)
