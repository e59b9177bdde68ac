"""Where the money goes: the order of players, a coup's result, the payments, and what follows."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import asdict, replace

from table_controller.engine.chemin_de_fer import events as e
from table_controller.engine.chemin_de_fer import state as s
from table_controller.engine.chemin_de_fer.inputs import Play
from table_controller.engine.messages import AgainstRules, Event, phrase
from table_controller.engine.shoe import Dealt
from table_controller.engine.table import events as te
from table_controller.engine.table import paying
from table_controller.engine.table.events import CoupAnnulled, SchlittenOver
from table_controller.engine.table.felt import (
    Felt,
    Stray,
    aside,
    balance,
    next_seat,
    occupied_from,
    player,
)
from table_controller.engine.table.inputs import Annulled, Paid, Ticked
from table_controller.engine.table.schlitten import NoSchlitten, ended, gathered, short, white_first
from table_controller.engine.views import STANDING
from table_controller.rules.money import NONE, Chips, cagnotte

# ---- The order of players, and where their money goes

_PLAYS = list(Play)


def round_table(table: s.Table) -> tuple[int, ...]:
    """The occupied seats in order, beginning with the prime, without the banker's (Z-26, R-10).

    The prime is the first occupied seat after the Schlitten's seat, even if the bank was sold
    (Z-14). If the bank was taken over, it is the first one after the giver's seat (N-7).
    """
    bank = table.bank
    banker = bank.seat if bank else table.place
    first = bank.giver if bank and bank.giver else table.place
    around = occupied_from(table.felt, first % len(table.felt.seats) + 1)
    if banker in around:
        around.remove(banker)
    return tuple(around)


def prime(table: s.Table) -> int:
    """The player on the banker's right, 0 if there is none. Source: ZP-13, R-10, R-28."""
    return next(iter(round_table(table)), 0)


def order(table: s.Table, coup: s.Coup) -> tuple[int, ...]:
    """The places in the order in which the pot covers their stakes.

    The pointeur comes first. Then come the others, from the prime round the table, with the latest
    seller at the end. The standing players follow, the smallest stake first. Source: R-22, Z-26,
    N-7, ZP-17, R-47.
    """
    latest = _latest_banker(table)
    behind = list(round_table(table))
    if latest in behind:
        behind.remove(latest)
        behind.append(latest)
    standing = [(stake.chips, stake.seat) for stake in coup.stakes if stake.seat > STANDING]
    behind += [seat for _, seat in sorted(standing)]
    if coup.pointeur in behind:
        behind.remove(coup.pointeur)
    return coup.pointeur, *behind


def _latest_banker(table: s.Table) -> int:
    """The player who sold the bank last, 0 if nobody did (Z-26, R-29)."""
    return table.bank.sellers[-1].seat if table.bank and table.bank.sellers else 0


def cover(table: s.Table) -> tuple[s.Stake, ...]:
    """The stakes at risk: the pot covers the stakes in their order until it is used up (R-23).

    Stakes kept from a tie come before all stakes laid or added after it (N-5, R-36).
    """
    bank, coup = table.bank, table.coup
    if bank is None or coup is None:
        return ()
    if len(coup.stakes) == 1 and coup.stakes[0].chips <= bank.pot:
        return coup.stakes
    lies, tied = _by_seat(coup.stakes), _by_seat(coup.tied)
    seats = [seat for seat in order(table, coup) if seat in lies]
    turns = [(seat, tied.get(seat, 0)) for seat in seats]
    turns += [(seat, lies[seat] - tied.get(seat, 0)) for seat in seats]
    left, parts = int(bank.pot), dict.fromkeys(seats, 0)
    for seat, chips in turns:
        part = min(chips, left)
        parts[seat] += part
        left -= part
    return tuple(s.Stake(seat, Chips(chips)) for seat, chips in parts.items() if chips)


def _by_seat(stakes: Sequence[s.Stake]) -> dict[int, int]:
    return {stake.seat: stake.chips for stake in stakes}


