"""People at the table: seats, the standing, what they bring and take, what they declare."""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.chemin_de_fer.events import Declared
from table_controller.engine.chemin_de_fer.facts import Bank, Player
from table_controller.engine.chemin_de_fer.inputs import Declares
from table_controller.engine.chemin_de_fer.ledger import money_lies, present
from table_controller.engine.chemin_de_fer.phases import (
    Auction,
    BankDue,
    MisdealDue,
    Phase,
    PlayersDue,
    Settled,
    Sharing,
    Stray,
    TakeOver,
    Unread,
    WhiteDisputed,
)
from table_controller.engine.chemin_de_fer.settle import onward
from table_controller.engine.chemin_de_fer.state import (
    Step,
    Table,
    at,
    deal_of,
    occupied_from,
    pay,
    player,
    put,
    uninterrupted,
)
from table_controller.engine.messages import AgainstRules, phrase
from table_controller.engine.table.events import (
    BalanceChanged,
    PlayerLeft,
    PlayerSat,
    SeatChanged,
    StaffChanged,
)
from table_controller.engine.table.inputs import (
    BuysIn,
    CashesOut,
    CroupierChanged,
    Leaves,
    Moves,
    Sits,
    Stands,
    Swaps,
    Tips,
)
from table_controller.engine.views import STANDING
from table_controller.rules.money import NONE, Chips

#: Standing players that a table keeps apart.
MOST_STANDING = 40


def sits(table: Table, phase: Phase, said: Sits) -> Step:
    """A player takes a free seat, at any time (N-1)."""
    _free_seat(table, said.seat)
    _positive(said.chips, least=0)
    table = reseated(put(table, said.seat, Player(said.name, said.chips)), phase)
    return table, (PlayerSat(seat=said.seat), _balance(table, said.seat, said.chips))


def stands(table: Table, _phase: Phase, said: Stands) -> Step:
    """A player without a seat comes to the table (ZP-17)."""
    _positive(said.chips, least=1)
    free = [n for n, who in enumerate(table.standing, 1) if who is None]
    place = STANDING + (free[0] if free else len(table.standing) + 1)
    if place > STANDING + MOST_STANDING:
        raise AgainstRules(
            phrase("{most} players stand already.", most=MOST_STANDING),
            phrase("One of them leaves or takes a seat first."),
            "ZP-17",
        )
    table = put(table, place, Player(said.name, said.chips))
    return table, (PlayerSat(seat=place), _balance(table, place, said.chips))


def buys_in(table: Table, _phase: Phase, said: BuysIn) -> Step:
    """A player brings more money; called stakes are not accepted (Z-3, N-6)."""
    present(table, said.seat)
    _positive(said.chips, least=1)
    table = pay(table, said.seat, said.chips)
    return table, (_balance(table, said.seat, said.chips),)


def cashes_out(table: Table, _phase: Phase, said: CashesOut) -> Step:
    """A player takes chips away; what lies on the table stays there."""
    _positive(said.chips, least=1)
    money_lies(table, said.seat, said.chips)
    table = pay(table, said.seat, -said.chips)
    return table, (_balance(table, said.seat, -said.chips),)


def tips(table: Table, _phase: Phase, said: Tips) -> Step:
    """A player gives the croupiers something: it stays in the table's sums (R-16)."""
    _positive(said.chips, least=1)
    money_lies(table, said.seat, said.chips)
    table = replace(pay(table, said.seat, -said.chips), tips=Chips(table.tips + said.chips))
    return table, (_balance(table, said.seat, -said.chips),)


def leaves(table: Table, phase: Phase, said: Leaves) -> Step:
    """A player goes, with his chips. Whoever has money in the coup or the bank stays."""
    who = present(table, said.seat)
    _not_in_play(table, phase, said.seat)
    table = _renumbered(put(table, said.seat, None), {said.seat: 0})
    table = reseated(table, phase)
    gone = BalanceChanged(seat=said.seat, name=who.name, chips=-who.balance, balance=NONE)
    return table, (PlayerLeft(seat=said.seat), gone)


def moves(table: Table, phase: Phase, said: Moves) -> Step:
    """A player takes another, free seat; at N he must then let the bank pass twice (N-1, R-40)."""
    who = present(table, said.seat)
    _between_coups(phase)
    _free_seat(table, said.to)
    _not_in_play(table, phase, said.seat)
    newcomer = said.seat > STANDING
    moved = who if newcomer else replace(who, must_pass=table.house.passes_after_move)
    table = put(put(table, said.seat, None), said.to, moved)
    table = _renumbered(table, {said.seat: said.to})
    return reseated(table, phase), (SeatChanged(seat=said.seat, to=said.to),)


def swaps(table: Table, phase: Phase, said: Swaps) -> Step:
    """Two players agree to change seats; at N both must let the bank pass twice (N-1, R-40)."""
    one, other = present(table, said.seat), present(table, said.other)
    if said.seat == said.other or max(said.seat, said.other) > STANDING:
        raise AgainstRules(
            phrase("Only two different seats can be swapped."),
            phrase("Name two seated players who agree."),
            "N-1",
        )
    _between_coups(phase)
    for seat in (said.seat, said.other):
        _not_in_play(table, phase, seat)
    passes = table.house.passes_after_move
    table = put(table, said.seat, replace(other, must_pass=passes))
    table = put(table, said.other, replace(one, must_pass=passes))
    table = _renumbered(table, {said.seat: said.other, said.other: said.seat})
    return table, (SeatChanged(seat=said.seat, to=said.other, swap=True),)


