"""The settlement: each stake's win or loss in the order of payment, and how to undo it.

Rulings on the winner of a past coup move its money again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from table_controller.engine.messages import AgainstRules, Event, OutOfTurn, Told, phrase
from table_controller.engine.punto_banco.bets import at_risk, given_back, owed
from table_controller.engine.punto_banco.events import (
    CommissionCollected,
    CoupSettled,
    MishapRuled,
    NotMoved,
    ReadingDiffers,
    ResultChanged,
    ResultReopened,
    Won,
)
from table_controller.engine.punto_banco.inputs import (
    Agrees,
    Collects,
    PastRuled,
    Reopens,
    ResultRuled,
)
from table_controller.engine.punto_banco.play import onward
from table_controller.engine.punto_banco.state import (
    Announced,
    Awaited,
    Bet,
    Betting,
    Dealing,
    Done,
    Over,
    Paying,
    Payment,
    Record,
    Step,
    Table,
    at,
    finished,
    pay,
    staked,
)
from table_controller.engine.table import felt, paying
from table_controller.engine.table.events import CoupPaid, Moved
from table_controller.engine.table.felt import balance, player
from table_controller.engine.table.inputs import Paid, Ticked
from table_controller.engine.table.persons import ruler
from table_controller.engine.table.repairs import with_reason
from table_controller.rules.money import NONE, Chips
from table_controller.rules.punto_banco.coup import Coup, Winner
from table_controller.rules.punto_banco.house import House
from table_controller.rules.punto_banco.money import (
    BANKER,
    EVEN,
    HALF,
    MAIN,
    PLAYER,
    TIE,
    backed,
    commission,
    odds,
    payout,
    pays_half,
    stands,
)
from table_controller.rules.punto_banco.results import result
from table_controller.rules.punto_banco.side_bets import SIDE_BETS

# ---- The settlement: each stake's win or loss in the order of payment, and how to undo it

#: A stake that neither won nor lost has no line.
Lines = tuple[Payment, ...]


def paid(house: House, coup: Coup, bet: Bet) -> Payment | None:
    """The line of the settlement for one stake; None if the stake stays. Source: PB-9 to PB-12."""
    spot, stake = bet.spot, bet.chips
    if spot in MAIN:
        if stands(spot, coup, pushes_on_seven=house.banker_pays == "push_on_seven"):
            return None
        won = backed(coup) == spot
        to_one = odds(house.tie_pays)[0] if spot == TIE else EVEN
    else:
        step = SIDE_BETS[spot].won(coup)
        won, to_one = step > 0, odds(house.side_bets[spot])[max(0, step - 1)]
    if not won:
        return Payment(bet.seat, spot, Chips(-stake), stake)
    if spot != BANKER:
        return Payment(bet.seat, spot, payout(stake, to_one, chip=house.round_to), stake)
    return _banker(house, coup, bet)


def _banker(house: House, coup: Coup, bet: Bet) -> Payment:
    """The line for a stake on Banker that won, paid by the house's rule (PB-9 to PB-11).

    Some houses take a commission; others pay half on certain results.
    """
    halved = house.banker_pays == "half_on_six" and pays_half(coup)
    won = payout(bet.chips, HALF if halved else EVEN, chip=house.round_to)
    if house.banker_pays != "commission":
        return Payment(bet.seat, bet.spot, won, bet.chips)
    due = commission(won, rate_bp=house.commission_bp, chip=house.round_to)
    if house.commission == "boxes":
        return Payment(bet.seat, bet.spot, won, bet.chips, due)
    return Payment(bet.seat, bet.spot, Chips(won - due), bet.chips)


def lines(house: House, coup: Coup, bets: Iterable[Bet]) -> Lines:
    """All lines of the settlement, in the order in which a dealer works (PB-14)."""
    found = [line for bet in bets if (line := paid(house, coup, bet))]
    lost = sorted((line for line in found if line.chips < 0), key=_place, reverse=True)
    main = [line for line in found if line.chips >= 0 and line.spot in (PLAYER, BANKER)]
    side = [line for line in found if line.chips >= 0 and line.spot not in (PLAYER, BANKER)]
    first, then = (side, main) if house.paid_first == "side" else (main, side)
    return (*lost, *sorted(first, key=_place), *sorted(then, key=_place))


def _place(line: Payment) -> int:
    return line.seat


def agrees(table: Table, phase: Announced, said: Agrees) -> Step:
    """The table agrees. The result is final, and the croupier collects and pays (PB-8, PB-14).

    If a second reading disagrees, the result is locked until a supervisor unlocks it (PB-37).
    """
    if phase.contradicted:
        raise AgainstRules(
            phrase("The second reading says otherwise."),
            phrase("A supervisor looks at the cards, and decides."),
            "PB-37",
        )
    if said.winner is not None and said.winner is not phase.winner:
        told = (ReadingDiffers(coup=phase.number, winner=said.winner),)
        return at(table, replace(phase, contradicted=True)), told
    house, coup = table.house, finished(phase)
    due = lines(house, coup, table.bets) if table.bets else ()
    table = replace(
        table,
        past=(*table.past, _record(phase.number, coup)),
        done=Done(phase, table.bets, due, table.free),
        previous=table.bets or table.previous,
        free=0 if table.bets or not house.bets else table.free + 1,
    )
    settled = (_settled(house, phase, table.bets, due),)
    if not due:
        return _onward(table, settled)
    return at(_moved(table, due), Paying(phase, due)), settled


def _moved(table: Table, due: Lines) -> Table:
    """The table after all money of the settlement was moved."""
    settled = {(line.seat, line.spot) for line in due}
    boxes = dict(table.owed)
    for line in due:
        if line.chips < 0:
            now = replace(table.felt, cagnotte=Chips(table.felt.cagnotte + line.stake))
            table = replace(table, felt=now)
        else:
            table = pay(table, line.seat, line.chips)
            table = replace(table, felt=felt.pay(table.felt, line.seat, line.stake))
        if line.owed:
            boxes[line.seat] = Chips(boxes.get(line.seat, NONE) + line.owed)
    left = tuple(bet for bet in table.bets if (bet.seat, bet.spot) not in settled)
    return replace(table, bets=left, owed=boxes_of(boxes))


def boxes_of(boxes: dict[int, Chips]) -> tuple[tuple[int, Chips], ...]:
    """The boxes that contain commission, sorted by place (PB-10)."""
    return tuple(sorted((seat, chips) for seat, chips in boxes.items() if chips))


def _settled(house: House, phase: Announced, bets: tuple[Bet, ...], due: Lines) -> CoupSettled:
    if not bets:
        return CoupSettled(coup=phase.number, winner=phase.winner, player=phase.p, banker=phase.b)
    won = [line for line in due if line.chips >= 0]
    lost = sum(line.stake for line in due if line.chips < 0)
    back = sum(line.stake for line in won)
    return CoupSettled(
        coup=phase.number,
        winner=phase.winner,
        player=phase.p,
        banker=phase.b,
        staked=staked(bets),
        lost=Chips(lost),
        back=Chips(back),
        stays=Chips(staked(bets) - lost - back),
        paid=Chips(sum(line.chips for line in won)),
        commission=Chips(_commission(house, won)),
        won=tuple(_on_spot(house, spot, won) for spot in dict.fromkeys(one.spot for one in won)),
    )


def _on_spot(house: House, spot: str, won: list[Payment]) -> Won:
    lines = [line for line in won if line.spot == spot]
    return Won(
        spot=spot,
        stake=Chips(sum(line.stake for line in lines)),
        paid=Chips(sum(line.chips for line in lines)),
        commission=Chips(_commission(house, lines)),
    )


def _commission(house: House, won: list[Payment]) -> int:
    """The sum of the commission on these winning bets, however it is collected (PB-10)."""
    return sum(deducted(house, line) for line in won)


def deducted(house: House, line: Payment) -> Chips:
    """The commission on one bet: taken by the house, or put into the player's box (PB-10).

    0 if the bet pays no commission.
    """
    if house.banker_pays != "commission" or line.spot != BANKER or line.chips < 0:
        return NONE
    return line.owed or Chips(payout(line.stake, EVEN, chip=house.round_to) - line.chips)


def _record(number: int, coup: Coup) -> Record:
    player, banker, p, b, won = coup
    _, player_pair, banker_pair, natural = result(coup)
    cards = len(player) + len(banker)
    return Record(number, won, p, b, cards, player_pair, banker_pair, natural, player, banker)


def ticked(table: Table, phase: Paying, said: Ticked) -> Step:
    """One line is collected or paid. After the last line, the settlement is over (PB-14)."""
    lines, told = paying.ticked(phase.payments, said, "PB-14")
    if not all(line.done for line in lines):
        return replace(table, phase=replace(phase, payments=lines)), told
    return _onward(table, (*told, CoupPaid(coup=phase.deal.number)))


def all_paid(table: Table, phase: Paying, _said: Paid) -> Step:
    """All lines are collected and paid (PB-14)."""
    return _onward(table, (CoupPaid(coup=phase.deal.number),))


def _onward(table: Table, told: tuple[Event, ...]) -> Step:
    table, more = onward(table)
    return table, told + more


# Commission in boxes


def collects(table: Table, _phase: Awaited, said: Collects) -> Step:
    """The croupier collects the commission in a box, as far as the player has the chips (PB-10)."""
    if not owed(table, said.seat):
        raise OutOfTurn(
            phrase("There is no commission in the box of seat {seat}.", seat=said.seat),
            phrase("Look at the boxes."),
            "PB-10",
        )
    return collected(table, said.seat)


def collected(table: Table, seat: int) -> Step:
    """The table after the commission in the box of `seat` was collected."""
    due = owed(table, seat)
    if not due:
        return table, ()
    chips = Chips(min(due, balance(table.felt, seat)))
    boxes = tuple((place, sum_) for place, sum_ in table.owed if place != seat)
    table = replace(pay(table, seat, -chips), owed=boxes)
    return table, (CommissionCollected(seat=seat, chips=chips),)


# Results that a supervisor puts right (PB-26)


def may_reopen(table: Table) -> bool:
    """Whether the last result can be taken back.

    It can if no coup has begun since then, and if the money that was paid is still there.
    """
    done = table.done
    return done is not None and _unpaid(table, done) is not None


#: Until the next coup's first card, and in the same Schlitten (PB-26, PB-35).
REOPENABLE: Final = (Betting, Dealing, Paying, Over)


def _unpaid(table: Table, done: Done) -> Table | None:
    """The table as it was before it agreed on the last result, with all payments undone.

    None if the Schlitten of that coup is closed, or if some of the money is gone.
    """
    if not isinstance(table.phase, REOPENABLE) or done.deal.number < table.felt.first_coup:
        return None
    table = given_back(table)
    now, boxes = table.felt, dict(table.owed)
    change: dict[int, int] = {}
    for bet in done.bets:
        change[bet.seat] = change.get(bet.seat, 0) - bet.chips
    tray = 0
    for line in done.payments:
        if line.chips < 0:
            # The collected stake goes back from the tray onto its spot.
            change[line.seat] = change.get(line.seat, 0) + line.stake
            tray -= line.stake
        else:
            change[line.seat] = change.get(line.seat, 0) - line.chips
            tray += line.chips
        boxes[line.seat] = Chips(boxes.get(line.seat, NONE) - line.owed)
    for seat, chips in change.items():
        if felt.player(now, seat) is None or balance(now, seat) + chips < 0:
            return None
        now = felt.pay(now, seat, chips)
    tray += now.cagnotte
    if tray < 0 or min(boxes.values(), default=NONE) < 0:
        return None
    now = replace(now, cagnotte=Chips(tray))
    back = replace(table, felt=now, bets=done.bets, owed=boxes_of(boxes), free=done.free)
    return back if at_risk(back) <= now.cagnotte else None  # else ruled otherwise (PB-13)


def reopens(table: Table, _phase: Awaited, said: Reopens) -> Step:
    """A supervisor takes back the last result, before the next coup's first card (PB-26, PR-2).

    Raises OutOfTurn if that is not possible any more.
    """
    with_reason(said.reason)
    done = table.done
    unpaid = _unpaid(table, done) if done else None
    if done is None or unpaid is None:
        raise OutOfTurn(
            phrase("No result can be taken back now."),
            phrase("Rule on the coup by its number."),
            "PB-26",
        )
    back = at(unpaid, done.deal, past=table.past[:-1], done=None)
    return back, (
        ResultReopened(coup=done.deal.number),
        ruling(table, "PB-26", said.actor, said.reason),
    )


def result_ruled(table: Table, phase: Announced, said: ResultRuled) -> Step:
    """A supervisor decides who won. After that, the table must agree to this result (PB-26)."""
    with_reason(said.reason)
    told = (
        ResultChanged(coup=phase.number, winner=said.winner),
        ruling(table, "PB-26", said.actor, said.reason),
    )
    return at(table, replace(phase, winner=said.winner, contradicted=False)), told


def ruling(table: Table, rule: str, actor: str, reason: str) -> MishapRuled:
    """The event of a ruling, with the rule, the person who ruled, and the reason."""
    return MishapRuled(rule=rule, by=ruler(table.felt, actor), reason=reason)


# ---- Rulings on the winner of a past coup: its record and every road change
#      Source: PB-26, PB-35, PR-2.


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
    table, moved = _money_moved(table, done, said)
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


def _money_moved(table: Table, done: Done, said: PastRuled) -> Step:
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
