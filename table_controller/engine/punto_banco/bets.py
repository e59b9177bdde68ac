"""The stakes: what may lie on a spot, laid and taken down while the bets are open (PB-13).

Knows sums and places, no card.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from table_controller.engine.messages import AgainstRules, Event, OutOfTurn, phrase
from table_controller.engine.punto_banco.events import BetLaid
from table_controller.engine.punto_banco.inputs import Bets, BetsAgain, TakesDown
from table_controller.engine.punto_banco.state import Awaited, Bet, Step, Table
from table_controller.engine.table import felt
from table_controller.engine.table.felt import balance
from table_controller.engine.table.people import money_lies, present
from table_controller.rules.money import NONE, Chips
from table_controller.rules.punto_banco.house import House
from table_controller.rules.punto_banco.money import BANKER, MAIN, PLAYER, TIE, odds, payout


def spots(house: House) -> tuple[str, ...]:
    """Everything that may be bet on here, the result first."""
    return (*MAIN, *house.side_bets) if house.bets else ()


def stake_of(table: Table, seat: int, spot: str) -> Chips:
    """What lies there for that place."""
    found = (bet.chips for bet in table.bets if bet.seat == seat and bet.spot == spot)
    return next(found, NONE)


def on_spot(table: Table, spot: str) -> int:
    """What lies on a spot altogether."""
    return sum(bet.chips for bet in table.bets if bet.spot == spot)


def owed(table: Table, seat: int) -> Chips:
    """The commission in a place's box (PB-10)."""
    return dict(table.owed).get(seat, NONE)


def free_money(table: Table, seat: int) -> int:
    """What a place may lay or take away: what stands in its box is the house's (PB-10)."""
    return max(0, balance(table.felt, seat) - owed(table, seat))


def bounds(table: Table, seat: int, spot: str) -> tuple[int, int]:
    """The least and the most that a place may add on a spot now; none where most is under least.

    Limits of the bet, the differential, what he has, and what the tray can pay. Source: PB-13.
    """
    house, lies = table.house, stake_of(table, seat, spot)
    main = spot in MAIN
    low, high = (house.least_bet, house.most_bet) if main else (house.least_side, house.most_side)
    most = free_money(table, seat)
    if high:
        most = min(most, high - lies)
    if house.differential and spot in (PLAYER, BANKER):
        other = BANKER if spot == PLAYER else PLAYER
        most = min(most, house.differential + on_spot(table, other) - on_spot(table, spot))
    spare = table.felt.cagnotte - at_risk(table) + risk(house, spot, lies)
    most = min(most, _covered(house, spot, spare) - lies)
    return max(1, low - lies), most


