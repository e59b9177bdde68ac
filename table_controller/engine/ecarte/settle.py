"""After a partie: its stakes are paid one by one, and the turn to hold the cards passes on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec.structs import replace

from table_controller.engine.ecarte import purse, stakes
from table_controller.engine.ecarte.betting import Bets, Mode, Previous, on_side, players
from table_controller.engine.ecarte.betting_events import Surplus
from table_controller.engine.ecarte.betting_inputs import StakeFound
from table_controller.engine.ecarte.inputs import Onward
from table_controller.engine.ecarte.opening import onward
from table_controller.engine.ecarte.phases import PartieOver, StakesDue
from table_controller.engine.ecarte.state import Step, Table, at, the_partie
from table_controller.engine.messages import AgainstRules, Event, phrase
from table_controller.engine.table.felt import balance
from table_controller.rules.ecarte import bank as banks
from table_controller.rules.ecarte import order as orders
from table_controller.rules.ecarte import settle as rules
from table_controller.rules.ecarte import stakes as s
from table_controller.rules.ecarte.chouette import Chouette
from table_controller.rules.ecarte.order import Order
from table_controller.rules.ecarte.settle import Payment, TwoSidesShared
from table_controller.rules.ecarte.stakes import Stake
from table_controller.rules.money import Chips


def stake_found(table: Table, phase: PartieOver, said: StakeFound) -> Step:
    """A lost stake turned out to be another sum than was counted (E07-60, E00-58).

    The payer bears the difference.
    """
    bets = purse.the_bets(table)
    if bets.mode is not Mode.TWO_SIDES:
        raise purse.not_played()
    side = won_by(table, phase)
    if side < 0 or not s.laid(bets.stakes[1 - side], said.seat):
        raise AgainstRules(
            phrase("Seat {seat} has no stake.", seat=said.seat),
            phrase("Name who has."),
            stakes.sums(table),
        )
    least, most = may_be_found(table, bets, side, said.seat)
    if not least <= said.chips <= most:
        raise AgainstRules(
            phrase("Seat {seat} cannot have staked {chips}.", seat=said.seat, chips=said.chips),
            phrase("It may be from {least} to {most}.", least=least, most=most),
            stakes.sums(table),
        )
    before = two_sides(bets, side)
    after = replace(
        bets, found=(*s.draws_back(bets.found, said.seat), Stake(said.seat, said.chips))
    )
    now = two_sides(after, side)
    more = (now.keeps - now.adds) - (before.keeps - before.adds)
    told: tuple[Event, ...] = ()
    if more and said.seat != now.payer:
        payer, staker = (now.payer, said.seat) if more < 0 else (said.seat, now.payer)
        table, told = purse.settled(table, (Payment(payer, staker, Chips(abs(more))),))
    over = now.keeps - now.adds
    surplus = (Surplus(seat=now.payer, chips=over),) if over else ()
    return replace(table, bets=after), (*told, *surplus)


def may_be_found(table: Table, bets: Bets, side: int, place: int) -> tuple[int, int]:
    """The least and the most that a lost stake may turn out to be (Z-3).

    The chips of payer and staker limit the range. If the stake is the payer's own, it cannot exceed
    the sum that was counted, because he would pay the excess to himself.
    """
    noted = s.laid(bets.stakes[1 - side], place)
    payer = two_sides(bets, side).payer
    if place == payer:
        return 0, noted
    told = [stake.chips for stake in bets.found if stake.place == place]
    now = (told or [noted])[0]
    return max(0, now - balance(table.felt, payer)), now + balance(table.felt, place)


def settled(table: Table, phase: PartieOver, said: Onward) -> Step:
    """The stakes go back, losses are paid one by one, and the turn passes on (E07-3, E07-60)."""
    if table.bets is None:
        return onward(table, phase, said)
    side, bets = won_by(table, phase), table.bets
    played, laid = the_partie(table).seats, Previous(bets.stakes, bets.beside)
    table, back = purse.given_back(table)
    due = payments(bets, side)
    table, paid = purse.settled(table, due)
    done = replace(table.past[-1], paid=changed_hands(due))
    table = replace(table, past=(*table.past[:-1], done))
    table, over = onward(table, phase, said)
    after = purse.the_bets(table)
    if side >= 0:
        after = replace(_banked(after, due), giver_won=side == 0)
    after = _passed_on(table, _played_on(after, played, side), side)
    after = replace(after, previous=laid)
    table = at(replace(table, bets=after), StakesDue())
    told: tuple[Event, ...] = (*over, *back, *paid, *purse.bank_told(after))
    return table, (*told, *(purse.order_told(after, end) for end in _ends(after)))


def won_by(table: Table, phase: PartieOver) -> int:
    """The side that won the partie, or -1 if neither did."""
    seats = the_partie(table).seats
    return seats.index(phase.winner) if phase.winner in seats else -1


def payments(bets: Bets, side: int) -> tuple[Payment, ...]:
    """All payments of a partie that `side` won, in order (E07-60, E07-62, ER-26)."""
    if side < 0:
        return ()
    apart = rules.outside(bets.beside, giver_won=side == 0)
    if bets.chouette is None:
        told = two_sides(bets, side)
        handed = (Payment(x.place, told.payer, x.chips) for x in bets.stakes[1 - side])
        return (*handed, *told.payments)
    if bets.mode is Mode.OPEN:
        return (*rules.against(bets.chouette, bets.stakes[1], giver_won=side == 0), *apart)
    return (*rules.against_bank(bets.stakes[1], giver_won=side == 0), *apart)


def changed_hands(due: Iterable[Payment]) -> Chips:
    """The sum that passes from losers to winners by these payments.

    Chips that somebody only hands on count once.
    """
    sums: Counter[int] = Counter()
    for payment in due:
        sums[payment.payer] -= payment.chips
        sums[payment.to] += payment.chips
    return Chips(sum(chips for chips in sums.values() if chips > 0))


def two_sides(bets: Bets, side: int) -> TwoSidesShared:
    """The payments to the winners of a partie à deux côtés, and who pays them (E07-60)."""
    player = bets.orders[1 - side].hand or 0
    found = {stake.place: stake for stake in bets.found}
    lay = tuple(found.get(stake.place, stake) for stake in bets.stakes[1 - side])
    return rules.two_sides(bets.stakes[side], lay, player, bets.rest or None)


def _banked(bets: Bets, due: tuple[Payment, ...]) -> Bets:
    """The bets after the bank's win or loss (E07-8, EDE-0)."""
    if bets.bank is None:
        return bets
    change = rules.net(due).get(rules.BANK, 0)
    return replace(bets, bank=banks.played(bets.bank, change))