def at_risk_of(table: s.Table, stakes: tuple[s.Stake, ...]) -> tuple[s.Stake, ...]:
    """These stakes of the coup in the order in which they are collected and paid.

    The highest stake at the table is first. The other seated players follow, from the prime round
    the table. The standing players come next, the smallest stake first. The latest banker is last
    (Z-26, R-47). After a tie, the stakes kept from the tie come before all others (R-36).
    """
    coup = table.coup
    if coup is None or len(stakes) < 2:
        return stakes
    lies, tied = _by_seat(coup.stakes), _by_seat(coup.tied)
    first, latest, around = coup.pointeur, _latest_banker(table), round_table(table)
    if lies.get(first, 0) < max(lies.values()):
        first = highest(table, coup.stakes)

    def turn(stake: s.Stake) -> tuple[int, ...]:
        seat = stake.seat
        stands = seat > STANDING
        place = lies[seat] if stands else around.index(seat)
        return seat == latest, not tied.get(seat), seat != first, stands, place, seat

    return tuple(sorted(stakes, key=turn))


def covered(table: s.Table) -> Chips:
    """The sum of the stakes at risk, which the pot covers."""
    return Chips(sum(stake.chips for stake in cover(table)))


def rank(table: s.Table, seat: int, play: Play) -> tuple[int, int, int]:
    """The rank of a player who wants to be pointeur. The lower the number, the better his right.

    The player with the suivi is first, then the prime. All others follow by the number of their
    game (I to III), then from the prime on. A seated player comes before a standing player (R-22).
    Source: ZP-13, R-9, Z-14.
    """
    around = round_table(table)
    distance = around.index(seat) if seat in around else len(around) + seat
    if seat == table.suivi:
        return 0, 0, distance
    if seat == prime(table):
        return 1, 0, distance
    return 2, _PLAYS.index(play), distance


def highest(table: s.Table, stakes: Sequence[s.Stake]) -> int:
    """The place that plays the cards if all may stake: the place with the highest stake (ZP-16).

    If several stakes are the highest, R-22 decides.
    """
    most = max(stake.chips for stake in stakes)
    best = [stake.seat for stake in stakes if stake.chips == most]
    if len(best) == 1:
        return best[0]
    return min(best, key=lambda seat: (seat > STANDING, rank(table, seat, Play.OPEN)))


def lay(coup: s.Coup, seat: int, chips: Chips) -> s.Coup:
    """The coup with a stake of `chips` at `seat`; 0 removes the stake.

    If a player takes back a part of his stake from a tie, this part no longer counts as kept from
    the tie (R-36).
    """
    others = tuple(stake for stake in coup.stakes if stake.seat != seat)
    tied = tuple(
        replace(stake, chips=min(stake.chips, chips)) if stake.seat == seat else stake
        for stake in coup.tied
    )
    return replace(coup, stakes=(*others, s.Stake(seat, chips)) if chips else others, tied=tied)


def give_back(table: s.Table) -> s.Table:
    """The table after all stakes went back to their owners. Nobody is pointeur."""
    for stake in table.coup.stakes if table.coup else ():
        table = s.pay(table, stake.seat, stake.chips)
    return replace(table, coup=None)


def out_of_bank(table: s.Table, bank: s.Bank, chips: int) -> s.Table:
    """Pay `chips` out of the bank: to the partners by their parts, the rest to the banker (Z-4).

    The partners get whole chips. The banker gets the remainder, so that the sums add up (R-16).
    """
    parts = bank.own + sum(part for _, part in bank.partners)
    rest = chips
    for seat, part in bank.partners:
        share = chips * part // parts
        table, rest = s.pay(table, seat, share), rest - share
    return s.pay(table, bank.seat, rest)