def _covered(house: House, spot: str, spare: int) -> int:
    """The greatest stake whose winnings the tray can pay."""
    best = max(odds(_odds(house, spot)))
    return max(0, spare * best.denominator // best.numerator)


def _odds(house: House, spot: str) -> str:
    return house.tie_pays if spot == TIE else house.side_bets.get(spot, "1:1")


def risk(house: House, spot: str, chips: int) -> int:
    """The most that a stake can be paid beside itself."""
    return max(payout(Chips(chips), to_one) for to_one in odds(_odds(house, spot)))


def at_risk(table: Table) -> int:
    """What the house could have to pay at most, whatever comes: as much lies in the tray."""
    return sum(risk(table.house, bet.spot, bet.chips) for bet in table.bets)


def bets(table: Table, _phase: Awaited, said: Bets) -> Step:
    """A stake is laid, or more of it (PB-13)."""
    house, unit = table.house, table.house.unit
    if said.spot not in spots(house):
        raise AgainstRules(
            phrase("There is no such bet at this table: {spot}.", spot=said.spot),
            phrase("Look at the spots of this house."),
            "PB-12",
        )
    present(table.felt, said.seat)
    money_lies(table.felt, said.seat, said.chips)
    least, most = bounds(table, said.seat, said.spot)
    if not least <= said.chips <= most:
        raise AgainstRules(
            phrase("{chips} {unit} cannot be laid there.", chips=said.chips, unit=unit),
            phrase("From {least} to {most} {unit} can.", least=least, most=most, unit=unit)
            if least <= most
            else phrase("Nothing more can be laid there now."),
            "PB-13",
        )
    return _laid(table, said.seat, said.spot, said.chips)


def _laid(table: Table, seat: int, spot: str, chips: Chips) -> Step:
    """Chips from the place's balance to the spot; negative: back to it."""
    now = Chips(stake_of(table, seat, spot) + chips)
    others = [bet for bet in table.bets if (bet.seat, bet.spot) != (seat, spot)]
    lies = (*others, Bet(seat, spot, now)) if now else tuple(others)
    table = replace(table, felt=felt.pay(table.felt, seat, -chips), bets=_placed(lies))
    return table, (BetLaid(seat=seat, spot=spot, chips=now),)


def _placed(lies: tuple[Bet, ...]) -> tuple[Bet, ...]:
    """By places, so that it does not matter who came first."""
    return tuple(sorted(lies, key=lambda bet: (bet.seat, bet.spot)))


def reseated(lay: tuple[Bet, ...], seats: Mapping[int, int]) -> tuple[Bet, ...]:
    """The stakes once their players have changed seats."""
    return _placed(tuple(replace(bet, seat=seats.get(bet.seat, bet.seat)) for bet in lay))


def takes_down(table: Table, _phase: Awaited, said: TakesDown) -> Step:
    """A stake is taken from its spot before the bets are closed (PB-4, PB-13)."""
    lies = stake_of(table, said.seat, said.spot)
    if not lies:
        raise OutOfTurn(
            phrase("Seat {seat} has nothing there.", seat=said.seat),
            phrase("Look at the spots of this house."),
            "PB-13",
        )
    if not may_take_down(table, said.seat, said.spot):
        raise AgainstRules(
            phrase("Player and Banker would be too far apart."),
            phrase("Somebody takes down on the other side first."),
            "PB-13",
        )
    return _laid(table, said.seat, said.spot, Chips(-lies))


def may_take_down(table: Table, seat: int, spot: str) -> bool:
    """Whether the difference of Player and Banker stays allowed without that stake (PB-13)."""
    if spot not in (PLAYER, BANKER) or not table.house.differential:
        return True
    other = BANKER if spot == PLAYER else PLAYER
    left = on_spot(table, spot) - stake_of(table, seat, spot)
    return on_spot(table, other) - left <= table.house.differential


def bets_again(table: Table, _phase: Awaited, _said: BetsAgain) -> Step:
    """Everybody who can lays what he had at the coup before, as far as the limits let him."""
    told: tuple[Event, ...] = ()
    for bet in again(table):
        least, most = bounds(table, bet.seat, bet.spot)
        chips = Chips(bet.chips - stake_of(table, bet.seat, bet.spot))
        if least <= chips <= most:
            table, more = _laid(table, bet.seat, bet.spot, chips)
            told = (*told, *more)
    if not told:
        raise OutOfTurn(
            phrase("Nobody can lay the same stake again."), phrase("Lay each stake by itself.")
        )
    return table, told


def again(table: Table) -> tuple[Bet, ...]:
    """The stakes of the coup before that are not laid yet, by who is still there."""
    there = {*felt.places(table.felt)}
    return tuple(
        bet
        for bet in table.previous
        if bet.seat in there and stake_of(table, bet.seat, bet.spot) < bet.chips
    )


def given_back(table: Table) -> Table:
    """Every stake goes back to who laid it (PB-24, PB-25)."""
    now = table.felt
    for bet in table.bets:
        now = felt.pay(now, bet.seat, bet.chips)
    return replace(table, felt=now, bets=())