def _played_on(bets: Bets, played: tuple[int, int], side: int) -> Bets:
    """The bets after a partie that somebody played on in a leaver's place, and won (E00-53).

    He holds the cards on, and the leaver goes to the end of the list (E00-3, ER-44).
    """
    if side < 0 or played[side] == players(bets)[side]:
        return bets
    if side == 0 and bets.chouette:
        return replace(bets, chouette=Chouette(bets.chouette.shares, played[0]))
    rest = orders.leaves(bets.orders[side], played[side])
    gone = players(bets)[side]
    waiting = tuple(place for place in rest.players if place != gone)
    order = Order(played[side], (*waiting, gone), rest.renounced)
    return on_side(bets, side, order=order)


def _passed_on(table: Table, bets: Bets, side: int) -> Bets:
    """The bets with the order of players for the next partie.

    The loser goes to the end of his side, and the winner plays on (E07-3). At EDE the first staker
    plays (ER-28).
    """
    if table.house.chouette == "bank":
        bets = on_side(bets, 1, order=Order())
    else:
        for end in (0, 1):
            order = bets.orders[end]
            lost = side >= 0 and end != side and order.hand is not None
            bets = on_side(bets, end, order=orders.lost(order) if lost else orders.won(order))
    return bets


def _ends(bets: Bets) -> tuple[int, ...]:
    return tuple(end for end in (0, 1) if bets.orders[end].players)
