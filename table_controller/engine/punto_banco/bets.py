"""The stakes: a player lays them on a spot or takes them down while the bets are open (PB-13).

The module knows sums and places, but no card.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from table_controller.engine.messages import AgainstRules, Event, OutOfTurn, phrase
from table_controller.engine.punto_banco.events import BetLaid, OverDifferential
from table_controller.engine.punto_banco.inputs import Bets, BetsAgain, TakesDown
from table_controller.engine.punto_banco.state import Awaited, Bet, Step, Table
from table_controller.engine.table import felt
from table_controller.engine.table.devices import failing, not_begun
from table_controller.engine.table.felt import balance
from table_controller.engine.table.seating import money_lies, present
from table_controller.rules.money import NONE, Chips
from table_controller.rules.punto_banco.house import House
from table_controller.rules.punto_banco.money import BANKER, MAIN, PLAYER, TIE, odds, payout


def spots(house: House) -> tuple[str, ...]:
    """The spots for all bets that this house offers, the main bets first."""
    return (*MAIN, *house.side_bets) if house.bets else ()


def stake_of(table: Table, seat: int, spot: str) -> Chips:
    """The stake of the place `seat` on the spot `spot`, 0 if there is none."""
    found = (bet.chips for bet in table.bets if bet.seat == seat and bet.spot == spot)
    return next(found, NONE)


def on_spot(table: Table, spot: str) -> int:
    """The sum of all stakes on the spot."""
    return sum(bet.chips for bet in table.bets if bet.spot == spot)


def owed(table: Table, seat: int) -> Chips:
    """The commission in the box of the place `seat` (PB-10)."""
    return dict(table.owed).get(seat, NONE)


def free_money(table: Table, seat: int) -> int:
    """The chips that the player at `seat` may stake or take away.

    The commission in his box belongs to the house (PB-10).
    """
    return max(0, balance(table.felt, seat) - owed(table, seat))


class Limits:
    """The least and the most that each player may now add to his stake on each spot (PB-13).

    The object adds up the stakes only once, because a picture asks about every place and every
    spot.
    """

    def __init__(self, table: Table) -> None:
        self._house = table.house
        self._lies = {(bet.seat, bet.spot): bet.chips for bet in table.bets}
        self._spare = table.felt.cagnotte - at_risk(table)
        boxes = dict(table.owed)
        self._has = {
            place: max(0, balance(table.felt, place) - boxes.get(place, NONE))
            for place in felt.places(table.felt)
        }

    def of(self, seat: int, spot: str) -> tuple[int, int]:
        """The least and the most that one player may add on one spot.

        If the most is below the least, he may add nothing. The bounds follow from the bet's limits,
        the player's chips, and the sum that the tray can pay. Source: PB-13.
        """
        house, lies = self._house, self._lies.get((seat, spot), NONE)
        main = spot in MAIN
        low = house.least_bet if main else house.least_side
        high = house.most_bet if main else house.most_side
        spare = self._spare + risk(house, spot, lies)
        most = min(self._has.get(seat, 0), _covered(house, spot, spare) - lies)
        return max(1, low - lies), min(most, high - lies) if high else most

    def again(self, bet: Bet) -> Chips:
        """The sum to add to the present stake so that it equals `bet`; 0 if not allowed."""
        chips = Chips(bet.chips - self._lies.get((bet.seat, bet.spot), NONE))
        least, most = self.of(bet.seat, bet.spot)
        return chips if least <= chips <= most else NONE

    def laid(self, seat: int, spot: str, chips: Chips) -> None:
        """Take into account that `chips` more were laid on this spot for this place."""
        lay = self._lies.get((seat, spot), NONE)
        now = self._lies[seat, spot] = Chips(lay + chips)
        self._spare += risk(self._house, spot, lay) - risk(self._house, spot, now)
        self._has[seat] -= chips


def bounds(table: Table, seat: int, spot: str) -> tuple[int, int]:
    """The least and the most that the player at `seat` may add on a spot now. Source: PB-13."""
    return Limits(table).of(seat, spot)


def _covered(house: House, spot: str, spare: int) -> int:
    """The greatest stake on the spot whose win can be paid with `spare` chips of the tray."""
    best = max(odds(_odds(house, spot)))
    return max(0, spare * best.denominator // best.numerator)


def _odds(house: House, spot: str) -> str:
    return house.tie_pays if spot == TIE else house.side_bets.get(spot, "1:1")


def risk(house: House, spot: str, chips: int) -> int:
    """The most that a stake of `chips` on the spot can win."""
    return max(payout(Chips(chips), to_one) for to_one in odds(_odds(house, spot)))


def at_risk(table: Table) -> int:
    """The sum of the most that every stake can win. The tray must contain this sum."""
    return sum(risk(table.house, bet.spot, bet.chips) for bet in table.bets)


def bets(table: Table, _phase: Awaited, said: Bets) -> Step:
    """A player lays a stake or increases it (PB-13).

    Raises AgainstRules if the spot does not exist, or if the sum is not within the limits, and
    OutOfTurn if the stake would begin a coup on the battery (R-53).
    """
    if not may_lie(table):
        raise not_begun(table.felt.alerts)
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


def may_lie(table: Table) -> bool:
    """Whether stakes may be laid: the first one of a coup waits for the mains (R-53)."""
    return bool(table.bets) or not failing(table.felt.alerts)


def _laid(table: Table, seat: int, spot: str, chips: Chips) -> Step:
    """Move chips from the player to the spot, or back if the sum is negative."""
    now = Chips(stake_of(table, seat, spot) + chips)
    others = [bet for bet in table.bets if (bet.seat, bet.spot) != (seat, spot)]
    lies = (*others, Bet(seat, spot, now)) if now else tuple(others)
    if chips > 0 and table.house.differential:
        lay = {(bet.seat, bet.spot) for bet in table.bets}
        order = [bet for bet in table.order if (bet.seat, bet.spot) in lay]
        table = replace(table, order=(*order, Bet(seat, spot, chips)))
    table = replace(table, felt=felt.pay(table.felt, seat, -chips), bets=_placed(lies))
    return table, (BetLaid(seat=seat, spot=spot, chips=now),)


def _placed(lies: tuple[Bet, ...]) -> tuple[Bet, ...]:
    """The bets sorted by place and spot, so that the order of laying makes no difference."""
    return tuple(sorted(lies, key=lambda bet: (bet.seat, bet.spot)))


def reseated(lay: tuple[Bet, ...], seats: Mapping[int, int]) -> tuple[Bet, ...]:
    """The stakes after players changed seats; `seats` says the new seat for each old seat."""
    return _placed(tuple(replace(bet, seat=seats.get(bet.seat, bet.seat)) for bet in lay))


def takes_down(table: Table, _phase: Awaited, said: TakesDown) -> Step:
    """A player takes his stake from its spot, before the bets are closed (PB-4, PB-36)."""
    lies = stake_of(table, said.seat, said.spot)
    if not lies:
        raise OutOfTurn(
            phrase("Seat {seat} has nothing there.", seat=said.seat),
            phrase("Look at the spots of this house."),
            "PB-13",
        )
    return _laid(table, said.seat, said.spot, Chips(-lies))


def bets_again(table: Table, _phase: Awaited, _said: BetsAgain) -> Step:
    """The previous coup's stakes are laid again, as far as chips and limits allow.

    Raises OutOfTurn if none can be laid.
    """
    if not may_lie(table):
        raise not_begun(table.felt.alerts)
    limits, told = Limits(table), tuple[Event, ...]()
    for bet in table.previous:
        chips = limits.again(bet)
        if chips:
            table, more = _laid(table, bet.seat, bet.spot, chips)
            limits.laid(bet.seat, bet.spot, chips)
            told = (*told, *more)
    if not told:
        raise OutOfTurn(
            phrase("Nobody can lay the same stake again."), phrase("Lay each stake by itself.")
        )
    return table, told


def closed(table: Table) -> Step:
    """Close the bets, and give back the excess over the house's differential.

    The differential is the most by which the sums on Player and Banker may differ. The stakes that
    were laid last go back first (PB-36).
    """
    most = table.house.differential
    apart = on_spot(table, PLAYER) - on_spot(table, BANKER) if most else 0
    over = abs(apart) - most
    if over <= 0:
        return table, ()
    spot = PLAYER if apart > 0 else BANKER
    back: dict[int, Chips] = {}
    # A stake that is not in the recorded order was there before all other stakes.
    for bet in reversed((*table.bets, *table.order)):
        if over and bet.spot == spot:
            gone = back.get(bet.seat, NONE)
            chips = min(over, bet.chips, stake_of(table, bet.seat, spot) - gone)
            back[bet.seat] = Chips(gone + chips)
            over -= chips
    told: tuple[Event, ...] = ()
    for seat, chips in back.items():
        table, more = _laid(table, seat, spot, Chips(-chips))
        told = (*told, OverDifferential(seat=seat, spot=spot, chips=chips), *more)
    return replace(table, over=tuple(Bet(seat, spot, chips) for seat, chips in back.items())), told


def given_back(table: Table) -> Table:
    """The table after every stake was given back to its player (PB-24, PB-25)."""
    now = table.felt
    for bet in table.bets:
        now = felt.pay(now, bet.seat, bet.chips)
    return replace(table, felt=now, bets=())
