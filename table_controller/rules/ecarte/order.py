"""The order of players: who plays the cards, who is next, and where a newcomer is entered.

A player's *hand* (French *main*) is his turn to play the cards. Places are plain numbers; only the
table knows which places are seats. The module knows no money, and no cards but those drawn for the
order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from table_controller.rules.cards import Card
from table_controller.rules.ecarte.house import House
from table_controller.rules.ecarte.tricks import drawn_height, height


@dataclass(frozen=True, slots=True)
class Order:
    """The order of one side's players.

    Attributes:
        hand: the player whose turn it is, or None if nobody willing is left.
        waiting: the players after him, the next one first.
        renounced: the players who have given up their turn since the last partie, but kept their
            place (ER-18).
    """

    hand: int | None = None
    waiting: tuple[int, ...] = ()
    renounced: tuple[int, ...] = ()

    @property
    def players(self) -> tuple[int, ...]:
        """All players of the side. The one whose turn it is comes first."""
        return self.waiting if self.hand is None else (self.hand, *self.waiting)


def drawn(house: House, draws: Mapping[int, Sequence[Card]]) -> tuple[tuple[int, ...], ...]:
    """The players by the card that each drew, in groups with equal cards, the first to play first.

    The lowest card begins, ace low. If a player drew several cards, his highest counts. At EDE the
    highest card begins, by its rank in play. Players in one group must draw again. Source: E07-9,
    ER-12, ER-36.
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
    """The order after a newcomer joined, just before the player `on`.

    `on` held the cards when the newcomer first staked. If `on` holds the cards now, the newcomer
    goes to the end, because the order is circular. Raises ValueError if he is in the order already.
    Source: E07-3, E00-3.
    """
    if newcomer in order.players:
        raise ValueError(f"place {newcomer} stands in the order already")
    if order.hand is None or on not in order.waiting:
        return _seated(replace(order, waiting=(*order.waiting, newcomer)))
    at = order.waiting.index(on)
    return replace(order, waiting=(*order.waiting[:at], newcomer, *order.waiting[at:]))


def leaves(order: Order, place: int) -> Order:
    """The order without the player at `place`.

    If it was his turn, the next player gets the turn.
    """
    rest = tuple(player for player in order.waiting if player != place)
    gone = replace(
        order,
        hand=None if order.hand == place else order.hand,
        waiting=rest,
        renounced=tuple(player for player in order.renounced if player != place),
    )
    return _seated(gone)


def lost(order: Order) -> Order:
    """The order after the player with the turn lost: he goes to the end, and the next one plays.

    Source: E07-3, E00-3.
    """
    if order.hand is None:
        raise ValueError("nobody played")
    return _seated(Order(None, (*order.waiting, order.hand)))


def won(order: Order) -> Order:
    """The order after a win: the winner plays on. Players who gave up their turn may play again.

    Source: E07-3.
    """
    return _seated(replace(order, renounced=()))


def renounces(house: House, order: Order) -> Order:
    """The order after the player with the turn gave it up. The next who has not done so plays.

    At E07 he keeps his place for the next turn (E07-4, ER-18). At E00 he is out until his turn
    comes again, so he goes to the end (E00-4).
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
    """The order with the player at `place` added at the end.

    He has left a chouette of which he had less than a half.

    Source: E07-4.
    """
    return _seated(replace(order, waiting=(*order.waiting, place)))


def retired(order: Order, players: Sequence[int], *, won: bool) -> Order:
    """Add the giver of a chouette that was given up, and his partner with a half, to the order.

    `players` are those two, beginning with the one who played last. `order` is the other side's
    order after the last partie. If the two lost that partie, they come after the winner. If they
    won it, they come first, where the loser was before. Source: E07-6.
    """
    if won or order.hand is None:
        return _seated(Order(None, (*players, *order.players), order.renounced))
    return replace(order, waiting=(*players, *order.waiting))


def _seated(order: Order) -> Order:
    """The order in which somebody has the turn: the first player who did not give it up.

    If somebody has the turn already, the order is the same.
    """
    if order.hand is not None:
        return order
    willing = [player for player in order.waiting if player not in order.renounced]
    if not willing:
        return order
    rest = tuple(player for player in order.waiting if player != willing[0])
    return replace(order, hand=willing[0], waiting=rest)