def valued(bank: s.Bank) -> s.Bank:
    """The bank with each part at its present value, before somebody adds to the pot (Z-4)."""
    worth, parts = bank.pot + bank.aside, bank.own + sum(part for _, part in bank.partners)
    partners = tuple((seat, Chips(worth * part // parts)) for seat, part in bank.partners)
    own = Chips(worth - sum(part for _, part in partners))
    return replace(bank, own=own, partners=partners)


def end_bank(table: s.Table) -> s.Table:
    """The table after the end of the bank. Its chips go to the people who put it up."""
    bank = table.bank
    if bank is None:
        return table
    return replace(out_of_bank(table, bank, bank.pot + bank.aside), bank=None)


# The players who may play


def may_play(table: s.Table, seat: int) -> None:
    """Raise AgainstRules if the player at `seat` may not play against this bank.

    Source: ZP-6, Z-4, Z-22, R-29.
    """
    bank = table.bank
    if bank is None:
        return
    if seat == bank.seat or seat in dict(bank.partners):
        raise AgainstRules(
            phrase("Seat {seat} is in the bank.", seat=seat),
            phrase("Others play against it."),
            "ZP-6",
        )
    for seller in bank.sellers:
        if seat in (seller.seat, *seller.partners) and bank.pot < 2 * seller.bid:
            raise AgainstRules(
                phrase("Seat {seat} has sold this bank.", seat=seat),
                phrase(
                    "He may play again when the pot reaches {pot} {unit}.",
                    pot=2 * seller.bid,
                    unit=table.house.unit,
                ),
                "Z-22",
            )


def able(table: s.Table, seat: int, chips: int) -> bool:
    """Whether the player at `seat` may play against this bank, and has `chips` to stake."""
    who = player(table.felt, seat)
    if who is None or who.balance < chips:
        return False
    try:
        may_play(table, seat)
    except AgainstRules:
        return False
    return True


# ---- A coup's result, the payments, and the phase that follows


def settle(table: s.Table, deal: s.Deal, *, forfeit: str = "") -> s.Step:
    """Decide the coup and book the money. Source: ZP-9, R-3, R-4.

    `forfeit` is the rule by which the bank lost; the cards do not matter then. It is "" if the
    points decide.
    """
    bank, coup = table.bank, table.coup
    if bank is None or coup is None:
        raise ValueError("a coup without a bank or a pointeur cannot be settled")
    banker = None if forfeit else s.value(deal.banker)
    pointeur = None if forfeit else 0 if deal.thrown else s.value(deal.pointeur)
    winner = _winner(banker, pointeur)
    at_risk = at_risk_of(table, cover(table))
    staked = Chips(sum(stake.chips for stake in at_risk))
    house = cagnotte(staked, rate_bp=table.house.cagnotte_bp) if winner is e.Side.BANK else NONE
    change = {e.Side.BANK: staked - house, e.Side.POINTEUR: -staked, None: 0}[winner]
    record = s.CoupRecord(
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
    hidden, old = (*table.felt.hidden, *closed_cards(deal)), table
    table, payments = _move(table, bank, coup, record, at_risk)
    before = s.Books(_moved(old, table), bank, coup, old.suivi, old.totals)
    table = replace(
        table,
        totals=(counted(table.totals[0], record), counted(table.totals[1], record)),
        last=(*table.last[-s.REMEMBERED + 1 :], record),
        previous=coup.stakes,
        felt=replace(table.felt, hidden=hidden),
    )
    return s.at(table, s.Settled(deal, record, payments, before)), (_announced(record),)


def _announced(record: s.CoupRecord) -> e.CoupSettled:
    known = asdict(record)
    return e.CoupSettled(coup=known.pop("number"), **known)


def _moved(old: s.Table, now: s.Table) -> tuple[s.Payment, ...]:
    """By how much each player's chips changed from `old` to `now`, if they changed."""
    places = (
        *range(1, len(old.felt.seats) + 1),
        *range(STANDING + 1, STANDING + 1 + len(old.felt.standing)),
    )
    were, are = (*old.felt.seats, *old.felt.standing), (*now.felt.seats, *now.felt.standing)
    moved = [
        s.Payment(seat, after.balance - before.balance)
        for seat, before, after in zip(places, were, are, strict=True)
        if before is not after and before and after and before.balance != after.balance
    ]
    return tuple(moved)


def _winner(banker: int | None, pointeur: int | None) -> e.Side | None:
    """The side with more points, or None for a tie, which is replayed.

    A Schlag needs no rule of its own: ZP-7, R-3, R-26. If both points are None, the bank lost by a
    rule.
    """
    if banker is None or pointeur is None:
        return e.Side.POINTEUR
    if banker == pointeur:
        return None
    return e.Side.BANK if banker > pointeur else e.Side.POINTEUR


def _move(
    table: s.Table, bank: s.Bank, coup: s.Coup, record: s.CoupRecord, at_risk: tuple[s.Stake, ...]
) -> tuple[s.Table, tuple[s.Payment, ...]]:
    """The table after the coup's money moved, and the payments in order (R-7, R-8, R-23, Z-26)."""
    risks = {stake.seat: stake.chips for stake in at_risk}
    match record.winner:
        case None:
            return replace(table, bank=replace(bank, won=NONE)), ()
        case e.Side.BANK:
            for stake in coup.stakes:
                uncovered = stake.chips - risks.get(stake.seat, 0)
                table = s.pay(table, stake.seat, uncovered) if uncovered else table
            won = Chips(record.staked - record.cagnotte)
            table = replace(
                table,
                bank=replace(bank, pot=record.pot_after, won=won, whole=False),
                coup=None,
                suivi=coup.pointeur,
                felt=replace(table.felt, cagnotte=Chips(table.felt.cagnotte + record.cagnotte)),
            )
            lost = tuple(s.Payment(stake.seat, -stake.chips) for stake in at_risk)
            house = (s.Payment(0, record.cagnotte),) if record.cagnotte else ()
            return table, (*lost, *house)
        case e.Side.POINTEUR:
            # Every stake goes back, and the part at risk wins the same sum again. The rest is the
            # bank's.
            for stake in coup.stakes:
                table = s.pay(table, stake.seat, stake.chips + risks.get(stake.seat, 0))
            table = replace(table, coup=None, bank=replace(bank, pot=record.pot_after))
            table = replace(end_bank(table), suivi=0)
            return table, tuple(s.Payment(stake.seat, stake.chips) for stake in at_risk)


def counted(totals: s.Totals, record: s.CoupRecord) -> s.Totals:
    """These totals with one more coup."""
    return s.Totals(
        coups=totals.coups + 1,
        bank=totals.bank + (record.winner is e.Side.BANK),
        pointeur=totals.pointeur + (record.winner is e.Side.POINTEUR),
        ties=totals.ties + (record.winner is None),
        staked=Chips(totals.staked + record.staked),
        cagnotte=Chips(totals.cagnotte + record.cagnotte),
    )


def closed_cards(deal: s.Deal) -> tuple[Dealt, ...]:
    """The cards of a coup that nobody opened."""
    cards = (*deal.pointeur[:2], *deal.banker[:2])
    return tuple(dealt for dealt in cards if dealt.ordinal not in deal.shown)


# Paying, and going on


def ticked(table: s.Table, phase: s.Settled, said: Ticked) -> s.Step:
    """One line of the settlement is done. After the last line, the table goes on (Z-26, ZP-14)."""
    lines, told = paying.ticked(phase.payments, said, "Z-26")
    if not all(line.done for line in lines):
        return replace(table, phase=replace(phase, payments=lines)), told
    table, more = paid(table, phase, Paid())
    return table, (*told, *more)


def paid(table: s.Table, phase: s.Settled, _said: Paid) -> s.Step:
    """All lines of the settlement are done.

    The next coup, seat or Schlitten follows (ZP-19, R-6).
    """
    told: tuple[Event, ...] = ()
    if phase.record.winner is None:
        table, told = stand(table)
    table, more = go_on(table, lost=phase.record.winner is e.Side.POINTEUR)
    return table, (te.CoupPaid(coup=phase.record.number), *told, *more)


def stand(table: s.Table) -> s.Step:
    """After equal points all stakes stay, or only their covered parts (R-4, N-5, R-33)."""
    bank, coup = table.bank, table.coup
    if bank is None or coup is None:
        return table, ()
    table = replace(table, coup=replace(coup, tie=True))
    if table.house.tie != "staked":
        return table, ()
    staked = covered(table)
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
    return table, (e.PotChanged(seat=bank.seat, pot=staked, aside=aside),)


def go_on(table: s.Table, *, lost: bool) -> s.Step:
    """The table after the end of a coup.

    `lost` says whether the bank lost it (ZP-19, R-11, R-30).
    """
    told: tuple[Event, ...] = ()
    if lost:
        to = next_seat(table.felt, table.place)
        told = (e.SchlittenPassed(seat=table.place, to=to),)
        table = replace(table, place=to)
    if table.felt.shoe and ended(table.felt):
        over = SchlittenOver(shoe=table.felt.shoe.id, left=table.felt.shoe.left)
        return s.at(table, s.Over()), (*told, over)
    return s.at(table, onward(table)), told


def lacking(table: s.Table) -> bool:
    """Whether stakes are laid although too few cards are left to begin the coup (Z-24, R-37)."""
    phase = table.phase
    unbegun = isinstance(phase, s.Staking | s.Sharing | s.BankStakeDue | s.Dealing)
    if not unbegun or s.deal_of(phase):
        return False
    return short(table.felt, drawn=len(aside(table.felt)))


def onward(table: s.Table) -> s.Phase:
    """The phase between two coups that fits the bank, the stakes and the players of this table."""
    if table.felt.shoe is None:
        return NoSchlitten()
    if table.coup:
        # A tie is replayed with the same stakes. At N they may still change (N-5).
        return s.Dealing() if table.coup.closed else s.Staking()
    if table.bank:
        return s.StakesDue()
    if len(occupied_from(table.felt, 1)) < 2:
        return s.PlayersDue()
    return s.BankDue()


def resumed(table: s.Table, felt: Felt) -> s.Table:
    """The table with this felt after an interruption. Players may have come and gone (R-10)."""
    if felt.stops or not isinstance(table.phase, s.PlayersDue | s.BankDue):
        return s.at(table, table.phase, felt=felt)
    place = next(iter(occupied_from(felt, table.place)), table.place)
    table = replace(table, felt=felt, place=place)
    return s.at(table, onward(table))


def annul(table: s.Table, reason: str) -> s.Step:
    """Annul the coup: the stakes are given back, and the pot is as before. Source: Z-24, R-30."""
    deal = s.deal_of(table.phase)
    number = deal.number if deal else table.felt.coups + 1
    hidden = (*table.felt.hidden, *(closed_cards(deal) if deal else ()))
    felt, told = gathered(replace(table.felt, hidden=hidden))
    # the pot stays as it was, even in a new Schlitten. R-39: so does the right to sell the
    # bank.
    bank = replace(table.bank, whole=True) if table.bank and deal else table.bank
    table = give_back(replace(table, felt=felt, bank=bank))
    table, more = go_on(table, lost=False)
    return table, (*told, CoupAnnulled(coup=number, reason=reason), *more)


def annulled(table: s.Table, _phase: s.Phase, said: Annulled) -> s.Step:
    """A person annuls the coup, with a reason, even if it is settled but not yet paid (R-20)."""
    white_first(table.felt)
    if isinstance(table.phase, s.Settled):
        table = _unsettled(table, table.phase)
    return annul(table, said.reason)


def annulled_for_want(table: s.Table, _phase: Stray, said: Annulled) -> s.Step:
    """A person annuls a coup because its first card left when too few remained (Z-24, R-37)."""
    white_first(table.felt)
    if not lacking(table):
        raise AgainstRules(
            phrase("No coup is under way that could be annulled."),
            phrase("Say whether it is closed or uncovered."),
            "R-19",
        )
    return annul(table, said.reason)


def undoable(table: s.Table, phase: s.Settled) -> bool:
    """Whether the settlement can be undone, because none of the coup's money has moved (R-20)."""
    if any(line.done for line in phase.payments) or table.felt.cagnotte < phase.record.cagnotte:
        return False
    return all(balance(table.felt, one.seat) >= one.chips for one in phase.before.moved)


def _unsettled(table: s.Table, phase: s.Settled) -> s.Table:
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
        table = s.pay(table, one.seat, -one.chips)
    lying = closed_cards(phase.deal)
    return replace(
        table,
        phase=s.Dealing(phase.deal),
        bank=old.bank,
        coup=old.coup,
        suivi=old.suivi,
        totals=old.totals,
        last=table.last[:-1],
        felt=replace(
            table.felt,
            hidden=tuple(card for card in table.felt.hidden if card not in lying),
            cagnotte=house,
        ),
    )


def resettled(table: s.Table, phase: s.Settled, deal: s.Deal) -> s.Step:
    """Settle the coup again, with corrected cards.

    A coup that was lost by a rule stays lost (R-20).
    """
    return settle(_unsettled(table, phase), deal, forfeit=phase.record.forfeit)
