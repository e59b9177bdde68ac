"""A finished coup: two hands and who won. The module knows no table, no bet and no money."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from table_controller.rules.cards import Card
from table_controller.rules.points import points
from table_controller.rules.punto_banco.tableau import (
    STOOD,
    banker_draws,
    is_natural,
    player_draws,
)


class Winner(StrEnum):
    """The winner of a coup, written as its first letter, as in a road."""

    PLAYER = "P"
    BANKER = "B"
    TIE = "T"


def winner(player: int, banker: int) -> Winner:
    """The winner: the side with more points, or a tie if they are equal. Source: PB-8."""
    if player == banker:
        return Winner.TIE
    return Winner.PLAYER if player > banker else Winner.BANKER


class Coup(NamedTuple):
    """The outcome of a coup: each side's cards in the order dealt, its points, and the winner."""

    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    player_points: int
    banker_points: int
    winner: Winner

    @property
    def length(self) -> int:
        """The number of cards in both hands: 4, 5 or 6."""
        return len(self.player) + len(self.banker)

    @property
    def natural(self) -> bool:
        """Whether the coup ended with 8 or 9 on two cards. Source: PB-5."""
        player, banker, p, b, _ = self
        return len(player) == len(banker) == 2 and is_natural(p, b)


def coup(player: tuple[Card, ...], banker: tuple[Card, ...]) -> Coup:
    """The coup of these two hands. Nobody checks whether they were drawn by the rules."""
    p, b = points(player), points(banker)
    return Coup(player, banker, p, b, winner(p, b))


def dealt(cards: Iterable[Card]) -> Coup:
    """The coup that these cards make, in the order in which they leave the Schlitten.

    At most six cards are used. Raises ValueError if there are too few. Source: PB-4 to PB-8.
    """
    rest = iter(cards)
    try:
        one, two, three, four = (next(rest) for _ in range(4))
        player: tuple[Card, ...] = (one, three)
        banker: tuple[Card, ...] = (two, four)
        p, b = points(player), points(banker)
        if is_natural(p, b):
            return coup(player, banker)
        given = STOOD
        if player_draws(p):
            third = next(rest)
            player, given = (*player, third), points((third,))
        if banker_draws(b, given):
            banker = (*banker, next(rest))
    except (StopIteration, RuntimeError):
        raise ValueError("not enough cards to finish the coup") from None
    return coup(player, banker)
