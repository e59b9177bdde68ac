"""The stakes on a partie of écarté, and its players, as plain data with functions that read it.

Sides are 0 and 1, as in a partie. À deux côtés these are left and right. In a chouette, side 0 is
the giver's. The module knows no cards except those that were drawn for the order of players.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from table_controller.engine.messages import Input
from table_controller.engine.table.inputs import Leaves, Moves, Swaps
from table_controller.rules.cards import Card
from table_controller.rules.ecarte import order, stakes
from table_controller.rules.ecarte.bank import Bank, Bid
from table_controller.rules.ecarte.chouette import Chouette, Share
from table_controller.rules.ecarte.house import House
from table_controller.rules.ecarte.order import Order
from table_controller.rules.ecarte.stakes import Beside, Stake, Stakes


class Mode(StrEnum):
    """The way in which stakes are laid on the partie."""

    TWO_SIDES = "two_sides"
    """À deux côtés (E07-3)."""
    OPEN = "open"
    """A chouette that takes on every stake against it (E07-5, E00-4)."""
    BANK = "bank"
    """A chouette limited to its bank, which was auctioned (E07-8) or is the dealer's at EDE
    (EDE-0)."""


class Draw(Struct, frozen=True, gc=False):
    """The card that a player drew for the order of players, and one for each redraw (E07-9)."""

    place: int
    cards: tuple[Card, ...]


class Previous(Struct, frozen=True, gc=False):
    """The stakes on the last partie: on each side, and outside the bank."""

    stakes: tuple[Stakes, Stakes] = ((), ())
    beside: tuple[Beside, ...] = ()


class Bets(Struct, frozen=True, gc=False):
    """The stakes, and the players of each side.

    Attributes:
        orders: the order of players of each side; the giver's side of a chouette has none.
        stakes: the stakes laid on each side, in order. In a chouette, all are on side 1.
        rest: the player whose stake covers the rest, the sum by which one side was below the other;
            0 for nobody (E07-60).
        chouette: the giver and the sharers of the chouette; `bank`: the bank, if there is one.
        left_out: the parts of stakes that the bank did not cover, in order (E07-61).
        beside: stakes outside the bank (E07-62).
        closed: whether "rien ne va plus" was said (E07-7).
        giver_won: whether the giver won his last partie; None before the first.
        found: lost stakes that turned out to be another sum than was counted (E07-60).
        declined: players who refuse to go on with a chouette that was given up (E07-6).
        previous: the stakes of the last partie, for "the same again".
    """

    mode: Mode
    orders: tuple[Order, Order] = (Order(), Order())
    stakes: tuple[Stakes, Stakes] = ((), ())
    rest: int = 0
    chouette: Chouette | None = None
    bank: Bank | None = None
    left_out: Stakes = ()
    beside: tuple[Beside, ...] = ()
    closed: bool = False
    giver_won: bool | None = None
    declined: tuple[int, ...] = ()
    found: Stakes = ()
    previous: Previous = Previous()

    @property
    def giver(self) -> int:
        """The player who gives the chouette; 0 à deux côtés."""
        return self.chouette.giver if self.chouette else 0


class Before(Struct, frozen=True, gc=False):
    """The facts that are known before anybody stakes.

    Attributes:
        draws: the cards drawn for the order of players (E07-9).
        retired: the player who has just given up an auctioned chouette after he won his last
            partie, else 0 (E07-8).
        bids: the bids made so far.
        declined: at EDE, players who drew but will lay no bank (ER-36).
    """

    draws: tuple[Draw, ...] = ()
    retired: int = 0
    bids: tuple[Bid, ...] = ()
    declined: tuple[int, ...] = ()


def players(bets: Bets) -> tuple[int, int]:
    """The player who holds the cards on each side; 0 if there is none."""
    left = bets.chouette.hand if bets.chouette else bets.orders[0].hand
    return left or 0, bets.orders[1].hand or 0


def lies(bets: Bets | None) -> int:
    """All money at stake and in the bank, in smallest chips."""
    if bets is None:
        return 0
    outside = 2 * sum(bet.chips for bet in bets.beside)  # both players put up the sum
    return sum(map(stakes.total, bets.stakes)) + outside + giver_holds(bets)


def giver_holds(bets: Bets) -> int:
    """The money on the giver's side: his bank, or the sum that covers the closed stakes (E07-5)."""
    if bets.bank is not None:
        return bets.bank.holds
    return stakes.total(bets.stakes[1]) if bets.chouette and bets.closed else 0


def busy(bets: Bets | None, place: int) -> bool:
    """Whether the player at `place` may not leave.

    He may not if he has money at stake, gives a chouette or shares in it, or holds the cards once
    the stakes are closed.
    """
    if bets is None:
        return False
    staked = any(stakes.laid(side, place) for side in bets.stakes)
    outside = any(place in (bet.place, bet.holder) for bet in bets.beside)
    shares = bets.chouette is not None and place in bets.chouette.places
    return bool(staked or outside or shares or (bets.closed and place in players(bets)))