def declares(table: Table, phase: Phase, said: Declares) -> Step:
    """A player says whether he plays by the Schlitten: before the first card only (R-25, ZP-9)."""
    who = present(table, said.seat)
    if not may_declare(phase):
        raise AgainstRules(
            phrase("The coup has begun."),
            phrase("He declares it before the first card of the next one."),
            "R-25",
        )
    table = put(table, said.seat, replace(who, by_schlitten=said.by_schlitten))
    return table, (Declared(seat=said.seat, by_schlitten=said.by_schlitten),)


def may_declare(phase: Phase) -> bool:
    """Whether no card of a coup lies, or its money is already on its way. Source: R-25, ZP-9."""
    return deal_of(phase) is None or isinstance(uninterrupted(phase), Settled)


def croupier_changed(table: Table, _phase: Phase, said: CroupierChanged) -> Step:
    """Another croupier leads the table from now on."""
    return replace(table, croupier=said.name), (StaffChanged(name=said.name),)


def reseated(table: Table, phase: Phase) -> Table:
    """Who sits has changed: perhaps enough sit now, or the Schlitten stands at an empty seat."""
    if not isinstance(phase, PlayersDue | BankDue):
        return table
    place = next(iter(occupied_from(table, table.place)), table.place)
    after = onward(table)
    if type(after) is type(phase) and place == table.place:
        return table
    return at(table, after, place=place)


def _renumbered(table: Table, seats: dict[int, int]) -> Table:
    """What follows a player, not a place: suivi (ZP-13), the bar of a seller (Z-22), his stake."""

    def new(seat: int) -> int:
        return seats.get(seat, seat)

    bank = _resold(table.bank, seats)
    phase = _rebooked(table.phase, seats)
    previous = tuple(replace(stake, seat=new(stake.seat)) for stake in table.previous)
    return replace(table, phase=phase, bank=bank, suivi=new(table.suivi), previous=previous)


def _rebooked(phase: Phase, seats: dict[int, int]) -> Phase:
    """The books of a settled coup follow who moves, so that it can still be undone (R-20)."""
    if isinstance(phase, Unread | Stray | WhiteDisputed | MisdealDue):
        return replace(phase, resume=_rebooked(phase.resume, seats))
    if not isinstance(phase, Settled):
        return phase
    old = phase.before
    bank = _resold(old.bank, seats)
    return replace(phase, before=replace(old, bank=bank, suivi=seats.get(old.suivi, old.suivi)))


def _resold(bank: Bank | None, seats: dict[int, int]) -> Bank | None:
    """The bank whose earlier sellers have changed their seats (Z-22)."""
    if bank is None or not bank.sellers:
        return bank
    sellers = tuple(
        replace(
            one,
            seat=seats.get(one.seat, one.seat),
            partners=tuple(seats.get(seat, seat) for seat in one.partners),
        )
        for one in bank.sellers
    )
    return replace(bank, sellers=sellers)


def _balance(table: Table, seat: int, chips: int) -> BalanceChanged:
    who = present(table, seat)
    return BalanceChanged(seat=seat, name=who.name, chips=chips, balance=who.balance)


def _free_seat(table: Table, seat: int) -> None:
    if not 1 <= seat <= len(table.seats):
        raise AgainstRules(
            phrase("There is no seat {seat}.", seat=seat),
            phrase("Seats 1 to {most} can be taken.", most=len(table.seats)),
            "ZP-3",
        )
    if player(table, seat):
        raise AgainstRules(
            phrase("Seat {seat} is taken.", seat=seat), phrase("Choose a free seat."), "N-1"
        )


def in_play(table: Table, phase: Phase, seat: int) -> bool:
    """Whether who is at that place has money in the coup, the bank or its sale."""
    bank, coup, phase = table.bank, table.coup, uninterrupted(phase)
    busy = False
    match phase:
        case Settled(before=before):  # announced, and not yet paid
            bank, coup = before.bank, before.coup
        case Auction(seller=seller, partners=partners, sellers=sellers, bids=bids):
            places = {bid.seat for bid in bids} | {seller, *partners}
            busy = seat in places.union(*({one.seat, *one.partners} for one in sellers))
        case TakeOver(giver=giver):
            busy = seat == giver
        case Sharing(seats=asked):
            busy = seat == asked[0]
    in_bank = bank and (seat == bank.seat or seat in dict(bank.partners))
    in_coup = coup and (seat == coup.pointeur or coup.stake_of(seat))
    return bool(in_bank or in_coup or busy)


def _not_in_play(table: Table, phase: Phase, seat: int) -> None:
    if in_play(table, phase, seat):
        raise AgainstRules(
            phrase("Seat {seat} has money in play.", seat=seat),
            phrase("He can leave or move when the coup is settled and his bank is over."),
        )


def _between_coups(phase: Phase) -> None:
    if not may_declare(phase):
        raise AgainstRules(
            phrase("The coup has begun."),
            phrase("Seats are changed before its first card, or once it is settled."),
            "R-5",
        )


def _positive(chips: int, *, least: int) -> None:
    if chips < least:
        raise AgainstRules(
            phrase("{chips} is no sum to bring to the table or to take from it.", chips=chips),
            phrase("Name {least} or more.", least=least),
            "R-16",
        )
