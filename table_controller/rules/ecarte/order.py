"""The order of players: who plays the cards, who is next, and where a newcomer is entered.

A player's *hand* (French *main*) is his turn to play the cards. Places are plain numbers; only the
table knows which places are seats. The module knows no money, and no card but the one drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from table_controller.rules.cards import Card
from table_controller.rules.ecarte.house import House
from table_controller.rules.ecarte.tricks import drawn_height, height


@dataclass(frozen=True, slots=True)
class Order:
    """One side's players.

    Attributes:
        hand: the player whose turn it is, or None if nobody willing is left.
        waiting: the players after him, the next one first.
        renounced: the players who have renounced their hand since the last partie and kept their
            place (ER-18).
    """

    hand: int | None = None
    waiting: tuple[int, ...] = ()
    renounced: tuple[int, ...] = ()

    @property
    def players(self) -> tuple[int, ...]:
        """All players. The one whose hand it is comes first."""
        return self.waiting if self.hand is None else (self.hand, *self.waiting)


def drawn(house: House, draws: Mapping[int, Sequence[Card]]) -> tuple[tuple[int, ...], ...]:
    """Players by the card that each drew. The first to play comes first; equal draws are grouped.

    The lowest card begins, ace low. If a player drew several cards, his highest counts. At EDE the
    highest card deals, by its rank in play. Players in a group draw again. Source: E07-9, ER-12,
    ER-36.
    """
    higher = house.cut_for_deal == "higher"
    by_height: dict[int, list[int]] = {}
    for place, cards in draws.items():
        best = max(map(height if higher else drawn_height, cards))
        by_height.setdefault(best, []).append(place)
    return tuple(tuple(by_height[best]) for best in sorted(by_height, reverse=higher))


def ordered(players: Sequence[int]) -> Order:
    """The order of these players; the first of them plays. Source: E07-9."""
    return Order(players[0], tuple(players[1:])) if players else Order()


def joins(order: Order, newcomer: int, on: int) -> Order:
    """Enter a newcomer just before the player during whose hand he first staked.

    If that is the current player, the newcomer is entered at the end, since the order is circular.
    Source: E07-3, E00-3.
    """
    if newcomer in order.players:
        raise ValueError(f"place {newcomer} stands in the order already")
    if order.hand is None or on not in order.waiting:
        return _seated(replace(order, waiting=(*order.waiting, newcomer)))
    at = order.waiting.index(on)
    return replace(order, waiting=(*order.waiting[:at], newcomer, *order.waiting[at:]))


def leaves(order: Order, place: int) -> Order:
    """The order without a player. If he had the hand, it passes to the next."""
    rest = tuple(player for player in order.waiting if player != place)
    gone = replace(
        order,
        hand=None if order.hand == place else order.hand,
        waiting=rest,
        renounced=tuple(player for player in order.renounced if player != place),
    )
    return _seated(gone)


def lost(order: Order) -> Order:
    """The order after the player of the hand has lost: he goes to the end, and the next plays.

    Source: E07-3, E00-3.
    """
    if order.hand is None:
        raise ValueError("nobody played")
    return _seated(Order(None, (*order.waiting, order.hand)))


def won(order: Order) -> Order:
    """The order after a win: the winner goes on, and players who renounced may play again in turn.

    Source: E07-3.
    """
    return _seated(replace(order, renounced=()))


def renounces(house: House, order: Order) -> Order:
    """The player with the hand renounces it. The next who has not renounced plays.

    At E07 he keeps his place for the next turn (E07-4, ER-18). At E00 he is out until his turn
    comes round again, so he goes to the end (E00-4).
    """
    if order.hand is None:
        raise ValueError("nobody has the hand")
    given_up = (*order.renounced, order.hand)
    if house.renounced == "out":
        return _seated(Order(None, (*order.waiting, order.hand), given_up))
    kept = sum(player in order.renounced for player in order.waiting)
    waiting = (*order.waiting[:kept], order.hand, *order.waiting[kept:])
    return _seated(Order(None, waiting, given_up))


def to_the_end(order: Order, place: int) -> Order:
    """A player who left a small share in a chouette goes to the end. Source: E07-4."""
    return _seated(replace(order, waiting=(*order.waiting, place)))


def retired(order: Order, players: Sequence[int], *, won: bool) -> Order:
    """The order once a chouette's giver and his half-share partner have stopped.

    `players` are those two, beginning with whoever played last. `order` is the other side's order
    after the last partie. If the two lost that partie, they go behind the winner. If they won it,
    they take the place of the loser, who went to the end. Source: E07-6.
    """
    if won or order.hand is None:
        return _seated(Order(None, (*players, *order.players), order.renounced))
    return replace(order, waiting=(*players, *order.waiting))


def _seated(order: Order) -> Order:
    """The order; if nobody has the hand, the first who did not renounce gets it."""
    if order.hand is not None:
        return order
    willing = [player for player in order.waiting if player not in order.renounced]
    if not willing:
        return order
    rest = tuple(player for player in order.waiting if player != willing[0])
    return replace(order, hand=willing[0], waiting=rest)