def known_after_moving(before: Before, said: Input) -> Before:
    """The facts in `before` after the input `said`: a player left or changed seats."""
    match said:
        case Leaves(seat=gone):
            draws = tuple(draw for draw in before.draws if draw.place != gone)
            declined = tuple(place for place in before.declined if place != gone)
            retired = before.retired * (before.retired != gone)
            return replace(before, draws=draws, retired=retired, declined=declined)
        case Moves(seat=seat, to=to) | Swaps(seat=seat, other=to):
            names = {seat: to, to: seat}
            draws = tuple(
                Draw(names.get(draw.place, draw.place), draw.cards) for draw in before.draws
            )
            declined = tuple(names.get(place, place) for place in before.declined)
            retired = names.get(before.retired, before.retired)
            return replace(before, draws=draws, retired=retired, declined=declined)
        case _:
            return before


def after_moving(bets: Bets | None, said: Input) -> Bets | None:
    """The bets after the input `said`: a player who is not `busy` left or changed seats."""
    match said:
        case Leaves(seat=gone) if bets:
            left, right = bets.orders
            declined = tuple(place for place in bets.declined if place != gone)
            orders = (order.leaves(left, gone), order.leaves(right, gone))
            gave, last = _moved(bets.chouette, {gone: 0}), _reseated(bets.previous, {gone: 0})
            return replace(bets, orders=orders, declined=declined, chouette=gave, previous=last)
        case Moves(seat=seat, to=to) | Swaps(seat=seat, other=to) if bets:
            names = {seat: to, to: seat}
            left, right = (_renamed(one, names) for one in bets.orders)
            declined = tuple(names.get(place, place) for place in bets.declined)
            gave, last, both = (
                _moved(bets.chouette, names),
                _reseated(bets.previous, names),
                (left, right),
            )
            return replace(bets, orders=both, declined=declined, chouette=gave, previous=last)
        case _:
            return bets


def _reseated(before: Previous, names: Mapping[int, int]) -> Previous:
    """The last stakes after players changed seats; `names` says the new seat for each old seat.

    The stakes of a player who left (new seat 0) are dropped.
    """
    first, second = (
        tuple(
            Stake(names.get(stake.place, stake.place), stake.chips)
            for stake in side
            if names.get(stake.place, stake.place)
        )
        for side in before.stakes
    )
    bets = (
        Beside(
            names.get(bet.place, bet.place),
            names.get(bet.holder, bet.holder),
            bet.chips,
            bet.on_giver,
        )
        for bet in before.beside
    )
    return Previous((first, second), tuple(bet for bet in bets if bet.place and bet.holder))


def _moved(one: Chouette | None, names: Mapping[int, int]) -> Chouette | None:
    """A chouette that was given up, after its players changed seats (ER-34).

    `names` says the new seat for each old seat; 0 means that the player left.
    """
    if one is None:
        return None
    shares = (Share(names.get(share.place, share.place), share.parts) for share in one.shares)
    return Chouette(tuple(shares), names.get(one.hand, one.hand))


def _renamed(one: Order, names: Mapping[int, int]) -> Order:
    """The order of players after they changed seats; `names` says each new seat."""
    return Order(
        None if one.hand is None else names.get(one.hand, one.hand),
        tuple(names.get(place, place) for place in one.waiting),
        tuple(names.get(place, place) for place in one.renounced),
    )


def on_side(
    bets: Bets, side: int, *, order: Order | None = None, laid: Stakes | None = None
) -> Bets:
    """The bets with another order of players, or other stakes, on one side."""
    orders, staked = list(bets.orders), list(bets.stakes)
    orders[side] = orders[side] if order is None else order
    staked[side] = staked[side] if laid is None else laid
    return replace(bets, orders=(orders[0], orders[1]), stakes=(staked[0], staked[1]))


def drawn(house: House, draws: Iterable[Draw]) -> tuple[tuple[int, ...], ...]:
    """The players who drew, in groups; the group that will play first comes first.

    Players with equal draws are in one group (E07-9, ER-36).
    """
    groups: list[tuple[Draw, ...]] = [tuple(draws)]
    for time in range(max((len(draw.cards) for draw in groups[0]), default=0)):
        groups = [part for group in groups for part in _parted(house, group, time)]
    return tuple(tuple(draw.place for draw in group) for group in groups if group)


def _parted(house: House, group: tuple[Draw, ...], time: int) -> list[tuple[Draw, ...]]:
    """Split a group by the cards that its players drew in the round `time`, counted from 0.

    The group stays whole until all of its players have drawn in this round.
    """
    if len(group) == 1 or any(len(draw.cards) <= time for draw in group):
        return [group]
    by_place = {draw.place: draw for draw in group}
    ranked = order.drawn(
        house, {place: draw.cards[time : time + 1] for place, draw in by_place.items()}
    )
    return [tuple(by_place[place] for place in places) for places in ranked]
